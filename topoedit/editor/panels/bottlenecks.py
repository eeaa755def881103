"""The Bottlenecks table: classes of links by what they cost."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QSizePolicy, QWidget

from topoedit.editor.panels.base import TablePage
from topoedit.editor.panels.bottleneck_words import (
    bottleneck_title,
    cost_cell,
    count_words,
    elements_of,
)
from topoedit.editor.panels.property_extras import dim
from topoedit.editor.panels.result_sections import stale
from topoedit.editor.panels.tables import (
    LEFT,
    LOAD_ROLE,
    PARTS_ROLE,
    RIGHT,
    HeadedModel,
    Table,
)
from topoedit.editor.qt_types import Index
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.widgets import columns, label, rows
from topoedit.model.analysis import Bottleneck
from topoedit.render.bars import class_parts
from topoedit.units import format_bytes

HEADS = ("Link, direction", "Tier", "Load (demand)", "By class", "Bytes / step", "Costs", "Why")
_WIDTHS = (230, 130, 150, 130, 110, 90)


class BottleneckModel(HeadedModel):
    """Bottleneck classes as rows."""

    heads = HEADS
    right = frozenset((4, 5))

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: DocumentSession | None = None
        self.rows_: tuple[Bottleneck, ...] = ()

    def show_session(self, session: DocumentSession | None) -> None:
        """Show the result of a session."""
        self.beginResetModel()
        self._session = session
        result = None if session is None else session.analysis
        self.rows_ = () if result is None else result.bottlenecks
        self.endResetModel()

    def rows_shown(self) -> int:
        """Number of classes."""
        return len(self.rows_)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        if self._session is None or not index.isValid():
            return None
        row, column = self.rows_[index.row()], index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            text = self._text(self._session, index.row(), column)
            return tip(text) if role == Qt.ItemDataRole.ToolTipRole else text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in (4, 5) else LEFT
        if role == LOAD_ROLE and column == 2:
            return row.demand
        if role == PARTS_ROLE and column == 3:
            return class_parts(row.by_class)
        return None

    @staticmethod
    def _text(session: DocumentSession, number: int, column: int) -> str:
        if session.analysis is None or number >= len(session.analysis.bottlenecks):
            return ""
        row = session.analysis.bottlenecks[number]
        classes = ", ".join(f"{name} {format_bytes(n)}" for name, n in row.by_class.items() if n)
        return (
            bottleneck_title(session, number),
            f"{row.tier} {count_words(session, number)}".strip(),
            f"{row.demand:.0%}",
            classes,
            format_bytes(row.bytes),
            cost_cell(row),
            row.why or "Hidden behind compute",
        )[column]


class BottlenecksPanel(TablePage):
    """The table and a line under it."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.model = BottleneckModel(self)
        self.table = Table(theming, "Bottlenecks")
        self.table.setModel(self.model)
        self.table.set_widths(_WIDTHS)
        self._note = label(role="caption")
        self._empty = label(role="caption", wrap=True)
        self._empty.setContentsMargins(12, 10, 12, 0)
        self._empty.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        layout = rows(self)
        layout.addWidget(self._empty)
        layout.addWidget(self.table, 1)
        foot = columns(None, (8, 2, 8, 4))
        foot.addWidget(self._note)
        layout.addLayout(foot)
        layout.addStretch(0)
        self.table.visited.connect(self._visit)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)

    def focus_target(self) -> QWidget:
        """The rows."""
        return self.table

    def listen(self, session: DocumentSession) -> None:
        """Follow the result."""
        self.bind(session.analysis_changed, self._soon)
        self.bind(session.analysis_state_changed, self._state_changed)

    def _soon(self) -> None:
        self._later.start()

    def refresh(self) -> None:
        """Show the result as it is now."""
        self.model.show_session(self.session)
        count = self.model.rowCount()
        result = None if self.session is None else self.session.analysis
        if result is None:
            self._empty.setText(_waiting(self.session))
        elif not count:
            self._empty.setText("No link holds the step up.")
        else:
            self._note.setText(
                "Sorted by cost: the step time gained if the class were twice as fast"
            )
        self.table.setVisible(bool(count))
        self._note.setVisible(bool(count))
        self._empty.setVisible(not count)
        self.counted.emit(count)
        self._dim()

    def _state_changed(self, _state: object) -> None:
        self._dim()
        self._soon()

    def _dim(self, _state: object = None) -> None:
        old = self.session is not None and stale(self.session)
        dim(self.table, old, self._theming.theme.opacity("state.stale_opacity"))

    def _visit(self, row: int) -> None:
        if self.session is not None and row < len(self.model.rows_):
            self.visited.emit(elements_of(self.session, row))


def _waiting(session: DocumentSession | None) -> str:
    """Why there is no result yet."""
    if session is not None and session.analysis_state.why:
        return session.analysis_state.why
    if session is not None and session.workload is not None:
        return "Working it out…"
    return "No result yet: choose a model in the plan."
