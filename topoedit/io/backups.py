"""Rotating copies of drawings in the state folder, made before a save replaces a file."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
from pathlib import Path

from topoedit import paths

KEEP = 10
KEEP_BYTES = 256 * 2**20
_NUMBERED = re.compile(r"(\d{6,})-(.+)")


def folder_of(path: Path) -> Path:
    """Where the backups of one drawing are."""
    digest = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    return paths.state_dir() / "backups" / digest[:16]


def backups_of(path: Path) -> tuple[Path, ...]:
    """Backups of a drawing, the newest first."""
    try:
        found = [p for p in folder_of(path).iterdir() if _NUMBERED.fullmatch(p.name)]
    except OSError:
        return ()
    return tuple(sorted(found, key=_number, reverse=True))


def _number(backup: Path) -> int:
    match = _NUMBERED.fullmatch(backup.name)
    return int(match[1]) if match else 0


def keep(path: Path) -> Path | None:
    """Copy a drawing before it is replaced; None if there is nothing new to keep.

    A state folder that cannot be written never stops a save.
    """
    with contextlib.suppress(OSError):
        if not path.is_file() or path.stat().st_size == 0:
            return None
        old = backups_of(path)
        if old and _same(old[0], path):
            return None
        folder = folder_of(path)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        number = _number(old[0]) + 1 if old else 1
        target = folder / f"{number:06d}-{path.name[-100:]}"
        temporary = folder / f".{target.name}.tmp"
        shutil.copyfile(path, temporary)
        temporary.replace(target)
        _drop_old(path)
        return target
    return None


def _same(a: Path, b: Path) -> bool:
    return a.stat().st_size == b.stat().st_size and a.read_bytes() == b.read_bytes()


def _drop_old(path: Path) -> None:
    total = 0
    for place, backup in enumerate(backups_of(path)):
        total += backup.stat().st_size
        if place and (place >= KEEP or total > KEEP_BYTES):
            backup.unlink()
