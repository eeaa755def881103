"""How GPUs attach to the network: NIC stubs contracted, multi-homed GPUs gathered.

A *chain* is a working way from a GPU over one NIC to the switch at the other end of its cable.
GPUs on one switch by one chain need no place of their own in the routed graph: the switch is
their terminal and their chain carries what they send and receive. GPUs with several chains and
the same set of (switch, capacities) share one virtual terminal, joined to those switches. If the
quotient shows its switches equivalent, every chain carries an equal part; if not, each such GPU
becomes a terminal of its own. A GPU whose NIC is not cabled to a switch (back to back) stays in
the graph with its NICs. GPUs never forward.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.engine.compile.layout import vertex_is_switch
from topoedit.engine.routing.colours import Hashes, hash_columns
from topoedit.engine.routing.graph import Graph
from topoedit.engine.routing.sums import is_sorted, positions, starts
from topoedit.engine.types import Bools, Fabric, Floats, Ints, Longs, Tier, VertexKind

BETWEEN = (Tier.LEAF_SPINE, Tier.SPINE_CORE, Tier.BETWEEN_SITES, Tier.OTHER)
"""Tiers of links between switches."""
OUTER = (Tier.HOST_LEAF, *BETWEEN)
"""Tiers of links that are not inside a server or scale-up network."""
SHARED, OWN, RAW = range(3)
"""Attachment of a GPU: to a terminal it may share, to one of its own, or left in the graph."""


@dataclass(frozen=True, eq=False)
class Chains:
    """Working ways from GPUs to the network, sorted by rank.

    Attributes:
        rank, leaf: GPU and the vertex at the other end of the NIC's cable.
        bus_up, wire_up: edges GPU to NIC and NIC to leaf; those back are half the edges on.
        rail: rail number of the NIC.
        start: (G + 1,) first chain of each rank.
    """

    rank: Longs
    leaf: Longs
    bus_up: Longs
    wire_up: Longs
    rail: Longs
    start: Longs


@dataclass(frozen=True, eq=False)
class Attachment:
    """Terminals and the graph that joins them.

    Attributes:
        graph: the routed graph.
        terminal_of: (G,) terminal number of each GPU, -1 if it has no working chain.
        mode: (G,) SHARED, OWN or RAW.
        edge: (graph edges,) edge of the fabric, -1 for the virtual edge of a terminal.
        chain: (graph edges,) chain of a virtual edge, -1 for others.
        up: (graph edges,) a virtual edge leads from the terminal to the switch.
        number: (V,) vertex of the graph that each vertex of the fabric is, -1 if it is none.
    """

    graph: Graph
    terminal_of: Longs
    mode: Ints
    edge: Longs
    chain: Longs
    up: Bools
    number: Longs


def routing_weights(fabric: Fabric, *, by_capacity: bool = True) -> Floats:
    """Share of each edge among next hops, in bytes/s; 0 for one that carries nothing.

    An edge of unknown rate counts as cables of the median rate of its tier (of all tiers if none
    is known there, of 1 byte/s if none is known at all). Without `by_capacity` each working
    cable counts 1.
    """
    capacity, cables = fabric.capacity, fabric.working
    if not by_capacity:
        return cables.astype(float)
    unknown = np.isnan(capacity)
    if not unknown.any():
        return capacity
    known = ~unknown & (capacity > 0)
    weight = capacity.copy()
    overall = float(np.median(capacity[known] / cables[known])) if known.any() else 1.0
    for tier in np.unique(fabric.tier[unknown]).tolist():
        same = known & (fabric.tier == tier)
        rate = float(np.median(capacity[same] / cables[same])) if same.any() else overall
        hole = unknown & (fabric.tier == tier)
        weight[hole] = rate * cables[hole]
    return weight


def edges_between(
    fabric: Fabric, weight: Floats, tails: Bools, heads: Bools, *tiers: Tier
) -> Longs:
    """Edges of some tiers that carry something, from some vertices to others, ascending."""
    some = links_of(fabric, *tiers)
    src, dst = fabric.src[some], fabric.dst[some]
    there = some[tails[src] & heads[dst]]
    back = some[tails[dst] & heads[src]] + len(fabric.src) // 2
    return alive(np.concatenate([there, back]), weight)


def alive(edge: Longs, weight: Floats) -> Longs:
    """Those edges that carry something."""
    live = weight[edge] > 0
    return edge if live.all() else edge[live]


def links_of(fabric: Fabric, *tiers: Tier) -> Longs:
    """Edges of the first half of some tiers."""
    half = len(fabric.src) // 2
    tier = fabric.tier[:half]
    wanted = tier == tiers[0]
    for other in tiers[1:]:
        wanted |= tier == other
    return np.flatnonzero(wanted)


def find_chains(fabric: Fabric, weight: Floats) -> Chains:
    """All working chains of the ranked GPUs."""
    kind = fabric.vertex_kind
    is_nic, is_gpu = kind == VertexKind.NIC, kind == VertexKind.GPU
    rank_of = np.full(len(kind), -1, np.int64)
    rank_of[fabric.gpus] = np.arange(len(fabric.gpus))
    wires = edges_between(fabric, weight, is_nic, ~is_gpu, *OUTER)
    wire_of = np.full(len(kind), -1, np.int64)
    wire_of[fabric.src[wires]] = wires
    bus = edges_between(fabric, weight, is_gpu, is_nic, Tier.HOST_BUS)
    nic, rank = fabric.dst[bus], rank_of[fabric.src[bus]]
    usable = (wire_of[nic] >= 0) & (rank >= 0)
    if not usable.all():
        bus, nic, rank = bus[usable], nic[usable], rank[usable]
    if not is_sorted(rank):
        order = np.argsort(rank, kind="stable")
        bus, nic, rank = bus[order], nic[order], rank[order]
    wire = wire_of[nic]
    return Chains(
        rank=rank,
        leaf=fabric.dst[wire].astype(np.int64),
        bus_up=bus,
        wire_up=wire,
        rail=fabric.vertex_local[nic].astype(np.int64),
        start=starts(rank, len(fabric.gpus)),
    )


def attach(fabric: Fabric, weight: Floats, chains: Chains, split: Bools) -> Attachment:
    """Build the routed graph.

    Args:
        fabric: the fabric.
        weight: routing weight of each edge.
        chains: ways from the GPUs into the network.
        split: (G,) multi-homed GPUs that need a terminal of their own.
    """
    gpus = len(fabric.gpus)
    count, first = np.diff(chains.start), chains.start[:-1]
    stubs = vertex_is_switch(fabric.vertex_kind)[chains.leaf]
    raw = np.bincount(chains.rank[~stubs], minlength=gpus) > 0
    builder = _Builder(fabric, weight, chains, raw)
    terminal = np.full(gpus, -1, np.int64)
    single = np.flatnonzero((count == 1) & ~raw)
    at = builder.number[chains.leaf[first[single]]]
    leaves, terminal[single] = np.unique(at, return_inverse=True)
    many = np.flatnonzero((count > 1) & ~raw)
    owners, which = _signatures(fabric, weight, chains, many, split)
    terminal[many] = len(leaves) + which
    raws = np.flatnonzero(raw)
    terminal[raws] = len(leaves) + len(owners) + np.arange(len(raws))
    mode = np.where(raw, RAW, SHARED).astype(np.int32)
    alone = np.bincount(which, minlength=len(owners)) == 1
    mode[many[alone[which]]] = OWN
    virtual = builder.add_virtual(owners)
    builder.add_kept()
    terminals = np.concatenate([leaves, virtual, builder.number[fabric.gpus[raws]]])
    return builder.finish(terminals.astype(np.int64), terminal, mode)


def _signatures(
    fabric: Fabric, weight: Floats, chains: Chains, many: Longs, split: Bools
) -> tuple[Longs, Longs]:
    """Multi-homed GPUs gathered by equal attachment: one owner of each, and which each has."""
    if not len(many):
        return many, many
    half = len(fabric.src) // 2
    down = weight[(chains.wire_up + half) % (2 * half)]
    single = hash_columns(chains.leaf, weight[chains.bus_up], weight[chains.wire_up], down)
    # a chain counts once for each copy, so the sum tells multisets apart
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(single, dtype=np.uint64)])
    key = total[chains.start[many + 1]] - total[chains.start[many]]
    own = np.where(split[many], many + 1, 0)
    key = hash_columns(key.view(np.int64), own)
    _, owner, which = np.unique(key, return_index=True, return_inverse=True)
    return many[owner], which


class _Builder:
    """Collects the vertices and edges of the routed graph."""

    def __init__(self, fabric: Fabric, weight: Floats, chains: Chains, raw: Bools) -> None:
        self.fabric, self.weight, self.chains = fabric, weight, chains
        self.kept = vertex_is_switch(fabric.vertex_kind)
        kept = raw[chains.rank]
        self.kept[fabric.gpus[chains.rank[kept]]] = True
        self.kept[fabric.dst[chains.bus_up[kept]]] = True
        self.raw = bool(raw.any())
        self.number = np.full(len(self.kept), -1, np.int64)
        self.vertices = np.flatnonzero(self.kept)
        self.number[self.vertices] = np.arange(len(self.vertices))
        self.size = len(self.vertices)
        self.src: list[Longs] = []
        self.dst: list[Longs] = []
        self.edge: list[Longs] = []
        self.chain: list[Longs] = []
        self.up: list[Bools] = []
        self.owners = np.zeros(0, np.int64)

    def add_virtual(self, owners: Longs) -> Longs:
        """A vertex for each owner's attachment and an edge pair for each of its chains."""
        self.owners = owners
        vertices = self.size + np.arange(len(owners))
        self.size += len(owners)
        counts = np.diff(self.chains.start)[owners]
        owner, chain = positions(self.chains.start[owners], counts)
        leaf = self.number[self.chains.leaf[chain]]
        for up, src, dst in ((True, vertices[owner], leaf), (False, leaf, vertices[owner])):
            self._add(src, dst, np.full(len(chain), -1, np.int64), chain, up=up)
        return vertices

    def add_kept(self) -> None:
        """Working edges of the fabric between kept vertices."""
        fabric = self.fabric
        tiers = Tier if self.raw else BETWEEN
        edge = edges_between(fabric, self.weight, self.kept, self.kept, *tiers)
        none = np.full(len(edge), -1, np.int64)
        src, dst = self.number[fabric.src[edge]], self.number[fabric.dst[edge]]
        self._add(src, dst, edge, none, up=False)

    def _add(self, src: Longs, dst: Longs, edge: Longs, chain: Longs, *, up: bool) -> None:
        self.src.append(src)
        self.dst.append(dst)
        self.edge.append(edge)
        self.chain.append(chain)
        self.up.append(np.full(len(src), up))

    def finish(self, terminals: Longs, terminal_of: Longs, mode: Ints) -> Attachment:
        """The attachment."""
        edge, chain = np.concatenate(self.edge), np.concatenate(self.chain)
        up = np.concatenate(self.up)
        kind = self.fabric.vertex_kind[self.vertices]
        forwards = np.concatenate([kind != VertexKind.GPU, np.zeros(len(self.owners), bool)])
        colour = np.concatenate([kind.astype(np.int64), np.full(len(self.owners), 255)])
        out, back = self._weights(edge, chain, up)
        graph = Graph(
            colour=colour,
            forwards=forwards,
            src=np.concatenate(self.src).astype(np.int32),
            dst=np.concatenate(self.dst).astype(np.int32),
            weight=out,
            edge_hash=_pair_hash(out, back),
            terminals=terminals.astype(np.int32),
        )
        return Attachment(graph, terminal_of, mode, edge, chain, up, self.number)

    def _weights(self, edge: Longs, chain: Longs, up: Bools) -> tuple[Floats, Floats]:
        """Weight of each graph edge and of its opposite."""
        half = len(self.fabric.src) // 2
        turned = np.where(edge < half, edge + half, edge - half) if half else edge
        out, back = self.weight[edge], self.weight[turned]
        virtual = chain >= 0
        bus = self.weight[self.chains.bus_up[chain[virtual]]]
        down = self.weight[(self.chains.wire_up[chain[virtual]] + half) % (2 * half)]
        out[virtual] = np.where(up[virtual], bus, down)
        back[virtual] = np.where(up[virtual], down, bus)
        return out, back


def _pair_hash(out: Floats, back: Floats) -> Hashes:
    """A hash of each edge's two weights; fabrics of one speed need but one."""
    if len(out) and (out == out[0]).all() and (back == out[0]).all():
        return np.full(len(out), hash_columns(out[:1], back[:1])[0])
    return hash_columns(out, back)
