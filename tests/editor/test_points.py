"""Habits of the window: focus, previews of dialogs, letters of menus, layers and traces by keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from topoedit.editor.dialogs.array_dialog import ArrayDialog
from topoedit.editor.dialogs.wire_dialog import WireDialog
from topoedit.editor.window import MainWindow

from .doubles import canvas_of


def test_f_puts_the_selection_into_focus_and_once_more_shows_all(drawn: MainWindow) -> None:
    action = drawn.actions_["view.focus"]
    assert action.shortcut().toString() == "F"
    action.trigger()
    assert canvas_of(drawn).in_focus
    action.trigger()
    assert not canvas_of(drawn).in_focus


def test_wiring_shows_its_cables_while_the_dialog_is_open(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    dialog = WireDialog(drawn, session, drawn)
    dialog.open()
    dialog.a.setText("node-1")
    dialog.b.setText("leaf-1")
    dialog.scheme.setCurrentIndex(0)
    dialog.preview()
    calls = canvas_of(drawn).calls
    assert calls[-1] == ("ghosts", True)
    dialog.b.setText("nobody")
    dialog.preview()
    assert calls[-1] == ("ghosts", False), "what cannot be is not shown"
    dialog.b.setText("leaf-1")
    dialog.preview()
    dialog.reject()
    assert calls[-1] == ("ghosts", False)


def test_an_array_shows_its_copies_while_the_dialog_is_open(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    session.select(("node-1",))
    dialog = ArrayDialog(drawn, session, drawn)
    dialog.open()
    calls = canvas_of(drawn).calls
    assert calls[-1] == ("ghosts", True)
    dialog.columns_box.setValue(1)
    assert calls[-1] == ("ghosts", False)
    dialog.columns_box.setValue(3)
    dialog.accept()
    assert calls[-1] == ("ghosts", False)
    assert len(session.document.devices) == 6


def test_letters_of_menus_show_only_while_alt_is_held(drawn: MainWindow, qtbot: QtBot) -> None:
    bar = drawn.menu_line.bar

    def titles() -> list[str]:
        return [action.text() for action in bar.actions()]

    assert titles()[:3] == ["File", "Edit", "View"]
    qtbot.keyPress(drawn, Qt.Key.Key_Alt)
    assert titles()[:3] == ["&File", "&Edit", "&View"]
    qtbot.keyRelease(drawn, Qt.Key.Key_Alt)
    if bar.activeAction() is not None:  # a tap on Alt alone gives the keys to the menu bar
        qtbot.keyClick(bar, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: titles()[:3] == ["File", "Edit", "View"])


def test_enter_shows_a_layer_alone_and_esc_shows_all(drawn: MainWindow, qtbot: QtBot) -> None:
    session, panel = drawn.session, drawn.sides.left.layers
    assert session is not None
    drawn.show()
    drawn.show_panel("layers")
    panel.refresh()
    panel.tree.setCurrentIndex(panel.model.item(0).child(0).index())
    qtbot.keyClick(panel.tree, Qt.Key.Key_Return)
    assert session.layers.solo == ("network", "compute")
    qtbot.keyClick(panel.tree, Qt.Key.Key_Return)
    assert session.layers.all_shown
    qtbot.keyClick(panel.tree, Qt.Key.Key_Return)
    qtbot.keyClick(panel.tree, Qt.Key.Key_Escape)
    assert session.layers.all_shown


def test_a_trace_begins_at_the_gpu_or_nic_under_the_pointer(drawn: MainWindow) -> None:
    session, canvas = drawn.session, canvas_of(drawn)
    assert session is not None
    session.select(("node-1",))
    canvas.under = ("node-1", "/gpu3")
    drawn.actions_["trace.from"].trigger()
    assert session.trace.start == "node-1/gpu3"
    session.select(("node-2",))
    canvas.under = ("node-2", "nic5")
    drawn.actions_["trace.to"].trigger()
    assert session.trace.goal == "node-2:nic5"


def test_the_last_of_the_servers_without_a_maker_is_the_unknown_one(drawn: MainWindow) -> None:
    from topoedit.catalog.load import load_catalog
    from topoedit.editor.panels.palette import palette_items

    found = [i.type_id for i in palette_items(load_catalog(user=False)) if i.section == "Compute"]
    assert found[0] == "generic-server"
    assert found[-1] == "unknown-server"


def test_grid_rulers_and_minimap_are_marked_as_they_are(drawn: MainWindow) -> None:
    checked = {name: drawn.actions_[f"view.{name}"] for name in ("grid", "rulers", "minimap")}
    assert [action.isChecked() for action in checked.values()] == [True, False, True]
    for action in checked.values():
        action.trigger()
    assert [action.isChecked() for action in checked.values()] == [False, True, False]
    assert not drawn.settings.habits.grid
    assert canvas_of(drawn).rulers
    assert not drawn.minimap_wanted
