"""`Router`: bytes on every link for demand between GPUs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from topoedit.engine.routing.access import (
    OWN,
    SHARED,
    Attachment,
    Chains,
    attach,
    find_chains,
    routing_weights,
)
from topoedit.engine.routing.alltoall import route_all_to_all
from topoedit.engine.routing.classes import edge_classes
from topoedit.engine.routing.graph import ConservationError, GraphRouter
from topoedit.engine.routing.rails import without_joints
from topoedit.engine.routing.relays import Relays
from topoedit.engine.routing.scaleup import ScaleUpRouter
from topoedit.engine.routing.sums import merge, sum_by
from topoedit.engine.routing.tally import Tally
from topoedit.engine.types import (
    AllToAll,
    Demand,
    EdgeLoad,
    Fabric,
    Floats,
    Flows,
    InNetwork,
    Ints,
    Longs,
)

Weights = Literal["capacity", "cables"]
Rails = Literal["any", "static", "only"]


@dataclass(eq=False)
class Router:
    """Routes demand over one fabric; what depends on the fabric alone is worked out once.

    Point-to-point bytes take, between GPUs of one scale-up domain, that domain's links; else the
    network from NIC to NIC (see `relays` for whose NICs), on all shortest paths, split at every
    hop in proportion to the capacity of the next hops' links. A GPU never forwards.

    Args:
        fabric: the fabric.
        weights: split by `capacity`, or by `cables` (equal-cost multipath that ignores speed).
        rails: `any`; `static`: bytes enter and leave the network on the same rail, so that another
            rail is reached by PXN alone; `only`: besides, no switch that joins rails passes
            anything, as if it were not there.
        collapse: route on classes of equivalent switches (exact, and much faster).
    """

    fabric: Fabric
    weights: Weights = "capacity"
    rails: Rails = "any"
    collapse: bool = True
    weight: Floats = field(init=False)
    chains: Chains = field(init=False)
    relays: Relays = field(init=False)
    scale_up: ScaleUpRouter = field(init=False)

    def __post_init__(self) -> None:
        self.weight = routing_weights(self.fabric, by_capacity=self.weights == "capacity")
        self.chains = find_chains(self.fabric, self.weight)
        if self.rails == "only":
            self.weight = without_joints(self.fabric, self.weight, self.chains)
        strict = self.rails != "any"
        self.relays = Relays(self.fabric, self.weight, self.chains, strict)
        self.scale_up = ScaleUpRouter(self.fabric, self.weight)
        self._connect()

    # -- setup ---------------------------------------------------------------------------------

    def _connect(self) -> None:
        """Terminals and graph; multi-homed GPUs on unlike switches get terminals of their own."""
        split = np.zeros(len(self.fabric.gpus), bool)
        attachment = attach(self.fabric, self.weight, self.chains, split)
        graph = GraphRouter(attachment.graph, collapse=self.collapse)
        unlike = self._unlike(attachment, graph)
        if len(unlike):
            split = np.isin(attachment.terminal_of, unlike)
            attachment = attach(self.fabric, self.weight, self.chains, split)
            graph = GraphRouter(attachment.graph, collapse=self.collapse)
        self._use(attachment, graph)

    def _use(self, attachment: Attachment, graph: GraphRouter) -> None:
        self.attachment, self.graph = attachment, graph
        chains = self.chains
        half = max(len(self.fabric.src) // 2, 1)
        real = np.flatnonzero(attachment.edge >= 0)
        self._real_edge, self._real_class = attachment.edge[real], graph.edge_class[real]
        virtual = np.flatnonzero(attachment.chain >= 0)
        chain = attachment.chain[virtual]
        owned = attachment.mode[chains.rank[chain]] == OWN
        own = virtual[owned]
        self._own_class, self._own_chain = graph.edge_class[own], chain[owned]
        self._own_up = attachment.up[own]
        self._bus_down = _turned(chains.bus_up, half)
        self._wire_down = _turned(chains.wire_up, half)
        # GPUs whose chains each carry an equal part of all they send and receive
        even = np.flatnonzero(attachment.mode[chains.rank] == SHARED)
        self._even_rank = chains.rank[even]
        self._part = 1.0 / np.diff(chains.start)[self._even_rank]
        edges = (chains.bus_up, chains.wire_up, self._bus_down, self._wire_down)
        self._even_edges = tuple(edge[even] for edge in edges)
        self.connected = bool((graph.distance[graph.terminal_class] >= 0).all())

    def _unlike(self, attachment: Attachment, graph: GraphRouter) -> Longs:
        """Shared virtual terminals whose edges are not all of one class."""
        up = np.flatnonzero((attachment.chain >= 0) & attachment.up)
        rank = self.chains.rank[attachment.chain[up]]
        terminal, kind = attachment.terminal_of[rank], graph.edge_class[up]
        if not self.collapse:
            return np.unique(terminal[attachment.mode[rank] != OWN])
        count = len(graph.terminal_class)
        low = np.full(count, np.iinfo(np.int64).max)
        high = np.full(count, -1, np.int64)
        np.minimum.at(low, terminal, kind)
        np.maximum.at(high, terminal, kind)
        members = np.bincount(attachment.terminal_of[attachment.terminal_of >= 0], minlength=count)
        return np.flatnonzero((high > low) & (members > 1))

    @cached_property
    def edge_classes(self) -> Ints:
        """(E,) class of each directed edge; see `classes.edge_classes`."""
        return edge_classes(self.fabric)

    # -- routing -------------------------------------------------------------------------------

    def route(self, demand: Demand | Iterable[Demand], *, pxn: bool = True) -> EdgeLoad:
        """Bytes on each directed edge.

        Args:
            demand: one demand or several that run in the same phase.
            pxn: bytes for a GPU on another rail leave by the NIC on that rail (see `relays`).
        """
        demands = (demand,) if isinstance(demand, Flows | AllToAll | InNetwork) else tuple(demand)
        try:
            return self._routed(demands, pxn=pxn)
        except ConservationError:
            if not self.graph.collapsed:
                raise
            # two kinds of switch fell into one class by a hash collision: do without classes
            self.collapse = False
            self._connect()
            return self._routed(demands, pxn=pxn)

    def _routed(self, demands: tuple[Demand, ...], *, pxn: bool) -> EdgeLoad:
        fabric = self.fabric
        tally = Tally(len(fabric.src), len(fabric.gpus), len(self.graph.tail))
        for item in demands:
            if isinstance(item, Flows):
                self.route_flows(tally, item, pxn=pxn)
            elif isinstance(item, AllToAll):
                route_all_to_all(self, tally, item, pxn=pxn)
            else:
                self._reduce(tally, item)
        load = self._edge_load(tally)
        return EdgeLoad(load, tally.delivered, tally.lost, tally.lost_pairs, tally.example)

    def _edge_load(self, tally: Tally) -> Floats:
        """Bytes on each edge from the parts of a tally.

        Chains of evenly loaded GPUs, links of star domains and the graph's edges are disjoint.
        """
        load = tally.load
        if tally.has("inside"):
            self.scale_up.put(load, *tally.inside)
        if tally.has("network"):
            sent, received = (bytes_[self._even_rank] * self._part for bytes_ in tally.network)
            for edge, value in zip(self._even_edges, (sent, sent, received, received), strict=True):
                load[edge] = value
        if tally.has("classes"):
            load[self._real_edge] = tally.classes[self._real_class]
            self._own_chains(load, tally.classes)
        return load

    def _own_chains(self, load: Floats, classes: Floats) -> None:
        """Chains of GPUs with a terminal of their own carry what its edges in the graph do."""
        value, chain = classes[self._own_class], self._own_chain
        up, chains = self._own_up, self.chains
        load[chains.bus_up[chain[up]]] = value[up]
        load[chains.wire_up[chain[up]]] = value[up]
        load[self._bus_down[chain[~up]]] = value[~up]
        load[self._wire_down[chain[~up]]] = value[~up]

    def phase_time(self, load: EdgeLoad) -> float:
        """Seconds that the fullest link of known rate needs for its bytes."""
        capacity = self.fabric.capacity
        known = capacity > 0
        return float((load.bytes[known] / capacity[known]).max(initial=0.0))

    def route_flows(self, tally: Tally, flows: Flows, *, pxn: bool) -> None:
        """Add point-to-point demand to `tally`."""
        src, dst, amount = flows.src, flows.dst, flows.bytes
        apart = (src != dst) & (amount > 0)
        if not apart.all():
            tally.delivered += float(amount[src == dst].sum())
            src, dst, amount = src[apart], dst[apart], amount[apart]
        domain = self.fabric.gpu_domain
        inside = domain[src] == domain[dst]
        if inside.any():
            self.inside_domains(tally, src[inside], dst[inside], amount[inside])
            outside = ~inside
            src, dst, amount = src[outside], dst[outside], amount[outside]
        if len(src):
            self._between_domains(tally, src, dst, amount, pxn=pxn)

    def inside_domains(self, tally: Tally, src: Longs, dst: Longs, amount: Floats) -> None:
        """Add demand between GPUs of one domain."""
        lost = self.scale_up.route(tally, src, dst, amount)
        tally.lose(src[lost], dst[lost], amount[lost])
        tally.delivered += float(amount.sum()) - float(amount[lost].sum())

    def _between_domains(
        self, tally: Tally, src: Longs, dst: Longs, amount: Floats, *, pxn: bool
    ) -> None:
        relays = self.relays
        free = not pxn and not relays.strict
        direct = free or bool((relays.rail[src] == relays.rail[dst]).all())
        if direct and self._attached(src) and self._attached(dst):
            lost = self._unreachable(src, dst)
            if len(lost):
                tally.lose(src[lost], dst[lost], amount[lost])
                keep = np.ones(len(src), bool)
                keep[lost] = False
                src, dst, amount = src[keep], dst[keep], amount[keep]
            self.over_network(tally, src, dst, amount)
            tally.delivered += float(amount.sum())
            return
        self._relayed(tally, src, dst, amount, pxn=pxn)

    def _attached(self, ranks: Longs) -> bool:
        return self.relays.all_attached or bool(self.relays.attached[ranks].all())

    def _relayed(self, tally: Tally, src: Longs, dst: Longs, amount: Floats, *, pxn: bool) -> None:
        """Flows some of which enter or leave the network by another GPU's NIC."""
        flow, via, out, value = self.network_legs(src, dst, amount, pxn=pxn)
        before, after = src[flow] != via, dst[flow] != out
        self.scale_up.route(tally, src[flow][before], via[before], value[before])
        self.over_network(tally, via, out, value)
        self.scale_up.route(tally, out[after], dst[flow][after], value[after])
        arrived = sum_by(flow, value, len(src))
        missing = amount - arrived
        lost = np.flatnonzero(missing > 1e-9 * amount)
        tally.lose(src[lost], dst[lost], missing[lost])
        tally.delivered += float(arrived.sum())

    def network_legs(
        self, src: Longs, dst: Longs, amount: Floats, *, pxn: bool
    ) -> tuple[Longs, Longs, Longs, Floats]:
        """How flows between domains cross the network; what has no path is left out.

        Returns:
            Number of the flow, rank whose NIC it leaves by, rank whose NIC it arrives by, bytes.
        """
        relays = self.relays
        flow, out, share = relays.destinations(dst)
        at, via, part = relays.sources(src[flow], relays.rail[out], pxn=pxn)
        flow, out, value = flow[at], out[at], amount[flow[at]] * share[at] * part
        reached = np.ones(len(flow), bool)
        reached[self._unreachable(via, out)] = False
        return flow[reached], via[reached], out[reached], value[reached]

    def _unreachable(self, src: Longs, dst: Longs) -> Longs:
        """Indexes of pairs of attached GPUs without a path over the network."""
        if self.connected:
            return np.zeros(0, np.int64)
        terminal = self.attachment.terminal_of
        return np.flatnonzero(self.graph.hops(terminal[src], terminal[dst]) < 0)

    def has_path(self, src: Longs, dst: Longs) -> bool:
        """Whether all pairs of terminals are joined."""
        return self.connected or bool((self.graph.hops(src, dst) >= 0).all())

    def over_network(self, tally: Tally, src: Longs, dst: Longs, amount: Floats) -> None:
        """Add demand between attached GPUs that can reach each other."""
        tally.add("network", sum_by(src, amount, tally.gpus), sum_by(dst, amount, tally.gpus))
        terminal = self.attachment.terminal_of
        count = len(self.graph.terminal_class)
        here, there = terminal[src], terminal[dst]
        far = np.flatnonzero(here != there)
        key, value = merge(here[far] * count + there[far], amount[far], count * count)
        self.add_pairs(tally, key // count, key % count, value)

    def add_pairs(self, tally: Tally, src: Longs, dst: Longs, amount: Floats) -> None:
        """Add demand between distinct pairs of unlike terminals."""
        if len(src):
            np.add(tally.classes, self.graph.route(src, dst, amount).load, out=tally.classes)

    def _reduce(self, tally: Tally, demand: InNetwork) -> None:
        ranks = demand.groups.ravel()
        lost = self.scale_up.reduce(tally, ranks, demand.up, demand.down)
        tally.lose(ranks[lost], ranks[lost], np.full(len(lost), demand.down))
        tally.delivered += demand.down * (len(ranks) - len(lost))


def _turned(edge: Longs, half: int) -> Longs:
    """The opposite directions of edges."""
    return np.where(edge < half, edge + half, edge - half)
