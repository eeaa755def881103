"""Who has the keys: the drawing when their widget vanishes, commands before fields, the model."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from tests.editor.pains.conftest import Desk, bare_window, desk
from topoedit.model.edits import Edit
from topoedit.model.elements import Note
from topoedit.model.plan import Plan, Workload

__all__ = ["bare_window", "desk"]


@pytest.fixture
def active(desk: Desk, qtbot: QtBot) -> Desk:
    """The window is the active one: only then has a widget the keys."""
    desk.window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is desk.window)
    desk.canvas.setFocus()
    return desk


def test_space_after_a_message_does_not_undo(active: Desk, qtbot: QtBot) -> None:
    active.session.apply(Edit("Add note", put=(Note(id="note-1", text="one"),)))
    active.window.documents.messages.show_line("Keep it?", "info", (("Yes", lambda: None),))
    button = next(
        b for b in active.window.documents.messages.findChildren(QPushButton) if b.text() == "Yes"
    )
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert QApplication.focusWidget() is button
    button.click()
    assert QApplication.focusWidget() is active.canvas
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert "note-1" in active.document.notes


def test_a_click_leaves_the_keys_with_the_drawing(active: Desk) -> None:
    bar = active.window.tool_bar
    for kind in (QToolButton, QPushButton):
        for button in bar.findChildren(kind):
            assert not button.focusPolicy() & Qt.FocusPolicy.ClickFocus, button.accessibleName()


def test_tab_still_reaches_the_tool_bar(active: Desk) -> None:
    button = active.window.tool_bar.zoom
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert QApplication.focusWidget() is button


def test_a_command_comes_before_the_keys_of_a_field(active: Desk, qtbot: QtBot) -> None:
    active.session.select(("node-1",))
    active.window.show_panel("name")
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    heard = []
    export = active.window.actions_["file.export"]
    export.triggered.disconnect()
    export.triggered.connect(lambda: heard.append("export"))
    assert export.shortcut().toString() == "Ctrl+E"
    qtbot.keyClick(field, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert heard == ["export"]
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert field.selectedText() == "node-1"


def test_return_in_the_name_gives_the_keys_back(active: Desk, qtbot: QtBot) -> None:
    active.do("edit.rename", "node-1")
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    field.selectAll()
    qtbot.keyClicks(field, "head")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert active.document.devices["node-1"].name == "head"
    assert QApplication.focusWidget() is active.canvas


def test_a_letter_on_the_closed_model_box_searches(active: Desk, qtbot: QtBot) -> None:
    active.session.set_workload(Workload(model="llama-3.1-70b", plan=Plan()), "Set plan")
    active.window.show_panel("plan")
    picker = active.window.sides.inspector.plan.model
    picker.setFocus()
    qtbot.keyClick(picker, Qt.Key.Key_L)
    assert picker.popup.isVisible()
    assert picker.popup.search.text() == "l"
    assert active.canvas._tool == "select"
    picker.popup.hide()
    qtbot.keyClick(picker, Qt.Key.Key_Return)
    assert picker.popup.isVisible()
    assert picker.popup.search.text() == ""
    picker.popup.hide()
