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
from topoedit.rules._tables import distinct


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
    frontier = distinct(label[a]) if len(a) else np.zeros(0, np.int64)
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
    label = components(count, a.astype(np.int32), b.astype(np.int32))
    total = np.bincount(label, weights=weight, minlength=count)
    search = _Search(count, a, b, weight)
    for root in distinct(label[a]).tolist():
        search.run(root)
    return search.found(total[label].astype(np.int64).tolist())


class _Search:
    """Depth-first search with low points; subtree weights tell what a cut severs."""

    def __init__(self, count: int, a: Longs, b: Longs, weight: Longs) -> None:
        src, dst = np.concatenate([a, b]), np.concatenate([b, a])
        starts = np.cumsum(np.bincount(src, minlength=count))
        self._next = [0, *starts[:-1].tolist()]
        self._end = starts.tolist()
        self._target = dst[np.argsort(src, kind="stable")].tolist()
        self._weight = weight.astype(np.int64).tolist()
        self._order, self._low = [0] * count, [0] * count
        self._sum = list(self._weight)
        self._severed: dict[int, list[int]] = {}
        self._bridges: list[tuple[int, int]] = []
        self._clock = 0

    def run(self, root: int) -> None:
        """Search one connected part; `_next` is how far the neighbours of each are done."""
        order, low, following = self._order, self._low, self._next
        path = [root]
        self._enter(root)
        while path:
            here = path[-1]
            if following[here] < self._end[here]:
                there = self._target[following[here]]
                following[here] += 1
                if not order[there]:
                    self._enter(there)
                    path.append(there)
                elif len(path) < 2 or there != path[-2]:
                    low[here] = min(low[here], order[there])
                continue
            path.pop()
            if path:
                self._leave(path[-1], here)

    def _enter(self, device: int) -> None:
        self._clock += 1
        self._order[device] = self._low[device] = self._clock

    def _leave(self, parent: int, child: int) -> None:
        """Go back up; what hangs below `child` alone is severed by the loss of `parent`."""
        low = self._low[child]
        if low >= self._order[parent]:
            self._severed.setdefault(parent, []).append(self._sum[child])
        if low > self._order[parent]:
            self._bridges.append((parent, child))
        self._low[parent] = min(self._low[parent], low)
        self._sum[parent] += self._sum[child]

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
