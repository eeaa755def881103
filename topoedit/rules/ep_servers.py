"""Expert parallelism spans no more servers than routing of tokens is limited to."""

from __future__ import annotations

import numpy as np

from topoedit.rules._plan import servers_of, spans
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

MOST_SERVERS = 4
"""DeepSeek-V3 sends a token to experts on at most 4 servers."""


def _check(context: Context) -> Outcome:
    plan, fabric = context.plan, context.fabric
    if plan is None or fabric is None or not plan.llm.experts:
        return Outcome()
    groups = plan.placement.ep
    wide = spans(groups, fabric.gpu_domain)
    over = np.flatnonzero(wide > MOST_SERVERS)
    if groups.shape[1] < 2 or not len(over):
        return outcome(checked=len(groups))
    most = int(wide.max())
    active = plan.llm.experts_active
    reach = f": a token's {active} experts may lie in {min(active, most)} of them" if active else ""
    problem = Problem(
        servers_of(context, groups[over]),
        f"EP {groups.shape[1]}: {count(len(over), 'group')} of {len(groups)} span {most} scale-up "
        f"domains, more than {MOST_SERVERS}{reach}",
        f"Limit the routing of a token to {MOST_SERVERS} servers, or take a smaller EP",
    )
    return outcome([problem], len(groups))


RULE = Rule(
    id="ep-servers",
    title=f"Expert parallelism spans at most {MOST_SERVERS} servers",
    severity="warning",
    source=(
        "DeepSeek-AI, DeepSeek-V3 Technical Report, 2024, https://arxiv.org/abs/2412.19437 "
        "(node-limited routing, at most 4 nodes for each token)"
    ),
    check=_check,
    needs=("fabric", "workload"),
)
