"""Forwarding tables: every switch sends all bytes for one destination over one cable.

The tables are those of destination modulo uplinks on a Clos (Zahavi, Fat-tree routing and node
ordering, J. Parallel Distrib. Comput. 72, 2012): destinations are numbered switch by switch, a leaf
takes uplink d mod k, a spine d / k mod k', so that the destinations of one leaf spread evenly over
uplinks and cores; downwards parallel cables are picked as the switch below picks its uplinks. On
another graph the same rule picks among the cables of all shortest paths:
deterministic, free of loops, and as even as the graph lets it be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from topoedit.engine.compile.layout import vertex_is_switch
from topoedit.engine.routing.single import SinglePaths, listed
from topoedit.engine.routing.sums import sum_by
from topoedit.engine.routing.walk import Choose, Connections
from topoedit.engine.types import Demand, EdgeLoad, Longs

_CHUNK = 1 << 18


@dataclass(eq=False)
class TableRouter(SinglePaths):
    """Routes demand by forwarding tables.

    Args:
        fabric: the fabric.
    """

    @cached_property
    def ordinals(self) -> Longs:
        """(chains,) number of each NIC as a destination: leaf by leaf, then by rank."""
        chains = self.even.chains
        order = np.lexsort((np.arange(len(chains.leaf)), chains.leaf))
        number = np.empty(len(order), np.int64)
        number[order] = np.arange(len(order))
        return number

    @cached_property
    def levels(self) -> tuple[Longs, Longs]:
        """(V,) level of each switch above the leaves, and (levels,) what divides a destination.

        The divisor of a level is the product of the uplinks of one switch of each level below.
        """
        fabric, weight = self.fabric, self.even.weight
        switch = vertex_is_switch(fabric.vertex_kind)
        live = switch[fabric.src] & switch[fabric.dst] & (weight > 0)
        src, dst = fabric.src[live], fabric.dst[live]
        cables = fabric.working[live]
        level = np.full(len(switch), -1, np.int64)
        level[self.even.chains.leaf] = 0
        divisors = [1]
        while True:
            up = (level[src] == len(divisors) - 1) & (level[dst] < 0)
            if not up.any():
                return np.maximum(level, 0), np.array(divisors, np.int64)
            level[dst[up]] = len(divisors)
            most = int(sum_by(src[up], cables[up], len(switch)).max())
            divisors.append(divisors[-1] * max(1, most))

    def divisor(self, vertex: Longs, left: Longs) -> Longs:
        """What divides a destination's number at some switches, `left` hops from its own.

        A switch as many levels above the leaves as there are hops left sends down.
        """
        level, divisors = self.levels
        here = level[vertex]
        return np.asarray(divisors[np.maximum(here - (left == here), 0)], np.int64)

    def route(self, demand: Demand | Iterable[Demand], *, pxn: bool = True) -> EdgeLoad:
        """Bytes on each directed edge; the spread tells the fullest cable inside bundles."""
        demands = listed(demand)
        even = self.even.route(demands, pxn=pxn)
        some = self.connections(demands, 1, pxn=pxn)
        load = np.zeros(self.walker.columns.slots)
        for low in range(0, len(some), _CHUNK):
            entry = np.arange(low, min(low + _CHUNK, len(some)))
            number = self._number(some, entry)
            for active, slot in self.walker.walk(some, entry, self._choose(number)):
                load += sum_by(slot, some.bytes[entry[active]], len(load))
        spread = self.measures.spread([self.measures.of(even.bytes, load[None])])
        return replace(even, bytes=self.measures.bytes(even.bytes, load), spread=spread)

    def _number(self, some: Connections, entry: Longs) -> Longs:
        """Destination's number of each connection: NIC i of the sender goes to NIC i."""
        start = self.even.chains.start
        dst = some.dst[entry]
        each = np.diff(start)[dst]
        return np.asarray(self.ordinals[start[dst] + some.nic[entry] % each], np.int64)

    def _choose(self, number: Longs) -> Choose:
        def by_table(active: Longs, vertex: Longs, left: Longs, count: Longs) -> Longs:
            return np.asarray(number[active] // self.divisor(vertex, left) % count, np.int64)

        return by_table
