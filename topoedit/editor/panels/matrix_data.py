"""A traffic matrix as arrays for painting, and its cells in words and as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topoedit.app.figure_records import AXES, Band, RankMatrix
from topoedit.units import format_number

LEVELS = 24
"""Shades of a cell from the least to the most bytes, on a logarithmic scale."""
_AXIS_WORDS = {"tp": "TP", "cp": "CP", "ep": "EP", "dp": "DP", "pp": "PP"}


@dataclass(frozen=True, eq=False)
class Grid:
    """Bytes from rows to columns.

    Attributes:
        matrix: the answer of the engine.
        chosen: the only traffic class shown, None for all.
    """

    matrix: RankMatrix
    chosen: str | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.matrix.rows), len(self.matrix.columns)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """Traffic classes shown."""
        names = tuple(one.class_ for one in self.matrix.cells)
        return names if self.chosen is None else tuple(n for n in names if n == self.chosen)

    @cached_property
    def bytes(self) -> NDArray[np.float32]:
        """(classes, R, C) bytes a step."""
        rows, columns = self.shape
        made = np.zeros((len(self.classes), rows * columns), dtype=np.float32)
        for one in self.matrix.cells:
            if one.class_ in self.classes:
                places = np.frombuffer(one.places, np.int32)
                made[self.classes.index(one.class_), places] = np.frombuffer(one.values, np.float32)
        return made.reshape(len(self.classes), rows, columns)

    @cached_property
    def total(self) -> NDArray[np.float32]:
        """(R, C) bytes a step of the classes shown."""
        total: NDArray[np.float32] = self.bytes.sum(axis=0)
        return total

    @cached_property
    def range(self) -> tuple[float, float]:
        """Least and most bytes of a cell that has any; zeros if none has."""
        some = self.total[self.total > 0]
        return (float(some.min()), float(some.max())) if some.size else (0.0, 0.0)

    @cached_property
    def codes(self) -> NDArray[np.int32]:
        """(R, C) 0 for nothing, else 1 + LEVELS x class with most bytes + shade."""
        if not self.classes:
            return np.zeros(self.shape, dtype=np.int32)
        low, high = self.range
        some = self.total > 0
        made = np.zeros(self.shape, dtype=np.int32)
        if low < high:
            scale = np.log(self.total[some] / low) / np.log(high / low)
        else:
            scale = np.ones(int(some.sum()))
        shade = np.minimum((scale * LEVELS).astype(np.int32), LEVELS - 1)
        made[some] = 1 + self.bytes.argmax(axis=0)[some] * LEVELS + shade
        return made

    def pooled(self, most_rows: int, most_columns: int) -> NDArray[np.int32]:
        """Codes of at most so many rows and columns: of neighbours that of the most bytes."""
        rows, columns = self.shape
        high, wide = -(-rows // max(most_rows, 1)), -(-columns // max(most_columns, 1))
        if high <= 1 and wide <= 1:
            return self.codes
        room = ((0, -rows % high), (0, -columns % wide))
        total, codes = np.pad(self.total, room), np.pad(self.codes, room)
        shape = (total.shape[0] // high, high, total.shape[1] // wide, wide)
        flat = [
            a.reshape(shape).transpose(0, 2, 1, 3).reshape(shape[0], shape[2], -1)
            for a in (total, codes)
        ]
        best = flat[0].argmax(axis=2)[:, :, None]
        found: NDArray[np.int32] = np.take_along_axis(flat[1], best, axis=2)[:, :, 0]
        return found

    def by_class(self, row: int, column: int) -> list[tuple[str, float]]:
        """Bytes of each class from a row to a column, those that send nothing left out."""
        cell = self.bytes[:, row, column].tolist()
        return [(name, sent) for name, sent in zip(self.classes, cell, strict=True) if sent > 0]

    def largest(self) -> tuple[int, int]:
        """The cell with most bytes."""
        row, column = np.unravel_index(int(self.total.argmax()), self.shape)
        return int(row), int(column)


def band_words(band: Band) -> str:
    """What a row or column is, in a line: its name and its ranks."""
    low, high = band.ranks
    if low < 0:
        return f"{band.name} (idle)"
    if low == high:
        return f"{band.name} (rank {format_number(low)})"
    return f"{band.name} (ranks {format_number(low)}–{format_number(high)})"


def place_words(band: Band, sizes: tuple[int, ...]) -> str:
    """Coordinates on the axes that are longer than one: `TP 3 · DP 0–3 · PP 1`."""
    if not band.coordinates:
        return "not used by the plan"
    words = []
    for axis, size, (low, high) in zip(AXES, sizes, band.coordinates, strict=True):
        if size > 1:
            words.append(f"{_AXIS_WORDS[axis]} {low if low == high else f'{low}–{high}'}")
    return " · ".join(words) or "the only rank of every group"


def _rows(matrix: RankMatrix) -> Iterator[tuple[str | int | float, ...]]:
    grid = Grid(matrix)
    for row, column in zip(*np.nonzero(grid.total), strict=True):
        a, b = matrix.rows[int(row)], matrix.columns[int(column)]
        sent = grid.bytes[:, row, column].tolist()
        yield (a.name, b.name, a.first, a.count, b.first, b.count, *sent, sum(sent))


def csv_text(matrix: RankMatrix) -> str:
    """Every pair that sends something as a row; bytes a step by class and together."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ("from", "to", "from_gpu", "from_gpus", "to_gpu", "to_gpus",
         *(f"{one.class_} bytes" for one in matrix.cells), "bytes")
    )  # fmt: skip
    writer.writerows(_rows(matrix))
    return out.getvalue()
