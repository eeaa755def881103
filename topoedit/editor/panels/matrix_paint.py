"""Paints a traffic matrix: heat cells in the colours of classes, names along both axes, marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage

from topoedit.app.figure_records import Band
from topoedit.editor.panels.matrix_data import LEVELS, Grid
from topoedit.render.ink import Ink
from topoedit.render.theme import Theme, blend

GUTTER, FOOT, EDGE = 128, 26, 6
WIDEST = 5.0
"""A cell is at most this much wider than high."""
_FAINTEST = 0.3
_LINE_FROM = 8
"""Pixels of a device from which lines part it from its neighbours."""


@dataclass(frozen=True)
class Frame:
    """Where the cells of a grid lie.

    Attributes:
        cells: rectangle of all cells, logical pixels.
        rows, columns: how many there are.
    """

    cells: QRectF
    rows: int
    columns: int

    @classmethod
    def fit(cls, room: QRect, grid: Grid) -> Frame:
        """The largest frame in some room, with gutters for the names."""
        rows, columns = grid.shape
        width = max(room.width() - GUTTER - EDGE, 40)
        height = max(room.height() - FOOT - EDGE, 24)
        width = min(width, int(height * columns / rows * WIDEST))
        height = min(height, int(width * rows / columns))
        return cls(QRectF(room.left() + GUTTER, room.top() + EDGE, width, height), rows, columns)

    def cell(self, x: float, y: float) -> tuple[int, int] | None:
        """Row and column under a point."""
        if not self.cells.contains(x, y):
            return None
        row = int((y - self.cells.top()) / self.cells.height() * self.rows)
        column = int((x - self.cells.left()) / self.cells.width() * self.columns)
        return min(row, self.rows - 1), min(column, self.columns - 1)

    def rect(self, row: int, column: int) -> QRectF:
        """Where a cell is."""
        high, wide = self.cells.height() / self.rows, self.cells.width() / self.columns
        return QRectF(self.cells.left() + column * wide, self.cells.top() + row * high, wide, high)


def palette(grid: Grid, theme: Theme) -> NDArray[np.uint32]:
    """Colours of the codes of a grid, 0xffRRGGBB."""
    back = theme.color("canvas.bg")
    made = [back.rgb()]
    for name in grid.classes:
        color = theme.color(f"traffic.{name}")
        shares = np.linspace(_FAINTEST, 1.0, LEVELS).tolist()
        made += [blend(color, back, share).rgb() for share in shares]
    return np.array(made, dtype=np.uint32)


def cells_image(grid: Grid, theme: Theme, most_rows: int, most_columns: int) -> QImage:
    """One pixel for each cell, or for several where there are fewer pixels."""
    colors = np.ascontiguousarray(palette(grid, theme)[grid.pooled(most_rows, most_columns)])
    rows, columns = colors.shape
    image = QImage(colors.data, columns, rows, columns * 4, QImage.Format.Format_RGB32)
    return image.copy()  # the array dies with this call


def paint_cells(ink: Ink, frame: Frame, image: QImage, grid: Grid) -> None:
    """Cells, lines between servers, and a frame around all of them."""
    painter = ink.painter
    painter.setRenderHint(painter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(frame.cells, image)
    cells = frame.cells
    color = ink.theme.color("border.subtle")
    for start in _parted(grid.matrix.rows, cells.height()):
        y = round(cells.top() + start * cells.height() / frame.rows)
        painter.fillRect(QRectF(cells.left(), y, cells.width(), 1), color)
    for start in _parted(grid.matrix.columns, cells.width()):
        x = round(cells.left() + start * cells.width() / frame.columns)
        painter.fillRect(QRectF(x, cells.top(), 1, cells.height()), color)
    ink.box(
        cells.left() - 1, cells.top() - 1, cells.width() + 2, cells.height() + 2, None,
        "border.default",
    )  # fmt: skip


def _parted(bands: Sequence[Band], pixels: float) -> list[int]:
    """Where lines part the devices of single GPUs; bands that are devices need none."""
    starts = list(_starts(bands))
    wide = pixels >= _LINE_FROM * (len(starts) + 1)
    return starts if wide and len(starts) * 2 <= len(bands) else []


def _starts(bands: Sequence[Band]) -> Iterator[int]:
    """Bands with which another device or group begins."""
    for number in range(1, len(bands)):
        if bands[number].elements != bands[number - 1].elements:
            yield number


def _groups(bands: Sequence[Band]) -> Iterator[tuple[int, int, str]]:
    """First, end and name of neighbours on one device; a band of its own keeps its name."""
    starts = [0, *_starts(bands), len(bands)]
    for first, end in pairwise(starts):
        name = bands[first].name
        yield first, end, name.rpartition("/")[0] if end - first > 1 and "/" in name else name


def paint_names(ink: Ink, frame: Frame, grid: Grid) -> None:
    """Names along the left side and under the cells, as many as fit, and what the sides are."""
    cells, taken = frame.cells, -1e9
    names = list(_groups(grid.matrix.rows))
    for first, end, name in names:
        y = cells.top() + (first + end) / 2 * cells.height() / frame.rows
        if y - taken < 15:
            continue
        taken = y
        ink.text(
            cells.left() - 8, y - 8, name, 11, 400, "text.secondary", "right", GUTTER - 40,
            elide="middle",
        )  # fmt: skip
    _paint_column_names(ink, frame, grid)
    ink.text(cells.left() - GUTTER + 12, cells.top() - 1, "From", 10, 500, "text.tertiary")
    ink.text(cells.left() - GUTTER + 12, cells.bottom() + 4, "To", 10, 500, "text.tertiary")


def _paint_column_names(ink: Ink, frame: Frame, grid: Grid) -> None:
    cells, taken = frame.cells, -1e9
    for first, end, name in _groups(grid.matrix.columns):
        x = cells.left() + (first + end) / 2 * cells.width() / frame.columns
        half = ink.width_of(name, 11) / 2
        x = max(x, cells.left() + half)
        if x - half < taken + 10 or x + half > cells.right() + EDGE:
            continue
        taken = x + half
        ink.text(x, cells.bottom() + 4, name, 11, 400, "text.secondary", "center")


def paint_marks(
    ink: Ink, frame: Frame, grid: Grid, cell: tuple[int, int] | None,
    picked: tuple[int, int] | None, selected: frozenset[str],
) -> None:  # fmt: skip
    """What is selected on the canvas along the sides, cross hairs, and the cell that was picked."""
    cells = frame.cells
    for number, band in enumerate(grid.matrix.rows):
        if selected & set(band.elements):
            rect = frame.rect(number, 0)
            ink.box(cells.left() - 5, rect.top(), 3, max(rect.height(), 1), "accent.base")
    for number, band in enumerate(grid.matrix.columns):
        if selected & set(band.elements):
            rect = frame.rect(0, number)
            ink.box(rect.left(), cells.bottom() + 2, max(rect.width(), 1), 3, "accent.base")
    if cell is not None:
        rect = frame.rect(*cell)
        soft = ink.theme.color("text.secondary", 0.16)
        ink.painter.fillRect(QRectF(cells.left(), rect.top(), cells.width(), rect.height()), soft)
        ink.painter.fillRect(QRectF(rect.left(), cells.top(), rect.width(), cells.height()), soft)
    if picked is not None:
        rect = frame.rect(*picked).adjusted(-2, -2, 2, 2)
        ink.box(rect.left(), rect.top(), max(rect.width(), 6), max(rect.height(), 6), None,
                "text.primary", 0, 1.5)  # fmt: skip


def paint_scale(ink: Ink, x: float, y: float, grid: Grid, words: tuple[str, str]) -> float:
    """A ramp for each class shown, then the least and the most bytes, in one line.

    Returns:
        The right end.
    """
    colors = palette(grid, ink.theme)
    for number, name in enumerate(grid.classes):
        x = ink.text(x, y, name, 11, 500, "text.secondary") + 5
        for shade in range(LEVELS):
            color = int(colors[1 + number * LEVELS + shade])
            ink.painter.fillRect(QRectF(x + 1.5 * shade, y + 4, 1.5, 8), color)
        x += 1.5 * LEVELS + 10
    return ink.text(x, y, f"{words[0]} to {words[1]}", 11, 400, "text.tertiary")
