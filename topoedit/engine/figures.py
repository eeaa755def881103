"""The three load figures of every directed edge, and sums over tiers.

`utilisation` = bytes / (capacity x step time). `phase_share` = share of the capacity in the link's
busiest phase, never less than `utilisation`: phases overlap. `demand` = sum over traffic of
bytes / (capacity x window), the window being the compute that this traffic may run under, or the
step with communication free. Only `demand` may pass 1; no window depends on a link's own rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from topoedit.engine.edge_index import EdgeIndex, TierEdges
from topoedit.engine.load import Routed
from topoedit.engine.types import TIER_NAMES, Floats, Tier
from topoedit.model.analysis import TierLoad
from topoedit.model.plan import TRAFFIC_CLASSES

_BLOCK = 1 << 14
"""Edges worked on at a time: their arrays stay in the cache of a core."""


@dataclass(frozen=True, eq=False)
class Figures:
    """Arrays over the E directed edges of a fabric.

    Attributes:
        classes: traffic classes present; bytes: (E,) bytes a step of each; total: of all.
        utilisation, phase_share, demand: (E,) fractions; NaN where the rate is unknown.
        tops: highest demand of each tier.
    """

    classes: tuple[str, ...]
    bytes: tuple[Floats, ...]
    total: Floats
    utilisation: Floats
    phase_share: Floats
    demand: Floats
    tops: Mapping[int, float]


@dataclass(frozen=True, eq=False)
class Beside:
    """Traffic that runs at the same time as that of `classes`, the gradients.

    Attributes:
        others: (E,) bytes a step of each; share: of those bytes, what runs then.
        crowding: how many times as long the gradients take.
    """

    classes: frozenset[str]
    others: tuple[Floats, ...]
    share: float
    crowding: float


@dataclass(frozen=True, slots=True)
class TierSum:
    """All traffic on a tier: bytes, and seconds at the full rate of its edges' mean and fullest."""

    bytes: float
    mean: float
    top: float


@dataclass(frozen=True, eq=False)
class ClassBytes:
    """What each traffic class puts on the edges, in the usual order of classes.

    Attributes:
        classes: those present; bytes: (E,) bytes a step of each; total: of all together.
        busiest: seconds of each class's fullest edge at its full rate.
        tiers: sums of each tier.
    """

    classes: tuple[str, ...]
    bytes: tuple[Floats, ...]
    total: Floats
    busiest: tuple[float, ...]
    tiers: Mapping[int, TierSum]

    @property
    def floor(self) -> float:
        """Seconds of the fullest edge with all traffic, at its full rate."""
        return max((tier.top for tier in self.tiers.values()), default=0.0)


def class_bytes(routed: Sequence[Routed], index: EdgeIndex) -> ClassBytes:
    """Bytes of every edge by traffic class."""
    edges = len(index.plain)
    present = [name for name in TRAFFIC_CLASSES if any(one.class_ == name for one in routed)]
    alike = [[one for one in routed if one.class_ == name] for name in present]
    rows = tuple(_sum([one.load.bytes for one in some], edges) for some in alike)
    total = _sum(rows, edges)
    tops = [_busiest(index, some, row) for some, row in zip(alike, rows, strict=True)]
    tiers = {
        tier: TierSum(float(sent.sum()), _mean(here, sent), here.slowest(sent))
        for tier, here in index.tiers.items()
        for sent in (total[here.numbers],)
    }
    return ClassBytes(tuple(present), rows, total, tuple(tops), tiers)


def _sum(rows: Sequence[Floats], edges: int) -> Floats:
    """Sum of some arrays; a single one as it is."""
    if not rows:
        return np.zeros(edges)
    total = rows[0]
    for number, row in enumerate(rows[1:]):
        total = np.add(total, row, out=total if number else None)
    return total


def _busiest(index: EdgeIndex, some: Sequence[Routed], row: Floats) -> float:
    """Seconds of the fullest edge of a class at its full rate."""
    if len(some) == 1:
        limits = (some[0].limit, some[0].network)
        return max(limit.at_full_rate for limit in limits if limit is not None)
    scratch, most = np.empty(_BLOCK), 0.0
    for block in _blocks(len(row)):
        slow = index.plain[block]
        value = np.multiply(row[block], slow, out=scratch[: len(slow)])
        most = max(most, float(value.max()))
    return most


def _mean(edges: TierEdges, sent: Floats) -> float:
    """Mean seconds of the edges that have a known rate."""
    if isinstance(edges.pace, float):
        return float(sent.sum()) * edges.pace / len(sent)
    known = edges.pace > 0
    return float((sent * edges.pace).sum()) / max(int(known.sum()), 1)


def _blocks(edges: int) -> Iterator[slice]:
    for low in range(0, edges, _BLOCK):
        yield slice(low, low + _BLOCK)


def load_figures(
    index: EdgeIndex,
    routed: Sequence[Routed],
    sums: ClassBytes,
    step_time: float,
    windows: Mapping[str, float],
    phases: Mapping[str, float],
    beside: Beside | None = None,
) -> Figures:
    """The figures of every edge.

    Args:
        index: of the fabric's edges.
        routed: its traffic.
        sums: the same by class.
        step_time: seconds.
        windows: seconds for each kind of group.
        phases: seconds that each class's communication takes.
        beside: what runs at the same time as gradient traffic.
    """
    edges = len(index.plain)
    shares = []
    for name, sent, top in zip(sums.classes, sums.bytes, sums.busiest, strict=True):
        phase = max(phases.get(name, 0.0), top)
        if phase and beside is not None and name in beside.classes:
            shares.append((sent, 1.0 / (phase * beside.crowding), beside.others))
        elif phase:
            shares.append((sent, 1.0 / phase, ()))
    parts = [(one.load.bytes, 1.0 / windows[one.kind]) for one in routed]
    beside_share = 0.0 if beside is None else beside.share
    used, shared, wanted = np.empty(edges), np.zeros(edges), np.zeros(edges)
    scratch = np.empty(_BLOCK)
    for block in _blocks(edges):
        slow, share, demand = index.plain[block], shared[block], wanted[block]
        value = scratch[: len(slow)]
        np.multiply(sums.total[block], 1.0 / step_time, out=value)
        np.multiply(value, slow, out=used[block])
        for sent, factor, others in shares:
            np.multiply(sent[block], factor, out=value)
            for other in others:
                value += np.minimum(other[block] * beside_share, sent[block]) * factor
            np.maximum(share, value, out=share)
        np.multiply(share, slow, out=share)
        if beside is not None:
            np.minimum(share, 1.0, out=share)
        np.maximum(share, used[block], out=share)
        for sent, factor in parts:
            np.add(demand, np.multiply(sent[block], factor, out=value), out=demand)
        np.multiply(demand, slow, out=demand)
    for row in (used, shared, wanted):
        row[index.unknown] = np.nan
    tops = {tier: _top(wanted[here.numbers]) for tier, here in index.tiers.items()}
    return Figures(sums.classes, sums.bytes, sums.total, used, shared, wanted, tops)


def tier_loads(
    index: EdgeIndex, sums: ClassBytes, figures: Figures, step_time: float
) -> tuple[TierLoad, ...]:
    """Sums and extremes of each tier."""
    capacities = {tier: edges.capacity for tier, edges in index.tiers.items()}
    return tuple(
        TierLoad(
            tier=TIER_NAMES[tier],
            links=edges.usable,
            bytes=sums.tiers[tier].bytes,
            max_utilisation=sums.tiers[tier].top / step_time,
            mean_utilisation=sums.tiers[tier].mean / step_time,
            max_demand=figures.tops[tier],
            oversubscription=_oversubscription(tier, capacities),
        )
        for tier, edges in index.tiers.items()
        if edges.usable
    )


def _top(values: Floats) -> float:
    """The greatest, NaN being nothing."""
    most = float(values.max(initial=0.0))
    return float(np.nan_to_num(values).max(initial=0.0)) if np.isnan(most) else most


_BELOW = {Tier.LEAF_SPINE: Tier.HOST_LEAF, Tier.SPINE_CORE: Tier.LEAF_SPINE}


def _oversubscription(tier: int, capacities: Mapping[int, float]) -> float | None:
    """Capacity of the tier below over that of this tier."""
    below = _BELOW.get(Tier(tier))
    if below is None or not capacities.get(below) or not capacities.get(tier):
        return None
    return capacities[below] / capacities[tier]
