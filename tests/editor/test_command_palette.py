"""Ctrl K: devices, links, tags and commands; prefixes; keys alone are enough."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from topoedit.editor.command_palette import CommandPalette
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.model.operations import set_fields

from .doubles import canvas_of


def opened(window: MainWindow, qtbot: QtBot, typed: str) -> CommandPalette:
    window.actions_["edit.commands"].trigger()
    qtbot.keyClicks(window.palette_window.search, typed)
    return window.palette_window


def session_of(window: MainWindow) -> DocumentSession:
    assert window.session is not None
    return window.session


def test_a_device_is_found_and_visited(drawn: MainWindow, qtbot: QtBot) -> None:
    palette = opened(drawn, qtbot, "leaf-2")
    assert palette.texts("Devices") == ["leaf-2"]
    assert palette.texts("Links")[0] == "leaf-2, all 2 links"
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert session_of(drawn).selection == ("leaf-2",)
    assert canvas_of(drawn).calls[-1] == ("centre_on", ("leaf-2",))
    assert not palette.isVisible()


def test_all_links_of_a_device_are_one_choice(drawn: MainWindow, qtbot: QtBot) -> None:
    palette = opened(drawn, qtbot, "leaf-2")
    qtbot.keyClick(palette.search, Qt.Key.Key_Down)
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert session_of(drawn).selection == ("link-12", "link-22")


def test_a_cable_is_found_by_its_id(drawn: MainWindow, qtbot: QtBot) -> None:
    palette = opened(drawn, qtbot, "c6")
    assert palette.texts("Links")[0] == "node-1:nic4-7 → leaf-2:1-4"


def test_commands_run_from_the_palette(drawn: MainWindow, qtbot: QtBot) -> None:
    palette = opened(drawn, qtbot, ">select all")
    assert palette.texts() == palette.texts("Commands")
    assert palette.texts()[0] == "Select all"
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert set(session_of(drawn).selection) >= {"node-1", "link-11", "rack-1"}


def test_commands_that_are_not_possible_are_left_out(window: MainWindow, qtbot: QtBot) -> None:
    palette = opened(window, qtbot, "save")
    assert not {"Save", "Save as…"} & set(palette.texts("Commands"))
    palette.search.setText("new drawing")
    assert palette.texts("Commands") == ["New drawing"]
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert session_of(window).title == "Untitled"


def test_prefixes_narrow_it_down(drawn: MainWindow, qtbot: QtBot) -> None:
    session = session_of(drawn)
    session.apply(set_fields(session.document, ["node-1", "link-11"], {"tags": ("spare",)}))
    palette = opened(drawn, qtbot, "#spa")
    assert palette.texts() == ["spare"]
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert set(session.selection) == {"node-1", "link-11"}
    drawn.actions_["edit.find"].trigger()
    assert palette.search.text() == "@"
    assert palette.texts("Commands") == []
    assert "rack-1" in palette.texts("Devices")


def test_what_the_catalogue_has_is_placed_from_an_empty_drawing(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.actions_["file.new"].trigger()
    palette = opened(window, qtbot, "dgx h100")
    assert palette.texts("Place") == ["Place DGX H100"]
    palette.accept()
    (device,) = session_of(window).document.devices.values()
    assert device.type == "dgx-h100"


def test_the_first_escape_closes_whatever_was_typed(drawn: MainWindow, qtbot: QtBot) -> None:
    palette = opened(drawn, qtbot, "leaf")
    qtbot.keyClick(palette.search, Qt.Key.Key_Escape)
    assert not palette.isVisible()
