"""What plans and elevations share: colours of shares, hatching, legend and heads of sheets."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from topoedit.render.colour_maths import contrast
from topoedit.render.floor.data import Key, Tone
from topoedit.render.ink import Ink, text_width
from topoedit.render.loadcodes import OVERLOAD
from topoedit.render.loadscale import load_code
from topoedit.render.theme import Theme, blend

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


def folded(lines: Sequence[str], width: float, px: int = 12) -> tuple[str, ...]:
    """Lines broken between words so that none is wider than so many pixels."""
    theme = Theme.load("light")  # widths are those of the font, the same in every theme
    found: list[str] = []
    for line in lines:
        at = ""
        for word in line.split(" "):
            longer = f"{at} {word}" if at else word
            if at and text_width(theme, longer, px) > width:
                found.append(at)
                longer = word
            at = longer
        found.append(at)
    return tuple(found)


def draw_head(ink: Ink, title: str, lines: Sequence[str], width: float) -> float:
    """Title and lines of a sheet; the y below them."""
    room = width - 2 * MARGIN
    ink.text(MARGIN, MARGIN - 6, title, 20, 600, width=room, height=28, elide="middle")
    y = MARGIN + 26
    for line in lines:
        ink.text(MARGIN, y, line, 12, 400, "text.secondary", width=room)
        y += LINE + 2
    return y + 6


def head_height(lines: Sequence[str]) -> float:
    """Height that `draw_head` takes."""
    return MARGIN + 32 + (LINE + 2) * len(lines)


def draw_legend(
    ink: Ink, x: float, y: float, words: str, keys: Sequence[Key], *, ramp: bool
) -> None:
    """The ramp from 0 to 100 %, what lies over it, and further colours."""
    ink.text(x, y, words, 11, 600, "text.secondary")
    top, at = y + 20, x
    if ramp:
        at = _ramp(ink, x, top) + 24
        at = _swatch(ink, at, top, ink.theme.load_color(OVERLOAD), "over the limit", over=True)
    for key in keys:
        at = _swatch(ink, at, top, fill_of(ink, key.tone, key.share), key.words)


def _ramp(ink: Ink, x: float, y: float) -> float:
    step, colors = 10.0, ink.theme.load_bins()
    for index, color in enumerate(colors):
        ink.box(x + index * step, y, step, 12, color)
    end = x + len(colors) * step
    ink.text(x, y + 14, "0 %", 10, 400, "text.tertiary")
    ink.text((x + end) / 2, y + 14, "50 %", 10, 400, "text.tertiary", "center")
    ink.text(end, y + 14, "100 %", 10, 400, "text.tertiary", "right")
    return end


def _swatch(
    ink: Ink, x: float, y: float, color: QColor, words: str, *, over: bool = False
) -> float:
    ink.box(x, y, 18, 12, color, "canvas.device_border")
    if over:
        ink.text(x + 9, y - 2, "!", 10, 600, text_on(ink, color), "center")
    return ink.text(x + 24, y - 2, words, 11, 400, "text.secondary") + 20
