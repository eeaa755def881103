"""Why: which figure is meant, asking the engine, and showing its answer beside the figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QWidget

from topoedit.app.protocol import Why
from topoedit.editor.panels.result_sections import stale
from topoedit.editor.shell import WindowShell
from topoedit.editor.why import WhyCard, decode, figures_for

if TYPE_CHECKING:
    from topoedit.editor.engine_client import Reply
    from topoedit.editor.session import DocumentSession

USUAL = "step_time_s"


@dataclass
class WhyCommands:
    """Explains figures of the current drawing."""

    shell: WindowShell
    card: WhyCard | None = None

    def focused(self) -> None:
        """Explain the figure that has the keys; the step time if none has."""
        self.explain(*self._wanted())

    def _wanted(self) -> tuple[str, QWidget | None]:
        table = self.shell.sides.bottom.bottlenecks.table
        widget = QApplication.focusWidget()
        if widget is table and table.currentIndex().isValid():
            return f"bottlenecks.{table.currentIndex().row()}", table
        while widget is not None:
            if key := widget.property("explain"):
                return str(key), widget
            widget = widget.parentWidget()
        return USUAL, None

    def explain(self, key: str, anchor: QWidget | None = None) -> None:
        """Ask why a figure is what it is, and show the answer beside a widget."""
        session = self.shell.session
        if session is None or session.analysis is None:
            self.shell.tell("There is no result to explain: choose a model in the plan.")
            return
        place = _place(anchor or self.shell.sides.inspector)

        def show(reply: Reply) -> None:
            self._show(session, reply, place)

        if not self.shell.ask_question(session, Why(figures_for(key)), show):
            self.shell.tell("The engine is not running.", "warning")

    def _show(self, session: DocumentSession, reply: Reply, place: QRect) -> None:
        if session is not self.shell.session:
            return
        if reply.line:
            self.shell.tell(reply.line, "warning")
            return
        explained = decode(reply.body)
        self.card = WhyCard(self.shell.theming, explained, self.shell.widget, stale=stale(session))
        self.card.destroyed.connect(self._gone)
        self.card.open_beside(place)

    def _gone(self) -> None:
        self.card = None


def _place(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
