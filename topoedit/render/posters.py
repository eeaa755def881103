"""Paper for posters and prints: sizes, how a picture is cut into pages, and the marks on them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPageSize, QPainter, QPen

from topoedit.errors import BadInputError
from topoedit.render.theme import Theme

SIZES: dict[str, tuple[float, float, QPageSize.PageSizeId]] = {
    "A4": (210.0, 297.0, QPageSize.PageSizeId.A4),
    "A3": (297.0, 420.0, QPageSize.PageSizeId.A3),
    "A2": (420.0, 594.0, QPageSize.PageSizeId.A2),
    "A1": (594.0, 841.0, QPageSize.PageSizeId.A1),
    "A0": (841.0, 1189.0, QPageSize.PageSizeId.A0),
    "Letter": (215.9, 279.4, QPageSize.PageSizeId.Letter),
    "Tabloid": (279.4, 431.8, QPageSize.PageSizeId.Tabloid),
}
"""Width and height in millimetres, upright: ISO 216, ANSI/ASME Y14.1."""

BORDER = 10.0
"""Millimetres on every side that printers leave white; marks stand there."""
MOST_PAGES = 400
MM_PER_PIXEL = 25.4 / 96
FINE_MM_PER_PIXEL = 0.2
"""A pixel of a picture fitted to paper: its smallest text, 10 pixels, is then 5.7 points high."""
_MARK, _GAP = 5.0, 1.0


@dataclass(frozen=True)
class Poster:
    """How a picture is laid on paper.

    Attributes:
        paper: name of the size.
        landscape: which way the paper lies; None for whichever shows the picture larger.
        columns, rows: pages beside and below each other; None for as many as the scale asks for.
        overlap: millimetres that two neighbours share, for glue.
        marks: crop marks, and on every page its row, column and number.
    """

    paper: str = "A4"
    landscape: bool | None = None
    columns: int | None = 1
    rows: int | None = 1
    overlap: float = 10.0
    marks: bool = True

    def check(self) -> None:
        """See that it can be printed.

        Raises:
            BadInputError: an unknown size, or numbers that no printer could follow.
        """
        if self.paper not in SIZES:
            raise BadInputError(f'there is no paper "{self.paper}"', mend=f"Use {', '.join(SIZES)}")
        most = (min(SIZES[self.paper][:2]) - 2 * BORDER) / 2
        if not 0 <= self.overlap <= most:
            raise BadInputError(
                f"an overlap of {self.overlap:g} mm does not fit {self.paper}",
                mend=f"Use 0 to {most:g} mm",
            )
        counts = (self.columns, self.rows)
        if any(count is not None and count < 1 for count in counts):
            raise BadInputError("a poster has at least one page in each direction")
        if (self.columns or 1) * (self.rows or 1) > MOST_PAGES:
            raise BadInputError(
                f"{self.columns} × {self.rows} pages are too many", mend=f"Use at most {MOST_PAGES}"
            )

    def size(self, landscape: bool) -> tuple[float, float]:
        """Width and height of a page in millimetres."""
        width, height, _ = SIZES[self.paper]
        return (height, width) if landscape else (width, height)

    def area(self, landscape: bool) -> tuple[float, float]:
        """Width and height of what a page shows."""
        width, height = self.size(landscape)
        return width - 2 * BORDER, height - 2 * BORDER

    def spread(self, landscape: bool) -> tuple[float, float]:
        """Width and height of the whole poster, whose number of pages must be known."""
        width, height = self.area(landscape)
        columns, rows = self.columns or 1, self.rows or 1
        return (
            columns * width - (columns - 1) * self.overlap,
            rows * height - (rows - 1) * self.overlap,
        )

    def pages_for(self, width: float, height: float, landscape: bool) -> tuple[int, int]:
        """Columns and rows that hold a picture of so many millimetres.

        Raises:
            BadInputError: more than `MOST_PAGES`.
        """
        area = self.area(landscape)
        columns, rows = (
            max(1, ceil((size - self.overlap) / (room - self.overlap) - 1e-6))
            for size, room in zip((width, height), area, strict=True)
        )
        if columns * rows > MOST_PAGES:
            raise BadInputError(
                f"{columns} × {rows} pages are too many",
                mend=f"Use a smaller scale or larger paper: at most {MOST_PAGES} pages",
            )
        return columns, rows


@dataclass(frozen=True)
class Page:
    """One page of a poster; millimetres.

    Attributes:
        column, row: from 0.
        number, total: from 1.
        x, y: of its part of the poster.
        width, height: of that part.
    """

    column: int
    row: int
    number: int
    total: int
    x: float
    y: float
    width: float
    height: float

    @property
    def name(self) -> str:
        """Its place in words, for example `Row B, column 2`."""
        return f"Row {letters(self.row)}, column {self.column + 1}"

    @property
    def box(self) -> QRectF:
        """The shown part, from its own corner."""
        return QRectF(0, 0, self.width, self.height)


def pages_of(poster: Poster, columns: int, rows: int, landscape: bool) -> list[Page]:
    """The pages of a poster, row by row."""
    width, height = poster.area(landscape)
    return [
        Page(
            column, row, row * columns + column + 1, columns * rows,
            column * (width - poster.overlap), row * (height - poster.overlap), width, height,
        )
        for row in range(rows)
        for column in range(columns)
    ]  # fmt: skip


def letters(index: int) -> str:
    """A row as letters.

    >>> letters(0), letters(25), letters(26)
    ('A', 'Z', 'AA')
    """
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def paint_marks(painter: QPainter, theme: Theme, page: Page, title: str) -> None:
    """Crop marks round the shown part of a page, and a line of text below it.

    The painter's unit is a millimetre and its origin the corner of the shown part.
    """
    ink = theme.color("text.primary")
    painter.setPen(QPen(ink, 0.15))
    for x, out_x in ((0.0, -1), (page.width, 1)):
        for y, out_y in ((0.0, -1), (page.height, 1)):
            far_x, far_y = x + out_x * (_GAP + _MARK), y + out_y * (_GAP + _MARK)
            painter.drawLine(QPointF(x + out_x * _GAP, y), QPointF(far_x, y))
            painter.drawLine(QPointF(x, y + out_y * _GAP), QPointF(x, far_y))
    place = f"{page.name} · page {page.number} of {page.total}"
    painter.save()
    painter.translate(_MARK + 3, page.height + 1.5)
    painter.scale(0.22, 0.22)
    painter.setFont(theme.sized_font(12, 500, plain=True))
    painter.setPen(ink)
    painter.drawText(QPointF(0, 16), f"{title} · {place}" if title else place)
    painter.restore()
