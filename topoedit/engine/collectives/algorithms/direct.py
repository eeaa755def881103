"""All-to-all, direct: S/n from each rank to every other."""

from __future__ import annotations

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.cost import SIMPLE, Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import AllToAll, Demand, Floats


class Direct(Algorithm):
    """Sends and receives to all ranks at once; scale-up and network run together."""

    name = "direct"
    ops = ("all_to_all",)
    source = "NCCL point-to-point calls; bytes: (g-1)/n S inside, (n-g)/n S outside"

    def volume(self, call: Call) -> Volume:
        """What stays inside and what leaves."""
        n, local = call.ranks, call.local
        inside, outside = (local - 1) / n, (n - local) / n
        return Volume(inside + outside, inside if local > 1 else outside, outside * local)

    def costs(self, call: Call) -> list[Cost]:
        """One hop each, and the posting of a message to each rank."""
        volume, c = self.volume(call), call.constants
        port = (call.local - 1) / call.ranks
        hops = all_to_all_hops(call) + c.a2a_post * max(0, call.ranks - 8)
        return [
            Cost(SIMPLE, c.ring_base[SIMPLE], hops, port * call.size, all_to_all_rate(call),
                 volume.server * call.size, call.network_rate, port_fill=c.ring_fill)
        ]  # fmt: skip

    def formula(self, call: Call) -> str:
        """The slower of the two fabrics."""
        return "T = base + hops + max((g−1)/n S / B, g (n−g)/n S / B_net)"

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """Every pair."""
        return [AllToAll(groups.members, size / groups.ranks)]


def all_to_all_hops(call: Call) -> Floats | float:
    """Seconds of the hops of a one-step exchange."""
    hops: Floats | float = 2 * call.hop(True, SIMPLE) if call.local > 1 else 0.0
    if call.servers > 1:
        hops = hops + call.network_hop(True, SIMPLE) + call.site_delay(1)
    return hops


def all_to_all_rate(call: Call) -> float:
    """What all-to-all reaches of an accelerator's scale-up rate."""
    return call.wire * call.generation.a2a_efficiency


ALGORITHM = Direct()
