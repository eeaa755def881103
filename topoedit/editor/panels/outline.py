"""The Tree panel: the accessible twin of the canvas; it shares the selection."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QTreeView

from topoedit.editor.panels.base import SessionPanel
from topoedit.editor.panels.outline_model import ID_ROLE, OutlineModel
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import label, rows
from topoedit.render.theme import font

MAX_SYNCED = 400


class OutlinePanel(SessionPanel):
    """A tree of the drawing.

    Signals:
        visited(str): an element was double-clicked, or Enter pressed on it.
    """

    visited = Signal(str)

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self.model = OutlineModel(theming, self)
        self.tree = OutlineView()
        self.tree.setModel(self.model)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self._empty = label("Nothing is drawn yet.", "caption")
        self._empty.setContentsMargins(16, 8, 16, 8)
        layout = rows(self)
        layout.addWidget(self._empty)
        layout.addWidget(self.tree, 1)
        self._syncing = False
        self._was_open: set[str] = set()
        self.model.modelAboutToBeReset.connect(self._before_reset)
        self.tree.selectionModel().selectionChanged.connect(self._from_tree)
        self.tree.entered_on.connect(self.visited)

    def listen(self, session: DocumentSession) -> None:
        """Follow changes and selection."""
        self.bind(session.changed, self._follow)
        self.bind(session.selection_changed, self._from_session)

    def refresh(self) -> None:
        """Show the whole drawing."""
        self.model.show_session(self.session)
        self._after_reset(set())

    def _follow(self, change: object) -> None:
        self._was_open = set()
        self._syncing = True
        rebuilt = self.model.follow(change)  # type: ignore[arg-type]
        self._syncing = False
        if rebuilt:
            self._after_reset(self._was_open)

    def _before_reset(self) -> None:
        """Remember what is open; only a rebuilt tree needs it, few edits cause one."""
        if self._syncing:
            self._was_open = self._opened()

    def _opened(self) -> set[str]:
        found: set[str] = set()
        pending = [self.model.index(row, 0) for row in range(self.model.rowCount())]
        while pending:
            index = pending.pop()
            if self.tree.isExpanded(index):
                found.add(str(index.data(ID_ROLE)))
                count = self.model.rowCount(index)
                pending += [self.model.index(row, 0, index) for row in range(count)]
        return found

    def _after_reset(self, opened: set[str]) -> None:
        for element_id in opened:
            self.tree.setExpanded(self.model.index_of(element_id), True)
        if not opened and self.model.rowCount() == 1:
            self.tree.setExpanded(self.model.index(0, 0), True)
        empty = self.model.rowCount() == 0
        self._empty.setVisible(empty)
        self.tree.setVisible(not empty)
        self._from_session()

    def _from_session(self) -> None:
        if self._syncing or self.session is None:
            return
        chosen = QItemSelection()
        ids = self.session.selection
        first = None
        for element_id in ids[:MAX_SYNCED]:
            index = self.model.index_of(element_id)
            if index.isValid():
                chosen.select(index, index.siblingAtColumn(1))
                first = first or index
        self._syncing = True
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.tree.selectionModel().select(chosen, flags)
        if first is not None:
            self.tree.scrollTo(first)
        self._syncing = False

    def _from_tree(self) -> None:
        if self._syncing or self.session is None:
            return
        self._syncing = True
        picked = self.tree.selectionModel().selectedRows()
        self.session.select(str(index.data(ID_ROLE)) for index in picked)
        self._syncing = False


class OutlineView(QTreeView):
    """The tree; Enter and double click visit a row.

    Signals:
        entered_on(str): id of the row.
    """

    entered_on = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("outline")
        self.setAccessibleName("Tree of the drawing")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setFont(font("body", 500))
        self.setIconSize(QSize(16, 16))
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.doubleClicked.connect(lambda index: self.entered_on.emit(str(index.data(ID_ROLE))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter visits the row."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.currentIndex().isValid():
                self.entered_on.emit(str(self.currentIndex().data(ID_ROLE)))
            return
        super().keyPressEvent(event)
