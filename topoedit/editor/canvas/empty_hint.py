"""What an empty drawing says: one line on what to do next, and three buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage

TEXT = "Drag a device here to begin"
MORE = "or start from something that works"


class EmptyHint(QWidget):
    """In the middle of an empty drawing; goes away with the first device."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.setObjectName("emptyHint")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        title, more = QLabel(TEXT), QLabel(MORE)
        title.setObjectName("emptyTitle")
        title.setProperty("role", "title")
        more.setProperty("role", "secondary")
        for label in (title, more):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for text, tip, signal in (
            ("From a template…", "Make a cluster from a few numbers", stage.template_asked),
            ("Open or import…", "Open a drawing, or read an ibnetdiscover file", stage.open_asked),
            ("Search devices", "Type what you want to place", stage.search_asked),
        ):
            button = QPushButton(text)
            button.setToolTip(tip)
            button.clicked.connect(signal)
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(6)
        column.addWidget(title)
        column.addWidget(more)
        column.addSpacing(10)
        column.addLayout(buttons)
        self.adjustSize()
