"""The three load figures of every directed edge, and sums over tiers.

`utilisation` = bytes / (capacity x step time). `phase_share` = share of the capacity in the link's
busiest phase. `demand` = sum over traffic of bytes / (capacity x window), the window being the
compute that this traffic may run under, or the step with communication free. Only `demand` may
pass 1; no window depends on a link's own rate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from topoedit.engine.load import Routed
from topoedit.engine.types import TIER_NAMES, Bools, Fabric, Floats, Longs, Tier
from topoedit.model.analysis import TierLoad
from topoedit.model.plan import TRAFFIC_CLASSES


@dataclass(frozen=True, eq=False)
class Figures:
    """Arrays over the E directed edges of a fabric.

    Attributes:
        classes: traffic classes present; bytes: (C, E) bytes a step of each; total: (E,).
        utilisation, phase_share, demand: (E,) fractions; NaN where the rate is unknown.
    """

    classes: tuple[str, ...]
    bytes: Floats
    total: Floats
    utilisation: Floats
    phase_share: Floats
    demand: Floats


@dataclass(frozen=True, eq=False)
class EdgeIndex:
    """What sums over edges need, worked out once a fabric.

    Attributes:
        tier: (E,) Tier; upward: (E,) 1.0 for the edge by which bytes first enter a tier.
        usable: (E,) edges that can carry something.
        by_tier: edges of each tier present, usable or not.
    """

    tier: Longs
    upward: Floats
    usable: Bools
    by_tier: Mapping[int, Longs]


@lru_cache(maxsize=2)
def edge_index(fabric: Fabric) -> EdgeIndex:
    """Tiers and directions of a fabric's edges."""
    tier = fabric.tier.astype(np.int64)
    kind = fabric.vertex_kind
    upward = (kind[fabric.src] <= kind[fabric.dst]).astype(np.float64)
    by_tier = {int(t): np.flatnonzero(tier == t) for t in np.unique(tier)}
    return EdgeIndex(tier, upward, ~(fabric.capacity == 0), by_tier)


@dataclass(frozen=True, eq=False)
class ClassBytes:
    """Traffic classes in their usual order, (C, E) bytes of each and (E,) of all together."""

    classes: tuple[str, ...]
    table: Floats
    total: Floats


def class_bytes(routed: Sequence[Routed], edges: int) -> ClassBytes:
    """Bytes of every edge by traffic class."""
    present = [name for name in TRAFFIC_CLASSES if any(one.class_ == name for one in routed)]
    table = np.zeros((len(present), edges))
    for one in routed:
        table[present.index(one.class_)] += one.load.bytes
    return ClassBytes(tuple(present), table, table.sum(axis=0))


def load_figures(
    fabric: Fabric,
    routed: Sequence[Routed],
    sums: ClassBytes,
    plain: Floats,
    step_time: float,
    windows: Mapping[str, float],
    phases: Mapping[str, float],
) -> Figures:
    """The figures of every edge.

    Args:
        fabric: the fabric.
        routed: its traffic.
        sums: the same by class.
        plain: (E,) seconds a byte, 0 where unknown or failed.
        step_time: seconds.
        windows: seconds for each kind of group.
        phases: seconds that each class's communication takes.
    """
    share = np.zeros(len(plain))
    for name, sent in zip(sums.classes, sums.table, strict=True):
        busy = sent * plain
        phase = max(phases.get(name, 0.0), float(busy.max(initial=0.0)))
        if phase:
            busy *= 1.0 / phase
            np.maximum(share, busy, out=share)
    demand = np.zeros(len(plain))
    for one in routed:
        demand += one.load.bytes * (1.0 / windows[one.kind])
    demand *= plain
    utilisation = sums.total * plain
    utilisation *= 1.0 / step_time
    unknown = np.isnan(fabric.capacity)
    if unknown.any():
        for row in (utilisation, share, demand):
            row[unknown] = np.nan
    return Figures(sums.classes, sums.table, sums.total, utilisation, share, demand)


def tier_loads(fabric: Fabric, figures: Figures) -> tuple[TierLoad, ...]:
    """Sums and extremes of each tier."""
    index, rows = edge_index(fabric), []
    capacities = {
        tier: float(np.nansum(fabric.capacity[edges])) for tier, edges in index.by_tier.items()
    }
    for tier, edges in index.by_tier.items():
        usable = edges[index.usable[edges]]
        if not len(usable):
            continue
        used = figures.utilisation[usable]
        rows.append(
            TierLoad(
                tier=TIER_NAMES[tier],
                links=len(usable),
                bytes=float(figures.total[usable].sum()),
                max_utilisation=_top(used),
                mean_utilisation=_mean(used),
                max_demand=_top(figures.demand[usable]),
                oversubscription=_oversubscription(tier, capacities),
            )
        )
    return tuple(rows)


_BELOW = {Tier.LEAF_SPINE: Tier.HOST_LEAF, Tier.SPINE_CORE: Tier.LEAF_SPINE}


def _oversubscription(tier: int, capacities: Mapping[int, float]) -> float | None:
    """Capacity of the tier below over that of this tier."""
    below = _BELOW.get(Tier(tier))
    if below is None or not capacities.get(below) or not capacities.get(tier):
        return None
    return capacities[below] / capacities[tier]


def _top(values: Floats) -> float:
    known = values[~np.isnan(values)] if np.isnan(values).any() else values
    return float(known.max(initial=0.0))


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)] if np.isnan(values).any() else values
    return float(known.mean()) if len(known) else 0.0


def bytes_by_tier(fabric: Fabric, one: Routed, gpus: int) -> dict[str, float]:
    """Mean bytes a step that one of `gpus` GPUs sends over each tier."""
    index = edge_index(fabric)
    sums = np.bincount(index.tier, weights=one.load.bytes * index.upward)
    return {TIER_NAMES[t]: float(v) / gpus for t, v in enumerate(sums) if v > 0}
