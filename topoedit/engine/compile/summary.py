"""What `info` says of a fabric: its tiers, and how steep the step is from scale-up to network."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from topoedit.engine.compile.blocks import compute_port_names
from topoedit.engine.types import TIER_NAMES, Bools, Fabric, Floats, Ints, Tier, VertexKind
from topoedit.model.document import Document
from topoedit.units import GIGA

SHOWN_TIERS = (
    Tier.SCALE_UP, Tier.HOST_LEAF, Tier.LEAF_SPINE, Tier.SPINE_CORE, Tier.BETWEEN_SITES,
)  # fmt: skip
_UPPER = {Tier.LEAF_SPINE: VertexKind.SPINE, Tier.SPINE_CORE: VertexKind.CORE}
_BELOW = {Tier.LEAF_SPINE: Tier.HOST_LEAF, Tier.SPINE_CORE: Tier.LEAF_SPINE}


class TierSummary(msgspec.Struct, frozen=True):
    """One tier of drawn links.

    Attributes:
        switches: devices at its upper end (drawn scale-up switches; both ends between sites).
        links, cables: drawn ones; inner links count in the capacity alone.
        capacity_GBps: sum of working cables per direction; None if some rate is unknown.
        oversubscription: capacity of the tier below over that of this one; between sites, the
            largest ratio of a site's host-leaf capacity to that of its links to other sites.
    """

    tier: str
    switches: int
    links: int
    cables: int
    capacity_GBps: float | None  # noqa: N815 - the JSON key
    oversubscription: float | None


class Boundary(msgspec.Struct, frozen=True):
    """Ratio of a GPU's scale-up rate to its share of the server's NICs.

    `headline_ratio` sets the vendor's figure for both directions against the NIC's rate as it is
    quoted, `per_direction_ratio` one direction against one direction.
    """

    name: str
    headline_ratio: float
    per_direction_ratio: float


def tier_summary(document: Document, fabric: Fabric) -> tuple[TierSummary, ...]:
    """Figures of each tier that has links, from scale-up outwards.

    Args:
        document: the drawing that `fabric` was compiled from.
        fabric: its compute network.
    """
    half = len(fabric.src) // 2
    tier = fabric.tier[:half]
    capacity = {t: _capacity(fabric, tier == t) for t in SHOWN_TIERS}
    return tuple(
        TierSummary(
            tier=TIER_NAMES[t],
            switches=_switches(fabric, t),
            links=len(np.unique(_drawn(fabric, tier == t, fabric.link))),
            cables=int(_drawn(fabric, tier == t, fabric.cables).sum()),
            capacity_GBps=None if math.isnan(capacity[t]) else capacity[t] / GIGA,
            oversubscription=_oversubscription(document, fabric, t, capacity),
        )
        for t in SHOWN_TIERS
        if (tier == t).any()
    )


def _drawn(fabric: Fabric, chosen: Bools, column: Ints) -> Ints:
    """Values of one direction's drawn edges."""
    half = len(fabric.src) // 2
    return column[:half][chosen & (fabric.link[:half] < fabric.drawn_links)]


def _capacity(fabric: Fabric, chosen: Bools) -> float:
    """Bytes/s per direction; a scale-up network counts what its GPUs have."""
    half = len(fabric.src) // 2
    scale_up = (fabric.tier[:half] == Tier.SCALE_UP) & chosen
    if scale_up.any():
        chosen = scale_up & (fabric.vertex_kind[fabric.src[:half]] == VertexKind.GPU)
    return float(fabric.capacity[:half][chosen].sum())


def _switches(fabric: Fabric, tier: Tier) -> int:
    """Devices at the upper end of a tier."""
    chosen = fabric.tier == tier
    ends = fabric.src[chosen]
    kinds = fabric.vertex_kind[ends]
    if tier in _UPPER:
        ends = ends[kinds == _UPPER[tier]]
    elif tier == Tier.HOST_LEAF:
        ends = ends[(kinds >= VertexKind.LEAF) & (kinds <= VertexKind.ROUTER)]
    elif tier == Tier.SCALE_UP:
        servers = fabric.vertex_device[fabric.vertex_kind == VertexKind.GPU]
        ends = ends[(kinds == VertexKind.SCALE_UP) & ~np.isin(fabric.vertex_device[ends], servers)]
    return len(np.unique(fabric.vertex_device[ends]))


def _oversubscription(
    document: Document, fabric: Fabric, tier: Tier, capacity: dict[Tier, float]
) -> float | None:
    if tier == Tier.BETWEEN_SITES:
        return _between_sites(document, fabric)
    below = _BELOW.get(tier)
    return None if below is None else _ratio(capacity[below], capacity[tier])


def _ratio(above: float, below: float) -> float | None:
    known = below > 0 and above > 0
    return above / below if known else None


def _between_sites(document: Document, fabric: Fabric) -> float | None:
    """The largest ratio, over sites, of host-leaf capacity to capacity towards other sites."""
    groups = [_site(document, document.devices[i].group) for i in fabric.device_ids]
    names, site = np.unique(np.array(groups), return_inverse=True)
    start = site.astype(np.int32)[fabric.vertex_device[fabric.src]]
    inner = _by_site(fabric, start, fabric.tier == Tier.HOST_LEAF, len(names)) / 2
    outer = _by_site(fabric, start, fabric.tier == Tier.BETWEEN_SITES, len(names))
    ratios = [_ratio(a, b) for a, b in zip(inner.tolist(), outer.tolist(), strict=True)]
    known = [ratio for ratio in ratios if ratio is not None]
    return max(known, default=None)


def _by_site(fabric: Fabric, site: Ints, chosen: Bools, count: int) -> Floats:
    values = fabric.capacity[chosen]
    return np.asarray(np.bincount(site[chosen], weights=values, minlength=count), float)


def _site(document: Document, group_id: str) -> str:
    group = document.groups.get(group_id)
    while group is not None:
        if group.kind == "site":
            return group.id
        group = document.groups.get(group.parent)
    return ""


def boundaries(document: Document, fabric: Fabric) -> tuple[Boundary, ...]:
    """For each server type in use, how much faster a GPU's scale-up is than its NICs.

    A cabled NIC counts with the rate of its cable, another with that of its port. Types without
    scale-up, without NICs or with an unknown rate are left out.

    Args:
        document: the drawing that `fabric` was compiled from.
        fabric: its compute network.
    """
    kinds = fabric.vertex_kind
    half = len(fabric.src) // 2
    device = fabric.vertex_device[fabric.src]
    from_gpu = (kinds[fabric.src] == VertexKind.GPU) & (fabric.tier == Tier.SCALE_UP)
    scale_up = _sum(device, fabric.capacity, from_gpu & (np.arange(2 * half) < half), fabric)
    cabled = (kinds[fabric.src] == VertexKind.NIC) & (kinds[fabric.dst] != VertexKind.GPU)
    cabled &= fabric.capacity > 0
    network = _sum(device, fabric.capacity, cabled, fabric)
    cables = _sum(device, np.ones(2 * half), cabled, fabric)
    totals: dict[str, tuple[float, float]] = {}
    for row in np.unique(fabric.gpu_server).tolist():
        kind = document.device_type(document.devices[fabric.device_ids[row]])
        nics = float(network[row]) + _uncabled(document, fabric, row, int(cables[row]))
        up, out = totals.get(kind.name, (0.0, 0.0))
        totals[kind.name] = (up + float(scale_up[row]), out + nics)
    return tuple(
        Boundary(f"{name}: scale-up to network", 2 * up / out, up / out)
        for name, (up, out) in sorted(totals.items())
        if up > 0 and out > 0
    )


def _sum(device: Ints, values: Floats, chosen: Bools, fabric: Fabric) -> Floats:
    count = len(fabric.device_ids)
    return np.asarray(np.bincount(device[chosen], weights=values[chosen], minlength=count), float)


def _uncabled(document: Document, fabric: Fabric, row: int, cables: int) -> float:
    """Bytes/s of the compute ports of a server that have no working cable."""
    kind = document.device_type(document.devices[fabric.device_ids[row]])
    names = compute_port_names(kind)
    rates = [port.rate for port in kind.port_list if port.name in names]
    free = len(rates) - cables
    if free <= 0:
        return 0.0
    known = [rate for rate in rates if rate is not None]
    return free * sum(known) / len(rates) if known and len(known) == len(rates) else math.nan
