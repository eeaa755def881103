"""Very many boxes at once, drawn from numpy buffers."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter
from shiboken6 import Shiboken

Boxes = NDArray[np.int32]
"""Boxes on whole pixels as rows left, top, right, bottom (the last two inclusive, as in QRect)."""


def pixel_boxes(
    x: NDArray[np.float64], y: NDArray[np.float64], w: NDArray[np.float64], h: NDArray[np.float64]
) -> Boxes:
    """Boxes from corner and size in pixels; none is thinner than one pixel."""
    left, top = np.round(x), np.round(y)
    right = np.maximum(np.round(x + w) - 1, left)
    bottom = np.maximum(np.round(y + h) - 1, top)
    return np.ascontiguousarray(np.stack((left, top, right, bottom), axis=1).astype(np.int32))


def fill_boxes(painter: QPainter, boxes: Boxes, color: QColor) -> None:
    """Fill boxes in one colour, sharp and without an edge."""
    if not len(boxes):
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    draw_boxes(painter, boxes)


def draw_boxes(painter: QPainter, boxes: Boxes) -> None:
    """Draw boxes with the pen and brush that are set."""
    first = cast("QRect", Shiboken.wrapInstance(boxes.ctypes.data, QRect))
    painter.drawRects(first, len(boxes))


def shrink(boxes: Boxes, by: int) -> Boxes:
    """The same boxes with an edge taken off."""
    return np.ascontiguousarray(boxes + np.array([by, by, -by, -by], np.int32))


def fill_by_code(
    painter: QPainter, boxes: Boxes, codes: NDArray[np.uint8], colors: tuple[QColor, ...]
) -> None:
    """Fill boxes, each in the colour of its code."""
    for code in np.unique(codes).tolist():
        fill_boxes(painter, np.ascontiguousarray(boxes[codes == code]), colors[code])
