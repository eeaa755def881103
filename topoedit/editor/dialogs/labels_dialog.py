"""Labels: on which sheet, with which text; a preview of the first says how they will read."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.session import DocumentSession
from topoedit.errors import TopoeditError
from topoedit.render.label_stock import STOCKS, Stock
from topoedit.reports.labels import DEFAULT, FIELDS, label_maker

_FORMS = {"plain": "labels", "flag": "flags", "wrap": "wrap-around labels"}


class LabelsDialog(FormDialog):
    """Chooses a sheet and the text of labels.

    Signals:
        chosen(str, str): the sheet, "" for a list to print by other means, and the template.
    """

    chosen = Signal(str, str)

    def __init__(self, session: DocumentSession, parent: QWidget) -> None:
        super().__init__("Labels", "Write…", parent)
        self.sheet = QComboBox()
        for stock in STOCKS:
            self.sheet.addItem(_words(stock), stock.name)
        self.sheet.addItem("List for a label printer (CSV or XLSX)", "")
        self.template = QLineEdit(DEFAULT)
        self.template.setCursorPosition(0)
        self.add_row("Sheet", self.sheet)
        self.add_row("Text", self.template, f"Fields in braces: {', '.join(FIELDS)}")
        self._links = len(session.document.links)
        self.template.textChanged.connect(self._check)
        self._check()

    def _check(self) -> None:
        try:
            label_maker(self.template.text())
        except TopoeditError as error:
            self.say(error.line, bad=True)
            return
        if not self._links:
            self.say("The drawing has no cables to label.", bad=True)
            return
        self.say("A label at both ends of every cable")

    def accept(self) -> None:
        """Tell what was chosen."""
        self.chosen.emit(str(self.sheet.currentData()), self.template.text())
        super().accept()


def _words(stock: Stock) -> str:
    size = f"{stock.width:g} × {stock.height:g} mm"
    return f"{stock.name}: {stock.per_page} {_FORMS[stock.form]} of {size}"
