"""Journals: offered after a crash, kept until the user has decided."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from topoedit.editor.dialogs.recovery_dialog import RecoveryDialog
from topoedit.editor.file_lists import when_words
from topoedit.editor.recovery import Recovery
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
    assert line.startswith(f"two.topo.json in {tmp_path}, Today ")
    assert line.endswith(", 1 edit after the last save")
    page = window.welcome.page
    assert page is not None
    page.recovery_chosen.emit(key, True)
    session = window.session
    assert session is not None
    assert "link-11" not in session.document.links
    assert not session.is_clean
    assert pending_journals() == (), "held by this window"
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


def test_restored_work_is_safe_from_a_second_window_and_survives_another_crash(
    window: MainWindow, document: Document, tmp_path: Path
) -> None:
    crash(document, tmp_path / "two.topo.json")
    window.offer_recovery()
    second = Recovery(window, window.add_session)
    second.look()
    (key, _), *_ = window.welcome.recovery.lines()
    window.welcome.recover(key, True)
    session = window.session
    assert session is not None
    assert session.journal is not None
    assert second.discard(key) is None
    second.look()
    assert second.lines() == []
    session.journal.close(keep=True)  # the process dies
    (again,) = pending_journals()
    assert "link-11" not in again.recover(window.catalog).document.links


def test_restored_edits_are_steps_that_can_be_taken_back(
    window: MainWindow, document: Document, tmp_path: Path
) -> None:
    target = tmp_path / "two.topo.json"
    journal = Journal.open_for(target, native.save(document, target))
    first = MoveDevices("Move leaf-1", ("leaf-1",), (1.0,), (1.0,))
    inverse = document.apply(first)
    document.apply(inverse)
    for edit in (first, inverse, first, Edit("Delete link", drop=("link-11",))):
        journal.append(edit)
    journal.close(keep=True)
    window.offer_recovery()
    (key, _), *_ = window.welcome.recovery.lines()
    window.welcome.recover(key, True)
    session = window.session
    assert session is not None
    stack = session.undo_stack
    assert [stack.text(i) for i in range(stack.count())] == ["Move leaf-1", "Delete link"]
    session.undo()
    assert "link-11" in session.document.links
    session.undo()
    assert session.is_clean
    assert session.document.devices["leaf-1"].x != 1.0


def test_discarded_work_can_be_brought_back(
    window: MainWindow, document: Document, tmp_path: Path
) -> None:
    crash(document, tmp_path / "two.topo.json")
    window.offer_recovery()
    (key, _), *_ = window.welcome.recovery.lines()
    window.welcome.recover(key, False)
    assert window.welcome.recovery.lines() == []
    messages = window.documents.messages
    assert messages.text == "Discarded the unsaved work of two.topo.json"
    next(b for b in messages.findChildren(QPushButton) if b.text() == "Undo").click()
    assert len(pending_journals()) == 1
    assert [k for k, _ in window.welcome.recovery.lines()] == [key]


def test_after_one_was_restored_the_next_is_offered(
    window: MainWindow, document: Document, tmp_path: Path
) -> None:
    crash(document, tmp_path / "two.topo.json")
    journal = Journal.open_for(None, "", document)
    journal.append(MoveDevices("Move leaf-1", ("leaf-1",), (1.0,), (1.0,)))
    journal.close(keep=True)
    window.offer_recovery()
    lines = dict(window.welcome.recovery.lines())
    key = next(k for k, line in lines.items() if line.startswith("two.topo.json"))
    window.welcome.recover(key, True)
    text = window.documents.messages.text
    assert text.startswith("Restored 1 edit of two.topo.json.")
    assert "Unsaved work found: " in text
    assert ", never saved, Today " in text


def test_a_drawing_that_is_what_its_file_holds_is_not_offered(
    window: MainWindow, document: Document, tmp_path: Path
) -> None:
    target = tmp_path / "two.topo.json"
    journal = Journal.open_for(target, native.save(document, target))
    edit = MoveDevices("Move leaf-1", ("leaf-1",), (1.0,), (1.0,))
    journal.append(edit)
    journal.append(document.apply(edit))
    journal.close(keep=True)
    window.offer_recovery()
    assert window.welcome.recovery.lines() == []
    assert pending_journals() == ()


def test_moments_are_said_as_people_say_them() -> None:
    noon = 1_764_504_000.0
    assert when_words(noon, noon).startswith("Today ")
    assert when_words(noon - 86_400, noon) == "Yesterday"
    assert when_words(noon - 20 * 86_400, noon).split()[0].isdecimal()
    assert when_words(0) == ""


# -- the dialog ------------------------------------------------------------------------------------


def reviewed(window: MainWindow, qtbot: QtBot) -> RecoveryDialog:
    """The dialog behind Review on the welcome page, once it has read what is in front."""
    window.offer_recovery()
    page = window.welcome.page
    assert page is not None
    next(b for b in page.findChildren(QPushButton) if b.text() == "Review…").click()
    dialog = window.findChild(RecoveryDialog)
    qtbot.waitUntil(lambda: dialog.line.text() != "Reading…")
    return dialog


def test_found_work_is_seen_before_it_is_restored(
    window: MainWindow, document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    target = tmp_path / "two.topo.json"
    crash(document, target)
    dialog = reviewed(window, qtbot)
    assert dialog.list.item(0).text() == "two.topo.json"
    when, file = dialog.where.text().splitlines()
    assert when.startswith("Today ")
    assert when.endswith(", 1 edit")
    assert file == str(target)
    assert [dialog.edits.item(0).text()] == ["Delete link"]
    assert dialog.counts.text() == "4 devices, 3 links"
    assert not dialog.picture.pixmap().isNull()
    assert dialog.line.text() == "Opens the drawing with 1 edit, unsaved."
    assert len(pending_journals()) == 1
    dialog.accept_button.click()
    assert window.session is not None
    assert "link-11" not in window.session.document.links
    assert pending_journals() == ()


def test_found_work_is_kept_for_later(
    window: MainWindow, document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    crash(document, tmp_path / "two.topo.json")
    dialog = reviewed(window, qtbot)
    assert dialog.cancel_button.text() == "Keep for later"
    dialog.cancel_button.click()
    assert window.session is None
    assert len(pending_journals()) == 1
    assert len(window.welcome.recovery.lines()) == 1


def test_discarding_in_the_dialog_goes_on_to_the_next(
    window: MainWindow, document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    crash(document, tmp_path / "two.topo.json")
    document.apply(Edit("Delete link", drop=("link-12",)))
    other = tmp_path / "other.topo.json"
    digest = native.save(document, other)
    journal = Journal.open_for(other, digest)
    journal.append(MoveDevices("Move leaf-1", ("leaf-1",), (1.0,), (1.0,)))
    journal.close(keep=True)
    dialog = reviewed(window, qtbot)
    assert dialog.list.count() == 2
    dialog.discard_button.click()
    qtbot.waitUntil(lambda: dialog.line.text() != "Reading…")
    assert dialog.list.count() == 1
    assert len(pending_journals()) == 1
    dialog.discard_button.click()
    assert not dialog.isVisible()
    assert pending_journals() == ()
    page = window.welcome.page
    assert page is not None
    assert not [b for b in page.findChildren(QPushButton) if b.text() == "Review…"]


def test_work_on_a_file_that_has_changed_says_why_it_cannot_be_restored(
    window: MainWindow, document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    target = tmp_path / "two.topo.json"
    crash(document, target)
    document.apply(MoveDevices("Move", ("leaf-1",), (1.0,), (1.0,)))
    native.save(document, target)
    dialog = reviewed(window, qtbot)
    assert "has changed since" in dialog.line.text()
    assert not dialog.accept_button.isEnabled()
    assert dialog.discard_button.isEnabled()
    dialog.reject()
    assert len(pending_journals()) == 1
