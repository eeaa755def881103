"""Grids of equal blocks, in rows that fill a wide sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable

from topoedit.layout.sizes import GAP, size
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices
from topoedit.model.ports import natural_key

SHEET_ASPECT = 4.0


def columns_for(count: int, width: float, height: float, aspect: float = SHEET_ASPECT) -> int:
    """How many columns of blocks `width` by `height` make a sheet of about the given aspect.

    >>> columns_for(4, 1216, 900), columns_for(8, 1216, 900)
    (4, 4)
    """
    if count <= 1:
        return max(count, 1)
    rows = max(1, round(math.sqrt(count * width / (height * aspect))))
    return math.ceil(count / rows)


def cells(count: int, columns: int) -> tuple[tuple[int, int], ...]:
    """(row, column) of each of `count` blocks laid row by row."""
    return tuple(divmod(index, columns) for index in range(count))


def centred(count: int, pitch: float, centre: float = 0.0) -> tuple[float, ...]:
    """Centres of `count` things in a row about `centre`.

    >>> centred(3, 100)
    (-100.0, 0.0, 100.0)
    """
    first = centre - pitch * (count - 1) / 2
    return tuple(first + pitch * index for index in range(count))


def arrange(document: Document, devices: Iterable[str], columns: int = 0) -> MoveDevices:
    """Devices in a grid, in natural order of names, from where the first corner of them is now.

    Args:
        document: the drawing.
        devices: ids of what to move; locked ones keep their place and leave no gap.
        columns: devices in a row, 0 for a nearly square grid.
    """
    chosen = [document.devices[i] for i in devices]
    free = sorted((d for d in chosen if not d.locked), key=lambda d: natural_key(d.name))
    if not free:
        return MoveDevices("Arrange in a grid", (), (), ())
    sizes = [size(d.kind, document.device_type(d).trays) for d in free]
    step_x, step_y = max(w for w, _ in sizes) + GAP, max(h for _, h in sizes) + GAP
    columns = columns or math.ceil(math.sqrt(len(free)))
    left, top = min(d.x for d in free), min(d.y for d in free)
    places = cells(len(free), columns)
    return MoveDevices(
        "Arrange in a grid",
        tuple(d.id for d in free),
        tuple(left + column * step_x for _, column in places),
        tuple(top + row * step_y for row, _ in places),
    )
