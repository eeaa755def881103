"""The three panels around a drawing, made when the first drawing is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial

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
        self._theming, self._catalog, self._recent = theming, catalog, recent

    @cached_property
    def left(self) -> LeftPanel:
        """Devices, Tree and Layers."""
        return LeftPanel(self._theming, self._catalog, self._recent)

    @cached_property
    def inspector(self) -> Inspector:
        """Properties, Plan and Analysis."""
        return Inspector(self._theming)

    @cached_property
    def bottom(self) -> BottomPanel:
        """The tables."""
        return BottomPanel(self._theming)

    def making(self) -> Iterator[Callable[[], object]]:
        """Steps that make the panels one after another."""
        for name in ("left", "inspector", "bottom"):
            yield partial(getattr, self, name)

    def connect_visits(self, visit: Visit) -> None:
        """Let every list select what is chosen in it and bring it into view."""
        self.left.outline.visited.connect(lambda element_id: visit((element_id,)))
        self.inspector.visited.connect(visit)
        self.bottom.visited.connect(visit)

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another drawing in all of them."""
        for part in (self.left, self.inspector, self.bottom):
            part.set_session(session)

    def holder(self, name: str) -> str:
        """Which panel a page is in: `left`, `bottom` or `inspector`."""
        if name in self.left.pages:
            return "left"
        return "bottom" if name in self.bottom.pages else "inspector"

    def focus(self, name: str) -> None:
        """Bring a page to the front and give it the keys; `name` is the field of that name."""
        if name in self.left.pages:
            self.left.focus_page(name)
        elif name in self.bottom.pages:
            self.bottom.focus_page(name)
        elif name == "name":
            self.inspector.show_page("properties")
            self.inspector.properties.focus_name()
        else:
            self.inspector.focus_page(name)
