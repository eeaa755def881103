"""Small opaque plates with one line of text, beside the pointer or a guide."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from topoedit.render.ink import Ink
from topoedit.render.view import View

HEIGHT = 20.0
PAD = 6.0
EDGE = 8.0
"""A plate stays so many pixels away from the rim of the window."""


def paint_chip(
    ink: Ink, view: View, x: float, y: float, text: str, *, edge: str = "border.default"
) -> QRectF:
    """A plate with its top left corner at x, y, or as near as the window lets it be seen whole.

    Returns:
        Where it is. A text wider than the window is cut in its middle.
    """
    room = view.width - 2 * EDGE
    width = min(ink.width_of(text, 11, 500) + 2 * PAD, room)
    left = max(EDGE, min(x, view.width - EDGE - width))
    top = max(EDGE, min(y, view.height - EDGE - HEIGHT))
    ink.box(left, top, width, HEIGHT, "surface.overlay", edge, radius=3)
    ink.text(left + PAD, top, text, 11, 500, width=width - 2 * PAD, height=HEIGHT, elide="middle")
    return QRectF(left, top, width, HEIGHT)
