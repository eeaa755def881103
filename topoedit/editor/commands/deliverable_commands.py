"""Bill of materials, cable schedule, labels and validation files of the current drawing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from topoedit.editor import preferences
from topoedit.editor.background import Cancel, Progress, Task, copy_of, start_telling
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.model.document import Document
from topoedit.units import format_number

TABLES = "Workbook (*.xlsx);;Table (*.csv)"
Job = Callable[[Document, Progress, Cancel], str]


@dataclass
class DeliverableCommands:
    """Writes what buyers and installers need; the drawing stays as it is."""

    shell: Shell

    def bill(self) -> None:
        """Ask for a file, then count what is bought."""
        self._ask("Bill of materials", "bom.xlsx", TABLES, self.write_bill)

    def cables(self) -> None:
        """Ask for a file, then list the cables."""
        self._ask("Cable schedule", "cables.xlsx", TABLES, self.write_cables)

    def labels(self) -> None:
        """Choose a sheet and a template, then a file."""
        session = self.shell.session
        if session is None:
            return
        from topoedit.editor.dialogs.labels_dialog import LabelsDialog

        dialog = LabelsDialog(session, self.shell.widget)
        dialog.chosen.connect(self._labels_to)
        dialog.open()

    def _labels_to(self, sheet: str, template: str) -> None:
        filters = "Sheets (*.pdf)" if sheet else "Table (*.csv);;Workbook (*.xlsx)"
        name = "labels.pdf" if sheet else "labels.csv"
        self._ask(
            "Labels", name, filters, lambda s, path: self.write_labels(s, path, sheet, template)
        )

    def convert(self) -> None:
        """Ask for a file of another tool, then write it."""
        from topoedit.io import formats

        kinds = {
            f"{one.title} (*{one.suffixes[0]})": one.id for one in formats.all_exporters().values()
        }
        session = self.shell.session
        if session is None:
            return
        dialog = self._dialog(session, "Write for another tool", "", ";;".join(kinds))

        def chosen(name: str) -> None:
            format_id = kinds[dialog.selectedNameFilter()]
            self.write_format(
                session, _suffixed(Path(name), dialog.selectedNameFilter()), format_id
            )

        dialog.fileSelected.connect(chosen)
        dialog.open()

    # -- writing -----------------------------------------------------------------------------------

    def write_bill(self, session: DocumentSession, path: Path) -> Task:
        """Write the bill of materials beside the window."""
        drawing = session.path

        def work(document: Document, progress: Progress, cancel: Cancel) -> str:
            from topoedit.app import bom as app
            from topoedit.reports.user_parts import all_parts

            parts = all_parts((), drawing)
            found = app.bom(document, parts=parts, progress=progress, cancel=cancel)
            app.write_bom(found, path, progress, cancel)
            missing = [name for name, state in found.networks.items() if state == "not drawn"]
            left = f" Not drawn, so not in it: {', '.join(missing)}." if missing else ""
            return f"{format_number(len(found.lines))} lines.{left}"

        return self._write(session, path, "bill of materials", work)

    def write_cables(self, session: DocumentSession, path: Path) -> Task:
        """Write the cable schedule beside the window."""
        drawing = session.path

        def work(document: Document, progress: Progress, cancel: Cancel) -> str:
            from topoedit.app import cables as app
            from topoedit.reports.user_parts import all_parts

            parts = all_parts((), drawing)
            found = app.cables(document, parts=parts, progress=progress, cancel=cancel)
            app.write_cables(found, path, progress, cancel)
            return f"{format_number(found.cables)} cables."

        return self._write(session, path, "cable schedule", work)

    def write_labels(
        self, session: DocumentSession, path: Path, sheet: str = "", template: str = ""
    ) -> Task:
        """Write labels beside the window: on sheets as PDF, or as a list for a label printer.

        Args:
            session: the drawing.
            path: the file.
            sheet: a sheet of `render.label_stock`, "" for a list.
            template: text of a label, "" for the usual one.
        """
        drawing = session.path

        def work(document: Document, progress: Progress, cancel: Cancel) -> str:
            from topoedit.app import cables as app
            from topoedit.app.label_sheet import write_label_sheet
            from topoedit.render.label_stock import stock
            from topoedit.reports.labels import DEFAULT
            from topoedit.reports.user_parts import all_parts

            found = app.cables(
                document,
                label=template or DEFAULT,
                parts=all_parts((), drawing),
                progress=progress,
                cancel=cancel,
            )
            if not sheet:
                app.write_labels(found, path, progress, cancel)
                return f"Labels of {format_number(found.cables)} cables."
            notes = write_label_sheet(found, path, stock(sheet), progress=progress, cancel=cancel)
            return ". ".join(notes) + "."

        return self._write(session, path, "labels", work)

    def write_format(self, session: DocumentSession, path: Path, format_id: str) -> Task:
        """Write a file of another tool beside the window, and say what it cannot hold."""

        def work(document: Document, progress: Progress, _cancel: Cancel) -> str:
            from topoedit.app.convert import write_document

            progress("Writing", 0.0)
            losses = write_document(document, path, format_id)
            return f"It cannot hold: {', '.join(losses)}." if losses else "Everything is in it."

        return self._write(session, path, path.name, work)

    def _write(self, session: DocumentSession, path: Path, what: str, job: Job) -> Task:
        copied = copy_of(session.document)

        def work(progress: Progress, cancel: Cancel) -> object:
            return job(copied(), progress, cancel)

        return start_telling(
            self.shell,
            f"Writing the {what}" if what != path.name else f"Writing {what}",
            work,
            lambda said: self.shell.tell(f"{path.name} is written. {said}", "ok"),
        )

    def _ask(
        self,
        title: str,
        name: str,
        filters: str,
        write: Callable[[DocumentSession, Path], object],
    ) -> None:
        session = self.shell.session
        if session is None:
            return
        dialog = self._dialog(session, title, name, filters)
        dialog.fileSelected.connect(
            lambda chosen: write(session, _suffixed(Path(chosen), dialog.selectedNameFilter()))
        )
        dialog.open()

    def _dialog(self, session: DocumentSession, title: str, name: str, filters: str) -> QFileDialog:
        dialog = QFileDialog(self.shell.widget, title)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(filters.split(";;"))
        dialog.setDirectory(str(_folder(session)))
        if name:
            stem = session.title.removesuffix(".json").removesuffix(".topo")
            dialog.selectFile(f"{stem}-{name}")
        return dialog


def _folder(session: DocumentSession) -> Path:
    """The drawing's folder, else the one last used."""
    if session.path is not None:
        return session.path.parent
    recent = [Path(entry.path).parent for entry in preferences.load_recent()]
    return next((folder for folder in recent if folder.is_dir()), Path.cwd())


def _suffixed(path: Path, name_filter: str) -> Path:
    """The path with the suffix of the kind that was chosen, unless it has one of these kinds.

    >>> _suffixed(Path("a"), "Table (*.csv)").name, _suffixed(Path("a.csv"), "Book (*.xlsx)").name
    ('a.csv', 'a.xlsx')
    """
    suffix = name_filter[name_filter.rfind("*") + 1 :].rstrip(")")
    if path.name.lower().endswith(suffix.lower()):
        return path
    known = (".csv", ".xlsx", ".pdf")
    stem = path.name.removesuffix(path.suffix) if path.suffix.lower() in known else path.name
    return path.with_name(stem + suffix)
