"""The widget that pyqtgraph draws in. Import this only once the library has been read."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent


class Surface(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """A graphics layout without menus, frames and focus of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.setAntialiasing(True)
        self.setFrameStyle(0)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setMouseTracking(True)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()


def make_surface() -> Surface:
    """A new empty surface."""
    return Surface()
