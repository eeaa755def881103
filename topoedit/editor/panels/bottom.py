"""The bottom panel: Problems, Bottlenecks, Cables, Trace, History."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from topoedit.editor.panels.bottlenecks import BottlenecksPanel
from topoedit.editor.panels.cables import CablesPanel
from topoedit.editor.panels.history import HistoryPanel
from topoedit.editor.panels.problems import ProblemsPanel
from topoedit.editor.panels.tabbed import TabbedPanel
from topoedit.editor.panels.trace import TracePanel
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import IconButton


class BottomPanel(TabbedPanel):
    """Tables over one session.

    Signals:
        visited(tuple): ids to select and centre on.
        close_asked(): the cross was clicked.
    """

    visited = Signal(object)
    close_asked = Signal()

    def __init__(self, theming: Theming) -> None:
        super().__init__("bottomPanel", "Tables")
        self.problems = ProblemsPanel(theming)
        self.bottlenecks = BottlenecksPanel(theming)
        self.cables = CablesPanel(theming)
        self.trace = TracePanel(theming)
        self.history = HistoryPanel(theming)
        self.add("problems", "Problems", self.problems)
        self.add("bottlenecks", "Bottlenecks", self.bottlenecks)
        self.add("cables", "Cables", self.cables)
        self.add("trace", "Trace", self.trace)
        self.add("history", "History", self.history)
        cross = IconButton(theming, "close", "Hide the bottom panel (Ctrl J)")
        cross.clicked.connect(self.close_asked)
        self.head.addWidget(cross)
        for page in (self.problems, self.bottlenecks, self.cables, self.trace):
            page.visited.connect(self.visited)
        self.problems.counted.connect(lambda c: self.show_count("problems", sum(c.values())))
        self.bottlenecks.counted.connect(lambda n: self.show_count("bottlenecks", n))
        self.cables.counted.connect(lambda n: self.show_count("cables", n))
        self.show_page("bottlenecks")

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another drawing."""
        for page in (self.problems, self.bottlenecks, self.cables, self.trace, self.history):
            page.set_session(session)

    def focus_page(self, key: str) -> None:
        """Bring a page to the front and give it the keys."""
        self.show_page(key)
        target: QWidget = {
            "problems": self.problems.table, "bottlenecks": self.bottlenecks.table,
            "cables": self.cables.filter, "trace": self.trace.start, "history": self.history.view,
        }[key]  # fmt: skip
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)
