"""The switches of one tier of a network come from one vendor."""

from __future__ import annotations

import numpy as np

from topoedit.rules._tables import CORE, KINDS, LEAF, NETWORKS, encode
from topoedit.rules._words import count, lacking
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    devices = context.devices
    if not len(devices):
        return Outcome()
    code, names = encode([kind.vendor for kind in devices.types])
    vendor = code[devices.type]
    known = np.array([bool(name) for name in names], bool)[vendor]
    problems = []
    switches = (devices.kind >= LEAF) & (devices.kind <= CORE)
    for kind in range(LEAF, CORE + 1):
        for network, name in enumerate(NETWORKS):
            mine = (devices.kind == kind) & (devices.network == network) & known
            found, number = np.unique(vendor[mine], return_counts=True)
            if len(found) < 2:
                continue
            usual = found[np.argmax(number)]
            odd = np.flatnonzero(mine & (vendor != usual))
            parts = [f"{names[v]} {n}" for v, n in zip(found, number.tolist(), strict=True)]
            problems.append(
                Problem(
                    context.ids(odd),
                    f"{count(int(mine.sum()), KINDS[kind] + ' switch', KINDS[kind] + ' switches')} "
                    f"of the {name} network are of {len(found)} vendors: {', '.join(parts)}",
                    "Take one vendor in a tier, or test them together first",
                )
            )
    lack = int(np.count_nonzero(switches & ~known))
    why = lacking(lack, int(switches.sum()), "switches", "no known vendor")
    return outcome(problems, int(np.count_nonzero(switches & known)), [why])


RULE = Rule(
    id="mixed-vendors",
    title="One vendor in each tier",
    severity="warning",
    source="Common practice: load balancing and congestion control differ between vendors",
    check=_check,
)
