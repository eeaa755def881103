"""Single paths: each connection walks cable by cable from its NIC to its destination's switch.

A connection starts at the switch of one of its GPU's NICs (the bytes of a pair are split evenly
over the NICs on a shortest path) and ends at a switch of the destination GPU, where the last
choice is among the cables to that GPU. In between it takes one of the cables that lead nearer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topoedit.engine.routing.access import RAW
from topoedit.engine.routing.graph import ConservationError
from topoedit.engine.routing.nexthops import NextHops
from topoedit.engine.routing.router import Router
from topoedit.engine.routing.sums import positions
from topoedit.engine.types import Bools, Fabric, Floats, Flows, Longs

Choose = Callable[[Longs, Longs, Longs, Longs], Longs]
"""(entry, vertex of the fabric, hops to the last switch, number of cables) -> cable taken."""


@dataclass(frozen=True, eq=False)
class Connections:
    """What walks, n connections.

    Attributes:
        src, dst: ranks by whose NICs the bytes leave and arrive; bytes: of each.
        nic: number of the chain among those of `src`; flow: number among the pair's flows.
        start, terminal: vertex of the graph where the walk begins, terminal it goes to.
        hops: cables from the start to the last switch.
    """

    src: Longs
    dst: Longs
    bytes: Floats
    nic: Longs
    flow: Longs
    start: Longs
    terminal: Longs
    hops: Longs

    def __len__(self) -> int:
        return len(self.src)


@dataclass(frozen=True, eq=False)
class Columns:
    """Cables that a walk may load, as columns of a table, and what they are in the fabric.

    Attributes:
        slot: (N,) column of the load; edge: edge of the fabric; rate: bytes/s of the one cable.
        slots: number of columns.
    """

    slot: Longs
    edge: Longs
    rate: Floats
    slots: int


class Walker:
    """Walks over one fabric.

    Args:
        router: tells terminals, distances and whose NICs are used; made with weights `cables`.
    """

    def __init__(self, router: Router) -> None:
        self.router = router
        graph, attachment = router.graph, router.attachment
        self.paths = NextHops(graph, router.fabric, attachment.edge)
        vertices = np.flatnonzero(attachment.number >= 0)
        self._vertex = np.full(len(graph.class_of), -1, np.int64)
        self._vertex[attachment.number[vertices]] = vertices
        terminal = graph.graph.terminals
        virtual = self._vertex[terminal] < 0
        self._virtual = np.append(virtual, False)[attachment.terminal_of]
        self._raw = (attachment.mode == RAW) & (attachment.terminal_of >= 0)

    @property
    def fabric(self) -> Fabric:
        """The fabric that is walked on."""
        return self.router.fabric

    @cached_property
    def columns(self) -> Columns:
        """Cables between switches, then the cables to GPUs that have several."""
        paths, chains = self.paths, self.router.chains
        edges, slots, rates = [paths.edge], [np.arange(len(paths.edge))], [paths.rate]
        count = len(paths.edge)
        if self._virtual.any():
            half = len(self.fabric.src) // 2
            chosen = np.flatnonzero(self._virtual[chains.rank])
            for up in (chains.wire_up[chosen], chains.bus_up[chosen]):
                edge = (up + half) % (2 * half)
                edges.append(edge)
                slots.append(count + chosen)
                rates.append(self.fabric.capacity[edge])
            count += len(chains.rank)
        return Columns(np.concatenate(slots), np.concatenate(edges), np.concatenate(rates), count)

    @cached_property
    def variable(self) -> Bools:
        """(E,) edges whose load the walks decide; all others carry what any split would give."""
        mask = np.zeros(len(self.fabric.src), bool)
        mask[self.columns.edge] = True
        return mask

    def connections(self, pairs: Flows, flows: int) -> Connections:
        """The connections of some pairs of attached GPUs that can reach each other.

        Args:
            pairs: bytes by rank.
            flows: into how many flows each connection is split.
        """
        chains, terminal_of = self.router.chains, self.router.attachment.terminal_of
        distance, classes = self.router.graph.distance, self.router.graph.class_of
        number = self.router.attachment.number
        each = np.where(self._raw[pairs.src], 1, np.diff(chains.start)[pairs.src])
        pair, chain = positions(chains.start[pairs.src], each)
        src, dst = pairs.src[pair], pairs.dst[pair]
        terminal = terminal_of[dst]
        start = number[chains.leaf[chain]]
        raw = self._raw[src]
        start[raw] = number[self.fabric.gpus[src[raw]]]
        hops = distance[classes[start], terminal].astype(np.int64) - self._virtual[dst]
        hops[hops < 0] = np.iinfo(np.int16).max
        best = np.full(len(pairs.src), np.iinfo(np.int16).max, np.int64)
        np.minimum.at(best, pair, hops)
        near = np.flatnonzero(hops == best[pair])
        parts = np.bincount(pair[near], minlength=len(pairs.src)) * flows
        at = np.repeat(near, flows)
        return Connections(
            src=src[at],
            dst=dst[at],
            bytes=(pairs.bytes / np.maximum(parts, 1))[pair[at]],
            nic=chain[at] - chains.start[src[at]],
            flow=np.tile(np.arange(flows), len(near)),
            start=start[at],
            terminal=terminal[at],
            hops=hops[at],
        )

    def walk(
        self, some: Connections, entry: Longs, choose: Choose
    ) -> Iterator[tuple[Longs, Longs]]:
        """Walk entries, each a connection (in one draw); yields entries and columns they load.

        Args:
            some: the connections.
            entry: (m,) the connection of each entry.
            choose: picks among the cables at a vertex.
        """
        paths = self.paths
        vertex, left = some.start[entry], some.hops[entry]
        terminal = some.terminal[entry]
        active = np.flatnonzero(left > 0)
        while len(active):
            here = vertex[active]
            row = paths.rows(here, terminal[active])
            count = paths.count[row]
            if not count.all():
                raise ConservationError("a walk came to an end on its way")
            taken = choose(active, self._vertex[here], left[active], count)
            cable = paths.cables[paths.first[row] + taken]
            yield active, cable
            vertex[active] = paths.head[cable]
            left[active] -= 1
            active = active[left[active] > 0]
        last = np.flatnonzero(self._virtual[some.dst[entry]])
        if len(last):
            yield last, self._last(some, entry[last], last, vertex[last], choose)

    def _last(
        self, some: Connections, connection: Longs, entry: Longs, vertex: Longs, choose: Choose
    ) -> Longs:
        """Columns of the cables from the last switch to GPUs with several."""
        chains = self.router.chains
        start, each = (
            chains.start[some.dst[connection]],
            np.diff(chains.start)[some.dst[connection]],
        )
        leaf = self._vertex[vertex]
        walk, chain = positions(start, each)
        here = chains.leaf[chain] == leaf[walk]
        walk, chain = walk[here], chain[here]
        count = np.bincount(walk, minlength=len(entry))
        if not count.all():
            raise ConservationError("a walk came to an end on its way")
        first = np.cumsum(count) - count
        taken = chain[first + choose(entry, leaf, np.zeros_like(leaf), count)]
        return np.asarray(len(self.paths.edge) + taken, np.int64)
