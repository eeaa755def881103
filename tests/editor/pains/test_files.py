"""Lost work and files: pains 1 to 10."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from tests.editor.pains.conftest import Desk
from topoedit import paths
from topoedit.editor import preferences
from topoedit.editor.application import read_catalog
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.io import native
from topoedit.io.journal import pending_journals
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices


def move(session: DocumentSession, x: float = 333.0) -> None:
    assert session.apply(MoveDevices("Move leaf-1", ("leaf-1",), (x,), (-200.0,)))


@pytest.fixture
def saved(desk: Desk, tmp_path: Path) -> Path:
    """The file that the drawing in front was saved to."""
    target = tmp_path / "two.topo.json"
    assert desk.window.files.write(desk.session, target)
    return target


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_save_keeps_the_old_file_and_the_unsaved_mark(
    desk: Desk, saved: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved.read_bytes()
    move(desk.session)
    monkeypatch.setattr(os if step == "fsync" else Path, step, full)
    desk.do("file.save")
    monkeypatch.undo()
    assert "No space left on device" in desk.line
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]
    assert not desk.session.is_clean
    desk.do("file.save")
    assert desk.session.is_clean
    assert native.load(saved, desk.window.catalog).devices["leaf-1"].x == 333.0


def test_a_read_only_file_can_be_saved_elsewhere(desk: Desk, saved: Path) -> None:
    move(desk.session)
    saved.chmod(0o444)
    desk.do("file.save")
    assert "read-only" in desk.line
    assert not desk.session.is_clean
    other = saved.with_name("other.topo.json")
    assert desk.window.files.write(desk.session, other)
    assert desk.session.path == other
    assert native.load(other, desk.window.catalog).devices["leaf-1"].x == 333.0


def test_edits_are_kept_beside_the_file_and_never_in_it(desk: Desk, saved: Path) -> None:
    before = saved.read_bytes()
    for x in (10.0, 20.0, 30.0):
        move(desk.session, x)
    assert saved.read_bytes() == before
    journal = desk.session.journal
    assert journal is not None
    assert journal.count == 3
    assert saved.parent not in journal.file.parents
    assert len(journal.file.read_bytes().splitlines()) == 4  # the header, and one for each edit


def sample_paths() -> list[Path]:
    return sorted(paths.samples().glob("*.topo.json"), key=lambda p: p.stat().st_size)[:5]


@pytest.mark.parametrize("sample", sample_paths(), ids=lambda p: p.name.split(".")[0])
def test_opening_writes_nothing_and_saving_gives_the_same_bytes(
    bare_window: MainWindow, tmp_path: Path, sample: Path
) -> None:
    bare_window.catalog = read_catalog()[0]
    target = tmp_path / sample.name
    target.write_bytes(sample.read_bytes())
    target.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        assert bare_window.files.open_path(target) == ""
        session = bare_window.session
        assert session is not None
        assert session.is_clean
        assert session.undo_stack.count() == 0
    finally:
        tmp_path.chmod(0o755)
        target.chmod(0o644)
    assert [p.name for p in tmp_path.iterdir() if not p.name.startswith(".")] == [sample.name]
    bare_window.files.save()
    assert target.read_bytes() == sample.read_bytes()


def test_a_recent_file_that_vanished_is_located_or_taken_off_the_list(
    desk: Desk, saved: Path, tmp_path: Path
) -> None:
    desk.do("file.close")
    elsewhere = tmp_path / "moved.topo.json"
    saved.rename(elsewhere)
    desk.window.files.open_path(saved)
    assert "there is no such file" in desk.line
    assert desk.window.session is None
    desk.press("Locate…")
    (dialog,) = desk.window.findChildren(QFileDialog)
    assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptOpen  # never a question to save
    dialog.fileSelected.emit(str(elsewhere))
    dialog.close()
    assert desk.session.path == elsewhere
    assert [Path(e.path).name for e in preferences.load_recent()] == ["moved.topo.json"]
    assert not saved.exists()


def test_a_vanished_file_can_be_forgotten(desk: Desk, saved: Path) -> None:
    desk.do("file.close")
    saved.unlink()
    desk.window.files.open_path(saved)
    desk.press("Remove")
    assert preferences.load_recent() == []
    assert desk.line == ""


def test_a_change_of_another_program_is_told_with_what_differs(desk: Desk, saved: Path) -> None:
    theirs = native.load(saved, desk.window.catalog)
    theirs.apply(MoveDevices("Move", ("leaf-2",), (999.0,), (0.0,)))
    saved.write_bytes(native.dumps(theirs))
    move(desk.session)
    desk.window.conflicts.watch.look()
    assert "Compared with yours: 2 moved." in desk.line
    words = [b.text() for b in desk.window.documents.messages.findChildren(QPushButton)]
    assert {"Reload", "Keep mine"} <= set(words)
    assert desk.document.devices["leaf-2"].x != 999.0  # nothing is merged by itself


def test_one_broken_element_does_not_keep_the_rest_shut(
    bare_window: MainWindow, document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    target = tmp_path / "broken.topo.json"
    data = native.dumps(document).replace(b'"name":"leaf-2"', b'"name":7')
    target.write_bytes(data)
    bare_window.files.open_path(target)
    messages = bare_window.documents.messages
    assert "leaf-2" in messages.text
    assert "line" in messages.text
    assert bare_window.session is None
    next(b for b in messages.findChildren(QPushButton) if b.text() == "Open what is whole").click()
    qtbot.waitUntil(lambda: bare_window.session is not None)
    session = bare_window.session
    assert session is not None
    assert set(session.document.devices) == {"node-1", "node-2", "leaf-1"}
    assert set(session.document.links) == {"link-11", "link-21"}
    assert session.path is None
    assert not session.is_clean
    assert len(session.notices) == 3
    listed = [row.text for row in bare_window.sides.bottom.problems.model.rows_]
    assert set(session.notices) <= set(listed)
    assert target.read_bytes() == data


def test_places_and_line_ends_come_back_exactly(desk: Desk, tmp_path: Path) -> None:
    odd = (0.1 + 0.2, -1e-7, 123456.789012345)
    ids = ("leaf-1", "leaf-2", "node-1")
    desk.session.apply(MoveDevices("Move", ids, odd, tuple(reversed(odd))))
    before = {i: desk.canvas.scene.rect_of(i) for i in ids}
    target = tmp_path / "odd.topo.json"
    desk.window.files.write(desk.session, target)
    desk.do("file.close")
    desk.window.files.open_path(target)
    assert {i: desk.canvas.scene.rect_of(i) for i in ids} == before


def test_a_broken_journal_moves_aside_and_the_start_goes_on(bare_window: MainWindow) -> None:
    folder = paths.state_dir() / "journals"
    folder.mkdir(parents=True)
    broken = folder / "1-abc.journal"
    broken.write_bytes(b"\x00\xff not a journal")
    bare_window.offer_recovery()
    assert pending_journals() == ()
    (kept,) = folder.glob("*.corrupt")
    assert kept.read_bytes() == b"\x00\xff not a journal"
