"""Journals: kept while a drawing is edited, and offered again after a crash."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from topoedit.editor.message_bar import MessageBar
from topoedit.editor.shell import Shell
from topoedit.errors import TopoeditError

if TYPE_CHECKING:
    from topoedit.editor.session import DocumentSession
    from topoedit.io.journal import PendingJournal


def keep_journal(session: DocumentSession) -> None:
    """Write every edit of a session down from now on."""
    from topoedit.io.journal import Journal

    if session.journal is not None:
        return
    native = session.path is not None and session.is_clean
    document = None if native or not len(session.document) - 1 else session.document
    session.journal = Journal.open_for(session.path, session.base_hash if native else "", document)


class Recovery:
    """Work that a crash left behind; it stays until it was saved or the user discards it."""

    def __init__(self, shell: Shell, add: Callable[[DocumentSession], None]) -> None:
        self._shell, self._add = shell, add
        self._found: dict[str, PendingJournal] = {}

    def look(self) -> None:
        """Find journals of editors that no longer run."""
        from topoedit.io.journal import pending_journals

        found = [journal for journal in pending_journals() if journal.edits]
        saved = [journal for journal in found if journal.is_saved(self._shell.catalog)]
        for journal in saved:
            journal.discard()
        self._found = {str(j.file): j for j in found if j not in saved}

    def lines(self) -> list[tuple[str, str]]:
        """Key and one line for each."""
        if not self._found:
            return []
        from topoedit.model.operations import plural

        return [
            (key, f"{journal.name}, {plural(len(journal.edits), 'edit')} after the last save")
            for key, journal in self._found.items()
        ]

    @property
    def found(self) -> dict[str, PendingJournal]:
        """What was found, by key."""
        return dict(self._found)

    def restore(self, key: str) -> None:
        """Open the drawing with its edits; the journal goes once that was saved or given up."""
        from topoedit.editor.file_state import digest_on_disk
        from topoedit.editor.session import DocumentSession
        from topoedit.model.operations import plural

        journal = self._found.get(key)
        if journal is None:
            return
        try:
            replayed = journal.recover(self._shell.catalog)
        except TopoeditError as error:
            self._shell.tell(error.line, "error")
            return
        del self._found[key]
        session = DocumentSession(replayed.document, journal.path, title=journal.name, unsaved=True)
        if journal.path is not None:
            session.base_hash = digest_on_disk(journal.path)
        # Not the bound method: Qt would hold a record that knows no weak references.
        session.settled.connect(lambda: journal.discard())
        self._add(session)
        lost = f" {plural(replayed.lost, 'edit')} could not be read." if replayed.lost else ""
        done = f"Restored {plural(replayed.applied, 'edit')} of {journal.name}."
        line = f"{done}{lost} Save to keep them."
        self._shell.tell(line, "warning" if replayed.lost else "ok")
        session.settled.connect(lambda: self._shell.take_back(line))

    def offer(self, bar: MessageBar, review: Callable[[str], None]) -> None:
        """Offer what is left in a message bar; closing the bar keeps it for later."""
        found = self.lines()
        if not found:
            return
        key, line = found[0]
        more = f" ({len(found) - 1} more)" if len(found) > 1 else ""
        choices = (("Review…", lambda: review(key)),)
        bar.show_line(f"Unsaved work found: {line}{more}", "info", choices)

    def discard(self, key: str) -> None:
        """Give the work up."""
        journal = self._found.pop(key, None)
        if journal is not None:
            journal.discard()
