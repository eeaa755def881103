"""A scale-up domain is no larger than its technology builds: 8 GPUs in a server, 72 in a rack."""

from __future__ import annotations

import numpy as np

from topoedit.rules._tables import distinct, distinct_pairs, encode
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_RACK_SCALE = ("NVLink 5", "NVLink 6")
_RACK = 72
_SPECIFIED = 576


def _check(context: Context) -> Outcome:
    fabric, devices = context.fabric, context.devices
    if fabric is None or not len(fabric.gpus):
        return Outcome()
    sizes = np.bincount(fabric.gpu_domain)
    first = np.unique(fabric.gpu_domain, return_index=True)[1]
    code, names = encode(fabric.accelerators)
    technologies = [_technology(context, name) for name in names]
    of_domain = code[first]
    known = np.array([bool(text) for text in technologies], bool)[of_domain]
    servers = np.bincount(distinct_pairs(fabric.gpu_domain, fabric.gpu_server)[0])
    unknown = int(np.count_nonzero(~known & (sizes > 1)))
    problems = []
    for domain in np.flatnonzero(known & (servers > 1)).tolist():
        technology = technologies[of_domain[domain]]
        at = distinct(fabric.gpu_server[fabric.gpu_domain == domain])
        rows = np.array([devices.row[fabric.device_ids[i]] for i in at.tolist()])
        own = int(devices.gpus[rows].max())
        limit = max(own, _RACK) if technology in _RACK_SCALE else own
        if int(sizes[domain]) <= limit or not technology.startswith("NVLink"):
            continue
        text = (
            f"{sizes[domain]} GPUs in one {technology} domain over "
            f"{count(len(rows), 'server')} ({context.names(rows)}); the largest built is "
            f"{limit}"
        )
        extra = f" ({_SPECIFIED} by specification)" if technology == "NVLink 5" else ""
        problems.append(
            Problem(context.ids(rows), text + extra, "Join the domains with NICs and switches")
        )
    why = f"the scale-up technology of {count(unknown, 'domain')} is not known" if unknown else ""
    return outcome(problems, len(sizes) - unknown, [why])


def _technology(context: Context, accelerator: str) -> str:
    entry = context.catalog.accelerators.get(accelerator)
    return "" if entry is None else entry.scaleup


RULE = Rule(
    id="nvlink-domain",
    title="Scale-up domains are no larger than is built",
    severity="error",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX GB200, Network Fabrics, 2025; NVIDIA Base "
        "Command Manager docs, NVLink Technology (up to 576 GPUs per NVLink domain), 2026, "
        "https://docs.nvidia.com/base-command-manager/product-manuals/nvidia-mission-control/nvlinkinfo"
    ),
    check=_check,
    needs=("fabric",),
)
