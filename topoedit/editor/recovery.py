"""Journals: kept while a drawing is edited, and offered again after a crash."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from topoedit.editor.edit_command import EditCommand
from topoedit.editor.message_bar import MessageBar
from topoedit.editor.shell import Shell
from topoedit.errors import TopoeditError

if TYPE_CHECKING:
    from pathlib import Path

    from topoedit.editor.session import DocumentSession
    from topoedit.io.journal import PendingJournal
    from topoedit.model.document import Document
    from topoedit.model.edits import AnyEdit

MOST_STEPS = 500
"""Edits that are made anew one by one; those before them come with the drawing."""


def keep_journal(session: DocumentSession) -> None:
    """Write every edit of a session down from now on."""
    from topoedit.io.journal import Journal

    if session.journal is not None:
        return
    native = session.path is not None and session.is_clean
    document = None if native or not len(session.document) - 1 else session.document
    session.journal = Journal.open_for(session.path, session.base_hash if native else "", document)


class Recovery:
    """Work that a crash left behind; it stays until it is restored or the user discards it."""

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
        """Key and one line for each: its name, folder, moment and number of edits."""
        return [(key, _line_of(journal)) for key, journal in self._found.items()]

    @property
    def found(self) -> dict[str, PendingJournal]:
        """What was found, by key."""
        return dict(self._found)

    def restore(self, key: str) -> None:
        """Open the drawing and make its edits anew, as steps that can be taken back.

        The window writes them into a journal of its own, so that no other window offers the work
        or gives it up while it is open here.
        """
        journal = self._found.get(key)
        if journal is None:
            return
        with journal.claimed() as mine:
            if not mine:
                del self._found[key]
                self._shell.tell(
                    f"The unsaved work of {journal.name} was taken by another window.", "warning"
                )
                return
            try:
                start = journal.start(self._shell.catalog)
            except TopoeditError as error:
                self._shell.tell(error.line, "error")
                return
            del self._found[key]
            session, lost = _remade(journal, start)
            if session.journal is not None and session.undo_stack.count():
                journal.give_up()
            else:
                # Not the bound method: Qt would hold a record that knows no weak references.
                session.settled.connect(lambda: journal.give_up())
        self._add(session)
        self._tell_restored(journal, session, lost)

    def _tell_restored(self, journal: PendingJournal, session: DocumentSession, lost: int) -> None:
        from topoedit.model.operations import plural

        words = f" {plural(lost, 'edit')} could not be read." if lost else ""
        done = f"Restored {plural(len(journal.edits) + journal.lost - lost, 'edit')}"
        line = f"{done} of {journal.name}.{words} Save to keep them."
        self._shell.tell(line, "warning" if lost else "ok")
        session.settled.connect(lambda: self._shell.take_back(line))

    def offer(self, bar: MessageBar, review: Callable[[str], None], before: str = "") -> None:
        """Offer what is left in a message bar; closing the bar keeps it for later.

        Args:
            bar: where.
            review: shows the work under a key before anything is done with it.
            before: what the line says first.
        """
        found = self.lines()
        if not found:
            return
        key, line = found[0]
        more = f" ({len(found) - 1} more)" if len(found) > 1 else ""
        choices = (("Review…", lambda: review(key)),)
        bar.show_line(f"{before}Unsaved work found: {line}{more}", "info", choices)

    def discard(self, key: str) -> Callable[[], bool] | None:
        """Give the work up; what comes back offers it again (False if it is gone by then)."""
        journal = self._found.get(key)
        if journal is None:
            return None
        with journal.claimed() as mine:
            del self._found[key]
            if not mine:
                return None
            aside = journal.give_up()

        def bring_back() -> bool:
            if not journal.bring_back(aside):
                return False
            self._found[key] = journal
            return True

        return bring_back


def _line_of(journal: PendingJournal) -> str:
    from topoedit.editor.file_lists import when_words
    from topoedit.model.operations import plural

    where = f" in {journal.path.parent}" if journal.path else ", never saved"
    try:
        when = f", {when_words(journal.file.stat().st_mtime)}"
    except OSError:
        when = ""
    edits = plural(len(journal.edits), "edit")
    return f"{journal.name}{where}{when}, {edits}" + (
        " after the last save" if journal.path else ""
    )


def _remade(journal: PendingJournal, start: Document) -> tuple[DocumentSession, int]:
    """A session with a journal's edits as steps, and how many edits could not be made."""
    from topoedit.editor.session import DocumentSession

    early, late = journal.edits[:-MOST_STEPS], journal.edits[-MOST_STEPS:]
    made = 0
    with contextlib.suppress(TopoeditError):
        for edit in early:
            start.apply(edit)
            made += 1
    if made < len(early):
        late = ()
    unsaved = bool(early) or journal.header.snapshot
    session = DocumentSession(start, journal.path, title=journal.name, unsaved=unsaved)
    session.base_hash = "" if journal.path is None else _hash_of(journal, journal.path)
    keep_journal(session)
    for edit in late:
        if not _make(session, edit):
            break
        made += 1
    return session, journal.lost + len(journal.edits) - made


def _hash_of(journal: PendingJournal, path: Path) -> str:
    """Hash of the file that the work belongs to, so that a later change of it is noticed."""
    from topoedit.editor.file_state import digest_on_disk

    return digest_on_disk(path) if journal.header.snapshot else journal.header.base


def _make(session: DocumentSession, edit: AnyEdit) -> bool:
    """Make one edit of a journal: as undo or redo where it was one, else as a step."""
    stack = session.undo_stack
    last = stack.command(stack.index() - 1) if stack.canUndo() else None
    following = stack.command(stack.index()) if stack.canRedo() else None
    if isinstance(last, EditCommand) and last.inverse == edit:
        session.undo()
        return True
    if isinstance(following, EditCommand) and following.edit == edit:
        session.redo()
        return True
    return edit.is_empty or session.apply(edit)
