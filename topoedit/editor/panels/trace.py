"""The Trace panel: every path between two ends, hop by hop, as `topoedit path` finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from topoedit.editor.panels.base import TablePage
from topoedit.editor.panels.fields import Combo
from topoedit.editor.panels.tables import LEFT, RIGHT, HeadedModel, Table
from topoedit.editor.qt_types import Index
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.widgets import columns, label, rows
from topoedit.units import UNKNOWN, format_percent, format_seconds

if TYPE_CHECKING:
    from topoedit.app.path import Answer, HopRecord, PathRecord

HEADS = (
    "From", "To", "Port", "Port", "Medium", "Length", "Gb/s", "Width", "Latency", "Load",
    "Source of the latency",
)  # fmt: skip
_WIDTHS = (150, 150, 60, 60, 150, 70, 80, 60, 80, 180)
_NUMBERS = frozenset((5, 6, 7, 8))


class HopModel(HeadedModel):
    """Hops of one path as rows."""

    heads = HEADS
    right = frozenset(_NUMBERS)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hops: tuple[HopRecord, ...] = ()

    def show_hops(self, hops: tuple[HopRecord, ...]) -> None:
        """Show these."""
        self.beginResetModel()
        self.hops = hops
        self.endResetModel()

    def rows_shown(self) -> int:
        """Number of hops."""
        return len(self.hops)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        if not index.isValid():
            return None
        hop, column = self.hops[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return cells(hop)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(parts_of(hop) if column in (8, 10) else cells(hop)[column])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in _NUMBERS else LEFT
        return None


def cells(hop: HopRecord) -> tuple[str, ...]:
    """What a row says; what is not known is a dash."""
    return (
        hop.from_,
        hop.to,
        hop.port_a or UNKNOWN,
        hop.port_b or UNKNOWN,
        hop.medium or UNKNOWN,
        length_of(hop),
        UNKNOWN if hop.gbps is None else f"{hop.gbps:g}",
        str(hop.width),
        UNKNOWN if hop.latency_s is None else format_seconds(hop.latency_s),
        load_of(hop),
        hop.latency_source,
    )


def length_of(hop: HopRecord) -> str:
    """`8 m`, `26–31 m` where the class has several lengths, `100 km`."""
    if hop.metres is None:
        return UNKNOWN
    low, high = hop.metres_range or (hop.metres, hop.metres)
    unit, scale = ("km", 1000.0) if high >= 1000 else ("m", 1.0)
    return f"{low / scale:g}–{high / scale:g} {unit}" if low < high else f"{low / scale:g} {unit}"


def load_of(hop: HopRecord) -> str:
    """Demand and the share of each traffic class."""
    if not hop.load:
        return UNKNOWN
    total = hop.load.bytes or 1.0
    shares = [f"{name} {format_percent(n / total)}" for name, n in hop.load.by_class.items()]
    return " ".join([format_percent(hop.load.demand), *shares])


def parts_of(hop: HopRecord) -> str:
    """What a latency is made of, a line each."""
    lines = [f"{p.what}: {format_seconds(p.seconds)} ({p.source})" for p in hop.latency_parts]
    return "\n".join(lines) or hop.latency_source


def path_words(number: int, path: PathRecord) -> str:
    """A path in one line: its share, hops, latency and how it leaves the GPU."""
    latency = UNKNOWN if path.latency_s is None else format_seconds(path.latency_s)
    words = [f"Path {number + 1}", f"{format_percent(path.share, 1)} of the bytes"]
    words += [f"{len(path.hops)} hops", latency]
    if path.leaves_by:
        words.append(f"leaves by {path.leaves_by}")
    if path.arrives_by:
        words.append(f"arrives by {path.arrives_by}")
    return " · ".join(words)


class TracePanel(TablePage):
    """Two ends, the paths, and the hops of the one in front."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self.start, self.goal = QLineEdit(), QLineEdit()
        self.paths = Combo()
        self.clear_button = QPushButton("Clear")
        self.note = label(role="caption")
        self.model = HopModel(self)
        self.table = Table(theming, "Hops")
        self.table.setModel(self.model)
        self.table.set_widths(_WIDTHS)
        self._lay_out()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)

    def _lay_out(self) -> None:
        head = columns(None, (12, 4, 8, 4), 8)
        for words, field in (("From", self.start), ("to", self.goal)):
            word = label(words, "secondary")
            word.setBuddy(field)
            field.setAccessibleName(f"Trace {words.lower()}")
            field.setPlaceholderText("node-01/gpu3, rank:17, leaf-1:5")
            field.setToolTip("A GPU, a rank, a NIC, a port or a device")
            field.setMinimumWidth(120)
            field.setMaximumWidth(300)
            field.editingFinished.connect(self._asked)
            pair = columns(gap=4)
            pair.addWidget(word)
            pair.addWidget(field, 1)
            head.addLayout(pair, 2)
        self.paths.setAccessibleName("Paths")
        self.paths.setMinimumWidth(120)
        self.paths.activated.connect(self._choose)
        head.addWidget(self.paths, 3)
        self.clear_button.clicked.connect(self._clear)
        head.addWidget(self.clear_button)
        foot = columns(None, (12, 2, 12, 4))
        foot.addWidget(self.note)
        layout = rows(self)
        layout.addLayout(head)
        layout.addWidget(self.table, 1)
        layout.addLayout(foot)
        layout.addStretch(0)
        self.table.visited.connect(self._visit)

    def focus_target(self) -> QWidget:
        """The first end."""
        return self.start

    def listen(self, session: DocumentSession) -> None:
        """Follow the trace."""
        self.bind(session.trace.changed, self._soon)

    def _soon(self) -> None:
        self._later.start()

    def refresh(self) -> None:
        """Show ends, paths and hops."""
        trace = None if self.session is None else self.session.trace
        self.start.setText("" if trace is None else trace.start)
        self.goal.setText("" if trace is None else trace.goal)
        answer = None if trace is None else trace.answer
        self.paths.clear()
        for number, path in enumerate(() if answer is None else answer.paths):
            self.paths.addItem(path_words(number, path), number)
        chosen = 0 if trace is None else trace.chosen
        self.paths.setCurrentIndex(chosen)
        self.paths.setVisible(bool(answer and answer.paths))
        self.model.show_hops(answer.paths[chosen].hops if answer and answer.paths else ())
        self.table.setVisible(self.model.rowCount() > 0)
        self.note.setText(self._words(answer))

    def _words(self, answer: Answer | None) -> str:
        trace = None if self.session is None else self.session.trace
        if trace is None or not trace.is_active:
            return "Right click a device or port: Trace from here, then Trace to here."
        if trace.line:
            return trace.line
        if answer is None:
            return "Looking for paths…"
        if not answer.paths:
            return f"There is no path from {answer.from_} to {answer.to}."
        path = answer.paths[trace.chosen]
        words = [path.latency_covers, *answer.notes]
        if path.measured is not None:
            found = path.measured
            words.append(f"{found.what} measured {format_seconds(found.seconds)} ({found.source})")
        return ". ".join(word for word in words if word)

    def _asked(self) -> None:
        session = self.session
        ends = (self.start.text().strip(), self.goal.text().strip())
        if session is not None and ends != (session.trace.start, session.trace.goal):
            session.trace.ask(start=ends[0], goal=ends[1])

    def _choose(self, number: int) -> None:
        if self.session is not None:
            self.session.trace.choose(number)

    def _clear(self) -> None:
        if self.session is not None:
            self.session.trace.clear()

    def _visit(self, row: int) -> None:
        session = self.session
        if session is None or row >= len(self.model.hops):
            return
        link = self.model.hops[row].link
        if link in session.document.links:
            self.visited.emit((link,))
            return
        device = session.document.named(self.model.hops[row].from_.split("/")[0])
        if device is not None:
            self.visited.emit((device.id,))
