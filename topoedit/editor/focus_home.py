"""Where the keys go: home to the drawing when their widget vanishes, to commands from a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

if TYPE_CHECKING:
    from topoedit.editor.window import MainWindow

_FIELDS = (QLineEdit, QPlainTextEdit, QAbstractSpinBox, QComboBox)
_KEPT = frozenset(
    (
        *(Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_V, Qt.Key.Key_X, Qt.Key.Key_Y, Qt.Key.Key_Z),
        *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
        *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Backspace, Qt.Key.Key_Delete),
        *(Qt.Key.Key_Insert, Qt.Key.Key_Return, Qt.Key.Key_Enter),
    )
)
"""Keys that with Ctrl edit the text of a field."""


class FocusHome(QObject):
    """Watches who has the keys of a window.

    Qt gives the keys of a widget that vanishes to the next one, often a button of the tool bar,
    where Space would press it; they belong to the drawing. A field claims Ctrl with a letter for
    cursor keys of its own (Ctrl E goes to the end of the line); a command has the first say.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._field: QWidget | None = None
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._changed)

    def _changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if not isValid(self._window):
            return
        self._watch(new)
        canvas = self._window.canvas
        if new is None or canvas is None or not self._window.tool_bar.isAncestorOf(new):
            return
        if old is None or old.window() is not self._window or not old.isVisible():
            self.give()

    def give(self) -> None:
        """Give the keys to the drawing in front."""
        documents = self._window.documents
        if documents.session is not None and documents.widget is not None:
            documents.widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _watch(self, new: QWidget | None) -> None:
        if self._field is not None and isValid(self._field):
            self._field.removeEventFilter(self)
        mine = isinstance(new, _FIELDS) and new.window() is self._window
        self._field = new if mine else None
        if self._field is not None:
            self._field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep a field from claiming what is a command."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.key() not in _KEPT:
            event.ignore()
            return True
        return False
