"""The left panel: Devices, Tree and Layers behind one row of segments."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from topoedit.catalog.catalog import Catalog
from topoedit.editor.panels.layers_panel import LayersPanel
from topoedit.editor.panels.outline import OutlinePanel
from topoedit.editor.panels.palette import PalettePanel
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import Segments, columns, rows


class LeftPanel(QWidget):
    """Three panels, one at a time."""

    def __init__(self, theming: Theming, catalog: Catalog, recent: tuple[str, ...]) -> None:
        super().__init__()
        self.setObjectName("leftPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.palette_panel = PalettePanel(theming, catalog, recent)
        self.outline = OutlinePanel(theming)
        self.layers = LayersPanel()
        self.segments = Segments((("devices", "Devices"), ("tree", "Tree"), ("layers", "Layers")))
        self.stack = QStackedWidget()
        self._pages: dict[str, QWidget] = {
            "devices": self.palette_panel, "tree": self.outline, "layers": self.layers,
        }  # fmt: skip
        for page in self._pages.values():
            self.stack.addWidget(page)
        layout = rows(self)
        top = columns(None, (12, 8, 12, 8))
        top.addWidget(self.segments)
        layout.addLayout(top)
        layout.addWidget(self.stack, 1)
        self.segments.chosen.connect(self.show_page)

    @property
    def pages(self) -> tuple[str, ...]:
        """Keys of the pages."""
        return tuple(self._pages)

    def show_page(self, name: str) -> None:
        """Show one of `devices`, `tree`, `layers`."""
        self.segments.choose(name)
        self.stack.setCurrentWidget(self._pages[name])

    def focus_page(self, name: str) -> None:
        """Show a page and give it the keys."""
        self.show_page(name)
        target: QWidget = {
            "devices": self.palette_panel.search,
            "tree": self.outline.tree,
            "layers": self.layers.tree,
        }[name]
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_session(self, session: DocumentSession | None) -> None:
        """Show another drawing."""
        self.outline.set_session(session)
        self.layers.set_session(session)
