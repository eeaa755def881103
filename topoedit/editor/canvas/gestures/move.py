"""Moving the selection: snaps to grid and neighbours, links follow, one edit at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QRectF, Qt

from topoedit.editor.canvas import chips
from topoedit.editor.canvas.gestures.base import Gesture, Pointer, Surface
from topoedit.editor.canvas.gestures.following import FollowingLines
from topoedit.editor.canvas.guides import boxes_in_view, paint_guides
from topoedit.editor.canvas.snapping import Neighbours, Snap, snap_move
from topoedit.model import clipboard
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, Device, Group, Note
from topoedit.model.operations import groups_inside, move_to, plural, with_members
from topoedit.render import hits
from topoedit.render.grouping import Box
from topoedit.render.ink import Ink
from topoedit.render.view import View

GHOSTS = 400
"""Outlines drawn one by one; a larger selection moves as one box."""
_RIM = 24.0
"""Pixels around what is painted that may be touched too."""
_CHIP_X, _CHIP_Y, _CHIP_MOST = 14.0, 18.0, 240.0


class Move(Gesture):
    """Drag devices, groups and notes; Ctrl copies, Shift locks an axis, Alt suspends snapping."""

    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, surface: Surface, start: Pointer, grabbed: str) -> None:
        super().__init__(surface, start)
        session = surface.session
        devices = with_members(session.document, session.selection)
        self._devices = [device for device in devices if not device.locked]
        self._notes = [e for e in session.selected() if isinstance(e, Note)]
        self._groups = _placed_groups(session.document, session.selection)
        self._anchor = _centre_of(surface, grabbed)
        self._shift = Snap(0.0, 0.0)
        self._moved = False
        self._pointer = start
        self._boxes = self._boxes_of(surface)
        self._around: Box = _around(self._boxes) if self._boxes else (0.0, 0.0, 0.0, 0.0)
        self._others = Neighbours()
        self._lines: FollowingLines | None = None

    def _boxes_of(self, surface: Surface) -> list[Box]:
        ids = [e.id for e in (*self._devices, *self._notes, *self._groups)]
        return [box for i in ids if (box := surface.scene.rect_of(i)) is not None]

    @property
    def needs(self) -> Iterable[str]:
        """All that moves."""
        return [e.id for e in (*self._devices, *self._notes, *self._groups)]

    # -- the gesture ---------------------------------------------------------------------------

    def move(self, pointer: Pointer) -> None:
        """Follow the pointer once it has moved four pixels."""
        was_moving = self._moved
        if not was_moving:
            if not pointer.far_from(self.start) or not self._boxes:
                return
            self._begin(pointer)
        self._pointer = pointer
        dx, dy = pointer.x - self.start.x, pointer.y - self.start.y
        if pointer.shift:
            dx, dy = (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
        free = pointer.alt is self.surface.habits.snap
        self._shift = Snap(dx, dy) if free else self._snapped(dx, dy, pointer.shift)
        self.surface.refresh(self._area() if was_moving else None)

    def _begin(self, pointer: Pointer) -> None:
        self._moved = True
        ids = [device.id for device in self._devices]
        self._others = Neighbours(boxes_in_view(self.surface, ids))
        self._lines = FollowingLines(self.surface.scene, ids)
        if not pointer.ctrl:
            self.surface.lift(tuple(device.id for device in self._devices))

    def _snapped(self, dx: float, dy: float, locked: bool) -> Snap:
        snap = snap_move(
            self._around, self._anchor, (dx, dy), self._others, self.surface.view.scale
        )
        if not locked:
            return snap
        down = dx == 0.0
        guides = tuple(g for g in snap.guides if g.vertical != down)
        gaps = tuple(g for g in snap.gaps if g.vertical == down)
        return Snap(0.0, snap.dy, guides, gaps) if down else Snap(snap.dx, 0.0, guides, gaps)

    def release(self, pointer: Pointer) -> bool:
        """Commit one edit: moved, copied, or put into the container under the pointer."""
        self.move(pointer)
        self.surface.lift(())
        if not self._moved or (not self._shift.dx and not self._shift.dy):
            return False
        session = self.surface.session
        if pointer.ctrl:
            clip = clipboard.copy(session.document, session.selection)
            edit = clipboard.paste(session.document, clip, self._shift.dx, self._shift.dy)
            if session.apply(replace(edit, label=edit.label.replace("Paste", "Duplicate", 1))):
                session.select(e.id for e in edit.put if isinstance(e, Device | Note))
            return False
        self._commit(pointer)
        return False

    def _commit(self, pointer: Pointer) -> None:
        dx, dy = self._shift.dx, self._shift.dy
        holder = self._new_holder(pointer)
        if holder is None and not self._notes and not self._groups:
            places = [(device.x + dx, device.y + dy) for device in self._devices]
            self.surface.session.apply(move_to(self._devices, places))
            return
        put: list[AnyElement] = [
            replace(d, x=d.x + dx, y=d.y + dy, group=d.group if holder is None else holder)
            for d in self._devices
        ]
        put += [replace(note, x=note.x + dx, y=note.y + dy) for note in self._notes]
        put += [replace(g, x=(g.x or 0) + dx, y=(g.y or 0) + dy) for g in self._groups]
        self.surface.session.apply(Edit(self._label(holder, len(put)), put=tuple(put)))

    def _label(self, holder: str | None, count: int) -> str:
        if holder is None:
            return f"Move {plural(count, 'element')}"
        group = self.surface.session.document.groups.get(holder)
        return f"Move {plural(count, 'device')} to {group.name if group else 'the drawing'}"

    def _new_holder(self, pointer: Pointer) -> str | None:
        """Group that loose devices are dropped into; None where nothing changes."""
        document = self.surface.session.document
        if any(i in document.groups for i in self.surface.session.selection):
            return None
        found = hits.group_at(self.surface.scene, pointer.x, pointer.y)
        holders = {device.group for device in self._devices}
        if found is None or len(holders) != 1 or found in holders:
            return None
        return found

    def cancel(self) -> None:
        """Everything stays where it was."""
        self.surface.lift(())
        self.surface.refresh()

    # -- the preview ---------------------------------------------------------------------------

    def paint(self, ink: Ink, view: View) -> None:
        """Ghosts, their links, guides and the distance."""
        if not self._moved:
            return
        if self._lines is not None:
            self._lines.paint(ink, view, self._shift.dx, self._shift.dy)
        boxes = self._boxes if len(self._boxes) <= GHOSTS else [self._around]
        for box in boxes:
            self._paint_ghost(ink, view, box)
        paint_guides(ink, view, self._shift.guides, self._shift.gaps)
        text = f"{self._shift.dx:+.0f}, {self._shift.dy:+.0f}"
        x, y = self._pointer.px + _CHIP_X, self._pointer.py + _CHIP_Y
        chips.paint_chip(ink, view, x, y, text.replace("-", "−"))

    def _area(self) -> QRectF:
        """Pixels of the window that hold all of the preview."""
        view, shift = self.surface.view, self._shift
        left, top, right, bottom = self._around
        area = _pixels(view, left + shift.dx, top + shift.dy, right + shift.dx, bottom + shift.dy)
        for guide in shift.guides:
            if guide.vertical:
                area |= _pixels(view, guide.at, guide.start, guide.at, guide.end)
            else:
                area |= _pixels(view, guide.start, guide.at, guide.end, guide.at)
        for gap in shift.gaps:
            (start, _), (_, end) = gap.spans
            place = (gap.at, start, gap.at, end) if gap.vertical else (start, gap.at, end, gap.at)
            area |= _pixels(view, *place)
        if self._lines is not None and len(self._lines):
            ends = self._lines.pixels(view, shift.dx, shift.dy).reshape(-1, 2)
            (x1, y1), (x2, y2) = ends.min(axis=0).tolist(), ends.max(axis=0).tolist()
            area |= QRectF(x1, y1, x2 - x1, y2 - y1)
        x = min(self._pointer.px + _CHIP_X, view.width - chips.EDGE - _CHIP_MOST)
        y = min(self._pointer.py + _CHIP_Y, view.height - chips.EDGE - chips.HEIGHT)
        area |= QRectF(x, y, 2 * _CHIP_MOST, chips.HEIGHT)
        return area.adjusted(-_RIM, -_RIM, _RIM, _RIM)

    def _paint_ghost(self, ink: Ink, view: View, box: Box) -> None:
        x, y = view.to_pixels(box[0] + self._shift.dx, box[1] + self._shift.dy)
        w, h = (box[2] - box[0]) * view.scale, (box[3] - box[1]) * view.scale
        ink.box(x, y, w, h, "canvas.device_fill", "selection.stroke", radius=4)


def _pixels(view: View, left: float, top: float, right: float, bottom: float) -> QRectF:
    x, y = view.to_pixels(left, top)
    return QRectF(x, y, (right - left) * view.scale, (bottom - top) * view.scale)


def _placed_groups(document: Document, ids: Sequence[str]) -> list[Group]:
    """Groups that have a place of their own, among those selected and all inside them."""
    chosen = [i for i in ids if i in document.groups]
    inside = [i for holder in chosen for i in groups_inside(document, holder)]
    groups = (document.groups[i] for i in dict.fromkeys((*chosen, *inside)))
    return [group for group in groups if group.x is not None]


def _around(boxes: Sequence[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _centre_of(surface: Surface, element_id: str) -> tuple[float, float]:
    element = surface.session.document.element(element_id)
    if isinstance(element, Device | Note):
        return element.x, element.y
    box = surface.scene.rect_of(element_id) or (0.0, 0.0, 0.0, 0.0)
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
