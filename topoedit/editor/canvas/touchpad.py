"""Telling a touchpad, which scrolls by pixels, from a wheel, which clicks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputDevice, QWheelEvent


def is_touchpad(event: QWheelEvent) -> bool:
    """Whether two fingers scroll: the event tells pixels and comes with phases or from a touchpad.

    Under X11 a wheel of fine steps tells pixels too, so that these alone prove nothing.
    """
    if event.pixelDelta().isNull():
        return False
    known = event.device().type() == QInputDevice.DeviceType.TouchPad
    return known or event.phase() != Qt.ScrollPhase.NoScrollPhase
