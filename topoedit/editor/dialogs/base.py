"""What the dialogs share: form above, one line on what happens, verbs on the buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QFormLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from topoedit.editor.translating import tr, translate_fields
from topoedit.editor.widgets import columns, label, restyle, rows, rule

WIDTH = 480
_FIELD = QFormLayout.ItemRole.FieldRole


class FormDialog(QDialog):
    """A dialog of one form.

    Attributes:
        form: where fields are added.
        body: the column that holds the form.
        foot: the row of the line and the buttons.
        line: says what the dialog would do, or what is wrong.
        accept_button: the one primary button; cancel_button: leaves everything as it was.
    """

    def __init__(self, title: str, verb: str, parent: QWidget, width: int = WIDTH) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(width)
        self.form = QFormLayout()
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.setHorizontalSpacing(12)
        self.form.setVerticalSpacing(8)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.body: QVBoxLayout = rows(None, (20, 20, 20, 16), 12)
        self.body.addLayout(self.form)
        self.line = label(role="secondary", wrap=True)
        self.accept_button = QPushButton(tr(verb))
        self.accept_button.setProperty("primary", True)
        self.accept_button.setDefault(True)
        self.accept_button.clicked.connect(self.accept)
        self.cancel_button = QPushButton(tr("Cancel"))
        self.cancel_button.clicked.connect(self.reject)
        foot = self.foot = columns(None, (20, 14, 20, 14), 8)
        foot.addWidget(self.line, 1)
        foot.addWidget(self.cancel_button)
        foot.addWidget(self.accept_button)
        whole = rows(self)
        whole.addLayout(self.body, 1)
        whole.addWidget(rule())
        whole.addLayout(foot)

    def add_row(self, text: str, field: QWidget, tip: str = "") -> None:
        """Add a field with its label."""
        word = label(text, "secondary")
        word.setBuddy(field)
        word.setMinimumWidth(104)
        if tip:
            word.setToolTip(tr(tip))
            field.setToolTip(tr(tip))
        field.setAccessibleName(tr(text))
        self.form.addRow(word, field)

    def showEvent(self, event: QShowEvent) -> None:
        """The first field that is empty has the keys, else the first one."""
        super().showEvent(event)
        translate_fields(self)
        fields = [self.form.itemAt(row, _FIELD) for row in range(self.form.rowCount())]
        editors = [w for item in fields if item is not None and (w := item.widget()) is not None]
        empty = [e for e in editors if isinstance(e, QLineEdit) and not e.text()]
        for first in (*empty[:1], *editors[:1])[:1]:
            first.setFocus(Qt.FocusReason.TabFocusReason)

    def settle(self) -> None:
        """Catch up with what was typed a moment ago, before Enter is taken at its word."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter counts what has been typed, however quickly it came."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.settle()
        super().keyPressEvent(event)

    def wait_for(self, text: str) -> None:
        """Say what is still to be filled in; that is no mistake yet."""
        self.say(text)
        self.accept_button.setEnabled(False)

    def say(self, text: str, *, bad: bool = False) -> None:
        """Say what would happen, or what is wrong; then the button is off."""
        self.line.setText(tr(text))
        restyle(self.line, "role", "bad" if bad else "secondary")
        self.accept_button.setEnabled(not bad)
