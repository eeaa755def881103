"""Recursive doubling: log2(n) exchanges of the whole buffer, for small all-reduces."""

from __future__ import annotations

import math

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.cost import LL, Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import Demand


class RecursiveDoubling(Algorithm):
    """As MPI libraries do it; NCCL has none."""

    name = "recursive-doubling"
    ops = ("all_reduce",)
    automatic = False
    source = "Thakur, Rabenseifner, Gropp 2005 (recursive doubling); hops of NCCL's LL"

    def missing(self, call: Call) -> str:
        """A power of two, in the group and in each server."""
        if not _power_of_two(call.ranks) or not _power_of_two(call.local):
            return (
                f"a number of ranks (and ranks a server) that is a power of two (here {call.ranks})"
            )
        return ""

    def volume(self, call: Call) -> Volume:
        """S at every step."""
        inner, outer = math.log2(call.local), math.log2(call.servers)
        port = inner if call.local > 1 else outer
        return Volume(inner + outer, port, outer * call.local)

    def costs(self, call: Call) -> list[Cost]:
        """The steps within the server, then those between, one after the other."""
        volume = self.volume(call)
        inner, outer = math.log2(call.local), math.log2(call.servers)
        hops = inner * call.hop(True, LL) + outer * call.network_hop(False, LL)
        hops = hops + call.site_delay(math.ceil(math.log2(call.shape.sites)))
        return [
            Cost(LL, call.constants.ring_base[LL], hops,
                 inner * call.size, call.generation.ll_rate,
                 volume.server * call.size, call.network_rate, serial=1.0)
        ]  # fmt: skip

    def formula(self, call: Call) -> str:
        """Steps of S."""
        return "T = base + log2(g) (hop + S / B) + log2(N) (network hop + g S / B_net)"

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """At step k with the rank whose number differs in bit k."""
        return groups.doubling_pairs(size)


def _power_of_two(value: float) -> bool:
    return value >= 1 and float(math.log2(value)).is_integer()


ALGORITHM = RecursiveDoubling()
