"""The status bar: problems, selection and cursor left, the drawing in figures right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel

from topoedit.editor.panels.base import SessionPanel
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import IconButton, columns, label, restyle
from topoedit.render.theme import font
from topoedit.units import UNKNOWN, format_number, format_percent, format_seconds

if TYPE_CHECKING:
    from topoedit.editor.session import DocumentSession

_EXPLAINED = {"Step": "step_time_s", "MFU": "mfu", "Memory": "memory.total_bytes"}
_SHAPES = (("error", "errors"), ("warning", "warnings"), ("info", "notes"))


class StatusBar(SessionPanel):
    """One line at the bottom of the window.

    Signals:
        problems_asked(): a problem count was clicked.
        why_asked(str): a figure was clicked; key of its explanation.
    """

    problems_asked = Signal()
    why_asked = Signal(str)

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        self.setFixedHeight(24)
        self._problems: dict[str, IconButton] = {}
        self._line = columns(self, (10, 0, 14, 0), 4)
        for severity, words in _SHAPES:
            button = IconButton(theming, severity, f"Show {words}", 14)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.clicked.connect(self.problems_asked)
            self._problems[severity] = button
            self._line.addWidget(button)
        self._selection, self._cursor = label(), label()
        self._line.addSpacing(8)
        self._line.addWidget(self._selection)
        self._line.addSpacing(12)
        self._line.addWidget(self._cursor)
        self._line.addStretch(1)
        self._figures = {
            name: self._figure(name)
            for name in ("GPUs", "Switches", "Cables", "Step", "MFU", "Memory")
        }
        self.show_problems({})

    def _figure(self, name: str) -> tuple[QLabel, QLabel]:
        word = label(name)
        value = AskedLabel(_EXPLAINED[name]) if name in _EXPLAINED else label()
        if isinstance(value, AskedLabel):
            value.why_asked.connect(self.why_asked)
        value.setProperty("strong", True)
        self._line.addSpacing(8)
        self._line.addWidget(word)
        self._line.addWidget(value)
        return word, value

    def show_problems(self, counts: dict[str, int]) -> None:
        """Show how many problems there are of each severity."""
        for severity, button in self._problems.items():
            count = counts.get(severity, 0)
            button.setText(str(count))
            button.set_icon(severity, f"severity.{severity}" if count else "text.tertiary")

    def show_cursor(self, x: float, y: float) -> None:
        """Show where on the drawing the cursor is."""
        self._cursor.setText(f"x {format_number(x)}  y {format_number(y)}")

    def text_of(self, name: str) -> str:
        """The figure shown under a name, "" if it is hidden."""
        return self._figures[name][1].text() if self._figures[name][1].isVisibleTo(self) else ""

    @property
    def selection_text(self) -> str:
        """What it says of the selection."""
        return self._selection.text()

    def listen(self, session: DocumentSession) -> None:
        """Follow counts, selection and result."""
        self.bind(session.changed, self._show_totals)
        self.bind(session.selection_changed, self._show_selection)
        self.bind(session.analysis_changed, self._show_result)
        self.bind(session.analysis_state_changed, self._show_result)

    def refresh(self) -> None:
        """Show everything."""
        self._cursor.clear()
        self._show_totals()
        self._show_selection()
        self._show_result()

    def _set(self, name: str, text: str) -> None:
        for part in self._figures[name]:
            part.setVisible(bool(text))
        self._figures[name][1].setText(text)

    def _show_totals(self, _change: object = None) -> None:
        session = self.session
        if session is None:
            for name in ("GPUs", "Switches", "Cables"):
                self._set(name, "")
            return
        totals = session.totals
        self._set("GPUs", known_gpus(totals.gpus, totals.untyped))
        unknown = f"{format_number(totals.untyped)} servers of unknown type"
        self._figures["GPUs"][1].setToolTip(unknown if totals.untyped else "")
        self._set("Switches", format_number(totals.switches))
        self._set("Cables", format_number(totals.cables))

    def _show_selection(self) -> None:
        self._selection.setText("" if self.session is None else selection_words(self.session))

    def _show_result(self, _state: object = None) -> None:
        result = None if self.session is None else self.session.analysis
        refused = self.session is not None and self.session.analysis_state.kind == "refused"
        if result is None or refused:
            for name in ("Step", "MFU", "Memory"):
                self._set(name, "")
            return
        spread = (
            f" ({format_seconds(result.interval.low_s)}–{format_seconds(result.interval.high_s)})"
        )
        self._set("Step", format_seconds(result.step_time_s) + spread)
        self._set("MFU", format_percent(result.mfu, 1))
        self._set("Memory", memory_words(result.memory.total_bytes, result.memory.capacity_bytes))
        self._figures["Step"][1].setToolTip(
            f"80 % interval from {result.interval.rows} published rows: {result.interval.basis}\n"
            "Click for formula, inputs and source (Alt+Enter)"
        )
        fresh = self.session is not None and self.session.analysis_is_current
        for name in ("Step", "MFU", "Memory"):
            restyle(self._figures[name][1], "strong", fresh)


class AskedLabel(QLabel):
    """A figure that a click explains.

    Signals:
        why_asked(str): key of the explanation.
    """

    why_asked = Signal(str)

    def __init__(self, key: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(font("body"))
        self.setProperty("explain", key)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Click for formula, inputs and source (Alt+Enter)")
        self._key = key

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click asks why."""
        if self.rect().contains(event.position().toPoint()):
            self.why_asked.emit(self._key)


def memory_words(total: float, capacity: float | None) -> str:
    """Predicted memory beside the capacity, in GB."""
    have = UNKNOWN if capacity is None else format_number(capacity / 1e9, 1)
    return f"{format_number(total / 1e9, 1)} / {have} GB"


def selection_words(session: DocumentSession) -> str:
    """How many of what are selected: `1 link selected`, `3 devices, 2 links selected`."""
    found = session.selected_counts()
    counts = [(found.get(kind, 0), kind.lower()) for kind in ("Device", "Link", "Group", "Note")]
    parts = [f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts if n]
    return f"{', '.join(parts)} selected" if parts else ""


def known_gpus(gpus: int, untyped: int) -> str:
    """The GPUs of a drawing in which some servers may have no type: never 0 for unknown."""
    if untyped:
        return f"{format_number(gpus)} known" if gpus else UNKNOWN
    return format_number(gpus)
