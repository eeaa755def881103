"""What sums and extremes over the edges of a fabric need, worked out once a fabric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from topoedit.engine.types import Bytes8, Fabric, Floats, Ints, Longs, Tier


@dataclass(frozen=True, eq=False)
class TierEdges:
    """The edges of one tier.

    Attributes:
        numbers: edges, those first by which bytes first enter the tier; up: how many those are.
        pace: seconds a byte of all of them, or (n,) of each where they differ; 0 where the rate is
            unknown, so that such an edge limits nothing, and where it failed.
        capacity: bytes/s of those whose rate is known, together.
        usable: how many can carry something.
        unknown: some have an unknown rate.
    """

    numbers: Longs
    up: int
    pace: float | Floats
    capacity: float
    usable: int
    unknown: bool

    def slowest(self, values: Floats) -> float:
        """Seconds of the fullest edge at its full rate; `values` are the bytes of each."""
        if isinstance(self.pace, float):
            return float(values.max(initial=0.0)) * self.pace
        return float((values * self.pace).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class EdgeIndex:
    """Edges of a fabric by tier.

    Attributes:
        plain: (E,) seconds a byte at the full rate, as `TierEdges.pace`; tier: (E,) Tier.
        tiers: those present; place: (E,) position of each edge among those of its tier.
        unknown: edges of unknown rate.
    """

    plain: Floats
    tier: Bytes8
    tiers: Mapping[int, TierEdges]
    place: Ints
    unknown: Longs


@lru_cache(maxsize=1)
def end_kinds(fabric: Fabric) -> tuple[Bytes8, Bytes8]:
    """(E,) VertexKind of both ends of every edge; the last ones are kept."""
    kind = fabric.vertex_kind
    return kind[fabric.src], kind[fabric.dst]


@lru_cache(maxsize=1)
def edge_index(fabric: Fabric) -> EdgeIndex:
    """Tiers, directions and rates of a fabric's edges; the last index is kept."""
    capacity = fabric.capacity
    plain = np.zeros(len(capacity))
    np.divide(1.0, capacity, out=plain, where=capacity > 0)
    source, target = end_kinds(fabric)
    falls = source > target
    tiers: dict[int, TierEdges] = {}
    place = np.zeros(len(capacity), np.int32)
    for tier in np.flatnonzero(np.bincount(fabric.tier, minlength=len(Tier))).tolist():
        here = fabric.tier == tier
        up, down = np.flatnonzero(here & ~falls), np.flatnonzero(here & falls)
        numbers = np.concatenate([up, down])
        place[numbers] = np.arange(len(numbers), dtype=np.int32)
        tiers[tier] = _tier(numbers, len(up), capacity[numbers])
    return EdgeIndex(plain, fabric.tier, tiers, place, np.flatnonzero(np.isnan(capacity)))


def _tier(numbers: Longs, up: int, capacity: Floats) -> TierEdges:
    rate = float(capacity[0])
    alike = bool((capacity == rate).all()) and rate > 0
    pace = 1.0 / rate if alike else np.zeros(len(numbers))
    if isinstance(pace, np.ndarray):
        np.divide(1.0, capacity, out=pace, where=capacity > 0)
    return TierEdges(
        numbers=numbers,
        up=up,
        pace=pace,
        capacity=float(np.nansum(capacity)),
        usable=int(np.count_nonzero(capacity)),
        unknown=bool(np.isnan(capacity).any()),
    )
