"""Send and receive: each rank sends S to the next one; of two ranks only the first sends."""

from __future__ import annotations

import math

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.cost import LL, LL128, Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import Demand


class PointToPoint(Algorithm):
    """One hop, on one scale-up port or one network port."""

    name = "p2p"
    ops = ("send_recv",)

    def volume(self, call: Call) -> Volume:
        """S; with several ranks a server, each of its ring's crossings is one S."""
        return Volume(1.0, 1.0, 1.0 if call.servers > 1 else 0.0)

    def costs(self, call: Call) -> list[Cost]:
        """The slowest hop of the call: between servers where there are several."""
        c, made = call.constants, []
        remote = call.servers > 1
        one_port = call.network_rate / max(1, call.shape.nics_per_server)
        rate = one_port if remote else call.wire * call.generation.ring_efficiency
        for protocol in call.protocols():
            hop = call.network_hop(False, protocol) if remote else call.hop(True, protocol)
            hops = hop + call.site_delay(1)
            if protocol == LL:
                cap = min(call.ll_cap(), c.ring_ll * rate)
                made.append(Cost(LL, c.ring_base[LL], hops, call.size, cap, 0 * call.size))
                continue
            share = c.ring_ll128 if protocol == LL128 else 1.0
            made.append(
                Cost(protocol, c.ring_base[protocol], hops,
                     0 * call.size if remote else call.size, math.inf if remote else rate * share,
                     call.size if remote else 0 * call.size, one_port * share,
                     port_fill=0.0 if remote else c.ring_fill)
            )  # fmt: skip
        return made

    def formula(self, call: Call) -> str:
        """One hop."""
        return "T = base + hop + S / B"

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """Each rank to the next."""
        return groups.shift(size)


ALGORITHM = PointToPoint()
