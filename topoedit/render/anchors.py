"""Where a link meets a device: on the edge facing the other end, in an order without crossings."""

from __future__ import annotations

import numpy as np

from topoedit.render.tables import Bytes, Floats, Ints

TOP, RIGHT, BOTTOM, LEFT = 0, 1, 2, 3
MAX_PITCH = 18.0
"""Ports on one edge are at most so far apart."""
WIDE_EDGE = 200.0
"""Edges longer than any device's: those of closed groups, whose bundles share all of the edge."""
EDGE_MARGIN = 6.0
_SIDEWAYS_GAP = 8.0
"""Below this vertical gap two boxes are beside each other and meet at their sides."""

Rects = Floats
"""Boxes as rows left, top, right, bottom: shape (4, n)."""


def facing_sides(rects: Rects, here: Ints, there: Ints) -> Bytes:
    """The edge of box `here` that faces box `there`, for each pair.

    Rows stand above each other in a network drawing, so that top and bottom win wherever there is
    a vertical gap between the boxes.
    """
    left, top, right, bottom = rects
    above = top[here] - bottom[there] >= _SIDEWAYS_GAP
    below = top[there] - bottom[here] >= _SIDEWAYS_GAP
    rightwards = (left[there] + right[there]) >= (left[here] + right[here])
    side = np.where(rightwards, RIGHT, LEFT)
    side = np.where(above, TOP, np.where(below, BOTTOM, side))
    return side.astype(np.uint8)


def place_ends(
    rects: Rects, here: Ints, there: Ints, side: Bytes, column: Ints, order: Ints, rails: Ints
) -> tuple[Floats, Floats]:
    """Points at which link ends meet their boxes.

    Args:
        rects: boxes of all nodes.
        here: node at this end of each link.
        there: node at its other end.
        side: edge at which it meets `here`.
        column: rail column at this end, -1 for none.
        order: port number at this end.
        rails: number of rail columns of each node (0 for none).

    Returns:
        x and y of each end. Ends on a rail column keep it; all others share their edge evenly,
        ordered by where the other end lies, then by port.
    """
    left, top, right, bottom = rects
    vertical = (side == TOP) | (side == BOTTOM)
    centre_x, centre_y = (left + right) / 2, (top + bottom) / 2
    width = right - left
    on_rail = (column >= 0) & (rails[here] > 0) & vertical
    free = np.flatnonzero(~on_rail)  # all ends on an edge in a column, or none: see `_spread`
    spread = np.zeros(len(here))
    spread[free] = _spread(here[free], there[free], side[free], column[free], order[free], rects)
    x = np.where(side == LEFT, left[here], right[here])
    y = np.where(side == TOP, top[here], bottom[here])
    x = np.where(vertical, centre_x[here] + spread, x)
    y = np.where(vertical, y, centre_y[here] + spread)
    pitch = (width[here] - 2 * EDGE_MARGIN) / np.maximum(rails[here], 1)
    rail_x = left[here] + EDGE_MARGIN + pitch * (np.minimum(column, rails[here] - 1) + 0.5)
    return np.where(on_rail, rail_x, x), y


def _spread(
    here: Ints, there: Ints, side: Bytes, column: Ints, order: Ints, rects: Rects
) -> Floats:
    """Offsets from the middle of the edge, so that the ends on one edge share it."""
    count = len(here)
    if not count:
        return np.zeros(0)
    left, top, right, bottom = rects
    vertical = (side == TOP) | (side == BOTTOM)
    far = np.where(vertical, (left + right)[there], (top + bottom)[there])
    free = (column < 0).astype(np.int64)
    edge = (here.astype(np.int64) * 4 + side) * 2 + free
    rank_order = np.lexsort((order, far, edge))
    sorted_edge = edge[rank_order]
    starts = np.flatnonzero(np.r_[True, sorted_edge[1:] != sorted_edge[:-1]])
    sizes = np.diff(np.r_[starts, count])
    rank = np.arange(count) - np.repeat(starts, sizes)
    total = np.repeat(sizes, sizes)
    length = np.where(vertical, (right - left)[here], (bottom - top)[here])[rank_order]
    most = np.where(length > WIDE_EDGE, length, MAX_PITCH)
    pitch = np.minimum(most, (length - 2 * EDGE_MARGIN) / np.maximum(total, 1))
    offsets = np.empty(count)
    offsets[rank_order] = (rank - (total - 1) / 2) * pitch
    return offsets
