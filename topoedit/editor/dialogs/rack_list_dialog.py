"""What a rack list would do, with every row that cannot be used, before anything changes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QListWidget, QWidget

from topoedit.app.place_racks import PlacedRacks
from topoedit.editor.dialogs.base import FormDialog
from topoedit.editor.widgets import label
from topoedit.model.operations import plural

_WIDTH = 640


class RackListDialog(FormDialog):
    """Asked only where a list has bad rows: place the others, or nothing."""

    def __init__(
        self, name: str, placed: PlacedRacks, place: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__("Import rack list", "Place the other rows", parent, _WIDTH)
        self._place = place
        count = plural(len(placed.problems), "row")
        self.body.insertWidget(0, label(f"{name}: {count} cannot be used.", wrap=True))
        self.problems = QListWidget()
        self.problems.setAccessibleName("Rows that cannot be used")
        self.problems.addItems(list(placed.problems))
        self.problems.setWordWrap(True)
        self.problems.setFixedHeight(220)
        self.body.insertWidget(1, self.problems)
        self.say(placed.summary)
        self.accept_button.setEnabled(not placed.edit.is_empty)

    def accept(self) -> None:
        """Place what can be placed."""
        super().accept()
        self._place()
