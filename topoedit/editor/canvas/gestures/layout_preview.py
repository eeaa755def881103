"""An arrangement shown as ghosts: Enter keeps it as one step, Esc leaves no trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt

from topoedit.editor.canvas import camera
from topoedit.editor.canvas.chips import paint_chip
from topoedit.editor.canvas.gestures.base import Gesture, Pointer, Surface
from topoedit.model.edits import MoveDevices
from topoedit.render.ink import Ink
from topoedit.render.view import View

GHOSTS = 4000
LINES = 2000
VEIL = 0.7
"""How far what stays recedes, so that the ghosts are what is looked at."""


class LayoutPreview(Gesture):
    """A mode that lasts until it is kept or left; dragging pans meanwhile.

    Args:
        surface: the canvas.
        edit: the moves.
        title: what the arrangement is called.
        ended: told at the end whether it was kept.
    """

    cursor = Qt.CursorShape.OpenHandCursor

    def __init__(
        self,
        surface: Surface,
        edit: MoveDevices,
        title: str,
        ended: Callable[[bool], None],
    ) -> None:
        super().__init__(surface, Pointer(0, 0, 0, 0))
        self.edit, self._title, self._ended = edit, title, ended
        self._before = surface.view
        self._revision = surface.session.document.revision
        self._pan: Pointer | None = None
        self._places()
        surface.lift(edit.ids)
        left, top, right, bottom = self._bounds
        view = surface.view
        surface.set_view(View.fit((left, top, right, bottom), view.width, view.height, margin=96.0))

    def _places(self) -> None:
        """Centres and boxes of what moves, now and then, and the lines between."""
        scene = self.surface.scene
        rows = np.array([scene.devices.row[i] for i in self.edit.ids], np.int64)
        devices = self.surface.session.document.devices
        shift = np.zeros((scene.node_count, 2))
        here = np.array([(devices[i].x, devices[i].y) for i in self.edit.ids])
        shift[rows] = np.column_stack((self.edit.xs, self.edit.ys)) - here
        boxes = scene.rects[:, rows] + np.vstack((shift[rows].T, shift[rows].T))
        shown = scene.shown_devices()[rows]
        self._boxes = boxes[:, shown]
        strokes = scene.strokes
        moving = np.zeros(scene.node_count, np.bool_)
        moving[rows] = True
        lines = np.flatnonzero(moving[strokes.a] | moving[strokes.b])[:LINES]
        self._lines = strokes.seg[lines] + np.hstack(
            (shift[strokes.a[lines]], shift[strokes.b[lines]])
        )
        still = scene.rects[:, : len(scene.devices)][:, ~moving[: len(scene.devices)]]
        every = np.hstack((boxes, still))
        low, high = every[:2].min(axis=1), every[2:].max(axis=1)
        self._bounds = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))

    # -- the gesture ---------------------------------------------------------------------------

    def press(self, pointer: Pointer) -> bool:
        """A drag pans."""
        self._pan = pointer
        return True

    def move(self, pointer: Pointer) -> None:
        """Pan while the button is held."""
        if self._pan is not None:
            by = pointer.px - self._pan.px, pointer.py - self._pan.py
            self.surface.set_view(camera.panned(self.surface.view, *by))
            self._pan = pointer

    def release(self, pointer: Pointer) -> bool:
        """The mode goes on."""
        self._pan = None
        return True

    def commit(self) -> bool:
        """Enter keeps the arrangement, unless the drawing has changed meanwhile."""
        session = self.surface.session
        self.surface.lift(())
        if session.document.revision != self._revision:
            session.refused.emit("The drawing has changed; arrange it once more")
            self.cancel()
            return True
        session.apply(self.edit)
        self._ended(True)
        return True

    def cancel(self) -> None:
        """Everything is where it was, the view as well."""
        self.surface.lift(())
        self.surface.set_view(self._before)
        self._ended(False)

    # -- the preview ---------------------------------------------------------------------------

    @property
    def needs(self) -> Iterable[str]:
        """All that would be arranged."""
        return self.edit.ids

    def paint(self, ink: Ink, view: View) -> None:
        """Ghosts at their new places, their links, and what Enter and Esc do."""
        ink.painter.setOpacity(VEIL)
        ink.painter.fillRect(QRectF(0, 0, view.width, view.height), ink.theme.color("canvas.bg"))
        ink.painter.setOpacity(0.62)
        ink.painter.setPen(ink.pen("canvas.link_plain", 1.0))
        offset = np.array((view.x, view.y, view.x, view.y))
        lines = ((self._lines - offset) * view.scale).tolist()
        ink.painter.drawLines([QLineF(QPointF(a, b), QPointF(c, d)) for a, b, c, d in lines])
        boxes = ((self._boxes.T[:GHOSTS] - offset) * view.scale).tolist()
        ink.painter.setPen(ink.pen("accent.base", 1.0, dash=(4.0, 3.0)))
        ink.painter.setBrush(ink.theme.color("canvas.device_fill"))
        ink.painter.drawRects([QRectF(a, b, c - a, d - b) for a, b, c, d in boxes])
        ink.painter.setOpacity(1.0)
        text = f"{self._title}, a preview: Enter keeps it, Esc leaves it"
        paint_chip(ink, view, 16, 16, text, edge="accent.base")
