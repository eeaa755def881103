"""Sums and groups by key, the operations everything here is made of."""

from __future__ import annotations

import numpy as np

from topoedit.engine.types import Bools, Floats, Ints, Longs


def sum_by(key: Longs | Ints, value: Floats | Longs | Bools, size: int) -> Floats:
    """(size,) sum of the values of each key in 0..size-1."""
    return np.asarray(np.bincount(key, weights=value, minlength=size), np.float64)


def is_sorted(key: Longs) -> bool:
    """Whether keys never fall; much cheaper than sorting them."""
    return bool((key[1:] >= key[:-1]).all())


def small_argsort(key: Longs | Ints) -> Longs:
    """Stable order of keys from 0 on; those below 2^16 are sorted by counting."""
    small = key.max(initial=0) < 1 << 16
    return np.argsort(key.astype(np.uint16) if small else key, kind="stable")


def merge(key: Longs, value: Floats, space: int) -> tuple[Longs, Floats]:
    """Sum the values of equal keys; keys are in 0..space-1, and come back sorted and distinct."""
    if len(key) * 4 > space:
        total = sum_by(key, value, space)
        kept = np.flatnonzero(total)
        return kept.astype(np.int64), total[kept]
    if not is_sorted(key):
        order = np.argsort(key)
        key, value = key[order], value[order]
    first = firsts(key)
    if len(first) == len(key):
        return key, value
    return key[first], np.add.reduceat(value, first)


def firsts(key: Longs) -> Longs:
    """Where each run of equal keys starts, keys being sorted."""
    change = np.ones(len(key), bool)
    np.not_equal(key[1:], key[:-1], out=change[1:])
    return np.flatnonzero(change)


def group(key: Longs) -> tuple[Longs, Longs, Longs]:
    """Distinct keys in order, the place of each key among them, and how often each occurs."""
    if not is_sorted(key):
        distinct, place, times = np.unique(key, return_inverse=True, return_counts=True)
        return distinct, place, times
    first = firsts(key)
    times = np.diff(np.concatenate([first, [len(key)]]))
    return key[first], np.repeat(np.arange(len(first)), times), times


def starts(key: Longs, size: int) -> Longs:
    """(size + 1,) where the run of each key in 0..size-1 starts in sorted keys."""
    count = np.bincount(key, minlength=size)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(count)])


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
