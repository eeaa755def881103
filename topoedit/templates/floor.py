"""The floor: where racks stand, and how long a cable between two of them is.

Basis of a length: up from the port to the tray, along the rows and across the aisles, down to the
other port, then 10 % and 1 m of slack, rounded up to a whole metre; inside a rack the height
between the ports and 0.5 m, rounded up to half a metre. Racks are 0.6 m wide, rows 3 m apart
(1.2 m racks and a 1.8 m mean of hot and cold aisle), trays hang at 2.6 m; one rack unit is
44.45 mm (EIA-310).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from topoedit.catalog.catalog import Catalog

RACK_WIDTH_M = 0.6
ROW_PITCH_M = 3.0
TRAY_M = 2.6
UNIT_M = 0.04445
PLINTH_M = 0.1
SLACK = 0.1
SLACK_M = 1.0
LENGTH_BASIS = (
    "Cable lengths: rack positions on a floor of 0.6 m racks in rows 3 m apart, over trays at "
    "2.6 m, plus 10 % and 1 m of slack, rounded up to a metre"
)

# Media of one rate, nearest first; the first that reaches is taken.
_LADDERS: dict[tuple[str, float], tuple[str, ...]] = {
    ("InfiniBand", 800): ("dac-200", "800g-dr4-xdr"),
    ("Ethernet", 800): ("dac-100", "800g-dr8", "800g-xdr8", "800g-2lr4"),
    ("", 400): ("dac-100", "400g-dr4", "400g-xdr4", "400g-lr4"),
    ("", 200): ("dac-50", "aoc", "fr", "lr"),
    ("", 1): ("cat6",),
    ("", 100): ("dac-25", "sr-25", "fr", "lr"),
}
_LONG_HAUL = ("400g-lr4", "zr-400", "zrplus-400", "zr-800")
_COPPER = ("dac-25", "dac-50", "dac-100", "dac-200")


class Spot(NamedTuple):
    """A place in a rack: row and column on the floor, and the rack unit."""

    row: int
    column: int
    unit: int


def row_label(row: int) -> str:
    """The letter of a row: A to Z, then AA.

    >>> row_label(0), row_label(27)
    ('A', 'AB')
    """
    head, tail = divmod(row, 26)
    return (row_label(head - 1) if head else "") + chr(ord("A") + tail)


def row_index(label: str) -> int:
    """The row of a letter, the inverse of `row_label`; 0 for anything else.

    >>> row_index("AB")
    27
    """
    index = 0
    for letter in label:
        if not "A" <= letter <= "Z":
            return 0
        index = index * 26 + ord(letter) - ord("A") + 1
    return max(0, index - 1)


def length_m(a: Spot, b: Spot) -> float:
    """Length of a cable between two places, metres."""
    if a.row == b.row and a.column == b.column:
        return math.ceil((abs(a.unit - b.unit) * UNIT_M + 0.5) * 2) / 2
    across = abs(a.row - b.row) * ROW_PITCH_M + abs(a.column - b.column) * RACK_WIDTH_M
    up = 2 * (TRAY_M - PLINTH_M) - (a.unit + b.unit) * UNIT_M
    return float(math.ceil((across + up) * (1 + SLACK) + SLACK_M))


def medium_between_sites(catalog: Catalog, gbps: float, km: float) -> str:
    """Catalogue id of the line between two sites: long-haul optics that reach, else a leased line.

    Raises:
        BadInputError: the catalogue has neither.
    """
    for name in _LONG_HAUL:
        medium = catalog.media.get(name)
        if medium is None or medium.max_m is None or km * 1000 > medium.max_m:
            continue
        if medium.gbps == gbps:
            return name
    return catalog.medium("wan").id


def is_copper(medium: str) -> bool:
    """Whether a medium of the ladders is passive copper."""
    return medium in _COPPER


def medium_for(
    catalog: Catalog, gbps: float | None, metres: float, fabric: str = "", *, copper: bool = True
) -> str:
    """Catalogue id of the first usual medium that carries `gbps` over `metres`, "" if unknown.

    Passive copper is used up to the length from which the catalogue warns; not at all without
    `copper`.
    """
    if gbps is None:
        return ""
    ladder = _LADDERS.get((fabric, gbps)) or _LADDERS.get(("", gbps), ())
    for name in ladder:
        medium = catalog.media.get(name)
        if medium is None or medium.max_m is None or (is_copper(name) and not copper):
            continue
        reach = medium.max_m
        if name in _COPPER:
            reach = medium.warn_m if medium.warn_m is not None else min(reach, 2.0)
        if (medium.min_m or 0.0) <= metres <= reach:
            return name
    return ""
