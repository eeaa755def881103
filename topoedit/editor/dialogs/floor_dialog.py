"""The floor plan beside the drawing: rooms, colours, and pictures of both plan and elevations."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QPushButton, QScrollArea, QWidget

from topoedit.app.floor import FloorChoice, write_floor
from topoedit.editor.floor_view import FloorView
from topoedit.editor.panels.fields import Combo
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import WindowShell
from topoedit.editor.widgets import columns, label, rows, rule
from topoedit.errors import TopoeditError
from topoedit.reports.floor.pictures import BYS

_FILTERS = {
    "Floor plan, SVG (*.svg)": (".svg", False),
    "Floor plan, PDF (*.pdf)": (".pdf", False),
    "Floor plan, PNG (*.png)": (".png", False),
    "Rack elevations, PDF (*.pdf)": (".pdf", True),
    "Rack elevations, SVG (*.svg)": (".svg", True),
    "Rack list, XLSX (*.xlsx)": (".xlsx", False),
    "Rack list, CSV (*.csv)": (".csv", False),
}
_NOTHING = "No racks yet. Group devices as racks, or import a rack list."


class FloorDialog(QDialog):
    """Shows the floor of one drawing; the window stays in use."""

    def __init__(self, shell: WindowShell, session: DocumentSession, parent: QWidget) -> None:
        super().__init__(parent)
        self._shell, self._session = shell, session
        self.setWindowTitle(f"Floor plan of {session.title}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(1040, 720)
        self.rooms, self.by = Combo(), Combo()
        self.rooms.setAccessibleName("Room")
        self.by.setAccessibleName("Coloured by")
        for word in BYS:
            self.by.addItem(word.capitalize(), word)
        self.view = FloorView(session, shell.theming, self)
        self.hint = label("Drag a rack to another place", "secondary")
        self._lay_out()
        self.view.rooms_changed.connect(self._list_rooms)
        self.view.told.connect(self._tell)
        self.rooms.activated.connect(self.view.show_room)
        self.by.activated.connect(lambda row: self.view.show_by(BYS[row]))
        shell.documents.current_changed.connect(self._tabs_changed)
        self._list_rooms()

    def _tabs_changed(self) -> None:
        if self._shell.documents.index_of(self._session) < 0:
            self.close()

    def _lay_out(self) -> None:
        head = columns(None, (16, 12, 16, 12), 8)
        for words, field in (("Room", self.rooms), ("Coloured by", self.by)):
            head.addWidget(label(words, "secondary"))
            field.setMinimumWidth(140)
            head.addWidget(field)
        head.addWidget(self.hint, 1)
        save = QPushButton("Export…")
        save.clicked.connect(self.export)
        head.addWidget(save)
        self._area = QScrollArea()
        self._area.setWidget(self.view)
        self._area.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        whole = rows(self)
        whole.addLayout(head)
        whole.addWidget(rule())
        whole.addWidget(self._area, 1)

    def _list_rooms(self) -> None:
        self.rooms.clear()
        for area in self.view.areas:
            self.rooms.addItem(area.load.name)
        self.rooms.setCurrentIndex(self.view.room)
        self.rooms.setEnabled(self.rooms.count() > 1)
        if not self.view.areas:
            self.hint.setText(_NOTHING)

    def _tell(self, text: str) -> None:
        self.hint.setText(text or "Drag a rack to another place")

    def export(self) -> None:
        """Ask for a file, then write it."""
        dialog = QFileDialog(self, "Export floor")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([*_FILTERS])
        dialog.setDefaultSuffix("svg")
        dialog.filterSelected.connect(lambda text: dialog.setDefaultSuffix(_FILTERS[text][0][1:]))
        dialog.fileSelected.connect(
            lambda name: self.write(Path(name), _FILTERS[dialog.selectedNameFilter()][1])
        )
        dialog.open()

    def write(self, target: Path, elevations: bool) -> None:
        """Write what is shown, or the elevations of its room, or the rack list."""
        data = self.view.data
        if data is None:
            return
        room = self.view.areas[self.view.room].load.name if self.view.areas else ""
        choice = FloorChoice(elevations, room, self.view.by)
        try:
            write_floor(self._session.document, data, target, choice)
        except TopoeditError as error:
            self._tell(error.line)
            return
        self._tell(f"Wrote {target.name}")
