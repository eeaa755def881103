"""What a gesture is, and what it may ask of the canvas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent

from topoedit.editor.preferences import Habits
from topoedit.editor.session import DocumentSession
from topoedit.render.ink import Ink
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme
from topoedit.render.view import View

DRAG_START = 4.0
"""Pixels that the pointer moves before a press becomes a drag."""

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CTRL = Qt.KeyboardModifier.ControlModifier
_ALT = Qt.KeyboardModifier.AltModifier


@dataclass(frozen=True)
class Pointer:
    """Where the pointer is, in pixels and in canvas units, and which keys are held."""

    px: float
    py: float
    x: float
    y: float
    shift: bool = False
    ctrl: bool = False
    alt: bool = False

    @classmethod
    def at(cls, view: View, position: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer:
        """The pointer of a mouse event."""
        x, y = view.to_canvas(position.x(), position.y())
        return cls(
            position.x(),
            position.y(),
            x,
            y,
            bool(modifiers & _SHIFT),
            bool(modifiers & _CTRL),
            bool(modifiers & _ALT),
        )

    def far_from(self, other: Pointer) -> bool:
        """Whether the pointer has moved enough to mean a drag."""
        return max(abs(self.px - other.px), abs(self.py - other.py)) >= DRAG_START


class Surface(Protocol):
    """The canvas as gestures see it."""

    @property
    def session(self) -> DocumentSession:
        """The open drawing."""

    @property
    def scene(self) -> DiagramScene:
        """Its picture as arrays."""

    @property
    def theme(self) -> Theme:
        """Colours and fonts."""

    @property
    def view(self) -> View:
        """What is visible."""

    @property
    def habits(self) -> Habits:
        """How it behaves for this person."""

    def set_view(self, view: View) -> None:
        """Show another part, at once."""

    def lift(self, ids: tuple[str, ...]) -> None:
        """Leave devices and their links out of the cached picture while they move."""

    def refresh(self, area: QRectF | None = None) -> None:
        """Paint the overlay again.

        Args:
            area: pixels that hold all of a gesture's preview; only these and those of the frame
                before are painted. None for the whole window.
        """


class Gesture:
    """One press-move-release, or one mode that lasts until it is done.

    A gesture changes nothing but the selection before `release`; `cancel` leaves no trace.
    """

    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, surface: Surface, start: Pointer) -> None:
        self.surface = surface
        self.start = start

    @property
    def needs(self) -> Iterable[str]:
        """Ids of the elements it works with; it ends when one of them goes."""
        return ()

    def move(self, pointer: Pointer) -> None:
        """The pointer moves."""

    def press(self, pointer: Pointer) -> bool:
        """Another press during a mode; returns whether the gesture goes on."""
        return True

    def release(self, pointer: Pointer) -> bool:
        """The button is let go; returns whether the gesture goes on."""
        return False

    def key(self, event: QKeyEvent) -> bool:
        """A key; returns whether the gesture took it."""
        return False

    def commit(self) -> bool:
        """Enter; returns whether that has ended the gesture."""
        return False

    def cancel(self) -> None:
        """Give up; everything is as it was."""

    def paint(self, ink: Ink, view: View) -> None:
        """Paint the preview, in pixels of the view."""
