"""The bottom panel: one page a table, each in its own module."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal

from topoedit.editor.panels.base import TablePage
from topoedit.editor.panels.bottlenecks import BottlenecksPanel
from topoedit.editor.panels.cables import CablesPanel
from topoedit.editor.panels.history import HistoryPanel
from topoedit.editor.panels.matrix import MatrixPanel
from topoedit.editor.panels.plots import PlotsPanel
from topoedit.editor.panels.problems import ProblemsPanel
from topoedit.editor.panels.tabbed import TabbedPanel
from topoedit.editor.panels.timeline import TimelinePanel
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
        self._pages: dict[str, TablePage] = {}
        self.problems = ProblemsPanel(theming)
        self.bottlenecks = BottlenecksPanel(theming)
        self.timeline = TimelinePanel(theming)
        self.cables = CablesPanel(theming)
        self.trace = TracePanel(theming)
        self._put("problems", "Problems", self.problems)
        self._put("bottlenecks", "Bottlenecks", self.bottlenecks)
        self._put("timeline", "Timeline", self.timeline)
        self._put("cables", "Cables", self.cables)
        self._put("trace", "Trace", self.trace)
        self.plots = PlotsPanel(theming)
        self._put("plots", "Plots", self.plots)
        self.matrix = MatrixPanel(theming)
        self._put("matrix", "Matrix", self.matrix)
        self.history = HistoryPanel(theming)
        self._put("history", "History", self.history)
        cross = IconButton(theming, "close", "Hide the bottom panel (Ctrl J)")
        cross.clicked.connect(self.close_asked)
        self.head.addWidget(cross)
        self.show_page("bottlenecks")

    def _put(self, key: str, title: str, page: TablePage) -> None:
        self.add(key, title, page)
        self._pages[key] = page
        page.visited.connect(self.visited)
        page.counted.connect(self._counter(key))

    def _counter(self, key: str) -> Callable[[int], None]:
        return lambda count: self.show_count(key, count)

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another drawing."""
        for page in self._pages.values():
            page.set_session(session)

    def focus_page(self, key: str) -> None:
        """Bring a page to the front and give it the keys."""
        self.show_page(key)
        self._pages[key].focus_target().setFocus(Qt.FocusReason.ShortcutFocusReason)
