"""One window a file: a lock in the state folder, dropped by the system when its process dies."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import IO

from topoedit import paths, system


class FileLock:
    """The right to write one drawing.

    The lock file lies in the state folder and not beside the drawing: opening writes nothing there.
    """

    def __init__(self, path: Path) -> None:
        digest = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
        self.path = path
        self._file = paths.state_dir() / "locks" / f"{digest[:16]}.lock"
        self._stream: IO[bytes] | None = None

    @property
    def is_held(self) -> bool:
        """Whether this holds the lock."""
        return self._stream is not None

    def acquire(self) -> bool:
        """Take the lock without waiting; False if another window has it.

        A state folder that cannot be written locks nothing and stops nobody.
        """
        if self._stream is not None:
            return True
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            stream = self._file.open("a+b")
        except OSError:
            return True
        if not system.try_lock(stream.fileno()):
            stream.close()
            return False
        self._stream = stream
        return True

    def release(self) -> None:
        """Give the lock back."""
        stream, self._stream = self._stream, None
        if stream is not None:
            with contextlib.suppress(OSError):
                system.unlock(stream.fileno())
            stream.close()
