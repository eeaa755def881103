"""Double binary tree over the servers, a chain inside each (all-reduce)."""

from __future__ import annotations

import math

import numpy as np

from topoedit.engine.collectives.algorithm import Algorithm
from topoedit.engine.collectives.cost import (
    LL,
    LL128,
    Call,
    Cost,
    Volume,
    tree_server_factor,
)
from topoedit.engine.collectives.groups import Groups
from topoedit.engine.types import Demand, Floats


class Tree(Algorithm):
    """NCCL's two trees, each with half of the buffer."""

    name = "tree"
    ops = ("all_reduce",)
    source = "NCCL 2.30.7 tuning.cc; bytes: two trees with S/2 up and down each edge"

    def volume(self, call: Call) -> Volume:
        """The mean server sends 2(N-1)/N S, the busiest up to 2 S."""
        inside = 2 * (call.local - 1) / call.local
        between = 2 * (call.servers - 1) / call.servers
        sent = inside + between / call.local
        return Volume(sent, inside if call.local > 1 else sent, between)

    def costs(self, call: Call) -> list[Cost]:
        """A chain of g has g-1 links that carry S up and S down."""
        c, made = call.constants, []
        port = 2 * (call.local - 1) / call.local if c.tree_by_size else 2.0 * (call.local > 1)
        server = busiest_server(call)
        limit = min(
            call.ring_rate * c.tree_efficiency * 2 / port if port else math.inf,
            call.network_rate * c.tree_efficiency if call.servers > 1 else math.inf,
        )
        for protocol in call.protocols():
            hops = tree_hops(call, protocol)
            if protocol == LL:
                rate = min(call.ll_cap(), c.tree_ll * limit)
                made.append(Cost(LL, c.tree_base[LL], hops, 2 * call.size, rate, 0 * call.size))
                continue
            share = 1.0
            if protocol == LL128:
                share = c.tree_ll128_one if call.servers == 1 else c.tree_ll128
            made.append(
                Cost(
                    protocol, c.tree_base[protocol], hops,
                    port * call.size, call.ring_rate * c.tree_efficiency * share,
                    server * call.size, call.network_rate * c.tree_efficiency * share,
                    port_fill=hops, network_fill=hops,
                )
            )  # fmt: skip
        return made

    def formula(self, call: Call) -> str:
        """Depth and bytes."""
        return (
            "T = base + 2 ((g−1) hops + floor(log2 N) network hops)"
            " + max(2(g−1)/g S / B, up to 2 S / B_net)"
        )

    def demands(self, op: str, groups: Groups, size: float) -> list[Demand]:
        """Both directions round the ranks of a server, and along both trees on each rail."""
        return [*groups.inner_chain(size), *groups.double_tree(size)]


def busiest_server(call: Call) -> float:
    """Bytes that the busiest server sends, in units of S."""
    if call.servers == 1:
        return 0.0
    return tree_server_factor(call.servers) if call.constants.tree_by_size else 2.0


def tree_hops(call: Call, protocol: int) -> Floats:
    """Seconds up and down the tree; the way between sites is gone once in each direction."""
    depth = math.floor(math.log2(call.servers))
    hops = (call.local - 1) * call.hop(False, protocol) + depth * call.network_hop(False, protocol)
    return np.asarray(2 * hops + call.site_delay(2 * math.ceil(math.log2(call.shape.sites))))


ALGORITHM = Tree()
