"""Dotted lines by the thousand: each dot is a pixel, placed with numpy.

Qt's dashes cost several times what a whole line does, and what is unknown may be every link.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QPainter

from topoedit.render.batches import Boxes, fill_boxes
from topoedit.render.tables import Floats

PITCH = 5.0
"""One pixel drawn, four left out: dots 1 4."""
_LEAST = 1e-6


def shares_inside(lines: Floats, width: float, height: float) -> tuple[Floats, Floats]:
    """Where lines enter and leave a window, as shares of their length (Liang and Barsky).

    Args:
        lines: rows x1, y1, x2, y2 in pixels.
        width: of the window.
        height: of the window.

    Returns:
        shares from 0 to 1; a line that misses the window leaves before it enters.
    """
    first, last = np.zeros(len(lines)), np.ones(len(lines))
    for axis, size in ((0, width), (1, height)):
        start, way = lines[:, axis], lines[:, axis + 2] - lines[:, axis]
        steep = np.where(np.abs(way) < _LEAST, _LEAST, way)
        one, other = -start / steep, (size - start) / steep
        first, last = (
            np.maximum(first, np.minimum(one, other)),
            np.minimum(last, np.maximum(one, other)),
        )
    return first, last


def dots_along(lines: Floats, width: float, height: float) -> Boxes:
    """One-pixel boxes along lines, at the same places of a line whatever part of it is seen."""
    length = np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1])
    first, last = shares_inside(lines, width, height)
    begin = np.ceil(first * length / PITCH).astype(np.int64)
    end = np.floor(last * length / PITCH).astype(np.int64)
    counts = np.maximum(end - begin + 1, 0)
    owner = np.repeat(np.arange(len(lines)), counts)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts - begin, counts)
    share = PITCH * number / np.maximum(length, PITCH)[owner]
    x = lines[owner, 0] + share * (lines[owner, 2] - lines[owner, 0])
    y = lines[owner, 1] + share * (lines[owner, 3] - lines[owner, 1])
    corner: NDArray[np.int32] = np.floor(np.stack((x, y), axis=1)).astype(np.int32)
    return np.ascontiguousarray(np.concatenate((corner, corner), axis=1))


def draw_dots(painter: QPainter, lines: Floats, color: QColor) -> None:
    """Draw dotted lines of one pixel on a painter whose window is the view."""
    window = painter.window()
    fill_boxes(painter, dots_along(lines, window.width(), window.height()), color)


def stamp_dots(numbers: NDArray[np.uint8], lines: Floats, value: int, ratio: int) -> None:
    """Write a number where the dots of lines lie: five times as fast as to paint them.

    Args:
        numbers: pixels as rows; written to.
        lines: rows x1, y1, x2, y2, in units of `ratio` pixels.
        value: what is written.
        ratio: pixels along the side of one dot.
    """
    height, width = numbers.shape
    dots = dots_along(lines, width / ratio, height / ratio)[:, :2] * ratio
    for right in range(ratio):
        for down in range(ratio):
            x, y = dots[:, 0] + right, dots[:, 1] + down
            inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
            numbers[y[inside], x[inside]] = value
