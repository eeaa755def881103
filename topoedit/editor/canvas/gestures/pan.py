"""Dragging the drawing about."""

from __future__ import annotations

from PySide6.QtCore import Qt

from topoedit.editor.canvas.camera import panned
from topoedit.editor.canvas.gestures.base import Gesture, Pointer, Surface


class Pan(Gesture):
    """Space, middle button or the pan tool: the drawing follows the pointer."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def __init__(self, surface: Surface, start: Pointer) -> None:
        super().__init__(surface, start)
        self._from = surface.view

    def move(self, pointer: Pointer) -> None:
        """Follow the pointer."""
        dx, dy = pointer.px - self.start.px, pointer.py - self.start.py
        self.surface.set_view(panned(self._from, dx, dy))

    def cancel(self) -> None:
        """Back to where it began."""
        self.surface.set_view(self._from)
