"""`trace`: every shortest way between two ends of a fabric, as classes of equivalent paths.

The rules are the router's, so a traced share is what routing one byte would put on a link:

- GPUs of one scale-up domain talk over that domain;
- else a GPU uses its own NICs; without one, those of its server, else of its domain; with PXN the
  bytes first move over scale-up to the GPU whose NIC is on the destination's rail (see `relays`);
- over the network all shortest paths are used, split at each hop in proportion to weight.

The shortest paths of a pair form a small directed graph; colour refinement of it finds vertices
that nothing tells apart, and a path of such classes is one entry with the share of all its members.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal

import numpy as np

from topoedit.engine.compile.layout import vertex_is_switch
from topoedit.engine.routing import Router
from topoedit.engine.routing.colours import hash_columns, refine
from topoedit.engine.routing.sums import positions, starts, sum_by
from topoedit.engine.types import Bools, Floats, Ints, Longs, VertexKind

MAX_PATHS = 64
LegKind = Literal["scale-up", "bus", "network"]


@dataclass(frozen=True, slots=True)
class End:
    """One end of a trace.

    Attributes:
        vertex: its vertex in the fabric.
        rank: rank of a GPU, -1 for anything else.
        owner: for a NIC the rank of the GPU it hangs on, else -1.
    """

    vertex: int
    rank: int = -1
    owner: int = -1


@dataclass(frozen=True, eq=False)
class Hop:
    """One hop of a class of paths.

    Attributes:
        edge: the edge of the example.
        members: all edges of the class.
        choices: edges that share the traffic at the example's tail (equal-cost next hops).
        leg: what kind of leg this hop belongs to.
    """

    edge: int
    members: Longs
    choices: Longs
    leg: LegKind


@dataclass(frozen=True, eq=False)
class Path:
    """A class of equivalent paths.

    Attributes:
        share: share of the bytes that takes them, all paths together 1 if all arrive.
        hops: from one end to the other.
        via: rank whose NIC the bytes leave by, -1 if they never leave by a GPU's NIC.
        out: rank whose NIC they arrive by, -1 likewise.
    """

    share: float
    hops: tuple[Hop, ...]
    via: int = -1
    out: int = -1


@dataclass(frozen=True, eq=False)
class Trace:
    """All paths between two ends.

    Attributes:
        paths: classes by falling share, at most MAX_PATHS.
        edges, shares: every edge on a path and its share of the bytes.
        delivered: share of the bytes that has a path.
        omitted: share of the bytes on classes beyond MAX_PATHS.
    """

    paths: tuple[Path, ...]
    edges: Longs
    shares: Floats
    delivered: float
    omitted: float = 0.0


@dataclass(frozen=True, eq=False)
class _Leg:
    """Shortest paths between two vertices: their classes, and shares by edge."""

    paths: tuple[Path, ...]
    edges: Longs
    shares: Floats


@dataclass(frozen=True, eq=False)
class _Way:
    """How bytes get from an end to where the network begins (or back): legs and a share."""

    vertex: int
    share: float
    legs: tuple[_Leg, ...] = ()
    rank: int = -1


@dataclass(eq=False)
class Tracer:
    """Traces paths on one fabric.

    Args:
        router: a router of the fabric; its weights and relays are used.
    """

    router: Router
    _in: tuple[Longs, Longs] = field(init=False)
    _out: tuple[Longs, Longs] = field(init=False)
    _is_up: Bools = field(init=False)

    def __post_init__(self) -> None:
        fabric = self.router.fabric
        kinds, vertices = fabric.vertex_kind, len(fabric.vertex_kind)
        self._in = _by_vertex(fabric.dst, vertices)
        self._out = _by_vertex(fabric.src, vertices)
        up = kinds == VertexKind.SCALE_UP
        self._is_up = up[fabric.src] | up[fabric.dst]
        self._forwards = {
            "scale-up": up,
            "network": vertex_is_switch(kinds) | (kinds == VertexKind.NIC),
            "bus": np.zeros(vertices, bool),
        }

    def trace(self, a: End, b: End, *, pxn: bool = True) -> Trace:
        """Every shortest way from `a` to `b`; no paths if there is none."""
        inside = self._inside(a, b)
        if inside is not None:
            whole = [_Way(b.vertex, 1.0, inside)] if inside else []
            return _collect([(way.share, way.legs, -1, -1) for way in whole])
        found: list[tuple[float, tuple[_Leg, ...], int, int]] = []
        for arrival in self._arrivals(b):
            for start in self._departures(a, b, arrival.rank, pxn=pxn):
                leg = self._leg(start.vertex, arrival.vertex, "network")
                if leg is not None:
                    legs = (*start.legs, leg, *arrival.legs)
                    found.append((start.share * arrival.share, legs, start.rank, arrival.rank))
        return _collect(found)

    # -- ends ----------------------------------------------------------------------------------

    def _inside(self, a: End, b: End) -> tuple[_Leg, ...] | None:
        """Legs without the network: () if there is no path, None if the network is needed."""
        kinds, fabric = self.router.fabric.vertex_kind, self.router.fabric
        if VertexKind.SCALE_UP in (kinds[a.vertex], kinds[b.vertex]):
            return self._chain((a.vertex, b.vertex, "scale-up"))
        if a.rank >= 0 and b.rank >= 0:
            same = fabric.gpu_domain[a.rank] == fabric.gpu_domain[b.rank]
            return self._chain((a.vertex, b.vertex, "scale-up")) if same else None
        gpu, nic = (a, b) if a.rank >= 0 else (b, a)
        if gpu.rank < 0 or nic.owner < 0:
            return None
        unit, owner = self.router.relays.unit, int(fabric.gpus[nic.owner])
        if unit[gpu.rank] != unit[nic.owner]:
            return None
        if gpu.rank == nic.owner:
            return self._chain((a.vertex, b.vertex, "bus"))
        if gpu is a:
            return self._chain((a.vertex, owner, "scale-up"), (owner, b.vertex, "bus"))
        return self._chain((a.vertex, owner, "bus"), (owner, b.vertex, "scale-up"))

    def _chain(self, *legs: tuple[int, int, LegKind]) -> tuple[_Leg, ...]:
        found = [self._leg(*leg) for leg in legs]
        return tuple(leg for leg in found if leg is not None) if None not in found else ()

    def _arrivals(self, b: End) -> Iterator[_Way]:
        if b.rank < 0:
            yield _Way(b.vertex, 1.0, rank=b.owner)
            return
        _, ranks, shares = self.router.relays.destinations(np.array([b.rank]))
        yield from self._relayed(b, ranks, shares, leaving=False)

    def _departures(self, a: End, b: End, out: int, *, pxn: bool) -> Iterator[_Way]:
        if a.rank < 0:
            yield _Way(a.vertex, 1.0, rank=a.owner)
            return
        relays, source = self.router.relays, np.array([a.rank])
        if out >= 0 and (b.rank >= 0 or b.owner >= 0):
            _, ranks, shares = relays.sources(source, relays.rail[[out]], pxn=pxn)
        else:
            _, ranks, shares = relays.destinations(source)
        yield from self._relayed(a, ranks, shares, leaving=True)

    def _relayed(self, end: End, ranks: Longs, shares: Floats, *, leaving: bool) -> Iterator[_Way]:
        """Ways of a GPU to the GPUs whose NICs it uses, over scale-up where it is not its own."""
        for rank, share in zip(ranks.tolist(), shares.tolist(), strict=True):
            other = int(self.router.fabric.gpus[rank])
            if rank == end.rank:
                yield _Way(other, share, rank=rank)
                continue
            pair = (end.vertex, other) if leaving else (other, end.vertex)
            leg = self._leg(*pair, "scale-up")
            if leg is not None:
                yield _Way(other, share, (leg,), rank)

    # -- shortest paths ------------------------------------------------------------------------

    def _leg(self, start: int, goal: int, kind: LegKind) -> _Leg | None:
        """Classes of shortest paths between two vertices; None if there is no path."""
        if start == goal:
            return _Leg((Path(1.0, ()),), np.zeros(0, np.int64), np.zeros(0))
        distance = self._distances(start, goal, kind)
        if distance[start] < 0:
            return None
        edges, shares = self._push(start, distance, kind)
        return _Leg(tuple(self._classes(start, goal, distance, edges, shares, kind)), edges, shares)

    def _usable(self, edges: Longs, kind: LegKind) -> Longs:
        wanted = self._is_up[edges] if kind == "scale-up" else ~self._is_up[edges]
        return edges[wanted & (self.router.weight[edges] > 0)]

    def _distances(self, start: int, goal: int, kind: LegKind) -> Longs:
        """(V,) hops to `goal` of `start` and of all that is nearer; -1 for the rest."""
        fabric, forwards = self.router.fabric, self._forwards[kind]
        distance = np.full(len(fabric.vertex_kind), -1, np.int64)
        distance[goal] = 0
        frontier, hops = np.array([goal]), 0
        while len(frontier) and distance[start] < 0:
            hops += 1
            tails = fabric.src[self._usable(_edges_of(self._in, frontier), kind)]
            fresh = np.unique(tails[distance[tails] < 0])
            distance[fresh] = hops
            frontier = fresh[forwards[fresh]].astype(np.int64)
        return distance

    def _push(self, start: int, distance: Longs, kind: LegKind) -> tuple[Longs, Floats]:
        """Edges on shortest paths from `start`, and their shares of the bytes."""
        fabric, forwards = self.router.fabric, self._forwards[kind]
        at, amount = np.array([start]), np.ones(1)
        edges, shares = [], []
        for level in range(int(distance[start]), 0, -1):
            edge = self._usable(_edges_of(self._out, at), kind)
            head = fabric.dst[edge]
            good = (distance[head] == level - 1) & (forwards[head] | (level == 1))
            edge = edge[good]
            place = np.searchsorted(at, fabric.src[edge])
            weight = self.router.weight[edge]
            whole = sum_by(place, weight, len(at))
            share = amount[place] * weight / whole[place]
            edges.append(edge)
            shares.append(share)
            at, inverse = np.unique(fabric.dst[edge], return_inverse=True)
            at, amount = at.astype(np.int64), sum_by(inverse, share, len(at))
        return np.concatenate(edges), np.concatenate(shares)

    def _classes(
        self, start: int, goal: int, distance: Longs, edges: Longs, shares: Floats, kind: LegKind
    ) -> Iterator[Path]:
        """Paths of classes by falling share."""
        fabric = self.router.fabric
        vertices, ends = np.unique([fabric.src[edges], fabric.dst[edges]], return_inverse=True)
        tail, head = ends.reshape(2, -1)
        label = self._labels(edges)
        colour = distance[vertices] * 256 + fabric.vertex_kind[vertices]
        class_of = _refined(tail, head, label, colour)
        groups = _group(class_of[tail], class_of[head], label)
        flow = sum_by(groups, shares, int(groups.max()) + 1)
        place = {int(v): i for i, v in enumerate(vertices.tolist())}
        out: dict[int, list[int]] = {}
        first = np.unique(groups, return_index=True)[1].tolist()
        for group, edge in enumerate(first):
            out.setdefault(int(class_of[tail[edge]]), []).append(group)
        heads = [int(class_of[head[edge]]) for edge in first]
        begin, end = (int(class_of[place[v]]) for v in (start, goal))
        for share, chain in _best_first(begin, end, out, heads, flow):
            yield Path(share, tuple(self._example(start, chain, groups, edges, kind)))

    def _labels(self, edges: Longs) -> Longs:
        """What tells edges apart: tier, cables, capacity and weight."""
        fabric = self.router.fabric
        capacity = np.nan_to_num(fabric.capacity[edges], nan=-1.0)
        weight = self.router.weight[edges]
        return hash_columns(fabric.tier[edges], fabric.cables[edges], capacity, weight).view(
            np.int64
        )

    def _example(
        self, start: int, chain: Sequence[int], groups: Longs, edges: Longs, kind: LegKind
    ) -> Iterator[Hop]:
        """One path of a class, edge by edge."""
        fabric, here = self.router.fabric, start
        for group in chain:
            members = edges[groups == group]
            choices = edges[fabric.src[edges] == here]
            edge = int(members[fabric.src[members] == here].min())
            yield Hop(edge, members, choices, kind)
            here = int(fabric.dst[edge])


def _by_vertex(vertex: Ints, count_: int) -> tuple[Longs, Longs]:
    """Edges sorted by a vertex of theirs, and the first place of each vertex."""
    order = np.argsort(vertex, kind="stable")
    return order, starts(np.asarray(vertex[order], np.int64), count_)


def _edges_of(index: tuple[Longs, Longs], vertices: Longs) -> Longs:
    order, first = index
    _, at = positions(first[vertices], first[vertices + 1] - first[vertices])
    return order[at]


def _refined(tail: Longs, head: Longs, label: Longs, colour: Longs) -> Longs:
    """Classes of vertices of a directed graph that nothing tells apart."""
    src, dst = np.concatenate([tail, head]), np.concatenate([head, tail])
    turned = np.repeat(np.array([0, 1]), len(tail))
    hashes = hash_columns(np.tile(label, 2), turned)
    order = np.argsort(src, kind="stable")
    return refine(src[order], dst[order], hashes[order], colour).astype(np.int64)


def _group(tail: Longs, head: Longs, label: Longs) -> Longs:
    """Number of the class of each edge."""
    _, kind = np.unique(label, return_inverse=True)
    wide = (tail * (int(head.max()) + 1) + head) * (int(kind.max()) + 1) + kind
    return np.asarray(np.unique(wide, return_inverse=True)[1], np.int64)


def _best_first(
    begin: int, end: int, out: dict[int, list[int]], heads: Sequence[int], flow: Floats
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Chains of edge classes from `begin` to `end` by falling share, one more than MAX_PATHS."""
    whole = {vertex: float(sum(flow[g] for g in groups)) for vertex, groups in out.items()}
    order, made = count(), 0
    heap: list[tuple[float, int, int, tuple[int, ...]]] = [(-1.0, next(order), begin, ())]
    while heap and made < MAX_PATHS:
        share, _, here, chain = heapq.heappop(heap)
        if here == end:
            made += 1
            yield -share, chain
            continue
        for group in out[here]:
            part = share * float(flow[group]) / whole[here]
            heapq.heappush(heap, (part, next(order), heads[group], (*chain, group)))


def _collect(found: Iterable[tuple[float, tuple[_Leg, ...], int, int]]) -> Trace:
    """Join legs to paths, add up shares by edge."""
    paths: list[Path] = []
    edges, shares, delivered = [np.zeros(0, np.int64)], [np.zeros(0)], 0.0
    for share, legs, via, out in found:
        delivered += share
        for leg in legs:
            edges.append(leg.edges)
            shares.append(leg.shares * share)
        paths += [replace(path, via=via, out=out) for path in _product(share, legs)]
    unique, inverse = np.unique(np.concatenate(edges), return_inverse=True)
    summed = sum_by(inverse, np.concatenate(shares), len(unique))
    kept = sorted(paths, key=lambda path: -path.share)[:MAX_PATHS]
    omitted = max(0.0, delivered - sum(path.share for path in kept))
    return Trace(tuple(kept), unique, summed, delivered, omitted if omitted > 1e-9 else 0.0)


def _product(share: float, legs: Sequence[_Leg]) -> list[Path]:
    """Paths over several legs, the most used ones."""
    paths = [Path(share, ())]
    for leg in legs:
        joined = [
            Path(path.share * further.share, (*path.hops, *further.hops))
            for path in paths
            for further in leg.paths
        ]
        paths = sorted(joined, key=lambda path: -path.share)[:MAX_PATHS]
    return paths
