"""In-network reduction is chosen only where the switches on the way have it."""

from __future__ import annotations

import numpy as np

from topoedit.rules._tables import distinct
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_SCALE_UP, _NETWORK = ("nvls", "nvls-tree"), ("collnet",)


def _check(context: Context) -> Outcome:
    plan, fabric = context.plan, context.fabric
    if plan is None or fabric is None:
        return Outcome()
    chosen = plan.workload.plan.algorithms
    problems = []
    used = distinct(fabric.gpu_domain[plan.placement.ranks])
    lacking = int(np.count_nonzero(~fabric.multicast[used]))
    for traffic, algorithm in chosen.items():
        if algorithm in _SCALE_UP and lacking:
            domains = used[~fabric.multicast[used]]
            at = np.isin(fabric.gpu_domain, domains)
            servers = distinct(fabric.gpu_server[at])[:64]
            problems.append(
                Problem(
                    tuple(fabric.device_ids[row] for row in servers.tolist()),
                    f"{traffic} shall use {algorithm}, but {lacking} of "
                    f"{count(len(used), 'scale-up domain')} have no reduction in the switch",
                    "Take ring or tree, or accelerators behind NVSwitch of generation 3 or later",
                )
            )
        if algorithm in _NETWORK and not fabric.reduction:
            rows = np.flatnonzero(context.is_switch & (context.devices.network == 0))
            lacks = [row for row in rows.tolist() if not context.type_of(row).in_network_reduction]
            problems.append(
                Problem(
                    context.ids(lacks[:64]),
                    f"{traffic} shall use {algorithm}, but {len(lacks)} of "
                    f"{count(len(rows), 'switch', 'switches')} ({context.names(lacks)}) have no "
                    "in-network reduction",
                    "Take ring or tree, or Quantum switches with SHARP throughout",
                )
            )
    return outcome(problems, len(chosen))


RULE = Rule(
    id="sharp-scope",
    title="In-network reduction only where switches have it",
    severity="error",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX H100, RA-11333-001 V11, 2023; S. Bekman, "
        "Machine Learning Engineering Open Book - Network hardware, 2026, "
        "https://github.com/stas00/ml-engineering/blob/master/network/README.md"
    ),
    check=_check,
    needs=("fabric", "workload"),
)
