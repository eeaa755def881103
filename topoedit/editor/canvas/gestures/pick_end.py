"""Clicking the second end of a trace."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt

from topoedit.editor.canvas.gestures.base import Gesture, Pointer, Surface


class PickEnd(Gesture):
    """Lasts until a device, GPU, NIC or port is clicked; Esc leaves it.

    Args:
        surface: the canvas.
        start: where the pointer is.
        name_at: says how the trace calls what is at a place, "" for nothing.
        ended: is told what was picked, "" if it was left.
    """

    cursor = Qt.CursorShape.CrossCursor

    def __init__(
        self,
        surface: Surface,
        start: Pointer,
        name_at: Callable[[Pointer], str],
        ended: Callable[[str], None],
    ) -> None:
        super().__init__(surface, start)
        self._name_at, self._ended = name_at, ended

    def press(self, pointer: Pointer) -> bool:
        """Take what is there; a press beside everything goes on waiting."""
        picked = self._name_at(pointer)
        if picked:
            self._ended(picked)
        return not picked

    def release(self, pointer: Pointer) -> bool:
        """It goes on after the click that began it, and after one beside everything."""
        return True

    def cancel(self) -> None:
        """No end is picked."""
        self._ended("")
