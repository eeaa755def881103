"""Small opaque plates with one line of text, beside the pointer or a guide."""

from __future__ import annotations

from topoedit.render.ink import Ink

HEIGHT = 20.0
PAD = 6.0


def paint_chip(
    ink: Ink, x: float, y: float, text: str, *, color: str = "text.primary", edge: str = ""
) -> None:
    """A plate with its top left corner at x, y."""
    width = ink.width_of(text, 11, 500) + 2 * PAD
    ink.box(x, y, width, HEIGHT, "surface.tooltip", edge or "border.default", radius=3)
    ink.text(x + PAD, y, text, 11, 500, color, height=HEIGHT)
