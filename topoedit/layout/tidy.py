"""Pushes overlapping boxes apart and changes as little else as can be.

Two passes, across and then down. In each, boxes are taken in the order in which they stand and a
box is put beyond those before it as far as needed; the same from the other end; the mean of both
keeps every distance, since distances are linear in the places. The first pass settles the pairs
that overlap less across than down, the second all that remain (after Dwyer, Marriott and Stuckey,
Fast Node Overlap Removal, Graph Drawing 2005). What still meets a fixed box moves to the nearest
free place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from topoedit.layout.bodies import Body, Edges, Point, arrange_bodies
from topoedit.layout.sizes import GAP
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_TOUCH = 1e-6


def arrange(document: Document, ids: Iterable[str] = ()) -> MoveDevices:
    """Remove overlaps among devices and containers, keeping who is left of and above whom.

    Args:
        document: the drawing.
        ids: devices to look at, all of them if there are none; locked ones stay.
    """
    return arrange_bodies(document, ids, "Tidy up", place)


def place(bodies: Sequence[Body], edges: Edges) -> list[Point]:
    """Centres without overlaps, near where the bodies are."""
    del edges
    return separate(bodies, [(body.x, body.y) for body in bodies])


def separate(bodies: Sequence[Body], centres: Sequence[Point], gap: float = GAP) -> list[Point]:
    """Centres near the given ones at which no two bodies overlap.

    Those that overlap are put `gap` apart; others come no nearer to each other than that, unless
    they are nearer already.
    """
    if len(bodies) < 2:
        return list(centres)
    at = np.array(centres, np.float64)
    fixed = np.array([body.fixed for body in bodies])
    at[fixed] = np.array([(body.x, body.y) for body in bodies if body.fixed]).reshape(-1, 2)
    sizes = np.array([(body.width, body.height) for body in bodies])
    if not _overlapping(at, sizes).any():
        return [(float(x), float(y)) for x, y in at]
    need = _Needed(at, sizes, gap)
    at[:, 0] = _spread(at, need, fixed, axis=0)
    at[:, 1] = _spread(at, need, fixed, axis=1)
    for index in np.flatnonzero(~fixed).tolist():
        if _hits(at, sizes, index, at[index]).any():
            at[index] = _nearest_free(at, sizes, index, gap)
    return [(float(x), float(y)) for x, y in at]


def _overlapping(at: Floats, sizes: Floats) -> Bools:
    """Bodies that overlap another one."""
    return np.array([_hits(at, sizes, i, at[i]).any() for i in range(len(at))], bool)


def _hits(at: Floats, sizes: Floats, index: int, centre: Floats) -> Bools:
    """Which others a body would overlap at `centre`."""
    apart = np.abs(at - centre) - (sizes + sizes[index]) / 2
    hit = np.asarray((apart < -_TOUCH).all(axis=1))
    hit[index] = False
    return hit


class _Needed:
    """Least distances of bodies from one another along each axis, from where they started."""

    def __init__(self, at: Floats, sizes: Floats, gap: float) -> None:
        self._start, self._sizes, self._gap = at.copy(), sizes, gap

    def between(self, index: int, axis: int) -> Floats:
        """(n,) least distance of the centres from that of a body, if they are side by side."""
        half = (self._sizes + self._sizes[index]) / 2
        apart = np.abs(self._start - self._start[index]) - half
        overlap = (apart < -_TOUCH).all(axis=1)
        room = np.where(overlap, self._gap, np.clip(apart[:, axis], 0.0, self._gap))
        return np.asarray(half[:, axis] + room)

    def settles(self, index: int, at: Floats, axis: int) -> Bools:
        """(n,) bodies that this pass keeps apart from a body.

        Across: those that overlap it down, and across by less. Down: all that overlap it across.
        """
        half = (self._sizes + self._sizes[index]) / 2
        apart = np.abs(at - at[index]) - half
        if axis == 1:
            return np.asarray(apart[:, 0] < -_TOUCH)
        return np.asarray((apart[:, 1] < -_TOUCH) & (apart[:, 0] >= apart[:, 1]))


def _spread(at: Floats, need: _Needed, fixed: Bools, axis: int) -> Floats:
    """Coordinates along one axis with all distances kept, the mean of both directions."""
    count = len(at)
    order = np.lexsort((np.arange(count), at[:, 1 - axis], at[:, axis]))
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    ahead, behind = at[:, axis].copy(), at[:, axis].copy()
    for index in order.tolist():
        before = need.settles(index, at, axis) & (rank < rank[index])
        if before.any() and not fixed[index]:
            least = ahead[before] + need.between(index, axis)[before]
            ahead[index] = max(ahead[index], float(least.max()))
    for index in order[::-1].tolist():
        after = need.settles(index, at, axis) & (rank > rank[index])
        if after.any() and not fixed[index]:
            most = behind[after] - need.between(index, axis)[after]
            behind[index] = min(behind[index], float(most.min()))
    return np.asarray((ahead + behind) / 2)


def _nearest_free(at: Floats, sizes: Floats, index: int, gap: float) -> Floats:
    """The nearest place beside another body at which a body overlaps none."""
    reach = (sizes + sizes[index]) / 2 + gap
    here = at[index]
    columns = np.concatenate([[here[0]], at[:, 0] - reach[:, 0], at[:, 0] + reach[:, 0]])
    rows = np.concatenate([[here[1]], at[:, 1] - reach[:, 1], at[:, 1] + reach[:, 1]])
    aligned = [np.column_stack([columns, np.full(len(columns), here[1])])]
    aligned.append(np.column_stack([np.full(len(rows), here[0]), rows]))
    corners = np.column_stack([columns[1:], np.tile(rows[1:], 1)])
    tried = np.concatenate([*aligned, corners])
    tried = tried[np.argsort(((tried - here) ** 2).sum(axis=1), kind="stable")]
    free = (spot for spot in tried if not _hits(at, sizes, index, spot).any())
    found = next(free, None)
    if found is None:  # beyond everything there is
        found = np.array([here[0], float((at[:, 1] + reach[:, 1]).max())])
    return np.asarray(found)
