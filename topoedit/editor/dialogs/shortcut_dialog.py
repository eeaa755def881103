"""Choosing the keys of every command; a key that is taken says by what."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QHeaderView,
    QKeySequenceEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from topoedit.editor.action_set import ActionSet
from topoedit.editor.actions import ACTIONS, MENUS, Action, action
from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.theming import Theming
from topoedit.editor.widgets import SearchField, columns, label

PORTABLE = QKeySequence.SequenceFormat.PortableText
NATIVE = QKeySequence.SequenceFormat.NativeText
_ID = Qt.ItemDataRole.UserRole


class ShortcutDialog(FormDialog):
    """Edits a copy of the chosen keys; nothing changes before Apply.

    Attributes:
        chosen: action id -> key sequence that differs from the standard one.
    """

    def __init__(
        self, theming: Theming, actions: ActionSet, chosen: dict[str, str], parent: QWidget
    ) -> None:
        super().__init__("Change shortcuts", "Apply", parent, 640)
        self._actions, self.chosen = actions, dict(chosen)
        self.filter = SearchField(theming, "Filter commands")
        self.filter.textChanged.connect(self._show_matching)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Commands and their keys")
        self.tree.setHeaderLabels(["Command", "Keys"])
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setStretchLastSection(False)
        self.tree.setColumnWidth(1, 168)
        self.tree.setMinimumHeight(360)
        self._items = self._fill()
        self.keys = QKeySequenceEdit()
        self.keys.setAccessibleName("New keys")
        self.keys.setMaximumSequenceLength(1)
        self.standard = QPushButton("Standard keys")
        self.all_standard = QPushButton("All standard")
        self.body.addWidget(self.filter)
        self.body.addWidget(self.tree, 1)
        line = columns(None, gap=8)
        line.addWidget(label("New keys", "secondary"))
        line.addWidget(self.keys, 1)
        line.addWidget(self.standard)
        line.addWidget(self.all_standard)
        self.body.addLayout(line)
        self.tree.currentItemChanged.connect(lambda *_: self._show_current())
        self.keys.keySequenceChanged.connect(self._typed)
        self.standard.clicked.connect(self._take_standard)
        self.all_standard.clicked.connect(self._take_all_standard)
        self.tree.setCurrentItem(self._items[ACTIONS[0].id])
        self._check()

    def _fill(self) -> dict[str, QTreeWidgetItem]:
        items: dict[str, QTreeWidgetItem] = {}
        for menu in MENUS:
            head = QTreeWidgetItem([menu])
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self.tree.addTopLevelItem(head)
            for spec in ACTIONS:
                if spec.menu.split("/")[0] == menu:
                    item = QTreeWidgetItem([spec.plain, _native(self.keys_of(spec))])
                    item.setData(0, _ID, spec.id)
                    item.setToolTip(0, spec.tip)
                    head.addChild(item)
                    items[spec.id] = item
            head.setExpanded(True)
        return items

    def keys_of(self, spec: Action) -> str:
        """Keys of a command as chosen so far, portable text."""
        return self.chosen.get(spec.id, spec.shortcut)

    def _current(self) -> Action | None:
        item = self.tree.currentItem()
        found = None if item is None else item.data(0, _ID)
        return None if found is None else action(str(found))

    def _show_current(self) -> None:
        spec = self._current()
        for part in (self.keys, self.standard):
            part.setEnabled(spec is not None)
        self.keys.blockSignals(True)
        self.keys.setKeySequence(QKeySequence(self.keys_of(spec) if spec else "", PORTABLE))
        self.keys.blockSignals(False)

    def _typed(self, keys: QKeySequence) -> None:
        if (spec := self._current()) is not None:
            self.choose(spec.id, keys.toString(PORTABLE))

    def choose(self, action_id: str, keys: str) -> None:
        """Give a command other keys, "" for none."""
        spec = action(action_id)
        self.chosen[action_id] = keys
        if QKeySequence(keys, PORTABLE) == QKeySequence(spec.shortcut, PORTABLE):
            del self.chosen[action_id]
        self._items[action_id].setText(1, _native(keys))
        self._check()

    def _take_standard(self) -> None:
        if (spec := self._current()) is not None:
            self.choose(spec.id, spec.shortcut)
            self._show_current()

    def _take_all_standard(self) -> None:
        for action_id in tuple(self.chosen):
            self.choose(action_id, action(action_id).shortcut)
        self._show_current()

    def _check(self) -> None:
        taken: dict[str, Action] = {}
        for spec in ACTIONS:
            keys = QKeySequence(self.keys_of(spec), PORTABLE).toString(PORTABLE)
            if keys and keys in taken:
                both = f"{taken[keys].plain} and {spec.plain}"
                self.say(f"{_native(keys)} would start {both}. Change one of them.", bad=True)
                return
            taken[keys] = spec
        count = len(self.chosen)
        self.say(f"{count} changed from the standard" if count else "All keys are the standard")

    def _show_matching(self, text: str) -> None:
        words = text.casefold().split()
        for action_id, item in self._items.items():
            spec = action(action_id)
            whole = f"{spec.text} {spec.menu} {item.text(1)}".casefold()
            item.setHidden(not all(word in whole for word in words))
        for row in range(self.tree.topLevelItemCount()):
            head = self.tree.topLevelItem(row)
            if head is not None:
                below = (head.child(at) for at in range(head.childCount()))
                head.setHidden(all(item is None or item.isHidden() for item in below))

    def accept(self) -> None:
        """Give the commands their keys."""
        self._actions.set_shortcuts(self.chosen)
        super().accept()


def _native(keys: str) -> str:
    return QKeySequence(keys, PORTABLE).toString(NATIVE)
