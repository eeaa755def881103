"""One window a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from topoedit.io.filelock import FileLock


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPOEDIT_HOME", str(tmp_path / "home"))


def test_the_second_does_not_get_it_until_the_first_lets_go(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "a.topo.json"), FileLock(tmp_path / "a.topo.json")
    assert first.acquire()
    assert first.acquire(), "taking it twice is no harm"
    assert not second.acquire()
    assert not second.is_held
    first.release()
    assert second.acquire()
    second.release()


def test_files_do_not_lock_one_another_and_nothing_lies_beside_them(tmp_path: Path) -> None:
    one, other = FileLock(tmp_path / "a.topo.json"), FileLock(tmp_path / "b.topo.json")
    assert one.acquire()
    assert other.acquire()
    assert [p.name for p in tmp_path.iterdir()] == ["home"]
    one.release()
    other.release()


def test_a_dead_process_holds_nothing(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from topoedit.io.filelock import FileLock; "
        "print(FileLock(Path(sys.argv[1])).acquire(), flush=True); os._exit(1)"
    )
    target = str(tmp_path / "a.topo.json")
    done = subprocess.run([sys.executable, "-c", code, target], capture_output=True, text=True)
    assert done.stdout.strip() == "True"
    lock = FileLock(Path(target))
    assert lock.acquire()
    lock.release()


def test_another_process_that_lives_holds_it(tmp_path: Path) -> None:
    target = tmp_path / "a.topo.json"
    lock = FileLock(target)
    assert lock.acquire()
    code = (
        "import sys; from pathlib import Path; from topoedit.io.filelock import FileLock; "
        "print(FileLock(Path(sys.argv[1])).acquire())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(target)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
    lock.release()


def test_a_state_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    lock = FileLock(tmp_path / "a.topo.json")
    assert lock.acquire()
    assert not lock.is_held
