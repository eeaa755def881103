"""A chart as plain data: axes, bars and lines in their own units, a table, and words for each mark.

Whoever draws it needs no knowledge of results, and tests need no pixels.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

from topoedit.units import THIN_SPACE

Cell = str | float | int | None


@dataclass(frozen=True)
class Axis:
    """An axis: what it counts with its unit, its range, and where it is labelled."""

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class Bar:
    """A rectangle in the units of the axes, with the words that a pointer on it is told.

    Attributes:
        color: token path, or the number of a bin of the load ramp (16: above 100 %).
    """

    x0: float
    x1: float
    y0: float
    y1: float
    color: str | int
    words: str


@dataclass(frozen=True)
class Line:
    """Points joined by a line, with the band of their interval where there is one.

    Attributes:
        dash: on and off in pixels, nothing for a solid line.
        words: of each point.
    """

    name: str
    color: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    words: tuple[str, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Limit:
    """A horizontal line that should not be passed, with its name."""

    value: float
    words: str


@dataclass(frozen=True)
class Whisker:
    """An interval beside a bar: from `low` to `high` along x at height y."""

    low: float
    high: float
    y: float


@dataclass(frozen=True)
class Words:
    """A text at a point, to the right of it."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Panel:
    """One pair of axes and what stands between them."""

    x: Axis
    y: Axis
    title: str = ""
    bars: tuple[Bar, ...] = ()
    lines: tuple[Line, ...] = ()
    limits: tuple[Limit, ...] = ()
    whiskers: tuple[Whisker, ...] = ()
    texts: tuple[Words, ...] = ()


@dataclass(frozen=True)
class Key:
    """A row of the legend: swatch, name and figure; a line shows its dashes.

    Attributes:
        explain: key of the explanation of the figure, "" for none.
    """

    name: str
    color: str | int
    figure: str = ""
    dash: tuple[float, ...] | None = None
    explain: str = ""


@dataclass(frozen=True)
class Chart:
    """Everything that is shown of one chart.

    Attributes:
        title: what it shows, with the unit; note: one line on how to read it.
        heads, table: the same figures as rows, in plain units that the heads name.
        spoken: the figures in one text, for those who cannot see the chart.
    """

    key: str
    title: str
    panels: tuple[Panel, ...]
    keys: tuple[Key, ...] = ()
    heads: tuple[str, ...] = ()
    table: tuple[tuple[Cell, ...], ...] = ()
    spoken: str = ""
    note: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Mark:
    """Something that can be pointed at: a rectangle of a panel and its words."""

    panel: int
    x0: float
    x1: float
    y0: float
    y1: float
    words: str


def marks_of(panels: Sequence[Panel]) -> tuple[Mark, ...]:
    """Every bar, and every point of the lines with the stripe of x that is nearest to it."""
    made: list[Mark] = []
    for number, panel in enumerate(panels):
        made += [Mark(number, b.x0, b.x1, b.y0, b.y1, b.words) for b in panel.bars]
        xs = sorted({x for line in panel.lines for x in line.xs})
        for at, x in enumerate(xs):
            left = (xs[at - 1] + x) / 2 if at else panel.x.low
            right = (x + xs[at + 1]) / 2 if at + 1 < len(xs) else panel.x.high
            words = [
                line.words[line.xs.index(x)] for line in panel.lines if x in line.xs
            ]  # fmt: skip
            made.append(Mark(number, left, right, panel.y.low, panel.y.high, " · ".join(words)))
    return tuple(made)


def mark_at(marks: Sequence[Mark], panel: int, x: float, y: float) -> int:
    """Number of the mark under a point of a panel, -1 for none."""
    for number in reversed(range(len(marks))):  # what is drawn last lies on top
        mark = marks[number]
        if mark.panel == panel and mark.x0 <= x <= mark.x1 and mark.y0 <= y <= mark.y1:
            return number
    return -1


def nice_ticks(high: float, most: int = 5) -> tuple[float, ...]:
    """Round values from 0 to `high`, at most `most` steps of 1, 2 or 5 times a power of ten."""
    if not high > 0 or not math.isfinite(high):
        return (0.0,)
    rough = high / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= rough * (1 - 1e-9))
    return tuple(step * i for i in range(int(high / step + 1e-9) + 1))


def tick_text(value: float, step: float) -> str:
    """A tick's number with the decimals that its step needs."""
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
    return f"{value:,.{decimals}f}".replace(",", THIN_SPACE)


def linear(title: str, high: float, most: int = 5, room: float = 1.06) -> Axis:
    """An axis from 0 with round ticks and a little room above the highest value."""
    ticks = nice_ticks(high, most)
    step = ticks[1] if len(ticks) > 1 else 1.0
    return Axis(title, 0.0, (high or 1.0) * room, tuple((t, tick_text(t, step)) for t in ticks))


def csv_text(chart: Chart) -> str:
    """The table as comma-separated values: heads name the units, unknown cells are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(chart.heads)
    writer.writerows(chart.table)
    return out.getvalue()


def copy_text(chart: Chart) -> str:
    """The table with tabs, as spreadsheets take it from the clipboard."""
    rows = [chart.heads, *chart.table]
    return "\n".join("\t".join("" if c is None else str(c) for c in row) for row in rows)
