"""A traffic matrix as a PNG: a square picture with title, names and scale."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QIODevice, QRect
from PySide6.QtGui import QImage, QPainter

from topoedit.editor.panels.matrix_data import Grid
from topoedit.editor.panels.matrix_paint import (
    GUTTER,
    Frame,
    cells_image,
    paint_cells,
    paint_names,
    paint_scale,
)
from topoedit.render.ink import Ink
from topoedit.render.theme import Theme
from topoedit.units import format_bytes

WIDTH, HEIGHT = 1064, 1000
_TOP, _MARGIN = 70, 24


def png_bytes(grid: Grid, theme: Theme, words: str, scale: float = 2.0) -> bytes:
    """The picture with `scale` pixels for each one of the screen; `words` say how much it shows."""
    image = QImage(round(WIDTH * scale), round(HEIGHT * scale), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    with QPainter(image) as painter:
        painter.fillRect(0, 0, WIDTH, HEIGHT, theme.color("surface.panel"))
        ink = Ink(painter, theme)
        which = "all classes" if grid.chosen is None else grid.chosen
        end = ink.text(GUTTER, 18, "Traffic between ranks", 14, 600)
        ink.text(end + 12, 18, f"{words}, {which}", 11, 400, "text.secondary")
        room = QRect(0, _TOP, WIDTH - _MARGIN, HEIGHT - _TOP - 12)
        frame = Frame.fit(room, grid)
        most = (int(frame.cells.height() * scale), int(frame.cells.width() * scale))
        paint_cells(ink, frame, cells_image(grid, theme, *most), grid)
        paint_names(ink, frame, grid)
        low, high = (format_bytes(value) for value in grid.range)
        paint_scale(ink, GUTTER, 46, grid, (low, high))
        notes = ". ".join(("Shades are logarithmic", *grid.matrix.notes))
        ink.text(WIDTH - _MARGIN, 18, notes, 11, 400, "text.tertiary", "right")
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())
