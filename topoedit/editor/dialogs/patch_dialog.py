"""Routing links through patch panels: which panels, new trunks or not; the ways are shown first."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QLineEdit, QWidget

from topoedit.app.patch_words import find_panels
from topoedit.app.patching import NewTrunks, Patched, patch
from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.number_box import NumberBox
from topoedit.editor.panels.fields import Combo
from topoedit.editor.panels.tables import Table
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link, Polarity
from topoedit.model.operations import plural
from topoedit.model.ports import natural_key
from topoedit.model.segments import medium_of
from topoedit.reports.selling import runs_through_panels
from topoedit.units import format_number

SHOWN = 200
_TRUNKS = (
    ("", "None: what is there is enough"), ("MPO-12", "MPO-12"), ("MPO-16", "MPO-16"),
    ("MPO-24", "MPO-24"), ("LC", "LC duplex"),
)  # fmt: skip
_METHODS: tuple[tuple[Polarity, str], ...] = (
    ("B", "Method B (type B everywhere)"), ("A", "Method A (crossed in one jumper)"),
    ("C", "Method C (pairs, duplex only)"),
)  # fmt: skip


class PatchDialog(FormDialog):
    """Routes the selected links through panels."""

    def __init__(self, shell: Shell, session: DocumentSession, parent: QWidget) -> None:
        super().__init__("Route through patch panels", "Route", parent, 640)
        self._session = session
        self.links, self.left_out = chosen_links(session.document, session.selection)
        self.panels = QLineEdit()
        self.panels.setPlaceholderText("panel-1, panel-2")
        self.panels.setText(", ".join(_guessed(session.document, session.selection)))
        self.panels.textChanged.connect(self._soon)
        self.trunk = Combo()
        for value, words in _TRUNKS:
            self.trunk.addItem(words, value)
        self.ports = NumberBox()
        self.ports.setRange(1, 1000)
        self.ports.setValue(12)
        self.polarity = Combo()
        for method, words in _METHODS:
            self.polarity.addItem(words, method)
        self._model = QStandardItemModel(0, 3, self)
        self.table = Table(shell.theming, "Ways")
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=120)
        self._timer.timeout.connect(self.preview)
        self.preview()

    def _lay_out(self) -> None:
        self.add_row("Panels", self.panels, "Names between commas, in the order of the way.")
        self.add_row("New trunks", self.trunk, "Added where no free port of a trunk is left.")
        self.add_row("Ports a trunk", self.ports, "Ports of a new trunk at each panel.")
        self.add_row("Polarity", self.polarity, "Method of TIA-568 of new trunks.")
        self.trunk.activated.connect(self._soon)
        self.polarity.activated.connect(self._soon)
        self.ports.valueChanged.connect(self._soon)
        self.table.setModel(self._model)
        self.table.setMinimumHeight(200)
        self.body.addWidget(self.table, 1)

    def _soon(self) -> None:
        self._timer.start()

    def new_trunks(self) -> NewTrunks | None:
        """Trunks to add, as the fields say; None for none."""
        connector = str(self.trunk.currentData() or "")
        self.ports.setEnabled(bool(connector))
        self.polarity.setEnabled(bool(connector))
        if not connector:
            return None
        method: Polarity = self.polarity.currentData()
        return NewTrunks(connector=connector, ports=self.ports.value(), polarity=method)

    def patched(self) -> Patched:
        """What the fields come to.

        Raises:
            BadInputError: the links cannot run so.
        """
        document = self._session.document
        panels = find_panels(document, self.panels.text())
        return patch(document, self.links, panels, new_trunks=self.new_trunks())

    def preview(self) -> None:
        """Show the ways of the links, or why there are none."""
        self._timer.stop()
        self._model.clear()
        self._model.setHorizontalHeaderLabels(["Link", "Through", "Length"])
        if not self.links:
            self.say("Select links of detachable fibre or twisted pair.", bad=True)
            return
        if not self.panels.text().strip():
            self.new_trunks()
            self.wait_for("Name the panels on the way.")
            return
        try:
            found = self.patched()
        except BadInputError as error:
            self.say(error.line, bad=True)
            return
        self._show([e for e in found.edit.put if isinstance(e, Link)])
        more = f", {plural(len(found.trunks), 'new trunk')}" if found.trunks else ""
        left = (
            f" {plural(self.left_out, 'link')} with attached plugs stay." if self.left_out else ""
        )
        cables = f"{format_number(found.cables)} cables in {plural(found.links, 'link')}"
        self.say(f"Routes {cables}{more}. One undo step.{left}")

    def _show(self, links: list[Link]) -> None:
        devices = self._session.document.devices
        for link in links[:SHOWN]:
            ends = f"{devices[link.a.device].name} – {devices[link.b.device].name}"
            way = " > ".join(f"{devices[hop.device].name}:{hop.ports}" for hop in link.through)
            length = "–" if link.length_m is None else f"{link.length_m:g} m"
            self._model.appendRow([QStandardItem(text) for text in (ends, way, length)])
        self.table.set_widths((200, 280, 100))

    def accept(self) -> None:
        """Route the links."""
        try:
            edit = self.patched().edit
        except BadInputError as error:
            self.say(error.line, bad=True)
            return
        if self._session.apply(edit):
            super().accept()


def chosen_links(document: Document, selection: Iterable[str]) -> tuple[list[str], int]:
    """Ids of the links to route, and how many of those selected cannot run through panels.

    The links that are selected; else those between devices that are; else those at one of them.
    """
    ids = list(selection)
    links = [document.links[i] for i in ids if i in document.links]
    if not links:
        devices = {i for i in ids if i in document.devices}
        touching = dict.fromkeys(link for i in devices for link in document.links_of(i))
        found = [document.links[i] for i in touching]
        inner = [x for x in found if {x.a.device, x.b.device} <= devices]
        links = inner or found
    fitting = [link.id for link in links if _can_run(document, link)]
    return sorted(fitting, key=natural_key), len(links) - len(fitting)


def _can_run(document: Document, link: Link) -> bool:
    medium = medium_of(document, link)
    return medium is None or runs_through_panels(medium)


def _guessed(document: Document, selection: Iterable[str]) -> list[str]:
    """Names of the panels that are selected, else of all where there are one or two."""
    chosen = (document.devices.get(i) for i in selection)
    picked = [d.name for d in chosen if isinstance(d, Device) and d.kind == "panel"]
    every = [d.name for d in document.devices.values() if d.kind == "panel"]
    return picked or (sorted(every, key=natural_key) if len(every) <= 2 else [])
