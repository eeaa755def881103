"""The History list: every step since the drawing was opened; a click goes back or forth to it."""

from __future__ import annotations

from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QUndoView, QWidget

from topoedit.editor.panels.base import TablePage
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import rows


class HistoryPanel(TablePage):
    """Steps by name; the saved one is marked."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self._theming = theming
        self._none = QUndoStack(self)
        self.view = QUndoView(self._none)
        self.view.setAccessibleName("History")
        self.view.setEmptyLabel("As opened")
        rows(self, (4, 4, 4, 4)).addWidget(self.view)
        theming.changed.connect(self._mark)
        self._mark()

    def _mark(self) -> None:
        self.view.setCleanIcon(self._theming.theme.icon("save", size=16))

    def focus_target(self) -> QWidget:
        """The steps."""
        return self.view

    def listen(self, session: DocumentSession) -> None:
        """Follow whether steps may be taken."""
        self.bind(session.held_changed, self._show_held)

    def _show_held(self) -> None:
        self.view.setEnabled(self.session is None or not self.session.held)

    def refresh(self) -> None:
        """Show the steps of the session."""
        self.view.setStack(self._none if self.session is None else self.session.undo_stack)

    def show_step(self, index: int) -> None:
        """Bring a step into view; the drawing stays as it is."""
        self.view.scrollTo(self.view.model().index(index, 0))
