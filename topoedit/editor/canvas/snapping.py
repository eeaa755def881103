"""Snapping of moved devices: to the grid, and to edges and centres of their neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GRID = 8.0
REACH_PX = 6.0
Boxes = NDArray[np.float64]
"""Left, top, right, bottom as rows: shape (4, n)."""


@dataclass(frozen=True)
class Guide:
    """A line that shows an alignment: at `at` across the other axis from `start` to `end`."""

    vertical: bool
    at: float
    start: float
    end: float


@dataclass(frozen=True)
class Snap:
    """The shift to use instead of the pointer's, and why."""

    dx: float
    dy: float
    guides: tuple[Guide, ...] = ()


def to_grid(value: float, grid: float = GRID) -> float:
    """The nearest grid line."""
    return round(value / grid) * grid


def snap_move(
    moving: tuple[float, float, float, float],
    anchor: tuple[float, float],
    shift: tuple[float, float],
    others: Boxes,
    scale: float,
) -> Snap:
    """Where a move by `shift` ends when it snaps.

    Args:
        moving: box around everything that moves, before the move.
        anchor: centre of the device under the pointer, which goes to the grid.
        shift: movement of the pointer, canvas units.
        others: boxes of devices that stay, those near enough to be seen.
        scale: pixels a canvas unit; alignment reaches 6 pixels.
    """
    reach = REACH_PX / scale
    dx, guide_x = _align(moving, shift, others, reach, axis=0)
    dy, guide_y = _align(moving, shift, others, reach, axis=1)
    if guide_x is None:
        dx = to_grid(anchor[0] + shift[0]) - anchor[0]
    if guide_y is None:
        dy = to_grid(anchor[1] + shift[1]) - anchor[1]
    guides = tuple(
        _guide(moving, (dx, dy), others, line, vertical)
        for line, vertical in ((guide_x, True), (guide_y, False))
        if line is not None
    )
    return Snap(dx, dy, guides)


def _lines(low: Boxes, high: Boxes) -> Boxes:
    return np.stack((low, (low + high) / 2, high))


def _align(
    moving: tuple[float, float, float, float],
    shift: tuple[float, float],
    others: Boxes,
    reach: float,
    axis: int,
) -> tuple[float, float | None]:
    """Shift along one axis and the line it aligns to (None for none)."""
    if not others.shape[1]:
        return shift[axis], None
    low, high = moving[axis] + shift[axis], moving[axis + 2] + shift[axis]
    mine = np.array([low, (low + high) / 2, high])
    theirs = _lines(others[axis], others[axis + 2])
    gaps = theirs[:, None, :] - mine[None, :, None]
    best = int(np.argmin(np.abs(gaps)))
    gap = float(gaps.ravel()[best])
    if abs(gap) > reach:
        return shift[axis], None
    line = float(np.broadcast_to(theirs[:, None, :], gaps.shape).ravel()[best])
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
    ends = [moving[across] + shift[across], moving[across + 2] + shift[across]]
    ends += [float(others[across][on_line].min()), float(others[across + 2][on_line].max())]
    return Guide(vertical, line, min(ends), max(ends))
