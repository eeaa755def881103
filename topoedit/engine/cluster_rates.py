"""From routed traffic to the rates of a step, also with some links twice as fast."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topoedit.engine.load import Bound, Faster, Routed
from topoedit.engine.step.constants import Physics
from topoedit.engine.step.rates import ExpertRate, Rate, Rates, ring_latency
from topoedit.engine.types import Floats
from topoedit.engine.workload.communication import ring_sent

FREE = 1
"""Row of the variants in which communication is free."""
_NONE = Rate(np.full(1, np.inf), np.zeros(1))


class Measured:
    """Rates of a plan's groups on a fabric, one row for each variant.

    Row 0 is the drawing as it is, row 1 has free communication, then one row for each variant:
    links to think twice as fast.
    """

    def __init__(
        self,
        routed: Sequence[Routed],
        physics: Physics,
        variants: Sequence[Faster] = (),
        crowding: float = 1.0,
    ) -> None:
        self._by_kind = {one.kind: one for one in routed}
        self._physics = physics
        self._variants = tuple(variants)
        self._crowding = crowding

    def rates(self) -> Rates:
        """Arrays of shape (2 + variants,)."""
        return Rates(
            tp=self._rate("tp"),
            cp=self._rate("cp"),
            pp=self._rate("pp"),
            dp=self._rate("shard"),
            replica=self._rate("replica"),
            secondary=self._rate("secondary"),
            expert_dp=self._rate("expert_dp"),
            ep=self._expert(),
            etp=self._rate("etp"),
            crowding=np.full(1, self._crowding),
        )

    def _rate(self, kind: str) -> Rate:
        one = self._by_kind.get(kind)
        if one is None:
            return _NONE
        with np.errstate(divide="ignore"):
            bandwidth = one.wire / self._seconds(one.limit)
        latency = self._latency(one)
        forced = _forced_rate(one)
        if forced is not None:
            bandwidth = self._forced(bandwidth, forced)
            latency = 0.0
        return Rate(bandwidth, self._row(latency))

    def _expert(self) -> ExpertRate:
        one = self._by_kind.get("ep")
        if one is None:
            none = np.full(1, np.inf)
            return ExpertRate(none, none, np.ones(1), np.zeros(1))
        network = one.network or one.limit
        swap = one.exchanges[0]
        rates = []
        for limit, sent in ((one.limit, swap.sent), (network, swap.network)):
            seconds = self._seconds(limit)
            with np.errstate(divide="ignore", invalid="ignore"):
                rates.append(np.where(seconds > 0, sent * swap.heaviest / seconds, np.inf))
        physics = self._physics
        latency = physics.collective_launch + physics.network_hop + one.shape.hop_latency
        domains = np.full(1, float(one.shape.servers))
        return ExpertRate(rates[0], rates[1], domains, self._row(latency))

    def _latency(self, one: Routed) -> float:
        """Seconds of one call (one hop for `cp` and `pp`), with the distance of the drawing."""
        shape, physics = one.shape, self._physics
        far = shape.hop_latency + shape.site_latency
        if one.kind in ("cp", "pp"):
            return physics.network_hop + far
        if one.kind == "etp":
            return physics.collective_launch
        size, servers = np.full(1, float(shape.ranks)), np.full(1, float(shape.servers))
        hops = (shape.servers if shape.servers > 1 else 0) * shape.hop_latency
        crossings = (shape.sites if shape.sites > 1 else 0) * shape.site_latency
        return float(ring_latency(size, servers, physics)[0]) + hops + crossings

    def _forced(self, bandwidth: Floats, forced: float) -> Floats:
        """Rates that are `forced` in the drawing as it is, if that is slower.

        Where no byte finds a path the drawing sets no rate, and free communication stays free.
        """
        drawn = bandwidth[0]
        if not np.isfinite(drawn):
            return np.where(np.arange(len(bandwidth)) == FREE, np.inf, forced)
        return np.asarray(bandwidth * min(1.0, forced / drawn), np.float64)

    def _seconds(self, limit: Bound) -> Floats:
        """As it is, free, then for each variant."""
        faster = [limit.with_faster(fast) for fast in self._variants]
        return np.array([limit.seconds, 0.0, *faster])

    def _row(self, latency: float) -> Floats:
        return np.array([latency, 0.0, *([latency] * len(self._variants))])


def _forced_rate(one: Routed) -> float | None:
    """Wire bytes a second of the algorithm that was asked for."""
    seconds = wire = 0.0
    for exchange, call in zip(one.exchanges, one.forced, strict=True):
        if call is None:
            return None
        seconds += exchange.heaviest * call.time_s
        wire += exchange.heaviest * ring_sent(exchange.op, exchange.size, exchange.buffer)
    return wire / seconds if seconds else None
