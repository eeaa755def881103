"""Accepting a finding of a design rule, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QWidget

from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.session import DocumentSession
from topoedit.editor.widgets import label

if TYPE_CHECKING:
    from topoedit.rules.base import Finding


class ExcludeDialog(FormDialog):
    """Asks why a finding is all right; the answer is saved in the drawing."""

    def __init__(self, session: DocumentSession, finding: Finding, parent: QWidget) -> None:
        super().__init__("Exclude a finding", "Exclude", parent)
        self._session, self._finding = session, finding
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Why this is all right here")
        self.reason.textChanged.connect(self._changed)
        self.body.insertWidget(0, label(finding.message, wrap=True))
        self.add_row("Reason", self.reason)
        self._changed()
        self.reason.setFocus()

    def _changed(self) -> None:
        given = bool(self.reason.text().strip())
        words = "Saved in the drawing; Undo takes it back" if given else "Give a reason"
        self.say(words)
        self.accept_button.setEnabled(given)

    def accept(self) -> None:
        """Exclude the finding."""
        from topoedit.rules.run import exclude

        reason = self.reason.text().strip()
        if self._session.apply(exclude(self._session.document, self._finding, reason)):
            super().accept()
