"""Which links each bottleneck of a result stands for, as the engine says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from topoedit.editor.engine_client import EngineResult


class InnerLinks:
    """Which device each link inside a device is in; made once for all results of a topology.

    Args:
        links: ids of all links, drawn ones first.
        drawn: how many of them are drawn.

    Attributes:
        names: names of the devices.
        codes: for each inner link the index of its device in `names`, int32 (inner links).
    """

    def __init__(self, links: Sequence[str], drawn: int) -> None:
        import numpy as np

        inner = (name.rsplit("/", 2)[0] for name in links[drawn:])
        code: dict[str, int] = {}
        found = (code.setdefault(name, len(code)) for name in inner)
        self.codes = np.fromiter(found, np.int32, len(links) - drawn)
        self.names = tuple(code)


class BottleneckClasses:
    """The links of each bottleneck of one result.

    Everything is found out once: tables ask for it with every row that they paint.

    Args:
        links: ids of all links, drawn ones first.
        drawn: how many of them are drawn.
        rows: for each bottleneck the rows in `links` of its links.
        inner: which devices the inner links are in, if that is known already.
    """

    def __init__(
        self,
        links: Sequence[str],
        drawn: int,
        rows: Sequence[NDArray[np.int32]],
        inner: InnerLinks | None = None,
    ) -> None:
        self._links, self._drawn, self._rows = links, drawn, rows
        self._known = inner
        self._drawn_ids: dict[int, tuple[str, ...]] = {}
        self._holders: dict[int, tuple[str, ...]] = {}

    @classmethod
    def of(cls, result: EngineResult) -> BottleneckClasses:
        """Those of a result."""
        return cls(result.loads.links, result.loads.drawn, result.classes, result.inner)

    @cached_property
    def _inner(self) -> InnerLinks:
        return self._known or InnerLinks(self._links, self._drawn)

    def drawn(self, number: int) -> tuple[str, ...]:
        """Ids of the drawn links of a bottleneck; none if its links are inside devices."""
        if number not in self._drawn_ids:
            rows = self._of(number)
            links = self._links
            chosen = () if rows is None else rows[rows < self._drawn].tolist()
            self._drawn_ids[number] = tuple([links[row] for row in chosen])
        return self._drawn_ids[number]

    def holders(self, number: int) -> tuple[str, ...]:
        """Names of the devices that the inner links of a bottleneck are in, each once."""
        if number not in self._holders:
            rows, found = self._of(number), self._inner
            inner = () if rows is None else found.codes[rows[rows >= self._drawn] - self._drawn]
            each = dict.fromkeys(int(code) for code in inner)
            self._holders[number] = tuple([found.names[code] for code in each])
        return self._holders[number]

    def inner(self, number: int) -> int:
        """Number of its links inside devices."""
        rows = self._of(number)
        return 0 if rows is None else int((rows >= self._drawn).sum())

    def _of(self, number: int) -> NDArray[np.int32] | None:
        return self._rows[number] if number < len(self._rows) else None

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
