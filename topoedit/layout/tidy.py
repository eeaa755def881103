"""Pushes overlapping boxes apart and changes as little else as can be.

Two passes, across and then down. In each, boxes are taken in the order in which they stand and a
box is put beyond those before it as far as needed; the same from the other end; the mean of both
keeps every distance, since distances are linear in the places. The first pass settles the pairs
that overlap less across than down, the second all that remain (after Dwyer, Marriott and Stuckey,
Fast Node Overlap Removal, Graph Drawing 2005). What still meets a fixed box moves to the nearest
free place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from topoedit.layout.bodies import Body, Edges, Point, arrange_bodies
from topoedit.layout.sizes import GAP
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
_TOUCH = 1e-6
_MOST_PAIRS = 4_000_000  # side by side; more is a pile that has no order to keep


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
    if not len(_overlaps(at, sizes)):
        return [(float(x), float(y)) for x, y in at]
    if _beside(at, sizes) is None:
        at[~fixed] = _unpiled(at[~fixed], sizes.max(axis=0) + gap)
    start = at.copy()
    for axis in (0, 1):
        at[:, axis] = _spread(at, start, sizes, fixed, gap, axis)
    for index in np.unique(_overlaps(at, sizes)).tolist():
        if not fixed[index] and _hits(at, sizes, index, at[index]).any():
            at[index] = _nearest_free(at, sizes, index, gap)
    return [(float(x), float(y)) for x, y in at]


def _beside(at: Floats, sizes: Floats) -> Ints | None:
    """(pairs, 2) bodies that overlap across, wherever they are down; None if they are a pile."""
    left, right = at[:, 0] - sizes[:, 0] / 2, at[:, 0] + sizes[:, 0] / 2
    order = np.argsort(left, kind="stable")
    last = np.searchsorted(left[order], right[order] - _TOUCH, side="left")
    count = np.maximum(last - np.arange(len(order)) - 1, 0)
    if count.sum() > _MOST_PAIRS:
        return None
    first = np.repeat(np.arange(len(order)), count)
    second = np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count) + first + 1
    return np.stack([order[first], order[second]], axis=1)


def _apart(at: Floats, sizes: Floats, pairs: Ints) -> Floats:
    """(pairs, 2) gap between two bodies along each axis, negative where they overlap."""
    a, b = pairs[:, 0], pairs[:, 1]
    return np.asarray(np.abs(at[a] - at[b]) - (sizes[a] + sizes[b]) / 2)


def _overlaps(at: Floats, sizes: Floats) -> Ints:
    """Pairs of bodies that overlap; for a pile just one."""
    pairs = _beside(at, sizes)
    if pairs is None:
        return np.array([[0, 1]])
    return pairs[_apart(at, sizes, pairs)[:, 1] < -_TOUCH]


def _unpiled(at: Floats, cell: Floats) -> Floats:
    """A sheet of cells about the middle of a pile, rows from top to bottom."""
    columns = math.ceil(math.sqrt(len(at)))
    row, column = np.divmod(np.arange(len(at)), columns)
    down = np.lexsort((at[:, 0], at[:, 1]))
    across = np.lexsort((at[down, 0], row))
    made = np.empty_like(at)
    made[down[across]] = (np.stack([column, row], axis=1) - (columns - 1) / 2) * cell
    return np.asarray(made + at.mean(axis=0))


def _hits(at: Floats, sizes: Floats, index: int, centre: Floats) -> Bools:
    """Which others a body would overlap at `centre`."""
    apart = np.abs(at - centre) - (sizes + sizes[index]) / 2
    hit = np.asarray((apart < -_TOUCH).all(axis=1))
    hit[index] = False
    return hit


def _spread(
    at: Floats, start: Floats, sizes: Floats, fixed: Bools, gap: float, axis: int
) -> Floats:
    """Coordinates along one axis with all distances kept, the mean of both directions.

    Across, pairs that overlap both ways, and across by less, are put apart; down, all that overlap
    across. The distance is `gap` for what overlapped at the start, else what it was up to that.
    """
    pairs = _beside(at, sizes)
    if pairs is None:
        return at[:, axis]
    if axis == 0:
        apart = _apart(at, sizes, pairs)
        pairs = pairs[(apart[:, 1] < -_TOUCH) & (apart[:, 0] >= apart[:, 1])]
    before = _apart(start, sizes, pairs)
    room = np.where((before < -_TOUCH).all(axis=1), gap, np.clip(before[:, axis], 0.0, gap))
    need = (sizes[pairs[:, 0], axis] + sizes[pairs[:, 1], axis]) / 2 + room
    order = np.lexsort((np.arange(len(at)), at[:, 1 - axis], at[:, axis]))
    rank = np.empty(len(at), np.int64)
    rank[order] = np.arange(len(at))
    low = np.where(rank[pairs[:, 0]] < rank[pairs[:, 1]], pairs[:, 0], pairs[:, 1])
    high = pairs.sum(axis=1) - low
    ahead = _pushed(at[:, axis], order, high, low, need, fixed)
    behind = -_pushed(-at[:, axis], order[::-1], low, high, need, fixed)
    return np.asarray((ahead + behind) / 2)


def _pushed(at: Floats, order: Ints, moved: Ints, by: Ints, need: Floats, fixed: Bools) -> Floats:
    """Each body in order put as far beyond those before it as it needs to be."""
    place = at.copy()
    sort = np.argsort(moved, kind="stable")
    by, need = by[sort], need[sort]
    first = np.searchsorted(moved[sort], np.arange(len(at) + 1))
    for index in order[~fixed[order]].tolist():
        begin, end = first[index], first[index + 1]
        if end > begin:
            least = (place[by[begin:end]] + need[begin:end]).max()
            if least > place[index]:
                place[index] = least
    return place


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
