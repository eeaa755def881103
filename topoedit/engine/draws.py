"""Hashed routing: the step time over the draws of who takes which path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from topoedit.engine.cluster_rates import Measured
from topoedit.engine.load import Bound, Routed, in_draw
from topoedit.engine.step.assemble import evaluate
from topoedit.engine.step.constants import Physics
from topoedit.engine.step.kernels import Case
from topoedit.engine.types import TIER_NAMES, Floats, Spread
from topoedit.model.analysis import LinkSpread

_MOST_CLASSES = 8


@dataclass(frozen=True, eq=False)
class Draws:
    """Step times of S draws.

    Attributes:
        seconds: (S,) of each draw; chosen: the draw of the median step (the lower of two).
        classes: the classes of links whose fullest cable takes longest in the median.
    """

    seconds: Floats
    chosen: int
    classes: tuple[LinkSpread, ...]

    def at_least(self, floor: float) -> Draws:
        """The same, no step shorter than `floor` seconds."""
        return replace(self, seconds=np.maximum(self.seconds, floor))

    @property
    def median(self) -> float:
        """Seconds of the median draw."""
        return float(self.seconds[self.chosen])

    @property
    def p95(self) -> float:
        """Seconds that 95 % of the draws stay within."""
        return float(np.quantile(self.seconds, 0.95))

    @property
    def worst(self) -> float:
        """Seconds of the slowest draw."""
        return float(self.seconds.max())


def settle(routed: Sequence[Routed], case: Case) -> tuple[list[Routed], Draws | None]:
    """The traffic in the draw whose step takes the median time, and all draws' times.

    None if paths are not drawn by chance.
    """
    count = max((len(s.tiers) for one in routed if (s := one.load.spread) is not None), default=0)
    if count < 2:
        return list(routed), None
    seconds = np.broadcast_to(evaluate(case, _Drawn(routed, case.physics).rates()).total, (count,))
    chosen = int(np.argsort(seconds, kind="stable")[(count - 1) // 2])
    draws = Draws(np.array(seconds), chosen, _link_spreads(routed))
    return [in_draw(one, chosen) for one in routed], draws


class _Drawn(Measured):
    """Rates of a plan's groups, one row for each draw."""

    def __init__(self, routed: Sequence[Routed], physics: Physics) -> None:
        super().__init__(routed, physics)
        self._spread_of: dict[int, Spread] = {}
        for one in routed:
            for limit in (one.limit, one.network):
                if limit is not None and one.load.spread is not None:
                    self._spread_of[id(limit)] = one.load.spread

    def _seconds(self, limit: Bound) -> Floats:
        spread = self._spread_of[id(limit)]
        used = list(limit.tops)
        factors = np.array([limit.factors[tier] for tier in used])
        return np.asarray((spread.tiers[:, used] * factors).max(axis=1, initial=0.0), np.float64)

    def _forced(self, bandwidth: Floats, forced: float) -> Floats:
        return np.minimum(bandwidth, forced)

    def _row(self, latency: float) -> Floats:
        return np.full(1, latency)


def _link_spreads(routed: Sequence[Routed]) -> tuple[LinkSpread, ...]:
    rows = [row for one in routed for row in _spreads_of(one)]
    rows.sort(key=lambda row: (-row.median_s, -row.worst_s, row.tier))
    return tuple(rows[:_MOST_CLASSES])


def _spreads_of(one: Routed) -> list[LinkSpread]:
    """Classes of links on which the draws differ."""
    spread = one.load.spread
    if spread is None:
        return []
    low, median, p95, high = np.quantile(spread.classes, (0.0, 0.5, 0.95, 1.0), axis=0)
    return [
        LinkSpread(
            class_=one.class_,
            tier=TIER_NAMES[int(spread.class_tier[at])],
            links=int(spread.class_links[at]),
            median_s=float(median[at]),
            p95_s=float(p95[at]),
            worst_s=float(high[at]),
        )
        for at in np.flatnonzero(high > low).tolist()
    ]
