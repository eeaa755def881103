"""Communication routed on the drawn fabric: bytes on every edge, and the rates that follow.

A group of exchanges with the same groups and algorithm is routed once. Its time on the wire is
max over edges of bytes / (capacity x reached share); the share that collectives reach is a constant
of the calibration file (80 % of NVLink and NICs for rings, 71 % of NVLink for all-to-all).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from topoedit.engine.collectives import collective_time, demands
from topoedit.engine.placement import Placement
from topoedit.engine.step.constants import Physics
from topoedit.engine.types import (
    AllToAll,
    Bools,
    CollectiveTime,
    Demand,
    EdgeLoad,
    Fabric,
    Floats,
    Flows,
    GroupShape,
    Longs,
    Tier,
)
from topoedit.engine.workload.communication import Exchange
from topoedit.model.plan import Plan

_TINY = 1e-6


class Routes(Protocol):
    """What is needed of a router."""

    def route(self, demand: Demand | Iterable[Demand], *, pxn: bool = True) -> EdgeLoad:
        """Bytes on each directed edge."""
        ...


@dataclass(frozen=True, eq=False)
class Slowness:
    """(E,) seconds a byte of each edge: at the full rate, for rings, for all-to-all.

    0 where the rate is unknown, so that such an edge limits nothing, and where it failed.
    """

    plain: Floats
    ring: Floats
    all_to_all: Floats
    scale_up: Bools


@lru_cache(maxsize=2)
def slowness(fabric: Fabric, physics: Physics, gpudirect: bool) -> Slowness:
    """Seconds a byte of every edge of a fabric."""
    known = fabric.capacity > 0
    plain = np.zeros(len(fabric.capacity))
    plain[known] = 1.0 / fabric.capacity[known]
    inner = fabric.tier == Tier.SCALE_UP
    ring = plain / np.where(inner, physics.scaleup_efficiency, physics.network_efficiency)
    if not gpudirect:  # bytes pass through host memory: over the GPU's bus twice
        ring = np.where(fabric.tier == Tier.HOST_BUS, 2 * ring, ring)
    swap = np.where(inner, plain / physics.all_to_all_efficiency, ring)
    return Slowness(plain, ring, swap, inner)


@dataclass(frozen=True, eq=False)
class Bound:
    """What sets the pace of some routed traffic.

    Attributes:
        seconds: of the fullest edges; edges: those, equal within 1e-6.
        used, each: edges that carry something, and the seconds of each.
    """

    seconds: float
    edges: Longs
    used: Longs
    each: Floats

    def with_faster(self, fast: Bools) -> float:
        """Seconds if the edges of the mask `fast` had twice the rate."""
        if not fast[self.edges].any():
            return self.seconds
        halved = fast[self.used]
        rest = float(self.each[~halved].max(initial=0.0))
        return max(rest, float(self.each[halved].max(initial=0.0)) / 2)


def bound(load: Floats, slow: Floats) -> Bound:
    """The fullest edges of a load."""
    used = np.flatnonzero(load)
    each = load[used] * slow[used]
    most = float(each.max(initial=0.0))
    edges = used[each >= most * (1 - _TINY)] if most else used[:0]
    return Bound(most, edges, used, each)


@dataclass(frozen=True, eq=False)
class Routed:
    """Exchanges with the same groups, routed together.

    Attributes:
        kind: field of `Placement`; class_: traffic class, WAN where the groups cross sites.
        exchanges: what was routed; shape: of its slowest group.
        load: bytes a step on each edge.
        wire: bytes a step that one GPU of the busiest stage sends.
        limit: what sets the pace; for experts the scale-up part, and `network` the other.
        algorithm: of each exchange.
        forced: one call by the collective model where a person chose algorithm or constants.
    """

    kind: str
    class_: str
    exchanges: tuple[Exchange, ...]
    shape: GroupShape
    load: EdgeLoad
    wire: float
    limit: Bound
    network: Bound | None
    algorithm: tuple[str, ...]
    forced: tuple[CollectiveTime | None, ...]


@dataclass(frozen=True, eq=False)
class RoutingJob:
    """What routing the traffic of one plan needs."""

    fabric: Fabric
    router: Routes
    placement: Placement
    plan: Plan
    slow: Slowness
    shapes: Mapping[str, GroupShape]


def route_all(
    job: RoutingJob, all_exchanges: Sequence[Exchange], step: Callable[[float], None]
) -> list[Routed]:
    """Route every exchange; `step(fraction)` is called before each kind of group."""
    kinds = list(dict.fromkeys(one.groups for one in all_exchanges))
    routed = []
    for number, kind in enumerate(kinds):
        step(number / len(kinds))
        routed.append(_route_kind(job, kind, [e for e in all_exchanges if e.groups == kind]))
    return routed


def _route_kind(job: RoutingJob, kind: str, chosen: list[Exchange]) -> Routed:
    groups: Longs = getattr(job.placement, kind)
    shape = job.shapes[kind]
    algorithms = tuple(_algorithm(job.plan, one, shape) for one in chosen)
    load = job.router.route(_all_demands(job, chosen, algorithms, groups), pxn=job.plan.pxn)
    swap = any(one.op == "all_to_all" for one in chosen)
    slow = job.slow.all_to_all if swap else job.slow.ring
    network = None
    if kind == "ep":
        inner = np.where(job.slow.scale_up, slow, 0.0)
        limit, network = bound(load.bytes, inner), bound(load.bytes, slow - inner)
    else:
        limit = bound(load.bytes, slow)
    return Routed(
        kind=kind,
        class_="WAN" if shape.crosses_sites else chosen[0].class_,
        exchanges=tuple(chosen),
        shape=shape,
        load=load,
        wire=_heaviest(chosen),
        limit=limit,
        network=network,
        algorithm=algorithms,
        forced=tuple(
            _forced(job.plan, one, shape, name)
            for one, name in zip(chosen, algorithms, strict=True)
        ),
    )


def _heaviest(chosen: list[Exchange]) -> float:
    """Bytes a step that one GPU of the busiest stage sends, over all exchanges."""
    return float(sum((one.calls * one.sent for one in chosen), np.zeros(1)).max())


def _algorithm(plan: Plan, one: Exchange, shape: GroupShape) -> str:
    """The algorithm of an exchange: the one asked for, else what the constants were fitted with."""
    if one.op == "send_recv":
        return "p2p"
    asked = plan.algorithms.get(one.class_)
    if asked and asked != "auto":
        return asked
    if asked == "auto" and one.op != "all_to_all":
        return collective_time(
            one.op, one.buffer, shape, constants=plan.constants, ring_order=plan.ring_order
        ).algorithm
    if one.op == "all_to_all":
        return "two-stage" if shape.servers > 1 and shape.per_server > 1 else "direct"
    return "ring"


def _forced(plan: Plan, one: Exchange, shape: GroupShape, algorithm: str) -> CollectiveTime | None:
    """One call by the collective model, where a person chose the algorithm or the constants."""
    if one.op == "send_recv" or one.groups == "ep":
        return None
    if one.class_ not in plan.algorithms and plan.constants == "fitted":
        return None
    return collective_time(
        one.op, one.buffer, shape, algorithm=algorithm, constants=plan.constants,
        ring_order=plan.ring_order,
    )  # fmt: skip


def _all_demands(
    job: RoutingJob, chosen: list[Exchange], algorithms: tuple[str, ...], groups: Longs
) -> list[Demand]:
    """The bytes of a whole step; what goes round the same rings is added up first."""
    stage = job.placement.stage_of(groups) if chosen[0].groups != "pp" else np.zeros(0, np.int64)
    made: list[Demand] = []
    rings = [e for e, name in zip(chosen, algorithms, strict=True) if name == "ring"]
    if rings:
        size = rings[0].size
        total = sum((e.calls * e.sent for e in rings), np.zeros(1)) * size / (size - 1)
        for amount, some in _by_stage(total, stage, groups):
            made += demands(
                "all_gather", "ring", some, amount, job.fabric, job.plan.ring_order
            )  # fmt: skip
    for one, algorithm in zip(chosen, algorithms, strict=True):
        if algorithm == "ring":
            continue
        made += _demands(job, one, algorithm, groups, stage)
    return made


def _by_stage(total: Floats, stage: Longs, groups: Longs) -> Iterator[tuple[float, Longs]]:
    """Distinct amounts over the stages, and the groups that send each."""
    for amount in np.unique(total[total > 0]):
        same = total == amount
        yield float(amount), groups if same.all() else groups[same[stage]]


def _demands(
    job: RoutingJob, one: Exchange, algorithm: str, groups: Longs, stage: Longs
) -> list[Demand]:
    if one.groups == "pp":
        return _pipeline(one, groups)
    if one.op == "send_recv":
        return _ring_messages(one, groups, stage)
    made: list[Demand] = []
    for calls, some in _by_stage(one.calls, stage, groups):
        if one.groups == "ep":
            made += _expert(one, calls, some, job)
            continue
        made += demands(
            one.op, algorithm, some, one.buffer * calls, job.fabric, job.plan.ring_order
        )
    return made


def _pipeline(one: Exchange, groups: Longs) -> list[Demand]:
    """Each stage to the next (activations) or the previous one (gradients), round at the ends."""
    turn = -1 if one.part == "activations" else 1
    target = np.roll(groups, turn, axis=1)
    amount = np.broadcast_to(one.calls * one.sent, groups.shape)
    some = amount > 0
    return [Flows(groups[some], target[some], amount[some])]


def _ring_messages(one: Exchange, groups: Longs, stage: Longs) -> list[Demand]:
    """Each member to the next of its ring."""
    amount = np.repeat(one.calls[stage] * one.sent, groups.shape[1])
    return [Flows(groups.ravel(), np.roll(groups, -1, axis=1).ravel(), amount)]


def _expert(one: Exchange, calls: float, groups: Longs, job: RoutingJob) -> list[Demand]:
    """Dispatch and combine: one copy to each domain on its rail, k copies inside the domain.

    Groups whose ranks are spread unevenly over domains exchange directly.
    """
    ranks, domains = one.size, job.shapes["ep"].servers
    total, local = calls * one.sent, ranks // domains
    if domains == 1 or local * domains != ranks:
        return [AllToAll(groups, total / (ranks - 1))]
    blocks = groups.reshape(-1, domains, local)
    domain = np.asarray(job.fabric.gpu_domain)[blocks]
    if (domain != domain[:, :, :1]).any():
        return [AllToAll(groups, total / (ranks - 1))]
    rails = np.ascontiguousarray(blocks.transpose(0, 2, 1)).reshape(-1, domains)
    made: list[Demand] = [AllToAll(rails, calls * one.network / (domains - 1))]
    if local > 1:
        made.append(AllToAll(blocks.reshape(-1, local), total / (local - 1)))
    return made
