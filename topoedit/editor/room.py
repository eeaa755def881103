"""What floats over a drawing tells the canvas how much of it is covered."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import SignalInstance

BESIDE = 288, 192
"""Pixels that legend and minimap take at the foot of the canvas, left and right."""


@runtime_checkable
class Coverable(Protocol):
    """A canvas that keeps a fitted drawing clear of what covers its edges.

    Signals:
        covered(): something else is covered now.
    """

    covered: SignalInstance

    @property
    def covered_right(self) -> int:
        """Pixels at the right that are covered."""

    def cover(self, by: str, top: int, right: int) -> None:
        """Something covers pixels at the top or the right edge; 0 for no more."""


def cover(canvas: object, by: str, *, top: int = 0, right: int = 0) -> None:
    """Tell a canvas, if it is one that cares, what `by` covers of it now, in pixels."""
    if isinstance(canvas, Coverable):
        canvas.cover(by, top, right)
