"""Drawing in screen pixels: boxes with crisp edges, and text that is measured and never spills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from topoedit.render import icons
from topoedit.render.theme import Theme

Align = Literal["left", "center", "right"]
Elide = Literal["end", "middle", "none"]
Color = QColor | str

_NO_PEN, _NO_BRUSH = Qt.PenStyle.NoPen, Qt.BrushStyle.NoBrush
_FLAT, _ROUND = Qt.PenCapStyle.FlatCap, Qt.PenCapStyle.RoundCap
_MODES = {"end": Qt.TextElideMode.ElideRight, "middle": Qt.TextElideMode.ElideMiddle}
SMALLEST_TEXT = 10
"""Nothing is ever written smaller than so many pixels; it is left out instead."""


@dataclass
class TextLog:
    """Every text that was drawn and its box, for the test that no two of them meet.

    Attributes:
        boxes: text and its box in window pixels, in the order of drawing.
        elided: full texts of those that did not fit.
        advances: width of every text ever drawn, also of those painted over later.
    """

    boxes: list[tuple[str, QRectF]] = field(default_factory=list)
    elided: list[str] = field(default_factory=list)
    advances: list[float] = field(default_factory=list)

    def cover(self, rect: QRectF) -> None:
        """Forget what something opaque was painted over."""
        self.boxes = [item for item in self.boxes if not rect.intersects(item[1])]

    def overlaps(self) -> list[tuple[str, str]]:
        """Pairs of texts that meet."""
        found = []
        for index, (text, box) in enumerate(self.boxes):
            for other, other_box in self.boxes[:index]:
                common = box.intersected(other_box)
                if common.width() > 1.5 and common.height() > 2:
                    found.append((other, text))
        return found


@lru_cache(maxsize=64)
def _metrics(theme: Theme, pixels: int, weight: int) -> QFontMetricsF:
    return QFontMetricsF(theme.sized_font(pixels, weight))


@lru_cache(maxsize=32768)
def text_width(theme: Theme, text: str, pixels: int, weight: int = 400) -> float:
    """Width of a text in pixels."""
    return _metrics(theme, pixels, weight).horizontalAdvance(text)


@lru_cache(maxsize=32768)
def elided(theme: Theme, text: str, pixels: int, weight: int, width: float, mode: Elide) -> str:
    """The text shortened with an ellipsis so that it fits."""
    return _metrics(theme, pixels, weight).elidedText(text, _MODES[mode], width)


class Ink:
    """A painter with a theme; coordinates are logical pixels of the window.

    Args:
        painter: where to draw; its state is kept, but pen, brush, font and opacity change.
        theme: colours and fonts.
        log: where boxes of texts are recorded.
    """

    def __init__(self, painter: QPainter, theme: Theme, log: TextLog | None = None) -> None:
        self.painter, self.theme, self.log = painter, theme, log
        self._plain = icons.is_pdf(painter)

    def color(self, color: Color, alpha: float | None = None) -> QColor:
        """A colour or the colour of a token path."""
        if isinstance(color, str):
            return self.theme.color(color, alpha)
        return color

    def box(
        self, x: float, y: float, w: float, h: float, fill: Color | None = None,
        edge: Color | None = None, radius: float = 0.0, width: float = 1.0,
        dash: Sequence[float] = (),
    ) -> None:  # fmt: skip
        """A rectangle; its edge lies wholly inside, so that one pixel stays one pixel."""
        painter = self.painter
        painter.setBrush(QBrush(self.color(fill)) if fill is not None else QBrush(_NO_BRUSH))
        if edge is None:
            painter.setPen(_NO_PEN)
            inset = 0.0
        else:
            painter.setPen(self.pen(edge, width, dash))
            inset = width / 2
        rect = QRectF(x + inset, y + inset, max(w - 2 * inset, 0), max(h - 2 * inset, 0))
        corner = max(0.0, radius - inset)
        if corner:
            painter.drawRoundedRect(rect, corner, corner)
        else:
            painter.drawRect(rect)

    def pen(
        self, color: Color, width: float = 1.0, dash: Sequence[float] = (), round_: bool = False
    ) -> QPen:
        """A pen with dashes in pixels."""
        pen = QPen(self.color(color), width)
        pen.setCapStyle(_ROUND if round_ else _FLAT)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if dash:
            pen.setDashPattern([d / max(width, 0.01) for d in dash])
        return pen

    def line(
        self, x1: float, y1: float, x2: float, y2: float, color: Color, width: float = 1.0,
        dash: Sequence[float] = (), round_: bool = False,
    ) -> None:  # fmt: skip
        """A straight line."""
        self.painter.setPen(self.pen(color, width, dash, round_))
        self.painter.drawLine(QPointF(x1, y1), QPointF(x2, y2))

    def rule(self, x: float, y: float, w: float, color: Color) -> None:
        """A horizontal hairline of exactly one pixel."""
        self.painter.fillRect(QRectF(x, y, w, 1), self.color(color))

    def path(
        self, path: QPainterPath, color: Color, width: float, dash: Sequence[float] = (),
        round_: bool = False,
    ) -> None:  # fmt: skip
        """An outline along a path."""
        self.painter.setPen(self.pen(color, width, dash, round_))
        self.painter.setBrush(_NO_BRUSH)
        self.painter.drawPath(path)

    def disc(
        self, x: float, y: float, radius: float, fill: Color | None = None,
        edge: Color | None = None, width: float = 1.0,
    ) -> None:  # fmt: skip
        """A circle around a point."""
        self.painter.setBrush(QBrush(self.color(fill)) if fill is not None else QBrush(_NO_BRUSH))
        self.painter.setPen(self.pen(edge, width) if edge is not None else _NO_PEN)
        self.painter.drawEllipse(QPointF(x, y), radius, radius)

    def polygon(self, points: Sequence[tuple[float, float]], fill: Color) -> None:
        """A filled polygon."""
        self.painter.setPen(_NO_PEN)
        self.painter.setBrush(self.color(fill))
        self.painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))

    def icon(self, name: str, x: float, y: float, size: float, color: Color) -> None:
        """An icon with its top left corner at a point."""
        icons.draw_icon(self.painter, name, QRectF(x, y, size, size), self.color(color))

    def width_of(self, text: str, px: int = 12, weight: int = 400) -> float:
        """Width of a text in pixels."""
        return text_width(self.theme, text, px, weight)

    def text(
        self, x: float, y: float, text: str, px: int = 12, weight: int = 400,
        color: Color = "text.primary", align: Align = "left", width: float | None = None,
        height: float = 16.0, elide: Elide = "end",
    ) -> float:  # fmt: skip
        """One line of text, shortened to fit.

        Args:
            x: left end, middle or right end, by `align`.
            y: top of the line box.
            text: what to write; nothing is written if not even an ellipsis fits.
            px: size in pixels, at least 10.
            weight: 400, 500 or 600.
            color: a colour or token path.
            align: which point of the text `x` is.
            width: room; None for no limit.
            height: of the line box, in which the capitals stand centred.
            elide: where to shorten; `none` leaves out a text that does not fit.

        Returns:
            The right end of the text.
        """
        px = max(px, SMALLEST_TEXT)
        advance = self.width_of(text, px, weight)
        if width is not None and advance > width + 0.5:
            if self.log is not None:
                self.log.elided.append(text)
            text = "" if elide == "none" else elided(self.theme, text, px, weight, width, elide)
            advance = self.width_of(text, px, weight)
            if not text or advance > width + 0.5 or text == "…":
                return x
        left = x if align == "left" else x - advance if align == "right" else x - advance / 2
        metrics = _metrics(self.theme, px, weight)
        capital = metrics.capHeight()
        base = y + (height + capital) / 2
        self.painter.setFont(self.theme.sized_font(px, weight, self._plain))
        self.painter.setPen(self.color(color))
        self.painter.drawText(QPointF(round(left), round(base)), text)
        if self.log is not None:
            self.log.advances.append(advance)
        if self.log is not None and text.strip():
            box = QRectF(left, base - capital - 1, advance, capital + 2 + px * 0.15)
            self.log.boxes.append((text, self.painter.worldTransform().mapRect(box)))
        return left + advance

    def fitting(self, choices: Sequence[str], width: float, px: int, weight: int = 400) -> str:
        """The first of several wordings, long to short, that fits; "" if none does."""
        px = max(px, SMALLEST_TEXT)
        return next((c for c in choices if self.width_of(c, px, weight) <= width + 0.5), "")
