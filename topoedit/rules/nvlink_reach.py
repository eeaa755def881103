"""Scale-up links of NVLink copper stay in their rack; between racks they carry nothing."""

from __future__ import annotations

import numpy as np

from topoedit.catalog.types import DeviceType
from topoedit.engine.types import Bools
from topoedit.rules import _reach
from topoedit.rules._repeat import repeated
from topoedit.rules._tables import SCALE_UP_ROLE
from topoedit.rules._words import lacking
from topoedit.rules.base import Outcome, Rule, outcome
from topoedit.rules.context import Context


def is_nvlink(context: Context, kind: DeviceType) -> bool:
    """Whether the scale-up network of a device type is NVLink."""
    if kind.fabric == "NVLink":
        return True
    accelerator = None
    if kind.inside is not None:
        accelerator = context.catalog.accelerators.get(kind.inside.accelerator)
    return accelerator is not None and accelerator.scaleup.startswith("NVLink")


def nvlink_links(context: Context) -> Bools:
    """Links between NVLink ports, whatever their medium."""
    links = context.links
    runs = links.runs
    first = np.array([role == SCALE_UP_ROLE for role in runs.role[runs.first[:-1]].tolist()], bool)
    nvlink = context.devices.where(lambda kind: is_nvlink(context, kind))
    here = (first[links.run_a] & nvlink[links.a]) | (first[links.run_b] & nvlink[links.b])
    return np.asarray(here, bool)


def _check(context: Context) -> Outcome:
    links = context.links
    if not len(links):
        return Outcome()
    by_medium = _reach.check(context, RULE.id)
    covered = np.zeros(len(links), bool)
    covered[_reach.rows_of(context, RULE.id)] = True
    ours = nvlink_links(context) & ~covered
    apart = np.flatnonzero(ours & links.racks_known & ~links.same_rack)
    nowhere = int(np.count_nonzero(ours & ~links.racks_known))
    problems = repeated(
        context,
        apart,
        "NVLink between two racks carries 0 B/s: its copper stays in one rack",
        "Join the racks with network cables between NICs and switches",
    )
    total = int(np.count_nonzero(ours))
    why = lacking(nowhere, total, "NVLink links", "an end that stands in no rack")
    checked = by_medium.checked + total - nowhere
    return outcome((*by_medium.problems, *problems), checked, (*by_medium.unchecked, why))


RULE = Rule(
    id="nvlink-reach",
    title="NVLink does not leave its rack",
    severity="error",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX GB200, Network Fabrics, 2025, "
        "https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-gb200/latest/network-fabrics.html"
    ),
    check=_check,
)
