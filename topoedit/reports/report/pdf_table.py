"""Tables on paper: widths from what the cells hold, rows that stay whole, heads on every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoedit.reports.report.blocks import HATCH, Cell, Row, Table
from topoedit.reports.report.build import SIGNS
from topoedit.reports.report.colours import hex_of, load_hex
from topoedit.reports.report.safe import plain

if TYPE_CHECKING:
    from topoedit.render.paper import AnyPaper
    from topoedit.reports.report.pdf_flow import Flow

PX, LEADING, PAD, GAP = 11, 15.0, 3.5, 12.0
_HEAD_PX = 10
_BAR = 40.0
_BAR_TEXT = 42.0  # so that bars stand below each other, however long their figures are
_MEASURED = 300
_WIDEST = 0.4  # of the table, for a column of numbers
_MOST_LINES = 24


class TableSetter:
    """A table set for a width: widths of columns, heights of rows, then drawing.

    Attributes:
        head, heights: height of the header and of each row.
        height: of all.
    """

    def __init__(self, paper: AnyPaper, block: Table, width: float) -> None:
        self._paper = paper
        self._block, self._width = block, width
        self._widths = self._fitted()
        self._heads = [
            self._paper.wrapped(column.title, _HEAD_PX, 500, wide)
            for column, wide in zip(block.columns, self._widths, strict=True)
        ]
        self.head = 13.0 * max(map(len, self._heads)) + 2 * PAD
        self._lines = [self._set(row) for row in block.rows]
        self.heights = [LEADING * max(map(len, lines)) + 2 * PAD for lines in self._lines]
        self.height = self.head + sum(self.heights)

    # -- widths --------------------------------------------------------------------------------

    def _fitted(self) -> list[float]:
        columns = self._block.columns
        room = self._width - GAP * (len(columns) - 1)
        natural = [self._natural(index) for index in range(len(columns))]
        if sum(natural) <= room:
            return self._spread(natural, room)
        fixed = {
            i: min(natural[i], room * _WIDEST) for i, c in enumerate(columns) if c.align == "right"
        }
        free = {i: columns[i].share for i in range(len(columns)) if i not in fixed}
        left = room - sum(fixed.values())
        widths = dict(fixed)
        while free:
            total = sum(free.values())
            small = [i for i, share in free.items() if natural[i] <= left * share / total]
            if not small:
                widths |= {i: left * share / total for i, share in free.items()}
                break
            for i in small:
                widths[i] = natural[i]
                left -= natural[i]
                del free[i]
        spare = room - sum(widths.values())
        for i in fixed:  # what the others leave over is for the figures that were held short
            more = min(natural[i] - widths[i], max(spare, 0.0))
            widths[i] += more
            spare -= more
        found = [max(widths[i], 8.0) for i in range(len(columns))]
        return self._spread(found, max(room, sum(found)))

    def _natural(self, index: int) -> float:
        """What a column takes without a break; a header may break at its spaces."""
        column = self._block.columns[index]
        head = max(
            (self._paper.width_of(word, _HEAD_PX, 500) for word in column.title.split(" ")),
            default=0.0,
        )
        cells = [self._cell_width(row, index) for row in self._block.rows[:_MEASURED]]
        return max(head, *cells, 8.0) + 1 if cells else max(head, 8.0) + 1

    def _cell_width(self, row: Row, index: int) -> float:
        value = row.cells[index]
        marks = 9.0 if index == 0 and row.doubts else 0.0
        text = self._paper.width_of(plain(value.text), PX, _weight(row, value))
        return max(text, _BAR_TEXT if value.load is not None else 0.0) + _lead(value) + marks

    def _spread(self, natural: list[float], room: float) -> list[float]:
        """Give what is left over to the columns of text, or to all if there are none."""
        columns = self._block.columns
        shares = [c.share if c.align == "left" else 0.0 for c in columns]
        if not any(shares):
            shares = [c.share for c in columns]
        spare = room - sum(natural)
        return [n + spare * s / sum(shares) for n, s in zip(natural, shares, strict=True)]

    def _set(self, row: Row) -> list[list[str]]:
        return [
            self._paper.wrapped(plain(value.text), PX, _weight(row, value),
                    max(wide - _lead(value) - (9.0 if index == 0 and row.doubts else 0.0), 6.0),
                    _MOST_LINES)
            for index, (value, wide) in enumerate(zip(row.cells, self._widths, strict=True))
        ]  # fmt: skip

    # -- drawing -------------------------------------------------------------------------------

    def draw_head(self, flow: Flow, x: float) -> None:
        """The header at the cursor, which goes on below it."""
        paper, bottom, start = flow.paper, flow.y + self.head, x
        for column, lines, wide in zip(self._block.columns, self._heads, self._widths, strict=True):
            right = column.align == "right"
            for number, line in enumerate(reversed(lines)):
                y = bottom - PAD - 3 - 13 * number
                at = x + wide if right else x
                quiet = hex_of("text.tertiary")
                paper.text(at, y, line, _HEAD_PX, 500, quiet, "right" if right else "left")
            x += wide + GAP
        paper.line(start, bottom, start + self._width, bottom, hex_of("border.default"), 1.0)
        flow.y = bottom

    def draw_row(self, flow: Flow, x: float, index: int) -> None:
        """A row at the cursor, which goes on below it."""
        row, lines = self._block.rows[index], self._lines[index]
        start, height = x, self.heights[index]
        for number, (value, texts) in enumerate(zip(row.cells, lines, strict=True)):
            wide = self._widths[number]
            right = self._block.columns[number].align == "right"
            end = self._draw_cell(flow, x, wide, (value, texts), row, right)
            if number == 0 and row.doubts:
                self._draw_mark(flow, end, row)
            x += wide + GAP
        color = hex_of("border.default" if row.strong else "border.subtle")
        flow.paper.line(start, flow.y + height, start + self._width, flow.y + height, color, 0.6)
        flow.y += height

    def _draw_cell(
        self, flow: Flow, x: float, wide: float, content: tuple[Cell, list[str]], row: Row,
        right: bool,
    ) -> float:  # fmt: skip
        """One cell; returns the right end of its first line."""
        value, texts = content
        weight, base = _weight(row, value), flow.y + PAD + LEADING * 0.73
        lead = _lead(value)
        first = self._paper.width_of(texts[0], PX, weight) if texts else 0.0
        at = x + wide - first if right else x + lead
        beside = x + wide - _BAR_TEXT - lead if right and value.load is not None else at - lead
        self._draw_lead(flow, beside, value)
        for number, line in enumerate(texts):
            y = base + LEADING * number
            if right:
                flow.paper.text(x + wide, y, line, PX, weight, "", "right")
            else:
                flow.paper.text(x + lead, y, line, PX, weight)
        return at + first

    def _draw_lead(self, flow: Flow, x: float, value: Cell) -> None:
        """What stands before the text: a bar, a swatch or a sign."""
        paper, middle = flow.paper, flow.y + PAD + LEADING / 2
        if value.load is not None:
            paper.box(x, middle - 3, _BAR, 6, hex_of("surface.pressed"), 2)
            share = min(max(value.load, 0.0), 1.0)
            if share > 0:
                paper.box(x, middle - 3, max(_BAR * share, 2), 6, load_hex(value.load), 2)
        elif value.color == HATCH:
            paper.hatch(x, middle - 4, 8, 8)
        elif value.color:
            paper.box(x, middle - 4, 8, 8, hex_of(value.color), 2)
        elif value.severity is not None:
            from topoedit.reports.report.pdf_flow import ICONS

            color = hex_of(f"severity.{value.severity}")
            paper.icon(ICONS[value.severity], x, middle - 6, 12, color)

    def _draw_mark(self, flow: Flow, x: float, row: Row) -> None:
        kinds = {doubt.kind for doubt in row.doubts}
        signs = "".join(sign for kind, sign in SIGNS.items() if kind in kinds)
        color = hex_of("severity.warning")
        wide = flow.paper.text(x + 2, flow.y + PAD + LEADING * 0.73, signs, PX, 600, color)
        flow.link(x + 1, flow.y, wide + 4, LEADING + PAD, "marked")


def _weight(row: Row, value: Cell) -> int:
    return 600 if row.strong or value.strong or value.load is not None else 400


def _lead(value: Cell) -> float:
    """Room before the text."""
    if value.load is not None:
        return _BAR + 8.0
    if value.color:
        return 14.0
    return 17.0 if value.severity is not None else 0.0
