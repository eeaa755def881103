"""In-network reduction needs every switch of the tree: one without it takes it from all."""

from __future__ import annotations

import numpy as np

from topoedit.rules._tables import CORE, LEAF
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_SHOWN = 64


def _check(context: Context) -> Outcome:
    devices = context.devices
    if not len(devices):
        return Outcome()
    switch = (devices.kind >= LEAF) & (devices.kind <= CORE) & (devices.network == 0)
    able = devices.where(lambda kind: bool(kind.in_network_reduction))
    rows = np.flatnonzero(switch & ~devices.failed)
    lacks = rows[~able[rows]]
    if not len(lacks) or len(lacks) == len(rows):
        return outcome(checked=len(rows))
    kinds = sorted({context.type_of(row).name for row in lacks.tolist()})
    has = context.type_of(int(rows[able[rows]][0]))
    problem = Problem(
        context.ids(lacks[:_SHOWN]),
        f"{len(lacks)} of {count(len(rows), 'compute switch', 'compute switches')} "
        f"({context.names(lacks)}: {', '.join(kinds)}) have no in-network reduction; the others, "
        f"such as {has.name} ({has.in_network_reduction}), cannot reduce across them",
        "Take switches with reduction throughout, or plan with ring and tree alone",
    )
    return outcome([problem], len(rows))


RULE = Rule(
    id="sharp-partial",
    title="In-network reduction on all switches of the network or on none",
    severity="warning",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX H100, RA-11333-001 V11, 2023, "
        "https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-h100/latest/; "  # noqa: E501
        "S. Bekman, Machine Learning Engineering Open Book - Network hardware (rev. 2026-08-22), "
        "https://github.com/stas00/ml-engineering/blob/master/network/README.md"
    ),
    check=_check,
)
