"""Wiring by pattern: which devices, by which rule, how many cables; the plan is shown first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QLineEdit, QWidget

from topoedit.editor.canvas.ghosts import cable_ghosts
from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.number_box import NumberBox
from topoedit.editor.panels.fields import Combo
from topoedit.editor.panels.tables import Table
from topoedit.editor.picker import Choice, PickerButton
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.errors import BadInputError
from topoedit.model.connect import Cabling
from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.model.operations import plural, with_members
from topoedit.model.ports import collapse
from topoedit.model.wiring import Pattern, PlannedLink, Scheme, plan, wire
from topoedit.units import format_number

SHOWN = 200
MAX_GUESSED = 100
_TIERS = {"server": 0, "nvswitch": 1, "leaf": 1, "switch": 1, "spine": 2, "core": 3, "router": 4}
_SCHEMES: tuple[tuple[Scheme, str], ...] = (
    ("mesh", "Mesh: every one with every one"),
    ("rail", "Rail: NIC i to the i-th switch"),
    ("pairs", "Pairs: the i-th with the i-th"),
)


class WireDialog(FormDialog):
    """Cables many devices to many."""

    def __init__(self, shell: Shell, session: DocumentSession, parent: QWidget) -> None:
        super().__init__("Wire by pattern", "Connect", parent, 640)
        self._shell, self._session = shell, session
        self.a, self.b = QLineEdit(), QLineEdit()
        for field, hint in ((self.a, "node-*"), (self.b, "leaf-*")):
            field.setPlaceholderText(hint)
            field.textChanged.connect(self._soon)
        self.scheme = Combo()
        for value, words in _SCHEMES:
            self.scheme.addItem(words, value)
        self.scheme.activated.connect(self._soon)
        self.cables = NumberBox()
        self.cables.setRange(1, 1024)
        self.cables.valueChanged.connect(self._soon)
        self.ports_a, self.ports_b = QLineEdit(), QLineEdit()
        for field in (self.ports_a, self.ports_b):
            field.setPlaceholderText("free ports in order")
            field.textChanged.connect(self._soon)
        self.medium = PickerButton(shell.theming, "Medium")
        self.medium.set_choices([Choice("", "Unknown"), *media(session.document)])
        self.medium.picked.connect(self.medium.show_choice)
        self._model = QStandardItemModel(0, 4, self)
        self.table = Table(shell.theming, "Port plan")
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=120)
        self._timer.timeout.connect(self.preview)
        self._guess()
        self.preview()

    def _lay_out(self) -> None:
        self.add_row("From", self.a, "Names, globs or groups, between commas.")
        self.add_row("To", self.b, "Names, globs or groups, between commas.")
        self.add_row("Rule", self.scheme)
        self.add_row("Cables a pair", self.cables)
        self.add_row("Ports from", self.ports_a, "A range such as 33-64; empty takes free ones.")
        self.add_row("Ports to", self.ports_b, "A range such as 1-32; empty takes free ones.")
        self.add_row("Medium", self.medium)
        self.table.setModel(self._model)
        self.table.setMinimumHeight(200)
        self.body.addWidget(self.table, 1)

    def _guess(self) -> None:
        """Sides out of the selection: the lower tier from, the upper tier to.

        Devices of one tier are one side: servers from, anything else to. With nothing selected, the
        whole of a small drawing is offered if it can be wired so.
        """
        document = self._session.document
        chosen = with_members(document, self._session.selection)
        devices = chosen
        if not chosen and len(document.devices) <= MAX_GUESSED:
            devices = list(document.devices.values())
        tiers = sorted({_TIERS.get(d.kind, 1) for d in devices})
        if len(tiers) < 2:
            if chosen:
                (self.b if tiers[0] else self.a).setText(names_text(document, chosen))
            return
        low = [d for d in devices if _TIERS.get(d.kind, 1) == tiers[0]]
        high = [d for d in devices if _TIERS.get(d.kind, 1) == tiers[1]]
        self.a.setText(names_text(document, low))
        self.b.setText(names_text(document, high))
        if tiers[0] == 0:
            self.scheme.setCurrentIndex(1)
        if not chosen and not self._is_possible():
            self.a.clear()
            self.b.clear()
            self.scheme.setCurrentIndex(0)

    def _is_possible(self) -> bool:
        try:
            return bool(plan(self._session.document, self.pattern()))
        except BadInputError:
            return False

    def pattern(self) -> Pattern:
        """What the fields say."""
        scheme: Scheme = self.scheme.currentData()
        return Pattern(
            a=self.a.text(),
            b=self.b.text(),
            scheme=scheme,
            cables=self.cables.value(),
            ports_a=self.ports_a.text().strip(),
            ports_b=self.ports_b.text().strip(),
            cabling=Cabling(medium=self.medium.key),
        )

    def _soon(self) -> None:
        self._timer.start()

    def settle(self) -> None:
        """Show the plan of what was typed last."""
        if self._timer.isActive():
            self.preview()

    def preview(self) -> None:
        """Show the port plan, or why there is none."""
        self._timer.stop()
        if not (self.a.text().strip() and self.b.text().strip()):
            self._show(())
            self.wait_for("Name the devices on both sides.")
            return
        try:
            planned = plan(self._session.document, self.pattern())
        except BadInputError as error:
            self._show(())
            self.say(error.line, bad=True)
            return
        self._show(planned)
        cables = sum(len(row.ports_a) for row in planned)
        more = f", the first {SHOWN} shown" if len(planned) > SHOWN else ""
        links = format_number(len(planned))
        self.say(f"Adds {plural(cables, 'cable')} in {links} links{more}. One undo step.")

    def _show(self, planned: Sequence[PlannedLink]) -> None:
        self._paint_on_canvas(planned)
        planned, devices = planned[:SHOWN], self._session.document.devices
        self._model.clear()
        self._model.setHorizontalHeaderLabels(["From", "Ports", "To", "Ports"])
        for row in planned:
            texts = (
                devices[row.a].name, collapse(p.name for p in row.ports_a),
                devices[row.b].name, collapse(p.name for p in row.ports_b),
            )  # fmt: skip
            self._model.appendRow([QStandardItem(text) for text in texts])
        self.table.set_widths((150, 140, 150, 140))

    def _paint_on_canvas(self, planned: Sequence[PlannedLink]) -> None:
        if (canvas := self._shell.canvas) is not None:
            canvas.show_ghosts(cable_ghosts(planned) if planned else None)

    def done(self, result: int) -> None:
        """The preview goes with the dialog."""
        self._timer.stop()
        self._paint_on_canvas(())
        super().done(result)

    def accept(self) -> None:
        """Draw the links."""
        try:
            edit = wire(self._session.document, self.pattern())
        except BadInputError as error:
            self.say(error.line, bad=True)
            return
        if self._session.apply(edit):
            super().accept()


def media(document: Document) -> list[Choice]:
    """Media of the catalogue."""
    return [
        Choice(m.id, m.name, f"{m.gbps:g}G" if m.gbps else "")
        for m in document.catalog.media.values()
    ]


def names_text(document: Document, devices: list[Device]) -> str:
    """Names between commas; a glob where it means exactly the same devices."""
    names = [device.name for device in devices]
    stem = names[0].rstrip("0123456789") if names else ""
    same = [d.name for d in document.devices.values() if stem and d.name.startswith(stem)]
    if len(names) > 1 and stem and sorted(same) == sorted(names):
        return f"{stem}*"
    return ", ".join(names)
