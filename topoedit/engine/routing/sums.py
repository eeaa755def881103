"""Sums by key, the one operation everything here is made of."""

from __future__ import annotations

import numpy as np

from topoedit.engine.types import Bools, Floats, Ints, Longs


def sum_by(key: Longs | Ints, value: Floats | Longs | Bools, size: int) -> Floats:
    """(size,) sum of the values of each key in 0..size-1."""
    return np.asarray(np.bincount(key, weights=value, minlength=size), np.float64)


def merge(key: Longs, value: Floats, space: int) -> tuple[Longs, Floats]:
    """Sum the values of equal keys; keys are in 0..space-1, and come back sorted and distinct."""
    if len(key) * 4 > space:
        total = sum_by(key, value, space)
        kept = np.flatnonzero(total)
        return kept.astype(np.int64), total[kept]
    kept, inverse = np.unique(key, return_inverse=True)
    return kept, sum_by(inverse, value, len(kept))


def positions(start: Longs, size: Longs) -> tuple[Longs, Longs]:
    """Indexes of runs laid one after another.

    Args:
        start: (n,) where each run starts.
        size: (n,) how long it is.

    Returns:
        For each index the number of its run, and the index itself.
    """
    run = np.repeat(np.arange(len(size)), size)
    before = np.cumsum(size) - size
    return run, (start - before)[run] + np.arange(len(run))


def chunks(size: Longs, limit: int) -> list[slice]:
    """Slices of consecutive runs whose sizes sum to at most `limit` (a longer run stands alone)."""
    work = np.cumsum(size)
    found, low = [], 0
    while low < len(size):
        done = int(work[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(work, done + limit, side="right")))
        found.append(slice(low, high))
        low = high
    return found
