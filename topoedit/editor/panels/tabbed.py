"""A row of tabs with counts over a stack of pages: the inspector and the bottom panel."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QWidget

from topoedit.editor.translating import tr
from topoedit.editor.widgets import columns, rows, rule
from topoedit.render.theme import font
from topoedit.units import format_number


class TabbedPanel(QWidget):
    """Pages by key.

    Signals:
        shown(str): another page is in front.
    """

    shown = Signal(str)

    def __init__(self, object_name: str, spoken: str) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.tabs = QTabBar()
        self.tabs.setObjectName("panelTabs")
        self.tabs.setAccessibleName(spoken)
        self.tabs.setDrawBase(False)
        self.tabs.setFont(font("body", 500))
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self.stack = QStackedWidget()
        self._keys: list[str] = []
        self._titles: list[str] = []
        self.head: QHBoxLayout = columns(None, (6, 0, 8, 0), 4)
        self.head.addWidget(self.tabs)
        self.head.addStretch(1)
        layout = rows(self)
        layout.addLayout(self.head)
        layout.addWidget(rule())
        layout.addWidget(self.stack, 1)
        self.tabs.currentChanged.connect(self._changed)

    def add(self, key: str, title: str, page: QWidget) -> None:
        """Add a page at the end."""
        self._keys.append(key)
        self._titles.append(tr(title))
        self.stack.addWidget(page)
        self.tabs.addTab(tr(title))

    @property
    def pages(self) -> tuple[str, ...]:
        """Keys of the pages."""
        return tuple(self._keys)

    @property
    def current(self) -> str:
        """Key of the page in front."""
        return self._keys[self.tabs.currentIndex()]

    def show_page(self, key: str) -> None:
        """Bring a page to the front."""
        self.tabs.setCurrentIndex(self._keys.index(key))

    def show_count(self, key: str, count: int) -> None:
        """Show a count beside a title; none for 0."""
        index = self._keys.index(key)
        words = f"  {format_number(count)}" if count else ""
        self.tabs.setTabText(index, f"{self._titles[index]}{words}")

    def title_of(self, key: str) -> str:
        """What a tab says."""
        return self.tabs.tabText(self._keys.index(key))

    def _changed(self, index: int) -> None:
        self.stack.setCurrentIndex(index)
        self.shown.emit(self._keys[index])
