"""Mouse and keys of a drag that began in another widget (the palette)."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from topoedit.editor.canvas.gestures.base import Gesture, Pointer
from topoedit.render.view import View


class DragFilter(QObject):
    """Watches the application while something hangs on the pointer.

    The widget that was pressed keeps getting the mouse until the button is let go; watching the
    events of the whole application needs no grab, which some platforms do not have.

    Args:
        canvas: where the thing will be dropped.
        gesture: the drag.
        view: what the canvas shows.
        done: called at the end; True if the drag was given up.
    """

    def __init__(
        self,
        canvas: QWidget,
        gesture: Gesture,
        view: Callable[[], View],
        done: Callable[[bool], None],
    ) -> None:
        super().__init__(canvas)
        self._canvas, self._gesture = canvas, gesture
        self._view, self._done = view, done
        application = QCoreApplication.instance()
        if application is not None:
            application.installEventFilter(self)

    def stop(self) -> None:
        """Watch no more."""
        application = QCoreApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Moves and keys go to the drag alone; the release also to the widget that was pressed."""
        if not isinstance(watched, QWidget):
            return False
        if isinstance(event, QMouseEvent):
            return self._mouse(event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # else + zooms and a digit shows a rail instead of counting
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._key(event)
        return False

    def _mouse(self, event: QMouseEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove:
            self._gesture.move(self._pointer(event))
            return True
        left = event.button() == Qt.MouseButton.LeftButton
        if event.type() == QEvent.Type.MouseButtonRelease and left:
            self._gesture.release(self._pointer(event))
            self._done(False)
        return False

    def _key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self._done(True)
        else:
            self._gesture.key(event)
        return True

    def _pointer(self, event: QMouseEvent) -> Pointer:
        position = self._canvas.mapFromGlobal(event.globalPosition())
        return Pointer.at(self._view(), QPointF(position), event.modifiers())
