"""Where the servers and leaves of one unit stand, seen from the unit's top left corner."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from topoedit.layout.grid import centred
from topoedit.layout.sizes import (
    COLUMN_PITCH,
    FAN,
    GAP,
    MARGIN,
    PADDING,
    SWITCH_HEIGHT,
    SWITCH_WIDTH,
)

Style = Literal["row", "tor"]
Point = tuple[float, float]
SMALL_UNIT = 16  # servers up to which each rack lies in a row, as in a sketch
WIDE_RACKS = 8
_WIDEST_GAP = 200.0  # racks spread under a wider row of leaves


@dataclass(frozen=True)
class UnitShape:
    """One unit of leaves and servers.

    Attributes:
        leaves: centres of the leaves, in order.
        slots: centres of the servers, in order.
        racks: number of server racks; slot s is in rack s // per_rack.
        per_rack: servers a rack holds.
    """

    width: float
    height: float
    leaves: tuple[Point, ...]
    slots: tuple[Point, ...]
    racks: int
    per_rack: int


def rack_columns(racks: int) -> int:
    """How many racks of a large unit stand side by side: about eight, rows filled evenly.

    >>> rack_columns(8), rack_columns(16), rack_columns(18)
    (8, 8, 9)
    """
    if racks <= WIDE_RACKS:
        return racks
    even = (n for n in range(WIDE_RACKS, 2 * WIDE_RACKS) if racks % n == 0)
    return next(even, WIDE_RACKS)


def unit_shape(
    slots: int, per_rack: int, leaves: int, style: Style, grouped: bool, server: Point
) -> UnitShape:
    """Place a unit: leaves in a row above the racks, or one leaf on top of its first rack.

    `server` is the size of a drawn server; `grouped` leaves room for the frame of a pod.
    """
    per_rack = min(per_rack, slots)
    racks = math.ceil(slots / per_rack)
    flat = style == "row" and slots <= SMALL_UNIT
    columns = racks if flat or style == "tor" else rack_columns(racks)
    across, down = (per_rack, 1) if flat else (1, per_rack)
    step_x, step_y = server[0] + GAP, server[1] + GAP / 2
    rack_width = (across - 1) * step_x + server[0] + 2 * PADDING
    top = SWITCH_HEIGHT + FAN if style == "tor" else 0.0
    rack_height = top + (down - 1) * step_y + server[1] + 2 * MARGIN
    row = (leaves - 1) * COLUMN_PITCH + SWITCH_WIDTH + 2 * PADDING
    gap = GAP
    if style == "row" and columns > 1:
        gap = max(GAP, min((row - columns * rack_width) // (columns - 1), _WIDEST_GAP))
    block = columns * (rack_width + gap) - gap
    inner = max(block, row if style == "row" else 0.0)
    side, edge = (PADDING, MARGIN) if grouped else (0.0, 0.0)
    above = SWITCH_HEIGHT + 2 * MARGIN + FAN if style == "row" else 0.0
    left = side + (inner - block) / 2
    first_x, first_y = left + PADDING + server[0] / 2, edge + above + MARGIN + top + server[1] / 2
    places = []
    for slot in range(slots):
        rack, seat = divmod(slot, per_rack)
        rack_row, rack_column = divmod(rack, columns)
        x = first_x + rack_column * (rack_width + gap) + (seat % across) * step_x
        y = first_y + rack_row * (rack_height + GAP) + (seat // across) * step_y
        places.append((x, y))
    height = 2 * edge + above + math.ceil(racks / columns) * (rack_height + GAP) - GAP
    return UnitShape(
        width=inner + 2 * side,
        height=height,
        leaves=_leaves(leaves, style, places, edge, side + inner / 2, inner),
        slots=tuple(places),
        racks=racks,
        per_rack=per_rack,
    )


def _leaves(
    leaves: int, style: Style, slots: list[Point], edge: float, middle: float, inner: float
) -> tuple[Point, ...]:
    y = edge + MARGIN + SWITCH_HEIGHT / 2
    if style == "tor":
        return tuple((slots[0][0], y) for _ in range(leaves))
    columns = sorted({x for x, _ in slots})
    if len(columns) == leaves:
        return tuple((x, y) for x in columns)
    pitch = max(COLUMN_PITCH, min((inner - 132) / max(1, leaves - 1), 2 * COLUMN_PITCH))
    return tuple((x, y) for x in centred(leaves, pitch, middle))
