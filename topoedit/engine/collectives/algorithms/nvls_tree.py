"""NVLS-tree: in-switch reduction within a domain, the double tree between domains."""

from __future__ import annotations

import math

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.algorithms.nvls import nvls_latency, nvls_missing, nvls_port
from topoedit.engine.collectives.algorithms.tree import busiest_server
from topoedit.engine.collectives.cost import SIMPLE, Call, Cost, Volume
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import Demand


class NvlsTree(Algorithm):
    """NVLS in each server, its result over the network in two trees."""

    name = "nvls-tree"
    ops = ("all_reduce",)

    def missing(self, call: Call) -> str:
        """NVLS and more than one server."""
        return "more than one server" if call.servers == 1 else nvls_missing(call)

    def volume(self, call: Call) -> Volume:
        """S useful; the tree's bytes between servers."""
        return Volume(1.0, 1 + 1 / call.local, 2 * (call.servers - 1) / call.servers)

    def costs(self, call: Call) -> list[Cost]:
        """The switch, then up and down the tree."""
        c = call.constants
        depth = math.floor(math.log2(call.servers))
        hop = call.network_hop(False, SIMPLE)
        if c.nvls_tree_hop is not None:
            hop = 0 * hop + c.nvls_tree_hop + call.shape.hop_latency
        delay = call.site_delay(2 * math.ceil(math.log2(call.shape.sites)))
        hops = nvls_latency(call) + 2 * depth * hop + delay
        port, rate = nvls_port(call)
        return [
            Cost(SIMPLE, 0.0, hops, port, rate,
                 busiest_server(call) * call.size, call.network_rate * c.tree_efficiency,
                 port_fill=hops, network_fill=hops)
        ]  # fmt: skip

    def formula(self, call: Call) -> str:
        """Switch, tree, bytes."""
        return (
            "T = switch latency + 2 floor(log2 N) network hops"
            " + max(S (1 + 1/g) / B_port, up to 2 S / B_net)"
        )

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """Into the switch and back, and along both trees on each rail."""
        return [*groups.in_switch(size), *groups.double_tree(size)]


ALGORITHM = NvlsTree()
