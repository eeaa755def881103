"""Either of two feeds carries its rack alone, or the rack fails when one is lost."""

from __future__ import annotations

from topoedit.model.elements import Group
from topoedit.rules._floor import Held, judge_limits, power_of, racks_held
from topoedit.rules.base import Outcome, Problem, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    fed = [
        held
        for held in racks_held(context, power_of(context))
        if held.group.feed_a_kw is not None or held.group.feed_b_kw is not None
    ]
    words = ("racks with feeds", "one feed only", "devices whose power is not known")
    return judge_limits(fed, _weaker, _say, words)


def _weaker(rack: Group) -> float | None:
    if rack.feed_a_kw is None or rack.feed_b_kw is None:
        return None
    return min(rack.feed_a_kw, rack.feed_b_kw)


def _say(rack: Held, weaker: float) -> Problem:
    a, b = rack.group.feed_a_kw or 0.0, rack.group.feed_b_kw or 0.0
    lost, left = ("A", "B") if b <= a else ("B", "A")
    more = f"take {rack.total - weaker:.1f} kW out of the rack"
    return Problem(
        (rack.group.id,),
        f"{rack.group.name} draws {rack.least}{rack.total:.1f} kW; with feed {lost} lost, feed "
        f"{left} gives {weaker:g} kW",
        f"Give feed {left} {rack.total:.1f} kW, or {more}",
    )


RULE = Rule(
    id="rack-feeds",
    title="One feed carries the rack when the other is lost",
    severity="warning",
    source="Two feeds of a rack, each sized for all of it (2N), as the rack list states them",
    check=_check,
)
