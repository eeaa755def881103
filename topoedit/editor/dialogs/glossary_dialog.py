"""The glossary: every abbreviation in one sentence, found by typing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QPushButton, QScrollArea, QWidget

from topoedit.editor.glossary import search
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import SearchField, clear, columns, label, rows


class GlossaryDialog(QDialog):
    """A search field over the terms."""

    def __init__(self, theming: Theming, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Glossary")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(640, 620)
        self.filter = SearchField(theming, "Search the glossary")
        self.filter.textChanged.connect(self._show)
        self._page = QWidget()
        self._page.setObjectName("page")
        self._list = rows(self._page, (20, 8, 20, 16), 0)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setWidget(self._page)
        self._area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._area.setAccessibleName("Terms")
        close = QPushButton("Close")
        close.clicked.connect(self.reject)
        layout = rows(self, (0, 0, 0, 12), 12)
        top = rows(None, (20, 16, 20, 0))
        top.addWidget(self.filter)
        layout.addLayout(top)
        layout.addWidget(self._area, 1)
        foot = columns(None, (16, 0, 16, 0))
        foot.addStretch(1)
        foot.addWidget(close)
        layout.addLayout(foot)
        self.words: list[str] = []
        self._show()
        self.filter.setFocus()

    def _show(self, query: str = "") -> None:
        clear(self._list)
        found = search(query)
        self.words = [term.word for term in found]
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, 120)
        for row, term in enumerate(found):
            grid.addWidget(label(term.word, "strong"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(term.tip, wrap=True), row, 1)
        if not found:
            grid.addWidget(label("No term has these words.", "secondary"), 0, 0, 1, 2)
        self._list.addLayout(grid)
        self._list.addStretch(1)
        self._area.verticalScrollBar().setValue(0)
