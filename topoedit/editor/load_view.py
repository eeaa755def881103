"""Figures of one link out of the arrays of the last result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from topoedit.model.plan import TRAFFIC_CLASSES

if TYPE_CHECKING:
    from topoedit.editor.engine_client import LinkLoads

_NONE = np.zeros(0, dtype=np.float32)


def carried(loads: LinkLoads | None) -> tuple[str, ...]:
    """Traffic classes that load a link, in the order of all; without a result, all of them."""
    if loads is None:
        return TRAFFIC_CLASSES
    sides = (loads.forward, loads.backward)
    return tuple(
        name for name in TRAFFIC_CLASSES if any((side.get(name, _NONE) > 0).any() for side in sides)
    )


@dataclass(frozen=True)
class Direction:
    """Figures of one direction of a link; None is unknown.

    Attributes:
        demand, utilisation, phase_share: fractions.
        bytes: bytes a step.
        by_class: traffic class -> bytes a step, only those that carry something.
    """

    demand: float | None
    utilisation: float | None
    phase_share: float | None
    bytes: float | None
    by_class: dict[str, float]


class LoadIndex:
    """Finds the row of a link; made once for each result and only when asked."""

    def __init__(self) -> None:
        self._links: tuple[str, ...] = ()
        self._rows: dict[str, int] = {}

    def directions(self, loads: LinkLoads | None, link: str) -> tuple[Direction, Direction] | None:
        """What goes from a to b and from b to a; None without figures."""
        if loads is None:
            return None
        if loads.links is not self._links:
            self._links = loads.links
            self._rows = {name: row for row, name in enumerate(loads.links)}
        row = self._rows.get(link)
        if row is None:
            return None
        return _direction(loads.forward, row), _direction(loads.backward, row)


def _direction(fields: object, row: int) -> Direction:
    def value(name: str) -> float | None:
        column = fields.get(name) if isinstance(fields, dict) else None
        if column is None:
            return None
        found = float(column[row])
        return found if found == found else None

    by_class = {name: amount for name in TRAFFIC_CLASSES if (amount := value(name))}
    return Direction(
        value("demand"), value("utilisation"), value("phase_share"), value("bytes"), by_class
    )
