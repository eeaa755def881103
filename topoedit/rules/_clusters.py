"""Which switches belong together, found from how most of what hangs on them is wired."""

from __future__ import annotations

import numpy as np

from topoedit.engine.compile.domains import components
from topoedit.engine.types import Ints, Longs
from topoedit.rules._tables import distinct_pairs

_CROSSING = 0.25


def clusters(lower: Ints, upper: Ints, count: int) -> tuple[Ints, Ints]:
    """Cluster of each upper device (a unit's leaves, a pod's spines) and of each lower one.

    Two upper devices are in one cluster when most of the lower devices of either have cables to
    both, so a few wrong cables join nothing. Where no such pattern holds, everything connected is
    one cluster. Devices without such a cable get -1.

    Args:
        lower: device at the lower end of each cable.
        upper: device at its upper end.
        count: number of devices.
    """
    own = np.full(count, -1, np.int32)
    if not len(lower):
        return own, own.copy()
    low, up = distinct_pairs(lower, upper)
    label = _by_majority(low, up, count)
    of_lower = _majority(low, label[up], count)
    if np.mean(label[up] != of_lower[low]) > _CROSSING:
        label = components(count, low.astype(np.int32), up.astype(np.int32))
        of_lower = _majority(low, label[up], count)
    own[up] = label[up]
    return own, of_lower


def _by_majority(low: Longs, up: Longs, count: int) -> Ints:
    """Labels of upper devices joined by most of their lower devices; pairs are sorted by `low`."""
    near = low[1:] == low[:-1]
    joint, support = np.unique(up[:-1][near] * count + up[1:][near], return_counts=True)
    one, other = joint // count, joint % count
    degree = np.bincount(up, minlength=count)
    strong = support * 2 > np.minimum(degree[one], degree[other])
    return components(count, one[strong].astype(np.int32), other[strong].astype(np.int32))


def _majority(key: Longs, value: Ints, count: int) -> Ints:
    """For each key the value it has most often; -1 for keys that do not occur."""
    result = np.full(count, -1, np.int32)
    keys, values, _ = most_common(key, value)
    result[keys] = values
    return result


def most_common(key: Longs | Ints, value: Longs | Ints) -> tuple[Longs, Longs, Longs]:
    """For each distinct key its most frequent value (the least of equals), and how often."""
    if not len(key):
        empty = np.zeros(0, np.int64)
        return empty, empty, empty
    width = int(value.max()) + 1
    code, times = np.unique(key.astype(np.int64) * width + value, return_counts=True)
    keys, values = code // width, code % width
    order = np.lexsort((values, -times, keys))
    first = np.concatenate([[True], keys[order][1:] != keys[order][:-1]])
    best = order[first]
    return keys[best], values[best], times[best]
