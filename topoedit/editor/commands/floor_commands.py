"""The floor of the current drawing: its plan, and rack lists that place racks on it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from topoedit.editor.shell import WindowShell
from topoedit.errors import TopoeditError

if TYPE_CHECKING:
    from topoedit.app.place_racks import PlacedRacks
    from topoedit.editor.session import DocumentSession

_NAMES = ("Rack lists (*.csv *.xlsx)", "All files (*)")


@dataclass
class FloorCommands:
    """Acts on the current drawing."""

    shell: WindowShell

    def show(self) -> None:
        """Open the floor plan beside the window."""
        session = self.shell.session
        if session is None:
            return
        from topoedit.editor.dialogs.floor_dialog import FloorDialog

        FloorDialog(self.shell, session, self.shell.widget).show()

    def import_racks(self) -> None:
        """Ask for a rack list, then place its racks in one step."""
        if self.shell.session is None:
            return
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(self.shell.widget, "Import rack list")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(_NAMES)
        dialog.fileSelected.connect(lambda name: self.read(Path(name)))
        dialog.open()

    def read(self, path: Path) -> None:
        """Place the racks of a list, after asking where rows are bad."""
        session = self.shell.session
        if session is None:
            return
        from topoedit.app.floor import read_racks

        try:
            placed = read_racks(session.document, path)
        except TopoeditError as error:
            self.shell.tell(error.line, "error")
            return
        if not placed.problems:
            self._place(session, placed)
            return
        from topoedit.editor.dialogs.rack_list_dialog import RackListDialog

        RackListDialog(
            path.name, placed, lambda: self._place(session, placed), self.shell.widget
        ).open()

    def _place(self, session: DocumentSession, placed: PlacedRacks) -> None:
        if placed.edit.is_empty:
            self.shell.tell("The rack list changes nothing.")
        elif session.apply(placed.edit):
            self.shell.tell(f"Rack list: {placed.summary}.", "ok")
