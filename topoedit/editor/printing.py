"""Print: paper and pages with a preview, then the printer, or a PDF where there is none."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QProgressBar, QWidget

from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.dialogs.paper_fields import PaperFields
from topoedit.editor.layers import filter_words
from topoedit.editor.picture_export import PictureChoice, picture_options, picture_scene
from topoedit.editor.picture_preview import PicturePreview
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.editor.step_runner import StepRunner
from topoedit.editor.widgets import label
from topoedit.errors import BadInputError, TopoeditError

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from topoedit.render.sheet import ExportOptions, Sheet

NO_PRINTER = "No printer is set up here: Print saves a PDF instead."


class PrintDialog(FormDialog):
    """Page set-up with a preview."""

    def __init__(self, shell: Shell, session: DocumentSession, parent: QWidget) -> None:
        super().__init__("Print", "Print…", parent, 960)
        self._shell, self._session = shell, session
        self._scene = picture_scene(session)
        self._printer: QPrinter | None = None
        self._runner = StepRunner(self)
        self._runner.progressed.connect(self._progressed)
        self._runner.finished.connect(self._printed)
        self._runner.failed.connect(lambda line: self.say(line, bad=True))
        self.paper = PaperFields(self)
        self.selection = QCheckBox("Only what is selected")
        self.selection.setEnabled(bool(session.selection))
        self.title_block = QCheckBox("Title block")
        self.title_block.setChecked(True)
        self.complete = QCheckBox("Every device, nothing collapsed")
        self.preview = PicturePreview(shell.theming.theme)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.hide()
        self._lay_out()
        self._refresh()

    def _lay_out(self) -> None:
        self.body.setDirection(QBoxLayout.Direction.LeftToRight)
        self.body.addWidget(self.preview, 1)
        self.add_row("Paper", self.paper.paper_line())
        self.add_row("Pages", self.paper.pages_line())
        self.add_row("", self.paper.by_scale)
        self.add_row("", self.paper.marks)
        self.add_row("Shows", self.selection)
        if words := filter_words(self._session.layers):
            self.filtered = label(f"As on the canvas: {words}", "secondary", wrap=True)
            self.add_row("", self.filtered)
        self.add_row("", self.title_block)
        self.add_row("", self.complete)
        self.add_row("", self.bar)
        self.paper.changed.connect(self._refresh)
        for box in (self.selection, self.title_block, self.complete):
            box.toggled.connect(self._refresh)

    def options(self) -> ExportOptions:
        """What the fields say; always on white, in the light look."""
        choice = PictureChoice(
            theme="light",
            only_selected=self.selection.isChecked(),
            title_block=self.title_block.isChecked(),
            complete=self.complete.isChecked(),
            poster=self.paper.poster(),
        )
        return picture_options(self._session, choice)

    def sheet(self) -> Sheet:
        """What would be printed.

        Raises:
            BadInputError: too many pages.
        """
        from topoedit.render.sheet import plan_sheet

        return plan_sheet(self._scene, self.options())

    def _refresh(self) -> None:
        from topoedit.render.export import size_of
        from topoedit.render.sheet import ExportOptions

        try:
            options, sheet = self.options(), self.sheet()
        except TopoeditError as error:
            self.say(error.line, bad=True)
            self.preview.show_sheet(None, ExportOptions())
            return
        size = size_of(sheet, "pdf", options)
        pages = f"{size.pages} page{'' if size.pages == 1 else 's'} {size.paper}"
        closed = " · pods closed" if size.collapsed else ""
        self.say(f"{pages}{closed}" if has_printers() else f"{pages}{closed}. {NO_PRINTER}")
        self.preview.show_sheet(sheet, options)

    def accept(self) -> None:
        """Ask for a printer, or for a PDF if there is none."""
        self.preview.stop()
        if not has_printers():
            self._as_pdf()
            return
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        prepare(printer, self.sheet(), self.options())
        dialog = QPrintDialog(printer, self)
        dialog.setOption(QPrintDialog.PrintDialogOption.PrintPageRange, False)
        dialog.accepted.connect(lambda: self.print_on(printer))
        dialog.setModal(True)
        dialog.show()

    def _as_pdf(self) -> None:
        from topoedit.editor.dialogs.export_dialog import ExportDialog

        dialog = ExportDialog(self._shell, self._session, self._shell.widget)
        dialog.kind.setCurrentIndex(dialog.kind.findData("pdf"))
        dialog.paper.take(self.paper)
        super().accept()
        dialog.open()

    def print_on(self, printer: QPrinter) -> None:
        """Print; the dialog closes when all pages have been handed over."""
        self.bar.show()
        self.accept_button.setEnabled(False)
        self._printer = printer
        options, sheet = self.options(), self.sheet()
        prepare(printer, sheet, options)
        self._runner.start(print_steps(printer, sheet, options))

    def _progressed(self, share: float) -> None:
        self.bar.setValue(round(1000 * share))

    def _printed(self, pages: object) -> None:
        self._printer = None
        self.bar.hide()
        self._shell.tell(f"Printed {pages} page{'' if pages == 1 else 's'}.", "ok")
        super().accept()

    def reject(self) -> None:
        """Stop printing first, then close."""
        self._runner.stop()
        self.preview.stop()
        super().reject()


def has_printers() -> bool:
    """Whether the system knows a printer."""
    from PySide6.QtPrintSupport import QPrinterInfo

    return bool(QPrinterInfo.availablePrinterNames())


def prepare(printer: QPrinter, sheet: Sheet, options: ExportOptions) -> None:
    """Set paper, orientation and title of a print job."""
    from topoedit.render.pdf import page_layout

    if options.poster is None or sheet.paper is None:
        raise BadInputError("there is no paper to print on")
    printer.setPageLayout(page_layout(options.poster, sheet.paper[2]))
    printer.setFullPage(True)
    printer.setDocName(options.title)
    printer.setCreator("topoedit")


def print_steps(
    printer: QPrinter, sheet: Sheet, options: ExportOptions
) -> Generator[float, None, int]:
    """Print all pages of a sheet; returns how many.

    Raises:
        BadInputError: the printer does not begin.
    """
    from topoedit.render.pdf import poster_steps

    poster = options.poster
    with QPainter(printer) as painter:
        if poster is None or not painter.isActive():
            raise BadInputError("the printer does not answer", mend="Choose another, or save a PDF")
        dots = printer.resolution() / 25.4
        yield from poster_steps(painter, sheet, options, poster, dots, printer)
    columns, rows, _ = sheet.paper or (1, 1, False)
    return columns * rows
