"""A chart on the screen: drawn once the library is there, read out by pointer and arrow keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from topoedit.editor.plots.chart import Chart, mark_at
from topoedit.editor.plots.loader import PlotLibrary
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import rows
from topoedit.render.ink import Ink

if TYPE_CHECKING:
    from topoedit.editor.plots.drawing import Drawn
    from topoedit.editor.plots.surface import Surface

_STEPS = {
    Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1,
}  # fmt: skip


class ChartView(QWidget):
    """One chart.

    Signals:
        pointed(str): words of what is pointed at, "" for nothing.
    """

    pointed = Signal(str)

    def __init__(self, theming: Theming, library: PlotLibrary) -> None:
        super().__init__()
        self._theming, self._library = theming, library
        self._chart: Chart | None = None
        self._surface: Surface | None = None
        self._drawn: Drawn | None = None
        self._mark = -1
        self._opacity = 1.0
        self._layout = rows(self, (2, 2, 2, 2))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(200, 80)
        library.ready.connect(self._draw)
        theming.changed.connect(self._draw)

    @property
    def chart(self) -> Chart | None:
        """What is shown."""
        return self._chart

    @property
    def is_drawn(self) -> bool:
        """Whether it can be seen."""
        return self._drawn is not None

    @property
    def mark(self) -> int:
        """Number of the mark that is pointed at, -1 for none."""
        return self._mark

    def show_chart(self, chart: Chart | None) -> None:
        """Show a chart, or none."""
        if chart == self._chart:
            return
        self._chart = chart
        self.setAccessibleName("" if chart is None else f"{chart.title}. {chart.spoken}")
        self.setAccessibleDescription("" if chart is None else f"{chart.note}. Arrow keys read out")
        self.point(-1)
        self._draw()

    def fade(self, opacity: float) -> None:
        """Show the chart faded; an effect on the widget would darken its opaque ground."""
        self._opacity = opacity
        if self._surface is not None:
            self._surface.ci.setOpacity(opacity)

    @property
    def opacity(self) -> float:
        """How much of the chart is seen."""
        return self._opacity

    def point(self, mark: int) -> None:
        """Point at a mark of the chart; -1 for none."""
        if mark == self._mark:
            return
        self._mark = mark
        if self._drawn is not None:
            self._drawn.light(mark)
        known = self._chart is not None and mark >= 0
        self.pointed.emit(self._chart.marks[mark].words if known and self._chart else "")

    def _draw(self) -> None:
        if self._chart is None or not self._library.is_ready:
            self._drawn = None
            return
        from topoedit.editor.plots.drawing import Drawn
        from topoedit.editor.plots.surface import make_surface

        if self._surface is None:
            self._surface = make_surface()
            self._surface.viewport().installEventFilter(self)
            self._layout.addWidget(self._surface)
        self._drawn = Drawn(self._surface, self._chart, self._theming.theme)
        self._drawn.light(self._mark)
        self.fade(self._opacity)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Read out what the pointer is on."""
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self.point(self.mark_under(event.position()))
        elif event.type() == QEvent.Type.Leave:
            self.point(-1)
        elif event.type() == QEvent.Type.MouseButtonPress:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        return super().eventFilter(watched, event)

    def mark_under(self, place: QPointF) -> int:
        """The mark at a point of the surface, -1 for none."""
        if self._surface is None or self._drawn is None or self._chart is None:
            return -1
        scene = self._surface.mapToScene(place.toPoint())
        for number, box in enumerate(self._drawn.boxes):
            if box.sceneBoundingRect().contains(scene):
                at = box.mapSceneToView(scene)
                return mark_at(self._chart.marks, number, at.x(), at.y())
        return -1

    def place_of(self, mark: int) -> QPointF:
        """Middle of a mark on the surface."""
        if self._surface is None or self._drawn is None or self._chart is None:
            return QPointF()
        here = self._chart.marks[mark]
        box = self._drawn.boxes[here.panel]
        middle = QPointF((here.x0 + here.x1) / 2, (here.y0 + here.y1) / 2)
        return QPointF(self._surface.mapFromScene(box.mapViewToScene(middle)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys go from mark to mark, Home and End to the ends, Esc to none."""
        count = 0 if self._chart is None else len(self._chart.marks)
        key = Qt.Key(event.key())
        if not count or event.modifiers() not in (
            Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier,
        ):  # fmt: skip
            super().keyPressEvent(event)
        elif key in _STEPS:
            start = self._mark if self._mark >= 0 else (-1 if _STEPS[key] > 0 else count)
            self.point(max(0, min(count - 1, start + _STEPS[key])))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.point(0 if key == Qt.Key.Key_Home else count - 1)
        elif key == Qt.Key.Key_Escape and self._mark >= 0:
            self.point(-1)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring."""
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the ring."""
        self.update()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ring of the focus."""
        if not self.hasFocus():
            return
        with QPainter(self) as painter:
            Ink(painter, self._theming.theme).box(
                0, 0, self.width(), self.height(), None, "border.focus", 4, 2
            )
