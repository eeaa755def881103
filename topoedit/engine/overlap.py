"""Traffic of one job that runs at the same time: gradients under the last micro-batch's exchanges.

Gradient traffic hides under the compute of the last micro-batch (sharded state: of every one),
while tensor, context, expert and pipeline traffic of that compute goes on. On a link that carries
both, each gets an equal share of the rate until one is through (max-min fairness): gradients of b
seconds finish after b + sum over the others of min(b, their seconds in that time).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topoedit.engine.figures import Beside
from topoedit.engine.load import Routed
from topoedit.engine.types import Floats
from topoedit.engine.windows import AXIS_OF
from topoedit.engine.workload.resolve import ResolvedPlan

_LITTLE = 0.005
"""Others that can lengthen gradient traffic by no more than this are left out."""


def overlapping(resolved: ResolvedPlan) -> float:
    """Share of the other traffic of a step that runs beside gradient traffic."""
    plan = resolved.plan
    if plan.zero >= 2:
        return 1.0
    if not resolved.stack.dp_overlap:
        return 0.0
    batches = plan.pp * (1 - 1 / plan.vpp) if plan.vpp > 1 else 1.0
    return min(1.0, batches / resolved.micro_batches)


def crowding(routed: Sequence[Routed], resolved: ResolvedPlan) -> float:
    """How many times as long gradient traffic takes beside the other traffic; at least 1.

    Its groups (of layers, experts, replicas, second copies) take their turns: the sum of their
    seconds beside the others over the sum of their own.
    """
    share = overlapping(resolved)
    if not share:
        return 1.0
    data = [one for one in routed if AXIS_OF[one.kind] == "dp"]
    others = [one for one in routed if AXIS_OF[one.kind] != "dp"]
    own = sum(one.limit.seconds for one in data)
    if not own:
        return 1.0
    return max(1.0, sum(_beside(one, others, share) for one in data) / own)


def beside(
    routed: Sequence[Routed], resolved: ResolvedPlan, crowded: float
) -> Beside | None:  # fmt: skip
    """What the loads of the links need of it; None if gradients meet nothing."""
    if crowded <= 1:
        return None
    data = [one for one in routed if AXIS_OF[one.kind] == "dp"]
    others = tuple(one.load.bytes for one in routed if AXIS_OF[one.kind] != "dp")
    classes = frozenset(one.class_ for one in data)
    return Beside(classes, others, overlapping(resolved), crowded)


def _beside(one: Routed, others: Sequence[Routed], share: float) -> float:
    """Seconds of some gradient traffic on links that it shares with the others."""
    limit = one.limit
    longest = limit.seconds
    for tier, top in limit.tops.items():
        met = [(o, m) for o in others if (m := _most(o, tier) * share) > 0]
        if not met or top + sum(min(top, m) for _, m in met) <= longest * (1 + _LITTLE):
            continue
        edges = limit.index.tiers[tier]
        pace = edges.pace * limit.factors[tier]
        own: Floats = limit.load[edges.numbers] * pace
        whole = own.copy()
        for other, _ in met:
            whole += np.minimum(own, other.load.bytes[edges.numbers] * (pace * share))
        longest = max(longest, float(whole.max(initial=0.0)))
    return longest


def _most(one: Routed, tier: int) -> float:
    """Seconds of its fullest edge of a tier."""
    limits = [limit for limit in (one.limit, one.network) if limit is not None]
    return max((limit.tops.get(tier, 0.0) for limit in limits), default=0.0)
