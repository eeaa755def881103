"""Racks that stand in one another's place, and words for the place of a rack."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from topoedit.layout.standing import Area, Spot, Standing
from topoedit.model.elements import Group

_DEEP_M = 0.6  # racks whose middles lie further apart across the row stand behind one another
_SAME_M = 0.01


class Clash(NamedTuple):
    """Two racks whose middles are nearer than a rack is wide.

    Attributes:
        area: id of the area in which they stand.
        one, other: their ids, along the row.
        apart_m: between their middles, along the row.
    """

    area: str
    one: str
    other: str
    apart_m: float


def clashes(stands: Standing) -> Iterator[Clash]:
    """The racks that stand in one another's place: in a row, nearer than half a rack's width."""
    lines: dict[tuple[str, int], list[tuple[float, str, Spot]]] = defaultdict(list)
    for rack, spot in stands.spots.items():
        lines[spot.area, spot.line].append((spot.x_m, rack, spot))
    for (area_id, _), placed in lines.items():
        near = stands.areas[area_id].floor.rack_pitch_m / 2
        placed.sort()
        for (x, one, here), (other_x, other, there) in pairwise(placed):
            if other_x - x < near and abs(here.y_m - there.y_m) < _DEEP_M:
                yield Clash(area_id, one, other, other_x - x)


def place_words(area: Area, rack: Group, spot: Spot) -> str:
    """Where a rack truly stands: by row and column if it stands on the grid, else in metres."""
    of = f" of {area.name}" if area.name else ""
    if rack.row and rack.column is not None and abs(spot.x_m - area.x_of(rack.column)) < _SAME_M:
        return f"row {rack.row}, column {rack.column}{of}"
    if rack.row:
        return f"{spot.x_m:.2f} m along row {rack.row}{of}"
    return f"{spot.x_m:.2f} m along and {spot.y_m:.2f} m across{of}"


def clash_words(stands: Standing, clash: Clash, one: Group, other: Group) -> str:
    """A clash in a sentence: who, where, and how near."""
    area = stands.areas[clash.area]
    here, there = (place_words(area, rack, stands.spots[rack.id]) for rack in (one, other))
    if here == there:
        return f"{one.name} and {other.name} both stand at {here}"
    return (
        f"{one.name} at {here} and {other.name} at {there} stand in each other's place, "
        f"{clash.apart_m:.2f} m apart"
    )
