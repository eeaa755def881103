"""The inspector on the right: Properties, Plan, Analysis."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from topoedit.editor.panels.analysis import AnalysisPanel
from topoedit.editor.panels.plan import PlanPanel
from topoedit.editor.panels.properties import PropertiesPanel
from topoedit.editor.panels.tabbed import TabbedPanel
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming


class Inspector(TabbedPanel):
    """Three pages over one session.

    Signals:
        visited(tuple): ids to select and centre on.
        why_asked(str): key of a figure to explain.
    """

    visited = Signal(object)
    why_asked = Signal(str)

    def __init__(self, theming: Theming) -> None:
        super().__init__("inspector", "Inspector")
        self.properties = PropertiesPanel(theming)
        self.plan = PlanPanel(theming)
        self.analysis = AnalysisPanel(theming)
        self.setFocusProxy(self.tabs)
        self.add("properties", "Properties", self.properties)
        self.add("plan", "Plan", self.plan)
        self.add("analysis", "Analysis", self.analysis)
        self.analysis.visited.connect(self.visited)
        for section in (self.plan.step, self.plan.memory, self.analysis):
            section.why_asked.connect(self.why_asked)

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another drawing."""
        for page in (self.properties, self.plan, self.analysis):
            page.set_session(session)

    def focus_page(self, key: str) -> None:
        """Bring a page to the front and give it the keys."""
        self.show_page(key)
        target = {"plan": self.plan.model}.get(key, self.tabs)
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)
