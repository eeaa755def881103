"""Dragging new devices from the palette: ghosts follow the pointer until they are dropped."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from topoedit.editor.canvas.chips import paint_chip
from topoedit.editor.canvas.gestures.base import Gesture, Pointer, Surface
from topoedit.editor.canvas.snapping import GRID, to_grid
from topoedit.editor.placing import GROUP, NOTE, item_name, item_size, place, places
from topoedit.errors import TopoeditError
from topoedit.render import hits
from topoedit.render.ink import Ink
from topoedit.render.view import View

MOST = 999
GHOSTS = 64


class PaletteDrag(Gesture):
    """Ghosts under the pointer; + and − change the count, digits set it, Alt suspends the grid."""

    cursor = Qt.CursorShape.DragCopyCursor

    def __init__(self, surface: Surface, start: Pointer, type_id: str, count: int = 1) -> None:
        super().__init__(surface, start)
        self._type = type_id
        self._count = count
        self._typed = ""
        self._pointer = start
        self._inside = False
        self._size = item_size(surface.session.document, type_id)

    @property
    def count(self) -> int:
        """How many will be placed."""
        return self._count

    def move(self, pointer: Pointer) -> None:
        """Follow the pointer."""
        view = self.surface.view
        self._pointer = pointer
        self._inside = 0 <= pointer.px < view.width and 0 <= pointer.py < view.height
        self.surface.refresh()

    def release(self, pointer: Pointer) -> bool:
        """Place them, if the pointer is over the canvas."""
        self.move(pointer)
        if not self._inside:
            return False
        session = self.surface.session
        x, y = self._place()
        try:
            edit = place(session.document, self._type, x, y, self._count, self._holder() or "")
        except TopoeditError as error:
            session.refused.emit(error.line)
            return False
        if session.apply(edit):
            session.select(element.id for element in edit.put)
        return False

    def key(self, event: QKeyEvent) -> bool:
        """+, − and digits."""
        text = event.text()
        if event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._set_count(self._count + 1)
        elif event.key() in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self._set_count(self._count - 1)
        elif text.isdecimal():
            self._typed = (self._typed + text)[-3:]
            self._set_count(int(self._typed), typed=True)
        else:
            return False
        return True

    def _set_count(self, count: int, *, typed: bool = False) -> None:
        if self._type.startswith(GROUP) or self._type == NOTE:
            return
        if not typed:
            self._typed = ""
        self._count = min(max(count, 1), MOST)
        self.surface.refresh()

    def _place(self) -> tuple[float, float]:
        """Centre of the first one: its top left corner goes to the grid."""
        x, y = self._pointer.x, self._pointer.y
        if self._pointer.alt:
            return x, y
        w, h = self._size
        return to_grid(x - w / 2, GRID) + w / 2, to_grid(y - h / 2, GRID) + h / 2

    def _holder(self) -> str | None:
        """The container under the pointer."""
        if self._type == NOTE:
            return None
        return hits.group_at(self.surface.scene, self._pointer.x, self._pointer.y)

    def cancel(self) -> None:
        """Nothing is placed."""
        self.surface.refresh()

    def paint(self, ink: Ink, view: View) -> None:
        """Ghosts at 62 %, the container that would hold them, and the count."""
        if not self._inside:
            return
        self._paint_holder(ink, view)
        w, h = self._size
        wide, high = w * view.scale, h * view.scale
        ink.painter.setOpacity(0.62)
        for x, y in places(*self._place(), w, min(self._count, GHOSTS)):
            left, top = view.to_pixels(x - w / 2, y - h / 2)
            ink.box(left, top, wide, high, "canvas.device_fill", "accent.base", 4, dash=(4.0, 3.0))
        ink.painter.setOpacity(1.0)
        name = item_name(self.surface.session.document.catalog, self._type)
        text = name if self._count == 1 else f"{self._count} × {name}"
        paint_chip(
            ink, view, self._pointer.px + 16, self._pointer.py + 16, text, edge="accent.base"
        )

    def _paint_holder(self, ink: Ink, view: View) -> None:
        holder = self._holder()
        box = self.surface.scene.rect_of(holder) if holder else None
        if box is not None:
            x, y = view.to_pixels(box[0], box[1])
            w, h = (box[2] - box[0]) * view.scale, (box[3] - box[1]) * view.scale
            ink.box(x - 2, y - 2, w + 4, h + 4, None, "state.drop_ok", radius=8, width=2)
