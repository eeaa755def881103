"""From loads of single cables to seconds of the fullest cable of each tier and class of links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topoedit.engine.routing.sums import firsts, sum_by
from topoedit.engine.routing.walk import Columns
from topoedit.engine.types import Bools, Fabric, Floats, Ints, Longs, Spread, Tier


@dataclass(frozen=True, eq=False)
class _Groups:
    """Things sorted by class: their order, where each class starts, and its number."""

    order: Longs
    first: Longs
    number: Longs

    def tops(self, values: Floats) -> Floats:
        """(..., groups) the greatest value of each class."""
        if not len(self.first):
            return np.zeros((*values.shape[:-1], 0))
        found = np.maximum.reduceat(values[..., self.order], self.first, axis=-1)
        return np.asarray(found, np.float64)


def _grouped(classes: Ints | Longs) -> _Groups:
    order = np.argsort(classes, kind="stable")
    ordered = np.asarray(classes[order], np.int64)
    first = firsts(ordered) if len(ordered) else ordered
    return _Groups(order, first, ordered[first])


class Measures:
    """Seconds of the fullest cables.

    Args:
        fabric: the fabric.
        classes: (E,) class of each edge.
        columns: cables whose load differs from draw to draw.
        variable: (E,) edges that those cables are of.
    """

    def __init__(self, fabric: Fabric, classes: Ints, columns: Columns, variable: Bools) -> None:
        self._fabric, self._columns, self._variable = fabric, columns, variable
        self._classes = int(classes.max(initial=-1)) + 1
        self._by_class = _grouped(classes[columns.edge])
        self._fixed = np.flatnonzero(~variable)
        self._fixed_by_class = _grouped(classes[self._fixed])
        self._links = np.bincount(classes, minlength=self._classes)
        tier = np.zeros(self._classes, np.int32)
        tier[classes] = fabric.tier
        self._tier = tier
        self._slow = _reciprocal(columns.rate)
        self._fixed_slow = _reciprocal(fabric.capacity[self._fixed])

    def of(self, mean: Floats, load: Floats) -> Floats:
        """(s, classes) seconds in some draws.

        Args:
            mean: (E,) bytes of each edge, used where the load does not vary.
            load: (s, slots) bytes of each cable.
        """
        found = np.zeros((len(load), self._classes))
        fixed = self._fixed_by_class.tops(mean[self._fixed] * self._fixed_slow)
        found[:, self._fixed_by_class.number] = fixed
        varied = self._by_class.tops(load[:, self._columns.slot] * self._slow)
        number = self._by_class.number
        found[:, number] = np.maximum(found[:, number], varied)
        return found

    def bytes(self, mean: Floats, load: Floats) -> Floats:
        """(E,) bytes of each edge in one draw, whose cables carry `load`."""
        columns = self._columns
        drawn = sum_by(columns.edge, load[columns.slot], len(mean))
        return np.where(self._variable, drawn, mean)

    def spread(self, parts: Sequence[Floats]) -> Spread:
        """Seconds of the draws in `parts`."""
        seconds = np.concatenate(parts)
        tiers = np.zeros((len(seconds), len(Tier)))
        groups = _grouped(self._tier)
        tiers[:, groups.number] = groups.tops(seconds)
        used = np.flatnonzero(seconds.any(axis=0))
        return Spread(tiers, seconds[:, used], self._tier[used], self._links[used])


def _reciprocal(rate: Floats) -> Floats:
    """Seconds a byte; 0 where the rate is unknown or nothing."""
    out = np.zeros(len(rate))
    np.divide(1.0, rate, out=out, where=rate > 0)
    return out
