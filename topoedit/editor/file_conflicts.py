"""What a person may do when the file on disk is no longer the one that was opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from topoedit.editor.file_state import FileWatch, becoming, take_lock
from topoedit.errors import TopoeditError
from topoedit.model.edits import Edit

if TYPE_CHECKING:
    from topoedit.editor.session import DocumentSession
    from topoedit.editor.window import MainWindow


class FileConflicts:
    """Watches the files of one window and asks: Reload or Keep mine."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._open: dict[int, str] = {}
        self._withdraw: Callable[[], None] | None = None
        self.watch = FileWatch(lambda: list(window.documents.sessions()), self._changed, window)

    def add(self, session: DocumentSession) -> None:
        """A drawing has been opened: watch its file, and take the right to write it."""
        self.watch.add(session)
        if not take_lock(session):
            self._window.tell(
                f"{session.title} is open in another window: read only here. "
                "Save as another file to keep changes.",
                "warning",
            )

    def remove(self, session: DocumentSession) -> None:
        """A drawing is being closed."""
        self._open.pop(session.key, None)
        self.watch.remove(session)
        if session.lock is not None:
            session.lock.release()
            session.lock = None

    def _changed(self, session: DocumentSession, digest: str) -> None:
        self._open[session.key] = digest
        self.show()

    def show(self) -> None:
        """Ask about the drawing in front, if its file has changed."""
        session = self._window.session
        if session is None or session.key not in self._open:
            return
        digest = self._open[session.key]
        if not digest:
            del self._open[session.key]
            self._window.tell(f"{session.title} is gone from the disk; Save writes it.", "warning")
            session.mark_unsaved()
            return
        text = f"Another program has changed {session.title}.{self._differences(session)}"
        if not session.is_clean:
            text += " Reload takes its version; your changes stay one step back in the history."
        choices = (
            ("Reload", lambda: self.reload(session)),
            ("Keep mine", lambda: self.keep(session, digest)),
        )
        self._withdraw = self._window.offer(text, choices)

    def _differences(self, session: DocumentSession) -> str:
        """What the file has more, less and other than the drawing, in short; "" if unreadable."""
        from topoedit.editor.commands.file_work import is_large, read_file
        from topoedit.model.diff import diff

        if session.path is None or is_large(session.path):
            return ""
        try:
            theirs = read_file(session.path).document
        except TopoeditError:
            return " It cannot be read now."
        found = diff(session.document, theirs)
        counts = (
            (len(found.added), "more"),
            (len(found.removed), "missing"),
            (sum(not change.moved for change in found.changed), "changed"),
            (sum(change.moved for change in found.changed), "moved"),
        )
        words = [f"{number} {what}" for number, what in counts if number]
        return f" Compared with yours: {', '.join(words)}." if words else ""

    def reload(self, session: DocumentSession) -> None:
        """Take what is on the disk, as one step that can be undone."""
        from topoedit.editor.commands.file_work import read_file

        path = session.path
        if path is None:
            return
        try:
            opened = read_file(path)
        except TopoeditError as error:
            self._window.tell(error.line, "error")
            return
        self._settle(session)
        edit = becoming(session.document, opened.document, f"Reload {path.name}")
        if edit.is_empty or session.apply(edit):
            session.mark_saved(path, opened.digest)

    def keep(self, session: DocumentSession, digest: str) -> None:
        """Stay with what is open; saving will replace what is on the disk."""
        from topoedit.io.journal import Journal

        self._settle(session)
        session.kept_hash = digest
        session.mark_unsaved()
        if session.journal is not None:
            # the file is no longer what the journal builds on: begin one with a whole copy
            fresh = Journal.open_for(session.path, "", session.document)
            try:
                fresh.append(Edit("Keep mine"))
            except TopoeditError as error:
                self._window.tell(error.line, "error")
                return
            session.journal.close()
            session.journal = fresh

    def _settle(self, session: DocumentSession) -> None:
        self._open.pop(session.key, None)
        if self._withdraw is not None:
            self._withdraw()
            self._withdraw = None
