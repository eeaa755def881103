"""Racks stand on free places of their floor: one a place, none on a blocked cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from topoedit.layout.clashes import clash_words, clashes, place_words
from topoedit.layout.standing import Area, Spot, Standing
from topoedit.layout.trays import block_columns, block_rows
from topoedit.rules._floor import floor_of
from topoedit.rules._words import lacking
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_Placed = list[tuple[float, str, Spot]]


def _check(context: Context) -> Outcome:
    stands = floor_of(context)
    lines: dict[tuple[str, int], _Placed] = defaultdict(list)
    for rack, spot in stands.spots.items():
        lines[spot.area, spot.line].append((spot.x_m, rack, spot))
    problems = list(_doubled(context, stands))
    for (area_id, line), placed in lines.items():
        area = stands.areas[area_id]
        placed.sort()
        problems += _blocked(context, area, line, placed)
    racks = len(stands.area_of)
    without = racks - len(stands.spots)
    why = lacking(without, racks, "racks", "no place on the floor")
    return outcome(problems, len(stands.spots), [why])


def _doubled(context: Context, stands: Standing) -> Iterator[Problem]:
    groups = context.document.groups
    for clash in clashes(stands):
        one, other = groups[clash.one], groups[clash.other]
        yield Problem(
            (one.id, other.id),
            clash_words(stands, clash, one, other),
            f"Move {other.name} to a free place",
        )


def _blocked(context: Context, area: Area, line: int, placed: _Placed) -> Iterator[Problem]:
    half = area.floor.rack_pitch_m / 2
    for cell in area.floor.blocked:
        first, last = block_rows(area, cell)
        if not first <= line <= last:
            continue
        low, high = block_columns(cell)
        left, right = area.x_of(low) - half, area.x_of(high) + half
        for x, rack, spot in placed:
            if left < x < right:
                name = context.document.groups[rack].name
                yield Problem(
                    (rack,),
                    f"{name} stands at {_place(context, area, rack, spot)}, which is blocked "
                    f"({cell.what.replace('-', ' ')})",
                    f"Move {name} to a free place",
                )
    if area.floor.columns is not None:
        yield from _outside(context, area, placed, area.floor.columns)


def _outside(context: Context, area: Area, placed: _Placed, columns: int) -> Iterator[Problem]:
    half = area.floor.rack_pitch_m / 2
    for x, rack, spot in placed:
        if not area.x_of(1) - half < x < area.x_of(columns) + half:
            name = context.document.groups[rack].name
            yield Problem(
                (rack,),
                f"{name} stands at {_place(context, area, rack, spot)}, the row ends at column "
                f"{columns}",
                f"Move {name} to a free place",
            )


def _place(context: Context, area: Area, rack: str, spot: Spot) -> str:
    return place_words(area, context.document.groups[rack], spot)


RULE = Rule(
    id="floor-place",
    title="Racks stand on free places of the floor",
    severity="error",
    source="The grid and the blocked cells of the room, as the drawing states them",
    check=_check,
)
