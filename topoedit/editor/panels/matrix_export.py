"""A traffic matrix as a PNG: a square picture with title, names and scale."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QIODevice, QRect
from PySide6.QtGui import QImage, QPainter

from topoedit.editor.panels.matrix_data import Grid
from topoedit.editor.panels.matrix_paint import (
    Frame,
    cells_image,
    paint_cells,
    paint_names,
    paint_scale,
)
from topoedit.render.ink import Ink
from topoedit.render.theme import Theme
from topoedit.units import format_bytes

WIDTH, HEIGHT = 1120, 940
_TOP, _SIDE, _MARGIN = 64, 240, 24


def png_bytes(grid: Grid, theme: Theme, words: str, scale: float = 2.0) -> bytes:
    """The picture with `scale` pixels for each one of the screen; `words` say how much it shows."""
    image = QImage(round(WIDTH * scale), round(HEIGHT * scale), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    painter = QPainter(image)
    painter.fillRect(0, 0, WIDTH, HEIGHT, theme.color("surface.panel"))
    ink = Ink(painter, theme)
    which = "all classes" if grid.chosen is None else grid.chosen
    ink.text(_MARGIN, 18, "Traffic between ranks", 14, 600)
    ink.text(_MARGIN, 38, f"{words}, {which}", 11, 400, "text.secondary")
    room = QRect(0, _TOP, WIDTH - _SIDE, HEIGHT - _TOP - 12)
    frame = Frame.fit(room, grid)
    most = (int(frame.cells.height() * scale), int(frame.cells.width() * scale))
    paint_cells(ink, frame, cells_image(grid, theme, *most), grid)
    paint_names(ink, frame, grid)
    low, high = (format_bytes(value) for value in grid.range)
    left = frame.cells.right() + 28
    height = paint_scale(ink, left, _TOP + 8, WIDTH - left - _MARGIN, grid, (low, high))
    for number, note in enumerate(("logarithmic shades", *grid.matrix.notes)):
        ink.text(left, _TOP + 12 + height + 16 * number, note, 10, 400, "text.tertiary",
                 width=WIDTH - left - 8)  # fmt: skip
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())
