"""Restoring a drawing from one of its backups, seen before it is taken."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QLabel, QListWidget, QWidget

from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.file_lists import when_words
from topoedit.editor.file_state import becoming
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.editor.widgets import columns, label, rows
from topoedit.errors import TopoeditError
from topoedit.model.document import Document
from topoedit.model.operations import plural
from topoedit.render.diagram import PaintOptions, paint_jobs
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme
from topoedit.render.view import View
from topoedit.units import format_bytes

PICTURE = QSize(460, 300)


@dataclass(frozen=True)
class Backup:
    """A copy of the drawing made before a save."""

    path: Path
    when: float
    size: int

    @property
    def words(self) -> str:
        """When it was made and how large it is."""
        clock = time.strftime("%H:%M:%S", time.localtime(self.when))
        day = when_words(self.when)
        day = "Today" if day.startswith("Today") else day
        return f"{day} {clock}   {format_bytes(self.size)}"


def backups(path: Path) -> list[Backup]:
    """Backups of a drawing, the newest first."""
    from topoedit.io.backups import backups_of

    found = []
    for place in backups_of(path):
        status = place.stat()
        found.append(Backup(place, status.st_mtime, status.st_size))
    return found


class RestoreDialog(FormDialog):
    """Lists the backups of a drawing beside a picture of the one in front."""

    def __init__(self, shell: Shell, session: DocumentSession, parent: QWidget) -> None:
        super().__init__("Restore from a backup", "Restore", parent, 760)
        self._shell, self._session = shell, session
        self._document: Document | None = None
        self.backups = [] if session.path is None else backups(session.path)
        self.list = QListWidget()
        self.list.setAccessibleName("Backups")
        self.list.setFixedWidth(220)
        for backup in self.backups:
            self.list.addItem(backup.words)
        self.picture = QLabel()
        self.picture.setFixedSize(PICTURE)
        self.picture.setAccessibleName("Preview")
        self.counts = label(role="strong", wrap=True)
        side = rows(None, gap=8)
        side.addWidget(self.picture)
        side.addWidget(self.counts)
        side.addStretch(1)
        line = columns(None, gap=16)
        line.addWidget(self.list)
        line.addLayout(side, 1)
        self.body.addLayout(line)
        self.list.currentRowChanged.connect(self.show_backup)
        if self.backups:
            self.list.setCurrentRow(0)
        else:
            self.say("There is no backup of this drawing yet: saving makes one.", bad=True)

    def show_backup(self, row: int) -> None:
        """Show what a backup holds, and what restoring it would change."""
        from topoedit.io import native

        self._document = None
        backup = self.backups[row]
        try:
            self._document = native.load(backup.path, self._session.document.catalog)
        except TopoeditError as error:
            self.picture.clear()
            self.counts.setText("")
            self.say(error.line, bad=True)
            return
        found = self._document
        self.counts.setText(
            f"{plural(len(found.devices), 'device')}, {plural(len(found.links), 'link')}"
        )
        self.picture.setPixmap(picture_of(found, self._shell.theming.theme, PICTURE))
        edit = becoming(self._session.document, found, "Restore")
        changes = plural(len(edit.put) + len(edit.drop), "element")
        self.say(
            "The drawing is already like this." if edit.is_empty
            else f"Changes {changes}; Undo takes it back."
        )  # fmt: skip
        self.accept_button.setEnabled(not edit.is_empty)

    def accept(self) -> None:
        """Make the drawing what the backup holds, as one step."""
        if self._document is None:
            return
        when = self.backups[self.list.currentRow()].words.split("   ")[0]
        edit = becoming(self._session.document, self._document, f"Restore the backup of {when}")
        if self._session.apply(edit):
            super().accept()


def picture_of(document: Document, theme: Theme, size: QSize) -> QPixmap:
    """A small picture of a whole drawing."""
    made = QPixmap(size)
    made.fill(Qt.GlobalColor.transparent)
    scene = DiagramScene(document)
    view = View.fit(scene.bounds(), size.width(), size.height(), margin=16.0)
    with QPainter(made) as painter:
        for job in paint_jobs(scene, theme, view, PaintOptions()):
            job(painter)
    return made
