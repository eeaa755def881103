"""The cables that lead a hop nearer to a destination, listed for a vertex when first asked for."""

from __future__ import annotations

import numpy as np

from topoedit.engine.routing.colours import Hashes, hash_columns, mix
from topoedit.engine.routing.graph import GraphRouter
from topoedit.engine.routing.sums import chunks, firsts, positions, starts
from topoedit.engine.types import Fabric, Floats, Ints, Longs

_CHUNK = 8_000_000


class NextHops:
    """Cables of the routed graph and which of them are next hops.

    A bundle of n cables is n choices. Cables are in order of their tail, then of their edge.

    Args:
        graph: distances to every terminal.
        fabric: what the graph was made from.
        edge: (graph edges,) edge of the fabric, -1 for one that no switch chooses.

    Attributes:
        edge: (Q,) edge of the fabric of each cable; head: (Q,) vertex of the graph it leads to.
        rate: (Q,) bytes/s of the one cable, NaN if unknown.
        first, count: of each list, where it starts in `cables` and how long it is.
    """

    def __init__(self, graph: GraphRouter, fabric: Fabric, edge: Longs) -> None:
        self.graph = graph
        real = np.flatnonzero(edge >= 0)
        real = real[np.lexsort((edge[real], graph.graph.src[real]))]
        each = np.asarray(fabric.working[edge[real]], np.int64)
        self.edge: Longs = np.repeat(edge[real], each)
        self.head: Ints = np.repeat(graph.graph.dst[real], each)
        self.rate: Floats = np.repeat(fabric.capacity[edge[real]] / each, each)
        tail = np.repeat(graph.graph.src[real], each)
        self._start = starts(np.asarray(tail, np.int64), len(graph.class_of))
        self._terminals = len(graph.terminal_class)
        self._row_of = np.full(len(graph.class_of) * self._terminals, -1, np.int32)
        self._known: dict[int, int] = {}
        self.first: Longs = np.zeros(0, np.int64)
        self.count: Longs = np.zeros(0, np.int64)
        self.cables: Longs = np.zeros(0, np.int64)

    def rows(self, vertex: Ints | Longs, terminal: Longs) -> Ints:
        """Numbers of the lists of some vertices, each on the way to a terminal it is not."""
        key = vertex * np.int64(self._terminals) + terminal
        row = self._row_of[key]
        if len(row) and int(row.min()) < 0:
            self._list(np.unique(key[row < 0]))
            row = self._row_of[key]
        return np.asarray(row, np.int32)

    def _list(self, keys: Longs) -> None:
        vertex, terminal = keys // self._terminals, keys % self._terminals
        degree = self._start[vertex + 1] - self._start[vertex]
        for part in chunks(degree, _CHUNK):
            self._list_some(keys[part], vertex[part], terminal[part], degree[part])

    def _list_some(self, keys: Longs, vertex: Longs, terminal: Longs, degree: Longs) -> None:
        graph = self.graph
        place, cable = positions(self._start[vertex], degree)
        distance = graph.distance[graph.class_of[vertex], terminal]
        head = graph.class_of[self.head[cable]]
        nearer = graph.distance[head, terminal[place]] == distance[place] - 1
        nearer &= graph.forwards[head] | (distance[place] == 1)
        place, cable = place[nearer], cable[nearer]
        sizes = np.bincount(place, minlength=len(keys))
        self._row_of[keys] = self._stored(vertex, place, cable, sizes)

    def _stored(self, vertex: Longs, place: Longs, cable: Longs, sizes: Longs) -> Longs:
        """Keep each distinct list once; returns the number of every list."""
        same = _content(vertex, place, cable, sizes)
        distinct, where, back = np.unique(same, return_index=True, return_inverse=True)
        begin = np.cumsum(sizes) - sizes
        numbers = np.empty(len(distinct), np.int64)
        fresh: list[int] = []
        for number, content in enumerate(distinct.tolist()):
            row = self._known.setdefault(content, len(self._known))
            numbers[number] = row
            if row >= len(self.first) + len(fresh):
                fresh.append(int(where[number]))
        chosen = np.array(fresh, np.int64)
        _, at = positions(begin[chosen], sizes[chosen])
        offset = len(self.cables) + np.cumsum(sizes[chosen]) - sizes[chosen]
        self.first = np.concatenate([self.first, offset])
        self.count = np.concatenate([self.count, sizes[chosen]])
        self.cables = np.concatenate([self.cables, cable[at]])
        return np.asarray(numbers[back])


def _content(vertex: Longs, place: Longs, cable: Longs, sizes: Longs) -> Hashes:
    """A hash of each list."""
    one = mix(cable.astype(np.uint64) + np.uint64(1))
    total = np.zeros(len(sizes), np.uint64)
    if len(place):
        total[place[firsts(place)]] = np.add.reduceat(one, firsts(place))
    return hash_columns(total.view(np.int64), sizes, vertex)
