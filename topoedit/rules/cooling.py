"""The heat of racks and rooms is taken away; what devices draw they give off."""

from __future__ import annotations

from topoedit.model.elements import Group
from topoedit.rules._floor import Held, holders_held, judge_limits, power_of, racks_held
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    groups = context.document.groups.values()
    if all(group.cooling_kw is None for group in groups):
        rooms = sum(group.kind == "room" for group in groups)
        return outcome(
            unchecked=["no rack or room states how much heat is taken away"] * (rooms > 0)
        )
    power = power_of(context)
    held = [one for one in racks_held(context, power) if one.group.cooling_kw is not None]
    held += holders_held(context, power, _limit)
    words = ("racks and rooms", "no cooling limit", "devices whose power is not known")
    return judge_limits(held, _limit, _say, words)


def _limit(group: Group) -> float | None:
    return group.cooling_kw


def _say(held: Held, limit: float) -> Problem:
    return Problem(
        (held.group.id,),
        f"{held.group.name} gives off {held.least}{held.total:.1f} kW, {limit:g} kW are taken away",
        f"Take {held.total - limit:.1f} kW out of it, or cool it more",
    )


RULE = Rule(
    id="cooling",
    title="The heat of racks and rooms is taken away",
    severity="error",
    source="Heat of IT equipment is the power that it draws (energy is conserved)",
    check=_check,
)
