"""Shortest-path routing split by capacity on an arbitrary graph: quotient, distances, push.

The parts and their cost are those of the measured design: colour refinement once per topology,
bit-parallel breadth-first search to all terminals once per topology, and for each demand a sparse
push of bytes from the farthest level to the nearest, all on classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoedit.engine.routing.colours import Hashes, refine
from topoedit.engine.routing.sums import chunks, firsts, merge, positions, small_argsort, sum_by
from topoedit.engine.types import Bools, Floats, Ints, Longs

Distances = NDArray[np.int16]
_WORD = 64
_CHUNK = 20_000_000
_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Graph:
    """A graph to route on; every link is there in both directions.

    Attributes:
        colour: (V,) what a vertex is; vertices of different colours are never in one class.
        forwards: (V,) whether it passes on what is not for it.
        src, dst: (E,) directed edges.
        weight: (E,) share of traffic among next hops, in proportion; positive.
        edge_hash: (E,) equal for edges that may be in one class; must tell apart different
            weights in either direction.
        terminals: vertices where demand starts and ends, distinct.
    """

    colour: Longs
    forwards: Bools
    src: Ints
    dst: Ints
    weight: Floats
    edge_hash: Hashes
    terminals: Ints


@dataclass(frozen=True, slots=True)
class Pushed:
    """Result of a push.

    Attributes:
        load: (class edges,) bytes on one edge of each class; `edge_class` spreads them.
        lost: indexes of demands without a path.
    """

    load: Floats
    lost: Longs


@dataclass(frozen=True, slots=True)
class _Step:
    """Bytes moved over class edges in one hop, for each (class edge, column).

    `moved` is what one tail vertex sends into the class, `on_link` what one edge of it carries.
    """

    hop: int
    edge: Longs
    column: Longs
    moved: Floats
    on_link: Floats


class ConservationError(RuntimeError):
    """Bytes that arrived differ from the demand: a hash collision in the quotient."""


def _kinds(edge_hash: Hashes) -> tuple[Ints, int]:
    """Number of each edge's kind, and how many there are."""
    if not len(edge_hash) or (edge_hash == edge_hash[0]).all():
        return np.zeros(len(edge_hash), np.int32), 1
    distinct, kind = np.unique(edge_hash, return_inverse=True)
    return kind.astype(np.int32), len(distinct)


class GraphRouter:
    """Distances and quotient of one graph, ready to route demand between its terminals.

    Args:
        graph: the graph.
        collapse: merge equivalent vertices; False routes on the graph itself.
    """

    def __init__(self, graph: Graph, *, collapse: bool = True) -> None:
        self.graph, self.collapsed = graph, collapse
        self._classes(collapse=collapse)
        self._class_edges()
        self._distances()

    # -- setup ---------------------------------------------------------------------------------

    def _classes(self, *, collapse: bool) -> None:
        graph = self.graph
        if collapse:
            order = small_argsort(graph.src)
            colour = graph.colour.astype(np.int64) * 2 + graph.forwards
            count = len(graph.terminals)
            colour[graph.terminals] = colour.max(initial=0) + 1 + np.arange(count)
            self.class_of = refine(
                graph.src[order], graph.dst[order], graph.edge_hash[order], colour
            )
        else:
            self.class_of = np.arange(len(graph.colour), dtype=np.int32)
        self.classes = int(self.class_of.max(initial=-1)) + 1
        self.members = np.bincount(self.class_of, minlength=self.classes)
        self.forwards = np.zeros(self.classes, bool)
        self.forwards[self.class_of] = graph.forwards

    def _class_edges(self) -> None:
        """Class edges sorted by source class; `edge_class` maps the graph's edges to them."""
        graph, count = self.graph, max(self.classes, 1)
        kind, kinds = _kinds(graph.edge_hash)
        # by tail, then head, then kind: the last sort is the first key
        head, tail = self.class_of[graph.dst], self.class_of[graph.src]
        order = (
            np.argsort(head.astype(np.int64) * kinds + kind, kind="stable")
            if kinds > 1
            else small_argsort(head)
        )
        order = order[small_argsort(tail[order])]
        keys = ((tail.astype(np.int64) * count + head) * kinds + kind)[order]
        begin = firsts(keys)
        links = np.diff(np.append(begin, len(keys)))
        first, pairs = order[begin], keys[begin] // kinds
        inverse = np.empty(len(keys), np.int32)
        inverse[order] = np.repeat(np.arange(len(begin), dtype=np.int32), links)
        self.tail = (pairs // count).astype(np.int32)
        self.head = (pairs % count).astype(np.int32)
        self.edge_class = inverse
        self._pair = pairs
        self.edges_in_class = links
        self.weight = graph.weight[first]
        # weight that one tail vertex has into the class, and edges that enter one head vertex
        self.out_edges = links / self.members[self.tail]
        self.out_weight = self.weight * self.out_edges
        self.spread = links / self.members[self.head] / self.out_edges
        self.start = np.searchsorted(self.tail, np.arange(self.classes + 1)).astype(np.int64)

    def _distances(self) -> None:
        """Hops from every class to every terminal: one bit a terminal, 64 in a word."""
        terminals = self.class_of[self.graph.terminals].astype(np.int64)
        count = len(terminals)
        self._row = self.head.astype(np.int64) * count
        column = np.arange(count)
        self.terminal_class = terminals
        self.distance: Distances = np.full((self.classes, count), -1, np.int16)
        self.distance[terminals, column] = 0
        seen = np.zeros((self.classes, (count + _WORD - 1) // _WORD), np.uint64)
        bit = np.uint64(1) << (column % _WORD).astype(np.uint64)
        np.bitwise_or.at(seen, (terminals, column // _WORD), bit)
        frontier = seen.copy()
        rows = np.flatnonzero(np.diff(self.start))
        onward = np.zeros(len(self.tail), bool)
        self.levels = 0
        while len(rows) and count:
            behind = frontier[self.head]
            gathered = np.bitwise_or.reduceat(behind, self.start[rows], axis=0)
            new = np.zeros_like(seen)
            new[rows] = gathered & ~seen[rows]
            reached = np.flatnonzero(new.any(axis=1))
            if not len(reached):
                break
            self.levels += 1
            if self.levels > 1:
                onward |= (behind & new[self.tail]).any(axis=1)
            seen |= new
            self._mark(reached, new[reached], count)
            # what a vertex that does not forward has learnt stays with it
            new[~self.forwards] = 0
            frontier = new
        # edges on a shortest path to something beyond their head; the last hop needs no search
        self.onward = np.flatnonzero(onward)
        self.onward_start = np.searchsorted(self.onward, self.start)
        self._flat = self.distance.ravel()

    def _mark(self, rows: Longs, words: Hashes, count: int) -> None:
        bits = words.astype("<u8").view(np.uint8)
        reached = np.unpackbits(bits, axis=1, count=count, bitorder="little")
        # each is reached once, and was -1 before
        self.distance[rows] += reached * np.int16(self.levels + 1)

    # -- routing -------------------------------------------------------------------------------

    def hops(self, src: Longs, dst: Longs) -> Distances:
        """Hops between terminals given by number; -1 where there is no path."""
        return np.asarray(self.distance[self.terminal_class[src], dst])

    def route(self, src: Longs, dst: Longs, amount: Floats) -> Pushed:
        """Push demand between terminals given by number.

        Raises:
            ConservationError: bytes that arrive are not those sent.
        """
        load = np.zeros(len(self.tail))
        columns = np.arange(len(self.terminal_class))
        arrived = np.zeros(len(columns))
        for step in self._steps(src, dst, amount, columns, dst):
            load += sum_by(step.edge, step.on_link, len(load))
            if step.hop == 1:
                entered = step.moved * self.spread[step.edge]
                arrived += sum_by(step.column, entered, len(columns))
        level = self.hops(src, dst)
        self._check(dst, np.where(level > 0, amount, 0.0), arrived)
        return Pushed(load, np.flatnonzero(level < 0))

    def paths(self, src: Longs, dst: Longs) -> tuple[Longs, Longs, Floats]:
        """The share of each demand on each class edge: demand, class edge, share of its bytes.

        The share is that on one edge of the class.
        """
        columns = np.arange(len(src))
        steps = self._steps(src, dst, np.ones(len(src)), dst, columns)
        found = [(step.column, step.edge, step.on_link) for step in steps]
        if not found:
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
        demand, edge, share = (np.concatenate(column) for column in zip(*found, strict=True))
        return demand, edge, share

    def _steps(
        self, src: Longs, dst: Longs, amount: Floats, terminal: Longs, column: Longs
    ) -> Iterator[_Step]:
        """Move demand hop by hop from the farthest level; entries are (class, column).

        `terminal` is where each column goes, `column` the column of each demand.
        """
        width = len(terminal)
        level = self.hops(src, dst)
        order = np.argsort(level, kind="stable")
        bounds = np.searchsorted(level[order], np.arange(self.levels + 2))
        keys = self.terminal_class[src] * width + column
        key, value = np.zeros(0, np.int64), np.zeros(0)
        for hop in range(self.levels, 0, -1):
            fresh = order[bounds[hop] : bounds[hop + 1]]
            key = np.concatenate([key, keys[fresh]])
            value = np.concatenate([value, amount[fresh]])
            if not len(key):
                continue
            key, value = merge(key, value, self.classes * width)
            next_keys, next_values = [], []
            for step in self._level(key, value, hop, terminal):
                yield step
                next_keys.append(self.head[step.edge].astype(np.int64) * width + step.column)
                next_values.append(step.moved * self.spread[step.edge])
            key, value = np.concatenate(next_keys), np.concatenate(next_values)

    def _level(self, key: Longs, value: Floats, hop: int, terminal: Longs) -> Iterator[_Step]:
        """Split the bytes at `hop` hops over their next hops, in chunks of bounded size."""
        width = len(terminal)
        tail = key // width
        column = key - tail * width
        first, degree = self._candidates(tail, terminal[column], hop)
        for part in chunks(degree, _CHUNK):
            entry, edge = positions(first[part], degree[part])
            at = column[part][entry]
            if hop > 1:
                edge = self.onward[edge]
                nearer = self._flat[self._row[edge] + terminal[at]] == hop - 1
                edge, entry, at = edge[nearer], entry[nearer], at[nearer]
            share = self.out_weight[edge]
            total = sum_by(entry, share, part.stop - part.start)
            moved = (value[part] / total)[entry] * share
            yield _Step(hop, edge, at, moved, moved / self.out_edges[edge])

    def _candidates(self, tail: Longs, terminal: Longs, hop: int) -> tuple[Longs, Longs]:
        """First and number of the class edges that may be next hops.

        On the last hop they are the edges to the terminal; before, places in `onward`.
        """
        if hop > 1:
            first = self.onward_start[tail]
            return first, self.onward_start[tail + 1] - first
        wanted = tail * self.classes + self.terminal_class[terminal]
        first = np.searchsorted(self._pair, wanted, side="left")
        return first, np.searchsorted(self._pair, wanted, side="right") - first

    def _check(self, dst: Longs, amount: Floats, arrived: Floats) -> None:
        want = sum_by(dst, amount, len(self.terminal_class))
        if not np.allclose(arrived, want, rtol=_TOLERANCE, atol=_TOLERANCE * want.max(initial=0)):
            raise ConservationError("bytes that arrive differ from the demand")
