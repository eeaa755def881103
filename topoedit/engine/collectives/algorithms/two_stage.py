"""All-to-all in two stages: regroup inside the server, then send along the rails."""

from __future__ import annotations

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.algorithms.direct import all_to_all_hops, all_to_all_rate
from topoedit.engine.collectives.cost import SIMPLE, Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import Demand


class TwoStage(Algorithm):
    """Fewer, larger messages on the network (PXN); what leaves crosses the scale-up first."""

    name = "two-stage"
    ops = ("all_to_all",)
    source = "NCCL PXN; bytes: (g-1)/g S inside in all, g (n-g)/n S from each server"

    def missing(self, call: Call) -> str:
        """Two levels, evenly filled."""
        if call.servers == 1:
            return "more than one server"
        if call.local <= 1:
            return "more than one rank in a server"
        return "" if call.local == round(call.local) else "the same number of ranks in each server"

    def volume(self, call: Call) -> Volume:
        """Bytes for other rails travel twice."""
        n, local = call.ranks, call.local
        outside = (n - local) / n
        inside = (local - 1) / n + outside * (local - 1) / local
        return Volume(inside + outside, inside, outside * local)

    def costs(self, call: Call) -> list[Cost]:
        """One stage after the other; messages to g-1 and N-1 ranks only."""
        volume, c = self.volume(call), call.constants
        messages = max(0.0, call.servers + call.local - 8)
        hops = all_to_all_hops(call) + call.hop(True, SIMPLE) + c.a2a_post * messages
        return [
            Cost(SIMPLE, c.ring_base[SIMPLE], hops, volume.port * call.size,
                 all_to_all_rate(call), volume.server * call.size, call.network_rate, serial=1.0)
        ]  # fmt: skip

    def formula(self, call: Call) -> str:
        """Both stages."""
        return "T = base + hops + (g−1)/g S / B + g (n−g)/n S / B_net"

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """All-to-all within each server, then along each rail."""
        return groups.two_stage(size)


ALGORITHM = TwoStage()
