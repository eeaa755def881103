"""A torus of chips (TPU cube, Trainium): the lattice with every neighbour's link in its load."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from topoedit.render.ink import Ink
from topoedit.render.kinds.common import draw_body, draw_foot, draw_ports, load_color_of, text_px
from topoedit.render.looks import DeviceLook

CUBE = (4, 4, 4)
"""The block that TPU pods are built of: 64 chips wired by copper, faces to optical switches."""
_MOST_SHOWN = 8  # chips along an axis
_LEAN = 0.45  # how far the next layer lies to the right of and below the one before, of a pitch
_WORDS = ("ici", "neuronlink", "nvlink", "xgmi", "ualink")
"""Technologies in the ids of inner links, as the engine writes them."""


@dataclass(frozen=True)
class _Grid:
    """Where the chips of a lattice stand, in pixels; axes across, down and into the depth."""

    shape: tuple[int, int, int]
    x: float
    y: float
    step_x: float
    step_y: float

    def place(self, i: int, j: int, k: int) -> tuple[float, float]:
        """The middle of a chip."""
        lean_x, lean_y = self.step_x * _LEAN, self.step_y * _LEAN
        depth = self.shape[2]
        return (
            self.x + i * self.step_x + (depth - 1 - k) * lean_x,
            self.y + j * self.step_y + k * lean_y,
        )


class LatticePainter:
    """Devices whose accelerators form a torus."""

    kinds = ("lattice",)

    def near(self, ink: Ink, look: DeviceLook) -> None:
        """The lattice over the foot."""
        draw_body(ink, look, 6)
        foot = max(46.0, min(52.0 * look.k, 64.0, look.h * 0.4))
        _draw_lattice(ink, look, look.h - foot)
        draw_foot(ink, look, foot)
        draw_ports(ink, look)

    def inside(self, ink: Ink, look: DeviceLook) -> None:
        """The same, with what it shows and what it leaves out in words."""
        draw_body(ink, look, 8)
        foot = 52.0
        words = _words(look)
        height = text_px(10, look.k, 13) + 10 if words else 0
        _draw_lattice(ink, look, look.h - foot - height)
        if words:
            middle, y = look.x + look.w / 2, look.y + look.h - foot - height
            ink.text(
                middle, y, words, text_px(10, look.k, 13), 400, "canvas.label_sub", "center",
                width=look.w - 16, height=height,
            )  # fmt: skip
        draw_foot(ink, look, foot)
        draw_ports(ink, look)


def shown_shape(look: DeviceLook) -> tuple[int, int, int]:
    """Chips across, down and into the depth: the whole torus, or one cube of a large one."""
    inside = look.type.inside
    torus = inside.scaleup.torus if inside is not None else ()
    if not torus or max(torus) > _MOST_SHOWN:
        return CUBE
    across, down, depth = (*torus, 1, 1)[:3]
    return across, down, depth


def _is_whole(look: DeviceLook) -> bool:
    """Whether every chip of the device is shown."""
    return math.prod(shown_shape(look)) == (look.gpus or 0)


def _words(look: DeviceLook) -> str:
    gpus, shape = look.gpus or 0, shown_shape(look)
    chips = math.prod(shape)
    size = " × ".join(str(side) for side in shape if side > 1)
    if _is_whole(look):
        return f"torus of {size}, its ends joined"
    cubes = gpus // chips
    return f"one of {cubes} cubes of {size}" if cubes > 1 else f"cube of {size}"


def _draw_lattice(ink: Ink, look: DeviceLook, room: float) -> None:
    grid = _grid_in(look, shown_shape(look), room)
    size = max(2.0, min(grid.step_x, grid.step_y) * 0.34)
    width = 1.0 if size < 5 else 1.5 if size < 12 else 2.5
    across, down, depth = grid.shape
    for k in range(depth):
        for one, other, ids in _edges(grid.shape, k):
            color = load_color_of(ink, _load(look, *ids)) if _is_whole(look) else None
            (x1, y1), (x2, y2) = grid.place(*one), grid.place(*other)
            ink.line(x1, y1, x2, y2, color or "canvas.link_internal", width)
        for i, j in product(range(across), range(down)):
            x, y = grid.place(i, j, k)
            edge = "canvas.device_border" if size >= 4 else None
            ink.box(
                round(x - size / 2), round(y - size / 2), round(size), round(size),
                "canvas.device_part", edge, 1,
            )  # fmt: skip


def _grid_in(look: DeviceLook, shape: tuple[int, int, int], room: float) -> _Grid:
    """The largest lattice that fits the upper part of a device, in its middle."""
    across, down, depth = shape
    pad = max(6.0, 0.1 * min(look.w, room))
    lean = _LEAN * (depth - 1)
    step_x = (look.w - 2 * pad) / max(across - 1 + lean, 1)
    step_y = (room - 2 * pad) / max(down - 1 + lean, 1)
    step_x, step_y = min(step_x, 1.6 * step_y), min(step_y, 1.6 * step_x)
    wide, high = step_x * (across - 1 + lean), step_y * (down - 1 + lean)
    x = look.x + (look.w - wide) / 2
    y = look.y + (room - high) / 2
    return _Grid(shape, x, y, step_x, step_y)


_Place = tuple[int, int, int]


def _edges(shape: _Place, layer: int) -> Iterator[tuple[_Place, _Place, tuple[int, int]]]:
    """Neighbours of one layer and to the layer before, with the numbers of both chips.

    Chips are numbered with the last axis fastest, as the engine does.
    """
    across, down, depth = shape

    def number(i: int, j: int, k: int) -> int:
        return (i * down + j) * depth + k

    for i, j in product(range(across), range(down)):
        here = (i, j, layer)
        for di, dj, dk in ((1, 0, 0), (0, 1, 0), (0, 0, -1)):
            there = (i + di, j + dj, layer + dk)
            if there[0] < across and there[1] < down and there[2] >= 0:
                yield here, there, (number(*here), number(*there))


def _load(look: DeviceLook, one: int, other: int) -> float | None:
    """Load of the link between two chips; None if unknown."""
    for word in _WORDS:
        for first, second in ((one, other), (other, one)):
            load = look.inner_load(f"{word}/gpu{first}-gpu{second}")
            if load is not None:
                return load
    return None


PAINTER = LatticePainter()
