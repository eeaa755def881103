"""Letters of the menus are underlined only while Alt is held, or the menu bar has the keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenuBar, QWidget


class Mnemonics(QObject):
    """Watches the window of a menu bar for Alt.

    A title has its letter, and with it the shortcut Alt and that letter, from the moment that Alt
    goes down: the letter comes after it, so no shortcut is missed.
    """

    def __init__(self, bar: QMenuBar, window: QWidget) -> None:
        super().__init__(bar)
        self._bar = bar
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._settle)
        window.installEventFilter(self)
        bar.installEventFilter(self)
        self.show(False)

    def show(self, shown: bool) -> None:
        """Give every title its letter, or take it away."""
        for action in self._bar.actions():
            plain = action.text().replace("&", "")
            action.setText(f"&{plain}" if shown else plain)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Alt shows the letters; letting it go, or leaving the window or menu, hides them."""
        kind = event.type()
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt:
            if kind == QEvent.Type.KeyPress:
                self.show(True)
            elif kind == QEvent.Type.KeyRelease:
                self._later.start()
        elif kind in (QEvent.Type.WindowDeactivate, QEvent.Type.FocusOut):
            self._later.start()
        return False

    def _settle(self) -> None:
        """A menu that is open, or reached by a tap on Alt, keeps the letters."""
        if self._bar.activeAction() is None:
            self.show(False)
