"""The Timeline page: one step on a time axis, its phases beside it, and a play head."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QIcon, QPainter, QPaintEvent, QPixmap, QShowEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QPushButton, QScrollArea, QSizePolicy, QWidget

from topoedit.editor.panels.base import TablePage
from topoedit.editor.panels.property_extras import dim
from topoedit.editor.panels.result_sections import stale
from topoedit.editor.panels.tables import LEFT, RIGHT, HeadedModel, Table
from topoedit.editor.panels.timeline_chart import TimelineChart
from topoedit.editor.qt_types import Index
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.widgets import columns, label, rows
from topoedit.engine.timeline_types import KINDS, PARTS, Phase, Timeline
from topoedit.render.bars import draw_swatch
from topoedit.render.ink import Ink
from topoedit.render.timeline import COLORS, WORDS
from topoedit.units import format_number, format_seconds

ALL_PHASES = "All phases"
_SCHEDULES = {
    "1f1b": "1F1B", "interleaved": "Interleaved 1F1B", "zb": "Zero bubble", "afab": "AFAB",
    "dualpipe": "DualPipe",
}  # fmt: skip
_NOTHING = "Choose a model in the plan to see its step on a time axis."


class PhaseModel(HeadedModel):
    """All phases, then each with its seconds."""

    heads = ("Phase", "Time", "Exposed")
    right = frozenset((1, 2))

    def __init__(self, theming: Theming, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theming = theming
        self.phases: tuple[Phase, ...] = ()
        self._whole = 0.0

    def show_step(self, made: Timeline | None) -> None:
        """Show the phases of a step."""
        self.beginResetModel()
        self.phases = () if made is None else made.phases
        self._whole = 0.0 if made is None else made.step_time
        self.endResetModel()

    def rows_shown(self) -> int:
        """One row more than phases."""
        return len(self.phases) + 1 if self._whole else 0

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cells(row)[column]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in self.right else LEFT
        if role == Qt.ItemDataRole.DecorationRole and column == 0:
            return self._swatch(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self._tip(row))
        return None

    def cells(self, row: int) -> tuple[str, str, str]:
        """What a row says."""
        if row == 0:
            return ALL_PHASES, format_seconds(self._whole), ""
        phase = self.phases[row - 1]
        return phase.title, format_seconds(phase.seconds), format_seconds(phase.exposed)

    def _tip(self, row: int) -> str:
        if row == 0:
            return "Colour the links by the figure of the whole step."
        phase = self.phases[row - 1]
        spans = " and ".join(f"{format_seconds(a)} to {format_seconds(b)}" for a, b in phase.spans)
        return f"{phase.title} runs from {spans}. A click colours the links by its load."

    def _swatch(self, row: int) -> QIcon | None:
        if row == 0:
            return None
        pixmap = QPixmap(16, 16)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = Ink(painter, self._theming.theme)
            draw_swatch(ink, 4, 4, f"traffic.{self.phases[row - 1].class_}")
        icon = QIcon(pixmap)
        icon.addPixmap(pixmap, QIcon.Mode.Selected)
        return icon


class ColorKey(QWidget):
    """What the colours of the rows mean."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.kinds: tuple[str, ...] = ()
        self.setFixedHeight(18)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theming.changed.connect(self.update)

    def show_step(self, made: Timeline | None) -> None:
        """Name what occurs in a step."""
        self.kinds = () if made is None else kinds_in(made)
        self.setAccessibleName(", ".join(WORDS[kind] for kind in self.kinds))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Swatches with words."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = Ink(painter, self._theming.theme)
            x = 6.0
            words = {kind: WORDS[kind] for kind in self.kinds}
            if sum(ink.width_of(text, 11) + 32 for text in words.values()) > self.width():
                words = {kind: text.removesuffix(" exposed") for kind, text in words.items()}
            for kind, text in words.items():
                if x + 14 + ink.width_of(text, 11) > self.width():
                    break
                draw_swatch(ink, x, 5, COLORS[kind])
                x = ink.text(x + 14, 1, text, 11, 400, "text.secondary") + 18


def kinds_in(made: Timeline) -> tuple[str, ...]:
    """Kinds of spans, and parts of passes, that take time anywhere."""
    there = {KINDS[number] for number in set(made.spans.kind.tolist())}
    inside = made.shares.max(axis=(0, 1))
    there |= {part for part, share in zip(PARTS, inside, strict=True) if share > 0}
    order = ("forward", "backward", "weights", "tp", "cp", "ep", "pp", "dp", "wan", "optimizer",
             "other", "idle")  # fmt: skip
    return tuple(kind for kind in order if kind in there)


class TimelinePanel(TablePage):
    """Chart, phases, and the line above them."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.chart = TimelineChart(theming)
        self.key = ColorKey(theming)
        self.model = PhaseModel(theming, self)
        self.phases = Table(theming, "Phases of the step")
        self.phases.setModel(self.model)
        self.phases.visited.connect(self._visit)
        self.title = label(role="caption")
        self.window_line = label(role="caption")
        self.all = QPushButton(ALL_PHASES)
        self.all.setObjectName("link")
        self.all.setToolTip("Colour the links by the whole step again (Esc)")
        self.all.clicked.connect(lambda *_: self._go_to(None))
        self.whole = QPushButton("Whole step")
        self.whole.setObjectName("link")
        self.whole.setToolTip("Show the step from end to end (double click)")
        self.whole.clicked.connect(lambda *_: self._show_whole())
        self.empty = label(_NOTHING, "secondary")
        self._lay_out()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._show)

    def _lay_out(self) -> None:
        head = columns(None, (16, 6, 16, 4), 16)
        head.addWidget(self.title)
        head.addStretch(1)
        for part in (self.window_line, self.whole, self.all):
            head.addWidget(part)
        area = QScrollArea()
        area.setWidget(self.chart)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        left = rows(None, (10, 0, 0, 4), 2)
        left.addWidget(area, 1)
        left.addWidget(self.key)
        self.phases.setFixedWidth(344)
        self.phases.setIconSize(QSize(16, 16))
        header = self.phases.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.phases.setColumnWidth(1, 80)
        self.phases.setColumnWidth(2, 80)
        self.body = QWidget()
        line = columns(self.body, (0, 0, 0, 0), 12)
        line.addLayout(left, 1)
        line.addWidget(self.phases)
        self.empty.setContentsMargins(16, 8, 16, 8)
        whole = rows(self)
        whole.addLayout(head)
        whole.addWidget(self.body, 1)
        whole.addWidget(self.empty, 1, Qt.AlignmentFlag.AlignTop)

    def focus_target(self) -> QWidget:
        """The chart, whose arrows move the play head."""
        return self.chart

    # -- following -----------------------------------------------------------------------------

    def listen(self, session: DocumentSession) -> None:
        """Follow the step and the play head."""
        state = session.timeline
        self.bind(state.changed, self._step_changed)
        self.bind(state.moved, self._moved)
        self.bind(session.analysis_state_changed, self._soon)

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another drawing; the one before is no longer kept up to date."""
        if self.session is not None:
            self.session.timeline.watch(False)
        super().set_session(session)
        self._watch()

    def refresh(self) -> None:
        """Show everything."""
        self.chart.show_state(None if self.session is None else self.session.timeline)
        self._step_changed()

    def showEvent(self, event: QShowEvent) -> None:
        """Only what is seen is asked for."""
        super().showEvent(event)
        self._watch()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any more."""
        super().hideEvent(event)
        self._watch()

    def _watch(self) -> None:
        if self.session is not None:
            self.session.timeline.watch(self.isVisible())

    def _made(self) -> Timeline | None:
        return None if self.session is None else self.session.timeline.timeline

    def _step_changed(self) -> None:
        made = self._made()
        self.model.show_step(made)
        self.key.show_step(made)
        self.chart.show_all()
        self._show()

    def _soon(self, _state: object = None) -> None:
        self._later.start()

    def _moved(self) -> None:
        self.chart.repaint_all()
        self._show()

    def _show(self) -> None:
        made, session = self._made(), self.session
        self.body.setVisible(made is not None)
        self.empty.setVisible(made is None)
        state = None if session is None else session.timeline
        self.all.setVisible(made is not None and state is not None and state.moment is not None)
        self.whole.setVisible(self.chart.is_zoomed)
        self.title.setText("" if made is None else title_of(made))
        if made is None or state is None or session is None:
            waiting = session is not None and session.workload is not None
            line = "" if state is None else state.line
            self.empty.setText(line or ("Laying out the step" if waiting else _NOTHING))
            self.window_line.setText("")
            return
        start, end = self.chart.shown
        span = f"{format_seconds(start)} – {format_seconds(end)}" if start else (
            f"0 – {format_seconds(end)}")  # fmt: skip
        self.window_line.setText(state.words or f"{span} · drag for one moment, wheel zooms")
        row = 0 if state.moment is None else -1 if state.phase is None else state.phase + 1
        self._mark(row)
        dim(self.body, stale(session), self._theming.theme.opacity("state.stale_opacity"))

    def _mark(self, row: int) -> None:
        if row < 0:
            self.phases.clearSelection()
            self.phases.setCurrentIndex(QModelIndex())
        elif self.phases.currentIndex().row() != row or not self.phases.selectedIndexes():
            self.phases.selectRow(row)

    # -- choosing ------------------------------------------------------------------------------

    def _visit(self, row: int) -> None:
        if self.session is None:
            return
        if row == 0:
            self._go_to(None)
        else:
            self.session.timeline.choose(row - 1)

    def _go_to(self, moment: float | None) -> None:
        if self.session is not None:
            self.session.timeline.go_to(moment)

    def _show_whole(self) -> None:
        self.chart.show_all()
        self._show()


def title_of(made: Timeline) -> str:
    """What the chart shows, in one line."""
    many = f"{format_number(made.batches)} micro-batches"
    if made.drawn != made.batches:
        many += f" drawn as {format_number(made.drawn)}"
    if len(made.stages) == 1:
        return f"One step, no pipeline · {many}"
    schedule = _SCHEDULES[made.schedule]
    return (
        f"One step on one replica · {schedule} · {many} · {made.stages[made.critical]} is slowest"
    )
