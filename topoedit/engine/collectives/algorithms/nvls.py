"""NVLS: the scale-up switch reduces and multicasts (all-reduce within one domain)."""

from __future__ import annotations

import numpy as np

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.cost import SIMPLE, Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import Demand, Floats


class Nvls(Algorithm):
    """Reduction in the switch; with SHARP on the network also between servers."""

    name = "nvls"
    ops = ("all_reduce",)
    source = "NCCL 2.30.7 tuning.cc; bytes: S to be reduced and S/g as multicast on each port"

    def missing(self, call: Call) -> str:
        """One domain with multicast and enough ranks."""
        lack = nvls_missing(call)
        if lack or call.servers == 1:
            return lack
        if call.constants.nvls_network is None:
            return "a group within one scale-up domain (across servers: nvls-tree, collnet)"
        return "" if call.shape.reduction else "in-network reduction (SHARP) across servers"

    def by_default(self, call: Call) -> bool:
        """Between servers it needs CollNet, which NCCL leaves off (NCCL_COLLNET_ENABLE)."""
        return call.servers == 1

    def volume(self, call: Call) -> Volume:
        """S useful, S (1 + 1/g) on the port each way."""
        return Volume(1.0, 1 + 1 / call.local, 1.0 if call.servers > 1 else 0.0)

    def costs(self, call: Call) -> list[Cost]:
        """One pass through the switch; several servers: one more through the network."""
        hops = nvls_latency(call)
        if call.servers > 1:
            hops = hops + (call.constants.nvls_network or 0.0) + call.site_delay(2)
        port, rate = nvls_port(call)
        server = call.size if call.servers > 1 else 0 * call.size
        return [
            Cost(SIMPLE, 0.0, hops, port, rate, server, call.network_rate,
                 port_fill=hops, network_fill=hops)
        ]  # fmt: skip

    def formula(self, call: Call) -> str:
        """Port bytes over port rate."""
        return "T = switch latency + S (1 + 1/g) / B_port"

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """Into the switch and back."""
        return groups.in_switch(size)


def nvls_missing(call: Call) -> str:
    """What the scale-up domain lacks for in-switch reduction; "" for nothing."""
    gen = call.generation
    if gen.nvls_rate is None or gen.nvls_min_ranks is None or not call.shape.multicast:
        return "a scale-up switch with in-switch reduction"
    if call.local < gen.nvls_min_ranks:
        return (
            f"at least {gen.nvls_min_ranks:.0f} ranks in a scale-up domain (here {call.local:.4g})"
        )
    return ""


def nvls_latency(call: Call) -> float:
    """Seconds through the switch and back."""
    return call.generation.nvls_latency or 0.0


def nvls_port(call: Call) -> tuple[Floats, float]:
    """Bytes on a port and the rate it reaches, by the law of the constants."""
    gen = call.generation
    rate = (gen.nvls_rate or np.nan) * call.wire / gen.wire
    if call.constants.nvls_law == "port":
        return call.size * (1 + 1 / call.local), rate
    return call.size * (call.ranks - 1) / call.ranks, rate


ALGORITHM = Nvls()
