"""PAT: all-gather and reduce-scatter in log2(n) steps, one rank in each server."""

from __future__ import annotations

import math

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.cost import SIMPLE, Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import Demand


class Pat(Algorithm):
    """NCCL's parallel aggregated trees."""

    name = "pat"
    ops = ("all_gather", "reduce_scatter")

    def missing(self, call: Call) -> str:
        """One rank a server."""
        if call.servers == 1:
            return "more than one server"
        return "one rank in each server" if call.local > 1 else ""

    def volume(self, call: Call) -> Volume:
        """As a ring."""
        sent = (call.ranks - 1) / call.ranks
        return Volume(sent, sent, sent)

    def costs(self, call: Call) -> list[Cost]:
        """log2(n) network hops, and a part for each rank."""
        c = call.constants
        hop = c.pat_network_hop + call.network.added_large + call.shape.hop_latency
        hops = (
            math.log2(call.ranks) * hop / c.pat_hop_divisor
            + c.pat_per_rank * call.ranks
            + call.site_delay(math.ceil(math.log2(call.shape.sites)))
        )
        server = self.volume(call).server * call.size
        rate = call.network_rate * c.pat_efficiency
        return [Cost(SIMPLE, c.pat_base, hops, 0 * call.size, math.inf, server, rate)]

    def formula(self, call: Call) -> str:
        """Steps and bytes."""
        return "T = base + log2(n) network hop / 3.5 + 2.8 µs n + (n−1)/n S / (0.75 B_net)"

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """At each step twice as many blocks to a rank twice as far away."""
        return groups.doubling_blocks(size)


ALGORITHM = Pat()
