"""Devices fit into their rack: within its height, none in the place of another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil

import numpy as np

from topoedit.model.elements import Group
from topoedit.rules._words import count, lacking
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    devices = context.devices
    racks = devices.group_ids.get("rack", [])
    height = devices.by_type(lambda kind: np.nan if kind.rack_units is None else kind.rack_units)
    places: dict[int, list[int]] = {}
    in_rack = np.flatnonzero(devices.rack >= 0).tolist()
    sized = [row for row in in_rack if not np.isnan(height[row])]
    for row in sized:
        places.setdefault(int(devices.rack[row]), []).append(row)
    problems: list[Problem] = []
    for code, rows in places.items():
        rack = context.document.groups[racks[code]]
        problems += _too_many(context, rack, rows, height)
        problems += _overlaps(context, rack, rows, height)
    unplaced = sum(devices.items[row].unit is None for row in sized)
    why = [
        lacking(len(in_rack) - len(sized), len(in_rack), "devices in racks", "no known height"),
        lacking(unplaced, len(in_rack), "devices in racks", "no rack unit"),
    ]
    return outcome(problems, len(sized) - unplaced, why)


def _too_many(
    context: Context, rack: Group, rows: list[int], height: np.ndarray
) -> Iterator[Problem]:
    needed = float(height[rows].sum())
    if rack.units is not None and needed > rack.units:
        text = f"{rack.name}: {count(len(rows), 'device')} need {needed:g} U, it has {rack.units} U"
        yield Problem((rack.id,), text, "Move some to another rack")


def _overlaps(
    context: Context, rack: Group, rows: list[int], height: np.ndarray
) -> Iterator[Problem]:
    """Devices beyond the top, and pairs in the same place."""
    spans = []
    for row in rows:
        device = context.devices.items[row]
        if device.unit is None:
            continue
        top = device.unit + ceil(float(height[row])) - 1
        spans.append((device.unit, top, row))
        if device.unit < 1 or (rack.units is not None and top > rack.units):
            text = f"{device.name} takes units {device.unit} to {top} of {rack.name}, "
            limit = f"which has {rack.units or 'none below 1'}"
            yield Problem((device.id, rack.id), text + limit, "Move it down, or take a higher rack")
    spans.sort()
    for (_, top, one), (bottom, _, other) in pairwise(spans):
        if bottom <= top:
            names = context.name(one), context.name(other)
            yield Problem(
                (*context.ids([one, other]), rack.id),
                f"{names[0]} and {names[1]} are both in unit {bottom} of {rack.name}",
                f"Move {names[1]} to unit {top + 1} or another free place",
            )


RULE = Rule(
    id="rack-units",
    title="Devices fit into their racks",
    severity="error",
    source="EIA-310 (rack units) and the height in the catalogue's entry of the device type",
    check=_check,
)
