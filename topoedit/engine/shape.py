"""The shape of a communication group on a fabric: what decides the time of its collectives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from topoedit.engine.collectives.constants import section
from topoedit.engine.collectives.layout import layout_of
from topoedit.engine.edge_index import end_kinds
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
    gpus = _gpu_facts(fabric)
    cells = _cells(groups, gpus.unit)
    servers = np.bincount(cells.group, minlength=len(groups))
    spanning = int(servers.max())
    accelerator = _slowest_accelerator(fabric, gpus, cells.groups)
    sites = 1 if gpus.one_site else _sites(fabric, groups)
    rate, ports = 0.0, 0
    if spanning > 1:
        wide = slice(None) if servers.min() == spanning else (servers == spanning)[cells.group]
        rates, all_ports = _network(gpus, cells)
        rate, ports = float(rates[wide].min()), int(all_ports[wide].min())
    return GroupShape(
        ranks=groups.shape[1],
        servers=spanning,
        per_server=groups.shape[1] / spanning,
        domain_ranks=int(cells.members.max()),
        scaleup_rate=_scale_up(gpus, cells, accelerator),
        network_rate=rate,
        nics_per_server=ports,
        generation=generation_of(accelerator),
        accelerator=accelerator,
        network=fabric.network,
        multicast=gpus.all_multicast or bool(fabric.multicast[fabric.gpu_domain[groups]].all()),
        reduction=fabric.reduction,
        hop_latency=gpus.distance if spanning > 1 else 0.0,
        crosses_sites=sites > 1,
        sites=sites,
        site_latency=gpus.site_latency if sites > 1 else 0.0,
    )


def _slowest_accelerator(fabric: Fabric, gpus: _Gpus, groups: Longs) -> str:
    """The accelerator of the member that is slowest into its scale-up fabric."""
    if gpus.alike:
        return fabric.accelerators[int(groups.flat[0])]
    slowest = int(np.argmin(np.nan_to_num(gpus.scale_up[groups.ravel()], nan=np.inf)))
    return fabric.accelerators[int(groups.flat[slowest])]


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
        alike: every GPU has the same known rates and number of ports, and none is meshed.
        one_site, all_multicast: nothing crosses sites; every domain reduces in its switch.
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
    alike: bool
    one_site: bool
    all_multicast: bool
    distance: float
    site_latency: float


@lru_cache(maxsize=1)
def _gpu_facts(fabric: Fabric) -> _Gpus:
    vertices = len(fabric.vertex_kind)
    total = len(fabric.gpus)
    rank = np.full(vertices, -1, dtype=np.int64)
    rank[fabric.gpus] = np.arange(total)
    src, dst, rate, tier = fabric.src, fabric.dst, fabric.capacity, fabric.tier
    source, target = end_kinds(fabric)
    leaving = np.flatnonzero(source == VertexKind.GPU)
    leaving = leaving[rank[src[leaving]] >= 0]
    gpu = rank[src[leaving]]
    up = tier[leaving] == Tier.SCALE_UP
    scale_up = _total(gpu[up], rate[leaving[up]], total)
    out = np.flatnonzero((source == VertexKind.NIC) & (tier != Tier.HOST_BUS))
    nic_rate = _total(src[out], rate[out], vertices)
    hangs = target[leaving] == VertexKind.NIC
    gpu, nic = gpu[hangs], dst[leaving[hangs]]
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
        alike=not layout.peer_a.size and bool((ports > 0).all()) and _same(scale_up, own, ports),
        one_site=_same(np.asarray(fabric.gpu_site, dtype=np.float64)),
        all_multicast=bool(fabric.multicast.all()),
        distance=_distance(fabric),
        site_latency=_site_latency(fabric),
    )


def _same(*rows: Floats | Longs) -> bool:
    """Each array holds one known value."""
    return all(row.size > 0 and bool((row == row[0]).all()) for row in rows)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Groups cut into cells, a group's part of one server.

    Attributes:
        groups: (K, n) groups in order of rank.
        group: (C,) group of each cell; members: how many ranks it has.
        of_rank: (K, n) cell of each rank; None if cells lie one after the other.
    """

    groups: Longs
    group: Longs
    members: Longs
    of_rank: Longs | None

    @property
    def of_cell(self) -> Longs:
        """(K n,) cell of each rank."""
        if self.of_rank is not None:
            return self.of_rank.ravel()
        return np.repeat(np.arange(self.members.size), self.members)


def _scale_up(gpus: _Gpus, cells: _Cells, accelerator: str) -> float:
    """Slowest member's rate; without a switch only links to other members count."""
    if gpus.alike:
        return float(gpus.scale_up[0])
    flat = cells.groups.ravel()
    rates = gpus.scale_up[flat]
    if gpus.peer_a.size:
        label = np.full(gpus.unit.size, -1, dtype=np.int64)
        label[flat] = cells.of_cell
        together = (label[gpus.peer_a] >= 0) & (label[gpus.peer_a] == label[gpus.peer_b])
        meshed = np.zeros(gpus.unit.size, dtype=bool)
        meshed[gpus.peer_a] = True
        direct = _total(gpus.peer_a[together], gpus.peer_rate[together], gpus.unit.size)[flat]
        rates = np.where(meshed[flat] & (direct > 0), np.minimum(rates, direct), rates)
    if np.isnan(rates).all():
        known = section().sets[section().default].generations
        return float(known[generation_of(accelerator)].wire)
    return float(np.nanmin(rates))


def _network(gpus: _Gpus, cells: _Cells) -> tuple[Floats, Longs]:
    """Rate and number of network ports of the group in each cell."""
    members = cells.members
    if gpus.alike:
        return members * gpus.own[0], members * gpus.ports[0]
    flat, cell = cells.groups.ravel(), cells.of_cell
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


def _cells(groups: Longs, unit: Longs) -> _Cells:
    """Groups in order of rank, cut into cells."""
    if (groups[:, 1:] < groups[:, :-1]).any():
        groups = np.sort(groups, axis=1)
    size = groups.shape[1]
    of_rank = unit[groups]
    if (of_rank[:, 1:] >= of_rank[:, :-1]).all():
        change = np.ones(groups.shape, dtype=bool)
        np.not_equal(of_rank[:, 1:], of_rank[:, :-1], out=change[:, 1:])
        first = np.flatnonzero(change)
        return _Cells(groups, first // size, np.diff(np.append(first, groups.size)), None)
    row = np.arange(groups.shape[0])[:, None]
    _, first, cell, members = np.unique(
        of_rank + row * (int(unit.max()) + 1),
        return_index=True, return_inverse=True, return_counts=True,
    )  # fmt: skip
    return _Cells(groups, first // size, members, cell.reshape(groups.shape))


def _total(index: Ints | Longs, weights: Floats | Longs, size: int) -> Floats:
    """Sums of `weights` by `index`, (>= size,)."""
    return np.asarray(np.bincount(index, weights=weights, minlength=size), dtype=np.float64)


def _sites(fabric: Fabric, groups: Longs) -> int:
    """Sites of the group that spans most."""
    site = np.sort(np.asarray(fabric.gpu_site, dtype=np.int64)[groups], axis=1)
    return 1 + int((site[:, 1:] != site[:, :-1]).sum(axis=1).max(initial=0))


def _distance(fabric: Fabric) -> float:
    """Extra delay of one way through tiers whose usual cable is very long."""
    extra = 0.0
    for tier in (Tier.HOST_LEAF, Tier.LEAF_SPINE, Tier.SPINE_CORE):
        delays = fabric.latency[(fabric.tier == tier) & (fabric.capacity != 0)]
        if delays.max(initial=0.0) > _LONG_CABLE_S:
            extra += 2 * max(0.0, float(np.median(delays)) - _LONG_CABLE_S)
    return extra


def _site_latency(fabric: Fabric) -> float:
    delays = fabric.latency[(fabric.tier == Tier.BETWEEN_SITES) & (fabric.capacity != 0)]
    return float(delays.max(initial=0.0))
