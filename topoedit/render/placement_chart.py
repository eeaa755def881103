"""The chart of rank placement: a cell a GPU, a server or a group, in the shade of its stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from topoedit.engine.rank_map import RankMap
from topoedit.engine.types import Ints, Longs
from topoedit.render.ink import Ink

PALEST, DEEPEST = 0.16, 0.90
"""Alpha of the accent at the first and the last stage."""
_GPU_PITCHES = (16, 14, 12, 9)
_SERVER_GAP, _ROW_GAP = 6, 6
_WIDE, _NARROW = 14, 7
_MOST_HEIGHT, _LOW = 168, 112
_MOST_GPUS = 2000
_COARSEST = 8
"""A level with less than this part of the cells allowed shows too little: neighbours share one."""
_COLUMNS = 8


@dataclass(frozen=True, eq=False)
class ChartCells:
    """Cells of a chart.

    Attributes:
        level: `gpu`, `server`, or what a cell stands for.
        first: (N + 1,) number of the first GPU of each cell, and the number of all.
        x, y: (N,) top left corners; size: of every cell; height: of the chart.
    """

    level: str
    first: Longs
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    size: float
    height: float

    def at(self, px: float, py: float) -> int | None:
        """Number of the cell at a pixel."""
        hit = (self.x <= px) & (px < self.x + self.size + 1)
        hit &= (self.y <= py) & (py < self.y + self.size + 1)
        found = np.flatnonzero(hit)
        return int(found[0]) if len(found) else None

    def of_gpus(self, gpus: Ints) -> Longs:
        """Cells of some GPUs, each once."""
        return np.unique(np.searchsorted(self.first, gpus, side="right") - 1)


def arrange(
    found: RankMap, width: float, levels: Iterable[tuple[str, NDArray[np.intp]]] = ()
) -> ChartCells:
    """The finest level that has room in a chart of so many pixels.

    Args:
        found: who runs where.
        width: pixels.
        levels: names of coarser levels with the group of each device (D,), from fine to coarse.
    """
    for pitch in _GPU_PITCHES if found.gpus <= _MOST_GPUS else ():
        made = _by_gpu(found, width, pitch)
        if made.height <= (_MOST_HEIGHT if pitch == _GPU_PITCHES[-1] else _LOW):
            return made
    most = int(width // _NARROW) * (_MOST_HEIGHT // _NARROW)
    finer: tuple[str, Longs] | None = None
    for level, labels in (("server", np.arange(len(found.devices))), *levels):
        starts = np.flatnonzero(np.diff(labels, prepend=labels[0] - 1))
        if len(starts) <= most and (finer is None or len(starts) >= most // _COARSEST):
            return _in_rows(level, np.append(found.first[starts], found.gpus), width)
        if len(starts) > most:
            finer = (level, starts)
    level, starts = finer or ("server", np.arange(len(found.devices)))
    every = -(-len(starts) // most)
    return _in_rows(f"{every} {level}s", np.append(found.first[starts[::every]], found.gpus), width)


def _by_gpu(found: RankMap, width: float, pitch: int) -> ChartCells:
    """Servers as blocks of up to eight columns, one after the other."""
    columns = np.minimum(found.counts, _COLUMNS)
    wide = columns * pitch + _SERVER_GAP
    rows = -(-found.counts // _COLUMNS)
    x, y, left, top, tallest = [], [], 0.0, 0.0, 0
    for many, block, high in zip(found.counts.tolist(), wide.tolist(), rows.tolist(), strict=True):
        if left and left + block - _SERVER_GAP > width:
            left, top, tallest = 0.0, top + tallest * pitch + _ROW_GAP, 0
        numbers = np.arange(many)
        x.append(left + numbers % _COLUMNS * pitch)
        y.append(top + numbers // _COLUMNS * pitch)
        left, tallest = left + block, max(tallest, high)
    return ChartCells(
        "gpu", np.arange(found.gpus + 1), _floats(x), _floats(y),
        pitch - 2, top + tallest * pitch,
    )  # fmt: skip


def _floats(parts: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
    return np.asarray(np.concatenate(parts), dtype=np.float64)


def _in_rows(level: str, first: Longs, width: float) -> ChartCells:
    """Cells in rows, as large as the room lets them be."""
    count = len(first) - 1
    pitch = next(
        (p for p in range(_WIDE, _NARROW, -1) if -(-count // int(width // p)) * p <= _LOW), _NARROW
    )
    columns = int(width // pitch)
    numbers = np.arange(count)
    x, y = _floats([numbers % columns * pitch]), _floats([numbers // columns * pitch])
    return ChartCells(level, first, x, y, pitch - 2, -(-count // columns) * float(pitch))


def shades(found: RankMap, cells: ChartCells) -> NDArray[np.float64]:
    """(N,) alpha of each cell: its mean stage, or replica without stages; NaN for an idle one."""
    axis = 0 if found.grid.shape[0] > 1 else 1
    most = max(found.grid.shape[axis] - 1, 1)
    used = found.rank_of_gpu >= 0
    place = np.zeros(found.gpus)
    place[used] = found.coordinates[found.rank_of_gpu[used], axis] / most
    starts = cells.first[:-1]
    ranks = np.add.reduceat(used.astype(np.float64), starts)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.add.reduceat(place, starts) / ranks
    return PALEST + (DEEPEST - PALEST) * mean


def paint_cells(
    ink: Ink, cells: ChartCells, alphas: NDArray[np.float64], lit: Mapping[str, Longs],
    picked: int | None,
) -> None:  # fmt: skip
    """Cells in the accent, members of groups outlined in the colour of the class.

    Args:
        ink: where to draw.
        cells: the chart.
        alphas: of each cell.
        lit: class -> cells with members.
        picked: the cell of the rank itself.
    """
    size = cells.size
    radius = 1.0 if size < 10 else 2.0
    for x, y, alpha in zip(cells.x.tolist(), cells.y.tolist(), alphas.tolist(), strict=True):
        if np.isnan(alpha):
            ink.box(x + 0.5, y + 0.5, size, size, None, "border.default", radius)
        else:
            ink.box(x + 0.5, y + 0.5, size, size, ink.color("accent.base", alpha), None, radius)
    done: set[int] = set()
    for name, some in lit.items():
        for number in some.tolist():
            if number not in done:
                done.add(number)
                _outline(ink, cells, number, f"traffic.{name}", radius)
    if picked is not None:
        _outline(ink, cells, picked, "text.primary", radius, 2.0)


def _outline(
    ink: Ink, cells: ChartCells, number: int, color: str, radius: float, width: float = 1.5
) -> None:
    x, y, size = float(cells.x[number]) - 0.5, float(cells.y[number]) - 0.5, cells.size + 2
    ink.box(x, y, size, size, None, color, radius + 1, width)


def paint_scale(ink: Ink, x: float, y: float, width: float) -> None:
    """The shades from the first to the last stage."""
    steps = 24
    for step in range(steps):
        alpha = PALEST + (DEEPEST - PALEST) * step / (steps - 1)
        rect = QRectF(x + width * step / steps, y, width / steps + 0.5, 6)
        ink.painter.fillRect(rect, ink.color("accent.base", alpha))
