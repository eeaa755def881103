"""Rulers along the top and left edge: canvas units, with a mark where the pointer is."""

from __future__ import annotations

import math
from collections.abc import Iterator

from topoedit.render.ink import Ink
from topoedit.render.view import View

THICK = 16.0
LEAST_PX = 56.0
"""Between two numbers."""
_STEPS = (1, 2, 4, 8)
_SHORT, _LONG = 4.0, 8.0


def step_for(scale: float) -> float:
    """Canvas units between two numbers: 10, 20, 40, 80 and these times powers of ten."""
    for power in range(-2, 7):
        for step in _STEPS:
            if step * 10.0**power * scale >= LEAST_PX:
                return step * 10.0**power
    return 1e7


def marks(start: float, end: float, step: float) -> Iterator[float]:
    """Multiples of a step within a stretch."""
    for number in range(math.ceil(start / step), math.floor(end / step) + 1):
        yield number * step


def paint_rulers(ink: Ink, view: View, px: float, py: float) -> None:
    """Both rulers over the edge of the canvas.

    Args:
        ink: where to paint.
        view: what is visible.
        px: pointer from the left, pixels.
        py: pointer from the top, pixels.
    """
    left, top, right, bottom = view.box
    step = step_for(view.scale)
    ink.box(0, 0, view.width, THICK, "surface.chrome")
    ink.box(0, THICK, THICK, view.height - THICK, "surface.chrome")
    ink.rule(0, THICK - 1, view.width, "border.subtle")
    ink.box(THICK - 1, THICK, 1, view.height, "border.subtle")
    for at in marks(left, right, step / 5):
        x = round(view.to_pixels(at, top)[0]) + 0.5
        if x <= THICK:
            continue
        whole = abs(at / step - round(at / step)) < 1e-6
        ink.line(x, THICK - (_LONG if whole else _SHORT), x, THICK, "border.strong")
        if whole:
            ink.text(x + 3, 0, f"{at:g}".replace("-", "−"), 10, 400, "text.tertiary", height=13)
    for at in marks(top, bottom, step / 5):
        y = round(view.to_pixels(left, at)[1]) + 0.5
        if y > THICK:
            whole = abs(at / step - round(at / step)) < 1e-6
            ink.line(THICK - (_LONG if whole else _SHORT), y, THICK, y, "border.strong")
    x, y = round(px) + 0.5, round(py) + 0.5
    ink.line(x, 0, x, THICK, "accent.base")
    ink.line(0, y, THICK, y, "accent.base")
