"""The cells of a traffic matrix as a widget: pointed at, walked over with arrow keys, opened."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from topoedit.editor.panels.matrix_data import Grid
from topoedit.editor.panels.matrix_paint import (
    Frame,
    cells_image,
    paint_cells,
    paint_marks,
    paint_names,
)
from topoedit.editor.theming import Theming
from topoedit.render.ink import Ink

Cell = tuple[int, int]
_STEPS = {
    Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0),
}  # fmt: skip


class MatrixMap(QWidget):
    """Cells of a grid.

    Signals:
        pointed(object): row and column under the pointer, None for none.
        picked(int, int): a cell was clicked, or reached by the arrow keys.
        chosen(int, int): a cell was clicked, or Space was pressed: show its devices.
        opened(int, int): a cell was double-clicked, or Enter was pressed.
        left(): back to the wider matrix.
    """

    pointed = Signal(object)
    picked = Signal(int, int)
    chosen = Signal(int, int)
    opened = Signal(int, int)
    left = Signal()

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self._grid: Grid | None = None
        self._image: QImage | None = None
        self._pooled_for = (0, 0)
        self._under: Cell | None = None
        self._picked: Cell | None = None
        self._selected: frozenset[str] = frozenset()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 90)
        theming.changed.connect(self._repaint)

    @property
    def grid(self) -> Grid | None:
        """What is shown."""
        return self._grid

    @property
    def cell(self) -> Cell | None:
        """The cell that was picked."""
        return self._picked

    @property
    def under(self) -> Cell | None:
        """The cell under the pointer."""
        return self._under

    def show_grid(self, grid: Grid | None) -> None:
        """Show other cells; the picked one stays if the rows and columns are the same."""
        old = self._grid
        same = old is not None and grid is not None and (
            (old.matrix.rows, old.matrix.columns) == (grid.matrix.rows, grid.matrix.columns)
        )  # fmt: skip
        self._grid = grid
        if not same:
            self._under = self._picked = None
        self._repaint()

    def show_selection(self, ids: frozenset[str]) -> None:
        """Mark the rows and columns of elements."""
        if ids != self._selected:
            self._selected = ids
            self.update()

    def pick(self, cell: Cell | None) -> None:
        """Pick a cell, or none."""
        self._picked = cell
        self.update()
        if cell is not None:
            self.picked.emit(*cell)

    def frame_now(self) -> Frame | None:
        """Where the cells lie."""
        return None if self._grid is None else Frame.fit(self.rect(), self._grid)

    def _repaint(self, *_args: object) -> None:
        self._image = None
        self.update()

    def _at(self, place: QPointF) -> Cell | None:
        frame = self.frame_now()
        return None if frame is None else frame.cell(place.x(), place.y())

    # -- events --------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read out what is under the pointer."""
        self._point(self._at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._point(None)

    def _point(self, cell: Cell | None) -> None:
        if cell != self._under:
            self._under = cell
            self.update()
            self.pointed.emit(cell)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick a cell and show its devices."""
        cell = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self.pick(cell)
            self.chosen.emit(*cell)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a cell."""
        cell = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self.opened.emit(*cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk, Space shows the devices, Enter opens, Backspace goes back."""
        key = Qt.Key(event.key())
        if self._grid is None:
            super().keyPressEvent(event)
        elif key in _STEPS:
            self.pick(self._stepped(*_STEPS[key]))
        elif key == Qt.Key.Key_Space and self._picked is not None:
            self.chosen.emit(*self._picked)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._picked is not None:
            self.opened.emit(*self._picked)
        elif key == Qt.Key.Key_Backspace:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _stepped(self, down: int, right: int) -> Cell:
        rows, columns = self._grid.shape if self._grid is not None else (1, 1)
        if self._picked is None:
            return self._grid.largest() if self._grid is not None else (0, 0)
        row, column = self._picked
        return max(0, min(rows - 1, row + down)), max(0, min(columns - 1, column + right))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring."""
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the ring."""
        self.update()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Cells from one cached picture, then names and marks."""
        frame = self.frame_now()
        if frame is None or self._grid is None:
            return
        ratio = self.devicePixelRatioF()
        most = QRect(0, 0, int(frame.cells.width() * ratio), int(frame.cells.height() * ratio))
        if self._image is None or self._pooled_for != (most.height(), most.width()):
            self._pooled_for = (most.height(), most.width())
            self._image = cells_image(self._grid, self._theming.theme, *self._pooled_for)
        with QPainter(self) as painter:
            ink = Ink(painter, self._theming.theme)
            paint_cells(ink, frame, self._image, self._grid)
            paint_names(ink, frame, self._grid)
            paint_marks(ink, frame, self._grid, self._under, self._picked, self._selected)
            if self.hasFocus():
                ink.box(0, 0, self.width(), self.height(), None, "border.focus", 4, 2)
