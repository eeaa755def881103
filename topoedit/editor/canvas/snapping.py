"""Snapping of moved devices: to the grid, and to edges and centres of their neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoedit.editor.canvas.gaps import Gaps, Span, equal_gaps

GRID = 8.0
REACH_PX = 6.0
EXACT = 0.01
Box = tuple[float, float, float, float]
Boxes = NDArray[np.float64]
"""Left, top, right, bottom as rows: shape (4, n)."""


@dataclass(frozen=True)
class Guide:
    """A line that shows an alignment: at `at` across the other axis from `start` to `end`.

    `distance` is that to the nearest aligned box, `middle` the middle of the way there.
    """

    vertical: bool
    at: float
    start: float
    end: float
    distance: float | None = None
    middle: float = 0.0


@dataclass(frozen=True)
class Snap:
    """The shift to use instead of the pointer's, and why."""

    dx: float
    dy: float
    guides: tuple[Guide, ...] = ()
    gaps: tuple[Gaps, ...] = ()


class Neighbours:
    """Boxes of what stays, with the lines along which things align.

    Args:
        boxes: left, top, right, bottom as rows; shape (4, n).
    """

    def __init__(self, boxes: Boxes | None = None) -> None:
        self.boxes: Boxes = np.zeros((4, 0)) if boxes is None else boxes
        self._lines: dict[int, list[NDArray[np.float64]]] = {}

    def __len__(self) -> int:
        return int(self.boxes.shape[1])

    def lines(self, axis: int) -> list[NDArray[np.float64]]:
        """Sorted low edges, centres and high edges along an axis."""
        if axis not in self._lines:
            low, high = self.boxes[axis], self.boxes[axis + 2]
            self._lines[axis] = [np.unique(line) for line in _lines(low, high)]
        return self._lines[axis]


def to_grid(value: float, grid: float = GRID) -> float:
    """The nearest grid line."""
    return round(value / grid) * grid


def snap_move(
    moving: tuple[float, float, float, float],
    anchor: tuple[float, float],
    shift: tuple[float, float],
    others: Neighbours | Boxes,
    scale: float,
) -> Snap:
    """Where a move by `shift` ends when it snaps.

    Args:
        moving: box around everything that moves, before the move.
        anchor: centre of the device under the pointer, which goes to the grid.
        shift: movement of the pointer, canvas units.
        others: devices that stay, those near enough to be seen.
        scale: pixels a canvas unit; alignment reaches 6 pixels.
    """
    others = others if isinstance(others, Neighbours) else Neighbours(others)
    reach = REACH_PX / scale
    dx, guide_x = _align(moving, shift, others, reach, axis=0)
    dy, guide_y = _align(moving, shift, others, reach, axis=1)
    equal = [_equal(moving, shift, others.boxes, reach, axis) for axis in (0, 1)]
    if guide_x is None:
        dx = equal[0][0] if equal[0] else to_grid(anchor[0] + shift[0]) - anchor[0]
    if guide_y is None:
        dy = equal[1][0] if equal[1] else to_grid(anchor[1] + shift[1]) - anchor[1]
    guides = tuple(
        _guide(moving, (dx, dy), others.boxes, line, vertical)
        for line, vertical in ((guide_x, True), (guide_y, False))
        if line is not None
    )
    gaps = []
    for axis, (found, moved) in enumerate(zip(equal, (dx, dy), strict=True)):
        if found is not None and abs(found[0] - moved) < EXACT:
            across = 1 - axis
            at = (moving[across] + moving[across + 2]) / 2 + (dx, dy)[across]
            gaps.append(Gaps(axis == 1, at, found[1]))
    return Snap(dx, dy, guides, tuple(gaps))


def _equal(
    moving: Box, shift: tuple[float, float], others: Boxes, reach: float, axis: int
) -> tuple[float, tuple[Span, ...]] | None:
    """The shift along an axis that makes two gaps equal, and these gaps."""
    dx, dy = shift
    left, top, right, bottom = moving
    box = (left + dx, top + dy, right + dx, bottom + dy)
    found = equal_gaps(box, others, reach, axis)
    return None if found is None else (shift[axis] + found[0], found[1])


def _lines(low: Boxes, high: Boxes) -> Boxes:
    return np.stack((low, (low + high) / 2, high))


def _align(
    moving: tuple[float, float, float, float],
    shift: tuple[float, float],
    others: Neighbours,
    reach: float,
    axis: int,
) -> tuple[float, float | None]:
    """Shift along one axis and the line it aligns to (None for none)."""
    low, high = moving[axis] + shift[axis], moving[axis + 2] + shift[axis]
    mine = np.array([low, (low + high) / 2, high])
    best, line = reach, None
    gap = 0.0
    for theirs in others.lines(axis) if len(others) else ():
        after = np.searchsorted(theirs, mine)
        for at in (np.maximum(after - 1, 0), np.minimum(after, len(theirs) - 1)):
            gaps = theirs[at] - mine
            nearest = int(np.argmin(np.abs(gaps)))
            if abs(gaps[nearest]) < best or (line is None and abs(gaps[nearest]) == best):
                gap, line = float(gaps[nearest]), float(theirs[at[nearest]])
                best = abs(gap)
    return shift[axis] + gap, line


def _guide(
    moving: tuple[float, float, float, float],
    shift: tuple[float, float],
    others: Boxes,
    line: float,
    vertical: bool,
) -> Guide:
    axis, across = (0, 1) if vertical else (1, 0)
    on_line = np.abs(_lines(others[axis], others[axis + 2]) - line).min(axis=0) < 0.5
    near, far = moving[across] + shift[across], moving[across + 2] + shift[across]
    lows, highs = others[across][on_line], others[across + 2][on_line]
    ends = (near, far, float(lows.min()), float(highs.max()))
    distance, middle = _way(near, far, lows, highs)
    return Guide(vertical, line, min(ends), max(ends), distance, middle)


def _way(near: float, far: float, lows: Boxes, highs: Boxes) -> tuple[float | None, float]:
    """Distance to the nearest of the boxes on a line and the middle of the way; None for touch."""
    ways = [(near - high, (near + high) / 2) for high in highs.tolist() if high < near]
    ways += [(low - far, (low + far) / 2) for low in lows.tolist() if low > far]
    return min(ways, default=(None, 0.0), key=lambda way: way[0])
