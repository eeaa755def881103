"""What the menus do to the selection, seen in the document."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from topoedit.catalog.catalog import Catalog
from topoedit.editor.actions import ACTIONS, TOOL_MENUS
from topoedit.editor.arranging import Block, aligned, distributed
from topoedit.editor.commands.arrange_commands import chosen_links, selected_blocks
from topoedit.editor.placing import item_name, item_size, numbered, place
from topoedit.editor.session import METRICS, DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.errors import BadEditError, BadInputError
from topoedit.layout.registry import LAYOUTS
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices
from topoedit.model.plan import TRAFFIC_CLASSES, Workload

from .doubles import canvas_of


def session_of(window: MainWindow) -> DocumentSession:
    assert window.session is not None
    return window.session


def do(window: MainWindow, action: str, *ids: str) -> DocumentSession:
    session = session_of(window)
    if ids:
        session.select(ids)
    window.actions_[action].trigger()
    return session


def test_delete_says_what_went_with_it(drawn: MainWindow, qtbot: QtBot) -> None:
    session = session_of(drawn)
    session.select(["node-1", "node-2"])
    canvas_of(drawn).setFocus()
    qtbot.keyClick(canvas_of(drawn), Qt.Key.Key_Delete)
    assert not session.document.links
    line = drawn.documents.messages.text
    assert line == "Deleted 2 devices and 16 cables. Ctrl Z brings it back."
    session.undo()
    assert len(session.document.links) == 4


def test_copy_and_paste_make_new_names_and_cables(drawn: MainWindow) -> None:
    session = do(drawn, "edit.copy", "node-1", "leaf-1")
    assert QGuiApplication.clipboard().mimeData().hasFormat("application/x-topoedit-clip")
    drawn.actions_.refresh()
    do(drawn, "edit.paste")
    names = sorted(d.name for d in session.document.devices.values())
    assert names == ["leaf-1", "leaf-2", "leaf-3", "node-1", "node-2", "node-3"]
    assert len(session.document.links) == 5
    assert len(session.selected_devices()) == 2
    session.undo()
    assert len(session.document.devices) == 4


def test_foreign_text_is_refused_in_one_line(drawn: MainWindow) -> None:
    QGuiApplication.clipboard().setText("hello, world")
    drawn.actions_.refresh()
    session = do(drawn, "edit.paste")
    assert session.undo_stack.count() == 0
    assert drawn.documents.messages.text
    assert "\n" not in drawn.documents.messages.text


def test_duplicate_selects_the_copy(drawn: MainWindow) -> None:
    session = do(drawn, "edit.duplicate", "leaf-1")
    (copy,) = session.selected_devices()
    assert copy.name == "leaf-3"
    assert (copy.x, copy.y) == (144.0, -176.0)


def test_lock_and_unlock_name_what_they_do(drawn: MainWindow) -> None:
    session = do(drawn, "edit.lock", "node-1", "leaf-1")
    assert session.undo_stack.undoText() == "Lock 2 elements"
    do(drawn, "edit.lock")
    assert session.undo_stack.undoText() == "Unlock 2 elements"
    assert not session.document.devices["node-1"].locked


def test_selecting_same_and_connected(drawn: MainWindow) -> None:
    session = do(drawn, "edit.select_same", "leaf-1")
    assert set(session.selection) == {"leaf-1", "leaf-2"}
    do(drawn, "edit.select_connected", "leaf-1")
    assert set(session.selection) == {"leaf-1", "link-11", "link-21", "node-1", "node-2"}
    do(drawn, "edit.select_nothing")
    assert session.selection == ()


def test_failing_and_restoring(drawn: MainWindow) -> None:
    session = do(drawn, "analyse.fail", "leaf-1", "link-12")
    assert session.document.devices["leaf-1"].failed
    assert session.document.links["link-12"].failed == 4
    assert session.undo_stack.undoText() == "Fail 2 elements"
    do(drawn, "analyse.fail")
    assert not session.document.devices["leaf-1"].failed
    assert session.document.links["link-12"].failed == 0


def test_group_ungroup_collapse(drawn: MainWindow) -> None:
    session = do(drawn, "arrange.group", "leaf-1", "leaf-2")
    (made,) = session.selected_groups()
    assert made.kind == "rack"
    assert set(session.document.members(made.id)) == {"leaf-1", "leaf-2"}
    do(drawn, "arrange.collapse")
    assert session.document.groups[made.id].collapsed
    do(drawn, "arrange.expand")
    assert not session.document.groups[made.id].collapsed
    canvas = canvas_of(drawn)
    assert ("open_up", made.id) not in canvas.calls
    canvas.block = made.id  # at this zoom
    do(drawn, "arrange.expand")
    assert canvas.calls[-1] == ("open_up", made.id)
    assert "was drawn as a block at that zoom" in drawn.documents.messages.text
    do(drawn, "arrange.ungroup", made.id, "rack-1")
    assert not session.document.groups
    assert session.undo_stack.undoText() == "Ungroup 2 groups"
    session.undo()
    assert set(session.document.groups) == {made.id, "rack-1"}


def test_align_moves_edges_and_leaves_locked_ones(drawn: MainWindow) -> None:
    session = do(drawn, "edit.lock", "leaf-2")
    do(drawn, "arrange.align_left", "node-2", "leaf-1", "leaf-2")
    devices = session.document.devices
    assert devices["node-2"].x == devices["leaf-1"].x == 120.0
    assert devices["leaf-2"].x == 240.0
    assert session.undo_stack.undoText() == "Align left"


def test_a_group_moves_as_one_block(drawn: MainWindow) -> None:
    session = session_of(drawn)
    session.select(["rack-1", "leaf-1", "node-1"])
    blocks = selected_blocks(session)
    assert [block.devices for block in blocks] == [("node-1", "node-2"), ("leaf-1",)]
    do(drawn, "arrange.align_top")
    devices = session.document.devices
    assert devices["node-1"].y == devices["node-2"].y


def press(window: MainWindow, words: str) -> None:
    """Press a button of the line above the drawing."""
    bar = window.documents.messages
    next(b for b in bar.findChildren(QPushButton) if b.text() == words).click()


def test_an_arrangement_is_offered_and_kept_as_one_step(drawn: MainWindow) -> None:
    session = do(drawn, "arrange.layout")
    assert canvas_of(drawn).calls[-1] == ("preview", "By tiers")
    assert session.undo_stack.count() == 0
    assert "By tiers: " in drawn.documents.messages.text
    press(drawn, "Keep")
    assert session.undo_stack.count() == 1
    devices = session.document.devices
    assert devices["leaf-1"].y < devices["node-1"].y
    assert drawn.documents.messages.text == ""


def test_an_arrangement_that_is_left_changes_nothing(drawn: MainWindow) -> None:
    session = session_of(drawn)
    before = dict(session.document.devices)
    do(drawn, "arrange.layout_grid")
    press(drawn, "Leave")
    assert dict(session.document.devices) == before
    assert session.undo_stack.count() == 0
    assert drawn.documents.messages.text == ""


def test_every_arrangement_is_in_the_menu(window: MainWindow) -> None:
    offered = [a for a in ACTIONS if a.handler == "arrange.layout"]
    assert [(a.argument, a.text) for a in offered] == [(k, v.title) for k, v in LAYOUTS.items()]
    assert TOOL_MENUS["menu:layout"][2] == tuple(a.id for a in offered)


def test_only_the_selection_is_arranged(drawn: MainWindow) -> None:
    session = do(drawn, "arrange.layout_grid", "leaf-1", "leaf-2")
    press(drawn, "Keep")
    moved = canvas_of(drawn).shown[0].ids
    assert set(moved) <= {"leaf-1", "leaf-2"}
    assert session.undo_stack.count() == 1


def test_links_are_led_around_devices_and_straightened(drawn: MainWindow) -> None:
    session = session_of(drawn)
    old = session.document.devices["leaf-2"]
    session.apply(MoveDevices("Move", ("node-2",), (old.x - 400,), (old.y,)))
    do(drawn, "arrange.route", "link-22", "link-12")
    bent = [link for link in session.document.links.values() if link.via]
    assert bent
    assert session.undo_stack.undoText().startswith("Route ")
    for link in bent:
        corners = list(link.via)
        assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(corners))
    do(drawn, "arrange.straighten", *(link.id for link in bent))
    assert not any(link.via for link in session.document.links.values())
    do(drawn, "arrange.straighten", *(link.id for link in bent))
    assert session.undo_stack.count() == 3


def test_links_among_selected_devices_are_meant(drawn: MainWindow) -> None:
    session = session_of(drawn)
    session.select(("rack-1", "leaf-1"))
    assert chosen_links(session) == ["link-11", "link-21"]
    session.select(("link-22", "node-1"))
    assert chosen_links(session) == ["link-22"]


def test_figures_and_classes_go_round(drawn: MainWindow) -> None:
    session = session_of(drawn)
    seen = []
    for _ in METRICS:
        seen.append(session.metric)
        do(drawn, "analyse.metric")
    assert tuple(seen) == METRICS
    assert session.metric == METRICS[0]
    do(drawn, "analyse.class")
    assert session.traffic_class == TRAFFIC_CLASSES[0]
    for _ in TRAFFIC_CLASSES:
        do(drawn, "analyse.class")
    assert session.traffic_class is None


def test_removing_the_plan_keeps_the_workload(drawn: MainWindow) -> None:
    session = session_of(drawn)
    session.set_workload(Workload(model="llama-3.1-70b"), "Choose a model")
    do(drawn, "plan.none")
    assert session.workload is None
    assert len(session.document.workloads) == 1
    session.undo()
    assert session.workload is not None


def test_rename_gives_the_keys_to_the_name(drawn: MainWindow) -> None:
    do(drawn, "edit.rename", "leaf-1")
    field = drawn.sides.inspector.properties.fields["name"].editor
    assert drawn.focusWidget() is field


def test_new_names_follow_the_largest_number(document: Document) -> None:
    assert numbered(document, "node", 2) == ["node-3", "node-4"]
    assert numbered(document, "spine", 1) == ["spine-1"]


def test_placing_several_is_a_row_in_one_step(document: Document) -> None:
    edit = place(document, "dgx-h100", 0.0, 0.0, count=3, group="rack-1")
    assert edit.label == "Add 3 DGX H100s"
    assert [device.name for device in edit.put] == ["node-3", "node-4", "node-5"]
    assert [device.x for device in edit.put] == [0.0, 124.0, 248.0]
    assert {device.group for device in edit.put} == {"rack-1"}


def test_groups_notes_and_wrong_types(document: Document, catalog: Catalog) -> None:
    (rack,) = place(document, "group:rack", 100.0, 100.0).put
    assert (rack.name, rack.kind) == ("rack-2", "rack")
    (note,) = place(document, "note:", 0.0, 0.0).put
    assert note.text == "Note"
    assert item_name(catalog, "group:pod") == "Pod"
    assert item_size(document, "note:") == (200.0, 80.0)
    with pytest.raises(BadEditError):
        place(document, "group:continent", 0.0, 0.0)
    with pytest.raises(BadInputError):
        place(document, "no-such-type", 0.0, 0.0)


PLACE, SIZE = st.integers(-500, 500), st.integers(1, 200)
BLOCKS = st.lists(st.tuples(PLACE, PLACE, SIZE, SIZE), min_size=3, max_size=8).map(
    lambda rows: [Block((str(i),), x, y, x + w, y + h) for i, (x, y, w, h) in enumerate(rows)]
)


@given(BLOCKS, st.sampled_from(["left", "right", "top", "bottom", "centre", "middle"]))
def test_aligned_edges_are_one_line(blocks: list[Block], edge: str) -> None:
    shifts = aligned(blocks, edge)
    axis = 0 if edge in ("left", "right", "centre") else 1
    places = [getattr(b, edge) + s[axis] for b, s in zip(blocks, shifts, strict=True)]
    assert max(places) - min(places) < 1e-6
    assert all(s[1 - axis] == 0 for s in shifts)


@given(BLOCKS)
def test_distributed_gaps_are_equal_and_ends_stay(blocks: list[Block]) -> None:
    shifts = distributed(blocks, "x")
    order = sorted(range(len(blocks)), key=lambda i: (blocks[i].left, i))
    lefts = [blocks[i].left + shifts[i][0] for i in order]
    rights = [blocks[i].right + shifts[i][0] for i in order]
    gaps = [b - a for a, b in zip(rights, lefts[1:], strict=False)]
    assert max(gaps) - min(gaps) < 1e-6
    assert shifts[order[0]] == (0.0, 0.0)
    assert abs(shifts[order[-1]][0]) < 1e-6
