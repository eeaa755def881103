"""Cables and optics that are sold for one network technology are used on that."""

from __future__ import annotations

import numpy as np

from topoedit.rules._choose import advice, better, choice, mend_medium
from topoedit.rules._judge import Bad, Unknown, Verdict, judge, shape
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    bound = np.array([m is not None and bool(m.fabric) for m in context.links.media], bool)
    rows = np.flatnonzero(bound[context.links.medium]) if len(context.links) else np.zeros(0, int)
    return judge(context, rows, _verdict, (*shape(context), *choice(context)))


def _verdict(context: Context, row: int) -> Verdict:
    medium, fabric = context.medium(row), context.fabric_of(row)
    if medium is None or not fabric:
        return Unknown("no switch whose technology is known")
    if medium.fabric in ("", fabric):
        return None
    chosen = better(context, row)
    return Bad(
        f"{medium.name} is sold for {medium.fabric}, this link is {fabric}",
        advice(chosen, f"Take a medium for {fabric}"),
        mendable=chosen is not None,
    )


RULE = Rule(
    id="medium-fabric",
    title="Media are of the network's technology",
    severity="error",
    source="The catalogue's entry of the medium: the only network technology it is sold for",
    check=_check,
    mend=mend_medium(_verdict, better),
)
