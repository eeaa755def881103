"""Draws a chart with pyqtgraph: titles and axes in the colours and fonts of the theme.

Import this only once the library has been read: see `loader`.
"""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QPen

from topoedit.editor.plots.chart import Axis, Chart, Panel
from topoedit.editor.plots.marks import Marks
from topoedit.render.theme import Theme, font

_LEFT, _NARROW, _BOTTOM, _LOW = 60, 44, 40, 22


class Drawn:
    """A chart in a graphics layout: for each panel a view box between two axes.

    Args:
        surface: what it is drawn in; emptied first.
        chart: what to draw.
        theme: the look.
    """

    def __init__(self, surface: pg.GraphicsLayoutWidget, chart: Chart, theme: Theme) -> None:
        self._chart, self._theme = chart, theme
        surface.clear()
        surface.setBackground(theme.color("surface.panel"))
        self._layout: pg.GraphicsLayout = surface.ci
        grid = self._layout.layout
        grid.setContentsMargins(4, 4, 12, 4)
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(0)
        self.boxes: list[pg.ViewBox] = []
        self._axes: list[pg.AxisItem] = []
        self._marks: list[Marks] = []
        for number, panel in enumerate(chart.panels):
            self._place(2 * number, panel)
        for column in range(grid.columnCount()):
            grid.setColumnStretchFactor(column, column % 2)

    def light(self, mark: int) -> None:
        """Outline the bar, or put a line at the point, that is pointed at; -1 for nothing."""
        marks = self._chart.marks
        at = marks[mark] if 0 <= mark < len(marks) else None
        for number, item in enumerate(self._marks):
            item.light(at if at is not None and at.panel == number else None)

    def settle(self) -> None:
        """Lay everything out now, where no event loop does."""
        self._layout.layout.activate()
        for axis in self._axes:
            axis.resizeEvent(None)

    def _place(self, column: int, panel: Panel) -> None:
        """Title, axes and view box of a panel in two columns of the layout."""
        box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0.0)
        box.disableAutoRange()
        self._layout.addItem(box, row=1, col=column + 1)
        named = any(not _is_number(text) for _, text in panel.y.ticks)
        left, bottom = pg.AxisItem("left"), pg.AxisItem("bottom")
        self._layout.addItem(left, row=1, col=column)
        self._layout.addItem(bottom, row=2, col=column + 1)
        for axis, spec in ((left, panel.y), (bottom, panel.x)):
            self._dress_axis(axis, spec)
            axis.linkToView(box)
        left.setWidth(_LEFT if panel.y.title or named else _NARROW)
        bottom.setHeight(_BOTTOM if panel.x.title else _LOW)
        self._axes += [left, bottom]
        if panel.title:
            title = self._layout.addLabel(
                panel.title, row=0, col=column + 1, color=self._theme.color("text.secondary")
            )
            title.item.setFont(font("caption"))
        box.setRange(
            xRange=(panel.x.low, panel.x.high), yRange=(panel.y.low, panel.y.high), padding=0
        )
        self._fill(box, panel, grid=not named)
        self.boxes.append(box)

    def _dress_axis(self, axis: pg.AxisItem, spec: Axis) -> None:
        theme = self._theme
        axis.enableAutoSIPrefix(False)
        axis.setTicks([list(spec.ticks), []])
        axis.setStyle(
            tickLength=0, tickTextOffset=6, autoExpandTextSpace=False, hideOverlappingLabels=False,
            textFillLimits=[(0, 9.0)], maxTextLevel=0, tickAlpha=0, tickFont=font("caption"),
        )  # fmt: skip
        lined = axis.orientation == "bottom"
        # the pen also colours the title, so it comes first
        axis.setPen(theme.color("border.default") if lined else QPen(Qt.PenStyle.NoPen))
        axis.setTextPen(theme.color("text.tertiary"))
        if spec.title:
            axis.setLabel(spec.title, **{"color": theme.hex("text.secondary"), "font-size": "11px"})
            axis.label.setFont(font("caption"))

    def _fill(self, box: pg.ViewBox, panel: Panel, *, grid: bool) -> None:
        marks = Marks(panel, self._theme, grid=grid)
        box.addItem(marks)
        self._marks.append(marks)


def _is_number(text: str) -> bool:
    return text.replace(".", "").replace("\u2009", "").isdigit()
