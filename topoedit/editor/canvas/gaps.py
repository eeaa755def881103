"""Equal gaps: where a moved box stands as far from its neighbour as others stand from theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Span = tuple[float, float]
Extent = tuple[float, float, float, float]


@dataclass(frozen=True)
class Gaps:
    """Gaps of one width: `spans` along one axis, all at `at` across it.

    `vertical` gaps lie above one another.
    """

    vertical: bool
    at: float
    spans: tuple[Span, ...]

    @property
    def width(self) -> float:
        """Width of each."""
        start, end = self.spans[0]
        return end - start


def equal_gaps(
    box: Extent, others: NDArray[np.float64], reach: float, axis: int
) -> tuple[float, tuple[Span, ...]] | None:
    """The least shift along an axis that makes two gaps equal, and these gaps after it.

    Args:
        box: left, top, right, bottom of what moves, where the pointer has it.
        others: boxes that stay, shape (4, n); those beside the box count.
        reach: greatest shift.
        axis: 0 across, 1 down.
    """
    low, high, across = axis, axis + 2, 1 - axis
    beside = (others[across] < box[across + 2]) & (others[across + 2] > box[across])
    row = others[:, beside]
    if row.shape[1] < 2:
        return None
    size = box[high] - box[low]
    middle = (box[low] + box[high]) / 2
    centres = (row[low] + row[high]) / 2
    before = row[:, centres < middle][:, np.argsort(row[high][centres < middle])]
    after = row[:, centres >= middle][:, np.argsort(row[low][centres >= middle])]
    found = list(_choices(before[[low, high]], after[[low, high]], size))
    best = min(found, key=lambda choice: abs(choice[0] - box[low]), default=None)
    if best is None or abs(best[0] - box[low]) > reach:
        return None
    return best[0] - box[low], best[1]


def _choices(
    before: NDArray[np.float64], after: NDArray[np.float64], size: float
) -> Iterator[tuple[float, tuple[Span, ...]]]:
    """Places of the near edge and the gaps there: between two, after two, before two."""
    if before.shape[1] and after.shape[1]:
        start, end = float(before[1, -1]), float(after[0, 0])
        place = (start + end - size) / 2
        if place > start:
            yield place, ((start, place), (place + size, end))
    if before.shape[1] > 1:
        start, end = float(before[1, -2]), float(before[0, -1])
        place = float(before[1, -1]) + end - start
        if end > start:
            yield place, ((start, end), (float(before[1, -1]), place))
    if after.shape[1] > 1:
        start, end = float(after[1, 0]), float(after[0, 1])
        place = float(after[0, 0]) - (end - start) - size
        if end > start:
            yield place, ((place + size, float(after[0, 0])), (start, end))
