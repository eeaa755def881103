"""The window: tabs, panels, files, drops, closing."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from topoedit.editor import preferences
from topoedit.editor.preferences import Layout
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.editor.window_frame import LEAST, placed
from topoedit.io import native
from topoedit.model.edits import MoveDevices

from .doubles import canvas_of


def titles(window: MainWindow) -> list[str]:
    return [window.documents.tabs.tabText(i) for i in range(window.documents.tabs.count())]


def test_the_welcome_page_gives_way_to_the_first_drawing(window: MainWindow) -> None:
    assert titles(window) == ["Welcome"]
    assert window._sides is None
    window.actions_["file.new"].trigger()
    assert titles(window) == ["Untitled"]
    window.actions_["file.new"].trigger()
    assert titles(window) == ["Untitled", "Untitled 2"]
    assert window.sides.left.isVisible()


def test_tabs_step_round_and_panels_follow(drawn: MainWindow) -> None:
    first = drawn.session
    drawn.actions_["file.new"].trigger()
    assert drawn.session is not first
    assert drawn.sides.inspector.properties.session is drawn.session
    drawn.actions_["window.next"].trigger()
    assert drawn.session is first
    assert drawn.sides.left.outline.session is first
    assert drawn.status.text_of("GPUs") == "16"
    drawn.actions_["window.previous"].trigger()
    assert drawn.session is not first
    assert drawn.status.text_of("GPUs") == "0"


def test_an_unsaved_drawing_is_marked_and_asked_about(drawn: MainWindow, qtbot: QtBot) -> None:
    session = drawn.session
    assert session is not None
    session.apply(MoveDevices("Move node-1", ("node-1",), (9.0,), (9.0,)))
    assert drawn.windowTitle() == "Two nodes* — topoedit"
    assert "(unsaved)" in drawn.documents.tabs.tabToolTip(0)
    drawn.actions_["file.close"].trigger()
    box = drawn.findChild(QMessageBox)
    assert box is not None
    assert "Two nodes" in box.text()
    assert box.informativeText() == "1 step would be lost."
    box.button(QMessageBox.StandardButton.Discard).click()
    assert titles(drawn) == ["Welcome"]


def test_saving_and_opening_again_gives_the_same_drawing(drawn: MainWindow, tmp_path: Path) -> None:
    session = drawn.session
    assert session is not None
    before = {e.id: e for e in session.document.elements()}
    target = tmp_path / "two.topo.json"
    assert drawn.files.write(session, target)
    assert session.is_clean
    assert titles(drawn) == ["two.topo"]
    data = target.read_bytes()
    drawn.actions_["file.close"].trigger()
    drawn.files.open_path(target)
    assert drawn.session is not None
    assert {e.id: e for e in drawn.session.document.elements()} == before
    drawn.actions_["file.save"].trigger()
    assert target.read_bytes() == data
    assert [Path(entry.path) for entry in preferences.load_recent()] == [target.resolve()]


def test_opening_an_open_file_shows_its_tab(drawn: MainWindow, tmp_path: Path) -> None:
    target = tmp_path / "two.topo.json"
    first = drawn.session
    assert first is not None
    drawn.files.write(first, target)
    drawn.actions_["file.new"].trigger()
    drawn.files.open_path(target)
    assert drawn.session is first
    assert len(titles(drawn)) == 2


def drop(window: MainWindow, *urls: QUrl) -> None:
    data = QMimeData()
    data.setUrls(list(urls))
    event = QDropEvent(
        QPointF(300, 300), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    window.dropEvent(event)


def test_dropping_a_file_opens_it(window: MainWindow, document, tmp_path: Path) -> None:
    target = tmp_path / "dropped.topo.json"
    native.save(document, target)
    drop(window, QUrl.fromLocalFile(str(target)))
    assert titles(window) == ["dropped.topo"]


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "empty"), (b"\x00\x01\x02\xff" * 40, ""), (b'{"format": "topoedit", "for', "")],
)
def test_a_bad_file_gives_one_line_and_no_tab(
    window: MainWindow, tmp_path: Path, content: bytes, words: str
) -> None:
    target = tmp_path / "bad.topo.json"
    target.write_bytes(content)
    drop(window, QUrl.fromLocalFile(str(target)))
    line = window.documents.messages.text
    assert "bad.topo.json" in line
    assert words in line
    assert "\n" not in line
    assert titles(window) == ["Welcome"]
    assert list(tmp_path.iterdir()) == [target]


def test_too_many_files_and_foreign_addresses_are_refused(window: MainWindow) -> None:
    drop(window, *(QUrl.fromLocalFile(f"/nowhere/{n}.topo.json") for n in range(10)))
    assert window.documents.messages.text.startswith("10 files at once are too many")
    drop(window, QUrl("https://example.org/a.topo.json"))
    assert window.documents.messages.text == "Only files of this computer can be dropped here."


def test_panels_hide_together_and_come_back_as_they_were(drawn: MainWindow) -> None:
    drawn.actions_["view.bottom"].trigger()
    assert not drawn.sides.bottom.isVisible()
    drawn.actions_["view.panels"].trigger()
    assert not any(drawn.frame.is_shown(n) for n in ("left", "bottom", "inspector"))
    drawn.actions_["view.panels"].trigger()
    assert drawn.sides.left.isVisible()
    assert drawn.sides.inspector.isVisible()
    assert not drawn.sides.bottom.isVisible()
    drawn.actions_["view.reset"].trigger()
    assert drawn.sides.bottom.isVisible()
    assert drawn.sides.left.width() == 240
    assert drawn.sides.inspector.width() == 320


def test_layout_look_and_recent_types_are_remembered(drawn: MainWindow) -> None:
    drawn.actions_["view.bottom"].trigger()
    drawn.actions_["view.theme_light"].trigger()
    drawn.sides.left.palette_panel.chosen.emit("qm9700")
    drawn.remember()
    kept, wrong = preferences.load_preferences()
    assert wrong == ""
    assert kept.theme == "light"
    assert not kept.layout.show_bottom
    assert kept.layout.left == 240
    assert kept.recent_types == ("qm9700",)


def test_broken_settings_are_named_and_left_out() -> None:
    place = preferences._settings_file()
    place.parent.mkdir(parents=True)
    place.write_text("{broken")
    kept, wrong = preferences.load_preferences()
    assert kept.theme == "system"
    assert "cannot be read" in wrong


@pytest.mark.parametrize(
    "text",
    ["[1]", '{"theme": 3}', '{"layout": {"left": "wide"}}', '{"shortcuts": {"file.new": 1}}'],
)
def test_settings_of_the_wrong_type_are_named(text: str) -> None:
    place = preferences._settings_file()
    place.parent.mkdir(parents=True)
    place.write_text(text)
    kept, wrong = preferences.load_preferences()
    assert kept == preferences.Preferences()
    assert "expected" in wrong


def test_a_new_screen_has_the_icons_drawn_again(drawn: MainWindow, qtbot: QtBot) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with qtbot.waitSignal(drawn.theming.changed):
        app.screenAdded.emit(app.primaryScreen())


SCREENS = [QRect(0, 0, 1920, 1080), QRect(1920, 0, 1280, 1024)]


@pytest.mark.parametrize(
    ("layout", "box"),
    [
        (Layout(x=2000, y=40, width=1200, height=800), QRect(2000, 40, 1200, 800)),
        (Layout(x=9000, y=9000, width=1200, height=800), QRect(720, 280, 1200, 800)),
        (Layout(x=-300, y=-50, width=1500, height=900), QRect(0, 0, 1500, 900)),
        (Layout(), QRect(160, 40, 1600, 1000)),
    ],
)
def test_the_window_is_clamped_to_the_screens_there_are(layout: Layout, box: QRect) -> None:
    assert placed(layout, SCREENS) == box


def test_the_window_is_never_smaller_than_the_design_allows() -> None:
    box = placed(Layout(x=5, y=5, width=10, height=10), [QRect(0, 0, 800, 600)])
    assert (box.width(), box.height()) == LEAST


def test_themes_reach_the_canvas(drawn: MainWindow) -> None:
    drawn.actions_["view.theme_light"].trigger()
    assert canvas_of(drawn).calls[-1][0] == "theme"
    assert drawn.actions_["view.theme_light"].isChecked()
    assert not drawn.actions_["view.theme_dark"].isChecked()
    drawn.actions_["view.theme_dark"].trigger()
    assert drawn.theming.theme.name == "dark"


def test_closing_a_window_with_unsaved_work_asks_once(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    session.apply(MoveDevices("Move node-1", ("node-1",), (9.0,), (9.0,)))
    drawn.close()
    assert drawn.isVisible()
    box = drawn.findChild(QMessageBox)
    assert box is not None
    assert box.text() == "Save the changes to Two nodes?"
    box.button(QMessageBox.StandardButton.Discard).click()
    assert not drawn.isVisible()


def test_context_menu_has_the_likeliest_and_the_rest_under_more(drawn: MainWindow) -> None:
    from topoedit.editor.menu_bar import context_menu

    menu = context_menu(drawn.actions_, drawn)
    entries = [entry for entry in menu.actions() if not entry.isSeparator()]
    assert len(entries) <= 11
    assert entries[-1].menu().title() == "More"
    menu.deleteLater()


def test_zoom_is_shown_and_changed(drawn: MainWindow) -> None:
    canvas = canvas_of(drawn)
    drawn.actions_["view.zoom_in"].trigger()
    assert canvas.factor == pytest.approx(1.1)
    assert drawn.tool_bar.zoom.text().startswith("110")
    drawn.actions_["view.actual"].trigger()
    assert canvas.factor == 1.0
    canvas.cursor_moved.emit(1284.2, 312.0)
    assert "1\u2009284" in drawn.status._cursor.text()


def test_all_widgets_that_take_the_keys_have_a_name(drawn: MainWindow) -> None:
    for widget in drawn.findChildren(type(drawn.tool_bar.export)):
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            assert widget.accessibleName() or widget.text(), widget


def test_a_session_knows_its_title(document, qapp) -> None:
    session = DocumentSession(document, Path("/tmp/a.topo.json"))
    assert session.title == "a.topo.json"
    session.close()
    session.deleteLater()


def test_menu_point_is_taken(drawn: MainWindow) -> None:
    drawn.open_context_menu(QPoint(10, 10))
    popup = [m for m in drawn.findChildren(type(drawn.menus["File"])) if m.isVisible()]
    assert popup
    popup[0].close()
