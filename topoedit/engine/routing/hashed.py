"""Hashed ECMP: each connection takes one cable a hop, picked by a hash, over many seeds.

Every switch hashes with a salt of its own, so the draws of two switches are independent (switches
that share a hash would do worse). One draw says nothing of a cable: links show the mean over all
hashes, which is the even split, and times are a distribution over seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from topoedit.engine.routing.colours import Hashes
from topoedit.engine.routing.hashing import choose, connection_keys, drawn, salts
from topoedit.engine.routing.single import SinglePaths, listed
from topoedit.engine.routing.sums import sum_by
from topoedit.engine.routing.walk import Connections
from topoedit.engine.types import Demand, EdgeLoad, Floats, Longs

_CHUNK = 1 << 18
"""Entries walked at a time: their arrays stay in the cache of a core."""
_TABLE = 1 << 23
"""Most loads held at a time."""


@dataclass(eq=False)
class HashedRouter(SinglePaths):
    """Routes demand as hashed ECMP does.

    Args:
        fabric: the fabric.
        flows_per_connection: flows (queue pairs) that each connection is split over.
        seeds: how many draws a distribution has; draw i is the same for every fabric.
    """

    flows_per_connection: int = 1
    seeds: int = 100

    @cached_property
    def salts(self) -> Hashes:
        """(V,) a number for each vertex."""
        return salts(self.fabric)

    def route(self, demand: Demand | Iterable[Demand], *, pxn: bool = True) -> EdgeLoad:
        """Mean bytes on each directed edge, and how long the fullest cables take in each draw."""
        demands = listed(demand)
        mean = self.even.route(demands, pxn=pxn)
        some = self._connections(demands, pxn=pxn)
        measures = self.measures
        if not len(some):
            none = measures.of(mean.bytes, np.zeros((1, self.walker.columns.slots)))
            return replace(mean, spread=measures.spread([np.repeat(none, self.seeds, axis=0)]))
        parts = [measures.of(mean.bytes, load) for load in self._loads(some)]
        return replace(mean, spread=measures.spread(parts))

    def draw(self, demand: Demand | Iterable[Demand], seed: int, *, pxn: bool = True) -> EdgeLoad:
        """Bytes on each directed edge in one draw."""
        demands = listed(demand)
        mean = self.even.route(demands, pxn=pxn)
        some = self._connections(demands, pxn=pxn)
        load = self._walk(some, np.array([seed], np.int64))[0]
        return replace(mean, bytes=self.measures.bytes(mean.bytes, load))

    def _connections(self, demands: tuple[Demand, ...], *, pxn: bool) -> Connections:
        return self.connections(demands, self.flows_per_connection, pxn=pxn)

    def _loads(self, some: Connections) -> Iterator[Floats]:
        """(s, slots) loads of the cables, a few draws at a time."""
        slots = max(self.walker.columns.slots, 1)
        step = max(1, min(_TABLE // slots, _CHUNK // max(len(some), 1)))
        for low in range(0, self.seeds, step):
            yield self._walk(some, np.arange(low, min(low + step, self.seeds)))

    def _walk(self, some: Connections, seeds: Longs) -> Floats:
        """(s, slots) bytes on each cable in some draws."""
        slots, count = self.walker.columns.slots, len(some)
        load = np.zeros(len(seeds) * slots)
        step = max(1, _CHUNK // len(seeds))
        vertices = self.fabric.gpus
        for low in range(0, count, step):
            at = np.arange(low, min(low + step, count))
            key = connection_keys(
                self.salts, vertices[some.src[at]], vertices[some.dst[at]], some.nic[at],
                some.flow[at],
            )  # fmt: skip
            entry, row = np.tile(at, len(seeds)), np.repeat(np.arange(len(seeds)), len(at))
            keys = drawn(np.tile(key, len(seeds)), seeds[row])
            self._add(load, some, entry, row * slots, keys)
        return load.reshape(len(seeds), slots)

    def _add(self, load: Floats, some: Connections, entry: Longs, row: Longs, keys: Hashes) -> None:
        """Walk entries and add their bytes to the flat table `load`, each at its row."""

        def hashed(active: Longs, vertex: Longs, _: Longs, count: Longs) -> Longs:
            return choose(keys[active], self.salts[vertex], count)

        cells, values = [], []
        for active, slot in self.walker.walk(some, entry, hashed):
            cells.append(row[active] + slot)
            values.append(some.bytes[entry[active]])
        if cells:
            load += sum_by(np.concatenate(cells), np.concatenate(values), len(load))
