"""The slow, obvious router: one search of networkx for each destination, written from the rules.

It shares no code with topoedit.engine.routing, only the fabric's arrays.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median

import networkx as nx
import numpy as np

from topoedit.engine.types import Fabric, VertexKind

NETWORK = {
    VertexKind.NIC, VertexKind.LEAF, VertexKind.SPINE, VertexKind.CORE, VertexKind.SWITCH,
    VertexKind.ROUTER,
}  # fmt: skip

Legs = dict[tuple[bool, int], dict[int, float]]
"""Bytes by start vertex, for each network (scale-up or not) and destination vertex."""


@dataclass
class Result:
    """Bytes on each edge, bytes into each GPU, and lost bytes of each pair."""

    load: np.ndarray
    into: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    lost: dict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))


Hop = Callable[[tuple[int, int, int, int], int, int, int], int]
"""(connection, vertex, hops to the last switch, number of cables) -> cable; a connection is
(source vertex, destination vertex, NIC of the source, flow)."""


class Oracle:
    """Routes the flows to one destination after another.

    `by` is what traffic splits by; `rails` is `any`, `static` (bytes never change rail in the
    network) or `only` (besides, no switch joins rails).
    """

    def __init__(self, fabric: Fabric, by: str = "capacity", rails: str = "any") -> None:
        self.fabric, self.rails = fabric, rails
        cables = [float(n) for n in fabric.working.tolist()]
        self.weight = self._weights() if by == "capacity" else cables
        self.kind = fabric.vertex_kind.tolist()
        self.network, self.scale_up = nx.MultiDiGraph(), nx.MultiDiGraph()
        for edge, (a, b) in enumerate(zip(fabric.src.tolist(), fabric.dst.tolist(), strict=True)):
            if self.weight[edge] > 0:
                up = VertexKind.SCALE_UP in (self.kind[a], self.kind[b])
                (self.scale_up if up else self.network).add_edge(a, b, key=edge)
        self.gpus = fabric.gpus.tolist()
        if rails == "only":
            self._part_rails()
        self.domain, self.server = fabric.gpu_domain.tolist(), fabric.gpu_server.tolist()
        self.nics = {rank: self._nics(vertex) for rank, vertex in enumerate(self.gpus)}
        self._distances: dict[tuple[bool, int], dict[int, int]] = {}

    def _weights(self) -> list[float]:
        capacity, cables = self.fabric.capacity.tolist(), self.fabric.working.tolist()
        tier = self.fabric.tier.tolist()
        known: dict[int, list[float]] = defaultdict(list)
        for c, n, t in zip(capacity, cables, tier, strict=True):
            if c > 0:
                known[t].append(c / n)
        everything = [rate for rates in known.values() for rate in rates]
        weights = []
        for c, n, t in zip(capacity, cables, tier, strict=True):
            if math.isnan(c):
                c = n * median(known[t] or everything or [1.0])
            weights.append(c)
        return weights

    def _nics(self, vertex: int) -> list[tuple[int, float]]:
        """(number, rate) of the NICs of a GPU that lead somewhere."""
        found = []
        for nic in self.network.successors(vertex) if vertex in self.network else ():
            for _, there, edge in self.network.out_edges(nic, keys=True):
                if self.kind[there] != VertexKind.GPU:
                    found.append((int(self.fabric.vertex_local[nic]), self.weight[edge]))
        return sorted(found)

    # -- rules of relays -------------------------------------------------------------------------

    def rail(self, rank: int) -> int | None:
        return self.nics[rank][0][0] if self.nics[rank] else None

    def _shared(self, ranks: list[int]) -> list[tuple[int, float]]:
        rates = {rank: sum(rate for _, rate in self.nics[rank]) for rank in ranks}
        total = sum(rates.values())
        return [(rank, rate / total) for rank, rate in rates.items()]

    def access(self, rank: int) -> list[tuple[int, float]]:
        if self.nics[rank]:
            return [(rank, 1.0)]
        others = [r for r in range(len(self.gpus)) if self.domain[r] == self.domain[rank]]
        near = [r for r in others if self.server[r] == self.server[rank] and self.nics[r]]
        return self._shared(near or [r for r in others if self.nics[r]])

    def senders(self, rank: int, rail: int, pxn: bool) -> list[tuple[int, float]]:
        if self.rails != "any":
            return self._senders_on_rail(rank, rail, pxn)
        if pxn and self.rail(rank) != rail:
            place = (self.server[rank], self.domain[rank])
            there = [
                r
                for r in range(len(self.gpus))
                if (self.server[r], self.domain[r]) == place and self.rail(r) == rail
            ]
            if there:
                return self._shared(there)
        return self.access(rank)

    def _senders_on_rail(self, rank: int, rail: int, pxn: bool) -> list[tuple[int, float]]:
        if self.rail(rank) == rail:
            return [(rank, 1.0)]
        place = (self.server[rank], self.domain[rank])
        there = [
            r
            for r in range(len(self.gpus))
            if (self.server[r], self.domain[r]) == place and self.rail(r) == rail
        ]
        return self._shared(there) if there and (pxn or not self.nics[rank]) else []

    def _part_rails(self) -> None:
        """Take out switches, other than leaves, that serve NICs of several rails from below."""
        switches = {v for v in self.network if self.kind[v] in NETWORK - {VertexKind.NIC}}
        below: dict[int, set[int]] = defaultdict(set)
        for gpu in self.gpus:
            for nic in self.network.successors(gpu) if gpu in self.network else ():
                for leaf in self.network.successors(nic):
                    if leaf in switches:
                        below[leaf].add(int(self.fabric.vertex_local[nic]))
        leaves = set(below)
        layer = list(below)
        while layer:
            above: dict[int, set[int]] = defaultdict(set)
            for v in layer:
                for up in self.network.successors(v):
                    if up in switches and up not in below:
                        above[up] |= below[v]
            below.update(above)
            layer = list(above)
        self.network.remove_nodes_from([v for v in set(below) - leaves if len(below[v]) > 1])

    # -- routing ---------------------------------------------------------------------------------

    def route(self, flows: list[tuple[int, int, float]], *, pxn: bool) -> Result:
        result = Result(np.zeros(len(self.fabric.src)))
        legs: Legs = defaultdict(lambda: defaultdict(float))
        for src, dst, amount in flows:
            arrived = self._flow(legs, src, dst, amount, pxn)
            result.into[dst] += arrived
            if arrived < amount * (1 - 1e-12):
                result.lost[src, dst] += amount - arrived
        for (inside, end), starts in legs.items():
            self.push(result.load, inside=inside, end=end, starts=starts)
        return result

    def _flow(self, legs: Legs, src: int, dst: int, amount: float, pxn: bool) -> float:
        """Note the legs of a flow; returns the bytes that arrive."""
        if src == dst:
            return amount
        if self.domain[src] == self.domain[dst]:
            return amount if self._leg(legs, True, src, dst, amount) else 0.0
        arrived = 0.0
        for out, share in self.access(dst):
            for via, part in self.senders(src, self.rail(out), pxn):
                value = amount * share * part
                if self._leg(legs, False, via, out, value):
                    self._leg(legs, True, src, via, value)
                    self._leg(legs, True, out, dst, value)
                    arrived += value
        return arrived

    def _leg(self, legs: Legs, inside: bool, src: int, dst: int, amount: float) -> bool:
        """Note a journey without relays, if there is a path for it."""
        start, end = self.gpus[src], self.gpus[dst]
        if start != end and start not in self._distance(inside, end):
            return False
        if start != end:
            legs[inside, end][start] += amount
        return True

    def push(self, load: np.ndarray, *, inside: bool, end: int, starts: dict[int, float]) -> None:
        """All bytes to one destination: all shortest paths, split by capacity at each hop."""
        graph = self.scale_up if inside else self.network
        distance = self._distance(inside, end)
        here = dict(starts)
        for vertex in sorted(distance, key=distance.__getitem__, reverse=True):
            value = here.get(vertex, 0.0)
            if vertex == end or not value:
                continue
            hops = [
                (edge, b)
                for _, b, edge in graph.out_edges(vertex, keys=True)
                if distance.get(b) == distance[vertex] - 1 and self._passes(inside, b, end)
            ]
            total = sum(self.weight[edge] for edge, _ in hops)
            for edge, b in hops:
                part = value * self.weight[edge] / total
                load[edge] += part
                here[b] = here.get(b, 0.0) + part
        assert math.isclose(here[end], sum(starts.values()), rel_tol=1e-12)

    # -- one path for each connection ------------------------------------------------------------

    def walk(
        self, flows: list[tuple[int, int, float]], hop: Hop, *, pxn: bool, count: int = 1
    ) -> dict[tuple[int, int], float]:
        """Bytes on each (edge, cable) of the network when connections take one path each."""
        pairs: dict[tuple[int, int], float] = defaultdict(float)
        for src, dst, amount in flows:
            if self.domain[src] == self.domain[dst]:
                continue
            for out, share in self.access(dst):
                for via, part in self.senders(src, self.rail(out), pxn):
                    pairs[via, out] += amount * share * part
        load: dict[tuple[int, int], float] = defaultdict(float)
        for (via, out), amount in pairs.items():
            start, end = self.gpus[via], self.gpus[out]
            if start not in self._distance(False, end):
                continue
            doors = self._doors(start, end)
            for door in doors:
                for flow in range(count):
                    for cable in self._one_path(end, (start, end, door[0], flow), door, hop):
                        load[cable] += amount / len(doors) / count
        return load

    def _doors(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Working NICs on a shortest path: number, edge to the NIC, edge from it."""
        distance, found = self._distance(False, end), []
        for _, nic, bus in sorted(self.network.out_edges(start, keys=True), key=lambda e: e[2]):
            for _, leaf, wire in self.network.out_edges(nic, keys=True):
                if self.kind[leaf] != VertexKind.GPU:
                    found.append((nic, leaf, bus, wire))
        return [
            (number, bus, wire)
            for number, (_, leaf, bus, wire) in enumerate(found)
            if distance.get(leaf) == distance[start] - 2
        ]

    def _one_path(
        self, end: int, connection: tuple[int, int, int, int], door: tuple[int, int, int], hop: Hop
    ) -> Iterator[tuple[int, int]]:
        distance = self._distance(False, end)
        yield from ((edge, 0) for edge in door[1:])
        here = int(self.fabric.dst[door[2]])
        while here != end:
            ways = [
                (self._order(edge, b), edge, b, cable)
                for _, b, edge in self.network.out_edges(here, keys=True)
                if distance.get(b) == distance[here] - 1 and self._passes(False, b, end)
                for cable in range(int(self.fabric.working[edge]))
            ]
            _, edge, here_next, cable = sorted(ways)[
                hop(connection, here, distance[here] - 2, len(ways))
            ]
            yield edge, cable
            here = here_next

    def _order(self, edge: int, head: int) -> int:
        """Cables are numbered by edge, those to a NIC by the edge from its GPU."""
        if self.kind[head] != VertexKind.NIC:
            return edge
        return min(e for gpu, _, e in self.network.in_edges(head, keys=True) if gpu in self.gpus)

    def _passes(self, inside: bool, vertex: int, end: int) -> bool:
        kind = self.kind[vertex]
        return vertex == end or (kind == VertexKind.SCALE_UP if inside else kind in NETWORK)

    def _distance(self, inside: bool, end: int) -> dict[int, int]:
        """Hops to `end` from everywhere; only switches and NICs forward."""
        key = (inside, end)
        if key not in self._distances:
            graph = self.scale_up if inside else self.network
            passing = [v for v in graph if self._passes(inside, v, end)]
            core = graph.subgraph(passing).reverse(copy=False)
            found = dict(nx.single_source_shortest_path_length(core, end)) if end in core else {}
            for vertex in graph:
                if vertex not in found and not self._passes(inside, vertex, end):
                    near = [found[b] for b in graph.successors(vertex) if b in found]
                    if near:
                        found[vertex] = min(near) + 1
            self._distances[key] = found
        return self._distances[key]
