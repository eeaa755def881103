"""The real window with the real canvas over the small drawing, and hands to use it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tests.canvas.conftest import Hands
from topoedit.catalog.catalog import Catalog
from topoedit.editor.application import make_canvas
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.preferences import Preferences
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.model.document import Document
from topoedit.model.elements import AnyElement
from topoedit.render.view import View


@dataclass
class Desk:
    """A window with one drawing in front, and hands."""

    window: MainWindow
    hands: Hands

    @property
    def canvas(self) -> CanvasView:
        found = self.window.canvas
        assert isinstance(found, CanvasView)
        return found

    @property
    def session(self) -> DocumentSession:
        assert self.window.session is not None
        return self.window.session

    @property
    def document(self) -> Document:
        return self.session.document

    @property
    def line(self) -> str:
        return self.window.documents.messages.text

    def do(self, action: str, *selected: str) -> None:
        """Select and run a command."""
        if selected:
            self.session.select(selected)
        self.window.actions_.refresh()
        self.window.actions_[action].trigger()

    def press(self, words: str) -> None:
        """Press a button of the line above the drawing."""
        buttons = self.window.documents.messages.findChildren(QPushButton)
        next(b for b in buttons if b.text() == words and not b.isHidden()).click()

    def state(self) -> dict[str, AnyElement]:
        return {element.id: element for element in self.document.elements()}

    def look_at(self, x: float, y: float, scale: float = 1.0) -> None:
        """Put a point into the middle of the view."""
        canvas = self.canvas
        view = View.at(x, y, scale, canvas.width(), canvas.height())
        left, top = view.to_canvas(canvas.width() / 2, canvas.height() / 2)
        canvas.set_view(View.at(2 * x - left, 2 * y - top, scale, canvas.width(), canvas.height()))


@pytest.fixture
def bare_window(qtbot: QtBot, catalog: Catalog, theming: Theming) -> MainWindow:
    """The window with the real canvas and nothing open."""
    made = MainWindow(lambda: (catalog, ()), theming, Preferences(), make_canvas)
    made.resize(1600, 1000)
    qtbot.addWidget(made, before_close_func=_forget_changes)
    made.show_welcome()
    made.show()
    return made


def _forget_changes(window: MainWindow) -> None:
    for session in window.documents.sessions():
        session.mark_saved(session.path or Path("gone.topo.json"))


@pytest.fixture
def desk(qtbot: QtBot, bare_window: MainWindow, document: Document) -> Desk:
    bare_window.add_session(DocumentSession(document, title="Two nodes"))
    canvas = bare_window.canvas
    assert isinstance(canvas, CanvasView)
    canvas.reduced_motion = True
    QApplication.processEvents()  # every panel has its size
    made = Desk(bare_window, Hands(qtbot, canvas))
    made.look_at(180.0, -100.0)
    canvas.setFocus(Qt.FocusReason.OtherFocusReason)
    return made
