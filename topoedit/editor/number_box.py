"""Whole numbers to type or step, and fields that leave Ctrl Z to the drawing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QLineEdit, QSpinBox

MARGIN = 6
_UNDO = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


def is_undo(event: QEvent) -> bool:
    """Whether a widget is asked if it wants Ctrl Z or Ctrl Shift Z for itself."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return any(event.matches(key) for key in _UNDO)


class NumberBox(QSpinBox):
    """A spin box; the wheel scrolls the panel unless it has the keys, undo is the drawing's.

    Each value it takes is a step of the drawing at once, so that an undo of its own would only
    be another step.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().setTextMargins(MARGIN, 0, 0, 0)  # the style sheet's padding is not heeded

    def event(self, event: QEvent) -> bool:
        """Let Ctrl Z go on to the window."""
        if is_undo(event):
            event.ignore()
            return False
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the panel scroll unless the box has the keys."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class UndoPasser(QObject):
    """Lets Ctrl Z go on to the window from a line of text in which nothing was typed."""

    def __init__(self, line: QLineEdit) -> None:
        super().__init__(line)
        self._line = line
        line.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the line from claiming the keys."""
        if watched is self._line and is_undo(event) and not self._line.isModified():
            event.ignore()
            return True
        return False
