"""Which links each bottleneck of a result stands for, as the engine says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from topoedit.editor.engine_client import EngineResult


class BottleneckClasses:
    """The links of each bottleneck of one result.

    Args:
        links: ids of all links, drawn ones first.
        drawn: how many of them are drawn.
        rows: for each bottleneck the rows in `links` of its links.
    """

    def __init__(self, links: Sequence[str], drawn: int, rows: Sequence[NDArray[np.int32]]) -> None:
        self._links, self._drawn, self._rows = links, drawn, rows

    @classmethod
    def of(cls, result: EngineResult) -> BottleneckClasses:
        """Those of a result."""
        return cls(result.loads.links, result.loads.drawn, result.classes)

    def drawn(self, number: int) -> tuple[str, ...]:
        """Ids of the drawn links of a bottleneck; none if its links are inside devices."""
        return tuple(self._links[row] for row in self._of(number) if row < self._drawn)

    def holders(self, number: int) -> tuple[str, ...]:
        """Names of the devices that the inner links of a bottleneck are in, each once."""
        inner = (self._links[row] for row in self._of(number) if row >= self._drawn)
        return tuple(dict.fromkeys(name.rsplit("/", 2)[0] for name in inner))

    def inner(self, number: int) -> int:
        """Number of its links inside devices."""
        return sum(row >= self._drawn for row in self._of(number))

    def _of(self, number: int) -> list[int]:
        return self._rows[number].tolist() if number < len(self._rows) else []

    @cached_property
    def _number_of(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for number in range(len(self._rows)):
            for link in self.drawn(number):
                found.setdefault(link, number)
        return found

    def number_of(self, link_id: str) -> int | None:
        """The dearest bottleneck that a drawn link belongs to."""
        return self._number_of.get(link_id)
