"""The legend beside a chart: a row with a figure for each part; colour alone tells nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from topoedit.editor.bar_widgets import FigureRow
from topoedit.editor.plots.chart import Chart, Key
from topoedit.editor.plots.export import draw_key
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import clear, rows, widgets_in
from topoedit.render.ink import Ink


class KeySwatch(QWidget):
    """The square or the piece of line before a name."""

    def __init__(self, theming: Theming, key: Key) -> None:
        super().__init__()
        self._theming, self._key = theming, key
        self.setFixedSize(14, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it."""
        with QPainter(self) as painter:
            draw_key(Ink(painter, self._theming.theme), 2, 0, self._key.color, self._key.dash)


class Legend(QWidget):
    """Rows of a chart.

    Signals:
        why_asked(str): key of a figure to explain.
    """

    why_asked = Signal(str)

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.setFixedWidth(196)
        self._rows = rows(None, gap=3)
        layout = rows(self, (8, 6, 12, 6), 8)
        layout.addLayout(self._rows)
        layout.addStretch(1)

    def show_chart(self, chart: Chart | None) -> None:
        """Show the rows of a chart."""
        clear(self._rows)
        for key in () if chart is None else chart.keys:
            self._rows.addWidget(self._row(key))

    def _row(self, key: Key) -> FigureRow:
        row = FigureRow(self._theming, key.name, key.figure, "", key.explain)
        layout = row.layout()
        layout.insertWidget(0, KeySwatch(self._theming, key))  # type: ignore[union-attr]
        row.why_asked.connect(self.why_asked)
        return row

    def texts(self) -> list[str]:
        """What the rows say."""
        return [row.accessibleName() for row in widgets_in(self._rows)]
