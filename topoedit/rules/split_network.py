"""All GPUs are in one network."""

from __future__ import annotations

import numpy as np

from topoedit.engine.compile.domains import components
from topoedit.rules._tables import SERVER
from topoedit.rules._words import some
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    devices = context.devices
    servers = np.flatnonzero((devices.kind == SERVER) & (devices.gpus > 0))
    if len(servers) < 2:
        return outcome(checked=len(servers))
    a, b = context.switch_pairs
    label = components(len(devices), a.astype(np.int32), b.astype(np.int32))
    cabled = np.zeros(len(devices), bool)
    cabled[a] = cabled[b] = True
    servers = servers[cabled[servers]]  # those without a cable are another rule's
    parts, inverse = np.unique(label[servers], return_inverse=True)
    if len(parts) < 2:
        return outcome(checked=len(servers))
    gpus = np.bincount(inverse, weights=devices.gpus[servers]).astype(int)
    order = np.argsort(-gpus, kind="stable")
    sizes = [f"{gpus[i]} with {context.name(int(servers[inverse == i][0]))}" for i in order[:6]]
    smaller = servers[inverse != order[0]]
    problem = Problem(
        context.ids(smaller),
        f"the GPUs are in {len(parts)} parts that no cable joins: "
        f"{some([*sizes, *([''] * (len(parts) - len(sizes)))], 6)}",
        "Join the parts, or run one job in each",
    )
    return outcome([problem], len(servers))


RULE = Rule(
    id="split-network",
    title="All GPUs are in one network",
    severity="warning",
    source="Definition: between two parts that no cable joins nothing can be delivered",
    check=_check,
)
