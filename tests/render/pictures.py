"""Painting into memory, and comparing with the pictures that somebody looked at."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage, QPainter

from topoedit.render.diagram import PaintOptions, paint_diagram
from topoedit.render.ink import TextLog
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme
from topoedit.render.view import View

GOLDENS = Path(__file__).parent / "goldens"
WRITE = os.environ.get("TOPOEDIT_WRITE_GOLDENS") == "1"


def painted(
    scene: DiagramScene, view: View, theme: str = "dark", options: PaintOptions | None = None
) -> tuple[QImage, TextLog]:
    log = TextLog()
    image = blank(view)
    painter = QPainter(image)
    chosen = options or PaintOptions(log=log)
    paint_diagram(painter, scene, Theme.load(theme), view, chosen)
    painter.end()
    return image, log


def blank(view: View) -> QImage:
    image = QImage(round(view.width), round(view.height), QImage.Format.Format_RGB32)
    image.fill(0)
    return image


def pixels(image: QImage) -> np.ndarray:
    """RGB of an image, shape (height, width, 3)."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3).copy()


def same_picture(image: QImage, name: str) -> None:
    """Assert that a picture is the golden one, but for a little antialiasing."""
    path = GOLDENS / f"{name}.png"
    if WRITE:
        GOLDENS.mkdir(exist_ok=True)
        assert image.save(str(path))
    wanted = QImage(str(path))
    assert not wanted.isNull(), f"no golden {path}; write it with TOPOEDIT_WRITE_GOLDENS=1"
    assert wanted.size() == image.size()
    difference = np.abs(pixels(image).astype(int) - pixels(wanted).astype(int)).max(axis=2)
    assert difference.mean() < 1.5, f"{name}: mean difference {difference.mean():.2f}"
    share = (difference > 48).mean()
    assert share < 0.01, f"{name}: {share:.1%} of the pixels differ"
