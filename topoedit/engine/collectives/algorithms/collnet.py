"""CollNet: the network's switches reduce (InfiniBand SHARP), NVLS within a server."""

from __future__ import annotations

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.algorithms.nvls import nvls_latency, nvls_missing, nvls_port
from topoedit.engine.collectives.cost import SIMPLE, Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import Demand


class CollNet(Algorithm):
    """A server sends S once and receives S once, however many servers there are.

    Only on request: NCCL leaves it off unless NCCL_COLLNET_ENABLE is set and SHARP is set up.
    """

    name = "collnet"
    ops = ("all_reduce",)
    automatic = False
    source = "NCCL 2.30.7 tuning.cc (CollNet Direct); rates: two plateau figures of GTC slides"

    def missing(self, call: Call) -> str:
        """SHARP on every switch, NVLS in every server, several servers."""
        if call.servers == 1:
            return "more than one server"
        if not call.shape.reduction:
            return "in-network reduction (SHARP) on every switch of the network"
        return nvls_missing(call)

    def volume(self, call: Call) -> Volume:
        """S on the ports and S from each server."""
        return Volume(1.0, 1 + 1 / call.local, 1.0)

    def costs(self, call: Call) -> list[Cost]:
        """One term for the network, independent of the number of servers."""
        c = call.constants
        inner = c.collnet_inner if c.collnet_inner is not None else nvls_latency(call) / 2
        many = min(1.0, call.local - 1)
        hops = (
            2 * (many * inner + (call.local - 1) * c.collnet_per_rank)
            + c.collnet_network
            + call.site_delay(2)
        )
        port, rate = nvls_port(call)
        share = c.collnet_efficiency
        return [
            Cost(SIMPLE, 0.0, hops, port, rate * share, call.size, call.network_rate * share,
                 port_fill=hops, network_fill=hops)
        ]  # fmt: skip

    def formula(self, call: Call) -> str:
        """Switch, network, bytes."""
        return "T = switch latency + one network term + max(S (1 + 1/g) / B_port, S / B_net)"

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """S out of and into each server.

        Carried from server to server on each rail: in order, each leaf is left and entered once,
        which loads its uplinks exactly as the aggregation tree does.
        """
        return [*groups.in_switch(size), *groups.around(size)]


ALGORITHM = CollNet()
