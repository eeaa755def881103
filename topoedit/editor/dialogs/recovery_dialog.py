"""What a crash left behind, seen before it is restored, kept or discarded."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QListWidget, QPushButton, QWidget

from topoedit.editor.background import Cancel, Progress, Task, start
from topoedit.editor.commands.file_work import LARGE_DRAWING
from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.dialogs.restore_dialog import PICTURE, picture_of
from topoedit.editor.file_lists import when_words
from topoedit.editor.shell import Shell
from topoedit.editor.widgets import columns, label, rows
from topoedit.model.operations import plural

if TYPE_CHECKING:
    from topoedit.editor.recovery import Recovery
    from topoedit.io.journal import PendingJournal, Replayed

MOST_EDITS = 200


class RecoveryDialog(FormDialog):
    """Lists what was found beside its edits and a picture; nothing is deleted before a choice.

    Signals:
        chosen(str, bool): key of what was found, and whether to restore (else discard) it.
    """

    chosen = Signal(str, bool)

    def __init__(self, shell: Shell, recovery: Recovery, key: str, parent: QWidget) -> None:
        super().__init__("Unsaved work found", "Restore", parent, 860)
        self._shell, self._recovery = shell, recovery
        self._task: Task | None = None
        self._keys: list[str] = []
        self.cancel_button.setText("Keep for later")
        self.discard_button = QPushButton("Discard")
        self.discard_button.setAutoDefault(False)
        self.discard_button.clicked.connect(self.discard)
        self.foot.insertWidget(1, self.discard_button)
        self.list, self.edits = QListWidget(), QListWidget()
        self.list.setAccessibleName("Found drawings")
        self.list.setFixedWidth(260)
        self.edits.setAccessibleName("Edits, the last one first")
        self.edits.setFixedHeight(110)
        self.where = label(role="secondary", wrap=True)
        self.picture = QLabel()
        self.picture.setFixedSize(PICTURE)
        self.picture.setAccessibleName("Preview")
        self.counts = label(role="strong", wrap=True)
        side = rows(None, gap=8)
        for part in (self.where, self.edits, self.picture, self.counts):
            side.addWidget(part)
        line = columns(None, gap=16)
        line.addWidget(self.list)
        line.addLayout(side, 1)
        self.body.addLayout(line)
        self._fill(key)
        self.list.currentRowChanged.connect(self._show)
        self._show(self.list.currentRow())

    def _fill(self, key: str = "") -> None:
        self.list.blockSignals(True)
        self.list.clear()
        found = self._recovery.found
        self._keys = list(found)
        for journal in found.values():
            self.list.addItem(journal.name)
        self.list.setCurrentRow(self._keys.index(key) if key in self._keys else 0)
        self.list.blockSignals(False)

    def _journal(self, row: int) -> PendingJournal | None:
        return self._recovery.found.get(self._keys[row]) if 0 <= row < len(self._keys) else None

    def _show(self, row: int) -> None:
        """Show one: its file, its edits, and once it is read what it would be."""
        self._stop_reading()
        journal = self._journal(row)
        self.edits.clear()
        self.picture.clear()
        self.counts.clear()
        if journal is None:
            return
        self.where.setText(f"{when_of(journal)}\n{journal.path or 'Never saved'}")
        for edit in list(reversed(journal.edits))[:MOST_EDITS]:
            self.edits.addItem(edit.label)
        if (more := len(journal.edits) - MOST_EDITS) > 0:
            self.edits.addItem(f"and {plural(more, 'edit')} before")
        self.say("Reading…")
        self.accept_button.setEnabled(False)
        catalog = self._shell.catalog

        def work(_progress: Progress, _cancelled: Cancel) -> object:
            return journal.recover(catalog)

        task = self._task = start(work, self)
        task.done.connect(lambda replayed: self._read(cast("Replayed", replayed)))
        task.failed.connect(self._unreadable)

    def _read(self, replayed: Replayed) -> None:
        self._task = None
        document = replayed.document
        self.counts.setText(
            f"{plural(len(document.devices), 'device')}, {plural(len(document.links), 'link')}"
        )
        if len(document) < LARGE_DRAWING:
            self.picture.setPixmap(picture_of(document, self._shell.theming.theme, PICTURE))
        else:
            self.picture.setText("Too large for a picture here")
        lost = f" {plural(replayed.lost, 'edit')} could not be read." if replayed.lost else ""
        self.say(f"Opens the drawing with {plural(replayed.applied, 'edit')}, unsaved.{lost}")

    def _unreadable(self, line: str) -> None:
        self._task = None
        self.say(line, bad=True)

    def _stop_reading(self) -> None:
        if self._task is not None:
            self._task.done.disconnect()
            self._task.failed.disconnect()
            self._task.cancel()
            self._task = None

    @property
    def key(self) -> str:
        """Key of the one in front."""
        row = self.list.currentRow()
        return self._keys[row] if 0 <= row < len(self._keys) else ""

    def accept(self) -> None:
        """Restore the one in front."""
        if key := self.key:
            self._stop_reading()
            super().accept()
            self.chosen.emit(key, True)

    def reject(self) -> None:
        """Keep everything for later."""
        self._stop_reading()
        super().reject()

    def discard(self) -> None:
        """Give the one in front up, and show the next."""
        if key := self.key:
            self._stop_reading()
            self.chosen.emit(key, False)
            self._fill()
            if not self._keys:
                super().reject()
                return
            self._show(self.list.currentRow())


def when_of(journal: PendingJournal) -> str:
    """When the last edit was written down, and how many there are."""
    try:
        when = when_words(journal.file.stat().st_mtime)
    except OSError:
        when = ""
    return f"{when}, {plural(len(journal.edits), 'edit')}".removeprefix(", ")
