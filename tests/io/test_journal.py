"""The journal: replay gives the same drawing, damage costs only what is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.io.drawings import CANONICAL, small_drawing
from tests.model.small import small_catalog
from tests.model.test_random_edits import STEPS, edit_for
from topoedit import paths
from topoedit.errors import BadFileError, TopoeditError
from topoedit.io import journal as journals
from topoedit.io import native
from topoedit.io.journal import Journal, pending_journals
from topoedit.model.document import Document
from topoedit.model.edits import Edit, MoveDevices
from topoedit.model.elements import Device

CATALOG = small_catalog()
NEW = Edit("Add", put=(Device(id="new", name="new", type="open", kind="switch"),))
MOVE = MoveDevices("Move", ("new",), (1.0,), (2.0,))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "small.topo.json"
    path.write_text(CANONICAL, encoding="utf-8")
    return path


def crash_with_edits(path: Path, *edits: Edit | MoveDevices) -> tuple[Document, Journal]:
    """A drawing edited and left behind as a crash leaves it."""
    opened = native.read(path, CATALOG)
    journal = Journal.open_for(path, opened.digest)
    for edit in edits:
        opened.document.apply(edit)
        journal.append(edit)
    journal.close(keep=True)
    return opened.document, journal


def journal_files() -> list[str]:
    folder = paths.state_dir() / "journals"
    return sorted(p.name for p in folder.iterdir()) if folder.exists() else []


def test_nothing_is_written_before_the_first_edit(path: Path):
    Journal.open_for(path, "x").close()
    assert journal_files() == []
    assert pending_journals() == ()


def test_replay_after_a_crash(path: Path):
    document, _ = crash_with_edits(path, NEW, MOVE)
    (pending,) = pending_journals()
    assert (pending.path, pending.name, len(pending.edits)) == (path, path.name, 2)
    replayed = pending.recover(CATALOG)
    assert (replayed.applied, replayed.lost) == (2, 0)
    assert native.dumps(replayed.document) == native.dumps(document)
    assert pending_journals() == (pending,), "it stays until the user has chosen"
    pending.discard()
    assert journal_files() == []


def test_a_running_editor_is_not_pending(path: Path):
    journal = Journal.open_for(path, "x")
    journal.append(NEW)
    assert pending_journals() == ()
    journal.close()
    assert journal_files() == []


def test_after_a_save_the_journal_starts_again(path: Path):
    document = native.load(path, CATALOG)
    journal = Journal.open_for(path, "x")
    journal.append(NEW)
    document.apply(NEW)
    journal.saved(path, native.save(document, path))
    assert journal_files() == []
    journal.append(MOVE)
    document.apply(MOVE)
    journal.close(keep=True)
    replayed = pending_journals()[0].recover(CATALOG)
    assert native.dumps(replayed.document) == native.dumps(document)


def test_a_drawing_without_a_file_keeps_a_snapshot():
    document = small_drawing()
    journal = Journal.open_for(None, "", document)
    document.apply(NEW)
    journal.append(NEW)
    journal.close(keep=True)
    (pending,) = pending_journals()
    assert (pending.path, pending.name) == (None, "Small")
    assert native.dumps(pending.recover(CATALOG).document) == native.dumps(document)
    pending.discard()
    assert journal_files() == []


def test_a_base_that_has_changed_is_refused_and_the_journal_stays(path: Path):
    crash_with_edits(path, NEW)
    path.write_text(CANONICAL.replace("Small", "Changed"), encoding="utf-8")
    (pending,) = pending_journals()
    with pytest.raises(BadFileError, match="has changed since"):
        pending.recover(CATALOG)
    path.unlink()
    with pytest.raises(BadFileError, match="no such file"):
        pending.recover(CATALOG)
    assert pending_journals() == (pending,)


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_torn_tail_loses_only_the_last_edit(path: Path, cut: int):
    _, journal = crash_with_edits(path, NEW, MOVE)
    data = journal.file.read_bytes()
    journal.file.write_bytes(data[:-cut])
    (pending,) = pending_journals()
    assert (len(pending.edits), pending.lost) == ((2, 0) if cut == 1 else (1, 1))


def test_a_flipped_bit_is_noticed(path: Path):
    _, journal = crash_with_edits(path, NEW, MOVE)
    journal.file.write_bytes(journal.file.read_bytes().replace(b'"xs":[1.0]', b'"xs":[3.0]'))
    assert pending_journals()[0].lost == 1


def test_a_corrupt_journal_moves_aside_and_is_never_deleted(path: Path):
    _, journal = crash_with_edits(path, NEW)
    journal.file.write_bytes(b"\0garbage" + journal.file.read_bytes())
    content = journal.file.read_bytes()
    assert pending_journals() == ()
    (kept,) = journal_files()
    assert kept.endswith(".corrupt")
    assert (paths.state_dir() / "journals" / kept).read_bytes() == content
    assert pending_journals() == ()
    assert journal_files() == [kept]


def test_setting_aside_keeps_everything():
    journal = Journal.open_for(None, "", small_drawing())
    journal.append(NEW)
    journal.close(keep=True)
    content = journal.file.read_bytes()
    aside = pending_journals()[0].set_aside()
    assert aside.read_bytes() == content
    assert pending_journals() == ()
    assert len(journal_files()) == 2


def test_what_was_given_up_comes_back_and_only_the_last_few_are_kept():
    for _ in range(journals.MOST_GIVEN_UP + 3):
        journal = Journal.open_for(None, "", small_drawing())
        journal.append(NEW)
        journal.close(keep=True)
        (pending,) = pending_journals()
        aside = pending.give_up()
        assert pending_journals() == ()
    assert len(journal_files()) == 2 * journals.MOST_GIVEN_UP
    assert pending.bring_back(aside)
    assert pending_journals() == (pending,)
    assert "new" in pending.recover(CATALOG).document
    assert not pending.bring_back(aside)


def test_one_window_claims_a_journal(path: Path):
    crash_with_edits(path, NEW)
    (pending,) = pending_journals()
    with pending.claimed() as mine:
        assert mine
        assert pending_journals() == ()
        with pending.claimed() as second:
            assert not second
        pending.give_up()
    with pending.claimed() as again:
        assert not again


def test_edits_that_took_each_other_back_are_saved(path: Path):
    document = native.load(path, CATALOG)
    inverse = document.apply(NEW)
    crash_with_edits(path, NEW, inverse)
    assert pending_journals()[0].is_saved(CATALOG)


def test_an_edit_that_no_longer_applies_stops_the_replay(path: Path):
    _, journal = crash_with_edits(path, NEW)
    journal.file.write_bytes(
        journal.file.read_bytes() + journals._line(journals._encode(NEW)) * 2
        + journals._line(journals._encode(Edit("Drop", drop=("nobody",))))
    )  # fmt: skip
    replayed = pending_journals()[0].recover(CATALOG)
    assert (replayed.applied, replayed.lost) == (3, 1)
    assert "new" in replayed.document


def test_a_state_folder_that_cannot_be_written_is_said(path: Path):
    paths.state_dir().parent.mkdir(parents=True, exist_ok=True)
    paths.state_dir().write_text("in the way", encoding="utf-8")
    with pytest.raises(BadFileError, match="journal cannot be written"):
        Journal.open_for(path, "x").append(NEW)
    assert pending_journals() == ()


@given(STEPS, st.integers(0, 400))
def test_replay_equals_the_edited_drawing_up_to_any_cut(
    steps: list[tuple[int, int, int]], cut: int
):
    document = Document(CATALOG)
    journal = Journal.open_for(None, "", document)
    states = [native.dumps(document)]
    for step in steps[:25]:
        try:
            edit = edit_for(document, step)
            document.apply(edit)
        except TopoeditError:
            continue
        journal.append(edit)
        states.append(native.dumps(document))
    journal.close(keep=True)
    if len(states) > 1:
        data = journal.file.read_bytes()
        header = data.index(b"\n") + 1
        journal.file.write_bytes(data[: max(header, len(data) - cut)])
        (pending,) = pending_journals()
        replayed = pending.recover(CATALOG)
        assert native.dumps(replayed.document) == states[replayed.applied]
        assert cut or replayed.applied == len(states) - 1
        pending.discard()
    assert journal_files() == []
