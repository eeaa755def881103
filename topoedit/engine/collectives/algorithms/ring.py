"""Ring: each rank sends 2(n-1)/n S to the next one (all-reduce; half of that for its halves)."""

from __future__ import annotations

import numpy as np

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.cost import LL, LL128, SIMPLE, Call, Cost, Volume, bus_factor
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import AllToAll, Demand, Floats


class Ring(Algorithm):
    """NCCL's ring. Its channels leave a server by different network ports."""

    name = "ring"
    ops = ("all_reduce", "all_gather", "reduce_scatter", "broadcast")
    source = "NCCL 2.30.7 tuning.cc; bytes: nccl-tests doc/PERFORMANCE.md"

    def volume(self, call: Call) -> Volume:
        """In random order the expectation over all rings: 2(n-g)/n S leave a server per rank."""
        sent = bus_factor(call.op, call.ranks)
        crossing = _crossing(call)
        inside = sent * (1 - crossing)
        port = inside if call.local > 1 else sent
        return Volume(sent, port, sent * crossing * call.local)

    def costs(self, call: Call) -> list[Cost]:
        """LL is capped as a whole; LL128 reaches 92 %; Simple the plateau."""
        c, moved, made = call.constants, bus_factor(call.op, call.ranks) * call.size, []
        volume = self.volume(call)
        port = volume.port if call.local > 1 else 0.0
        limit = min(
            call.ring_rate * bus_factor(call.op, call.ranks) / port if port else np.inf,
            call.network_rate * bus_factor(call.op, call.ranks) / volume.server
            if volume.server
            else np.inf,
        )
        for protocol in call.protocols():
            hops = ring_hops(call, protocol)
            if protocol == LL:
                rate = min(call.ll_cap(), c.ring_ll * limit)
                made.append(Cost(LL, c.ring_base[LL], hops, moved, rate, 0 * moved))
                continue
            share = c.ring_ll128 if protocol == LL128 else 1.0
            made.append(
                Cost(
                    protocol, c.ring_base[protocol], hops,
                    port * call.size, call.ring_rate * share,
                    volume.server * call.size, call.network_rate * share,
                    port_fill=c.ring_fill,
                )
            )  # fmt: skip
        return made

    def formula(self, call: Call) -> str:
        """Steps and bytes."""
        steps = f"{call.passes}(n−1)"
        sent = {"all_reduce": "2(n−1)/n", "broadcast": "1"}.get(call.op, "(n−1)/n")
        return f"T = base + {steps} hops + {sent} S / B"

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """Within a server round its ranks, between servers on each rail; random: all pairs."""
        sent = bus_factor(op, groups.ranks) * size
        if groups.order == "random":
            return [AllToAll(groups.members, sent / (groups.ranks - 1))]
        if op == "broadcast":
            return groups.chain(size)
        return groups.ring(sent)


def _crossing(call: Call) -> float:
    """Share of a rank's ring bytes that leave its server."""
    n, servers, local = call.ranks, call.servers, call.local
    if servers == 1:
        return 0.0
    if call.ring_order == "random":
        return (n - local) / (n - 1)
    return 1 / local if call.ring_order == "node" else 1.0


def _site_crossings(call: Call) -> float:
    """How often a chunk goes from site to site on one way round."""
    if call.ring_order == "node":
        return call.shape.sites - 1
    if call.ring_order == "strided":
        return call.local * call.shape.sites - 1
    return call.ranks * (1 - 1 / call.shape.sites)


def ring_hops(call: Call, protocol: int) -> Floats | float:
    """Seconds of all hops: 2(n-1) for an all-reduce, of which 2(N-1) between servers.

    A hop inside a server is at least the host's posting time (1 us, three times that with
    Simple) where there are several servers (tuning.cc, "netOverhead").
    """
    c = call.constants
    steps = call.passes * (call.ranks - 1)
    between = call.passes * _steps_between(call)
    if call.servers == 1:
        return steps * call.hop(True, protocol)
    post = c.post * (c.post_simple if protocol == SIMPLE else 1)
    inside = max(call.hop(True, protocol), post)
    outside = call.network_hop(call.local > 1, protocol)
    hops = (steps - between) * inside + between * outside
    if protocol == SIMPLE and call.op == "all_reduce":
        hops = hops * call.plateau()
    return hops + call.site_delay(call.passes * _site_crossings(call))


def _steps_between(call: Call) -> float:
    if call.ring_order == "random" and call.servers > 1:
        return call.ranks - call.local
    return call.servers - 1 if call.ring_order == "node" or call.servers == 1 else call.ranks - 1


ALGORITHM = Ring()
