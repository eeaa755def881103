"""One collective on a drawn fabric: the model's time, the routed bytes, and the slower of both."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from topoedit.engine.collectives.choose import candidates, collective_time, make_call
from topoedit.engine.collectives.cost import Call
from topoedit.engine.collectives.flows import demands
from topoedit.engine.collectives.interval import interval_of
from topoedit.engine.routing import Routes
from topoedit.engine.shape import group_shape
from topoedit.engine.types import (
    BETWEEN_SWITCHES,
    TIER_NAMES,
    CollectiveTime,
    EdgeLoad,
    Fabric,
    Floats,
    GroupShape,
    Spread,
    Tier,
    VertexKind,
)
from topoedit.model.analysis import Interval
from topoedit.model.plan import RingOrder

_LOWER_END = {
    Tier.SCALE_UP: (VertexKind.GPU,),
    Tier.HOST_LEAF: (VertexKind.NIC, VertexKind.HOST),
    Tier.LEAF_SPINE: (VertexKind.LEAF,),
    Tier.SPINE_CORE: (VertexKind.SPINE,),
}


@dataclass(frozen=True)
class Question:
    """What is asked about a group; see `collective_time` for the words."""

    op: str
    bytes: float
    algorithm: str = "auto"
    protocol: str = "auto"
    constants: str = "fitted"
    ring_order: RingOrder = "node"
    host: float = 0.0


@dataclass(frozen=True)
class TierBytes:
    """One tier: bytes that one GPU sends up over it, seconds of its fullest link."""

    tier: str
    bytes_per_gpu: float
    time_s: float


@dataclass(frozen=True)
class Estimate:
    """The answer.

    Attributes:
        time: the model's time, its bandwidth part lengthened where the drawn fabric is slower.
        shape: the group.
        load: bytes on every directed edge.
        edge: the directed edge that holds the call up; None for a group of one.
        held_by_fabric: the drawn fabric, not the group's own ports, sets the time.
        draws: (S,) seconds of the call in each draw of its paths, where they are drawn by chance;
            `time` is that of the median draw (the lower of two).
    """

    time: CollectiveTime
    shape: GroupShape
    load: EdgeLoad
    tiers: tuple[TierBytes, ...]
    edge: int | None
    held_by_fabric: bool
    interval: Interval
    draws: Floats | None = None


@dataclass(frozen=True)
class OneByte:
    """What a call of one byte takes: all of it grows with the bytes.

    Attributes:
        load: bytes on each directed edge.
        seconds: (E,) that each edge of known rate needs; 0 where it is unknown.
        tiers: bytes and seconds of each tier.
    """

    load: EdgeLoad
    seconds: Floats
    tiers: tuple[TierBytes, ...]


def one_byte(fabric: Fabric, load: EdgeLoad, ranks: int) -> OneByte:
    """Sums of the load of one byte between `ranks` GPUs, made once for all sizes."""
    seconds = edge_seconds(fabric, load)
    return OneByte(load, seconds, tier_bytes(fabric, load, seconds, ranks))


def estimate(
    fabric: Fabric, ranks: ArrayLike, question: Question, router: Routes, *, pxn: bool = True,
    between: float | None = None, known: dict[str, OneByte] | None = None,
) -> Estimate:  # fmt: skip
    """Time, bytes on each tier and the link that holds a call up.

    The bandwidth part is never shorter than bytes over capacity of any routed link. A link counts
    at one share of its rate: links between switches at `between`, other network links (all, where
    that is None) at the efficiency that the constants give network ports, inner ones at 1.

    Args:
        fabric: the compiled drawing.
        ranks: the group.
        question: the call.
        router: routes its bytes.
        pxn: bytes for another rail move over scale-up first.
        between: share of the rate that the routing mode reaches on links between switches.
        known: what one byte takes, by algorithm, kept from call to call of the same group and
            operation; each algorithm is then routed once.
    """
    group = np.asarray(ranks, dtype=np.int64)
    shape = group_shape(fabric, group)
    q = question
    time = collective_time(
        q.op, q.bytes, shape, algorithm=q.algorithm, protocol=q.protocol, constants=q.constants,
        ring_order=q.ring_order, host=q.host,
    )  # fmt: skip
    kept = {} if known is None else known
    if time.algorithm not in kept:
        flows = demands(q.op, time.algorithm, group, 1.0, fabric, q.ring_order)
        kept[time.algorithm] = one_byte(fabric, router.route(flows, pxn=pxn), shape.ranks)
    one = kept[time.algorithm]
    load, seconds = _scaled(one.load, q.bytes), one.seconds * q.bytes
    call = make_call(q.op, q.bytes, shape, q.constants, q.ring_order, q.host)
    share = _shares(call.network.nic_efficiency, between)
    drawn, chosen = _draws(load.spread, share)
    limit = _limits(fabric, seconds, load.spread, chosen) / share[fabric.tier]
    draws = None if len(drawn) < 2 else time.latency_s + np.maximum(time.bandwidth_s, drawn)
    time, edge, held = _slower(fabric, limit, time, call)
    return Estimate(
        time=time,
        shape=shape,
        load=load,
        tiers=tuple(
            TierBytes(t.tier, t.bytes_per_gpu * q.bytes, t.time_s * q.bytes) for t in one.tiers
        ),
        edge=edge,
        held_by_fabric=held,
        interval=interval_of(time.time_s, q.op, q.bytes, shape, q.constants),
        draws=draws,
    )


def _shares(nic: float, between: float | None) -> Floats:
    """(tiers,) share of the rate that a call reaches on each tier."""
    share = np.full(len(Tier), nic)
    share[[Tier.SCALE_UP, Tier.HOST_BUS]] = 1.0
    if between is not None:
        share[list(BETWEEN_SWITCHES)] = between
    return share


def _draws(spread: Spread | None, share: Floats) -> tuple[Floats, int]:
    """(S,) seconds of the fullest cable in each draw, and the median draw."""
    if spread is None:
        return np.zeros(0), 0
    drawn = np.asarray((spread.tiers / share).max(axis=1), np.float64)
    return drawn, int(np.argsort(drawn, kind="stable")[(len(drawn) - 1) // 2])


def _limits(fabric: Fabric, seconds: Floats, spread: Spread | None, draw: int) -> Floats:
    """(E,) seconds of each edge, those of a tier as long as its fullest cable in a draw takes."""
    if spread is None:
        return seconds
    longer = np.ones(len(Tier))
    for tier in Tier:
        even = float(seconds[fabric.tier == tier].max(initial=0.0))
        if even > 0:
            longer[tier] = spread.tiers[draw, tier] / even
    return seconds * longer[fabric.tier]


def _scaled(load: EdgeLoad, size: float) -> EdgeLoad:
    """The load of `size` bytes from that of one."""
    spread = load.spread
    if spread is not None:
        spread = replace(spread, tiers=spread.tiers * size, classes=spread.classes * size)
    return replace(
        load, bytes=load.bytes * size, delivered=load.delivered * size, lost=load.lost * size,
        spread=spread,
    )  # fmt: skip


def edge_seconds(fabric: Fabric, load: EdgeLoad) -> Floats:
    """(E,) seconds that each edge of known rate needs for its bytes; 0 where it is unknown."""
    known = fabric.capacity > 0
    seconds = np.zeros(load.bytes.shape)
    np.divide(load.bytes, fabric.capacity, out=seconds, where=known)
    return seconds


def tier_bytes(
    fabric: Fabric, load: EdgeLoad, seconds: Floats, ranks: int
) -> tuple[TierBytes, ...]:
    """Tiers that carry something, from the GPUs outwards.

    A tier's bytes are those that go up from its lower end; between sites, and where no end is
    lower, those of both directions.
    """
    made = []
    for tier in Tier:
        here = (fabric.tier == tier) & (load.bytes > 0)
        if tier == Tier.HOST_BUS or not here.any():
            continue
        up = here
        if tier in _LOWER_END:
            up = here & np.isin(fabric.vertex_kind[fabric.src], _LOWER_END[tier])
        total = float(load.bytes[up].sum())
        made.append(TierBytes(TIER_NAMES[tier], total / ranks, float(seconds[here].max())))
    return tuple(made)


def port_bytes(fabric: Fabric, found: Estimate) -> float:
    """Bytes that the busiest GPU sends over its scale-up port, or its own network port."""
    ports = fabric.tier == Tier.SCALE_UP
    ports &= fabric.vertex_kind[fabric.src] == VertexKind.GPU
    if found.shape.ranks == found.shape.servers or not ports.any():
        return found.time.port_bytes
    return float(np.bincount(fabric.src[ports], found.load.bytes[ports]).max())


def network_bytes(found: Estimate) -> float:
    """Bytes that leave the servers, over all GPUs, as routed."""
    sent = {tier.tier: tier.bytes_per_gpu for tier in found.tiers}
    unrouted = 0.0 if found.load.lost_pairs else found.time.network_bytes
    return sent.get(TIER_NAMES[Tier.HOST_LEAF], unrouted)


def _slower(
    fabric: Fabric, limit: Floats, time: CollectiveTime, call: Call
) -> tuple[CollectiveTime, int | None, bool]:
    """The time with the drawn fabric's own limit, the edge that sets it, and which of both did.

    `limit` is (E,) seconds of each edge at the share of its rate that is reached.
    """
    if time.algorithm == "none" or not limit.any():
        return time, None, False
    best = next(
        c for c in candidates(call, time.algorithm, time.protocol) if c.protocol == time.protocol
    )
    inner = np.isin(fabric.tier, (Tier.SCALE_UP, Tier.HOST_BUS))
    drawn = float(limit.max())
    held = drawn > time.bandwidth_s * (1 + 1e-9)
    edge = int(np.argmax(limit))
    if not held:
        port_s = float(best.cost.port_bytes[0] / best.cost.port_rate)
        network_s = float(best.cost.network_bytes[0] / best.cost.network_rate)
        here = fabric.tier == Tier.SCALE_UP if port_s >= network_s else ~inner
        edge = int(np.argmax(np.where(here, limit, 0.0))) if limit[here].any() else edge
    if not held:
        return time, edge, False
    slower = replace(
        time,
        time_s=time.latency_s + drawn,
        bandwidth_s=drawn,
        notes=(*time.notes, "the drawn fabric is slower than the group's own ports"),
    )
    return slower, edge, True
