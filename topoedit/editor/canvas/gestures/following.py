"""The lines of devices that move: found once, then only their near ends are shifted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from topoedit.render.ink import Ink
from topoedit.render.links import draw_lines
from topoedit.render.scene import DiagramScene
from topoedit.render.view import View

MOST_LINES = 512
MOST_SMOOTH = 24
"""A smooth line costs six times what a plain one does; more than these are plain."""
_WIDTH = 1.01  # exactly 1 would choose Qt's slower hairline path
_SMOOTH = QPainter.RenderHint.Antialiasing


class FollowingLines:
    """Lines at some devices, at most 512.

    Args:
        scene: the drawing; what moves in it later is not noticed.
        devices: ids of the devices that move.
    """

    def __init__(self, scene: DiagramScene, devices: Sequence[str]) -> None:
        strokes = scene.strokes
        moving = np.zeros(scene.node_count, np.bool_)
        moving[[scene.devices.row[i] for i in devices]] = True
        rows = np.flatnonzero(moving[strokes.a] | moving[strokes.b])[:MOST_LINES]
        self._seg = strokes.seg[rows]
        at_a, at_b = moving[strokes.a[rows]], moving[strokes.b[rows]]
        self._moves = np.stack((at_a, at_a, at_b, at_b), axis=1).astype(np.float64)

    def __len__(self) -> int:
        return len(self._seg)

    def pixels(self, view: View, dx: float, dy: float) -> NDArray[np.float64]:
        """The lines x1, y1, x2, y2 in pixels while the devices are shifted; shape (n, 4)."""
        moved = self._seg + self._moves * (dx, dy, dx, dy)
        return np.ascontiguousarray((moved - (view.x, view.y, view.x, view.y)) * view.scale)

    def paint(self, ink: Ink, view: View, dx: float, dy: float) -> None:
        """Draw them plainly: their colours are those of the place that they leave."""
        painter = ink.painter
        painter.setPen(ink.pen("canvas.link_plain", _WIDTH))
        painter.setRenderHint(_SMOOTH, len(self) <= MOST_SMOOTH)
        draw_lines(painter, self.pixels(view, dx, dy))
        painter.setRenderHint(_SMOOTH, True)
