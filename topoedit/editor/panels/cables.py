"""The Cables table: every link with its ports; a row selects its link."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from topoedit.editor.panels.base import TablePage
from topoedit.editor.panels.cables_model import CablesModel
from topoedit.editor.panels.tables import Table
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import SearchField, columns, label, rows
from topoedit.model.edits import Change, Edit
from topoedit.model.elements import Device, Link
from topoedit.units import format_number

_WIDTHS = (96, 124, 80, 124, 80, 150, 100, 72, 84)


class CablesPanel(TablePage):
    """Filter line over the table."""

    def __init__(self, theming: Theming) -> None:
        super().__init__()
        self.model = CablesModel(self)
        self.table = Table(theming, "Cables")
        self.table.setModel(self.model)
        self.table.set_widths(_WIDTHS)
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.table.setSortingEnabled(True)
        self.filter = SearchField(theming, "Filter by device, port, cable, medium or tag")
        self.filter.setMaximumWidth(320)
        self.only_selected = QCheckBox("Selection only")
        self._count = label(role="caption")
        top = columns(None, (8, 4, 12, 4), 12)
        top.addWidget(self.filter, 1)
        top.addWidget(self.only_selected)
        top.addStretch(1)
        top.addWidget(self._count)
        layout = rows(self)
        layout.addLayout(top)
        layout.addWidget(self.table, 1)
        self._stale = True
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._rebuild)
        self._typing = QTimer(self, singleShot=True, interval=150)
        self._typing.timeout.connect(self._filter)
        self.filter.textChanged.connect(lambda _text: self._typing.start())
        self.only_selected.toggled.connect(lambda _on: self._filter())
        self.table.visited.connect(self._visit)

    def focus_target(self) -> QWidget:
        """The filter."""
        return self.filter

    def listen(self, session: DocumentSession) -> None:
        """Follow links and selection."""
        self.bind(session.changed, self._follow)
        self.bind(session.selection_changed, self._selected)

    def refresh(self) -> None:
        """Show everything, once it is seen."""
        self._emit_count()
        self._stale = True
        if self.isVisible():
            self._rebuild()

    def showEvent(self, event: QShowEvent) -> None:
        """List what has changed while it was hidden."""
        super().showEvent(event)
        if self._stale:
            self._rebuild()

    def flush(self) -> None:
        """Take a filter that is still being typed."""
        self._typing.stop()
        self._filter()

    def _follow(self, change: Change) -> None:
        if not _touches(change):
            return
        self._emit_count()
        self._stale = True
        if self.isVisible():
            self._later.start()

    def _selected(self) -> None:
        if self.model.only_selected:
            self._stale = True
            if self.isVisible():
                self._later.start()

    def _rebuild(self) -> None:
        self._stale = False
        self.model.show_session(self.session)
        self._show_count()

    def _filter(self) -> None:
        self.model.set_filter(self.filter.text(), self.only_selected.isChecked())
        self._show_count()

    def _show_count(self) -> None:
        total = 0 if self.session is None else self.session.totals.links
        shown = self.model.rowCount()
        words = f"{format_number(shown)} of {format_number(total)} links"
        self._count.setText(words if shown != total else f"{format_number(total)} links")

    def _emit_count(self) -> None:
        self.counted.emit(0 if self.session is None else self.session.totals.cables)

    def _visit(self, row: int) -> None:
        if row < len(self.model.ids):
            self.visited.emit((self.model.ids[row],))


def _touches(change: Change) -> bool:
    """Whether links, or names of devices, may have changed."""
    edit, inverse = change.edit, change.inverse
    if not isinstance(edit, Edit) or not isinstance(inverse, Edit):
        return False
    return any(isinstance(e, Link | Device) for e in (*edit.put, *inverse.put))
