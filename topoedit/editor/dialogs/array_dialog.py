"""Step and repeat: columns, rows and pitch of copies, in one undo step."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from topoedit.editor.canvas.ghosts import MOST_COPIES, array_ghosts
from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.number_box import NumberBox
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.errors import BadInputError
from topoedit.model.arrays import Array, repeat
from topoedit.model.clipboard import copy
from topoedit.model.elements import Device
from topoedit.model.naming import Reservation
from topoedit.model.operations import plural, with_members
from topoedit.render.sizes import size_of
from topoedit.units import format_number

GAP = 16


class ArrayDialog(FormDialog):
    """Repeats the selection of a session."""

    def __init__(self, shell: Shell, session: DocumentSession, parent: QWidget) -> None:
        super().__init__("Array", "Place", parent)
        self._shell, self._session = shell, session
        width, height = self._extent()
        self.columns_box = self._number(2, 1, 10_000)
        self.rows_box = self._number(1, 1, 10_000)
        self.across = self._number(width + GAP, 1, 100_000)
        self.down = self._number(height + GAP, 1, 100_000)
        self.wiring = QCheckBox("Repeat links to other devices on their next free ports")
        self.wiring.setChecked(True)
        self.add_row("Columns", self.columns_box)
        self.add_row("Rows", self.rows_box)
        self.add_row("Pitch across", self.across, "From centre to centre, canvas units.")
        self.add_row("Pitch down", self.down, "From centre to centre, canvas units.")
        self.body.addWidget(self.wiring)
        self._describe()

    def _number(self, value: int, low: int, high: int) -> NumberBox:
        box = NumberBox()
        box.setRange(low, high)
        box.setValue(value)
        box.valueChanged.connect(self._describe)
        return box

    def _extent(self) -> tuple[int, int]:
        devices = with_members(self._session.document, self._session.selection)
        boxes = [self._box(device) for device in devices]
        if not boxes:
            return 200, 80
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return round(max(rights) - min(lefts)), round(max(bottoms) - min(tops))

    def _box(self, device: Device) -> tuple[float, float, float, float]:
        width, height = size_of(device.kind, self._session.document.device_type(device))
        return (
            device.x - width / 2, device.y - height / 2, device.x + width / 2, device.y + height / 2
        )  # fmt: skip

    def array(self) -> Array:
        """What the fields say."""
        return Array(
            columns=self.columns_box.value(),
            rows=self.rows_box.value(),
            pitch_x=float(self.across.value()),
            pitch_y=float(self.down.value()),
            wiring=self.wiring.isChecked(),
        )

    def _describe(self) -> None:
        self._paint_on_canvas()
        copies = self.array().copies
        count = len(with_members(self._session.document, self._session.selection)) or 1
        if copies < 1:
            self.say("Set more than one column or row.", bad=True)
            return
        new = plural(copies * count, "new device")
        self.say(f"Adds {new} in {format_number(copies)} more places. One undo step.")

    def _paint_on_canvas(self) -> None:
        """Ghosts with the names that the copies will have, while there are not too many."""
        canvas, document = self._shell.canvas, self._session.document
        if canvas is None:
            return
        array = self.array()
        devices = copy(document, self._session.selection).devices
        if not devices or array.copies < 1 or array.copies * len(devices) > MOST_COPIES:
            canvas.show_ghosts(None)
            return
        reservation = Reservation(document)
        names = [reservation.next_name(d.name) for _ in range(array.copies) for d in devices]
        canvas.show_ghosts(array_ghosts(devices, array, names))

    def done(self, result: int) -> None:
        """The preview goes with the dialog."""
        if (canvas := self._shell.canvas) is not None:
            canvas.show_ghosts(None)
        super().done(result)

    def accept(self) -> None:
        """Place the copies and select them."""
        try:
            edit = repeat(self._session.document, self._session.selection, self.array())
        except BadInputError as error:
            self.say(error.line, bad=True)
            return
        if self._session.apply(edit):
            made = [e.id for e in edit.put if isinstance(e, Device)]
            self._session.select((*self._session.selection, *made))
            super().accept()
