"""Bruck: all-gather and all-to-all in ceil(log2 n) steps, for small messages."""

from __future__ import annotations

import math

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.cost import SIMPLE, Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups, bruck_blocks
from topoedit.engine.types import Demand


class Bruck(Algorithm):
    """All-gather sends each block once; all-to-all sends about half of S at every step."""

    name = "bruck"
    ops = ("all_gather", "all_to_all")
    automatic = False
    source = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997; hops of NCCL's ring"

    def missing(self, call: Call) -> str:
        """Ranks that are spread evenly."""
        return "" if call.local == round(call.local) else "the same number of ranks in each server"

    def volume(self, call: Call) -> Volume:
        """Bytes by step: those that go less far than a server's edge partly stay inside."""
        n, local = call.ranks, call.local
        sent = server = 0.0
        for distance, blocks in bruck_blocks(call.op, n):
            part = blocks / n
            sent += part
            crossing = 1.0 if call.servers > 1 and distance >= local else distance / local
            server += part * (crossing if call.servers > 1 else 0.0) * local
        inside = sent - server / local
        return Volume(sent, inside if local > 1 else sent, server)

    def costs(self, call: Call) -> list[Cost]:
        """Each step ends before the next begins."""
        volume = self.volume(call)
        steps = math.ceil(math.log2(call.ranks))
        inner = min(steps, math.ceil(math.log2(call.local)))
        hops = inner * call.hop(True, SIMPLE) + (steps - inner) * call.network_hop(True, SIMPLE)
        hops = hops + call.site_delay(math.ceil(math.log2(call.shape.sites)))
        port = volume.port if call.local > 1 else 0.0
        return [
            Cost(SIMPLE, call.constants.ring_base[SIMPLE], hops, port * call.size,
                 call.ring_rate, volume.server * call.size, call.network_rate, serial=1.0)
        ]  # fmt: skip

    def formula(self, call: Call) -> str:
        """Steps and bytes."""
        sent = "(n−1)/n S" if call.op == "all_gather" else "about log2(n)/2 S"
        return f"T = base + ceil(log2 n) hops + {sent} / B"

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """At step k to the rank 2^k further on."""
        return groups.bruck(op, size)


ALGORITHM = Bruck()
