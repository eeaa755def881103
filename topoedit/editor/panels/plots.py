"""The Plots page: step breakdown, links by load, bandwidth and memory, one chart at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from topoedit.app.protocol import Charts, Sweep
from topoedit.editor.engine_client import Reply
from topoedit.editor.panels.base import TablePage
from topoedit.editor.panels.patience import Patience
from topoedit.editor.panels.picture_menu import SaveButton
from topoedit.editor.panels.properties import scrolled
from topoedit.editor.panels.property_extras import dim
from topoedit.editor.panels.result_sections import stale
from topoedit.editor.plan_change import ChangeLog
from topoedit.editor.plots.chart import Chart, copy_text, csv_text
from topoedit.editor.plots.chart_view import ChartView
from topoedit.editor.plots.legend import Legend
from topoedit.editor.plots.loader import PlotLibrary
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.widgets import IconButton, Segments, columns, label, rows
from topoedit.model.analysis import Analysis

CHOICES = (
    ("step", "Step"), ("links", "Links"), ("bandwidth", "Bandwidth"), ("memory", "Memory"),
)  # fmt: skip
EMPTY = {
    "step": "Choose a model in the plan to see where the time of a step goes.",
    "links": "Choose a model in the plan to see how many links are how full.",
    "bandwidth": "Place servers with GPUs to see the bus bandwidth that they should reach.",
    "memory": "Choose a model in the plan to see what fills the memory of each stage.",
}
Then = Callable[[Reply], None]


class PlotsPanel(TablePage):
    """Charts of the result.

    Signals:
        asked(Question, Then): something for the engine.
        why_asked(str): key of a figure to explain.
        told(str, str): a line for the message bar and its severity.
    """

    asked = Signal(object, object)
    why_asked = Signal(str)
    told = Signal(str, str)

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.library = PlotLibrary(self)
        self.choice = Segments(CHOICES)
        self.view = ChartView(theming, self.library)
        self.legend = Legend(theming)
        self.readout = label(role="caption")
        self.copy = IconButton(theming, "copy", "Copy the data of this chart")
        self.save = SaveButton(theming, "Save this chart", ("svg", "png", "csv"))
        self.empty = label(role="caption", wrap=True)
        self._whole = QWidget()
        self._charts: dict[str, Chart] = {}
        self._from: dict[str, Analysis | int] = {}
        self._refused: dict[str, str] = {}
        self._lay_out()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self._patience = {key: Patience(self) for key in ("links", "bandwidth")}
        for patience in self._patience.values():
            patience.late.connect(self._soon)
        self.library.ready.connect(self._soon)

    def _lay_out(self) -> None:
        head = columns(None, (12, 6, 8, 2), 8)
        head.addWidget(self.choice)
        self.readout.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head.addWidget(self.readout, 1)
        head.addWidget(self.copy)
        head.addWidget(self.save)
        body = columns(self._whole)
        body.addWidget(self.view, 1)
        side = scrolled(self.legend)
        side.setFrameShape(QFrame.Shape.NoFrame)
        side.setFixedWidth(self.legend.width())
        body.addWidget(side)
        self.empty.setContentsMargins(12, 8, 12, 0)
        layout = rows(self)
        layout.addLayout(head)
        layout.addWidget(self.empty)
        layout.addWidget(self._whole, 1)
        layout.addStretch(0)
        self.choice.chosen.connect(lambda _key: self.refresh())
        self.view.pointed.connect(self._read_out)
        self.legend.why_asked.connect(self.why_asked)
        self.copy.clicked.connect(self._copy)
        self.save.chosen.connect(self.write)

    def focus_target(self) -> QWidget:
        """The choice of charts."""
        return self.choice.button(self.choice.current)

    def listen(self, session: DocumentSession) -> None:
        """Follow the result and, for the bandwidth, the drawing."""
        for signal in (
            session.analysis_changed, session.analysis_state_changed,
            session.analysis_input_changed,
        ):  # fmt: skip
            self.bind(signal, self._soon)

    def showEvent(self, event: QShowEvent) -> None:
        """Read the library and draw when the page is first seen."""
        super().showEvent(event)
        self.library.want()
        self._soon()

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another drawing."""
        self._charts, self._from, self._refused = {}, {}, {}
        for patience in self._patience.values():
            patience.done()
        super().set_session(session)

    def _soon(self, *_args: object) -> None:
        self._later.start()

    @property
    def chart(self) -> Chart | None:
        """The chart in front."""
        return self.view.chart

    # -- showing -------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the chosen chart as far as it is known, and ask for what is not."""
        if not self.isVisible():
            return
        key = self.choice.current
        if self.session is None or not self._wanted(self.session, key):
            self._charts.pop(key, None)
            self._from.pop(key, None)
        else:
            self._update(self.session, key)
        chart = self._charts.get(key)
        self.view.show_chart(chart)
        self.legend.show_chart(chart)
        self._whole.setVisible(chart is not None)
        self.empty.setVisible(chart is None)
        self.empty.setText(self._why_empty(key))
        for button in (self.copy, self.save):
            button.setEnabled(chart is not None)
        asked = self._patience.get("links" if key == "memory" else key)
        late = asked is not None and asked.is_late
        old = self.session is not None and (late or (key != "bandwidth" and stale(self.session)))
        opacity = self._theming.theme.opacity("state.stale_opacity")
        self.view.fade(opacity if old else 1.0)
        dim(self.legend, old, opacity)
        self._read_out("")

    @staticmethod
    def _wanted(session: DocumentSession, key: str) -> bool:
        """Whether there can be such a chart."""
        return session.totals.gpus > 0 if key == "bandwidth" else session.analysis is not None

    def _why_empty(self, key: str) -> str:
        session = self.session
        if session is None:
            return EMPTY[key]
        if self._wanted(session, key):
            return self._refused.get(key, "Working it out…")
        refused = session.analysis_state.why if key != "bandwidth" else ""
        if refused:
            return refused
        waiting = session.workload is not None and key != "bandwidth" and session.totals.servers
        return "Working it out…" if waiting else EMPTY[key]

    def _update(self, session: DocumentSession, key: str) -> None:
        """Make the chart, or ask for its figures, unless they are those of the result shown."""
        from topoedit.editor.plots.made import OPERATIONS, step_chart

        source = session.input_revision if key == "bandwidth" else session.analysis
        if source is None or (key in self._from and self._from[key] == source):
            return
        self._refused.pop(key, None)
        if key == "bandwidth":
            self._from[key] = session.input_revision
            self._patience[key].ask()
            ops = tuple(op for op, *_ in OPERATIONS)
            question = Sweep(ops, session.workload)
            self.asked.emit(question, lambda reply: self._take_sweeps(session, reply))
        elif key == "step" and session.analysis is not None:
            self._from[key] = session.analysis
            self._charts[key] = step_chart(session.analysis, ChangeLog.of(session).before_last)
        elif session.analysis is not None:
            result = session.analysis
            self._patience["links"].ask()
            self._from["links"] = self._from["memory"] = result
            self.asked.emit(Charts(), lambda reply: self._take_figures(session, reply))

    def _take_figures(self, session: DocumentSession, reply: Reply) -> None:
        if session is not self.session:
            return
        self._patience["links"].done()
        if reply.line:
            self._refuse(("links", "memory"), reply.line)
            return
        from topoedit.app.figure_records import ChartFigures
        from topoedit.editor.plots.made import links_chart, memory_chart

        found = msgspec.msgpack.decode(reply.body, type=ChartFigures)
        self._charts["links"] = links_chart(found.tiers)
        self._charts["memory"] = memory_chart(found)
        self._soon()

    def _take_sweeps(self, session: DocumentSession, reply: Reply) -> None:
        if session is not self.session:
            return
        self._patience["bandwidth"].done()
        if reply.line:
            self._refuse(("bandwidth",), reply.line)
            return
        from topoedit.app.figure_records import Sweep as Found
        from topoedit.editor.plots.made import bandwidth_chart

        found = msgspec.msgpack.decode(reply.body, type=tuple[Found, ...])
        self._charts["bandwidth"] = bandwidth_chart(found)
        self._soon()

    def _refuse(self, keys: tuple[str, ...], line: str) -> None:
        """There are no figures; one line says why, until something changes."""
        for key in keys:
            self._charts.pop(key, None)
            self._refused[key] = line
        self.refresh()

    def _read_out(self, words: str) -> None:
        chart = self.view.chart
        title = "" if chart is None else f"{chart.title} · {chart.note}"
        self.readout.setText(words or title)
        self.readout.setToolTip(tip(title))

    # -- taking away ---------------------------------------------------------------------------

    def _copy(self) -> None:
        if self.chart is not None:
            QGuiApplication.clipboard().setText(copy_text(self.chart))
            self.told.emit(f"Copied the data of “{self.chart.title}”.", "ok")

    def data_of(self, kind: str) -> bytes:
        """The chart in front as a file of a kind: `svg`, `png` or `csv`."""
        if self.chart is None:
            return b""
        if kind == "csv":
            return csv_text(self.chart).encode()
        from topoedit.editor.plots.export import png_bytes, svg_bytes

        self.library.wait()
        theme = self._theming.theme
        return svg_bytes(self.chart, theme) if kind == "svg" else png_bytes(self.chart, theme)

    def write(self, kind: str, target: Path | None = None) -> None:
        """Write the chart in front to a file; without one, ask for it first."""
        if self.session is not None and self.chart is not None:
            self.save.write(
                self.session, self.chart.key, kind, self.data_of, self.told.emit, target
            )
