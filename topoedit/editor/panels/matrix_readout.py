"""What a cell of the traffic matrix says: both ends, their coordinates, bytes of each class."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from topoedit.editor.bar_widgets import FigureRow
from topoedit.editor.panels.matrix_data import Grid, band_words, place_words
from topoedit.editor.panels.matrix_paint import paint_scale
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import ElidedLabel, clear, label, rows
from topoedit.render.ink import Ink
from topoedit.units import format_bytes

WIDTH = 288


class MatrixScale(QWidget):
    """The shades of each class from the least to the most bytes."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self._grid: Grid | None = None
        theming.changed.connect(self.update)

    def show_grid(self, grid: Grid | None) -> None:
        """Show the scale of other cells."""
        self._grid = grid
        self.setFixedSize(self.sizeHint())
        low, high = self.words()
        self.setAccessibleName(f"Shades from {low} to {high}, logarithmic")
        self.setToolTip(
            "The colour of a cell is the class with most bytes, its shade all bytes on a"
            " logarithmic scale"
        )
        self.update()

    def words(self) -> tuple[str, str]:
        """The least and the most bytes."""
        low, high = (0.0, 0.0) if self._grid is None else self._grid.range
        return format_bytes(low), format_bytes(high)

    def sizeHint(self) -> QSize:
        """A ramp for each class and the figures, in one line."""
        return QSize(130 + 68 * (0 if self._grid is None else len(self._grid.classes)), 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ramps."""
        if self._grid is None or not self._grid.classes:
            return
        with QPainter(self) as painter:
            ink = Ink(painter, self._theming.theme)
            paint_scale(ink, 0, 0, self._grid, self.words())


class MatrixReadout(QWidget):
    """The read-out beside the cells; the buttons for the picked one stand in the head of the page.

    Attributes:
        texts: every line of the cell shown, as a screen reader says it.
    """

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self._grid: Grid | None = None
        self._shown: tuple[int, int] | None = None
        self.texts: tuple[str, ...] = ()
        self.setFixedWidth(WIDTH)
        self._lines = rows(None, gap=2)
        self.trace_button = QPushButton("Trace")
        self.trace_button.setToolTip("Every path between the two, hop by hop")
        self.open_button = QPushButton("Open")
        self.open_button.setToolTip("The GPUs of this cell (Enter, or double click)")
        self.show_button = QPushButton("Show")
        self.show_button.setToolTip("Select both on the canvas (Space, or click)")
        self.scale = MatrixScale(theming)
        self.note = label(role="caption", wrap=True)
        layout = rows(self, (12, 6, 16, 6), 6)
        layout.addLayout(self._lines)
        layout.addWidget(self.note)
        layout.addStretch(1)

    def show_grid(self, grid: Grid | None) -> None:
        """Show the cells of another matrix."""
        self._grid = grid
        self.scale.show_grid(grid)
        self.note.setText("" if grid is None else ". ".join(grid.matrix.notes))
        self.note.setVisible(bool(self.note.text()))
        self._shown = (-1, -1)
        self.show_cell(None)

    def show_cell(self, cell: tuple[int, int] | None) -> None:
        """Show a cell; None says how to get one."""
        if cell == self._shown or self._grid is None:
            return
        self._shown = cell
        clear(self._lines)
        self.texts = ()
        if cell is None:
            hint = "Point at a cell. A click selects both ends on the canvas."
            self._lines.addWidget(label(hint, "caption", wrap=True))
        else:
            self._show(self._grid, *cell)
        self._enable(cell)

    def _enable(self, cell: tuple[int, int] | None) -> None:
        a = b = None
        if cell is not None and self._grid is not None:
            a, b = self._grid.matrix.rows[cell[0]], self._grid.matrix.columns[cell[1]]
        self.trace_button.setEnabled(bool(a and b and a.end and b.end and a.end != b.end))
        self.open_button.setEnabled(bool(a and b and a.count + b.count > 2))
        self.show_button.setEnabled(cell is not None)

    def _show(self, grid: Grid, row: int, column: int) -> None:
        a, b = grid.matrix.rows[row], grid.matrix.columns[column]
        texts = []
        for arrow, band in (("", a), ("→ ", b)):
            words = f"{arrow}{band_words(band)}"
            places = place_words(band, grid.matrix.sizes)
            self._lines.addWidget(ElidedLabel(words, "strong"))
            self._lines.addWidget(ElidedLabel(places, "caption"))
            texts += [words, places]
        found = grid.by_class(row, column)
        if not found:
            self._lines.addWidget(label("Nothing is sent", "secondary"))
            texts.append("Nothing is sent")
        for name, sent in found:
            self._lines.addWidget(
                FigureRow(self._theming, name, format_bytes(sent), f"traffic.{name}")
            )
            texts.append(f"{name} {format_bytes(sent)}")
        if len(found) > 1:
            total = format_bytes(sum(sent for _, sent in found))
            self._lines.addWidget(FigureRow(self._theming, "Together, per step", total))
            texts.append(f"Together, per step {total}")
        self.texts = tuple(texts)
        self.setAccessibleName(", ".join(texts))
