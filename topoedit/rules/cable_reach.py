"""Every other cable: its reach; and links that name no medium, whose reach nobody can judge."""

from __future__ import annotations

import numpy as np

from topoedit.rules import _reach
from topoedit.rules.base import Outcome, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    found = _reach.check(context, RULE.id)
    links, why = context.links, list(found.unchecked)
    for code, name in enumerate(links.medium_ids):
        if links.media[code] is not None:
            continue
        number = int(np.count_nonzero(links.medium == code))
        lack = f'the medium "{name}", which the catalogue lacks' if name else "no medium"
        verb = "names" if number == 1 else "name"
        why.append(f"{number} of {len(links)} links {verb} {lack}, so their reach is not known")
    return outcome(found.problems, found.checked, why)


RULE = Rule(
    id="cable-reach",
    title="Other cables stay within their reach",
    severity="error",
    source="The catalogue's entry of the medium: a cable beyond its reach carries nothing",
    check=_check,
    mend=_reach.mend,
)
