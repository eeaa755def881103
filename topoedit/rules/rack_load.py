"""Racks and rooms bear what is put into them."""

from __future__ import annotations

from topoedit.model.elements import Group
from topoedit.rules._floor import Held, holders_held, judge_limits, racks_held, weight_of
from topoedit.rules.base import Outcome, Problem, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    weight = weight_of(context)
    held = [*racks_held(context, weight), *holders_held(context, weight, _limit)]
    words = ("racks and rooms", "no weight limit", "devices whose weight is not known")
    return judge_limits(held, _limit, _say, words)


def _limit(group: Group) -> float | None:
    return group.load_kg


def _say(held: Held, limit: float) -> Problem:
    return Problem(
        (held.group.id,),
        f"{held.group.name} holds {held.least}{held.total:,.0f} kg of devices, it bears "
        f"{limit:,.0f} kg",
        f"Take {held.total - limit:,.0f} kg out of it",
    )


RULE = Rule(
    id="rack-load",
    title="Racks bear the weight of what is in them",
    severity="error",
    source="The limit that the rack list states, and the weight in the catalogue's entry",
    check=_check,
)
