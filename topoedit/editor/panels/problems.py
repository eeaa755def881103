"""The Problems table: what opening, analysis and the plan have to say."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, QTimer, Signal

from topoedit.editor.panels.base import SessionPanel
from topoedit.editor.panels.tables import LEFT, Table
from topoedit.editor.qt_types import Index
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Severity
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import columns, label, rows
from topoedit.units import format_bytes, format_number

HEADS = ("Problem", "Where", "From")
_COLORS = {
    "error": "severity.error", "warning": "severity.warning",
    "info": "severity.info", "ok": "severity.ok",
}  # fmt: skip


@dataclass(frozen=True)
class Problem:
    """One row: how bad, what, which elements, who says so."""

    severity: Severity
    text: str
    ids: tuple[str, ...] = ()
    where: str = ""
    source: str = ""


def problems_of(session: DocumentSession) -> list[Problem]:
    """Everything known to be wrong or in doubt, the worst first."""
    found: list[Problem] = []
    state, result = session.analysis_state, session.analysis
    if state.kind in ("refused", "stopped") and state.why:
        found.append(
            Problem("error", state.why, source="Plan" if state.kind == "refused" else "Engine")
        )
    if result is not None:
        lost = result.unreachable
        if lost.pairs:
            undelivered = format_bytes(lost.bytes)
            words = f"{format_number(lost.pairs)} pairs have no path: {undelivered} undelivered"
            found.append(
                Problem("error", words, _ids(session, lost.example), lost.example, "Routing")
            )
        if result.memory.risk == "no":
            found.append(
                Problem("error", "The plan does not fit into the memory of a GPU", source="Memory")
            )
        elif result.memory.risk == "tight":
            found.append(
                Problem("warning", "Memory is tight on the fullest stage", source="Memory")
            )
        found += [Problem("warning", text, source="Analysis") for text in result.warnings]
    found += [Problem("warning", text, source="File") for text in session.notices]
    if session.totals.untyped:
        ids = tuple(
            d.id
            for d in session.document.devices.values()
            if d.kind == "server" and session.document.device_type(d).gpus is None
        )
        words = f"{len(ids)} server{'' if len(ids) == 1 else 's'} of a type with unknown GPUs"
        found.append(Problem("info", words, ids, source="Drawing"))
    order = ("error", "warning", "info", "ok")
    return sorted(found, key=lambda problem: order.index(problem.severity))


def _ids(session: DocumentSession, text: str) -> tuple[str, ...]:
    """Elements named in a text such as `node-1/gpu0 -> node-2/gpu0`."""
    names = (word.split("/")[0].strip(",.") for word in text.split())
    return tuple(dict.fromkeys(e.id for name in names if (e := session.document.named(name))))


class ProblemsModel(QAbstractTableModel):
    """Problems as rows."""

    def __init__(self, theming: Theming, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theming = theming
        self.rows_: list[Problem] = []

    def show_rows(self, found: list[Problem]) -> None:
        """Show these."""
        self.beginResetModel()
        self.rows_ = found
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Number of problems."""
        return 0 if parent.isValid() else len(self.rows_)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Number of columns."""
        return len(HEADS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Heads of the columns."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        if not index.isValid():
            return None
        row = self.rows_[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            where = row.where or (
                f"{len(row.ids)} devices" if len(row.ids) > 1 else "".join(row.ids)
            )
            return (row.text, where, row.source)[index.column()]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return self._theming.theme.icon(row.severity, _COLORS[row.severity], 16)
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0:
            return f"{row.severity}: {row.text}"
        return None


class ProblemsPanel(SessionPanel):
    """The table.

    Signals:
        visited(tuple): ids to select and centre on.
        counted(dict): severity -> number.
    """

    visited = Signal(object)
    counted = Signal(object)

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self.model = ProblemsModel(theming, self)
        self.table = Table(theming, "Problems")
        self.table.setModel(self.model)
        self.table.set_widths((620, 220))
        self._none = label("No problems.", "caption")
        foot = columns(None, (12, 0, 12, 0))
        foot.addWidget(self._none)
        self._none.setContentsMargins(0, 10, 0, 10)
        layout = rows(self)
        layout.addLayout(foot)
        layout.addWidget(self.table, 1)
        layout.addStretch(0)
        self.table.visited.connect(self._visit)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)

    def listen(self, session: DocumentSession) -> None:
        """Follow result, state and drawing."""
        self.bind(session.analysis_changed, self._soon)
        self.bind(session.analysis_state_changed, self._soon)
        self.bind(session.analysis_input_changed, self._soon)

    def _soon(self, _state: object = None) -> None:
        self._later.start()

    def refresh(self) -> None:
        """Collect the problems."""
        found = [] if self.session is None else problems_of(self.session)
        if found != self.model.rows_:
            self.model.show_rows(found)
        self._none.setVisible(not found)
        self.table.setVisible(bool(found))
        counts = {s: sum(p.severity == s for p in found) for s in ("error", "warning", "info")}
        self.counted.emit(counts)

    def step(self, by: int) -> None:
        """Go to the next or previous problem, round the end."""
        count = self.model.rowCount()
        if count:
            current = self.table.currentIndex().row()
            row = (current + by) % count if current >= 0 else (0 if by > 0 else count - 1)
            self.table.selectRow(row)
            self._visit(row)

    def _visit(self, row: int) -> None:
        self.visited.emit(self.model.rows_[row].ids)
