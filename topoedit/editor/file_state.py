"""What is on disk beside what is open: changed by another program, locked by another window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from topoedit.model.document import Document
from topoedit.model.edits import Edit

if TYPE_CHECKING:
    from topoedit.editor.session import DocumentSession
    from topoedit.io.filelock import FileLock

SETTLE_MS = 200
_Stamp = tuple[int, int]


def becoming(document: Document, other: Document, label: str) -> Edit:
    """The one edit that turns a document into another."""
    theirs = {element.id: element for element in other.elements()}
    put = tuple(e for e in theirs.values() if document.element(e.id) != e)
    drop = tuple(e.id for e in document.elements() if e.id not in theirs and e.id != "document")
    return Edit(label, put=put, drop=drop)


def digest_on_disk(path: Path) -> str:
    """SHA-256 of a file as it is now, "" if it cannot be read."""
    from topoedit.io import native

    try:
        return native.digest_of(path.read_bytes())
    except OSError:
        return ""


def conflicts(session: DocumentSession, path: Path) -> bool:
    """Whether writing would replace what another program has written since it was read."""
    if path != session.path or not session.base_hash:
        return False
    found = digest_on_disk(path)
    return found not in ("", session.base_hash, session.kept_hash)


def take_lock(session: DocumentSession, path: Path | None = None) -> bool:
    """Take the right to write a drawing's file, or another it is going to; False if it is held."""
    from topoedit.io.filelock import FileLock

    wanted = path or session.path
    if wanted is None:
        return True
    if session.lock is not None and session.lock.path == wanted and session.lock.is_held:
        return True
    lock: FileLock = FileLock(wanted)
    if not lock.acquire():
        if wanted == session.path:
            session.set_read_only(True)
        return False
    if session.lock is not None:
        session.lock.release()
    session.lock = lock
    session.set_read_only(False)
    return True


class Ask(Protocol):
    """Asks what to do about a drawing whose file has changed."""

    def __call__(self, session: DocumentSession, digest: str) -> None:
        """`digest` is of the file as it is now, "" if it is gone."""


class FileWatch(QObject):
    """Notices when another program writes or removes the files of open drawings.

    Args:
        sessions: all open drawings.
        ask: called for the drawing whose file has other contents, once for each contents.
    """

    def __init__(
        self,
        sessions: Callable[[], list[DocumentSession]],
        ask: Ask,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._sessions, self._ask = sessions, ask
        self._stamps: dict[int, _Stamp] = {}
        self._told: dict[int, str] = {}
        self._follows: dict[int, Callable[[], None]] = {}
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self.look)
        self._watcher.fileChanged.connect(lambda _path: self._timer.start())
        self._watcher.directoryChanged.connect(lambda _path: self._timer.start())

    def add(self, session: DocumentSession) -> None:
        """Watch the file of a drawing, also when it gets another."""
        follow = partial(self._saved, session)
        self._follows[session.key] = follow
        session.settled.connect(follow)
        self._saved(session)

    def remove(self, session: DocumentSession) -> None:
        """Watch it no more."""
        follow = self._follows.pop(session.key, None)
        if follow is not None:
            session.settled.disconnect(follow)
        self._stamps.pop(session.key, None)
        self._told.pop(session.key, None)
        self._rewatch()

    def _saved(self, session: DocumentSession) -> None:
        if session.path is not None:
            self._stamps[session.key] = _stamp(session.path)
        self._told.pop(session.key, None)
        self._rewatch()

    def _rewatch(self) -> None:
        """Files and their folders: a file that is replaced as a whole is lost to its watch."""
        wanted: set[str] = set()
        for session in self._sessions():
            if session.path is not None and session.key in self._follows:
                wanted |= {str(session.path), str(session.path.parent)}
        known = {*self._watcher.files(), *self._watcher.directories()}
        if gone := [path for path in known if path not in wanted]:
            self._watcher.removePaths(gone)
        if new := [path for path in wanted if path not in known and Path(path).exists()]:
            self._watcher.addPaths(new)

    def look(self) -> None:
        """Compare every file with what was read from it, by contents."""
        for session in self._sessions():
            path = session.path
            if path is None or not session.base_hash or session.key not in self._follows:
                continue
            stamp = _stamp(path)
            if stamp == self._stamps.get(session.key):
                continue
            self._stamps[session.key] = stamp
            self._compare(session, path)
        self._rewatch()

    def _compare(self, session: DocumentSession, path: Path) -> None:
        digest = digest_on_disk(path)
        if digest in (session.base_hash, session.kept_hash) and digest:
            self._told.pop(session.key, None)
        elif self._told.get(session.key) != digest:
            self._told[session.key] = digest
            self._ask(session, digest)


def _stamp(path: Path) -> _Stamp:
    try:
        found = path.stat()
    except OSError:
        return (-1, -1)
    return (found.st_mtime_ns, found.st_size)
