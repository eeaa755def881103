"""The rubber band: rightwards selects what is inside, leftwards what it touches."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt

from topoedit.editor.canvas.chips import paint_chip
from topoedit.editor.canvas.gestures.base import Gesture, Pointer, Surface
from topoedit.model.operations import plural
from topoedit.render import hits
from topoedit.render.grouping import Box
from topoedit.render.ink import Ink
from topoedit.render.view import View


class Marquee(Gesture):
    """Select by a box; Shift adds, Ctrl toggles."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, surface: Surface, start: Pointer) -> None:
        super().__init__(surface, start)
        self._before = surface.session.selection
        self._end = start
        self._found: tuple[str, ...] = ()
        self._moved = False

    @property
    def box(self) -> Box:
        """The band in canvas units."""
        a, b = self.start, self._end
        return min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)

    def move(self, pointer: Pointer) -> None:
        """Stretch the band and say how many are in it."""
        self._moved = self._moved or pointer.far_from(self.start)
        self._end = pointer
        if self._moved:
            touched = pointer.x < self.start.x
            self._found = hits.elements_in(
                self.surface.scene.for_scale(self.surface.view.scale), self.box, touched
            )
        self.surface.refresh()

    def release(self, pointer: Pointer) -> bool:
        """Select; a mere click lets go of the selection."""
        self.move(pointer)
        session = self.surface.session
        if pointer.ctrl:
            session.toggle(self._found)
        elif pointer.shift:
            session.select_also(self._found)
        else:
            session.select(self._found)
        return False

    def cancel(self) -> None:
        """Keep the selection as it was."""
        self.surface.session.select(self._before)

    def paint(self, ink: Ink, view: View) -> None:
        """The band, and a chip with the count."""
        if not self._moved:
            return
        left, top = view.to_pixels(self.box[0], self.box[1])
        right, bottom = view.to_pixels(self.box[2], self.box[3])
        rect = QRectF(left, top, right - left, bottom - top)
        ink.painter.fillRect(rect, ink.color("canvas.marquee_fill"))
        touched = self._end.x < self.start.x
        dash = (4.0, 3.0) if touched else ()
        ink.box(rect.x(), rect.y(), rect.width(), rect.height(), None, "canvas.marquee", dash=dash)
        if self._found:
            paint_chip(
                ink, view, self._end.px + 14, self._end.py + 14, plural(len(self._found), "item")
            )
