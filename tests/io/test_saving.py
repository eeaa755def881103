"""Saving: whole or not at all, permissions and links kept, older versions kept as backups."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.io.drawings import CANONICAL, small_drawing
from tests.model.small import small_catalog
from topoedit import paths
from topoedit.errors import BadFileError
from topoedit.io import atomic, backups, native
from topoedit.model.edits import Edit
from topoedit.model.elements import Note

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and signals")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "small.topo.json"
    path.write_text(CANONICAL, encoding="utf-8")
    return path


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


@POSIX
def test_permissions_are_kept(path: Path):
    path.chmod(0o640)
    native.save(small_drawing(), path)
    assert path.stat().st_mode & 0o777 == 0o640


@POSIX
def test_a_symbolic_link_stays_one(path: Path, tmp_path: Path):
    link = tmp_path / "link.topo.json"
    link.symlink_to(path.name)
    path.write_text("old", encoding="utf-8")
    native.save(small_drawing(), link)
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == CANONICAL


def test_a_read_only_file_is_left_alone(path: Path):
    path.write_text("old", encoding="utf-8")
    path.chmod(0o444)
    with pytest.raises(BadFileError, match="it is read-only"):
        native.save(small_drawing(), path)
    path.chmod(0o644)
    assert path.read_text(encoding="utf-8") == "old"
    assert names(path.parent) == [path.name]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(path: Path, step: str, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    owner = os if step == "fsync" else Path
    monkeypatch.setattr(owner, step, full)
    document = small_drawing()
    with pytest.raises(BadFileError, match="No space left on device") as caught:
        native.save(document, path)
    monkeypatch.undo()
    assert str(path) in caught.value.line
    assert path.read_text(encoding="utf-8") == CANONICAL
    assert names(path.parent) == [path.name]


def test_what_does_not_read_back_is_not_kept(path: Path):
    def refuse(written: bytes) -> None:
        raise BadFileError("does not read back", str(path))

    with pytest.raises(BadFileError, match="does not read back"):
        atomic.write(path, b"new", check=refuse)
    assert path.read_text(encoding="utf-8") == CANONICAL
    assert names(path.parent) == [path.name]


def test_half_a_character_is_refused_in_one_line(path: Path):
    document = small_drawing()
    document.apply(Edit("Note", put=(Note(id="note-1", text="\ud800"),)))
    with pytest.raises(BadFileError, match="cannot be written"):
        native.save(document, path)
    assert path.read_text(encoding="utf-8") == CANONICAL


def test_a_missing_folder_and_a_folder_in_the_way(tmp_path: Path):
    with pytest.raises(BadFileError, match="No such file"):
        native.save(small_drawing(), tmp_path / "no" / "x.topo.json")
    with pytest.raises(BadFileError, match="is a folder"):
        native.save(small_drawing(), tmp_path)
    assert names(tmp_path) == []


SAVER = """
import sys
from pathlib import Path
from tests.io.drawings import small_drawing
from topoedit.io import native
from topoedit.model.edits import Edit
from topoedit.model.elements import Note
document = small_drawing()
path = Path(sys.argv[1])
number = 0
while True:
    number += 1
    note = Note(id="note-1", text=str(number) + "x" * 200_000)
    document.apply(Edit("Write", put=(note,)))
    native.save(document, path)
    if number == 1:
        print("saved", flush=True)
"""


@POSIX
def test_killed_in_the_middle_of_saves_the_file_is_whole(path: Path):
    root = Path(__file__).parents[2]
    for attempt in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", SAVER, str(path)], cwd=root, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"saved\n"
        until = time.monotonic() + 0.004 * attempt
        while time.monotonic() < until:
            path.stat()
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        document = native.load(path, small_catalog())
        assert document.notes["note-1"].text.endswith("x" * 200_000)


def test_backups_rotate_and_the_newest_comes_first(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(backups, "KEEP", 3)
    for number in range(6):
        path.write_text(f"version {number}", encoding="utf-8")
        assert backups.keep(path) is not None
    assert backups.keep(path) is None
    kept = [p.read_text(encoding="utf-8") for p in backups.backups_of(path)]
    assert kept == ["version 5", "version 4", "version 3"]


def test_saving_keeps_what_was_there(path: Path):
    path.write_text("precious", encoding="utf-8")
    native.save(small_drawing(), path)
    assert [p.read_text(encoding="utf-8") for p in backups.backups_of(path)] == ["precious"]


def test_large_backups_are_fewer(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(backups, "KEEP_BYTES", 25)
    for number in range(5):
        path.write_text(f"{number:010d}", encoding="utf-8")
        backups.keep(path)
    assert len(backups.backups_of(path)) == 2


def test_a_state_folder_that_cannot_be_made_does_not_stop_a_save(path: Path):
    paths.state_dir().parent.mkdir(parents=True, exist_ok=True)
    paths.state_dir().write_text("a file in the way", encoding="utf-8")
    path.write_text("old", encoding="utf-8")
    native.save(small_drawing(), path)
    assert path.read_text(encoding="utf-8") == CANONICAL
