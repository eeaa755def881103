"""A synchronous plan does not cross the internet; only a method made for it may."""

from __future__ import annotations

import numpy as np

from topoedit.engine.compile.domains import components
from topoedit.engine.types import Longs
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

PROTOCOL = "internet"


def _check(context: Context) -> Outcome:
    links, plan, fabric = context.links, context.plan, context.fabric
    rows = np.flatnonzero(links.with_protocol(PROTOCOL) & context.compute)
    if not len(rows) or plan is None or fabric is None:
        return outcome(checked=len(rows))
    method = str(getattr(plan.plan.plan, "between_sites", "") or "")
    if method:
        return outcome(checked=len(rows))
    part = _parts(context, rows)
    crossing = [
        f"{count(int(number), 'group')} of {name} {groups.shape[1]}"
        for name, groups in (
            ("TP", plan.placement.tp), ("CP", plan.placement.cp), ("PP", plan.placement.pp),
            ("DP", plan.placement.dp), ("EP", plan.placement.ep),
        )
        if groups.shape[1] > 1
        and (number := np.count_nonzero((part[groups] != part[groups[:, :1]]).any(axis=1)))
    ]  # fmt: skip
    if not crossing:
        return outcome(checked=len(rows))
    problem = Problem(
        context.link_ids(rows),
        f"{', '.join(crossing)} cross the internet over {count(len(rows), 'link')} such as "
        f"{context.link_name(int(rows[0]))}, and every step waits for them",
        "Keep the plan on one side, lease a line, or use a method for slow lines between sites "
        "(DiLoCo and its kin)",
    )
    return outcome([problem], len(rows))


def _parts(context: Context, internet: Longs) -> Longs:
    """Part of the fabric that each GPU is in when the internet is cut."""
    fabric = context.fabric
    if fabric is None:
        return np.zeros(0, np.int64)
    cut = set(context.link_ids(internet))
    dead = np.array([link in cut for link in fabric.link_ids], bool)
    half = len(fabric.src) // 2
    keep = ~dead[fabric.link[:half]] & (fabric.capacity[:half] != 0)
    label = components(len(fabric.vertex_kind), fabric.src[:half][keep], fabric.dst[:half][keep])
    return label[fabric.gpus].astype(np.int64)


RULE = Rule(
    id="internet-sync",
    title="No synchronous plan over the internet",
    severity="error",
    source=(
        "Douillard et al., DiLoCo: Distributed Low-Communication Training of Language Models, "
        "2023, https://arxiv.org/abs/2311.08105 (what it takes to train over such lines)"
    ),
    check=_check,
    needs=("fabric", "workload"),
)
