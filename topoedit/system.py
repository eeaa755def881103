"""The calls that differ between operating systems, in one place."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` survive a power cut, where the system can (not on Windows)."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # some network file systems cannot
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def lock(path: Path) -> Iterator[bool]:
    """Hold an advisory lock on a file while the block runs; yields False if another has it.

    The system drops the lock when the process dies.
    """
    with path.open("a+b") as stream:
        held = try_lock(stream.fileno())
        try:
            yield held
        finally:
            if held:
                unlock(stream.fileno())


def try_lock(handle: int) -> bool:
    """Take an exclusive lock on an open file without waiting."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def unlock(handle: int) -> None:
    """Give back a lock taken by `try_lock`."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_UN)


def lower_priority() -> None:
    """Let everything else go first: for background work that must not slow a window."""
    if sys.platform == "win32":
        import ctypes

        below_normal = 0x4000
        process = ctypes.windll.kernel32.GetCurrentProcess()
        ctypes.windll.kernel32.SetPriorityClass(process, below_normal)
        return
    with contextlib.suppress(OSError):
        os.nice(10)


def ignore_interrupts() -> None:
    """Leave Ctrl C to the parent process."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
