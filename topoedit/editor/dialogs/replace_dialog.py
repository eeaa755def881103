"""Find and replace in the texts of a drawing, with every change shown before it is made."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QHeaderView, QLineEdit, QWidget

from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.panels.tables import HeadedModel, Table
from topoedit.editor.qt_types import Index
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.editor.widgets import columns
from topoedit.errors import BadInputError
from topoedit.model.operations import plural
from topoedit.model.replacing import Found, Search, look, replace_all
from topoedit.units import format_number

_DISPLAY = 0
_WORDS = {
    "name": "Names", "label": "Labels", "tags": "Tags", "text": "Notes", "phase": "Phases",
    "address": "Addresses",
}  # fmt: skip


class ChangesModel(HeadedModel):
    """Texts before and after."""

    heads: ClassVar[tuple[str, ...]] = ("Where", "Before", "After")

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows: tuple[Found, ...] = ()

    def show(self, found: tuple[Found, ...]) -> None:
        """Show other changes."""
        self.beginResetModel()
        self._rows = found
        self.endResetModel()

    def rows_shown(self) -> int:
        """Number of changes."""
        return len(self._rows)

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        """A cell."""
        if role != _DISPLAY:
            return None
        row = self._rows[index.row()]
        return (_WORDS[row.field], row.before, row.after)[index.column()]


class ReplaceDialog(FormDialog):
    """Replaces in the selection, or in the whole drawing when nothing is selected."""

    def __init__(self, shell: Shell, session: DocumentSession, parent: QWidget) -> None:
        super().__init__("Find and replace", "Replace all", parent, 640)
        self._session = session
        self._found: tuple[Found, ...] = ()
        self.wanted, self.put = QLineEdit(), QLineEdit()
        self.put.setPlaceholderText("Nothing; {n} numbers the finds, {n:01} from 01")
        self.add_row("Find", self.wanted)
        self.add_row("Replace with", self.put)
        self.fields = {key: QCheckBox(words) for key, words in _WORDS.items()}
        self.fields["name"].setChecked(True)
        self.body.addLayout(_line(*self.fields.values()))
        self.case = QCheckBox("Match case")
        self.case.setChecked(True)
        self.expression = QCheckBox("Regular expression")
        self.only = QCheckBox("Selection only")
        self.only.setEnabled(bool(session.selection))
        self.only.setChecked(len(session.selection) > 1)
        self.body.addLayout(_line(self.case, self.expression, self.only))
        self.model = ChangesModel(self)
        self.table = Table(shell.theming, "Changes")
        self.table.setModel(self.model)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.setMinimumHeight(220)
        self.body.addWidget(self.table, 1)
        # Typing comes in bursts, and a large drawing holds many texts.
        self._later = QTimer(self, singleShot=True, interval=120)
        self._later.timeout.connect(self.search_now)
        for edit in (self.wanted, self.put):
            edit.textChanged.connect(self._soon)
        for box in (*self.fields.values(), self.case, self.expression, self.only):
            box.toggled.connect(self._soon)
        self.wait_for("Type a text to find")

    def _soon(self) -> None:
        self.accept_button.setEnabled(False)
        self._later.start()

    def settle(self) -> None:
        """Look for what was typed last."""
        if self._later.isActive():
            self._later.stop()
            self.search_now()

    def search(self) -> Search:
        """What the fields say."""
        return Search(
            self.wanted.text(),
            self.put.text(),
            tuple(key for key, box in self.fields.items() if box.isChecked()),
            expression=self.expression.isChecked(),
            match_case=self.case.isChecked(),
        )

    def search_now(self) -> None:
        """Show what would change."""
        ids = self._session.selection if self.only.isChecked() else ()
        self._found = ()
        try:
            if self.wanted.text():
                self._found = look(self._session.document, self.search(), tuple(ids))
                replace_all(self._session.document, self._found)
        except BadInputError as error:
            self.model.show(self._found)
            self.say(error.line, bad=True)
            return
        self.model.show(self._found)
        self._describe()

    def _describe(self) -> None:
        if not self.wanted.text():
            self.wait_for("Type a text to find")
        elif not self._found:
            self.wait_for("Nothing found that would change")
        else:
            where = plural(len({one.element for one in self._found}), "element")
            self.say(f"{format_number(len(self._found))} changes in {where}. One undo step.")

    def accept(self) -> None:
        """Make the changes."""
        self._later.stop()
        self.search_now()
        if self._found and self.accept_button.isEnabled():
            edit = replace_all(self._session.document, self._found)
            if self._session.apply(edit):
                super().accept()


def _line(*boxes: QWidget) -> QHBoxLayout:
    line = columns(None, gap=16)
    for box in boxes:
        line.addWidget(box)
    line.addStretch(1)
    return line
