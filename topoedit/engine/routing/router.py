"""`Router`: bytes on every link for demand between GPUs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from topoedit.engine.routing.access import (
    OWN,
    RAW,
    Attachment,
    Chains,
    attach,
    find_chains,
    routing_weights,
)
from topoedit.engine.routing.alltoall import route_all_to_all
from topoedit.engine.routing.classes import edge_classes
from topoedit.engine.routing.graph import ConservationError, GraphRouter, Pushed
from topoedit.engine.routing.relays import Relays, find_relays
from topoedit.engine.routing.scaleup import ScaleUpRouter
from topoedit.engine.routing.sums import merge, sum_by
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


@dataclass(slots=True)
class Tally:
    """Load while demand is being routed."""

    load: Floats
    delivered: float = 0.0
    lost: float = 0.0
    lost_pairs: int = 0
    example: tuple[int, int] | None = None

    def lose(self, src: Longs, dst: Longs, amount: Floats) -> None:
        """Record pairs without a path and the bytes each could not send."""
        if not len(src):
            return
        self.lost += float(amount.sum())
        self.lost_pairs += len(src)
        if self.example is None:
            self.example = (int(src[0]), int(dst[0]))


@dataclass(eq=False)
class Router:
    """Routes demand over one fabric; what depends on the fabric alone is worked out once.

    Point-to-point bytes take, between GPUs of one scale-up domain, that domain's links; else the
    network from NIC to NIC (see `relays` for whose NICs), on all shortest paths, split at every
    hop in proportion to the capacity of the next hops' links. A GPU never forwards.

    Args:
        fabric: the fabric.
        weights: split by `capacity`, or by `cables` (equal-cost multipath that ignores speed).
        collapse: route on classes of equivalent switches (exact, and much faster).
    """

    fabric: Fabric
    weights: Weights = "capacity"
    collapse: bool = True
    weight: Floats = field(init=False)
    chains: Chains = field(init=False)
    relays: Relays = field(init=False)
    scale_up: ScaleUpRouter = field(init=False)

    def __post_init__(self) -> None:
        self.weight = routing_weights(self.fabric, by_capacity=self.weights == "capacity")
        self.chains = find_chains(self.fabric, self.weight)
        self.relays = find_relays(self.fabric, self.weight, self.chains)
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
        real = np.flatnonzero(attachment.edge >= 0)
        self._real, self._real_edge = real, attachment.edge[real]
        virtual = np.flatnonzero(attachment.chain >= 0)
        chain = attachment.chain[virtual]
        owned = attachment.mode[self.chains.rank[chain]] == OWN
        self._own, self._own_chain = virtual[owned], chain[owned]
        self._own_up = attachment.up[self._own]
        # GPUs whose chains each carry an equal part of all they send and receive
        even = (attachment.mode[self.chains.rank] != OWN) & (
            attachment.mode[self.chains.rank] != RAW
        )
        self._even = np.flatnonzero(even)
        self._part = 1.0 / np.diff(self.chains.start)[self.chains.rank[self._even]]
        half = max(len(self.fabric.src) // 2, 1)
        self._bus_down = (self.chains.bus_up + half) % (2 * half)
        self._wire_down = (self.chains.wire_up + half) % (2 * half)
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
        tally = Tally(np.zeros(len(self.fabric.src)))
        if isinstance(demand, Flows | AllToAll | InNetwork):
            demand = (demand,)
        for item in demand:
            if isinstance(item, Flows):
                self.route_flows(tally, item, pxn=pxn)
            elif isinstance(item, AllToAll):
                route_all_to_all(self, tally, item, pxn=pxn)
            else:
                self._reduce(tally, item)
        return EdgeLoad(tally.load, tally.delivered, tally.lost, tally.lost_pairs, tally.example)

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
        lost = self.scale_up.route(tally.load, src, dst, amount)
        tally.lose(src[lost], dst[lost], amount[lost])
        tally.delivered += float(amount.sum()) - float(amount[lost].sum())

    def _between_domains(
        self, tally: Tally, src: Longs, dst: Longs, amount: Floats, *, pxn: bool
    ) -> None:
        relays = self.relays
        direct = not pxn or bool((relays.rail[src] == relays.rail[dst]).all())
        if direct and relays.attached[src].all() and relays.attached[dst].all():
            lost = self._unreachable(src, dst)
            if len(lost):
                tally.lose(src[lost], dst[lost], amount[lost])
                keep = np.ones(len(src), bool)
                keep[lost] = False
                src, dst, amount = src[keep], dst[keep], amount[keep]
            self.over_network(tally.load, src, dst, amount)
            tally.delivered += float(amount.sum())
            return
        self._relayed(tally, src, dst, amount, pxn=pxn)

    def _relayed(self, tally: Tally, src: Longs, dst: Longs, amount: Floats, *, pxn: bool) -> None:
        """Flows some of which enter or leave the network by another GPU's NIC."""
        relays = self.relays
        flow, out, share = relays.destinations(dst)
        at, via, part = relays.sources(src[flow], relays.rail[out], pxn=pxn)
        flow, out, value = flow[at], out[at], amount[flow[at]] * share[at] * part
        reached = np.ones(len(flow), bool)
        reached[self._unreachable(via, out)] = False
        flow, out, via, value = flow[reached], out[reached], via[reached], value[reached]
        before, after = src[flow] != via, dst[flow] != out
        self.scale_up.route(tally.load, src[flow][before], via[before], value[before])
        self.over_network(tally.load, via, out, value)
        self.scale_up.route(tally.load, out[after], dst[flow][after], value[after])
        arrived = sum_by(flow, value, len(src))
        missing = amount - arrived
        lost = np.flatnonzero(missing > 1e-9 * amount)
        tally.lose(src[lost], dst[lost], missing[lost])
        tally.delivered += float(arrived.sum())

    def _unreachable(self, src: Longs, dst: Longs) -> Longs:
        """Indexes of pairs of attached GPUs without a path over the network."""
        if self.connected:
            return np.zeros(0, np.int64)
        terminal = self.attachment.terminal_of
        return np.flatnonzero(self.graph.hops(terminal[src], terminal[dst]) < 0)

    def over_network(self, load: Floats, src: Longs, dst: Longs, amount: Floats) -> None:
        """Add demand between attached GPUs that can reach each other."""
        gpus = len(self.fabric.gpus)
        sent = sum_by(src, amount, gpus)
        received = sum_by(dst, amount, gpus)
        self.add_access(load, sent, received)
        terminal = self.attachment.terminal_of
        count = len(self.graph.terminal_class)
        key, value = merge(terminal[src] * count + terminal[dst], amount, count * count)
        self.add_core(load, key // count, key % count, value)

    def add_access(self, load: Floats, sent: Floats, received: Floats) -> None:
        """Load the chains of GPUs that share terminals; (G,) bytes over the network."""
        even, rank = self._even, self.chains.rank[self._even]
        up, down = sent[rank] * self._part, received[rank] * self._part
        load[self.chains.bus_up[even]] += up
        load[self.chains.wire_up[even]] += up
        load[self._bus_down[even]] += down
        load[self._wire_down[even]] += down

    def add_core(self, load: Floats, src: Longs, dst: Longs, amount: Floats) -> None:
        """Load the graph with distinct pairs of terminals."""
        apart = src != dst
        pushed = self._push(src[apart], dst[apart], amount[apart])
        load[self._real_edge] += pushed.load[self._real]
        if not len(self._own):
            return
        own, chain = pushed.load[self._own], self._own_chain
        up = self._own_up
        np.add.at(load, self.chains.bus_up[chain[up]], own[up])
        np.add.at(load, self.chains.wire_up[chain[up]], own[up])
        np.add.at(load, self._bus_down[chain[~up]], own[~up])
        np.add.at(load, self._wire_down[chain[~up]], own[~up])

    def _push(self, src: Longs, dst: Longs, amount: Floats) -> Pushed:
        """Route on the quotient; should a hash collision have spoilt it, on the graph itself."""
        try:
            return self.graph.route(src, dst, amount)
        except ConservationError:
            if not self.graph.collapsed:
                raise
            return GraphRouter(self.attachment.graph, collapse=False).route(src, dst, amount)

    def _reduce(self, tally: Tally, demand: InNetwork) -> None:
        ranks = demand.groups.ravel()
        lost = self.scale_up.reduce(tally.load, ranks, demand.up, demand.down)
        tally.lose(ranks[lost], ranks[lost], np.full(len(lost), demand.down))
        tally.delivered += demand.down * (len(ranks) - len(lost))
