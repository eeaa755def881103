"""The one module with calls that differ between systems."""

from __future__ import annotations

from pathlib import Path

from topoedit import system


def test_a_lock_has_one_holder(tmp_path: Path):
    path = tmp_path / "x.lock"
    with system.lock(path) as first:
        assert first
        with system.lock(path) as second:
            assert not second
    with system.lock(path) as again:
        assert again


def test_a_folder_that_cannot_be_synced_is_no_error(tmp_path: Path):
    system.sync_folder(tmp_path)
    system.sync_folder(tmp_path / "missing")
