"""The sheet behind `?`: every command with its keys, made from the actions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QPushButton, QScrollArea, QWidget

from topoedit.editor.action_set import ActionSet
from topoedit.editor.actions import ACTIONS, MENUS
from topoedit.editor.widgets import columns, label, rows

CANVAS_KEYS = (
    ("Move by 8 px, 64 with Shift, 1 with Alt", "Arrow keys"),
    ("Next or previous device", "Tab, Shift Tab"),
    ("Walk to a neighbour", "Ctrl arrows"),
    ("Walk, once reached by keys", "Arrow keys"),
    ("Move again with arrows", "V"),
    ("Pan", "Space and drag, or middle drag"),
    ("Zoom at the cursor", "Wheel"),
    ("Pan sideways", "Shift wheel"),
    ("Let go: gesture, selection", "Esc"),
)


class ShortcutSheet(QDialog):
    """Commands by menu, those without keys left out."""

    def __init__(self, actions: ActionSet, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.resize(920, 640)
        page = QWidget()
        page.setObjectName("page")
        sheet = columns(page, (20, 16, 20, 16), 32)
        halves = [rows(gap=14), rows(gap=14), rows(gap=14)]
        for half in halves:
            sheet.addLayout(half, 1)
        self.lines: list[tuple[str, str]] = []
        for index, menu in enumerate((*MENUS, "Canvas")):
            entries = self._entries(menu, actions)
            if entries:
                self.lines += entries
                halves[_COLUMN.get(menu, index % 3)].addLayout(_block(menu, entries))
        for half in halves:
            half.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(page)
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.reject)
        layout = rows(self, (0, 0, 0, 12), 12)
        layout.addWidget(area, 1)
        foot = columns(None, (16, 0, 16, 0))
        foot.addStretch(1)
        foot.addWidget(close)
        layout.addLayout(foot)

    @staticmethod
    def _entries(menu: str, actions: ActionSet) -> list[tuple[str, str]]:
        if menu == "Canvas":
            return list(CANVAS_KEYS)
        native = QKeySequence.SequenceFormat.NativeText
        return [
            (spec.plain, actions[spec.id].shortcut().toString(native))
            for spec in ACTIONS
            if spec.menu.split("/")[0] == menu and not actions[spec.id].shortcut().isEmpty()
        ]


_COLUMN = {
    "File": 0, "Edit": 0, "View": 1, "Insert": 1, "Arrange": 2, "Plan": 2, "Analyse": 1,
    "Window": 2, "Help": 0, "Canvas": 0,
}  # fmt: skip


def _block(title: str, entries: list[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setVerticalSpacing(4)
    grid.addWidget(label(title, "section"), 0, 0)
    for row, (text, keys) in enumerate(entries, start=1):
        grid.addWidget(label(text), row, 0)
        cap = label(keys, "caption")
        grid.addWidget(cap, row, 1, Qt.AlignmentFlag.AlignRight)
    grid.setColumnStretch(0, 1)
    return grid
