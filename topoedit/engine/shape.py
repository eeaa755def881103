"""The shape of a communication group on a fabric: what decides the time of its collectives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from topoedit.engine.collectives.constants import section
from topoedit.engine.collectives.layout import layout_of
from topoedit.engine.types import Bools, Fabric, Floats, GroupShape, Ints, Longs, Tier, VertexKind

_LONG_CABLE_S = 2e-6
"""Delay of an edge (about 400 m) above which distance is counted within a site."""


def group_shape(fabric: Fabric, ranks: ArrayLike) -> GroupShape:
    """The shape of one group, or what is slowest among several like groups.

    Args:
        fabric: the compiled drawing.
        ranks: (n,) ranks of one group or (K, n) of K groups, rows of `fabric.gpus`.

    A rate is that of the slowest member. Network ports are those that hang on the group's own
    GPUs; a server none of whose members has one lends its share of the others (at least one). An
    unknown rate counts as unknown (0), not as slow.
    """
    groups = np.atleast_2d(np.asarray(ranks, dtype=np.int64))
    size = groups.shape[1]
    gpus = _gpu_facts(fabric)
    groups, of_cell = _cells(groups, gpus.unit)
    members = np.bincount(of_cell.ravel())
    servers = _spans(of_cell)
    spanning = int(servers.max())
    wide = np.zeros(members.size, dtype=bool)
    wide[of_cell[servers == spanning]] = True
    slowest = int(np.argmin(np.nan_to_num(gpus.scale_up[groups.ravel()], nan=np.inf)))
    accelerator = fabric.accelerators[int(groups.flat[slowest])]
    sites = _sites(fabric, groups)
    rate, ports = _network(gpus, groups, of_cell, members)
    return GroupShape(
        ranks=size,
        servers=spanning,
        per_server=size / spanning,
        domain_ranks=int(members.max()),
        scaleup_rate=_scale_up(gpus, groups, of_cell, accelerator),
        network_rate=float(rate[wide].min()) if spanning > 1 else 0.0,
        nics_per_server=int(ports[wide].min()) if spanning > 1 else 0,
        generation=generation_of(accelerator),
        accelerator=accelerator,
        network=fabric.network,
        multicast=bool(fabric.multicast[fabric.gpu_domain[groups]].all()),
        reduction=fabric.reduction,
        hop_latency=gpus.distance if spanning > 1 else 0.0,
        crosses_sites=sites > 1,
        sites=sites,
        site_latency=gpus.site_latency if sites > 1 else 0.0,
    )


def generation_of(accelerator: str) -> str:
    """The accelerator's generation, as the calibration names it; "other" if it has none."""
    for name, found in section().sets[section().default].generations.items():
        if accelerator in found.accelerators:
            return name.removesuffix("-rack")
    return "other"


@dataclass(frozen=True, eq=False)
class _Gpus:
    """What each GPU of a fabric has.

    Attributes:
        unit: (G,) server or wider scale-up domain.
        scale_up: (G,) bytes/s into the scale-up fabric; NaN if unknown.
        own: (G,) bytes/s of the network ports that hang on it; NaN if unknown.
        ports: (G,) how many of them work.
        unit_rate, unit_ports, unit_gpus: sums over its unit, (G,).
        one_port: (G,) fastest port of its unit.
        peer_a, peer_b, peer_rate: links between GPUs' own scale-up routers (mesh, torus).
        distance: extra delay of long cables on one way.
        site_latency: delay of the slowest link between sites.
    """

    unit: Longs
    scale_up: Floats
    own: Floats
    ports: Longs
    unit_rate: Floats
    unit_ports: Longs
    unit_gpus: Longs
    one_port: Floats
    peer_a: Longs
    peer_b: Longs
    peer_rate: Floats
    distance: float
    site_latency: float


@lru_cache(maxsize=1)
def _gpu_facts(fabric: Fabric) -> _Gpus:
    vertices = len(fabric.vertex_kind)
    total = len(fabric.gpus)
    rank = np.full(vertices, -1, dtype=np.int64)
    rank[fabric.gpus] = np.arange(total)
    src, dst, rate, tier = fabric.src, fabric.dst, fabric.capacity, fabric.tier
    up = (rank[src] >= 0) & (tier == Tier.SCALE_UP)
    scale_up = _total(rank[src[up]], rate[up], total)
    is_nic = fabric.vertex_kind == VertexKind.NIC
    out = is_nic[src] & (tier != Tier.HOST_BUS)
    nic_rate = _total(src[out], rate[out], vertices)
    hangs = (rank[src] >= 0) & is_nic[dst]
    gpu, nic = rank[src[hangs]], dst[hangs]
    works = ~(nic_rate[nic] == 0)
    own = _total(gpu, nic_rate[nic], total)
    ports = np.bincount(gpu[works], minlength=total)
    layout = layout_of(fabric)
    unit = layout.unit
    one = np.zeros(int(unit.max(initial=0)) + 1)
    np.maximum.at(one, unit[gpu], np.nan_to_num(nic_rate[nic], nan=0.0))
    return _Gpus(
        unit=unit,
        scale_up=scale_up,
        own=own,
        ports=ports,
        unit_rate=_total(unit, own, total)[unit],
        unit_ports=_total(unit, ports, total).astype(np.int64)[unit],
        unit_gpus=np.bincount(unit)[unit],
        one_port=one[unit],
        peer_a=layout.peer_a,
        peer_b=layout.peer_b,
        peer_rate=layout.peer_rate,
        distance=_distance(fabric),
        site_latency=_site_latency(fabric),
    )


def _scale_up(gpus: _Gpus, groups: Longs, of_cell: Longs, accelerator: str) -> float:
    """Slowest member's rate; without a switch only links to other members count."""
    flat, rates = groups.ravel(), gpus.scale_up[groups].ravel()
    if gpus.peer_a.size:
        label = np.full(gpus.unit.size, -1, dtype=np.int64)
        label[flat] = of_cell.ravel()
        together = (label[gpus.peer_a] >= 0) & (label[gpus.peer_a] == label[gpus.peer_b])
        meshed = np.zeros(gpus.unit.size, dtype=bool)
        meshed[gpus.peer_a] = True
        direct = _total(gpus.peer_a[together], gpus.peer_rate[together], gpus.unit.size)[flat]
        rates = np.where(meshed[flat] & (direct > 0), np.minimum(rates, direct), rates)
    if np.isnan(rates).all():
        known = section().sets[section().default].generations
        return float(known[generation_of(accelerator)].wire)
    return float(np.nanmin(rates))


def _network(gpus: _Gpus, groups: Longs, of_cell: Longs, members: Longs) -> tuple[Floats, Longs]:
    """Rate and number of network ports of the group in each cell (a group's part of a server)."""
    flat, cell = groups.ravel(), of_cell.ravel()
    own = _total(cell, gpus.own[flat], members.size)
    ports = _total(cell, gpus.ports[flat], members.size).astype(np.int64)
    some = np.zeros(members.size, dtype=np.int64)
    some[cell] = flat
    share = members / gpus.unit_gpus[some]
    lent = np.maximum(gpus.unit_rate[some] * share, gpus.one_port[some])
    lent_ports = np.maximum((gpus.unit_ports[some] * share).astype(np.int64), 1)
    without: Bools = ports == 0
    rate = np.where(without, lent, own)
    return np.nan_to_num(rate, nan=0.0), np.where(without, lent_ports, ports)


def _cells(groups: Longs, unit: Longs) -> tuple[Longs, Longs]:
    """Groups in order of rank, and (K, n) the number of each rank's cell.

    A cell is a group's part of one server.
    """
    if (groups[:, 1:] < groups[:, :-1]).any():
        groups = np.sort(groups, axis=1)
    of_rank = unit[groups]
    change = np.ones(groups.shape, dtype=bool)
    change[:, 1:] = of_rank[:, 1:] != of_rank[:, :-1]
    if (of_rank[:, 1:] >= of_rank[:, :-1]).all():
        return groups, (np.cumsum(change.ravel()) - 1).reshape(groups.shape)
    base = int(unit.max()) + 1
    key = of_rank + np.arange(groups.shape[0])[:, None] * base
    _, cell = np.unique(key, return_inverse=True)
    return groups, cell.reshape(groups.shape)


def _total(index: Ints | Longs, weights: Floats | Longs, size: int) -> Floats:
    """Sums of `weights` by `index`, (>= size,)."""
    return np.asarray(np.bincount(index, weights=weights, minlength=size), dtype=np.float64)


def _spans(of_cell: Longs) -> Longs:
    """Number of distinct cells in each row."""
    sorted_already = (of_cell[:, 1:] >= of_cell[:, :-1]).all()
    ordered = of_cell if sorted_already else np.sort(of_cell, axis=1)
    changes: Longs = (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1)
    return 1 + changes


def _sites(fabric: Fabric, groups: Longs) -> int:
    return int(_spans(np.asarray(fabric.gpu_site, dtype=np.int64)[groups]).max())


def _distance(fabric: Fabric) -> float:
    """Extra delay of one way through tiers whose usual cable is very long."""
    extra = 0.0
    for tier in (Tier.HOST_LEAF, Tier.LEAF_SPINE, Tier.SPINE_CORE):
        delays = fabric.latency[(fabric.tier == tier) & (fabric.capacity != 0)]
        if delays.size:
            extra += 2 * max(0.0, float(np.median(delays)) - _LONG_CABLE_S)
    return extra


def _site_latency(fabric: Fabric) -> float:
    delays = fabric.latency[(fabric.tier == Tier.BETWEEN_SITES) & (fabric.capacity != 0)]
    return float(delays.max(initial=0.0))
