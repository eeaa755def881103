"""What a report is made of: plain records that every writer (HTML, PDF, Markdown) can show.

Texts are plain: no mark-up, and nothing is escaped before a writer does it. Colours are paths of
the light theme's tokens, or `hatch` for waiting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from topoedit.render.parts import HATCH as HATCH

Severity = Literal["error", "warning", "info", "ok"]
Align = Literal["left", "right"]
DoubtKind = Literal["unverified", "overridden"]


class Doubt(msgspec.Struct, frozen=True):
    """Why a figure is to be taken with care.

    Attributes:
        kind: `unverified`, quoted from memory of its source; `overridden`, set by the user.
        what: the entry and field concerned.
        why: its source, or who set it.
    """

    kind: DoubtKind
    what: str
    why: str = ""


Doubts = tuple[Doubt, ...]


class Cell(msgspec.Struct, frozen=True):
    """One cell of a table.

    Attributes:
        load: draws a bar of this load before the text, 1.0 being 100 %.
        color: draws a swatch in this colour before the text.
        severity: draws its sign before the text.
    """

    text: str
    load: float | None = None
    color: str = ""
    severity: Severity | None = None
    strong: bool = False


class Row(msgspec.Struct, frozen=True):
    """A line of a table, and what it rests on that is not sure."""

    cells: tuple[Cell, ...]
    doubts: Doubts = ()
    strong: bool = False


class Column(msgspec.Struct, frozen=True):
    """A column; `share` is its part of the width."""

    title: str
    align: Align = "left"
    share: float = 1.0


class Table(msgspec.Struct, frozen=True, tag="table"):
    """Rows under a header; `note` stands below it, a narrow one leaves room at its right."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    note: str = ""
    narrow: bool = False


class Text(msgspec.Struct, frozen=True, tag="text"):
    """A paragraph; a quiet one is a remark."""

    text: str
    quiet: bool = False


class Items(msgspec.Struct, frozen=True, tag="items"):
    """A list."""

    items: tuple[str, ...]
    title: str = ""


class Callout(msgspec.Struct, frozen=True, tag="callout"):
    """One message on a tinted plate; `section` is where more of it is."""

    severity: Severity
    title: str
    text: str = ""
    section: str = ""


class Figure(msgspec.Struct, frozen=True):
    """A large number with its unit and what it is; `note` stands below it, small."""

    value: str
    unit: str
    label: str
    note: str = ""
    doubts: Doubts = ()


class Figures(msgspec.Struct, frozen=True, tag="figures"):
    """Large numbers side by side."""

    items: tuple[Figure, ...]


class Slice(msgspec.Struct, frozen=True):
    """One part of a stacked bar; `text` is its value in words."""

    name: str
    value: float
    text: str
    color: str


class Stack(msgspec.Struct, frozen=True, tag="stack"):
    """A stacked bar.

    Attributes:
        whole: value of the full width, None for the sum of the slices.
        limit: value at which a line is drawn; what lies beyond is too much.
    """

    title: str
    note: str
    slices: tuple[Slice, ...]
    whole: float | None = None
    limit: float | None = None


class Bin(msgspec.Struct, frozen=True):
    """One column of a histogram: how many have a load of this class; `load` is its middle."""

    label: str
    count: int
    load: float


class Histogram(msgspec.Struct, frozen=True, tag="histogram"):
    """How many links have which load."""

    title: str
    note: str
    bins: tuple[Bin, ...]


class HeatMap(msgspec.Struct, frozen=True, tag="heatmap"):
    """Loads between two rows of things; None where there is no link."""

    title: str
    note: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]


class Diagram(msgspec.Struct, frozen=True, tag="diagram"):
    """The picture of the drawing; `legend` if its links have load colours."""

    title: str
    note: str
    legend: bool


Block = Table | Text | Items | Callout | Figures | Stack | Histogram | HeatMap | Diagram


class Part(msgspec.Struct, frozen=True):
    """A section that was written."""

    id: str
    title: str
    blocks: tuple[Block, ...]


class Front(msgspec.Struct, frozen=True):
    """The first page.

    Attributes:
        blocks: from top to bottom, over the whole width.
        pair: two tables side by side, below.
        marked: the sentence that counts the marked lines.
    """

    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    pair: tuple[Table, ...]
    marked: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A whole report.

    Attributes:
        file: name of the file; `revision` of its document.
        unverified, overridden: number of lines that rest on such values; marked: on either.
        doubts: those values, each once.
    """

    name: str
    file: str
    revision: int
    front: Front
    parts: tuple[Part, ...]
    unverified: int
    overridden: int
    marked: int
    doubts: Doubts


def cell(value: str | Cell) -> Cell:
    """A text as a cell."""
    return Cell(value) if isinstance(value, str) else value


def row(*values: str | Cell, doubts: Iterable[Doubt] = (), strong: bool = False) -> Row:
    """A line of a table."""
    return Row(tuple(map(cell, values)), tuple(dict.fromkeys(doubts)), strong)


def columns(*titles: str, shares: tuple[float, ...] = ()) -> tuple[Column, ...]:
    """Columns by their titles; a title that begins with `>` is aligned to the right."""
    wide = (*shares, *[1.0] * (len(titles) - len(shares)))
    return tuple(
        Column(title.removeprefix(">"), "right" if title.startswith(">") else "left", share)
        for title, share in zip(titles, wide, strict=True)
    )


def doubts_of(blocks: Iterable[Block]) -> Iterator[Doubts]:
    """For each line that can be marked, what it rests on."""
    for block in blocks:
        if isinstance(block, Table):
            yield from (line.doubts for line in block.rows)
        elif isinstance(block, Figures):
            yield from (figure.doubts for figure in block.items)
