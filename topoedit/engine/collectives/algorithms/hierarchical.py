"""Hierarchical: reduce-scatter in the server, all-reduce of S/g on each rail, all-gather."""

from __future__ import annotations

from typing import ClassVar

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.cost import SIMPLE, Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import Demand


class Hierarchical(Algorithm):
    """The stages one after the other, as separate calls of a framework run."""

    name = "hierarchical"
    ops = ("all_reduce", "all_gather", "reduce_scatter")
    automatic = False
    source = "two-level ring (ASTRA-sim; Distributed Training Book, chapter 13a)"
    pipelined: ClassVar[bool] = False

    def missing(self, call: Call) -> str:
        """Two levels."""
        if call.servers == 1:
            return "more than one server"
        return "more than one rank in a server" if call.local <= 1 else ""

    def volume(self, call: Call) -> Volume:
        """Per rank 2(N-1)/N S/g between servers."""
        inside = call.passes * (call.local - 1) / call.local
        between = call.passes * (call.servers - 1) / call.servers
        return Volume(inside + between / call.local, inside, between)

    def costs(self, call: Call) -> list[Cost]:
        """Two rings; pipelined, part of the shorter hides behind the longer."""
        c, volume = call.constants, self.volume(call)
        hops = call.passes * (
            (call.local - 1) * call.hop(True, SIMPLE)
            + (call.servers - 1) * call.network_hop(True, SIMPLE)
        ) + call.site_delay(call.passes * (call.shape.sites - 1))
        return [
            Cost(SIMPLE, c.ring_base[SIMPLE], hops,
                 volume.port * call.size, call.ring_rate,
                 volume.server * call.size, call.network_rate,
                 serial=1 - c.hierarchical_hidden if self.pipelined else 1.0)
        ]  # fmt: skip

    def formula(self, call: Call) -> str:
        """Both levels."""
        p = "2" if call.op == "all_reduce" else ""
        join = "max of" if self.pipelined else "sum of"
        return (
            f"T = base + {p}(g−1) hops + {p}(N−1) network hops"
            f" + {join} {p}(g−1)/g S / B and {p}(N−1)/N S / B_net"
        )

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """A ring in each server and one on each rail."""
        passes = 2 if op == "all_reduce" else 1
        servers = groups.servers
        return [
            *groups.inner_ring(passes * size),
            *groups.around(passes * (servers - 1) / servers * size),
        ]


ALGORITHM = Hierarchical()
