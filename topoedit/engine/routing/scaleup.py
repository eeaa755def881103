"""Traffic inside scale-up domains.

Most domains are stars: one crossbar and one link for each GPU, where a byte from GPU to GPU is a
byte on two links. Other domains (meshes, tori, trays with separate switches) are routed on their
own small graph, once for each shape of domain, since a cluster has many copies of few shapes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from topoedit.engine.compile.domains import components
from topoedit.engine.routing.access import alive, links_of
from topoedit.engine.routing.colours import hash_columns
from topoedit.engine.routing.graph import Graph, GraphRouter
from topoedit.engine.routing.sums import positions, sum_by
from topoedit.engine.routing.tally import Tally
from topoedit.engine.types import Bools, Fabric, Floats, Ints, Longs, Tier, VertexKind

_CHUNK = 1_000_000


@dataclass(frozen=True, eq=False)
class Shape:
    """A domain's graph with local numbers, its GPUs, and where their bytes enter the switches."""

    router: GraphRouter
    gpus: Longs
    spread: tuple[tuple[tuple[int, float], ...], ...]


@dataclass(frozen=True, eq=False)
class _Domain:
    """One domain that is no star: its vertices and edges in the fabric, and its shape."""

    shape: int
    edges: Longs


@dataclass(eq=False)
class ScaleUpRouter:
    """Loads scale-up edges.

    Args:
        fabric: the fabric.
        weight: routing weight of each edge.
    """

    fabric: Fabric
    weight: Floats
    shapes: list[Shape] = field(default_factory=list)

    def __post_init__(self) -> None:
        fabric = self.fabric
        kind, gpus = fabric.vertex_kind, len(fabric.gpus)
        up = kind == VertexKind.SCALE_UP
        some = links_of(fabric, Tier.SCALE_UP, Tier.HOST_BUS)
        ends = up[fabric.src[some]], up[fabric.dst[some]]
        half = len(fabric.src) // 2
        inner = some[ends[0] & ends[1]]
        inner = alive(np.concatenate([inner, inner + half]), self.weight)
        some = some[ends[0] | ends[1]]
        self._edges = alive(np.concatenate([some, some + half]), self.weight)
        rank_of = np.full(len(kind), -1, np.int64)
        rank_of[fabric.gpus] = np.arange(gpus)
        rank = rank_of[fabric.src[self._edges]]
        leaving, rank = self._edges[rank >= 0], rank[rank >= 0]
        self.link_of = np.full(gpus, -1, np.int64)
        self.link_of[rank] = leaving
        self.has_links = self.link_of >= 0
        self.link_back = np.where(self.link_of < half, self.link_of + half, self.link_of - half)
        # a star: its hub has no other scale-up vertex beside it, its GPUs have no second link
        links = np.bincount(rank, minlength=gpus)
        hub = fabric.dst[leaving]
        odd = np.zeros(len(kind), bool)
        odd[fabric.src[inner]] = True
        odd[hub[links[rank] > 1]] = True
        self.star: Bools = links == 1
        self.star[rank[odd[hub]]] = False
        self.all_stars = bool(self.star.all())
        self._star_rank = np.flatnonzero(self.star)
        self._star_link = self.link_of[self._star_rank]
        self._star_back = self.link_back[self._star_rank]
        self._domains: dict[int, _Domain] = {}
        self._shape_of: dict[bytes, int] = {}

    @cached_property
    def _label(self) -> Ints:
        """Domain of every vertex."""
        edges, fabric = self._edges, self.fabric
        return components(len(fabric.vertex_kind), fabric.src[edges], fabric.dst[edges])

    @cached_property
    def _sorted_edges(self) -> tuple[Ints, Longs]:
        """Scale-up edges by domain: their domains and the edges."""
        label = self._label[self.fabric.src[self._edges]]
        order = np.argsort(label, kind="stable")
        return label[order], self._edges[order]

    @cached_property
    def _local(self) -> Longs:
        """Number of each GPU among those of its domain, in vertex order."""
        vertices = self.fabric.gpus
        order = np.lexsort((vertices, self._label[vertices]))
        label = self._label[vertices][order]
        local = np.empty(len(order), np.int64)
        local[order] = np.arange(len(order)) - np.searchsorted(label, label, side="left")
        return local

    # -- pairs ---------------------------------------------------------------------------------

    def put(self, load: Floats, sent: Floats, received: Floats) -> None:
        """Set the links of star domains to (G,) bytes that each GPU sends and receives."""
        load[self._star_link] = sent[self._star_rank]
        load[self._star_back] = received[self._star_rank]

    def route(self, tally: Tally, src: Longs, dst: Longs, amount: Floats) -> Longs:
        """Add demand between GPUs of one domain; returns indexes of what has no path."""
        if not len(src):
            return src
        star = self.star[src]
        if self.all_stars or star.all():
            self._route_stars(tally, src, dst, amount)
            return np.zeros(0, np.int64)
        self._route_stars(tally, src[star], dst[star], amount[star])
        rest = np.flatnonzero(~star)
        linked = self.has_links[src[rest]] & self.has_links[dst[rest]]
        lost = [rest[~linked]]
        rest = rest[linked]
        vertices = self.fabric.gpus[src[rest]]
        labels, which = np.unique(self._label[vertices], return_inverse=True)
        shape = np.array([self._domain(label).shape for label in labels.tolist()], int)[which]
        for number in np.unique(shape).tolist():
            part = rest[shape == number]
            lost.append(self._route_shape(tally.load, self.shapes[number], part, src, dst, amount))
        return np.concatenate(lost)

    def _route_stars(self, tally: Tally, src: Longs, dst: Longs, amount: Floats) -> None:
        tally.add("inside", sum_by(src, amount, tally.gpus), sum_by(dst, amount, tally.gpus))

    def _route_shape(
        self, load: Floats, shape: Shape, part: Longs, src: Longs, dst: Longs, amount: Floats
    ) -> Longs:
        """Demand `part` inside domains of one shape: the share of each pair worked out once."""
        size = len(shape.gpus)
        labels = self._label[self.fabric.gpus[src[part]]]
        instances, instance = np.unique(labels, return_inverse=True)
        one, other = self._local[src[part]], self._local[dst[part]]
        if len(instances) == 1:
            pushed = shape.router.route(one, other, amount[part])
            edges = self._domains[int(instances[0])].edges
            load[edges] += pushed.load[shape.router.edge_class]
            return np.asarray(part[pushed.lost])
        pairs, pair = np.unique(one * size + other, return_inverse=True)
        demand, edge, share = shape.router.paths(pairs // size, pairs % size)
        order = np.argsort(demand, kind="stable")
        edge, share = edge[order], share[order]
        start = np.searchsorted(demand[order], np.arange(len(pairs) + 1))
        classes = len(shape.router.tail)
        total = np.zeros(len(instances) * classes)
        for low in range(0, len(part), _CHUNK):
            chunk = slice(low, low + _CHUNK)
            which, at = positions(start[pair[chunk]], np.diff(start)[pair[chunk]])
            value = share[at] * amount[part[chunk]][which]
            total += sum_by(instance[chunk][which] * classes + edge[at], value, len(total))
        by_instance = total.reshape(len(instances), classes)[:, shape.router.edge_class]
        for row, label in enumerate(instances.tolist()):
            load[self._domains[label].edges] += by_instance[row]
        hops = shape.router.hops(one, other)
        return np.asarray(part[hops < 0])

    # -- reduction in the switch -----------------------------------------------------------------

    def reduce(self, tally: Tally, ranks: Longs, up: float, down: float) -> Longs:
        """Add `up` bytes from each GPU into its scale-up switches and `down` back.

        Returns:
            Indexes of GPUs that have no scale-up link.
        """
        times = np.bincount(ranks, minlength=tally.gpus).astype(np.float64)
        tally.add("inside", times * up, times * down)
        if self.all_stars:
            return np.zeros(0, np.int64)
        star, load = self.star[ranks], tally.load
        half = len(self.fabric.src) // 2
        for rank in ranks[~star & self.has_links[ranks]].tolist():
            domain = self._domain(int(self._label[self.fabric.gpus[rank]]))
            for local, share in self.shapes[domain.shape].spread[int(self._local[rank])]:
                edge = int(domain.edges[local])
                load[edge] += up * share
                load[(edge + half) % (2 * half)] += down * share
        return np.flatnonzero(~self.has_links[ranks])

    # -- shapes --------------------------------------------------------------------------------

    def _domain(self, label: int) -> _Domain:
        found = self._domains.get(label)
        if found is None:
            labels, edges = self._sorted_edges
            low, high = np.searchsorted(labels, [label, label + 1])
            edges = edges[low:high]
            found = self._domains[label] = _Domain(self._shape(edges), edges)
        return found

    def _shape(self, edges: Longs) -> int:
        fabric = self.fabric
        half = len(fabric.src) // 2
        vertices, ends = np.unique(
            np.concatenate([fabric.src[edges], fabric.dst[edges]]), return_inverse=True
        )
        src, dst = ends[: len(edges)], ends[len(edges) :]
        weight, back = self.weight[edges], self.weight[(edges + half) % (2 * half)]
        kind = fabric.vertex_kind[vertices]
        ranked = np.isin(vertices, fabric.gpus)
        key = b"".join(a.tobytes() for a in (src, dst, weight, kind, ranked))
        number = self._shape_of.setdefault(key, len(self.shapes))
        if number == len(self.shapes):
            graph = Graph(
                colour=kind.astype(np.int64),
                forwards=kind == VertexKind.SCALE_UP,
                src=src.astype(np.int32),
                dst=dst.astype(np.int32),
                weight=weight,
                edge_hash=hash_columns(weight, back),
                terminals=np.flatnonzero(ranked).astype(np.int32),
            )
            gpus = np.flatnonzero(ranked)
            self.shapes.append(Shape(GraphRouter(graph), gpus, _spreads(graph, gpus)))
        return number


def _spreads(graph: Graph, gpus: Longs) -> tuple[tuple[tuple[int, float], ...], ...]:
    """For each GPU the edges its bytes take into the switches, with their shares.

    The bytes split by capacity; a scale-up vertex that serves this GPU alone and has others
    behind it is the GPU's own router and passes them on.
    """
    is_gpu = ~graph.forwards
    served = np.bincount(graph.dst[is_gpu[graph.src]], minlength=len(graph.colour))
    spreads = []
    for gpu in gpus.tolist():
        first = _split(graph, gpu, 1.0)
        spread = list(first)
        for edge, share in first:
            router = int(graph.dst[edge])
            if served[router] == 1:
                spread.extend(_split(graph, router, share))
        spreads.append(tuple(spread))
    return tuple(spreads)


def _split(graph: Graph, vertex: int, share: float) -> list[tuple[int, float]]:
    """Edges from a vertex to scale-up vertices and the share of each."""
    edges = np.flatnonzero((graph.src == vertex) & graph.forwards[graph.dst])
    weight = graph.weight[edges]
    parts = (share * weight / weight.sum()).tolist()
    return list(zip(edges.tolist(), parts, strict=True))
