"""The floor plan in the window: select, drag as one step, rooms, export, rack lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from topoedit.editor.commands.floor_commands import FloorCommands
from topoedit.editor.dialogs.floor_dialog import FloorDialog
from topoedit.editor.dialogs.rack_list_dialog import RackListDialog
from topoedit.editor.floor_view import FloorView
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.model.edits import Edit
from topoedit.model.elements import Group

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def placed(drawn: MainWindow) -> DocumentSession:
    """Rack 1 at A1 with two servers and leaves, an empty rack at B3."""
    session = drawn.session
    assert session is not None
    rack = replace(session.document.groups["rack-1"], row="A", column=1)
    other = Group(id="rack-2", name="rack-2", kind="rack", row="B", column=3)
    session.apply(Edit("Place", put=(rack, other)))
    return session


@pytest.fixture
def dialog(drawn: MainWindow, placed: DocumentSession, qtbot: QtBot) -> FloorDialog:
    made = FloorDialog(drawn, placed, drawn)
    made.show()
    qtbot.waitExposed(made)
    return made


def at(view: FloorView, row: float, column: float) -> QPoint:
    assert view.view is not None
    return QPoint(round(view.view.x((column - 0.5) * 0.6)), round(view.view.y(row * 3.0)))


def drag(view: FloorView, start: QPoint, end: QPoint) -> None:
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(view, (start + end) / 2)
    QTest.mouseMove(view, end)
    view.grab()  # paints what hangs on the pointer
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, end)


def test_a_click_selects_the_rack(dialog: FloorDialog, placed: DocumentSession) -> None:
    QTest.mouseClick(dialog.view, LEFT, Qt.KeyboardModifier.NoModifier, at(dialog.view, 1, 3))
    assert placed.selection == ("rack-2",)
    dialog.view.grab()
    QTest.mouseClick(dialog.view, LEFT, Qt.KeyboardModifier.NoModifier, at(dialog.view, 0, 3))
    assert placed.selection == ()


def test_a_drag_moves_it_as_one_step(dialog: FloorDialog, placed: DocumentSession) -> None:
    drag(dialog.view, at(dialog.view, 1, 3), at(dialog.view, 0, 2))
    rack = placed.document.groups["rack-2"]
    assert (rack.row, rack.column) == ("A", 2)
    placed.undo()
    assert placed.document.groups["rack-2"].row == "B"


def test_a_taken_place_refuses_and_says_why(dialog: FloorDialog, placed: DocumentSession) -> None:
    drag(dialog.view, at(dialog.view, 1, 3), at(dialog.view, 0, 1))
    assert placed.document.groups["rack-2"].row == "B"
    assert dialog.hint.text() == "rack-2: rack-1 stands at A01"


def test_esc_leaves_it_where_it_was(dialog: FloorDialog, placed: DocumentSession) -> None:
    view = dialog.view
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.NoModifier, at(view, 1, 3))
    QTest.mouseMove(view, at(view, 0, 2))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, at(view, 0, 2))
    assert placed.document.groups["rack-2"].row == "B"


def test_it_follows_the_drawing_and_lists_rooms(
    dialog: FloorDialog, placed: DocumentSession, qtbot: QtBot
) -> None:
    hall = Group(id="hall", name="Hall", kind="room")
    moved = replace(placed.document.groups["rack-2"], parent="hall")
    with qtbot.waitSignal(dialog.view.rooms_changed):
        placed.apply(Edit("Room", put=(hall, moved)))
    names = [dialog.rooms.itemText(row) for row in range(dialog.rooms.count())]
    assert names == ["Racks in no room", "Hall"]
    dialog.view.show_room(1)
    dialog.view.show_by("units")
    assert dialog.view.view is not None
    assert [rack.name for rack in dialog.view.view.room.racks] == ["rack-2"]


def test_export_from_the_dialog(dialog: FloorDialog, tmp_path: Path) -> None:
    dialog.write(tmp_path / "plan.svg", False)
    assert dialog.hint.text() == "Wrote plan.svg"
    assert b"rack-1" in (tmp_path / "plan.svg").read_bytes()
    dialog.write(tmp_path / "no" / "plan.svg", True)
    assert "there is no such folder" in dialog.hint.text()


def test_a_rack_list_is_one_step(
    drawn: MainWindow, placed: DocumentSession, tmp_path: Path
) -> None:
    path = tmp_path / "racks.csv"
    path.write_text("name,row,column,kW\nrack-1,C,4,30\nnew,C,5,30\n", encoding="utf-8")
    FloorCommands(drawn).read(path)
    assert placed.document.groups["rack-1"].power_kw == 30.0
    assert drawn.documents.messages.text == "Rack list: 1 new rack, 1 rack changed, 0 as before."
    placed.undo()
    assert placed.document.named("new") is None


def test_bad_rows_are_shown_before_anything_changes(
    drawn: MainWindow, placed: DocumentSession, tmp_path: Path
) -> None:
    path = tmp_path / "racks.csv"
    path.write_text("name,row,column\nrack-1,C,x\nrack-2,C,5\n", encoding="utf-8")
    FloorCommands(drawn).read(path)
    (dialog,) = drawn.findChildren(RackListDialog)
    assert dialog.problems.item(0).text() == 'row 2: column C (column): "x" is no number'
    assert placed.document.groups["rack-2"].row == "B"
    dialog.accept()
    assert placed.document.groups["rack-2"].row == "C"


def test_a_file_that_is_no_list_is_said(drawn: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "racks.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    FloorCommands(drawn).read(path)
    assert "is no rack list" in drawn.documents.messages.text
