"""Stacked bars: the parts of a step, of memory, and of the traffic on a link."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainterPath

from topoedit.model.analysis import Memory
from topoedit.render.ink import Ink
from topoedit.render.parts import HATCH, Part, class_parts, memory_parts, step_parts

__all__ = ["HATCH", "Part", "class_parts", "memory_parts", "step_parts"]


def draw_stack(
    ink: Ink, x: float, y: float, w: float, h: float, parts: Sequence[Part],
    whole: float | None = None, gap: float = 1.0, radius: float = 2.0,
) -> None:  # fmt: skip
    """Parts side by side in a bar with round ends.

    Args:
        ink: where to draw.
        x: left end.
        y: top.
        w: width of `whole`.
        h: height.
        parts: from left to right.
        whole: value of the full width; None takes the sum of the parts.
        gap: pixels between two parts.
        radius: of the ends.
    """
    total = whole or sum(part.value for part in parts)
    if total <= 0:
        return
    painter = ink.painter
    clip = QPainterPath()
    clip.addRoundedRect(QRectF(x, y, w, h), radius, radius)
    painter.save()
    painter.setClipPath(clip, Qt.ClipOperation.IntersectClip)
    left = x
    for part in parts:
        width = w * part.value / total
        shown = max(width - (gap if width > 2 else 0), 0.6) if width > 0.3 else 0.0
        if shown and part.color == HATCH:
            draw_hatch(ink, left, y, shown, h)
        elif shown:
            painter.fillRect(QRectF(left, y, shown, h), ink.color(part.color))
        left += width
    painter.restore()


def draw_hatch(ink: Ink, x: float, y: float, w: float, h: float) -> None:
    """The pattern of waiting: thin slanted lines on a quiet ground."""
    painter = ink.painter
    painter.fillRect(QRectF(x, y, w, h), ink.color("breakdown.bubble"))
    painter.save()
    painter.setClipRect(QRectF(x, y, w, h), Qt.ClipOperation.IntersectClip)
    color = ink.theme.color("text.tertiary", 0.55)
    at = x - h
    while at < x + w:
        # each line ends at the edges by itself: SVG files keep no clip
        first, last = max(at, x), min(at + h, x + w)
        ink.line(first, y + h - (first - at), last, y + h - (last - at), color, 1)
        at += 5
    painter.restore()


def draw_swatch(ink: Ink, x: float, y: float, color: str, size: float = 8.0) -> None:
    """The small square before the name of a part."""
    if color == HATCH:
        draw_hatch(ink, x, y, size, size)
    else:
        ink.box(x, y, size, size, color, None, 2)


def draw_memory(ink: Ink, x: float, y: float, w: float, h: float, memory: Memory) -> None:
    """Memory in use against what the GPU has; what does not fit is red, beyond a line at 100 %."""
    capacity = memory.capacity_bytes
    used = memory.total_bytes
    whole = max(capacity or used, used)
    ink.box(x, y, w, h, "surface.pressed", None, 2)
    draw_stack(ink, x, y, w, h, memory_parts(memory), whole)
    if capacity is not None and used > capacity > 0:
        at = x + w * capacity / whole
        ink.box(at, y, x + w - at, h, "memory.overflow", None, 2)
        ink.box(round(at) - 1, y - 2, 2, h + 4, "text.primary")


def draw_load_bar(ink: Ink, x: float, y: float, w: float, h: float, load: float) -> None:
    """One load as a bar in its colour; the full width is 100 %, or the load if it is more."""
    from topoedit.render.loadscale import load_code

    ink.box(x, y, w, h, "surface.pressed", None, 2)
    if load > 0:
        whole = max(load, 1.0)
        width = max(w * load / whole, 2.0)
        ink.box(x, y, width, h, ink.theme.load_color(load_code(load)), None, 2)
        if load > 1:
            ink.box(round(x + w / whole), y - 2, 1, h + 4, "text.tertiary")
