"""What an element is going through: selected, hovered, wrong, failed, locked, a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from topoedit.render.batches import Boxes, draw_boxes, shrink
from topoedit.render.ink import Ink
from topoedit.render.theme import number

Mark = Literal["error", "warning", "info", "ok", "failed", "locked", "excluded"]
_ICONS: dict[Mark, str] = {
    "error": "error", "warning": "warning", "info": "info", "ok": "ok", "failed": "fail",
    "locked": "lock", "excluded": "hide",
}  # fmt: skip
_COLORS: dict[Mark, str] = {
    "error": "severity.error", "warning": "severity.warning", "info": "severity.info",
    "ok": "severity.ok", "failed": "state.failed", "locked": "state.locked",
    "excluded": "text.tertiary",
}  # fmt: skip

MOST_HANDLES = 1
"""Handles are drawn for one selected element only."""


@dataclass(frozen=True)
class PixelBox:
    """A box in pixels and the radius of its corners."""

    x: float
    y: float
    w: float
    h: float
    radius: float = 4.0

    def grown(self, by: float) -> PixelBox:
        """The same box with a margin."""
        return PixelBox(
            self.x - by, self.y - by, self.w + 2 * by, self.h + 2 * by, self.radius + by
        )


def _ring(ink: Ink, box: PixelBox, color: str, width: float, dash: tuple[float, ...] = ()) -> None:
    ink.box(box.x, box.y, box.w, box.h, None, color, box.radius, width, dash)


def draw_selected(ink: Ink, box: PixelBox, handles: bool = True, halo: bool = True) -> None:
    """The ring of the selection at 3 pixels distance, its halo and its four handles."""
    if halo:
        _ring(ink, box.grown(5), "selection.halo", 4)
    _ring(ink, box.grown(3), "selection.stroke", 2)
    if not handles:
        return
    size = number("size.handle") + 1
    for x in (box.x - 2, box.x + box.w + 2):
        for y in (box.y - 2, box.y + box.h + 2):
            ink.box(
                x - size / 2, y - size / 2, size, size, "selection.handle_fill",
                "selection.stroke", 2, 1.5,
            )  # fmt: skip


def draw_also_selected(ink: Ink, box: PixelBox) -> None:
    """A lighter ring for every further element of a selection."""
    _ring(ink, box.grown(3), "selection.secondary", 1.5)


def draw_many(ink: Ink, boxes: Boxes) -> None:
    """The lighter ring for very many elements: sharp and square, all at once."""
    if not len(boxes):
        return
    painter = ink.painter
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(ink.pen("selection.secondary", 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    draw_boxes(painter, shrink(boxes, -3))
    painter.restore()


def draw_hovered(ink: Ink, box: PixelBox) -> None:
    """The outline under the pointer."""
    _ring(ink, box.grown(1), "text.secondary", 1.5)


def draw_focused(ink: Ink, box: PixelBox) -> None:
    """The ring of the keyboard focus, one pixel away."""
    _ring(ink, box.grown(number("size.focus_gap") + 2), "border.focus", 2)


def draw_drop_target(ink: Ink, box: PixelBox, legal: bool) -> None:
    """Green for a legal target of a gesture; dashed red on a faded one for an impossible one."""
    if legal:
        _ring(ink, box.grown(4), "state.drop_ok", 2)
        return
    ink.box(box.x, box.y, box.w, box.h, ink.theme.color("canvas.bg", 0.55), None, box.radius)
    _ring(ink, box.grown(4), "state.drop_bad", 1.5, (4, 3))


def draw_error_outline(ink: Ink, box: PixelBox) -> None:
    """The edge of an element with an error."""
    _ring(ink, box, "severity.error", 1.5)


def draw_mark(ink: Ink, x: float, y: float, mark: Mark, count: int = 1) -> None:
    """A sign on a corner; with more than one finding the worst and their number."""
    plate = number("glyph.badge_plate") / 2
    size = number("glyph.badge")
    ink.disc(x, y, plate, "canvas.bg")
    if mark == "excluded":  # hollow: a person has accepted what is found here
        ink.box(x - 7, y - 7, 14, 14, None, _COLORS[mark], 7, 1.5)
    else:
        ink.icon(_ICONS[mark], x - size / 2, y - size / 2, size, _COLORS[mark])
    if count > 1:
        words = str(count) if count < 100 else "99+"
        width = ink.width_of(words, 10, 600) + 8
        ink.box(x + plate - 2, y - 8, width, 16, "canvas.bg", _COLORS[mark], 8)
        ink.text(x + plate - 2 + width / 2, y - 8, words, 10, 600, "canvas.label", "center")
