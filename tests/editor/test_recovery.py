"""Journals: offered after a crash, kept until the user has decided."""

from __future__ import annotations

from pathlib import Path

from topoedit.editor.file_lists import when_words
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.io import native
from topoedit.io.journal import Journal, pending_journals
from topoedit.model.document import Document
from topoedit.model.edits import Edit, MoveDevices


def crash(document: Document, target: Path) -> None:
    """What a killed editor leaves: a saved file and a journal of one edit after it."""
    digest = native.save(document, target)
    journal = Journal.open_for(target, digest)
    edit = Edit("Delete link", drop=("link-11",))
    document.apply(edit)
    journal.append(edit)
    journal.close(keep=True)


def test_found_work_is_restored_and_goes_once_it_is_saved(
    window: MainWindow, document: Document, tmp_path: Path
) -> None:
    target = tmp_path / "two.topo.json"
    crash(document, target)
    window.offer_recovery()
    (key, line), *_ = window.welcome.recovery.lines()
    assert line == "two.topo.json, 1 edit after the last save"
    page = window.welcome.page
    assert page is not None
    page.recovery_chosen.emit(key, True)
    session = window.session
    assert session is not None
    assert "link-11" not in session.document.links
    assert not session.is_clean
    assert len(pending_journals()) == 1
    window.actions_["file.save"].trigger()
    assert session.is_clean
    assert pending_journals() == ()
    assert "link-11" not in native.load(target, window.catalog).links


def test_found_work_is_discarded_only_when_asked(
    window: MainWindow, document: Document, tmp_path: Path
) -> None:
    crash(document, tmp_path / "two.topo.json")
    window.offer_recovery()
    window.actions_["file.new"].trigger()
    assert len(pending_journals()) == 1
    (key, _), *_ = window.welcome.recovery.lines()
    window.welcome.recover(key, False)
    assert pending_journals() == ()


def test_a_changed_file_is_not_overwritten_by_its_journal(
    window: MainWindow, document: Document, tmp_path: Path
) -> None:
    target = tmp_path / "two.topo.json"
    crash(document, target)
    document.apply(MoveDevices("Move", ("leaf-1",), (1.0,), (1.0,)))
    native.save(document, target)
    window.offer_recovery()
    (key, _), *_ = window.welcome.recovery.lines()
    window.welcome.recover(key, True)
    assert window.session is None
    assert "has changed since" in window.documents.messages.text
    assert len(pending_journals()) == 1


def test_every_edit_and_undo_is_written_down(window: MainWindow, document: Document) -> None:
    window.add_session(DocumentSession(document, title="Two nodes"))
    session = window.session
    assert session is not None
    session.apply(MoveDevices("Move", ("leaf-1",), (1.0,), (1.0,)))
    session.undo()
    session.redo()
    assert session.journal is not None
    assert session.journal.count == 3
    file = session.journal.file
    assert file.is_file()
    session.mark_saved(Path("elsewhere.topo.json"))
    window.actions_["file.close"].trigger()
    assert not file.exists()


def test_moments_are_said_as_people_say_them() -> None:
    noon = 1_764_504_000.0
    assert when_words(noon, noon).startswith("Today ")
    assert when_words(noon - 86_400, noon) == "Yesterday"
    assert when_words(noon - 20 * 86_400, noon).split()[0].isdecimal()
    assert when_words(0) == ""
