"""Contrast of two colours after WCAG 2.1 (relative luminance, definition in its section 3)."""

from __future__ import annotations

from PySide6.QtGui import QColor


def luminance(color: QColor) -> float:
    """Relative luminance from 0 (black) to 1 (white) of an sRGB colour."""
    weights = (0.2126, 0.7152, 0.0722)
    channels = (color.redF(), color.greenF(), color.blueF())
    return sum(w * _linear(c) for w, c in zip(weights, channels, strict=True))


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio from 1 (equal) to 21 (black on white)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
