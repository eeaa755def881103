"""The process killed at random moments of an editing run: at most the last edit is missing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.editor import killed_run
from topoedit import paths
from topoedit.catalog.load import load_catalog
from topoedit.editor.recovery import Recovery
from topoedit.editor.window import MainWindow
from topoedit.errors import BadFileError
from topoedit.io import native
from topoedit.io.filelock import FileLock
from topoedit.io.journal import pending_journals

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")


def fresh(path: Path) -> None:
    path.write_bytes((paths.samples() / "dgx-h100.topo.json").read_bytes())


def all_states(path: Path, seed: int, count: int) -> list[str]:
    """The hash of the drawing as opened and after each step."""
    fresh(path)
    window = killed_run.open_window(path)
    found = [native.digest_of(path.read_bytes()), *killed_run.steps(window, seed, count)]
    session = window.session
    assert session is not None
    session.mark_saved(path)
    window.close_tab(0)
    window.close()
    window.deleteLater()
    return found


def killed(path: Path, seed: int, after: int, spins: int) -> int:
    """Run, kill some moments after this many steps; returns how many steps were told as done."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.editor.killed_run", str(path), str(seed)],
        cwd=ROOT, stdout=subprocess.PIPE, env=dict(os.environ),
    )  # fmt: skip
    assert process.stdout is not None
    told = 0
    for _ in range(after + 1):
        assert process.stdout.readline()
        told += 1
    for _ in range(spins):
        path.stat()
    process.send_signal(signal.SIGKILL)
    told += len(process.stdout.read().splitlines())
    process.wait()
    process.stdout.close()
    return told - 1


def recovered(path: Path) -> str:
    """The hash of what a person has after the next start."""
    catalog = load_catalog(user=False)
    on_disk = native.read(path, catalog)  # whole, whatever happened
    journals = [journal for journal in pending_journals() if journal.edits]
    assert len(journals) <= 1
    if not journals or journals[0].is_saved(catalog):
        return on_disk.digest
    replayed = journals[0].recover(catalog)
    assert replayed.lost <= 1
    return native.digest_of(native.dumps(replayed.document))


def kill_often(path: Path, times: int, seed: int, most: int) -> None:
    choose = random.Random(seed)
    states = all_states(path, seed, most + 10)
    for attempt in range(times):
        fresh(path)
        done = killed(path, seed, choose.randrange(most), choose.randrange(4_000))
        found = recovered(path)
        assert found in states[done : done + 2], f"attempt {attempt} after {done} steps"
        lock = FileLock(path)
        assert lock.acquire(), "still locked"
        lock.release()
        for journal in pending_journals():
            journal.discard()


def test_killed_at_any_moment_at_most_the_last_edit_is_missing(
    qapp: QApplication, tmp_path: Path
) -> None:
    kill_often(tmp_path / "drawing.topo.json", 5, seed=4, most=14)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_killed_two_hundred_times(qapp: QApplication, tmp_path: Path) -> None:
    kill_often(tmp_path / "drawing.topo.json", 200, seed=17, most=40)


def test_killed_between_the_save_and_its_journal_nothing_is_offered_twice(
    window: MainWindow, document, catalog, tmp_path: Path
) -> None:
    from topoedit.editor.session import DocumentSession
    from topoedit.model.edits import Edit

    path = tmp_path / "two.topo.json"
    session = DocumentSession(document)
    window.add_session(session)
    assert window.files.write(session, path)
    session.apply(Edit("Delete link", drop=("link-11",)))
    assert session.journal is not None
    session.journal.close(keep=True)  # the process is gone, the file written, the journal there
    native.save(session.document, path)
    (journal,) = pending_journals()
    with pytest.raises(BadFileError, match="has changed since"):
        journal.recover(catalog)
    assert journal.is_saved(catalog)
    recovery = Recovery(window, window.add_session)
    recovery.look()
    assert recovery.lines() == []
    assert not journal.file.exists()
