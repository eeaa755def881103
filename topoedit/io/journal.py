"""The journal: every edit since the last save, so that a crash loses nothing.

One file in the state folder for each open drawing: a header line, then one line for each edit,
each with a check sum. It is deleted only when the drawing was saved or the user says so.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec
from msgspec.structs import replace

from topoedit import paths, system
from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadFileError, TopoeditError
from topoedit.io import backups, native
from topoedit.io.reading import MAX_FILE_BYTES
from topoedit.model.document import Document
from topoedit.model.edits import AnyEdit
from topoedit.model.elements import AnyElement

VERSION = 1
SUFFIX = ".journal"
_MARK = "topoedit"
MOST_GIVEN_UP = 8
"""Journals given up that are still kept, the newest ones."""


class Header(msgspec.Struct, frozen=True):
    """First line of a journal.

    Attributes:
        path: the drawing's file, "" if it was never saved.
        base: SHA-256 of that file, or of the snapshot beside the journal.
        snapshot: whether the edits start from the snapshot, not from the file.
        name: the drawing's name for people.
    """

    journal: str
    version: int
    path: str
    base: str
    snapshot: bool = False
    name: str = ""


_encode = msgspec.json.Encoder().encode
_decode_edit = msgspec.json.Decoder(AnyEdit).decode


def _folder() -> Path:
    return paths.state_dir() / "journals"


def _line(payload: bytes) -> bytes:
    return b"%08x %s\n" % (zlib.crc32(payload), payload)


class Journal:
    """The journal of one open drawing; nothing is written before the first edit."""

    def __init__(self, header: Header, base: tuple[AnyElement, ...] | None = None) -> None:
        self.file = _folder() / f"{os.getpid()}-{secrets.token_hex(6)}{SUFFIX}"
        self.count = 0
        self._header = header
        self._base = base
        self._stream: IO[bytes] | None = None
        self._lock: IO[bytes] | None = None

    @classmethod
    def open_for(
        cls, path: Path | None, base_hash: str, document: Document | None = None
    ) -> Journal:
        """A new journal for a drawing.

        Args:
            path: its file, None if it has none yet.
            base_hash: SHA-256 of that file's bytes, "" if the drawing did not come from a native
                file as it is (imported, generated, new).
            document: in that last case the drawing as it is now; a snapshot is kept with the
                first edit.
        """
        where = "" if path is None else _text(path)
        if document is None:
            return cls(Header(_MARK, VERSION, where, base_hash))
        header = Header(_MARK, VERSION, where, "", snapshot=True, name=document.settings.name)
        return cls(header, tuple(document.elements()))

    def append(self, edit: AnyEdit) -> None:
        """Write one edit that was just applied (an undo is one, too).

        Raises:
            BadFileError: the state folder cannot be written.
        """
        try:
            stream = self._stream or self._start()
            stream.write(_line(_encode(edit)))
            stream.flush()
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise BadFileError(
                f"the journal cannot be written: {reason}", str(self.file), "Save your work now"
            ) from None
        self.count += 1

    def _start(self) -> IO[bytes]:
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = lock_file(self.file).open("wb")
        system.try_lock(self._lock.fileno())
        if self._base is not None:
            base = native.snapshot(self._base)
            snapshot_file(self.file).write_bytes(base)
            self._header = replace(self._header, base=native.digest_of(base))
        self._stream = self.file.open("xb")
        self._stream.write(_line(_encode(self._header)))
        return self._stream

    def saved(self, path: Path, digest: str) -> None:
        """The drawing is now safe in its file: start again from there."""
        self.close()
        self.count = 0
        self._base = None
        self._header = Header(_MARK, VERSION, _text(path), digest)
        self.file = self.file.with_name(f"{os.getpid()}-{secrets.token_hex(6)}{SUFFIX}")

    def close(self, *, keep: bool = False) -> None:
        """Stop writing and delete the journal, since the drawing was saved or its edits given up.

        Args:
            keep: leave the file for the next start.
        """
        self._let_go()
        if not keep:
            _remove(self.file)

    def _let_go(self) -> None:
        if self._stream is not None:
            with contextlib.suppress(OSError):
                self._stream.flush()
                os.fsync(self._stream.fileno())
            self._stream.close()
            self._stream = None
        if self._lock is not None:
            system.unlock(self._lock.fileno())
            self._lock.close()
            self._lock = None


def _text(path: Path) -> str:
    """A path as text that can be written; bytes that are no UTF-8 are spelled out."""
    return os.fsencode(path.absolute()).decode("utf-8", "backslashreplace")


def lock_file(journal: Path) -> Path:
    """The file whose lock says that an editor still uses a journal."""
    return journal.with_suffix(".lock")


def snapshot_file(journal: Path) -> Path:
    """The drawing that a journal without a native file starts from."""
    return journal.with_suffix(native.SUFFIX)


def _remove(journal: Path) -> None:
    for file in (journal, snapshot_file(journal), lock_file(journal)):
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


class Replayed(msgspec.Struct, frozen=True):
    """What came of a replay.

    Attributes:
        document: the drawing with the edits applied.
        applied: number of edits applied.
        lost: lines that could not be read or applied; everything before them is there.
    """

    document: Document
    applied: int
    lost: int


class PendingJournal(msgspec.Struct, frozen=True):
    """A journal that a crash left behind; it stays until `discard` is called.

    Attributes:
        file: the journal.
        header: its first line.
        edits: the edits that can be read, in order.
        lost: unreadable lines after them.
    """

    file: Path
    header: Header
    edits: tuple[AnyEdit, ...]
    lost: int = 0

    @property
    def path(self) -> Path | None:
        """The drawing's file."""
        return Path(self.header.path) if self.header.path else None

    @property
    def name(self) -> str:
        """The drawing's name for people."""
        return self.path.name if self.path else self.header.name or "untitled"

    def replay(self, document: Document) -> Replayed:
        """Apply the edits to the drawing they were made on; stops at the first that fails."""
        for place, edit in enumerate(self.edits):
            try:
                document.apply(edit)
            except TopoeditError:
                return Replayed(document, place, self.lost + len(self.edits) - place)
        return Replayed(document, len(self.edits), self.lost)

    def recover(self, catalog: Catalog) -> Replayed:
        """Read the drawing that the journal starts from and replay it.

        Raises:
            BadFileError: as `start` does.
        """
        return self.replay(self.start(catalog))

    def start(self, catalog: Catalog) -> Document:
        """Read the drawing that the journal starts from.

        Raises:
            BadFileError: that file is gone or is no longer the one the edits were made on; the
                journal stays.
        """
        if not self.header.base:
            return Document(catalog)
        base = snapshot_file(self.file) if self.header.snapshot else Path(self.header.path)
        opened = native.read(base, catalog)
        if opened.digest != self.header.base:
            raise BadFileError(
                "has changed since the edits in the journal were made",
                str(base),
                f"The journal stays in {self.file}",
            )
        return opened.document

    def is_saved(self, catalog: Catalog) -> bool:
        """Whether the drawing with its edits is what the file holds.

        Either the crash came between a save and its end here (the file before that save is
        among the backups), or the edits have taken each other back, as undo and redo do.
        """
        path = self.path
        if path is None or self.lost:
            return False
        try:
            content = path.read_bytes()
            now = native.digest_of(content)
            if self.header.snapshot or now == self.header.base:
                drawn = native.dumps(native.load(path, catalog))
                return native.dumps(self.recover(catalog).document) == drawn
            for backup in backups.backups_of(path)[:3]:
                if native.digest_of(backup.read_bytes()) == self.header.base:
                    replayed = self.replay(native.load(backup, catalog))
                    return native.digest_of(native.dumps(replayed.document)) == now
        except (OSError, TopoeditError):
            return False
        return False

    @contextlib.contextmanager
    def claimed(self) -> Iterator[bool]:
        """Keep other windows from it while the block runs; False if one of them has taken it."""
        if not self.file.exists():
            yield False
            return
        with system.lock(lock_file(self.file)) as free:
            yield free and self.file.exists()

    def set_aside(self) -> Path:
        """Take it off the list without deleting anything; returns where it is now."""
        return _aside(self.file, "kept")

    def give_up(self) -> Path:
        """Take it off the list; the last `MOST_GIVEN_UP` of these can be brought back.

        Returns:
            Where it is now, for `bring_back`.
        """
        now = _aside(self.file, "given-up")
        with contextlib.suppress(OSError):
            old = sorted(_folder().glob("*.given-up"), key=_modified, reverse=True)
            for file in old[MOST_GIVEN_UP:]:
                if file != now:
                    file.unlink(missing_ok=True)
                    _snapshot_aside(file).unlink(missing_ok=True)
        return now

    def bring_back(self, aside: Path) -> bool:
        """Put it on the list again after `give_up`; False if it is gone."""
        try:
            if _snapshot_aside(aside).exists():
                _snapshot_aside(aside).rename(snapshot_file(self.file))
            aside.rename(self.file)
        except OSError:
            return False
        return True

    def discard(self) -> None:
        """Delete it: its edits are safe in the file."""
        _remove(self.file)


def pending_journals() -> tuple[PendingJournal, ...]:
    """Journals of editors that no longer run, the newest first; unreadable ones move aside."""
    try:
        files = sorted(_folder().glob(f"*{SUFFIX}"), key=_modified, reverse=True)
    except OSError:
        return ()
    found = (_pending(file) for file in files if not _in_use(file))
    return tuple(journal for journal in found if journal is not None)


def _modified(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _in_use(journal: Path) -> bool:
    if not lock_file(journal).exists():
        return False
    try:
        with system.lock(lock_file(journal)) as free:
            return not free
    except OSError:
        return True


def _pending(file: Path) -> PendingJournal | None:
    try:
        with file.open("rb") as stream:
            lines = stream.read(MAX_FILE_BYTES).split(b"\n")
    except OSError:
        return None
    header = _header(lines[0])
    if header is None:
        _aside(file, "corrupt")
        return None
    edits: list[AnyEdit] = []
    body = [line for line in lines[1:] if line]
    for line in body:
        payload = _payload(line)
        try:
            edits.append(_decode_edit(payload if payload is not None else b""))
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            break
    return PendingJournal(file, header, tuple(edits), len(body) - len(edits))


def _payload(line: bytes) -> bytes | None:
    check, _, payload = line.partition(b" ")
    return payload if check == b"%08x" % zlib.crc32(payload) else None


def _header(line: bytes) -> Header | None:
    payload = _payload(line)
    try:
        header = msgspec.json.decode(payload or b"", type=Header)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    return header if header.journal == _MARK and header.version == VERSION else None


def _snapshot_aside(aside: Path) -> Path:
    return aside.with_name(f"{aside.name}{native.SUFFIX}")


def _aside(file: Path, why: str) -> Path:
    target = file.with_name(f"{file.stem}-{secrets.token_hex(3)}.{why}")
    with contextlib.suppress(OSError):
        file.rename(target)
        snapshot = snapshot_file(file)
        if snapshot.exists():
            snapshot.rename(_snapshot_aside(target))
        lock_file(file).unlink(missing_ok=True)
    return target
