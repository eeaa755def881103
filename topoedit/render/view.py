"""Which part of the drawing is looked at, how large, and how much of it is worth drawing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from PySide6.QtGui import QTransform

from topoedit.render.grouping import Box
from topoedit.render.sizes import REFERENCE_WIDTH

MIN_SCALE, MAX_SCALE = 0.005, 32.0


class Level(IntEnum):
    """How much of a device is drawn."""

    FAR = 0
    MID = 1
    NEAR = 2
    INSIDE = 3


_FROM_WIDTH = {Level.MID: 24.0, Level.NEAR: 96.0, Level.INSIDE: 320.0}
_HYSTERESIS = 0.1


def level_at(scale: float, before: Level | None = None) -> Level:
    """The level at a zoom; it changes 10 % later than it would without a level `before`."""
    width = scale * REFERENCE_WIDTH
    plain = max(
        (level for level, least in _FROM_WIDTH.items() if width >= least), default=Level.FAR
    )
    if before is None or plain == before:
        return plain
    least = _FROM_WIDTH[before if plain < before else Level(before + 1)]
    slack = least * _HYSTERESIS
    kept = width > least - slack if plain < before else width < least + slack
    return before if kept and abs(plain - before) == 1 else plain


@dataclass(frozen=True)
class View:
    """A window on the drawing.

    Attributes:
        x, y: canvas point at the top left corner.
        scale: pixels (logical ones) a canvas unit.
        width, height: of the window in pixels.
        level: how much of each device is drawn.
    """

    x: float
    y: float
    scale: float
    width: float
    height: float
    level: Level = Level.NEAR

    @classmethod
    def at(
        cls, x: float, y: float, scale: float, width: float, height: float,
        before: Level | None = None,
    ) -> View:  # fmt: skip
        """A view with the level that its zoom asks for."""
        scale = min(max(scale, MIN_SCALE), MAX_SCALE)
        return cls(x, y, scale, width, height, level_at(scale, before))

    @classmethod
    def fit(
        cls, box: Box, width: float, height: float, margin: float = 32.0, most: float = 1.5
    ) -> View:
        """The view that shows a whole box in the middle of a window.

        Args:
            box: left, top, right, bottom in canvas units.
            width: of the window in pixels.
            height: of the window in pixels.
            margin: pixels left free on each side.
            most: the largest zoom, so that a single device does not fill the window.
        """
        left, top, right, bottom = box
        wide, high = max(right - left, 1.0), max(bottom - top, 1.0)
        room_x, room_y = max(width - 2 * margin, 1.0), max(height - 2 * margin, 1.0)
        scale = min(max(min(room_x / wide, room_y / high, most), MIN_SCALE), MAX_SCALE)
        x = (left + right) / 2 - width / 2 / scale
        y = (top + bottom) / 2 - height / 2 / scale
        return cls.at(x, y, scale, width, height)

    @property
    def box(self) -> Box:
        """What is visible, in canvas units."""
        return self.x, self.y, self.x + self.width / self.scale, self.y + self.height / self.scale

    def to_pixels(self, x: float, y: float) -> tuple[float, float]:
        """A canvas point in pixels of the window."""
        return (x - self.x) * self.scale, (y - self.y) * self.scale

    def to_canvas(self, x: float, y: float) -> tuple[float, float]:
        """A point of the window in canvas units."""
        return self.x + x / self.scale, self.y + y / self.scale

    def transform(self) -> QTransform:
        """From canvas units to pixels of the window."""
        return QTransform(self.scale, 0, 0, self.scale, -self.x * self.scale, -self.y * self.scale)

    def grown(self, pixels: float) -> View:
        """The same view with a margin on every side (what a cached picture holds)."""
        return replace(
            self,
            x=self.x - pixels / self.scale,
            y=self.y - pixels / self.scale,
            width=self.width + 2 * pixels,
            height=self.height + 2 * pixels,
        )
