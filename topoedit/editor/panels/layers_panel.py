"""The Layers panel: networks, rails, planes, phases and tags, each shown, dimmed or hidden."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QMenu, QPushButton, QTreeView

from topoedit.editor.layers import DIMMED, HIDDEN, SHOWN, Key, LayerKind, Layers, census
from topoedit.editor.panels.base import SessionPanel
from topoedit.editor.session import DocumentSession
from topoedit.editor.widgets import columns, label, rows
from topoedit.units import format_number

KEY_ROLE = Qt.ItemDataRole.UserRole
COUNT_ROLE = Qt.ItemDataRole.UserRole + 1
TITLES: dict[LayerKind, str] = {
    "network": "Networks", "rail": "Rails", "plane": "Planes", "phase": "Phases", "tag": "Tags",
}  # fmt: skip
_MARKS = {
    SHOWN: Qt.CheckState.Checked,
    DIMMED: Qt.CheckState.PartiallyChecked,
    HIDDEN: Qt.CheckState.Unchecked,
}
_ENTER, _ESCAPE = (Qt.Key.Key_Return, Qt.Key.Key_Enter), Qt.Key.Key_Escape
_STATES = {mark: state for state, mark in _MARKS.items()}
TIP = (
    "Checked: shown. Half: dimmed. Empty: hidden; Space changes it. "
    "Double-click or Enter for this layer alone, Esc for all."
)


class LayersPanel(SessionPanel):
    """Three-state boxes for what is in the drawing; they change the view, never the document."""

    def __init__(self) -> None:
        super().__init__()
        self.model = QStandardItemModel(self)
        self.tree = QTreeView()
        self.tree.setObjectName("outline")
        self.tree.setAccessibleName("Layers")
        self.tree.setHeaderHidden(True)
        self.tree.setModel(self.model)
        self.tree.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.tree.setToolTip(TIP)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._ask)
        self.tree.doubleClicked.connect(self._alone)
        self.tree.installEventFilter(self)
        self.show_all = QPushButton("Show all")
        self.show_all.clicked.connect(self._show_all)
        self._empty = label(
            "Links and devices bring their networks, rails, planes, phases and tags.",
            "caption",
            wrap=True,
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
        self.bind(session.layers_changed, self._mark)

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
            for kind, counts in census(session.document).items():
                self._add(kind, counts, session.layers)
        self.tree.expandAll()
        self._filling = False
        empty = self.model.rowCount() == 0
        self._empty.setVisible(empty)
        self.tree.setVisible(not empty)
        self.show_all.setEnabled(session is not None and not session.layers.all_shown)

    def _add(self, kind: LayerKind, counts: dict[str, int], layers: Layers) -> None:
        header = QStandardItem(TITLES[kind])
        header.setFlags(Qt.ItemFlag.ItemIsEnabled)
        for name, count in counts.items():
            key: Key = (kind, name)
            item = QStandardItem()
            item.setData(key, KEY_ROLE)
            item.setData(count, COUNT_ROLE)
            item.setFlags(
                Qt.ItemFlag.ItemIsEnabled
                | Qt.ItemFlag.ItemIsUserCheckable
                | Qt.ItemFlag.ItemIsUserTristate
                | Qt.ItemFlag.ItemIsSelectable
            )
            self._show(item, layers)
            header.appendRow(item)
        if counts:
            self.model.appendRow(header)

    @staticmethod
    def _show(item: QStandardItem, layers: Layers) -> None:
        key = item.data(KEY_ROLE)
        key = (key[0], key[1])  # Qt hands tuples back as lists
        alone = " · alone" if layers.solo == key else ""
        item.setText(f"{_word(key)}   {format_number(item.data(COUNT_ROLE))}{alone}")
        item.setCheckState(_MARKS[layers.state(key)])

    def _mark(self) -> None:
        """Show other states in place: an item must outlive the click that changed it."""
        if self.session is None:
            return
        layers = self.session.layers
        self._filling = True
        for row in range(self.model.rowCount()):
            header = self.model.item(row)
            for index in range(header.rowCount()):
                self._show(header.child(index), layers)
        self._filling = False
        self.show_all.setEnabled(not layers.all_shown)

    def _checked(self, item: QStandardItem) -> None:
        if self._filling or self.session is None:
            return
        self._put(item.data(KEY_ROLE), _STATES[item.checkState()])

    def _put(self, key: Key, state: int) -> None:
        if self.session is not None:
            self.session.set_layers(self.session.layers.put((key[0], key[1]), state))

    def _only(self, key: Key) -> None:
        if self.session is not None:
            self.session.set_layers(self.session.layers.only((key[0], key[1])))

    def _alone(self, index: QModelIndex) -> None:
        if (key := index.data(KEY_ROLE)) is not None:
            self._only(key)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter shows the current layer alone, once more all; Esc shows all."""
        if watched is self.tree and isinstance(event, QKeyEvent) and self.session is not None:
            if event.type() == QEvent.Type.KeyPress and event.key() in _ENTER:
                self._alone(self.tree.currentIndex())
                return True
            solo = self.session.layers.solo
            if event.type() == QEvent.Type.KeyPress and event.key() == _ESCAPE and solo:
                self._show_all()
                return True
        return super().eventFilter(watched, event)

    def _ask(self, point: QPoint) -> None:
        key = self.tree.indexAt(point).data(KEY_ROLE)
        if key is not None:
            self.menu_for(key).popup(self.tree.viewport().mapToGlobal(point))

    def menu_for(self, key: Key) -> QMenu:
        """What can be done with a layer."""
        menu = QMenu(self.tree)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, state in (("Show", SHOWN), ("Dim", DIMMED), ("Hide", HIDDEN)):
            menu.addAction(words).triggered.connect(partial(self._put, key, state))
        menu.addSeparator()
        menu.addAction("This one alone").triggered.connect(partial(self._only, key))
        return menu

    def _show_all(self) -> None:
        if self.session is not None:
            self.session.set_layers(Layers())


def _word(key: Key) -> str:
    kind, name = key
    if kind == "network":
        return name.capitalize()
    return name if kind == "tag" else f"{kind.capitalize()} {name}"
