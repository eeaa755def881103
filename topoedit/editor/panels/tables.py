"""What the tables at the bottom share: a view, a delegate that paints bars, a filter line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from topoedit.editor.bar_widgets import paint_load, paint_parts
from topoedit.editor.qt_types import Index
from topoedit.editor.theming import Theming
from topoedit.render.theme import font
from topoedit.units import format_percent

ID_ROLE = Qt.ItemDataRole.UserRole
LOAD_ROLE = Qt.ItemDataRole.UserRole + 1
PARTS_ROLE = Qt.ItemDataRole.UserRole + 2
ROW_HEIGHT = 24
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class HeadedModel(QAbstractTableModel):
    """Rows under named heads; a subclass says what the rows are and what a cell holds.

    Attributes:
        heads: words over the columns.
        right: columns whose figures stand at the right.
    """

    heads: ClassVar[Sequence[str]] = ()
    right: ClassVar[frozenset[int]] = frozenset()

    def rows_shown(self) -> int:
        """Number of rows."""
        return 0

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Number of rows."""
        return 0 if parent.isValid() else self.rows_shown()

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Number of columns."""
        return len(self.heads)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Heads of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section in self.right else LEFT
        return None


class Table(QTableView):
    """Rows of 24 px, whole rows selected, no per-row widgets.

    Signals:
        visited(int): a row was clicked, or became current by the keys.
    """

    visited = Signal(int)

    def __init__(self, theming: Theming, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(BarDelegate(theming, self))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setDefaultAlignment(LEFT)
        header.setFixedHeight(26)
        self.clicked.connect(lambda index: self.visited.emit(index.row()))

    def set_widths(self, widths: tuple[int, ...]) -> None:
        """Widths of the columns, pixels."""
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter visits the current row."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.currentIndex().isValid():
                self.visited.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)


class BarDelegate(QStyledItemDelegate):
    """Paints a load as a bar with its figure, classes as a stacked bar, the rest as text."""

    def __init__(self, theming: Theming, parent: QTableView) -> None:
        super().__init__(parent)
        self._theming = theming

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Every row is as high."""
        return QSize(60, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell."""
        load, parts = index.data(LOAD_ROLE), index.data(PARTS_ROLE)
        if load is None and parts is None:
            super().paint(painter, option, index)
            return
        rect = QRect(option.rect)
        self._paint_back(painter, option, rect)
        middle = rect.center().y()
        if parts is not None:
            bar = QRect(rect.left() + 8, middle - 2, max(10, rect.width() - 24), 5)
            paint_parts(painter, bar, parts, self._theming.theme)
            return
        bar = QRect(rect.left() + 8, middle - 2, max(10, rect.width() - 72), 5)
        paint_load(painter, bar, float(load), self._theming.theme)
        painter.setFont(font("body_strong"))
        painter.setPen(self._theming.theme.color("text.primary"))
        painter.drawText(rect.adjusted(0, 0, -12, 0), int(RIGHT), format_percent(float(load)))

    def _paint_back(self, painter: QPainter, option: QStyleOptionViewItem, rect: QRect) -> None:
        theme = self._theming.theme
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("surface.selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("surface.hover"))
