"""The line rate of a NIC fits the PCIe slot it sits in, per direction."""

from __future__ import annotations

import numpy as np

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import Inside
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context
from topoedit.units import BITS_PER_BYTE


def _check(context: Context) -> Outcome:
    problems, checked, why = [], 0, []
    for code, kind in enumerate(context.devices.types):
        rows = np.flatnonzero(context.devices.type == code)
        inside = kind.inside
        ports = [p for p in kind.port_list if p.role == "compute"]
        if kind.kind != "server" or inside is None or not inside.gpus or not ports:
            continue
        slot = slot_GBps(context.catalog, inside)
        gbps = max((p.gbps for p in ports if p.gbps is not None), default=None)
        if slot is None or gbps is None:
            why.append(f"PCIe slot or NIC rate of {kind.name} is not known")
            continue
        checked += len(rows)
        if gbps / BITS_PER_BYTE <= slot:
            continue
        name = context.catalog.pcie[inside.pcie].name
        problems.append(
            Problem(
                context.ids(rows),
                f"{count(len(rows), 'server')} of type {kind.name}: NICs of {gbps:g} Gb/s are "
                f"{gbps / BITS_PER_BYTE:g} GB/s, their {name} slot of "
                f"{inside.pcie_lanes or 16} lanes gives {slot:g} GB/s per direction",
                "Take a slower NIC or a server of a newer PCIe generation",
            )
        )
    return outcome(problems, checked, why)


def slot_GBps(catalog: Catalog, inside: Inside) -> float | None:  # noqa: N802 - the unit
    """What the slot of a NIC gives in GB/s per direction; None if unknown."""
    pcie = catalog.pcie.get(inside.pcie)
    if pcie is None:
        return None
    if inside.pcie_lanes and pcie.GBps_per_lane_dir:
        return inside.pcie_lanes * pcie.GBps_per_lane_dir
    return pcie.GBps_x16_dir


RULE = Rule(
    id="nic-pcie",
    title="NICs fit their PCIe slots",
    severity="error",
    source=(
        "S. Bekman, Machine Learning Engineering Open Book - Network hardware (rev. 2026-08-22, "
        "tabulating vendor pages), 2026, "
        "https://github.com/stas00/ml-engineering/blob/master/network/README.md (derived)"
    ),
    check=_check,
)
