"""Notes written where they stand, and devices added one after another without the mouse."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.editor.pains.conftest import Desk, bare_window, desk
from topoedit.editor.placing import free_place, item_size
from topoedit.model.elements import Note
from topoedit.render.sizes import size_of

__all__ = ["bare_window", "desk"]


@pytest.fixture
def active(desk: Desk, qtbot: QtBot) -> Desk:
    """The window is the active one: only then has a widget the keys."""
    desk.window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is desk.window)
    desk.canvas.setFocus()
    return desk


def only_note(desk: Desk) -> Note:
    (note,) = desk.document.notes.values()
    return note


def test_a_note_lands_under_the_pointer_and_is_typed_there(active: Desk, qtbot: QtBot) -> None:
    active.hands.move(-160.0, 160.0)
    qtbot.keyClick(active.canvas, Qt.Key.Key_N)
    editor = QApplication.focusWidget()
    assert editor is active.canvas._note_editor
    assert editor.geometry().contains(active.hands.pixel(-160.0, 160.0))
    qtbot.keyClicks(editor, "nice cl")  # N, C and L are commands elsewhere
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    note = only_note(active)
    assert (note.x, note.y) == pytest.approx((-160.0, 160.0), abs=2)
    assert note.text == "nice cl"
    assert active.canvas._tool == "select"
    assert QApplication.focusWidget() is active.canvas
    assert active.session.undo_stack.count() == 1
    assert active.session.undo_stack.undoText() == "Add note"
    active.session.undo()
    assert not active.document.notes


def test_a_note_without_the_pointer_takes_a_free_place(active: Desk) -> None:
    active.canvas._pointer_inside = False
    active.look_at(120.0, -200.0)  # a leaf is in the middle
    active.do("insert.note")
    note, leaf = only_note(active), active.document.devices["leaf-1"]
    width, height = size_of(leaf.kind, active.document.catalog.device(leaf.type))
    assert (
        abs(note.x - leaf.x) >= (note.width + width) / 2
        or abs(note.y - leaf.y) >= (note.height + height) / 2
    )


def test_a_double_click_writes_a_note_and_a_click_elsewhere_keeps_it(
    active: Desk, qtbot: QtBot
) -> None:
    active.hands.move(-160.0, 160.0)
    active.do("insert.note")
    active.canvas._note_editor.take()
    at = active.hands.pixel(-160.0, 160.0)
    qtbot.mouseDClick(active.canvas, Qt.MouseButton.LeftButton, pos=at)
    editor = active.canvas._note_editor
    assert editor.isVisible()
    editor.setPlainText("second thoughts")
    active.hands.click(-160.0, 300.0)
    assert not editor.isVisible()
    assert only_note(active).text == "second thoughts"
    assert active.session.undo_stack.undoText() == "Edit note"


def test_devices_from_the_palette_do_not_stack(active: Desk) -> None:
    made = []
    for _ in range(5):
        active.window.place("qm9700")
        (new,) = active.session.selected_devices()
        made.append(new)
    width, height = item_size(active.document, "qm9700")
    drawn = list(active.document.devices.values())
    for new in made:
        assert new.x % 8 == new.y % 8 == 0
        for other in drawn:
            if other.id != new.id and other.type == new.type:
                assert abs(other.x - new.x) >= width or abs(other.y - new.y) >= height
    x, y = active.canvas.centre()
    assert all(math.hypot(d.x - x, d.y - y) < 3 * width for d in made)


def test_an_empty_place_is_taken_as_it_is(active: Desk) -> None:
    assert free_place(active.document, "qm9700", 5_001.0, 3_003.0) == (5_000.0, 3_000.0)
