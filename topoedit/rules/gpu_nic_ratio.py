"""As many compute NICs as the accelerators need, and as many of them cabled."""

from __future__ import annotations

import numpy as np

from topoedit.catalog.types import DeviceType
from topoedit.engine.types import Longs
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_NICS_OF = {"vr200": 2, "mi455x": 3}
"""Compute NICs for each GPU where it is not one: two for Rubin, three for MI455X."""


def _check(context: Context) -> Outcome:
    devices = context.devices
    if not len(devices):
        return Outcome()
    cabled = np.bincount(context.hosts.server, minlength=len(devices))
    problems, checked, why = [], 0, []
    for code, kind in enumerate(devices.types):
        rows = np.flatnonzero((devices.type == code) & (devices.kind == 0))
        if kind.kind != "server" or not len(rows) or kind.gpus == 0:
            continue
        if kind.gpus is None:
            why.append(f"the GPUs of {count(len(rows), 'server')} of type {kind.name} are unknown")
            continue
        checked += len(rows)
        problems += _type(context, kind, kind.gpus, rows, cabled)
    return outcome(problems, checked, why)


def _type(
    context: Context, kind: DeviceType, gpus: int, rows: Longs, cabled: Longs
) -> list[Problem]:
    """Too few NICs in the type, else too few of them cabled in most of its servers."""
    nics = sum(port.role == "compute" for port in kind.port_list)
    accelerator = "" if kind.inside is None else kind.inside.accelerator
    each = next((n for name, n in _NICS_OF.items() if name in accelerator), 1)
    who = f"{count(len(rows), 'server')} of type {kind.name}"
    needed = f"{gpus} GPUs and {each} for each of them make {gpus * each}"
    if nics < gpus * each:
        text = f"{who} have {count(nics, 'compute NIC')}; {needed}"
        return [Problem(context.ids(rows), text, "Add NICs, or expect GPUs to share them")]
    used = cabled[rows][cabled[rows] > 0]
    usual = int(np.bincount(used).argmax()) if len(used) else gpus * each
    if usual >= gpus * each:
        return []
    text = f"{who} have {usual} of {count(nics, 'compute NIC')} cabled; {needed}"
    return [Problem(context.ids(rows), text, "Cable the other NICs too")]


RULE = Rule(
    id="gpu-nic-ratio",
    title="As many compute NICs as the GPUs need",
    severity="warning",
    source=(
        "NVIDIA DGX BasePOD Reference Architecture, Core Components, 2025; Wheeler's Network, "
        "Decoding Nvidia's Rubin Networking Math, 2025, https://wheelersnetwork.com; OCI/AMD NIC "
        "note (public GitHub file), 2026"
    ),
    check=_check,
)
