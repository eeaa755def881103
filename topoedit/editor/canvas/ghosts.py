"""What a dialog would add, shown on the drawing while it is open: cables and copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QLineF, QPointF

from topoedit.editor.canvas.chips import paint_chip
from topoedit.model.arrays import Array
from topoedit.model.elements import Device
from topoedit.model.operations import plural
from topoedit.model.wiring import PlannedLink
from topoedit.render.grouping import Box
from topoedit.render.ink import Ink
from topoedit.render.scene import DiagramScene
from topoedit.render.view import View
from topoedit.units import format_number

Ghosts = Callable[[Ink, View, DiagramScene], None]
"""Paints a preview over the picture."""

MOST_CABLES = 4000
MOST_COPIES = 2000
NAMED_FROM = 60.0
"""Pixels that a ghost is wide, at least, to bear its name."""


def cable_ghosts(planned: Sequence[PlannedLink]) -> Ghosts:
    """Every planned link as a dashed line in the accent, and how many cables there are."""
    cables = sum(len(row.ports_a) for row in planned)
    text = f"{plural(cables, 'cable')} in {format_number(len(planned))} links, a preview"

    def paint(ink: Ink, view: View, scene: DiagramScene) -> None:
        lines = []
        for row in planned[:MOST_CABLES]:
            a, b = scene.rect_of(row.a), scene.rect_of(row.b)
            if a is not None and b is not None:
                lines.append(_between(view, a, b))
        ink.painter.setPen(ink.pen("accent.base", 1.5, (5.0, 4.0)))
        ink.painter.drawLines(lines)
        for device in dict.fromkeys(i for row in planned[:MOST_CABLES] for i in (row.a, row.b)):
            _paint_again(ink, view, scene.rect_of(device))
        if planned:
            paint_chip(ink, view, 16, 16, text, edge="accent.base")

    return paint


def _paint_again(ink: Ink, view: View, box: Box | None) -> None:
    """A ring round a device at an end of a planned cable."""
    if box is not None:
        x, y = view.to_pixels(box[0], box[1])
        w, h = (box[2] - box[0]) * view.scale, (box[3] - box[1]) * view.scale
        ink.box(x - 2, y - 2, w + 4, h + 4, None, "accent.base", 5, 1.5)


def _between(view: View, a: Box, b: Box) -> QLineF:
    """From the edge of one box to the facing edge of another, middle to middle."""
    (ax, ay), (bx, by) = _middle(a), _middle(b)
    if abs(by - ay) >= abs(bx - ax):
        ay, by = (a[3], b[1]) if by > ay else (a[1], b[3])
    else:
        ax, bx = (a[2], b[0]) if bx > ax else (a[0], b[2])
    return QLineF(QPointF(*view.to_pixels(ax, ay)), QPointF(*view.to_pixels(bx, by)))


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def array_ghosts(devices: Sequence[Device], array: Array, names: Sequence[str]) -> Ghosts:
    """Copies of devices at their places with the names that they will get.

    Args:
        devices: what is repeated.
        array: columns, rows and pitches.
        names: of the new devices, copy by copy in the order of `devices`.
    """

    def paint(ink: Ink, view: View, scene: DiagramScene) -> None:
        boxes = [scene.rect_of(device.id) for device in devices]
        number = 0
        for place in range(1, array.columns * array.rows):
            row, column = divmod(place, array.columns)
            dx, dy = column * array.pitch_x, row * array.pitch_y
            for box in boxes:
                if box is not None and number < MOST_COPIES:
                    name = names[number] if number < len(names) else ""
                    _paint_copy(ink, view, box, dx, dy, name)
                number += 1
        text = f"{plural(number, 'new device')}, a preview"
        paint_chip(ink, view, 16, 16, text, edge="accent.base")

    return paint


def _paint_copy(ink: Ink, view: View, box: Box, dx: float, dy: float, name: str) -> None:
    x, y = view.to_pixels(box[0] + dx, box[1] + dy)
    w, h = (box[2] - box[0]) * view.scale, (box[3] - box[1]) * view.scale
    if not (x < view.width and y < view.height and x + w > 0 and y + h > 0):
        return
    ink.painter.setOpacity(0.9)  # what lies below must not be read through the new name
    ink.box(x, y, w, h, "canvas.device_fill", None, 4)
    ink.painter.setOpacity(1.0)
    ink.box(x, y, w, h, None, "accent.base", 4, dash=(4.0, 3.0))
    if name and w >= NAMED_FROM:
        ink.text(x + w / 2, y + h / 2 - 8, name, 11, 600, "canvas.label", "center", w - 8,
                 elide="middle")  # fmt: skip
