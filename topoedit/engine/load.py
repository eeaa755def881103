"""Communication routed on the drawn fabric: bytes on every edge, and the rates that follow.

A group of exchanges with the same groups and algorithm is routed once. Its time on the wire is
max over edges of bytes / (capacity x reached share). An edge has one share, a constant of the
calibration file: what collectives reach of NVLink and NICs (80 % for rings, 71 % of NVLink for
all-to-all), and between switches what the routing mode reaches (see `routing.modes`). Where a flow
takes one path, the fullest single cable of a tier counts instead of the fullest bundle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from topoedit.engine.collectives import collective_time, demands
from topoedit.engine.collectives.choose import default_constants
from topoedit.engine.collectives.constants import constant_set
from topoedit.engine.collectives.cost import SIMPLE
from topoedit.engine.edge_index import EdgeIndex, edge_index
from topoedit.engine.placement import Placement
from topoedit.engine.routing import Residual, Routes
from topoedit.engine.step.constants import Physics
from topoedit.engine.types import (
    BETWEEN_SWITCHES,
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
from topoedit.engine.workload.resolve import expert_kind
from topoedit.model.plan import Plan

_TINY = 1e-6

Factors = Mapping[int, float]


@lru_cache(maxsize=8)
def slowness(physics: Physics, op: str, between: float) -> Factors:
    """How much longer than at the full rate bytes take on each tier: 1 / share reached.

    Args:
        physics: the published shares.
        op: `ring` (and point to point) or `all_to_all`.
        between: share that the routing mode reaches on links between switches of a site.
    """
    reached = physics.scaleup_efficiency if op == "ring" else physics.all_to_all_efficiency
    factors = dict.fromkeys(map(int, Tier), 1.0 / physics.network_efficiency)
    factors |= dict.fromkeys(map(int, BETWEEN_SWITCHES), 1.0 / between)
    factors[int(Tier.SCALE_UP)] = 1.0 / reached
    return factors


@dataclass(frozen=True, eq=False)
class Faster:
    """Links of one tier to think twice as fast: their edges, and a mask of all edges."""

    edges: Longs
    mask: Bools
    tier: int


@dataclass(frozen=True, eq=False)
class Bound:
    """What sets the pace of some routed traffic.

    Attributes:
        seconds: of the fullest edges; edges: those, equal within 1e-6.
        tops: seconds of the fullest edge of each tier that counts, at the share of its rate
            that `factors` says is reached.
        load: (E,) bytes.
    """

    seconds: float
    edges: Longs
    tops: Mapping[int, float]
    factors: Factors
    load: Floats
    index: EdgeIndex

    @property
    def at_full_rate(self) -> float:
        """Seconds of the fullest edge if every edge reached its full rate."""
        return max((top / self.factors[tier] for tier, top in self.tops.items()), default=0.0)

    def with_faster(self, fast: Faster) -> float:
        """Seconds if those links had twice the rate."""
        if fast.tier not in self.tops or not fast.mask[self.edges].any():
            return self.seconds
        rest = max((top for tier, top in self.tops.items() if tier != fast.tier), default=0.0)
        same = self.index.tiers[fast.tier]
        if len(fast.edges) == len(same.numbers):
            return max(rest, self.tops[fast.tier] / 2)
        values = self.load[same.numbers]
        values[self.index.place[fast.edges]] *= 0.5
        return max(rest, same.slowest(values) * self.factors[fast.tier])


def tier_values(index: EdgeIndex, load: Floats) -> dict[int, Floats]:
    """The bytes of the edges of each tier, in its order."""
    return {tier: load[edges.numbers] for tier, edges in index.tiers.items()}


def bounds(
    index: EdgeIndex, load: Floats, values: Mapping[int, Floats], factors: Factors, *apart: int
) -> tuple[Bound, ...]:
    """The fullest edges of all tiers but those `apart`, then of each of these."""
    tops = {t: index.tiers[t].slowest(v) * factors[t] for t, v in values.items()}
    sets = [[t for t in tops if t not in apart], *([t] for t in apart)]
    return tuple(
        _bound(index, load, factors, {t: tops[t] for t in some if t in tops}, values)
        for some in sets
    )


def _bound(
    index: EdgeIndex, load: Floats, factors: Factors, tops: Mapping[int, float],
    values: Mapping[int, Floats],
) -> Bound:  # fmt: skip
    most = max(tops.values(), default=0.0)
    floor = most * (1 - _TINY)
    fullest = []
    for tier, top in tops.items():
        if most and top >= floor:
            here = index.tiers[tier]
            full = values[tier] * (here.pace * factors[tier]) >= floor
            fullest.append(np.sort(here.numbers[full], kind="stable"))
    edges = np.concatenate(fullest) if fullest else np.zeros(0, np.int64)
    return Bound(most, edges, tops, factors, load, index)


@dataclass(frozen=True, eq=False)
class Routed:
    """Exchanges with the same groups, routed together.

    Attributes:
        kind: field of `Placement`; class_: traffic class, WAN where the groups cross sites.
        exchanges: what was routed; shape: of its slowest group.
        load: bytes a step on each edge.
        wire: bytes a step that one GPU of the busiest stage sends.
        upward: bytes a step that enter each tier, over all GPUs.
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
    upward: Mapping[int, float]
    limit: Bound
    network: Bound | None
    algorithm: tuple[str, ...]
    forced: tuple[CollectiveTime | None, ...]


@dataclass(frozen=True, eq=False)
class RoutingJob:
    """What routing the traffic of one plan needs; `residual` is the routing mode's share."""

    fabric: Fabric
    router: Routes
    placement: Placement
    plan: Plan
    physics: Physics
    shapes: Mapping[str, GroupShape]
    residual: Residual


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
    shape = job.shapes[kind]
    algorithms, asked = demands_of(job, kind, chosen)
    load = job.router.route(asked, pxn=job.plan.pxn)
    index = edge_index(job.fabric)
    if not job.plan.gpudirect:
        _through_host(load, index)
    values = tier_values(index, load.bytes)
    swap = any(one.op == "all_to_all" for one in chosen)
    factors = slowness(job.physics, "all_to_all" if swap else "ring", job.residual.value)
    if kind == "ep":
        network, limit = bounds(index, load.bytes, values, factors, int(Tier.SCALE_UP))
    else:
        (limit,), network = bounds(index, load.bytes, values, factors), None
    made = Routed(
        kind=kind,
        class_="WAN" if shape.crosses_sites else chosen[0].class_,
        exchanges=tuple(chosen),
        shape=shape,
        load=load,
        wire=_heaviest(chosen),
        upward={t: float(v[: index.tiers[t].up].sum()) for t, v in values.items()},
        limit=limit,
        network=network,
        algorithm=algorithms,
        forced=tuple(
            _forced(job.plan, one, shape, name)
            for one, name in zip(chosen, algorithms, strict=True)
        ),
    )
    fixed = load.spread is not None and len(load.spread.tiers) == 1
    return in_draw(made, 0) if fixed else made


def in_draw(one: Routed, draw: int) -> Routed:
    """Traffic whose pace is set by the fullest single cables of one draw of its paths."""
    spread, index = one.load.spread, one.limit.index
    if spread is None:
        return one
    values = tier_values(index, one.load.bytes)
    factors = dict(one.limit.factors)
    for tier, seconds in enumerate(spread.tiers[draw].tolist()):
        even = index.tiers[tier].slowest(values[tier]) if tier in values else 0.0
        if even > 0:
            factors[tier] *= seconds / even
    if one.network is None:
        (limit,) = bounds(index, one.load.bytes, values, factors)
        return replace(one, limit=limit)
    network, limit = bounds(index, one.load.bytes, values, factors, int(Tier.SCALE_UP))
    return replace(one, limit=limit, network=network)


def host_copy_latency() -> float:
    """Seconds that copying through CPU memory adds to a hop: one PCIe hop more at either end."""
    return 2 * float(constant_set(default_constants()).ring_pcie_hop[SIMPLE])


def _through_host(load: EdgeLoad, index: EdgeIndex) -> None:
    """Without GPUDirect every byte is copied to CPU memory and read from there: the bus twice."""
    bus = index.tiers.get(Tier.HOST_BUS)
    if bus is not None:
        load.bytes[bus.numbers] *= 2
    if load.spread is not None:
        load.spread.tiers[:, Tier.HOST_BUS] *= 2


def _heaviest(chosen: list[Exchange]) -> float:
    """Bytes a step that one GPU of the busiest stage sends, over all exchanges."""
    return float(sum((one.calls * one.sent for one in chosen), np.zeros(1)).max())


def _algorithm(plan: Plan, one: Exchange, shape: GroupShape) -> str:
    """The algorithm of an exchange: the one asked for, else what the constants were fitted with."""
    if one.op == "send_recv":
        return "p2p"
    asked = plan.algorithms.get(one.class_)
    if asked and asked != "auto" and one.groups != "ep":
        return asked if one.groups != "etp" else "ring"
    if asked == "auto" and one.op != "all_to_all":
        return collective_time(
            one.op, one.buffer, shape, constants=plan.constants, ring_order=plan.ring_order
        ).algorithm
    if one.op == "all_to_all":
        staged = shape.servers > 1 and shape.per_server > 1
        if one.groups == "ep" and expert_kind(plan) == "direct":
            staged = False
        return "two-stage" if staged else "direct"
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


def demands_of(
    job: RoutingJob, kind: str, chosen: list[Exchange]
) -> tuple[tuple[str, ...], list[Demand]]:
    """The algorithm of each exchange of a kind of group, and the bytes of a step between ranks."""
    shape = job.shapes[kind]
    algorithms = tuple(_algorithm(job.plan, one, shape) for one in chosen)
    return algorithms, _all_demands(job, chosen, algorithms, getattr(job.placement, kind))


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

    Groups whose ranks are spread unevenly over domains exchange directly, as others do if asked to.
    """
    ranks, domains = one.size, job.shapes["ep"].servers
    total, local = calls * one.sent, ranks // domains
    if domains == 1 or local * domains != ranks or expert_kind(job.plan) == "direct":
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
