"""Every server with GPUs has a cable to the compute network, unless one domain holds all GPUs."""

from __future__ import annotations

import numpy as np

from topoedit.rules._tables import SCALE_UP_ROLE, distinct
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    fabric, devices, links = context.fabric, context.devices, context.links
    if fabric is None or not len(fabric.gpus):
        return Outcome()
    servers = np.array([devices.row[fabric.device_ids[i]] for i in distinct(fabric.gpu_server)])
    if int(fabric.gpu_domain.max()) == 0:
        return outcome(checked=len(servers))
    cabled = np.zeros(len(devices), bool)
    used = context.compute & (links.failed < links.cables)
    role = links.runs.role[links.runs.first[:-1]] if len(links.runs.ports) else np.zeros(0, int)
    network = role != SCALE_UP_ROLE
    cabled[links.a[used & network[links.run_a]]] = True
    cabled[links.b[used & network[links.run_b]]] = True
    bare = servers[~cabled[servers]]
    if not len(bare):
        return outcome(checked=len(servers))
    gpus = int(devices.gpus[bare].sum())
    problem = Problem(
        context.ids(bare),
        f"{count(len(bare), 'server')} with {count(gpus, 'GPU')} ({context.names(bare)}) "
        "without a cable in the compute network: nothing outside reaches these GPUs",
        "Cable their compute NICs",
    )
    return outcome([problem], len(servers))


RULE = Rule(
    id="gpu-without-nic",
    title="No GPU server without a compute cable",
    severity="error",
    source="Definition: without a cable nothing can be delivered to these GPUs",
    check=_check,
    needs=("fabric",),
)
