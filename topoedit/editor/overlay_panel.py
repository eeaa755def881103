"""A side panel that floats over the drawing where the window is too narrow to hold it beside."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QWidget

from topoedit.editor.widgets import restyle

NARROW = 1280
"""Below this width of the window the inspector floats."""
TABS = 34
"""The tabs of the drawings stay in reach."""


class OverlayPanel(QObject):
    """Takes a panel out of a splitter and back.

    Args:
        panel: the last panel of the splitter.
        splitter: where it is at home.
        closed: is called when Esc has closed it.
        foot: says how many pixels at the foot of the splitter stay free.
    """

    def __init__(
        self,
        panel: QWidget,
        splitter: QSplitter,
        closed: Callable[[], None],
        foot: Callable[[], int],
    ) -> None:
        super().__init__(panel)
        self._panel, self._splitter, self._closed = panel, splitter, closed
        self._foot = foot
        self._width = 0
        self._before: QWidget | None = None
        self.floats = False
        panel.installEventFilter(self)
        splitter.installEventFilter(self)

    def float_out(self, width: int) -> None:
        """Put the panel over the right edge of the splitter, hidden until it is shown."""
        self.floats, self._width = True, width
        self._panel.hide()
        self._panel.setParent(self._splitter.parentWidget())
        restyle(self._panel, "floating", True)
        self.place()

    def dock(self) -> None:
        """Give the panel back to the splitter."""
        self.floats = False
        restyle(self._panel, "floating", False)
        self._splitter.addWidget(self._panel)

    def show(self, shown: bool) -> None:
        """Show the floating panel and give it the keys, or hide it and give them back."""
        if shown and not self._panel.isVisible():
            self._before = self._panel.window().focusWidget()
            self.place()
            self._panel.show()
            self._panel.raise_()
            self._panel.setFocus(Qt.FocusReason.PopupFocusReason)
        elif not shown and self._panel.isVisible():
            self._panel.hide()
            if self._before is not None and self._before.isVisible():
                self._before.setFocus(Qt.FocusReason.PopupFocusReason)
            self._before = None

    def place(self) -> None:
        """Follow the size of the window; what lies below the drawing stays free."""
        room = self._splitter.geometry()
        left = room.right() + 1 - self._width
        high = room.height() - TABS - self._foot()
        self._panel.setGeometry(QRect(left, room.top() + TABS, self._width, high))

    @property
    def covers(self) -> int:
        """Pixels of the drawing's right edge under the panel, 0 while it is not shown."""
        return self._width if self.floats and not self._panel.isHidden() else 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc that nothing in the panel wants closes it; the splitter's size is followed."""
        if not self.floats:
            return super().eventFilter(watched, event)
        if watched is self._splitter and event.type() == QEvent.Type.Resize:
            self.place()
        if (
            watched is self._panel
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Escape
        ):
            self._closed()
            return True
        return super().eventFilter(watched, event)
