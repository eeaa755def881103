"""Pipeline stages of one pipeline are in one site; so are the groups that wait for each other."""

from __future__ import annotations

import numpy as np

from topoedit.engine.types import Fabric, Longs, Tier
from topoedit.rules._plan import servers_of, spans
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context
from topoedit.units import format_seconds


def _check(context: Context) -> Outcome:
    plan, fabric = context.plan, context.fabric
    if plan is None or fabric is None:
        return Outcome()
    placement, problems, checked = plan.placement, [], 0
    for name, groups in (
        ("PP", placement.pp), ("CP", placement.cp), ("EP", placement.ep),
    ):  # fmt: skip
        checked += len(groups)
        problems += _over(context, fabric, name, groups)
    return outcome(problems, checked)


def _over(context: Context, fabric: Fabric, name: str, groups: Longs) -> list[Problem]:
    if groups.shape[1] < 2:
        return []
    wide = spans(groups, fabric.gpu_site)
    over = np.flatnonzero(wide > 1)
    if not len(over):
        return []
    between = fabric.tier == Tier.BETWEEN_SITES
    delay = float(fabric.latency[between].max(initial=0.0))
    far = f", {format_seconds(delay)} one way apart" if delay else ""
    what = "every micro-batch crosses" if name == "PP" else "every layer waits for"
    return [
        Problem(
            servers_of(context, groups[over]),
            f"{name} {groups.shape[1]}: {count(len(over), 'group')} of {len(groups)} span "
            f"{count(int(wide.max()), 'site')}{far}; {what} the line between them",
            "Keep them in one site and put data parallelism between the sites",
        )
    ]


RULE = Rule(
    id="pp-sites",
    title="Pipelines stay in one site",
    severity="warning",
    source=(
        "Chen et al., CrossPipe: Towards Optimal Pipeline Schedules for Cross-Datacenter "
        "Training, 2025, https://arxiv.org/abs/2507.00217"
    ),
    check=_check,
    needs=("fabric", "workload"),
)
