"""Grids of equal blocks, in rows that fill a wide sheet."""

from __future__ import annotations

import math

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
