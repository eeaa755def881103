"""Connected parts of a graph, vectorised."""

from __future__ import annotations

import numpy as np

from topoedit.engine.types import Ints


def components(count: int, src: Ints, dst: Ints) -> Ints:
    """For each vertex the least vertex of its connected part.

    Labels are hooked to the least neighbour and shortened by pointer jumping, so the number of
    rounds grows with the logarithm of the diameter for all but contrived graphs.

    Args:
        count: number of vertices.
        src: one end of each edge.
        dst: the other end.
    """
    label = np.arange(count, dtype=np.int32)
    while True:
        low = np.minimum(label[src], label[dst])
        new = label.copy()
        np.minimum.at(new, label[src], low)
        np.minimum.at(new, label[dst], low)
        while True:
            jumped = new[new]
            if np.array_equal(jumped, new):
                break
            new = jumped
        if np.array_equal(new, label):
            return label
        label = new
