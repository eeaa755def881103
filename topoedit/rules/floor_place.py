"""Racks stand on free places of their floor: one a place, none on a blocked cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from topoedit.layout.standing import Area, Spot
from topoedit.layout.trays import block_columns, block_rows
from topoedit.rules._floor import floor_of
from topoedit.rules._words import lacking
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_DEEP_M = 0.6  # racks whose middles lie further apart across the row stand behind one another
_Placed = list[tuple[float, str, Spot]]


def _check(context: Context) -> Outcome:
    stands = floor_of(context)
    lines: dict[tuple[str, int], _Placed] = defaultdict(list)
    for rack, spot in stands.spots.items():
        lines[spot.area, spot.line].append((spot.x_m, rack, spot))
    problems: list[Problem] = []
    for (area_id, line), placed in lines.items():
        area = stands.areas[area_id]
        placed.sort()
        problems += _doubled(context, area, placed)
        problems += _blocked(context, area, line, placed)
    racks = len(stands.area_of)
    without = racks - len(stands.spots)
    why = lacking(without, racks, "racks", "no place on the floor")
    return outcome(problems, len(stands.spots), [why])


def _doubled(context: Context, area: Area, placed: _Placed) -> Iterator[Problem]:
    groups = context.document.groups
    for (x, one, here), (other_x, other, there) in pairwise(placed):
        near = other_x - x < area.floor.rack_pitch_m / 2
        if near and abs(here.y_m - there.y_m) < _DEEP_M:
            names = groups[one].name, groups[other].name
            yield Problem(
                (one, other),
                f"{names[0]} and {names[1]} both stand at {_place(context, area, one)}",
                f"Move {names[1]} to a free place",
            )


def _blocked(context: Context, area: Area, line: int, placed: _Placed) -> Iterator[Problem]:
    half = area.floor.rack_pitch_m / 2
    for cell in area.floor.blocked:
        first, last = block_rows(area, cell)
        if not first <= line <= last:
            continue
        low, high = block_columns(cell)
        left, right = area.x_of(low) - half, area.x_of(high) + half
        for x, rack, _ in placed:
            if left < x < right:
                name = context.document.groups[rack].name
                yield Problem(
                    (rack,),
                    f"{name} stands at {_place(context, area, rack)}, which is blocked "
                    f"({cell.what.replace('-', ' ')})",
                    f"Move {name} to a free place",
                )
    if area.floor.columns is not None:
        yield from _outside(context, area, placed, area.floor.columns)


def _outside(context: Context, area: Area, placed: _Placed, columns: int) -> Iterator[Problem]:
    half = area.floor.rack_pitch_m / 2
    for x, rack, _ in placed:
        if not area.x_of(1) - half < x < area.x_of(columns) + half:
            name = context.document.groups[rack].name
            yield Problem(
                (rack,),
                f"{name} stands at {_place(context, area, rack)}, the row ends at column {columns}",
                f"Move {name} to a free place",
            )


def _place(context: Context, area: Area, rack: str) -> str:
    group = context.document.groups[rack]
    room = f" of {area.name}" if area.name else ""
    if group.row and group.column is not None:
        return f"row {group.row}, column {group.column}{room}"
    return f"{group.x_m:g} m along the row{room}" if group.x_m is not None else f"a place{room}"


RULE = Rule(
    id="floor-place",
    title="Racks stand on free places of the floor",
    severity="error",
    source="The grid and the blocked cells of the room, as the drawing states them",
    check=_check,
)
