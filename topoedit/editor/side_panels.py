"""The three panels around a drawing, made when the first drawing is opened."""

from __future__ import annotations

from collections.abc import Callable

from topoedit.catalog.catalog import Catalog
from topoedit.editor.panels.bottom import BottomPanel
from topoedit.editor.panels.inspector import Inspector
from topoedit.editor.panels.left import LeftPanel
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming

Visit = Callable[[tuple[str, ...]], None]


class SidePanels:
    """Left panel, inspector and bottom panel of one window."""

    def __init__(self, theming: Theming, catalog: Catalog, recent: tuple[str, ...]) -> None:
        self.left = LeftPanel(theming, catalog, recent)
        self.inspector = Inspector(theming)
        self.bottom = BottomPanel(theming)

    def connect_visits(self, visit: Visit) -> None:
        """Let every list select what is chosen in it and bring it into view."""
        self.left.outline.visited.connect(lambda element_id: visit((element_id,)))
        self.inspector.visited.connect(visit)
        self.bottom.visited.connect(visit)

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another drawing in all of them."""
        for part in (self.left, self.inspector, self.bottom):
            part.set_session(session)

    def focus(self, name: str) -> str:
        """Bring a page to the front, give it the keys; returns the panel it is in."""
        if name in self.left.pages:
            self.left.focus_page(name)
            return "left"
        if name in self.bottom.pages:
            self.bottom.focus_page(name)
            return "bottom"
        if name == "name":
            self.inspector.show_page("properties")
            self.inspector.properties.focus_name()
        else:
            self.inspector.focus_page(name)
        return "inspector"
