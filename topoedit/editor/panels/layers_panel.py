"""The Layers panel: networks, planes and tags of the drawing, each shown or hidden."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QPushButton, QTreeView

from topoedit.editor.layers import Layers
from topoedit.editor.panels.base import SessionPanel
from topoedit.editor.session import DocumentSession
from topoedit.editor.widgets import columns, label, rows
from topoedit.model.document import Document
from topoedit.model.elements import Network
from topoedit.model.plan import choices
from topoedit.units import format_number

KEY_ROLE = Qt.ItemDataRole.UserRole
NETWORKS, PLANES, TAGS = "Networks", "Planes", "Tags"


class LayersPanel(SessionPanel):
    """Check boxes for what is in the drawing; hiding changes the view, never the document."""

    def __init__(self) -> None:
        super().__init__()
        self.model = QStandardItemModel(self)
        self.tree = QTreeView()
        self.tree.setObjectName("outline")
        self.tree.setAccessibleName("Layers")
        self.tree.setHeaderHidden(True)
        self.tree.setModel(self.model)
        self.tree.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.show_all = QPushButton("Show all")
        self.show_all.clicked.connect(self._show_all)
        self._empty = label(
            "Links and devices bring their networks, planes and tags.", "caption", wrap=True
        )
        layout = rows(self)
        for widget, margins in ((self._empty, (16, 8, 16, 8)), (self.show_all, (12, 8, 12, 12))):
            line = columns(None, margins)
            line.addWidget(widget)
            layout.addLayout(line)
            if widget is self._empty:
                layout.addWidget(self.tree, 1)
        self._filling = False
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self.model.itemChanged.connect(self._checked)

    def listen(self, session: DocumentSession) -> None:
        """Follow changes while shown."""
        self.bind(session.changed, self._follow)
        self.bind(session.layers_changed, self.refresh)

    def _follow(self, _change: object) -> None:
        if self.isVisible():
            self._later.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Count what has changed while it was hidden."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """List what is in the drawing."""
        session = self.session
        self._filling = True
        self.model.clear()
        if session is not None and self.isVisible():
            for title, counts in census(session.document).items():
                self._add(title, counts, session.layers)
        self.tree.expandAll()
        self._filling = False
        empty = self.model.rowCount() == 0
        self._empty.setVisible(empty)
        self.tree.setVisible(not empty)
        self.show_all.setEnabled(session is not None and not session.layers.all_shown)

    def _add(self, title: str, counts: dict[str, int], layers: Layers) -> None:
        header = QStandardItem(title)
        header.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for name, count in counts.items():
            item = QStandardItem(f"{_word(title, name)}   {format_number(count)}")
            item.setData((title, name), KEY_ROLE)
            item.setFlags(
                Qt.ItemFlag.ItemIsEnabled
                | Qt.ItemFlag.ItemIsUserCheckable
                | Qt.ItemFlag.ItemIsSelectable
            )
            hidden = name in _hidden(layers, title)
            item.setCheckState(Qt.CheckState.Unchecked if hidden else Qt.CheckState.Checked)
            header.appendRow(item)
        if counts:
            self.model.appendRow(header)

    def _checked(self, item: QStandardItem) -> None:
        if self._filling or self.session is None:
            return
        title, name = item.data(KEY_ROLE)
        layers = self.session.layers
        hidden = set(_hidden(layers, title))
        if item.checkState() == Qt.CheckState.Unchecked:
            hidden.add(name)
        else:
            hidden.discard(name)
        self.session.set_layers(_with(layers, title, hidden))

    def _show_all(self) -> None:
        if self.session is not None:
            self.session.set_layers(Layers())


def census(document: Document) -> dict[str, dict[str, int]]:
    """Links by network and plane, and elements by tag, as texts -> counts."""
    networks: Counter[str] = Counter()
    planes: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    for link in document.links.values():
        networks[link.network] += link.count
        if link.plane is not None:
            planes[str(link.plane)] += link.count
        tags.update(link.tags)
    for device in document.devices.values():
        tags.update(device.tags)
        if device.network not in networks and device.kind != "server":
            networks[device.network] += 0
    order = [name for name in choices(Network) if name in networks]
    return {
        NETWORKS: {name: networks[name] for name in order},
        PLANES: {name: planes[name] for name in sorted(planes, key=int)},
        TAGS: dict(sorted(tags.items())),
    }


def _hidden(layers: Layers, title: str) -> frozenset[str]:
    if title == NETWORKS:
        return layers.networks
    return layers.tags if title == TAGS else frozenset(map(str, layers.planes))


def _with(layers: Layers, title: str, hidden: set[str]) -> Layers:
    if title == NETWORKS:
        return replace(layers, networks=frozenset(hidden))
    if title == TAGS:
        return replace(layers, tags=frozenset(hidden))
    return replace(layers, planes=frozenset(int(name) for name in hidden))


def _word(title: str, name: str) -> str:
    return f"Plane {name}" if title == PLANES else name.capitalize() if title == NETWORKS else name
