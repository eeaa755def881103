"""Report: format and sections; the plan is the one that the drawing is analysed with."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from topoedit.app.report_job import ReportJob, Written, write_beside
from topoedit.editor.background import Cancel, Progress, Task, Work, start_telling
from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.panels.fields import Combo
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.editor.widgets import columns, label
from topoedit.reports.report.base import sections
from topoedit.units import format_bytes, format_number

_KINDS = (
    ("html", "HTML, one file for any browser"),
    ("pdf", "PDF, for print"),
    ("md", "Markdown, with the diagram beside it"),
)
_NAMES = {"html": "HTML (*.html)", "pdf": "PDF (*.pdf)", "md": "Markdown (*.md)"}
_NEEDS_PLAN = ("step", "oversubscription", "loads", "bottlenecks", "memory")
_ROW = 24
_ID = Qt.ItemDataRole.UserRole


class ReportDialog(FormDialog):
    """Chooses what a report holds; the work goes on beside the window."""

    def __init__(self, shell: Shell, session: DocumentSession, parent: QWidget) -> None:
        super().__init__("Report", "Report…", parent)
        self._shell, self._session = shell, session
        self.kind = Combo()
        for value, words in _KINDS:
            self.kind.addItem(words, value)
        self.sections = self._list_sections()
        self.template = QLineEdit()
        self.template.setPlaceholderText("The product's own page")
        self.template.setMaxLength(1000)
        self._choose = QPushButton("Choose…")
        self._choose.clicked.connect(self._choose_template)
        self.add_row("Format", self.kind)
        self.add_row("Plan", label(self._plan_words(), wrap=True))
        self.add_row("Sections", self.sections)
        self.add_row("Template", self._template_line(), "A company template (Jinja2), for HTML.")
        self.kind.currentIndexChanged.connect(self._refresh)
        self.sections.itemChanged.connect(self._refresh)
        self._refresh()

    def _list_sections(self) -> QListWidget:
        made = QListWidget()
        plan = self._has_plan
        for section in sections().values():
            item = QListWidgetItem(section.title)
            item.setData(_ID, section.id)
            item.setCheckState(Qt.CheckState.Checked)
            if section.id in _NEEDS_PLAN and not plan:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setCheckState(Qt.CheckState.Unchecked)
                item.setToolTip("Needs a model and a plan")
            made.addItem(item)
        made.setFixedHeight(_ROW * made.count() + 8)
        return made

    def _template_line(self) -> QWidget:
        made = QWidget(self)
        line = columns(made, (0, 0, 0, 0), 8)
        line.addWidget(self.template, 1)
        line.addWidget(self._choose)
        return made

    @property
    def _has_plan(self) -> bool:
        workload = self._session.workload
        return workload is not None and bool(workload.model)

    def _plan_words(self) -> str:
        saved = self._session.saved_workload
        if saved is None or not saved.workload.model:
            return "No model is chosen: loads, step time and memory are left out."
        model = saved.workload.model
        return saved.name if saved.name == model else f"{saved.name}, {model}"

    def _refresh(self) -> None:
        html = self.chosen_kind == "html"
        self.template.setEnabled(html)
        self._choose.setEnabled(html)
        count = len(self.chosen_sections())
        if count:
            of = self.sections.count()
            self.say("Every section" if count == of else f"{count} of {of} sections")
        else:
            self.wait_for("Choose at least one section.")

    @property
    def chosen_kind(self) -> str:
        """The format."""
        return str(self.kind.currentData())

    def chosen_sections(self) -> tuple[str, ...]:
        """Ids of the sections with a tick."""
        items = [self.sections.item(row) for row in range(self.sections.count())]
        return tuple(
            str(item.data(_ID)) for item in items if item.checkState() == Qt.CheckState.Checked
        )

    def _choose_template(self) -> None:
        dialog = QFileDialog(self, "Template")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["Templates (*.jinja *.j2 *.html)", "All files (*)"])
        dialog.fileSelected.connect(self.template.setText)
        dialog.open()

    def accept(self) -> None:
        """Ask for a file, then write it."""
        kind = self.chosen_kind
        dialog = QFileDialog(self, "Report")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(_NAMES[kind])
        dialog.setDefaultSuffix(kind)
        session = self._session
        folder = session.path.parent if session.path is not None else Path.cwd()
        stem = session.title.removesuffix(".json").removesuffix(".topo")
        dialog.setDirectory(str(folder))
        dialog.selectFile(f"{stem}-report.{kind}")
        dialog.fileSelected.connect(lambda name: self.write(Path(name)))
        dialog.open()

    def write(self, target: Path) -> Task:
        """Begin to write the report and close."""
        shell = self._shell

        def told(found: object) -> None:
            if isinstance(found, Written):
                shell.tell(written_words(found), "ok")

        task = start_telling(shell, "Writing the report", self._work(target), told)
        super().accept()
        return task

    def _work(self, target: Path) -> Work:
        """The work, with all that it needs of the drawing as it is now."""
        session = self._session
        elements = tuple(session.document.elements())
        template = self.template.text().strip() if self.chosen_kind == "html" else ""
        job = ReportJob(
            elements=len(elements),
            revision=session.document.revision,
            folder=str(session.path.parent) if session.path is not None else "",
            file=session.path.name if session.path is not None else "",
            target=str(target),
            sections=self.chosen_sections(),
            template=template,
        )

        def work(progress: Progress, cancelled: Cancel) -> object:
            return write_beside(job, elements, progress, cancelled)

        return work


def written_words(found: Written) -> str:
    """What was written, in one line."""
    name = Path(found.files[-1]).name
    words = f"Wrote {name}, {format_bytes(found.bytes)}."
    if not found.marked:
        return words
    count = format_number(found.marked)
    lines = "line rests" if found.marked == 1 else "lines rest"
    return f"{words} {count} {lines} on unverified or overridden values."
