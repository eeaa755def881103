"""Cut devices of a large graph, from a sparse certificate.

Two breadth-first forests, the second without the edges of the first, have at most twice as many
edges as there are devices, and the graph falls apart at a device exactly when they do (Cheriyan,
Kao, Thurimella, Scan-First Search and Sparse Certificates, SIAM J. Comput. 22, 1993). The search
for cut devices (Hopcroft, Tarjan, CACM 16, 1973) then runs on those.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.engine.compile.domains import components
from topoedit.engine.types import Bools, Longs


@dataclass(frozen=True)
class Cut:
    """A device, or the pair at the ends of a link, whose loss cuts `weight` off the rest."""

    device: int
    other: int
    weight: int


def forest(count: int, a: Longs, b: Longs) -> Bools:
    """Edges of a breadth-first forest, one tree for each connected part."""
    src, dst = np.concatenate([a, b]), np.concatenate([b, a])
    edge = np.tile(np.arange(len(a)), 2)
    order = np.argsort(src, kind="stable")
    dst, edge = dst[order], edge[order]
    first = np.concatenate([[0], np.cumsum(np.bincount(src, minlength=count))])
    seen, chosen = np.zeros(count, bool), np.zeros(len(a), bool)
    label = components(count, a.astype(np.int32), b.astype(np.int32))
    frontier = np.unique(label[a]) if len(a) else np.zeros(0, np.int64)
    seen[frontier] = True
    while len(frontier):
        degree = first[frontier + 1] - first[frontier]
        starts = np.repeat(first[frontier] - (np.cumsum(degree) - degree), degree)
        at = starts + np.arange(len(starts))
        at = at[~seen[dst[at]]]
        _, position = np.unique(dst[at], return_index=True)
        position.sort()
        at = at[position]
        frontier = dst[at]
        seen[frontier] = True
        chosen[edge[at]] = True
    return chosen


def certificate(count: int, a: Longs, b: Longs) -> tuple[Longs, Longs]:
    """The edges of two forests: what falls apart without one device is the same with these."""
    one = forest(count, a, b)
    rest = np.flatnonzero(~one)
    two = rest[forest(count, a[rest], b[rest])]
    kept = np.sort(np.concatenate([np.flatnonzero(one), two]))
    return a[kept], b[kept]


def cuts(count: int, a: Longs, b: Longs, weight: Longs) -> tuple[list[Cut], list[Cut]]:
    """Devices and pairs of devices whose loss cuts weight off the largest remaining part.

    Args:
        count: number of devices.
        a: one end of each pair that is joined, every pair once.
        b: the other end.
        weight: what each device counts, for example its GPUs.

    Returns:
        Cut devices with the weight cut off (their own left out), and pairs that are the only way.
    """
    a, b = certificate(count, a, b)
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for one, other in zip(a.tolist(), b.tolist(), strict=True):
        neighbours[one].append(other)
        neighbours[other].append(one)
    label = components(count, a.astype(np.int32), b.astype(np.int32))
    total = np.bincount(label, weights=weight, minlength=count)
    search = _Search(neighbours, weight.astype(np.int64).tolist())
    for root in np.unique(label).tolist():
        if neighbours[root]:
            search.run(root)
    return search.found(total[label].astype(np.int64).tolist())


class _Search:
    """Depth-first search with low points; subtree weights tell what a cut severs."""

    def __init__(self, neighbours: list[list[int]], weight: list[int]) -> None:
        count = len(neighbours)
        self._neighbours, self._weight = neighbours, weight
        self._order = [0] * count
        self._low = [0] * count
        self._sum = list(weight)
        self._severed: dict[int, list[int]] = {}
        self._bridges: list[tuple[int, int]] = []
        self._clock = 0

    def run(self, root: int) -> None:
        """Search one connected part."""
        order, low, sums, neighbours = self._order, self._low, self._sum, self._neighbours
        self._clock += 1
        order[root] = low[root] = self._clock
        stack = [(root, -1, iter(neighbours[root]))]
        while stack:
            here, parent, rest = stack[-1]
            for there in rest:
                if not order[there]:
                    self._clock += 1
                    order[there] = low[there] = self._clock
                    stack.append((there, here, iter(neighbours[there])))
                    break
                if there != parent and order[there] < low[here]:
                    low[here] = order[there]
            else:
                stack.pop()
                if parent >= 0:
                    self._leave(parent, here)
                    low[parent] = min(low[parent], low[here])
                    sums[parent] += sums[here]

    def _leave(self, parent: int, child: int) -> None:
        if self._low[child] >= self._order[parent]:
            self._severed.setdefault(parent, []).append(self._sum[child])
        if self._low[child] > self._order[parent]:
            self._bridges.append((parent, child))

    def found(self, total: list[int]) -> tuple[list[Cut], list[Cut]]:
        """Cuts that sever some weight from the largest part that remains."""
        devices, pairs = [], []
        for device, parts in self._severed.items():
            above = total[device] - sum(parts) - self._weight[device]
            lost = above + sum(parts) - max(above, *parts)
            if lost:
                devices.append(Cut(device, -1, lost))
        for parent, child in self._bridges:
            lost = min(self._sum[child], total[child] - self._sum[child])
            if lost:
                pairs.append(Cut(parent, child, lost))
        return devices, pairs
