"""An InfiniBand fabric leaves ports for the fabric manager."""

from __future__ import annotations

import numpy as np

from topoedit.rules._tables import LEAF, MANAGEMENT, SERVER
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context
from topoedit.rules.radix_by_sku import ports_in_use


def _check(context: Context) -> Outcome:
    devices, links = context.devices, context.links
    infiniband = devices.where(lambda kind: kind.fabric == "InfiniBand")
    leaves = np.flatnonzero(
        infiniband & (devices.kind == LEAF) & (devices.network == 0) & ~devices.failed
    )
    if not len(leaves) or not (devices.kind == SERVER).any():
        return Outcome()
    manager = devices.kind == MANAGEMENT
    attached = (manager[links.a] | manager[links.b]) & context.compute
    ports = devices.by_type(lambda kind: len(kind.port_list))
    free = int(np.maximum(ports - ports_in_use(context), 0)[leaves].sum())
    if attached.any() or free:
        return outcome(checked=len(leaves))
    problem = Problem(
        context.ids(leaves),
        f"all ports of {count(len(leaves), 'leaf', 'leaves')} are in use and no fabric manager is "
        "attached: nothing is left for it",
        "Give up one server (127 of 128, as the SuperPOD does) or add ports",
    )
    return outcome([problem], len(leaves))


RULE = Rule(
    id="mgmt-port",
    title="Leaf ports are left for the fabric manager",
    severity="warning",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX H100, RA-11333-001 V11, 2023 (127 of 128 "
        "servers), https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-h100/latest/"
    ),
    check=_check,
)
