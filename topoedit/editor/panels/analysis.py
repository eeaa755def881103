"""The Analysis page: step time, memory, tiers, and bottleneck classes that select their links."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from topoedit.editor.bar_widgets import FigureRow
from topoedit.editor.panels.base import SessionPanel
from topoedit.editor.panels.bottleneck_words import bottleneck_title, cost_words, elements_of
from topoedit.editor.panels.properties import scrolled
from topoedit.editor.panels.property_extras import dim
from topoedit.editor.panels.result_sections import MemorySection, StepSection, stale
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.tips import tip
from topoedit.editor.widgets import ElidedLabel, Section, clear, label, rows
from topoedit.model.analysis import Analysis, Bottleneck
from topoedit.units import UNKNOWN, format_bytes, format_number, format_percent

MAX_ITEMS = 12
_RIGHT = Qt.AlignmentFlag.AlignRight


class AnalysisPanel(SessionPanel):
    """Everything the last result says.

    Signals:
        visited(tuple): ids to select and centre on.
        why_asked(str): key of a figure to explain.
    """

    visited = Signal(object)
    why_asked = Signal(str)

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self.step, self.memory = StepSection(theming), MemorySection(theming)
        for part in (self.step, self.memory):
            part.why_asked.connect(self.why_asked)
        self.tiers = Section(theming, "Tiers", "load")
        self.bottlenecks = Section(theming, "Bottlenecks")
        self.assumptions = Section(theming, "Assumptions")
        self.nothing = label(wrap=True, role="secondary")
        self.items: list[QPushButton] = []
        page = QWidget()
        page.setObjectName("page")
        inner = rows(page)
        self._top = QVBoxLayout()
        self._top.addWidget(self.nothing)
        inner.addLayout(self._top)
        self._sections = (self.step, self.memory, self.tiers, self.bottlenecks, self.assumptions)
        for section in self._sections:
            inner.addWidget(section)
        inner.addStretch(1)
        rows(self).addWidget(scrolled(page))
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._when_seen)
        self._stale = False

    def listen(self, session: DocumentSession) -> None:
        """Follow the result and what the engine does."""
        self.bind(session.analysis_changed, self._soon)
        self.bind(session.analysis_state_changed, self._state_changed)

    def _soon(self, _state: object = None) -> None:
        self._later.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what has come while it was hidden."""
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def _when_seen(self) -> None:
        self._stale = True
        if self.isVisible():
            self.refresh()

    def _state_changed(self, _state: object = None) -> None:
        self._show_nothing()
        self._dim()

    def refresh(self) -> None:
        """Show the result as it is now."""
        self._stale = False
        session = self.session
        result = None if session is None else session.analysis
        for section in self._sections:
            section.setVisible(result is not None)
        self._show_nothing()
        if session is None or result is None:
            return
        self.step.show_result(result)
        self.memory.show_memory(result.memory)
        self._show_tiers(result)
        self._show_bottlenecks(session, result)
        self._show_assumptions(result)
        self._dim()

    def _show_nothing(self) -> None:
        """Why there is no result, or what is wrong with the one shown."""
        session = self.session
        why = "" if session is None else session.analysis_state.why
        there = session is not None and session.analysis is not None
        self.nothing.setText(why or ("" if there else _invitation(session)))
        self.nothing.setVisible(bool(self.nothing.text()))
        self._top.setContentsMargins(16, *((14, 16, 8) if self.nothing.text() else (0, 16, 0)))

    def _dim(self) -> None:
        session = self.session
        if session is None or session.analysis is None:
            return
        opacity = self._theming.theme.opacity("state.stale_opacity")
        for section in self._sections:
            dim(section, stale(session), opacity)

    def _show_tiers(self, result: Analysis) -> None:
        clear(self.tiers.body)
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        for column, head in enumerate(("Tier", "Ratio", "Mean", "Worst", "Bytes")):
            grid.addWidget(label(head, "caption"), 0, column, _RIGHT if column else _LEFT)
        for row, tier in enumerate(result.tiers, start=1):
            ratio = UNKNOWN if tier.oversubscription is None else f"{tier.oversubscription:.3g}:1"
            texts = (
                tier.tier.capitalize(), ratio, format_percent(tier.mean_utilisation),
                format_percent(tier.max_demand), format_bytes(tier.bytes),
            )  # fmt: skip
            for column, text in enumerate(texts):
                cell = label(text, "" if column == 0 else "strong" if column == 3 else "secondary")
                cell.setToolTip(f"{format_number(tier.links)} directed links")
                grid.addWidget(cell, row, column, _RIGHT if column else _LEFT)
        grid.setColumnStretch(0, 1)
        self.tiers.body.addLayout(grid)

    def _show_bottlenecks(self, session: DocumentSession, result: Analysis) -> None:
        clear(self.bottlenecks.body)
        self.items = []
        self.bottlenecks.note.setText(format_number(len(result.bottlenecks)))
        for number, bottleneck in enumerate(result.bottlenecks[:MAX_ITEMS]):
            title = bottleneck_title(session, number)
            item = BottleneckItem(self._theming, title, bottleneck)
            item.setProperty("explain", f"bottlenecks.{number}")
            item.clicked.connect(self._visitor(session, number))
            self.items.append(item)
            self.bottlenecks.body.addWidget(item)
        if not result.bottlenecks:
            self.bottlenecks.body.addWidget(label("No link holds the step up.", "secondary"))

    def _visitor(self, session: DocumentSession, number: int) -> Callable[[], None]:
        return lambda *_: self.visited.emit(elements_of(session, number))

    def _show_assumptions(self, result: Analysis) -> None:
        clear(self.assumptions.body)
        self.assumptions.note.setText(str(len(result.assumptions)))
        for assumption in result.assumptions:
            self.assumptions.body.addWidget(label(assumption.text, wrap=True))
            self.assumptions.body.addWidget(label(assumption.source, "caption", wrap=True))
        for name, text in (("Unreachable", format_bytes(result.unreachable.bytes)),):
            if result.unreachable.pairs:
                self.assumptions.body.addWidget(FigureRow(self._theming, name, text))


def _invitation(session: DocumentSession | None) -> str:
    if session is not None and session.workload is not None:
        return "Working it out…"
    return "Choose a model in the plan to analyse this drawing."


class BottleneckItem(QPushButton):
    """Three lines with a stripe in the load colour: which links, what they cost, why."""

    def __init__(self, theming: Theming, title: str, bottleneck: Bottleneck) -> None:
        super().__init__()
        from topoedit.editor.panels.bottleneck_words import paint_stripe

        self._stripe = paint_stripe(theming, bottleneck.demand)
        self.setObjectName("bottleneck")
        cost = cost_words(bottleneck)
        lines = rows(self, (14, 6, 8, 6), 1)
        lines.addWidget(ElidedLabel(title, "strong"))
        lines.addWidget(label(f"{format_percent(bottleneck.demand)} demand · {cost}", "secondary"))
        lines.addWidget(ElidedLabel(bottleneck.why or "Hidden behind compute"))
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedHeight(64)
        self.setAccessibleName(f"{title}. {cost}. {bottleneck.why}")
        why = f"\n{bottleneck.why}" if bottleneck.why else ""
        self.setToolTip(tip(f"{title}{why}\nClick to select these links"))

    def paintEvent(self, event: object) -> None:
        """Paint the stripe over the button."""
        super().paintEvent(event)  # type: ignore[arg-type]
        self._stripe(self)


_LEFT = Qt.AlignmentFlag.AlignLeft
