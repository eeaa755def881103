"""Export: what a picture of the diagram shows and how large it is, with a live preview."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QBoxLayout, QCheckBox, QFileDialog, QLineEdit, QProgressBar, QWidget

from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.dialogs.paper_fields import PaperFields
from topoedit.editor.layers import filter_words
from topoedit.editor.panels.fields import Combo
from topoedit.editor.picture_export import Kind, PictureChoice, picture_options, picture_scene
from topoedit.editor.picture_preview import PicturePreview
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.editor.step_runner import StepRunner
from topoedit.editor.widgets import columns, label
from topoedit.errors import TopoeditError
from topoedit.io import atomic
from topoedit.units import format_bytes

if TYPE_CHECKING:
    from topoedit.render.scene import DiagramScene

_KINDS: tuple[tuple[Kind, str], ...] = (
    ("svg", "SVG, for the web and vector editors"),
    ("png", "PNG, for slides and documents"),
    ("pdf", "PDF, for print and posters"),
)
_GROUNDS = (("theme", "Canvas colour"), ("white", "White"), ("transparent", "Transparent"))
_LABELS = (("none", "No loads"), ("hot", "Loads of hot links"), ("all", "Loads, as many as fit"))
_SCALES = ((0.5, "0.5×"), (1.0, "1×"), (2.0, "2×"), (4.0, "4×"), (8.0, "8×"))


class ExportDialog(FormDialog):
    """Writes one picture."""

    def __init__(self, shell: Shell, session: DocumentSession, parent: QWidget) -> None:
        super().__init__("Export", "Export…", parent, 960)
        self._shell, self._session = shell, session
        self._scenes: dict[bool, DiagramScene] = {}
        self._target = Path()
        self._runner = StepRunner(self)
        self._runner.progressed.connect(self._progressed)
        self._runner.finished.connect(self._written)
        self._runner.failed.connect(self._failed)
        self._make_fields(session)
        self._lay_out()
        self._listen()
        self._refresh()

    def _make_fields(self, session: DocumentSession) -> None:
        self.kind = self._combo(_KINDS)
        self.theme = self._combo((("light", "Light"), ("dark", "Dark")))
        self.background = self._combo(_GROUNDS)
        self.scale = self._combo(_SCALES)
        self.scale.setCurrentIndex(1)
        self.labels = self._combo(_LABELS)
        self.labels.setCurrentIndex(self.labels.findData(session.labels))
        self.selection = self._check("Only what is selected", enabled=bool(session.selection))
        analysed = session.analysis is not None
        self.colours = self._check("Colour links by load", on=analysed, enabled=analysed)
        self.legend = self._check("Legend", on=analysed, enabled=analysed)
        self.title_block = self._check("Title block", on=True)
        self.complete = self._check("Every device, nothing collapsed")
        self.embed = self._check("With the drawing inside")
        self.embed.setToolTip("The picture can be opened again and edited.")
        self.title = self._text(session.document.settings.name or session.title)
        self.revision, self.date, self.author, self.note = (self._text("") for _ in range(4))
        self.revision.setPlaceholderText("Revision")
        self.date.setPlaceholderText("Date")
        self.author.setPlaceholderText("Author")
        self.note.setPlaceholderText("Any text")
        self.paper = PaperFields(self, optional=True)
        self.preview = PicturePreview(self._shell.theming.theme)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.hide()

    def _lay_out(self) -> None:
        self.body.setDirection(QBoxLayout.Direction.LeftToRight)
        self.body.setStretch(0, 0)
        self.body.addWidget(self.preview, 1)
        self.add_row("Format", self.kind)
        self.add_row("Look", self._line(self.theme, self.background))
        self.add_row("Scale", self._line(self.scale, self.labels))
        self.add_row("Shows", self._line(self.colours, self.selection))
        self.add_row("", self._line(self.legend, self.title_block))
        if words := filter_words(self._session.layers):
            self.filtered = label(f"As on the canvas: {words}", "secondary", wrap=True)
            self.add_row("", self.filtered)
        self.add_row("", self._line(self.complete, self.embed))
        self.add_row("Title", self.title)
        self.add_row("", self._line(self.revision, self.date))
        self.add_row("", self._line(self.author, self.note))
        self.add_row("Paper", self.paper.paper_line())
        self.add_row("Pages", self.paper.pages_line())
        self.add_row("", self.paper.by_scale)
        self.add_row("", self.paper.marks)
        self.add_row("", self.bar)

    def _line(self, *fields: QWidget) -> QWidget:
        made = QWidget(self)
        line = columns(made, (0, 0, 0, 0), 8)
        for field in fields:
            line.addWidget(field, 1)
        return made

    @staticmethod
    def _combo(choices: tuple[tuple[object, str], ...]) -> Combo:
        combo = Combo()
        for value, words in choices:
            combo.addItem(words, value)
        return combo

    @staticmethod
    def _check(words: str, *, on: bool = False, enabled: bool = True) -> QCheckBox:
        made = QCheckBox(words)
        made.setChecked(on)
        made.setEnabled(enabled)
        return made

    @staticmethod
    def _text(text: str) -> QLineEdit:
        made = QLineEdit(text)
        made.setMaxLength(200)
        return made

    def _listen(self) -> None:
        for combo in (self.kind, self.theme, self.background, self.scale, self.labels):
            combo.currentIndexChanged.connect(self._refresh)
        for box in (
            self.selection, self.colours, self.legend, self.title_block, self.complete, self.embed,
        ):  # fmt: skip
            box.toggled.connect(self._refresh)
        for line in (self.title, self.revision, self.date, self.author, self.note):
            line.textEdited.connect(self._refresh)
        self.paper.changed.connect(self._refresh)

    # -- what is chosen ------------------------------------------------------------------------

    @property
    def chosen_kind(self) -> Kind:
        """The format."""
        return cast("Kind", self.kind.currentData())

    def choice(self) -> PictureChoice:
        """What the fields say."""
        pdf = self.chosen_kind == "pdf"
        return PictureChoice(
            theme=str(self.theme.currentData()),
            scale=float(self.scale.currentData()),
            background=self.background.currentData(),
            only_selected=self.selection.isChecked(),
            coloured=self.colours.isChecked(),
            labels=str(self.labels.currentData()),
            legend=self.legend.isChecked(),
            title_block=self.title_block.isChecked(),
            title=self.title.text(),
            date=self.date.text(),
            revision=self.revision.text(),
            author=self.author.text(),
            note=self.note.text(),
            complete=self.complete.isChecked(),
            poster=self.paper.poster() if pdf else None,
            embed=self.embed.isChecked() and not pdf,
        )

    def _scene(self, coloured: bool) -> DiagramScene:
        if coloured not in self._scenes:
            self._scenes[coloured] = picture_scene(self._session, coloured)
        return self._scenes[coloured]

    def _refresh(self) -> None:
        """Say how large the picture will be, and show it."""
        from topoedit.render.export import size_of
        from topoedit.render.sheet import ExportOptions, plan_sheet

        pdf = self.chosen_kind == "pdf"
        for widget in (self.paper.size_.parentWidget(), self.paper.columns.parentWidget()):
            if widget is not None:
                widget.setEnabled(pdf)
        self.paper.by_scale.setVisible(pdf)
        self.paper.marks.setVisible(pdf)
        self.embed.setEnabled(not pdf)
        choice = self.choice()
        try:
            options = picture_options(self._session, choice)
            sheet = plan_sheet(self._scene(choice.coloured), options)
            size = size_of(sheet, self.chosen_kind, options)
        except TopoeditError as error:
            self.say(error.line, bad=True)
            self.preview.show_sheet(None, ExportOptions())
            return
        self.say(size.words)
        self.preview.show_sheet(sheet, options)

    # -- writing -------------------------------------------------------------------------------

    def accept(self) -> None:
        """Ask for a file, then write it."""
        kind = self.chosen_kind
        dialog = QFileDialog(self, "Export")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(f"{kind.upper()} (*.{kind})")
        dialog.setDefaultSuffix(kind)
        session = self._session
        folder = session.path.parent if session.path is not None else Path.cwd()
        stem = session.title.removesuffix(".json").removesuffix(".topo")
        dialog.setDirectory(str(folder))
        dialog.selectFile(f"{stem}.{kind}")
        dialog.fileSelected.connect(lambda name: self.write(Path(name)))
        dialog.open()

    def write(self, target: Path) -> None:
        """Write the picture and close; what went wrong is said in the dialog."""
        from topoedit.render.export import picture_steps

        choice = self.choice()
        self._target = target
        self.preview.stop()
        try:
            options = picture_options(self._session, choice)
            steps = picture_steps(self._scene(choice.coloured), self.chosen_kind, options)
        except TopoeditError as error:
            self.say(error.line, bad=True)
            return
        self.bar.setValue(0)
        self.bar.show()
        self.accept_button.setEnabled(False)
        self._runner.start(steps)

    def _progressed(self, share: float) -> None:
        self.bar.setValue(round(1000 * share))
        self.line.setText(f"Painting, {share:.0%}")

    def _failed(self, line: str) -> None:
        self.bar.hide()
        self.say(line, bad=True)

    def _written(self, data: object) -> None:
        self.bar.hide()
        if not isinstance(data, bytes):
            return
        try:
            atomic.write(self._target, data)
        except TopoeditError as error:
            self.say(error.line, bad=True)
            return
        self._shell.tell(f"Exported {self._target.name}, {format_bytes(len(data))}.", "ok")
        super().accept()

    def reject(self) -> None:
        """Stop writing first, then close."""
        if self._runner.is_running:
            self._runner.stop()
            self.bar.hide()
            self._refresh()
            return
        self.preview.stop()
        super().reject()
