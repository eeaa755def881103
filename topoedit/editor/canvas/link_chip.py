"""The chip beside a link under the pointer: load of each direction and a small bar by class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from topoedit.editor.canvas.hover_card import Card, Direction, card_for
from topoedit.render.ink import Ink
from topoedit.units import format_percent

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage

WIDTH, LINE, PAD, BAR = 190.0, 16.0, 8.0, 4.0
MOST_CLASSES = 4


def paint_link_chip(stage: Stage, ink: Ink) -> QRectF | None:
    """Paint it, unless no link is hovered or nothing is known of its load; returns where."""
    session = stage.session
    if session.hovered not in session.document.links:
        return None
    card = card_for(session.document, session.hovered, stage.loads)
    if card is None or not card.directions:
        return None
    return _paint(ink, card, stage.pointer.x(), stage.pointer.y(), stage.width(), stage.height())


def _paint(ink: Ink, card: Card, px: float, py: float, width: float, height: float) -> QRectF:
    high = 2 * PAD - 2 + len(card.directions) * (LINE + BAR + 4)
    x = min(px + 14, width - WIDTH - 8)
    y = min(py + 16, height - high - 8)
    ink.box(x, y, WIDTH, high, "surface.overlay", "border.default", radius=4)
    at = y + PAD - 2
    for arrow, direction in zip("→←", card.directions, strict=False):
        _paint_direction(ink, arrow, direction, x + PAD, at)
        at += LINE + BAR + 4
    return QRectF(x, y, WIDTH, high)


def _paint_direction(ink: Ink, arrow: str, direction: Direction, x: float, y: float) -> None:
    """Arrow, load and the classes in their order; below, the bar cut by class."""
    room = WIDTH - 2 * PAD
    load = None if direction.load != direction.load else direction.load
    end = ink.text(x, y, f"{arrow} {format_percent(load)}", 11, 600, height=LINE)
    largest = sorted(direction.by_class, key=lambda item: -item[1])[:MOST_CLASSES]
    names = [name for name, _ in direction.by_class if name in dict(largest)]
    at = x + room
    for name in reversed(names):
        wide = ink.width_of(name, 10, 500)
        if at - wide - 12 <= end + 6:
            break
        ink.text(at, y, name, 10, 500, "text.secondary", "right", height=LINE)
        ink.box(at - wide - 11, y + 5, 7, 7, f"traffic.{name}", radius=2)
        at -= wide + 17
    ink.box(x, y + LINE, room, BAR, "border.subtle", radius=2)
    total = sum(value for _, value in direction.by_class)
    filled, left = room * min(load or 0.0, 1.0), x
    for name, value in direction.by_class:
        wide = filled * value / total if total else 0.0
        ink.painter.fillRect(QRectF(left, y + LINE, wide, BAR), ink.color(f"traffic.{name}"))
        left += wide
