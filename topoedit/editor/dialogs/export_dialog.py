"""Export: format, theme and scale of a picture of the diagram, coloured as on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtWidgets import QCheckBox, QFileDialog, QWidget

from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.panels.fields import Combo
from topoedit.editor.picture_export import picture
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.errors import TopoeditError
from topoedit.io import atomic
from topoedit.units import format_bytes

Kind = Literal["svg", "png", "pdf"]
_KINDS: tuple[tuple[Kind, str], ...] = (
    ("svg", "SVG, for the web and vector editors"),
    ("png", "PNG, for slides and documents"),
    ("pdf", "PDF, for print"),
)


class ExportDialog(FormDialog):
    """Writes one picture."""

    def __init__(self, shell: Shell, session: DocumentSession, parent: QWidget) -> None:
        super().__init__("Export", "Export…", parent)
        self._shell, self._session = shell, session
        self.kind = self._combo(_KINDS)
        self.theme = self._combo((("light", "Light"), ("dark", "Dark")))
        self.scale = self._combo(((1.0, "1×"), (2.0, "2×"), (4.0, "4×")))
        self.selection = QCheckBox("Only what is selected")
        self.selection.setEnabled(bool(session.selection))
        self.colours = QCheckBox("Colour links by load")
        self.colours.setChecked(session.analysis is not None)
        self.colours.setEnabled(session.analysis is not None)
        self.add_row("Format", self.kind)
        self.add_row("Look", self.theme)
        self.add_row("Scale", self.scale)
        self.body.addWidget(self.selection)
        self.body.addWidget(self.colours)
        self.say("The drawing itself stays as it is.")

    @staticmethod
    def _combo(choices: tuple[tuple[object, str], ...]) -> Combo:
        combo = Combo()
        for value, words in choices:
            combo.addItem(words, value)
        return combo

    def accept(self) -> None:
        """Ask for a file, then write it."""
        kind = str(self.kind.currentData())
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
        kind: Kind = self.kind.currentData()
        try:
            data = picture(
                self._session,
                kind,
                theme=str(self.theme.currentData()),
                scale=float(self.scale.currentData()),
                only_selected=self.selection.isChecked(),
                coloured=self.colours.isChecked(),
            )
            atomic.write(target, data)
        except TopoeditError as error:
            self.say(error.line, bad=True)
            return
        self._shell.tell(f"Exported {target.name}, {format_bytes(len(data))}.", "ok")
        super().accept()
