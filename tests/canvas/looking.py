"""Looking at a canvas: its picture, colours in it, the pointer resting on it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
)
from PySide6.QtWidgets import QApplication

from .conftest import Hands

NONE = Qt.KeyboardModifier.NoModifier


def picture(hands: Hands) -> QImage:
    hands.canvas.picture.finish()
    return hands.canvas.grab().toImage()


def has_color(image: QImage, x: float, y: float, token: str, hands: Hands, reach: int = 8) -> bool:
    """Whether a colour of the theme, smoothed a little, is near a pixel."""
    wanted, ratio = hands.canvas.theme.color(token), image.devicePixelRatio()
    for dx in range(-reach, reach + 1):
        for dy in range(-reach, reach + 1):
            at = QPoint(round((x + dx) * ratio), round((y + dy) * ratio))
            found = image.pixelColor(at) if image.rect().contains(at) else None
            if found is not None and apart(found, wanted) < 60:
                return True
    return False


def apart(one: QColor, other: QColor) -> int:
    pairs = zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)
    return max(abs(a - b) for a, b in pairs)


def hover(hands: Hands, x: float, y: float) -> None:
    """The pointer rests on a canvas point."""
    point = QPointF(hands.pixel(x, y))
    canvas = hands.canvas
    event = QMouseEvent(
        QEvent.Type.MouseMove, point, canvas.mapToGlobal(point), Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton, NONE,
    )  # fmt: skip
    QApplication.sendEvent(canvas, event)
    canvas._hover_timer.stop()
    canvas._find_hover()
