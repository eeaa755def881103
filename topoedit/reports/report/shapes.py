"""Plots as plain shapes, so that HTML and PDF show the same vectors. Units are pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from topoedit.reports.report.blocks import HATCH, HeatMap, Histogram, Stack
from topoedit.reports.report.colours import hex_of, load_hex
from topoedit.reports.report.words import number, shorter
from topoedit.units import format_percent

Align = Literal["left", "center", "right"]
CHARACTER = 6.0
"""About the width of a character of 10 px, for gutters."""


class Box(NamedTuple):
    """A rectangle; `tip` is what it says when pointed at."""

    x: float
    y: float
    w: float
    h: float
    fill: str
    tip: str = ""
    hatch: bool = False


class Words(NamedTuple):
    """One line of text on the base line `y`; turned, it runs upwards."""

    x: float
    y: float
    text: str
    px: int = 10
    color: str = ""
    align: Align = "left"
    turned: bool = False


class Rule(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    color: str


Shape = Box | Words | Rule


class Plot(NamedTuple):
    """A drawing of some size and what it shows, in words."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    described: str


def stack_plot(block: Stack, width: float) -> Plot:
    """A stacked bar of 18 px; a limit is a line, and what lies beyond it is in the error colour."""
    height = 18.0
    whole = block.whole or sum(one.value for one in block.slices)
    shapes: list[Shape] = [Box(0, 2, width, height, hex_of("surface.pressed"))]
    x = 0.0
    for one in block.slices:
        wide = width * one.value / whole if whole > 0 else 0.0
        color = "" if one.color == HATCH else hex_of(one.color)
        shown = max(0.4, wide - 1) if wide > 2 else wide
        tip = f"{one.name}: {one.text}"
        shapes.append(Box(x, 2, shown, height, color, tip, one.color == HATCH))
        x += wide
    if block.limit is not None and 0 < block.limit < whole:
        at = width * block.limit / whole
        shapes.append(Box(at, 2, width - at, height, hex_of("memory.overflow"), "too much"))
        shapes.append(Rule(at, 0, at, height + 4, hex_of("text.primary")))
    described = ", ".join(f"{one.name} {one.text}" for one in block.slices)
    return Plot(width, height + 4, tuple(shapes), f"{block.title}: {described}")


def histogram_plot(block: Histogram, width: float) -> Plot:
    """Columns in the colour of their load, their number above."""
    height, foot, head = 118.0, 18.0, 16.0
    most = max((one.count for one in block.bins), default=0) or 1
    pitch = width / max(len(block.bins), 1)
    base = height - foot
    shapes: list[Shape] = []
    for index, one in enumerate(block.bins):
        x = index * pitch
        tall = (base - head) * one.count / most
        tall = max(tall, 1.5) if one.count else 0.0
        tip = f"{one.label} %: {number(one.count)} directions"
        if tall:
            shapes.append(Box(x + 3, base - tall, pitch - 6, tall, load_hex(one.load), tip))
            words = number(one.count)
            quiet = hex_of("text.secondary")
            shapes.append(Words(x + pitch / 2, base - tall - 4, words, 10, quiet, "center"))
        quiet = hex_of("text.tertiary")
        shapes.append(Words(x + pitch / 2, height - 4, one.label, 10, quiet, "center"))
    shapes.append(Rule(0, base, width, base, hex_of("border.strong")))
    counts = ", ".join(f"{one.label} %: {one.count}" for one in block.bins if one.count)
    return Plot(width, height, tuple(shapes), f"{block.title}: {counts}")


def heat_plot(block: HeatMap, width: float) -> Plot:
    """Cells in load colours with their percentage where there is room for it."""
    gutter = min(max((len(name) for name in block.rows), default=0) * CHARACTER + 8, 190.0)
    head = min(max((len(name) for name in block.columns), default=0) * CHARACTER + 8, 96.0)
    cell = min((width - gutter) / max(len(block.columns), 1), 44.0)
    tall = 15.0
    shapes = [*_column_names(block, gutter, head, cell), *_row_names(block, gutter, head, tall)]
    for row, line in enumerate(block.values):
        for column, value in enumerate(line):
            shapes += _heat_cell(block, row, column, value, (gutter, head, cell, tall))
    height = head + tall * len(block.rows) + 2
    worst = max((v for line in block.values for v in line if v is not None), default=None)
    described = f"{block.title}: highest {format_percent(worst, 1)}"
    return Plot(width, height, tuple(shapes), described)


def _column_names(block: HeatMap, gutter: float, head: float, cell: float) -> Iterator[Shape]:
    every = max(1, round(11 / cell + 0.49))
    for index, name in enumerate(block.columns):
        if index % every == 0:
            text = shorter(name, int((head - 8) / CHARACTER + 1))
            x = gutter + (index + 0.5) * cell + 3.5
            yield Words(x, head - 4, text, 10, hex_of("text.secondary"), "left", turned=True)


def _row_names(block: HeatMap, gutter: float, head: float, tall: float) -> Iterator[Shape]:
    for index, name in enumerate(block.rows):
        text = shorter(name, int((gutter - 8) / CHARACTER + 1))
        y = head + (index + 0.5) * tall + 3.5
        yield Words(gutter - 6, y, text, 10, hex_of("text.secondary"), "right")


def _heat_cell(
    block: HeatMap, row: int, column: int, value: float | None,
    frame: tuple[float, float, float, float],
) -> Iterator[Shape]:  # fmt: skip
    gutter, head, cell, tall = frame
    if value is None:
        return
    x, y = gutter + column * cell, head + row * tall
    words = format_percent(value)
    tip = f"{block.rows[row]}, {block.columns[column]}: {format_percent(value, 1)}"
    yield Box(x + 0.5, y + 0.5, cell - 1, tall - 1, load_hex(value), tip)
    if cell >= 34:
        dark = hex_of("text.primary") if value < 0.19 else hex_of("text.on_accent")
        yield Words(x + cell / 2, y + tall / 2 + 3.5, words, 10, dark, "center")
