"""Sums of racks and of what holds them, for the rules about power, heat and weight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from topoedit.engine.types import Floats, Ints, Longs
from topoedit.layout.standing import Standing, chain, standing
from topoedit.model.elements import Group
from topoedit.rules._power import budget_kw
from topoedit.rules._words import lacking
from topoedit.rules.base import Outcome, Problem, outcome
from topoedit.rules.context import Context


@dataclass(frozen=True, eq=False)
class Held:
    """A rack, room, building or site with the sum of a figure over the devices in it.

    Attributes:
        total: over those whose figure is known; missing: devices where it is not.
        devices: how many devices there are.
    """

    group: Group
    total: float
    missing: int
    devices: int

    @property
    def least(self) -> str:
        """`at least ` where the total is not all."""
        return "at least " if self.missing else ""


def floor_of(context: Context) -> Standing:
    """Where the racks stand, worked out once for all rules."""
    found = context.kept.get("standing")
    if not isinstance(found, Standing):
        found = context.kept["standing"] = standing(context.document)
    return found


def power_of(context: Context) -> Floats:
    """KW of every device as budgets count it, worked out once for all rules."""
    found = context.kept.get("power")
    if not isinstance(found, np.ndarray):
        found = context.kept["power"] = budget_kw(context)
    return found


def weight_of(context: Context) -> Floats:
    """Weight of every device, kg."""
    return context.devices.by_type(
        lambda kind: np.nan if kind.weight_kg is None else kind.weight_kg
    )


def racks_held(context: Context, figure: Floats) -> list[Held]:
    """The sum of a figure in each rack that holds a device."""
    devices = context.devices
    ids = devices.group_ids.get("rack", [])
    totals, missing, counts = _sums(figure, devices.rack, len(ids))
    groups = context.document.groups
    return [
        Held(groups[rack], float(totals[code]), int(missing[code]), int(counts[code]))
        for code, rack in enumerate(ids)
    ]


def _sums(figure: Floats, code: Ints, size: int) -> tuple[Floats, Longs, Longs]:
    placed, known = code >= 0, ~np.isnan(figure)
    here = placed & known
    totals = np.bincount(code[here], weights=figure[here], minlength=size).astype(np.float64)
    missing, counts = (
        np.bincount(code[rows], minlength=size).astype(np.int64)
        for rows in (placed & ~known, placed)
    )
    return totals, missing, counts


def holders_held(
    context: Context, figure: Floats, limit: Callable[[Group], float | None]
) -> Iterator[Held]:
    """The sum of a figure in each room, building, site or pod that has a limit."""
    groups = context.document.groups
    wanted = [g for g in groups.values() if g.kind != "rack" and limit(g) is not None]
    if not wanted:
        return
    stands, devices = floor_of(context), context.devices
    around = {group_id: _around(context, stands, group_id) for group_id in groups}
    of_device = [around.get(device.group, frozenset()) for device in devices.items]
    for group in wanted:
        inside = np.array([group.id in found for found in of_device], bool)
        code = np.where(inside, 0, -1).astype(np.int32)
        totals, missing, counts = _sums(figure, code, 1)
        yield Held(group, float(totals[0]), int(missing[0]), int(counts[0]))


def _around(context: Context, stands: Standing, group_id: str) -> frozenset[str]:
    """A group and those around it; of a rack in a room, those around the room where it stands."""
    groups = context.document.groups
    area = stands.areas.get(stands.area_of.get(group_id, "-"))
    own = chain(context.document, group_id)
    if area is None or not area.is_room:
        return frozenset(own)
    return frozenset((*(i for i in own if groups[i].kind in ("rack", "pod")), *area.around))


def judge_limits(
    held: list[Held], limit: Callable[[Group], float | None], say: Callable[[Held, float], Problem],
    what: tuple[str, str, str],
) -> Outcome:  # fmt: skip
    """Problems of those whose sum is above their limit.

    Args:
        held: what is judged.
        limit: the limit of each, None if it has none.
        say: the problem of one with its limit.
        what: words for all of them, for a missing limit and for the missing figure.
    """
    problems: list[Problem] = []
    checked = no_limit = vague = 0
    for one in held:
        bound = limit(one.group)
        if bound is None:
            no_limit += 1
        elif one.total > bound + 1e-9:
            checked += 1
            problems.append(say(one, bound))
        elif one.missing:
            vague += 1
        else:
            checked += 1
    many, no_bound, no_figure = what
    why = [
        lacking(no_limit, len(held), many, no_bound),
        lacking(vague, len(held), many, no_figure),
    ]
    return outcome(problems, checked, why)
