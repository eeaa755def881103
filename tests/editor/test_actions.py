"""Actions are data: each has words, a tip, keys or a menu, a handler that exists, and works."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence
from pytestqt.qtbot import QtBot

from topoedit.editor.actions import ACTIONS, CONTEXT, MENUS, TOOL_BAR, TOOL_MENUS, action
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.render.icons import icon_names

from .doubles import canvas_of

# Commands that a person reaches by menu and Ctrl K; every other one has keys of its own.
WITHOUT_KEYS = {
    "analyse.restart",
    "arrange.align_centre",
    "arrange.align_middle",
    "arrange.group_building",
    "arrange.group_pod",
    "arrange.group_room",
    "arrange.group_site",
    "arrange.layout_force",
    "arrange.layout_grid",
    "arrange.layout_rack",
    "arrange.layout_radial",
    "arrange.layout_tidy",
    "arrange.route",
    "arrange.straighten",
    "edit.select_nothing",
    "insert.patch",
    "insert.straighten",
    "file.bom",
    "file.cables",
    "file.convert",
    "file.import_racks",
    "file.labels",
    "file.report",
    "file.restore",
    "help.about",
    "help.remap",
    "plan.edit",
    "plan.model",
    "help.hints",
    "help.glossary",
    "plan.none",
    "plan.copy",
    "plan.rename",
    "plan.next",
    "plan.delete",
    "show.floor",
    "ranks.clear",
    "show.matrix",
    "show.plots",
    "show.timeline",
    "show.trace",
    "trace.clear",
    "trace.from",
    "trace.to",
    "view.labels_all",
    "view.labels_hot",
    "view.labels_none",
    "view.reset",
    "view.theme_dark",
    "view.theme_light",
    "view.theme_system",
    "window.home",
}


@pytest.mark.parametrize("spec", ACTIONS, ids=lambda a: a.id)
def test_every_action_has_name_tip_menu_and_a_shortcut_policy(spec) -> None:
    assert spec.text[0].isupper()
    assert spec.tip.endswith(".")
    assert spec.menu.split("/")[0] in MENUS
    assert bool(spec.shortcut) is (spec.id not in WITHOUT_KEYS)
    assert not spec.shortcut or not QKeySequence(spec.shortcut).isEmpty()
    assert not spec.icon or spec.icon in icon_names()


def test_no_id_and_no_shortcut_twice() -> None:
    assert max(Counter(a.id for a in ACTIONS).values()) == 1
    keys = Counter(QKeySequence(a.shortcut).toString() for a in ACTIONS if a.shortcut)
    assert max(keys.values()) == 1, keys.most_common(3)


def test_tool_bar_and_context_menu_name_actions() -> None:
    for entry in (*TOOL_BAR, *CONTEXT):
        assert entry == "|" or entry in TOOL_MENUS or action(entry)
    for _, _, ids in TOOL_MENUS.values():
        assert all(action(i) for i in ids)


def test_every_handler_exists(window: MainWindow) -> None:
    for spec in ACTIONS:
        owner, _, method = spec.handler.partition(".")
        assert callable(getattr(window._controllers[owner], method)), spec.id


def test_every_action_is_in_a_menu(window: MainWindow) -> None:
    def texts(menu) -> set[str]:
        found = set()
        for entry in menu.actions():
            found |= texts(entry.menu()) if entry.menu() else {entry.objectName()}
        return found

    shown = set().union(*(texts(menu) for menu in window.menus.values()))
    assert {a.id for a in ACTIONS} <= shown


def test_menus_offer_what_is_possible(window: MainWindow, document) -> None:
    actions = window.actions_
    assert not actions["file.save"].isEnabled()
    assert not actions["view.left"].isEnabled()
    assert actions["file.new"].isEnabled()
    session = DocumentSession(document)
    window.add_session(session)
    assert actions["file.save"].isEnabled()
    assert not actions["edit.delete"].isEnabled()
    session.select(["node-1"])
    assert actions["edit.delete"].isEnabled()
    assert actions["edit.rename"].isEnabled()
    assert not actions["arrange.align_left"].isEnabled()
    session.select(["node-1", "node-2"])
    assert actions["arrange.align_left"].isEnabled()
    assert not actions["arrange.distribute_x"].isEnabled()
    assert not actions["arrange.ungroup"].isEnabled()
    session.select(["rack-1"])
    assert actions["arrange.ungroup"].isEnabled()


def test_undo_names_the_step_in_menu_and_tooltip(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    session.select(["node-1"])
    drawn.actions_["edit.delete"].trigger()
    undo = drawn.actions_["edit.undo"]
    assert undo.text() == "Undo: Delete 1 device and 8 cables"
    assert "Delete 1 device and 8 cables" in undo.toolTip()
    undo.trigger()
    assert "node-1" in session.document.devices
    assert drawn.actions_["edit.redo"].text() == "Redo: Delete 1 device and 8 cables"


def test_keys_of_the_tool_bar_work_from_the_window(drawn: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(drawn)
    canvas.setFocus()
    qtbot.keyClick(canvas, "h")
    qtbot.keyClick(canvas, "l")
    tools = [call[1] for call in canvas.calls if call[0] == "tool"]
    assert tools[-2:] == ["pan", "link"]
    assert drawn.actions_["tool.link"].isChecked()
    assert not drawn.actions_["tool.select"].isChecked()
