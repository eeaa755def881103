"""Files changed by others, held by others, and restored from backups."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from topoedit.editor.commands import file_work
from topoedit.editor.dialogs.restore_dialog import RestoreDialog
from topoedit.editor.file_state import becoming
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.io import native
from topoedit.io.filelock import FileLock
from topoedit.io.journal import pending_journals
from topoedit.model.document import Document
from topoedit.model.edits import Edit, MoveDevices


@pytest.fixture
def saved(drawn: MainWindow, tmp_path: Path) -> Path:
    """The drawing in front has a file, and nothing unsaved."""
    target = tmp_path / "two.topo.json"
    assert drawn.session is not None
    assert drawn.files.write(drawn.session, target)
    return target


def session_of(window: MainWindow) -> DocumentSession:
    assert window.session is not None
    return window.session


def others_write(window: MainWindow, path: Path) -> None:
    """Another program moves a device and writes the file."""
    theirs = native.load(path, window.catalog)
    theirs.apply(MoveDevices("Move", ("leaf-1",), (777.0,), (-9.0,)))
    path.write_bytes(native.dumps(theirs))
    window.conflicts.watch.look()


def press(window: MainWindow, words: str) -> None:
    bar = window.documents.messages
    next(b for b in bar.findChildren(QPushButton) if b.text() == words).click()


def move(session: DocumentSession, x: float) -> None:
    session.apply(MoveDevices("Move", ("leaf-2",), (x,), (0.0,)))


def test_a_change_by_another_program_is_noticed_by_itself(
    drawn: MainWindow, saved: Path, qtbot: QtBot
) -> None:
    theirs = native.load(saved, drawn.catalog)
    theirs.apply(MoveDevices("Move", ("leaf-1",), (777.0,), (-9.0,)))
    saved.write_bytes(native.dumps(theirs))
    qtbot.waitUntil(lambda: "Another program" in drawn.documents.messages.text, timeout=10_000)


def test_reload_is_one_step_that_can_be_undone(drawn: MainWindow, saved: Path) -> None:
    session = session_of(drawn)
    move(session, 555.0)
    others_write(drawn, saved)
    assert drawn.documents.messages.text.startswith("Another program has changed two.topo.json.")
    press(drawn, "Reload")
    assert session.document.devices["leaf-1"].x == 777.0
    assert session.document.devices["leaf-2"].x != 555.0
    assert session.is_clean
    assert drawn.documents.messages.text == ""
    assert native.dumps(session.document) == saved.read_bytes()
    session.undo()
    assert session.document.devices["leaf-2"].x == 555.0
    assert not session.is_clean


def test_keep_mine_asks_once_and_saving_replaces_theirs(drawn: MainWindow, saved: Path) -> None:
    session = session_of(drawn)
    before = session.document.devices["leaf-1"].x
    others_write(drawn, saved)
    press(drawn, "Keep mine")
    assert session.document.devices["leaf-1"].x == before
    assert not session.is_clean
    drawn.conflicts.watch.look()
    assert drawn.documents.messages.text == ""
    assert drawn.files.write(session, saved)
    assert native.load(saved, drawn.catalog).devices["leaf-1"].x == before
    assert session.is_clean


def test_work_kept_over_a_changed_file_survives_a_crash(drawn: MainWindow, saved: Path) -> None:
    session = session_of(drawn)
    move(session, 555.0)
    others_write(drawn, saved)
    press(drawn, "Keep mine")
    move(session, 666.0)
    journal = session.journal
    assert journal is not None
    journal._let_go()  # type: ignore[attr-defined]
    (pending,) = pending_journals()
    assert pending.recover(drawn.catalog).document.devices["leaf-2"].x == 666.0


def test_the_same_contents_are_no_change(drawn: MainWindow, saved: Path) -> None:
    data = saved.read_bytes()
    saved.write_bytes(data)
    drawn.conflicts.watch._stamps.clear()
    drawn.conflicts.watch.look()
    assert drawn.documents.messages.text == ""


def test_saving_over_an_unnoticed_change_asks_first(drawn: MainWindow, saved: Path) -> None:
    session = session_of(drawn)
    theirs = native.load(saved, drawn.catalog)
    theirs.apply(MoveDevices("Move", ("leaf-1",), (777.0,), (-9.0,)))
    saved.write_bytes(native.dumps(theirs))
    move(session, 555.0)
    assert not drawn.files.write(session, saved)
    box = drawn.findChild(QMessageBox)
    assert box is not None
    assert native.load(saved, drawn.catalog).devices["leaf-1"].x == 777.0
    next(b for b in box.buttons() if b.text() == "Overwrite").click()
    assert native.load(saved, drawn.catalog).devices["leaf-2"].x == 555.0
    assert session.is_clean


def test_a_file_that_is_gone_is_written_again_by_save(drawn: MainWindow, saved: Path) -> None:
    saved.unlink()
    drawn.conflicts.watch.look()
    assert "is gone from the disk" in drawn.documents.messages.text
    assert not session_of(drawn).is_clean
    drawn.actions_["file.save"].trigger()
    assert saved.is_file()


def test_a_change_behind_another_tab_is_asked_about_when_it_comes_to_the_front(
    drawn: MainWindow, saved: Path
) -> None:
    drawn.actions_["file.new"].trigger()
    others_write(drawn, saved)
    assert drawn.documents.messages.text == ""
    drawn.documents.tabs.setCurrentIndex(0)
    assert drawn.documents.messages.text.startswith("Another program")


def test_a_broken_file_of_others_is_not_loaded(drawn: MainWindow, saved: Path) -> None:
    session = session_of(drawn)
    saved.write_text("{broken")
    drawn.conflicts.watch.look()
    before = dict(session.document.devices)
    press(drawn, "Reload")
    assert dict(session.document.devices) == before
    assert str(saved) in drawn.documents.messages.text


def test_a_file_open_in_another_window_is_read_only(
    window: MainWindow, document: Document, tmp_path: Path
) -> None:
    target = tmp_path / "two.topo.json"
    native.save(document, target)
    elsewhere = FileLock(target)
    assert elsewhere.acquire()
    window.files.open_path(target)
    session = session_of(window)
    assert session.is_read_only
    assert "is open in another window" in window.documents.messages.text
    assert window.documents.tabs.tabText(0) == "two.topo (read only)"
    move(session, 555.0)
    data = target.read_bytes()
    assert not window.files.write(session, target)
    assert target.read_bytes() == data
    other = tmp_path / "mine.topo.json"
    assert window.files.write(session, other)
    assert not session.is_read_only
    assert window.documents.tabs.tabText(0) == "mine.topo"
    elsewhere.release()


def test_the_right_to_write_comes_when_the_other_window_closes(
    window: MainWindow, document: Document, tmp_path: Path
) -> None:
    target = tmp_path / "two.topo.json"
    native.save(document, target)
    elsewhere = FileLock(target)
    assert elsewhere.acquire()
    window.files.open_path(target)
    elsewhere.release()
    session = session_of(window)
    move(session, 555.0)
    assert window.files.write(session, target)
    assert not session.is_read_only
    assert not FileLock(target).acquire()
    window.close_current()
    assert elsewhere.acquire()
    elsewhere.release()


def test_a_backup_is_seen_and_restored_as_one_step(drawn: MainWindow, saved: Path) -> None:
    session = session_of(drawn)
    session.apply(Edit("Delete link", drop=("link-11",)))
    assert drawn.files.write(session, saved)
    session.apply(Edit("Delete link", drop=("link-12",)))
    assert drawn.files.write(session, saved)
    drawn.actions_["file.restore"].trigger()
    dialog = drawn.findChild(RestoreDialog)
    assert dialog is not None
    assert len(dialog.backups) == 2
    assert dialog.counts.text() == "4 devices, 3 links"
    assert dialog.line.text() == "Changes 1 element; Undo takes it back."
    assert not dialog.picture.pixmap().isNull()
    dialog.list.setCurrentRow(1)
    assert dialog.counts.text() == "4 devices, 4 links"
    steps = session.undo_stack.count()
    dialog.accept_button.click()
    assert set(session.document.links) == {"link-11", "link-12", "link-21", "link-22"}
    assert session.undo_stack.count() == steps + 1
    assert session.undo_stack.undoText().startswith("Restore the backup of Today")
    session.undo()
    assert set(session.document.links) == {"link-21", "link-22"}


def test_without_backups_the_dialog_says_how_to_get_one(drawn: MainWindow) -> None:
    drawn.actions_["file.restore"].trigger()
    dialog = drawn.findChild(RestoreDialog)
    assert dialog is not None
    assert "no backup of this drawing yet" in dialog.line.text()
    assert not dialog.accept_button.isEnabled()
    dialog.reject()


def test_a_broken_backup_is_named(drawn: MainWindow, saved: Path) -> None:
    session = session_of(drawn)
    move(session, 555.0)
    assert drawn.files.write(session, saved)
    drawn.actions_["file.restore"].trigger()
    dialog = drawn.findChild(RestoreDialog)
    assert dialog is not None
    dialog.backups[0].path.write_text("{broken")
    dialog.show_backup(0)
    assert str(dialog.backups[0].path) in dialog.line.text()
    assert not dialog.accept_button.isEnabled()
    dialog.reject()


def test_becoming_turns_any_document_into_another(document: Document) -> None:
    other = Document(document.catalog, list(document.elements()))
    other.apply(Edit("Delete", drop=("link-11",)))
    other.apply(MoveDevices("Move", ("leaf-1",), (5.0,), (6.0,)))
    device = other.devices["leaf-2"]
    other.apply(Edit("Add", put=(replace(device, id="leaf-9", name="leaf-9"),)))
    document.apply(becoming(document, other, "Reload"))
    assert {e.id: e for e in document.elements()} == {e.id: e for e in other.elements()}
    assert becoming(document, other, "Reload").is_empty


def test_a_large_file_is_read_beside_the_window(
    drawn: MainWindow, qtbot: QtBot, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_work, "LARGE_FILE", 1)
    drawn.close_current()
    assert drawn.files.open_path(saved) == ""
    assert drawn.files.open_path(saved) == ""  # asked twice, opened once
    assert drawn.session is None
    qtbot.waitUntil(lambda: drawn.session is not None)
    assert session_of(drawn).path == saved
    assert len(list(drawn.documents.sessions())) == 1


def test_a_large_file_that_is_broken_is_one_line(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_work, "LARGE_FILE", 1)
    broken = tmp_path / "broken.topo.json"
    broken.write_text('{"format":"topoedit"', encoding="utf-8")
    window.files.open_path(broken)
    qtbot.waitUntil(lambda: "broken.topo.json" in window.documents.messages.text)
    assert window.session is None


def test_a_large_drawing_is_written_beside_the_window_and_not_changed_meanwhile(
    drawn: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_work, "LARGE_DRAWING", 1)
    session = drawn.session
    assert session is not None
    move = MoveDevices("Move", ("leaf-1",), (5.0,), (5.0,))
    assert session.apply(move)
    target = tmp_path / "out.topo.json"
    done: list[bool] = []
    assert not drawn.files.write(session, target, then=lambda: done.append(True))
    assert session.held == "is being saved"
    assert not session.apply(MoveDevices("Move", move.ids, (9.0,), (9.0,)))
    session.undo()
    assert session.undo_stack.index() == 1
    assert "is being saved" in drawn.documents.messages.text
    qtbot.waitUntil(lambda: bool(done))
    assert session.is_clean
    assert session.held == ""
    assert native.load(target, session.document.catalog).devices[move.ids[0]].x == 5.0
    session.undo()
    assert session.undo_stack.index() == 0
