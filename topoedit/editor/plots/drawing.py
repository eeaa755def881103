"""Draws a chart with pyqtgraph: axes, bars, lines and limits in the colours of the theme.

Import this only once the library has been read: see `loader`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from topoedit.editor.plots.chart import Axis, Bar, Chart, Line, Panel, Whisker, Words
from topoedit.render.bars import HATCH, draw_hatch
from topoedit.render.ink import Ink
from topoedit.render.loadcodes import FIRST_BIN
from topoedit.render.theme import Theme, blend, font

_LEFT, _BOTTOM = 60, 40
_LABEL_GAP = 8


def color_of(theme: Theme, color: str | int) -> QColor:
    """The colour of a token path, or of a bin of the load ramp."""
    return theme.load_color(FIRST_BIN + color) if isinstance(color, int) else theme.color(color)


class Marks(pg.GraphicsObject):  # type: ignore[misc]
    """Bars, whiskers and texts of a panel, painted on whole pixels of the window.

    Args:
        panel: what to paint.
        theme: the look.
    """

    def __init__(self, panel: Panel, theme: Theme) -> None:
        super().__init__()
        self._panel, self._theme = panel, theme
        self.lit: Bar | None = None

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
        for line in self._panel.lines:
            self._band(ink, to_window, line)
        for bar in self._panel.bars:
            self._bar(ink, to_window, bar)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for whisker in self._panel.whiskers:
            self._whisker(ink, to_window, whisker)
        for text in self._panel.texts:
            self._text(ink, to_window, text)
        painter.restore()

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
        if bar is self.lit:
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


class Drawn:
    """A chart in a graphics layout.

    Args:
        layout: what it is drawn in; emptied first.
        chart: what to draw.
        theme: the look.
    """

    def __init__(self, layout: pg.GraphicsLayoutWidget, chart: Chart, theme: Theme) -> None:
        self._chart, self._theme = chart, theme
        layout.clear()
        layout.setBackground(theme.color("surface.panel"))
        layout.ci.layout.setContentsMargins(4, 4, 12, 4)
        layout.ci.layout.setHorizontalSpacing(12)
        self.plots: list[pg.PlotItem] = []
        self._marks: list[Marks] = []
        self._cursors: list[pg.InfiniteLine] = []
        for number, panel in enumerate(chart.panels):
            plot = layout.addPlot(row=0, col=number)
            self._dress(plot, panel)
            self._fill(plot, panel)
            self.plots.append(plot)

    def light(self, mark: int) -> None:
        """Outline what is pointed at; -1 for nothing."""
        marks = self._chart.marks
        at = marks[mark] if 0 <= mark < len(marks) else None
        for number, item in enumerate(self._marks):
            same = at is not None and at.panel == number
            bars = self._chart.panels[number].bars if same and at is not None else ()
            item.lit = next(
                (b for b in bars if at and (b.x0, b.y0, b.words) == (at.x0, at.y0, at.words)), None
            )
            item.update()
            cursor = self._cursors[number]
            xs = [x for line in self._chart.panels[number].lines for x in line.xs]
            cursor.setVisible(same and bool(xs))
            if same and xs and at is not None:
                cursor.setValue(next(x for x in xs if at.x0 <= x <= at.x1))

    def _dress(self, plot: pg.PlotItem, panel: Panel) -> None:
        theme = self._theme
        plot.setMenuEnabled(False)
        plot.hideButtons()
        box = plot.getViewBox()
        box.setMouseEnabled(False, False)
        box.setDefaultPadding(0.0)
        plot.setRange(
            xRange=(panel.x.low, panel.x.high), yRange=(panel.y.low, panel.y.high), padding=0
        )
        plot.disableAutoRange()
        if panel.title:
            plot.setTitle(panel.title, color=theme.color("text.secondary"), size="11px")
            plot.titleLabel.item.setFont(font("caption"))
        named = any(not _is_number(text) for _, text in panel.y.ticks)
        self._dress_axis(plot.getAxis("bottom"), panel.x, lined=True)
        self._dress_axis(plot.getAxis("left"), panel.y, lined=False)
        plot.getAxis("left").setWidth(_LEFT if panel.y.title or named else 36)
        for value, _ in () if named else panel.y.ticks:
            plot.addItem(_rule(value, theme.color("border.subtle")))

    def _dress_axis(self, axis: pg.AxisItem, spec: Axis, *, lined: bool) -> None:
        theme = self._theme
        axis.enableAutoSIPrefix(False)
        axis.setTicks([list(spec.ticks), []])
        axis.setStyle(
            tickLength=0, tickTextOffset=6, autoExpandTextSpace=False, hideOverlappingLabels=False,
            textFillLimits=[(0, 9.0)], maxTextLevel=0, tickAlpha=0,
        )  # fmt: skip
        axis.setTickFont(font("caption"))
        # the pen also colours the title, so it comes first
        axis.setPen(theme.color("border.default") if lined else QPen(Qt.PenStyle.NoPen))
        axis.setTextPen(theme.color("text.tertiary"))
        if spec.title:
            axis.setLabel(spec.title, **{"color": theme.hex("text.secondary"), "font-size": "11px"})
            axis.label.setFont(font("caption"))
        if axis.orientation == "bottom":
            axis.setHeight(_BOTTOM if spec.title else 22)

    def settle(self) -> None:
        """Lay everything out now, where no event loop does."""
        for plot in self.plots:
            plot.layout.activate()
            for side in ("bottom", "left"):
                plot.getAxis(side).resizeEvent(None)

    def _fill(self, plot: pg.PlotItem, panel: Panel) -> None:
        theme = self._theme
        marks = Marks(panel, theme)
        plot.addItem(marks)
        self._marks.append(marks)
        for line in panel.lines:
            pen = _pen(theme.color(line.color), 2, line.dash)
            plot.addItem(
                pg.PlotDataItem(np.array(line.xs), np.array(line.ys), pen=pen, antialias=True)
            )
        for limit in panel.limits:
            item = _rule(limit.value, theme.color("text.primary"), (6, 4))
            plot.addItem(item)
            name = pg.TextItem(limit.words, color=theme.color("text.primary"), anchor=(1, 1))
            name.setFont(font("caption"))
            name.setPos(panel.x.high, limit.value)
            plot.addItem(name)
        cursor = pg.InfiniteLine(angle=90, pen=_pen(theme.color("text.tertiary"), 1, ()))
        cursor.setVisible(False)
        plot.addItem(cursor)
        self._cursors.append(cursor)


def _is_number(text: str) -> bool:
    return text.replace(".", "").replace("\u2009", "").isdigit()


def _pen(color: QColor, width: float, dash: Sequence[float]) -> QPen:
    pen: QPen = pg.mkPen(color, width=width)
    if dash:
        pen.setDashPattern([d / width for d in dash])
    return pen


def _rule(value: float, color: QColor, dash: Sequence[float] = ()) -> pg.InfiniteLine:
    line = pg.InfiniteLine(value, angle=0, pen=_pen(color, 1, dash))
    line.setZValue(-10 if not dash else 10)
    return line
