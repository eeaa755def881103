"""Dragging new devices from the palette: ghosts follow the pointer until they are dropped."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from topoedit.editor.canvas.chips import paint_chip
from topoedit.editor.canvas.gaps import Gaps
from topoedit.editor.canvas.gestures.base import Gesture, Pointer, Surface
from topoedit.editor.canvas.ghosts import NAMED_FROM
from topoedit.editor.canvas.guides import boxes_in_view, paint_guides
from topoedit.editor.canvas.snapping import GRID, Guide, snap_move, to_grid
from topoedit.editor.device_words import NAME_STEMS
from topoedit.editor.placing import GROUP, NOTE, item_name, item_size, numbered, place, places
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
        self._guides: tuple[Guide, ...] = ()
        self._gaps: tuple[Gaps, ...] = ()
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
        if not self._counts:
            return
        if not typed:
            self._typed = ""
        self._count = min(max(count, 1), MOST)
        self.surface.refresh()

    def _place(self) -> tuple[float, float]:
        """Centre of the first one: its top left corner goes to the grid, or it aligns."""
        x, y = self._pointer.x, self._pointer.y
        self._guides, self._gaps = (), ()
        if self._pointer.alt is self.surface.habits.snap:
            return x, y
        w, h = self._size
        left, top = to_grid(x - w / 2, GRID), to_grid(y - h / 2, GRID)
        if self._type == NOTE or self._type.startswith(GROUP):
            return left + w / 2, top + h / 2
        box = (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
        others = boxes_in_view(self.surface)
        snap = snap_move(box, (left, top), (0.0, 0.0), others, self.surface.view.scale)
        self._guides, self._gaps = snap.guides, snap.gaps
        across = any(g.vertical for g in snap.guides) or any(not g.vertical for g in snap.gaps)
        down = any(not g.vertical for g in snap.guides) or any(g.vertical for g in snap.gaps)
        return (x + snap.dx if across else left + w / 2), (y + snap.dy if down else top + h / 2)

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
        shown = places(*self._place(), w, min(self._count, GHOSTS))
        names = self._names(len(shown)) if wide >= NAMED_FROM else []
        for index, (x, y) in enumerate(shown):
            left, top = view.to_pixels(x - w / 2, y - h / 2)
            ink.box(left, top, wide, high, "canvas.device_fill", "accent.base", 4, dash=(4.0, 3.0))
            if index < len(names):
                ink.text(left + wide / 2, top + high / 2 - 8, names[index], 11, 600,
                         "canvas.label", "center", wide - 8, elide="middle")  # fmt: skip
        ink.painter.setOpacity(1.0)
        paint_guides(ink, view, self._guides, self._gaps)
        name = item_name(self.surface.session.document.catalog, self._type)
        text = name if self._count == 1 else f"{self._count} × {name}"
        x, y = self._pointer.px + 16, self._pointer.py + 16
        if self._counts:
            text = f"{text} · + and − change the count"
        paint_chip(ink, view, x, y, f"{text} · Esc cancels", edge="accent.base")

    @property
    def _counts(self) -> bool:
        """Whether several can be placed at once."""
        return not self._type.startswith(GROUP) and self._type != NOTE

    def _names(self, count: int) -> list[str]:
        """What the new ones will be called."""
        document = self.surface.session.document
        if self._type == NOTE:
            return []
        if self._type.startswith(GROUP):
            return numbered(document, self._type.removeprefix(GROUP), 1)
        return numbered(document, NAME_STEMS[document.catalog.device(self._type).kind], count)

    def _paint_holder(self, ink: Ink, view: View) -> None:
        holder = self._holder()
        box = self.surface.scene.rect_of(holder) if holder else None
        if box is not None:
            x, y = view.to_pixels(box[0], box[1])
            w, h = (box[2] - box[0]) * view.scale, (box[3] - box[1]) * view.scale
            ink.box(x - 2, y - 2, w + 4, h + 4, None, "state.drop_ok", radius=8, width=2)
