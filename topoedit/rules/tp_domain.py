"""Tensor parallelism stays inside a scale-up domain."""

from __future__ import annotations

import math

import numpy as np

from topoedit.engine.types import Fabric
from topoedit.rules._plan import gpu_rates, servers_of, spans
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context
from topoedit.units import format_rate


def _check(context: Context) -> Outcome:
    plan, fabric = context.plan, context.fabric
    if plan is None or fabric is None:
        return Outcome()
    groups = plan.placement.tp
    if groups.shape[1] < 2:
        return outcome(checked=len(groups))
    wide = spans(groups, fabric.gpu_domain)
    over = np.flatnonzero(wide > 1)
    if not len(over):
        return outcome(checked=len(groups))
    most, sites = int(wide.max()), int(spans(groups, fabric.gpu_site).max())
    largest = int(np.bincount(fabric.gpu_domain).max())
    text = (
        f"TP {groups.shape[1]}: {count(len(over), 'group')} of {len(groups)} span "
        f"{count(most, 'scale-up domain')} of {largest} GPUs{_cost(fabric)}"
    )
    text += f", and {sites} sites" if sites > 1 else ""
    fix = f"Take TP {_fitting(groups.shape[1], largest)}, or a larger scale-up domain"
    return outcome([Problem(servers_of(context, groups[over]), text, fix)], len(groups))


def _cost(fabric: Fabric) -> str:
    inside, out = gpu_rates(fabric)
    if math.isnan(inside) or math.isnan(out) or not inside or not out:
        return ""
    return (
        f": {format_rate(inside)} per direction of a GPU inside, {format_rate(out)} across, "
        f"{inside / out:.1f} times less"
    )


def _fitting(tp: int, domain: int) -> int:
    """The largest divisor of `tp` that fits into a domain."""
    return next(n for n in range(min(tp, domain), 0, -1) if tp % n == 0)


RULE = Rule(
    id="tp-domain",
    title="Tensor parallelism stays in its scale-up domain",
    severity="warning",
    source=(
        "Shoeybi et al., Megatron-LM, 2019, https://arxiv.org/abs/1909.08053; Narayanan et al., "
        "Efficient Large-Scale Language Model Training on GPU Clusters, 2021, "
        "https://arxiv.org/abs/2104.04473 (tensor parallelism up to the GPUs of a server)"
    ),
    check=_check,
    needs=("fabric", "workload"),
)
