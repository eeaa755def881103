"""New, open, save, export, close: what happens between drawings and files."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

from topoedit.editor import preferences
from topoedit.editor.commands import file_work
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell, WindowShell
from topoedit.errors import TopoeditError
from topoedit.model.document import Document
from topoedit.model.operations import plural
from topoedit.units import format_number, format_seconds

if TYPE_CHECKING:
    from topoedit.app.open import Opened
    from topoedit.editor.beforehand import Made
    from topoedit.io.salvage import Salvaged

SUFFIX = ".topo.json"
NATIVE_FILTER = f"Drawings (*{SUFFIX})"
MAX_DROPPED = 8


@dataclass
class FileCommands:
    """Acts on the current drawing and its file."""

    shell: WindowShell
    _opening: set[Path] = field(default_factory=set)

    def sessions(self) -> list[DocumentSession]:
        """All open sessions."""
        return list(self.shell.documents.sessions())

    def new(self) -> None:
        """Open a tab with an empty drawing."""
        titles = {session.title for session in self.sessions()}
        number = next(n for n in range(1, 10_000) if _untitled(n) not in titles)
        self.shell.add_session(
            DocumentSession(Document(self.shell.catalog), title=_untitled(number))
        )

    def from_template(self) -> None:
        """Choose a template and its numbers, then open what it makes."""
        self.from_named_template("")

    def from_named_template(self, template_id: str) -> None:
        """The wizard with one template chosen already."""
        from topoedit.editor.wizard.dialog import Wizard

        dialog = Wizard(self.shell, template_id, self.shell.widget)
        dialog.made.connect(self._made)
        dialog.open()

    def _made(self, document: Document, notes: tuple[str, ...]) -> None:
        session = DocumentSession(document, unsaved=True)
        session.notices = notes
        self.shell.add_session(session)

    def open(self) -> None:
        """Ask for files and open each in a tab."""
        dialog = QFileDialog(self.shell.widget, "Open")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([NATIVE_FILTER, "All files (*)"])
        dialog.setDirectory(str(self._folder()))
        dialog.filesSelected.connect(lambda names: self.open_all([Path(n) for n in names]))
        dialog.open()

    def open_all(self, files: list[Path]) -> None:
        """Open several files; the first error is shown, with how many there were."""
        if len(files) > MAX_DROPPED:
            self.shell.tell(
                f"{len(files)} files at once are too many. Open at most {MAX_DROPPED}.", "error"
            )
            return
        errors = [line for line in map(self.open_path, files) if line]
        if len(errors) > 1:
            self.shell.tell(f"{errors[0]} ({len(errors) - 1} more files failed)", "error")

    def open_path(self, path: Path) -> str:
        """Open one file, or show its tab; returns what went wrong ("" if nothing did)."""
        for session in self.sessions():
            if session.path is not None and _same(session.path, path):
                self.shell.add_session(session)
                return ""
        if file_work.is_gone(path):
            self._offer_to_locate(path)
            return f"{path}: there is no such file"
        if file_work.is_large(path):
            self._open_beside(path)
            return ""
        try:
            opened = file_work.read_file(path)
        except TopoeditError as error:
            self._not_opened(path, error.line)
            return error.line
        self._opened(path, opened)
        return ""

    def _not_opened(self, path: Path, line: str) -> None:
        """Say why; a broken drawing of ours can still be opened in part, as a copy."""
        if not file_work.may_be_salvaged(path):
            self.shell.tell(line, "error")
            return

        def rescue() -> None:
            file_work.salvage_beside(self.shell, path, lambda found: self._salvaged(path, found))

        self.shell.offer(line, (("Open what is whole", rescue),))

    def _salvaged(self, path: Path, found: Salvaged) -> None:
        stem = path.name.removesuffix(".json").removesuffix(".topo")
        session = DocumentSession(found.document, title=f"{stem} (rescued)", unsaved=True)
        session.notices = found.left_out
        self.shell.add_session(session)
        self.shell.tell(
            f"{path.name} is left as it is; this copy is without "
            f"{plural(len(found.left_out), 'broken part')}, listed under Problems.",
            "warning",
        )

    def _offer_to_locate(self, path: Path) -> None:
        """A file that vanished: look for it, or take it off the list of recent files."""
        line = f"{path}: there is no such file"
        if not any(_same(Path(entry.path), path) for entry in preferences.load_recent()):
            self.shell.tell(line, "error")
            return
        choices = (("Locate…", lambda: self._locate(path)), ("Remove", lambda: self._forget(path)))
        self.shell.offer(f"{line}. It is still among the recent files.", choices)

    def _locate(self, path: Path) -> None:
        dialog = QFileDialog(self.shell.widget, f"Locate {path.name}")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([NATIVE_FILTER, "All files (*)"])
        dialog.setDirectory(str(path.parent if path.parent.is_dir() else self._folder()))

        def found(name: str) -> None:
            if not self.open_path(Path(name)):
                self._forget(path)

        dialog.fileSelected.connect(found)
        dialog.open()

    def _forget(self, path: Path) -> None:
        for entry in preferences.load_recent():
            if _same(Path(entry.path), path):
                preferences.forget(entry.path)
        self.shell.show_recent()

    def _open_beside(self, path: Path) -> None:
        if path in self._opening:
            return
        self._opening.add(path)
        task = file_work.read_beside(
            self.shell, path, lambda opened, made: self._opened(path, opened, made)
        )
        task.failed.connect(lambda line: self._not_opened(path, line))
        for ended in (task.done, task.failed, task.stopped):
            ended.connect(lambda *_: self._opening.discard(path))

    def _opened(self, path: Path, opened: Opened, made: Made | None = None) -> None:
        """Show what was read from a file in a tab."""
        native = opened.format == "topoedit"
        session = DocumentSession(
            opened.document,
            path if native else None,
            title=path.name,
            unsaved=not native,
            made=made,
        )
        session.base_hash = opened.digest
        session.notices = tuple(opened.warnings)
        self.shell.add_session(session)
        self._remember(path, session)
        if opened.warnings and not session.is_read_only:
            self.shell.tell(_summary(opened.warnings), "warning")

    def save(self) -> None:
        """Write the current drawing to its file, or ask for one."""
        session = self.shell.session
        if session is None:
            return
        if session.path is None:
            self.save_as()
            return
        self.write(session, session.path)

    def save_as(self, then: Callable[[], None] | None = None) -> None:
        """Ask where to, and write; `then` is done after a good write."""
        session = self.shell.session
        if session is None:
            return
        dialog = QFileDialog(self.shell.widget, "Save as")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(NATIVE_FILTER)
        dialog.setDirectory(str(self._folder()))
        stem = session.title.removesuffix(".json").removesuffix(".topo")
        dialog.selectFile(f"{stem}{SUFFIX}")

        def chosen(name: str) -> None:
            if self.write(session, with_suffix(Path(name)), then=then) and then is not None:
                then()

        dialog.fileSelected.connect(chosen)
        dialog.open()

    def write(
        self,
        session: DocumentSession,
        path: Path,
        *,
        replace_theirs: bool = False,
        then: Callable[[], None] | None = None,
    ) -> bool:
        """Write a drawing; what went wrong is shown and nothing is lost.

        Args:
            session: the drawing.
            path: its file, or another.
            replace_theirs: also if another program has changed the file since.
            then: is called after a good write of a large drawing, which goes on beside the window.

        Returns:
            Whether it is written now.
        """
        from topoedit.editor.file_state import conflicts, take_lock
        from topoedit.io import native

        if not take_lock(session, path):
            self.shell.tell(
                f"{path.name} is open in another window. Save under another name.", "error"
            )
            return False
        if not replace_theirs and conflicts(session, path):
            self._ask_to_overwrite(session, path)
            return False
        if len(session.document) >= file_work.LARGE_DRAWING:
            self._write_beside(session, path, then)
            return False
        try:
            digest = native.save(session.document, path)
        except TopoeditError as error:
            self.shell.tell(error.line, "error")
            return False
        self._written(session, path, digest)
        return True

    def _write_beside(
        self, session: DocumentSession, path: Path, then: Callable[[], None] | None
    ) -> None:
        def written(digest: str) -> None:
            self._written(session, path, digest)
            if then is not None:
                then()

        if not session.held:
            file_work.write_beside(self.shell, session, path, written)

    def _written(self, session: DocumentSession, path: Path, digest: str) -> None:
        session.mark_saved(path, digest)
        self._remember(path, session)

    def _ask_to_overwrite(self, session: DocumentSession, path: Path) -> None:
        box = overwrite_box(self.shell, session)
        for button in box.buttons():
            if button.text() == "Overwrite":
                button.clicked.connect(lambda *_: self.write(session, path, replace_theirs=True))
            elif button.text().startswith("Save as"):
                button.clicked.connect(lambda *_: self.save_as())
        box.open()

    def restore(self) -> None:
        """Choose one of the backups of the current drawing."""
        session = self.shell.session
        if session is None:
            return
        from topoedit.editor.dialogs.restore_dialog import RestoreDialog

        RestoreDialog(self.shell, session, self.shell.widget).open()

    def export(self) -> None:
        """Save the diagram as a picture."""
        session = self.shell.session
        if session is None:
            return
        from topoedit.editor.dialogs.export_dialog import ExportDialog

        ExportDialog(self.shell, session, self.shell.widget).open()

    def close(self) -> None:
        """Close the current tab; ask first if there is unsaved work."""
        session = self.shell.session
        if session is None or session.is_clean:
            self.shell.close_current()
            return
        box = unsaved_box(self.shell, session)
        box.button(QMessageBox.StandardButton.Discard).clicked.connect(self.shell.close_current)
        box.button(QMessageBox.StandardButton.Save).clicked.connect(self._save_and_close)
        box.open()

    def _save_and_close(self) -> None:
        session = self.shell.session
        if session is None:
            return
        if session.path is None:
            self.save_as(self.shell.close_current)
        elif self.write(session, session.path, then=lambda: self._close_tab_of(session)):
            self.shell.close_current()

    def _close_tab_of(self, session: DocumentSession) -> None:
        self.shell.add_session(session)  # to the front
        self.shell.close_current()

    def quit(self) -> None:
        """Close the window, which asks about unsaved work."""
        self.shell.close_window()

    def _folder(self) -> Path:
        session = self.shell.session
        if session is not None and session.path is not None:
            return session.path.parent
        recent = [Path(entry.path).parent for entry in preferences.load_recent()]
        return next((folder for folder in recent if folder.is_dir()), Path.cwd())

    def _remember(self, path: Path, session: DocumentSession) -> None:
        preferences.remember(path, content_words(session), time.time())
        self.shell.show_recent()


def unsaved_box(shell: Shell, session: DocumentSession) -> QMessageBox:
    """The question about unsaved work, with verbs on its buttons."""
    box = QMessageBox(shell.widget)
    box.setWindowTitle("Unsaved changes")
    steps = session.undo_stack.index()
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"Save the changes to {session.title}?")
    box.setInformativeText(
        f"{steps} step{'' if steps == 1 else 's'} would be lost." if steps else ""
    )
    buttons = QMessageBox.StandardButton
    box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
    box.setDefaultButton(buttons.Save)
    return box


def overwrite_box(shell: Shell, session: DocumentSession) -> QMessageBox:
    """The question before a save would replace the work of another program."""
    box = QMessageBox(shell.widget)
    box.setWindowTitle("Save conflict")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"{session.title} has been changed by another program since it was opened.")
    box.setInformativeText("What is there now is kept as a backup if you overwrite it.")
    box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
    box.addButton("Save as…", QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    return box


def with_suffix(path: Path) -> Path:
    """The path with the suffix of native files."""
    if path.name.lower().endswith(SUFFIX):
        return path
    return path.with_name(path.name.removesuffix(".json").removesuffix(".topo") + SUFFIX)


def content_words(session: DocumentSession) -> str:
    """GPUs and, if known, step time: what the list of recent files says."""
    words = f"{format_number(session.totals.gpus)} GPUs"
    result = session.analysis
    return words if result is None else f"{words} · {format_seconds(result.step_time_s)}"


def _untitled(number: int) -> str:
    return "Untitled" if number == 1 else f"Untitled {number}"


def _same(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve()
    except OSError:
        return one == other


def _summary(warnings: tuple[str, ...]) -> str:
    more = len(warnings) - 1
    return warnings[0] if not more else f"{warnings[0]} ({more} more under Problems)"
