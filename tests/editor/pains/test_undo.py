"""Undo: pains 11 to 17."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from tests.editor.pains.conftest import Desk
from topoedit.io import native
from topoedit.model.edits import Change, MoveDevices

CTRL = Qt.KeyboardModifier.ControlModifier


def undo_all(desk: Desk) -> None:
    while desk.session.undo_stack.canUndo():
        desk.do("edit.undo")


def test_every_command_that_changes_the_drawing_can_be_undone(desk: Desk) -> None:
    start = desk.state()
    states = [start]
    for action, selected in (
        ("edit.duplicate", ("node-1", "leaf-1")),
        ("edit.lock", ("node-2",)),
        ("edit.delete", ("leaf-2",)),
        ("arrange.group_pod", ("rack-1",)),
        ("arrange.collapse", ("rack-1",)),
        ("arrange.expand", ("rack-1",)),
        ("arrange.align_left", ("node-1", "leaf-1")),
        ("arrange.route", ("link-11",)),
        ("analyse.fail", ("leaf-1",)),
        ("arrange.ungroup", ("rack-1",)),
    ):
        before = desk.session.undo_stack.index()
        desk.do(action, *selected)
        steps = desk.session.undo_stack.index() - before
        assert steps == (desk.state() != states[-1]), action
        states.append(desk.state())
    assert len({id(s) for s in states}) == len(states)
    undo_all(desk)
    assert desk.state() == start
    while desk.session.undo_stack.canRedo():
        desk.do("edit.redo")
    assert desk.state() == states[-1]


def test_a_deleted_device_comes_back_as_often_as_one_likes(desk: Desk) -> None:
    start = desk.state()
    for _ in range(5):
        desk.do("edit.delete", "leaf-1", "node-1")
        desk.canvas.picture.finish()
        assert desk.canvas.scene.rect_of("leaf-1") is None
        desk.do("edit.undo")
        desk.canvas.picture.finish()
        desk.canvas.repaint()
        assert desk.canvas.scene.rect_of("leaf-1") is not None
        assert desk.state() == start


def test_the_history_survives_save(desk: Desk, tmp_path: Path) -> None:
    start = desk.state()
    desk.do("edit.delete", "leaf-1")
    target = tmp_path / "a.topo.json"
    assert desk.window.files.write(desk.session, target)
    desk.do("edit.duplicate", "node-1")
    desk.do("file.save")
    assert desk.session.is_clean
    assert desk.session.undo_stack.count() == 2
    undo_all(desk)
    assert desk.state() == start
    assert not desk.session.is_clean
    desk.do("file.save")
    assert {e.id: e for e in native.load(target, desk.window.catalog).elements()} == start


def test_undo_acts_on_the_drawing_in_front_alone(desk: Desk) -> None:
    first = desk.session
    desk.do("edit.delete", "leaf-1")
    desk.do("file.new")
    second = desk.session
    desk.window.actions_.refresh()
    assert not desk.window.actions_["edit.undo"].isEnabled()
    desk.window.place("qm9700")
    desk.do("edit.undo")
    assert not second.document.devices
    assert first.undo_stack.index() == 1
    assert "leaf-1" not in first.document


def test_undo_brings_what_it_changes_into_view_or_names_it(desk: Desk) -> None:
    desk.session.apply(MoveDevices("Move leaf-1", ("leaf-1",), (40.0,), (-200.0,)))
    before = desk.canvas.view
    desk.do("edit.undo")
    assert desk.canvas.view == before  # it can be seen where it is
    desk.do("edit.redo")
    desk.look_at(9_000.0, 9_000.0)
    desk.do("edit.undo")
    left, top, right, bottom = desk.canvas.view.box
    device = desk.document.devices["leaf-1"]
    assert left < device.x < right
    assert top < device.y < bottom
    desk.window.place("qm9700")
    desk.do("edit.undo")  # what is gone cannot be shown
    assert desk.line.startswith("Undone: Add leaf-3.")
    desk.do("edit.delete", "link-11")
    desk.look_at(9_000.0, 9_000.0)
    desk.do("edit.undo")
    assert desk.canvas.view.box[0] < desk.document.devices["leaf-1"].x < desk.canvas.view.box[2]


def test_one_drag_is_one_named_step_and_looking_is_none(desk: Desk) -> None:
    stack = desk.session.undo_stack
    hands = desk.hands
    hands.drag(hands.of("leaf-1"), (40.0, -320.0))
    assert stack.count() == 1
    assert stack.undoText() == "Move leaf-1"
    hands.click(*hands.of("node-2"))
    hands.wheel(0, 0, 240)
    hands.key(Qt.Key.Key_A, CTRL)
    desk.do("view.fit")
    desk.do("edit.select_nothing")
    desk.session.set_metric("bytes")
    assert stack.count() == 1
    history = desk.window.sides.bottom.history.view.model()
    steps = [str(history.index(row, 0).data()) for row in range(history.rowCount())]
    assert steps[1:] == ["Move leaf-1"]


def test_a_gesture_given_up_leaves_no_step_and_no_change(desk: Desk) -> None:
    changes: list[Change] = []
    desk.session.changed.connect(changes.append)
    start, hands = desk.state(), desk.hands
    hands.press(*hands.of("leaf-1"))
    hands.move(500.0, 300.0)
    hands.key(Qt.Key.Key_Escape)
    hands.release(500.0, 300.0)
    desk.canvas.set_tool("link")
    hands.press(*hands.of("leaf-1"))
    hands.move(*hands.of("node-1"))
    hands.key(Qt.Key.Key_Escape)
    hands.release(*hands.of("node-1"))
    desk.canvas.set_tool("select")
    desk.canvas.begin_palette_drag("qm9700")
    hands.key(Qt.Key.Key_Escape)
    desk.canvas.repaint()
    assert changes == []
    assert desk.state() == start
    assert desk.session.undo_stack.count() == 0
