"""Closing the window: one question for however many drawings have unsaved work."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

if TYPE_CHECKING:
    from topoedit.editor.session import DocumentSession


class Closing:
    """Decides whether the window may close.

    Args:
        window: the window.
        sessions: all open sessions.
        save: writes one; returns whether it is safe (else it asks for a file and closes later).
    """

    def __init__(
        self,
        window: QMainWindow,
        sessions: Callable[[], list[DocumentSession]],
        save: Callable[[DocumentSession], bool],
    ) -> None:
        self._window, self._sessions, self._save = window, sessions, save
        self._decided = False

    def may_close(self) -> bool:
        """True if nothing would be lost; otherwise the question is on the screen."""
        unsaved = [s for s in self._sessions() if not s.is_clean]
        if self._decided or not unsaved:
            return True
        from PySide6.QtWidgets import QMessageBox

        buttons = QMessageBox.StandardButton
        box = QMessageBox(self._window)
        box.setWindowTitle("Unsaved changes")
        names = ", ".join(s.title for s in unsaved[:4])
        more = f" and {len(unsaved) - 4} more" if len(unsaved) > 4 else ""
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"Save the changes to {names}{more}?")
        kind = buttons.Save if len(unsaved) == 1 else buttons.SaveAll
        box.setStandardButtons(kind | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(kind)
        box.button(buttons.Discard).clicked.connect(self._discard)
        box.button(kind).clicked.connect(self._save_all)
        box.open()
        return False

    def _discard(self) -> None:
        self._decided = True
        self._window.close()

    def _save_all(self) -> None:
        if all(self._save(s) for s in self._sessions() if not s.is_clean):
            self._window.close()
