"""What stands between the axes of a chart, painted on whole pixels with the ink of the diagrams.

Import this only once the library has been read: see `loader`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from topoedit.editor.plots.chart import Bar, Limit, Line, Mark, Panel, Whisker, Words
from topoedit.render.bars import HATCH, draw_hatch
from topoedit.render.ink import Ink
from topoedit.render.loadcodes import FIRST_BIN
from topoedit.render.theme import Theme, blend

_LABEL_GAP = 8


def color_of(theme: Theme, color: str | int) -> QColor:
    """The colour of a token path, or of a bin of the load ramp."""
    return theme.load_color(FIRST_BIN + color) if isinstance(color, int) else theme.color(color)


def _joined(points: Sequence[QPointF]) -> QPainterPath:
    made = QPainterPath(points[0])
    for point in points[1:]:
        made.lineTo(point)
    return made


class Marks(pg.GraphicsObject):  # type: ignore[misc]
    """Bars, whiskers and texts of a panel, painted on whole pixels of the window.

    Args:
        panel: what to paint.
        theme: the look.
        grid: a line at every tick of the vertical axis.
    """

    def __init__(self, panel: Panel, theme: Theme, *, grid: bool) -> None:
        super().__init__()
        self._panel, self._theme, self._grid = panel, theme, grid
        self._lit: Mark | None = None

    def light(self, mark: Mark | None) -> None:
        """Point out a bar, or a point of the lines; None for nothing."""
        if mark != self._lit:
            self._lit = mark
            self.update()

    def boundingRect(self) -> QRectF:
        """The whole of the axes."""
        x, y = self._panel.x, self._panel.y
        return QRectF(x.low, y.low, x.high - x.low, y.high - y.low)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Paint in window pixels, so that gaps and hatches have one size at every scale."""
        to_window = painter.transform()
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        ink = Ink(painter, self._theme)
        self._rules(ink, to_window)
        for line in self._panel.lines:
            self._band(ink, to_window, line)
        for bar in self._panel.bars:
            self._bar(ink, to_window, bar)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for line in self._panel.lines:
            self._line(ink, to_window, line)
        for whisker in self._panel.whiskers:
            self._whisker(ink, to_window, whisker)
        for text in self._panel.texts:
            self._text(ink, to_window, text)
        for limit in self._panel.limits:
            self._limit(ink, to_window, limit)
        painter.restore()

    def _rules(self, ink: Ink, to_window: QTransform) -> None:
        """Lines at the ticks, and one at the point that is pointed at."""
        x, y = self._panel.x, self._panel.y
        for value, _ in y.ticks if self._grid else ():
            at = to_window.map(QPointF(x.low, value))
            width = to_window.map(QPointF(x.high, value)).x() - at.x()
            ink.rule(at.x(), round(at.y()), width, "border.subtle")
        points = {at for line in self._panel.lines for at in line.xs}
        for value in points if self._lit is not None else ():
            if self._lit is not None and self._lit.x0 <= value <= self._lit.x1:
                top, low = (to_window.map(QPointF(value, edge)) for edge in (y.high, y.low))
                at_x = round(top.x())
                color = ink.color("text.tertiary")
                ink.painter.fillRect(QRectF(at_x, top.y(), 1, low.y() - top.y()), color)

    def _limit(self, ink: Ink, to_window: QTransform, limit: Limit) -> None:
        x = self._panel.x
        left, right = (to_window.map(QPointF(edge, limit.value)) for edge in (x.low, x.high))
        y = round(left.y()) + 0.5
        ink.line(left.x(), y, right.x(), y, "text.primary", 1, (6, 4))
        ink.text(right.x() - 4, y - 18, limit.words, 11, 400, "text.primary", "right")

    def _band(self, ink: Ink, to_window: QTransform, line: Line) -> None:
        if not line.low:
            return
        ends = [
            *zip(line.xs, line.low, strict=True),
            *reversed(list(zip(line.xs, line.high, strict=True))),
        ]
        points = [to_window.map(QPointF(x, y)) for x, y in ends]
        soft = blend(self._theme.color(line.color), self._theme.color("surface.panel"), 0.18)
        ink.polygon([(p.x(), p.y()) for p in points], soft)

    @staticmethod
    def _line(ink: Ink, to_window: QTransform, line: Line) -> None:
        points = [to_window.map(QPointF(*at)) for at in zip(line.xs, line.ys, strict=True)]
        ink.path(_joined(points), line.color, 2, line.dash)

    def _bar(self, ink: Ink, to_window: QTransform, bar: Bar) -> None:
        rect = to_window.mapRect(QRectF(bar.x0, bar.y0, bar.x1 - bar.x0, bar.y1 - bar.y0))
        left, right = round(rect.left()), round(rect.right())
        top, bottom = round(rect.top()), round(rect.bottom())
        gap_x = 1 if bar.x0 > self._panel.x.low and right - left > 2 else 0
        width, height = max(right - left - gap_x, 1), max(bottom - top, 1)
        if bar.color == HATCH:
            draw_hatch(ink, left, top, width, height)
        else:
            ink.painter.fillRect(left, top, width, height, color_of(self._theme, bar.color))
        lit = self._lit
        if lit is not None and (lit.x0, lit.y0, lit.words) == (bar.x0, bar.y0, bar.words):
            ink.box(left - 1, top - 1, width + 2, height + 2, None, "text.primary", 0, 1)

    @staticmethod
    def _whisker(ink: Ink, to_window: QTransform, whisker: Whisker) -> None:
        a = to_window.map(QPointF(whisker.low, whisker.y))
        b = to_window.map(QPointF(whisker.high, whisker.y))
        y = round(a.y()) + 0.5
        ink.line(a.x(), y, b.x(), y, "text.secondary", 1)
        for end in (a, b):
            x = round(end.x()) + 0.5
            ink.line(x, y - 3, x, y + 3, "text.secondary", 1)

    @staticmethod
    def _text(ink: Ink, to_window: QTransform, text: Words) -> None:
        at = to_window.map(QPointF(text.x, text.y))
        ink.text(at.x() + _LABEL_GAP, at.y() - 9, text.text, 12, 600)
