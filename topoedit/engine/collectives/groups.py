"""Communication groups cut into servers, and the flows that algorithms build from them.

Members are ranks (rows of `Fabric.gpus`). A *run* is the part of a group within one server (one
scale-up domain where that is wider). Channels spread evenly: what a server sends leaves by all
its members, each to the member on the same rail of the next server; where two servers hold
different numbers of members, equal shares are matched in order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from topoedit.engine.types import AllToAll, Demand, Flows, InNetwork, Longs
from topoedit.model.plan import RingOrder


@dataclass(frozen=True)
class Groups:
    """K groups of n ranks.

    Attributes:
        members: (K, n) ranks in node order: servers one after the other.
        server: (K, n) server of each.
        order: how a ring goes through them.
        meshed: a link of its own joins every two members in a server: what goes round in a
            server then takes all of them evenly, as rings in different orders do.
    """

    members: Longs
    server: Longs
    order: RingOrder = "node"
    meshed: bool = False

    @property
    def ranks(self) -> int:
        """Ranks of each group."""
        return int(self.members.shape[1])

    @cached_property
    def flat(self) -> Longs:
        """(K n,) members, one group after the other."""
        return self.members.ravel()

    @cached_property
    def start(self) -> Longs:
        """(R,) where each run starts in `flat`."""
        first = np.ones(self.server.shape, dtype=bool)
        first[:, 1:] = self.server[:, 1:] != self.server[:, :-1]
        return np.flatnonzero(first).astype(np.int64)

    @cached_property
    def length(self) -> Longs:
        """(R,) members of each run."""
        return np.diff(np.append(self.start, self.flat.size))

    @cached_property
    def row(self) -> Longs:
        """(R,) group of each run."""
        return self.start // self.ranks

    @cached_property
    def first_run(self) -> Longs:
        """(K,) first run of each group."""
        return np.searchsorted(self.row, np.arange(self.members.shape[0]))

    @cached_property
    def runs(self) -> Longs:
        """(K,) runs of each group."""
        return np.bincount(self.row, minlength=self.members.shape[0])

    @property
    def servers(self) -> int:
        """N of the group that spans most servers."""
        return int(self.runs.max(initial=1))

    # -- within a server -----------------------------------------------------------------------

    def by_length(self, runs: Longs | None = None) -> Iterator[tuple[int, Longs]]:
        """(m, (R', m) members) of the runs (default all) with m > 1 members, by m."""
        chosen = np.arange(self.start.size) if runs is None else runs
        lengths = self.length[chosen]
        for m in _distinct(lengths):
            if m > 1:
                begin = self.start[chosen[lengths == m]]
                yield m, self.flat[begin[:, None] + np.arange(m)]

    def _cycle(self, size: float, runs: Longs | None = None, back: bool = False) -> list[Demand]:
        """Each member of a run to the next (or previous) of the run: (m-1)/m of `size`."""
        return [
            self._round(block, size * (m - 1) / m, back=back) for m, block in self.by_length(runs)
        ]

    def _round(self, block: Longs, sent: float, back: bool = False) -> Demand:
        """Each member sends `sent` bytes round its row of (R', m) members."""
        if self.meshed:
            return AllToAll(block, sent / (block.shape[1] - 1))
        return _flows(block, np.roll(block, 1 if back else -1, axis=1), sent)

    def inner_ring(self, size: float) -> list[Demand]:
        """A ring in each server over `size` bytes."""
        return self._cycle(size)

    def inner_chain(self, size: float) -> list[Demand]:
        """Chains in each server, up and down, spread over its members."""
        return [*self._cycle(size), *self._cycle(size, back=True)]

    def in_switch(self, size: float) -> list[Demand]:
        """Reduction in the scale-up switch: S to be reduced and S/m as multicast, mirrored."""
        return [
            InNetwork(block, size * (1 + 1 / m), size * (1 + 1 / m))
            for m, block in self.by_length()
        ]

    # -- between servers -----------------------------------------------------------------------

    def between(self, source: Longs, target: Longs, size: float) -> list[Demand]:
        """`size` bytes from each run of `source` to the one of `target` beside it, on all rails."""
        made: list[Demand] = []
        key = self.length[source] * (self.ranks + 1) + self.length[target]
        for code in _distinct(key):
            m, k = divmod(code, self.ranks + 1)
            here = key == code
            a, b, share = _shares(m, k)
            src = self.flat[self.start[source[here]][:, None] + a]
            dst = self.flat[self.start[target[here]][:, None] + b]
            made.append(Flows(src.ravel(), dst.ravel(), np.tile(share * size, src.shape[0])))
        return made

    def _next_runs(self, wrap: bool) -> tuple[Longs, Longs]:
        """Runs and the run after each in its group."""
        following = np.arange(1, self.start.size + 1)
        last = self.first_run + self.runs - 1
        following[last] = self.first_run
        keep = self.runs[self.row] > 1
        if not wrap:
            keep[last] = False
        source = np.flatnonzero(keep)
        return source, following[source]

    def around(self, size: float) -> list[Demand]:
        """`size` bytes from each server to the next one of its group."""
        return self.between(*self._next_runs(wrap=True), size)

    def double_tree(self, size: float) -> list[Demand]:
        """Half of `size` up and down each edge of two binary trees over the servers."""
        made: list[Demand] = []
        for servers in _distinct(self.runs):
            if servers == 1:
                continue
            edges = np.array(double_tree_edges(servers))
            base = self.first_run[self.runs == servers][:, None]
            child, parent = (base + edges[:, 0]).ravel(), (base + edges[:, 1]).ravel()
            made += self.between(child, parent, size / 2)
            made += self.between(parent, child, size / 2)
        return made

    # -- whole algorithms ----------------------------------------------------------------------

    @cached_property
    def ring_members(self) -> Longs:
        """(K, n) members in the order of the ring."""
        if self.order != "strided":
            return self.members
        local = np.arange(self.flat.size) - np.repeat(self.start, self.length)
        turn = np.argsort(local.reshape(self.members.shape), axis=1, kind="stable")
        return np.take_along_axis(self.members, turn, axis=1)

    def ring(self, sent: float) -> list[Demand]:
        """A ring in which each member sends `sent` bytes."""
        if self.order == "strided":
            ring = self.ring_members
            return [_flows(ring, np.roll(ring, -1, axis=1), sent)]
        changes = self.server[:, 1:] != self.server[:, :-1]
        if not changes.any():  # every group in one server
            return [self._round(self.members, sent)]
        if changes.all():  # every member in a server of its own
            return [_flows(self.members, np.roll(self.members, -1, axis=1), sent)]
        alone = np.flatnonzero(self.runs[self.row] == 1)
        spread = np.flatnonzero(self.runs[self.row] > 1)
        inside = [self._round(block, sent) for _, block in self.by_length(alone)]
        return [*inside, *self._cycle(sent, spread), *self.around(sent)]

    def chain(self, size: float) -> list[Demand]:
        """Broadcast from the first member: through its server, then on from server to server."""
        if self.order == "strided":
            ring = self.ring_members
            return [_flows(ring[:, :-1], ring[:, 1:], size)]
        roots = self.first_run
        others = np.setdiff1d(np.arange(self.start.size), roots)
        made: list[Demand] = [
            _flows(block[:, :-1], block[:, 1:], size) for _, block in self.by_length(roots)
        ]
        made += self._cycle(size, others)
        return [*made, *self.between(*self._next_runs(wrap=False), size)]

    def shift(self, size: float) -> list[Demand]:
        """Each member to the next of the ring; of two members only the first sends."""
        ring = self.ring_members
        if self.ranks == 2:
            return [_flows(ring[:, :1], ring[:, 1:], size)]
        return [_flows(ring, np.roll(ring, -1, axis=1), size)]

    def two_stage(self, size: float) -> list[Demand]:
        """All-to-all in each server, then on each rail; direct if unevenly filled."""
        n, servers = self.ranks, self.servers
        if (self.length != n // servers).any() or servers * (n // servers) != n:
            return [AllToAll(self.members, size / n)]
        local = n // servers
        blocks = self.members.reshape(-1, servers, local)
        inner = size / n + (n - local) / n * size / local
        rails = blocks.transpose(0, 2, 1).reshape(-1, servers)
        return [
            AllToAll(blocks.reshape(-1, local), inner),
            AllToAll(np.ascontiguousarray(rails), local * size / n),
        ]

    def doubling_pairs(self, size: float) -> list[Demand]:
        """`size` bytes between members whose places differ in one bit, for each bit."""
        place = np.arange(self.ranks)
        bits = [1 << k for k in range(int(math.log2(self.ranks)))]
        return [_flows(self.members, self.members[:, place ^ bit], size) for bit in bits]

    def doubling_blocks(self, size: float) -> list[Demand]:
        """All-gather or reduce-scatter with blocks that double at each step."""
        return self.bruck("all_gather", size)

    def bruck(self, op: str, size: float) -> list[Demand]:
        """Bruck's steps: blocks of S/n to the member so many places on."""
        return [
            _flows(
                self.members, np.roll(self.members, -distance, axis=1), blocks * size / self.ranks
            )
            for distance, blocks in bruck_blocks(op, self.ranks)
        ]


def _distinct(values: Longs) -> list[int]:
    """The values that occur, in order; cheap where they are all the same."""
    if not values.size:
        return []
    low, high = int(values.min()), int(values.max())
    return [low] if low == high else [int(v) for v in np.unique(values)]


def _flows(source: Longs, target: Longs, size: float) -> Flows:
    return Flows(source.ravel(), target.ravel(), np.full(source.size, size))


@lru_cache(maxsize=256)
def _shares(m: int, k: int) -> tuple[Longs, Longs, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Equal shares of m senders matched in order with equal shares of k receivers."""
    cuts = np.unique(np.concatenate([np.arange(m + 1) * k, np.arange(k + 1) * m]))
    begin = cuts[:-1]
    return begin // k, begin // m, np.diff(cuts) / (m * k)


def bruck_blocks(op: str, ranks: int) -> list[tuple[int, int]]:
    """(distance, blocks) of each step; a block is S/n.

    All-gather: as many blocks as are held, at most those that miss; all-to-all: the blocks whose
    distance has this bit.

    >>> bruck_blocks("all_gather", 6)
    [(1, 1), (2, 2), (4, 2)]
    >>> bruck_blocks("all_to_all", 6)
    [(1, 3), (2, 2), (4, 2)]
    """
    steps, distance = [], 1
    while distance < ranks:
        if op == "all_to_all":
            blocks = sum(1 for j in range(ranks) if j & distance)
        else:
            blocks = min(distance, ranks - distance)
        steps.append((distance, blocks))
        distance *= 2
    return steps


def binary_tree_edges(servers: int) -> list[tuple[int, int]]:
    """(child, parent) of NCCL's in-order binary tree: odd servers are leaves, server 0 the root."""
    edges = []
    for place in range(1, servers):
        bit = place & -place
        parent = (place ^ bit) | (bit << 1)
        edges.append((place, parent if parent < servers else place ^ bit))
    return edges


@lru_cache(maxsize=256)
def double_tree_edges(servers: int) -> tuple[tuple[int, int], ...]:
    """Edges of both trees; the second is the first mirrored (even) or shifted by one (odd)."""
    first = binary_tree_edges(servers)
    if servers % 2 == 0:
        second = [(servers - 1 - a, servers - 1 - b) for a, b in first]
    else:
        second = [((a + 1) % servers, (b + 1) % servers) for a, b in first]
    return (*first, *second)
