"""What plans and elevations share: colours of shares, hatching, legend and heads of sheets."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from topoedit.render.colour_maths import contrast
from topoedit.render.floor.data import Tone
from topoedit.render.ink import Ink
from topoedit.render.loadcodes import OVERLOAD
from topoedit.render.loadscale import load_code
from topoedit.render.theme import blend

MARGIN = 32.0
LINE = 16.0
_SHADE = 0.45
_HATCH = 8.0


def fill_of(ink: Ink, tone: Tone, share: float) -> QColor:
    """The ground of a rack: the load ramp for a share, grey for a shade, else plain."""
    if tone == "share":
        return ink.theme.load_color(load_code(share))
    plain = ink.color("canvas.device_fill")
    if tone == "none":
        return plain
    return blend(ink.color("text.tertiary"), plain, _SHADE * min(max(share, 0.0), 1.0))


def text_on(ink: Ink, ground: QColor) -> QColor:
    """The text colour that reads better on a ground."""
    dark, light = ink.color("text.primary"), ink.color("text.on_accent")
    if ink.theme.is_dark:
        light, dark = dark, ink.color("canvas.page")
    return max((dark, light), key=lambda color: contrast(color, ground))


def hatch(ink: Ink, x: float, y: float, w: float, h: float) -> None:
    """Slanting lines over a box, so that it is known without colour."""
    painter = ink.painter
    painter.save()
    painter.setClipRect(QRectF(x, y, w, h))
    at = -h
    while at < w:
        ink.line(x + at, y + h, x + at + h, y, "canvas.device_border", 1.0)
        at += _HATCH
    painter.restore()


def draw_head(ink: Ink, title: str, lines: tuple[str, ...], width: float) -> float:
    """Title and lines of a sheet; the y below them."""
    room = width - 2 * MARGIN
    ink.text(MARGIN, MARGIN - 6, title, 20, 600, width=room, height=28, elide="middle")
    y = MARGIN + 26
    for line in lines:
        ink.text(MARGIN, y, line, 12, 400, "text.secondary", width=room)
        y += LINE + 2
    return y + 6


def head_height(lines: tuple[str, ...]) -> float:
    """Height that `draw_head` takes."""
    return MARGIN + 32 + (LINE + 2) * len(lines)


def draw_legend(ink: Ink, x: float, y: float, words: str, *, shaded: bool) -> None:
    """The ramp from 0 to 100 %, what lies over it, and what is not known."""
    ink.text(x, y, words, 11, 600, "text.secondary")
    top, step = y + 20, 10.0
    colors = ink.theme.load_bins()
    for index, color in enumerate(colors):
        ink.box(x + index * step, top, step, 12, color)
    end = x + len(colors) * step
    for share, place, align in ((0, x, "left"), (50, (x + end) / 2, "center"), (100, end, "right")):
        ink.text(place, top + 14, f"{share} %", 10, 400, "text.tertiary", align)  # type: ignore[arg-type]
    at = end + 24
    at = _swatch(ink, at, top, ink.theme.load_color(OVERLOAD), "over the limit", over=True)
    if shaded:
        grey = fill_of(ink, "shade", 1.0)
        at = _swatch(ink, at, top, grey, "no limit given: the darker, the more")
    _swatch(ink, at, top, fill_of(ink, "none", 0.0), "not known")


def _swatch(
    ink: Ink, x: float, y: float, color: QColor, words: str, *, over: bool = False
) -> float:
    ink.box(x, y, 18, 12, color, "canvas.device_border")
    if over:
        ink.text(x + 9, y - 2, "!", 10, 600, text_on(ink, color), "center")
    return ink.text(x + 24, y - 2, words, 11, 400, "text.secondary") + 20
