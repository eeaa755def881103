"""Rooms, buildings, sites and pods draw no more than they are given."""

from __future__ import annotations

from topoedit.model.elements import Group
from topoedit.rules._floor import Held, holders_held, judge_limits, power_of
from topoedit.rules._words import count, lacking
from topoedit.rules.base import Outcome, Problem, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    held = list(holders_held(context, power_of(context), _limit))
    words = ("rooms and buildings", "no power limit", "devices whose power is not known")
    found = judge_limits(held, _limit, _say, words)
    rooms = [group for group in context.document.groups.values() if group.kind == "room"]
    without = sum(room.power_kw is None for room in rooms)
    why = lacking(without, len(rooms), "rooms", "no power limit")
    return Outcome(found.problems, found.checked, (*found.unchecked, *([why] if why else [])))


def _limit(group: Group) -> float | None:
    return group.power_kw


def _say(held: Held, limit: float) -> Problem:
    verb = "draws" if held.devices == 1 else "draw"
    return Problem(
        (held.group.id,),
        f"{held.group.name}: {count(held.devices, 'device')} {verb} {held.least}{held.total:.1f} kW"
        f", the {held.group.kind} gives {limit:g} kW",
        f"Take {held.total - limit:.1f} kW out of it, or give it more",
    )


RULE = Rule(
    id="room-power",
    title="Rooms and buildings stay within their power",
    severity="error",
    source="The limit that the drawing states, and the power in the catalogue's entries",
    check=_check,
)
