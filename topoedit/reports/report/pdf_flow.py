"""Laying blocks out on pages, from top to bottom; the paper itself is painted in `render`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from topoedit.reports.report.blocks import (
    HATCH,
    Block,
    Callout,
    Diagram,
    Figures,
    HeatMap,
    Histogram,
    Items,
    Stack,
    Table,
    Text,
)
from topoedit.reports.report.build import SIGNS
from topoedit.reports.report.colours import hex_of, load_bins
from topoedit.reports.report.pdf_links import Link, Place
from topoedit.reports.report.pdf_table import TableSetter
from topoedit.reports.report.safe import plain
from topoedit.reports.report.shapes import (
    Box,
    Plot,
    Rule,
    Words,
    heat_plot,
    histogram_plot,
    stack_plot,
)

if TYPE_CHECKING:
    from topoedit.render.paper import AnyPaper
    from topoedit.render.report_figure import ReportFigure

WIDTH = 793.7  # of A4 in pixels of 96 an inch; it is 1,122.5 high
LEFT, TOP, BOTTOM = 58.0, 62.0, 1052.0
FULL = WIDTH - 2 * LEFT
_FOOT = 1082.0
_LEGEND = 26.0
ICONS = {"error": "error", "warning": "warning", "info": "info", "ok": "ok"}


class Flow:
    """A cursor that goes down pages.

    Args:
        paper: where to draw.
        title: of the report, for the head of each page.
        head: file and revision.
        figure: the diagram.
        places: anchors, as far as they are known, for page numbers.
        pages: number of all pages, 0 if not known.
    """

    def __init__(
        self, paper: AnyPaper, title: str, head: str, figure: ReportFigure | None,
        places: Mapping[str, Place], pages: int,
    ) -> None:  # fmt: skip
        self.paper, self._title, self._head = paper, title, head
        self._figure, self._places, self._pages = figure, places, pages
        self.y, self.page = TOP, 1
        self.anchors: dict[str, Place] = {}
        self.links: list[Link] = []

    # -- pages ---------------------------------------------------------------------------------

    def skip(self, height: float) -> None:
        """Leave some space."""
        self.y += height

    def need(self, height: float) -> bool:
        """Go to the next page unless so much fits on this one; whether it did."""
        if self.y + height <= BOTTOM or self.y <= TOP:
            return False
        self.break_page()
        return True

    def break_page(self) -> None:
        """Finish the page and begin the next."""
        self.finish_page()
        self.paper.new_page()
        self.page += 1
        self.y = TOP
        quiet = hex_of("text.tertiary")
        title = self.paper.fitting(self._title, 10, 500, FULL * 0.55)
        self.paper.text(LEFT, 40, title, 10, 500, quiet)
        head = self.paper.fitting(self._head, 10, 400, FULL * 0.42)
        self.paper.text(LEFT + FULL, 40, head, 10, 400, quiet, "right")
        self.paper.line(LEFT, 48, LEFT + FULL, 48, hex_of("border.subtle"))

    def finish_page(self) -> None:
        """The foot of a page."""
        quiet = hex_of("text.tertiary")
        self.paper.line(LEFT, _FOOT - 16, LEFT + FULL, _FOOT - 16, hex_of("border.subtle"))
        words = "Figures per direction."
        there = self._places.get("sources")
        if there is not None:
            words += f" Assumptions and sources: page {there.page}."
        wide = self.paper.text(LEFT, _FOOT, words, 10, 400, quiet)
        if there is not None:
            self.link(LEFT, _FOOT - 11, wide, 14, "sources")
        number = f"{self.page} of {self._pages}"
        self.paper.text(LEFT + FULL, _FOOT, number, 10, 600, quiet, "right")

    def begin_front(self) -> None:
        """The masthead."""
        self.paper.box(LEFT, 40, 14, 14, hex_of("accent.base"), 3.5)
        self.paper.line(LEFT + 4, 50, LEFT + 10, 44, hex_of("text.on_accent"), 1.3)
        for x, y in ((3, 48.6), (8.6, 43)):
            self.paper.box(LEFT + x, y, 2.8, 2.8, hex_of("text.on_accent"), 1.4)
        self.paper.text(LEFT + 22, 51, "topoedit report", 11, 600)
        head = self.paper.fitting(self._head, 11, 400, FULL * 0.6)
        self.paper.text(LEFT + FULL, 51, head, 11, 400, hex_of("text.secondary"), "right")
        self.paper.line(LEFT, 64, LEFT + FULL, 64, hex_of("border.subtle"))
        self.y = 76

    def mark(self, name: str, y: float | None = None) -> None:
        """Make this place an anchor."""
        self.anchors[name] = Place(self.page, self.y - 8 if y is None else y)

    def link(self, x: float, y: float, w: float, h: float, target: str) -> None:
        """Make a rectangle of this page a link."""
        self.links.append(Link(self.page, x, y, w, h, target))

    # -- text ----------------------------------------------------------------------------------

    def paragraph(
        self, text: str, px: int = 12, weight: int = 400, leading: float = 17.0, color: str = "",
        x: float = LEFT, width: float = FULL, most: int = 0,
    ) -> None:  # fmt: skip
        """Lines of text, as wide as the column."""
        for line in self.paper.wrapped(plain(text), px, weight, width, most):
            self.need(leading)
            self.paper.text(x, self.y + leading * 0.72, line, px, weight, color)
            self.y += leading

    def section(self, number: int, anchor: str, title: str) -> None:
        """The heading of a part; it stays with what follows."""
        self.skip(18)
        self.need(150)
        self.mark(anchor)
        quiet = hex_of("text.tertiary")
        wide = self.paper.text(LEFT, self.y + 18, f"{number}", 16, 400, quiet)
        self.paper.text(LEFT + max(wide + 10, 26), self.y + 18, plain(title), 16, 600)
        self.y += 30

    def heading(self, title: str, note: str = "", keep: float = 60.0) -> None:
        """The heading of a block, with a remark at its right end."""
        if not title:
            return
        self.skip(10)
        self.need(22 + keep)
        room = FULL * 0.98
        self.paper.text(LEFT, self.y + 14, self.paper.fitting(plain(title), 13, 600, room), 13, 600)
        if note:
            left = room - self.paper.width_of(plain(title), 13, 600) - 12
            words = self.paper.fitting(plain(note), 11, 400, max(left, 0))
            quiet = hex_of("text.tertiary")
            self.paper.text(LEFT + FULL, self.y + 14, words, 11, 400, quiet, "right")
        self.y += 22

    def entry(self, number: int, title: str, target: str) -> None:
        """A line of the contents, with its page."""
        self.need(19)
        base = self.y + 14
        quiet = hex_of("text.tertiary")
        self.paper.text(LEFT, base, f"{number}", 12, 400, quiet)
        end = LEFT + 26 + self.paper.text(LEFT + 26, base, plain(title), 12, 400)
        place = self._places.get(target)
        right = LEFT + FULL
        if place is not None:
            right -= self.paper.text(right, base, f"{place.page}", 12, 500, "", "right")
        self.paper.line(end + 8, base - 3, right - 8, base - 3, hex_of("border.subtle"))
        self.link(LEFT, self.y, FULL, 19, target)
        self.y += 19

    def note_line(self, text: str, target: str) -> None:
        """A quiet line that may lead somewhere."""
        place = self._places.get(target)
        words = f"{text} See page {place.page}." if place is not None else text
        color = hex_of("severity.warning") if target else hex_of("text.secondary")
        top = self.y
        self.paragraph(words, 11, 500, 15, color, most=2)
        if target:
            self.link(LEFT, top, FULL, self.y - top, target)

    # -- blocks --------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Any block."""
        match block:
            case Table():
                self._table(block)
            case Text():
                self.paragraph(block.text, color=hex_of("text.tertiary") if block.quiet else "")
                self.skip(6)
            case Items():
                self._items(block)
            case Callout():
                self._callout(block)
            case Figures():
                self._figures(block)
            case Stack():
                self._stack(block)
            case Histogram():
                self._plotted(block.title, block.note, histogram_plot(block, FULL))
            case HeatMap():
                self._plotted(block.title, block.note, heat_plot(block, FULL), _LEGEND)
                self._legend()
            case Diagram():
                self._diagram(block)

    def _table(self, block: Table) -> None:
        setter = TableSetter(self.paper, block, FULL * (0.62 if block.narrow else 1.0))
        self.heading(block.title, keep=setter.head + sum(setter.heights[:2]))
        self.need(setter.head + sum(setter.heights[:1]))
        setter.draw_head(self, LEFT)
        for index, height in enumerate(setter.heights):
            if self.need(height):
                setter.draw_head(self, LEFT)
            setter.draw_row(self, LEFT, index)
        if block.note:
            self.skip(5)
            self.paragraph(block.note, 10, 400, 14, hex_of("text.tertiary"))
        self.skip(8)

    def pair(self, tables: Sequence[Table]) -> None:
        """Two tables side by side."""
        gap = 28.0
        width = (FULL - gap) / 2 if len(tables) > 1 else FULL
        setters = [TableSetter(self.paper, one, width) for one in tables]
        self.need(30 + max((s.height for s in setters), default=0.0))
        top, end = self.y + 10, self.y
        for index, (one, setter) in enumerate(zip(tables, setters, strict=True)):
            x, self.y = LEFT + index * (width + gap), top
            self.paper.text(x, self.y + 14, plain(one.title), 13, 600)
            self.y += 22
            setter.draw_head(self, x)
            for row in range(len(setter.heights)):
                setter.draw_row(self, x, row)
            end = max(end, self.y)
        self.y = end

    def _items(self, block: Items) -> None:
        self.heading(block.title, keep=20)
        for item in block.items:
            self.need(17)
            self.paper.box(LEFT + 3, self.y + 6, 3, 3, hex_of("text.tertiary"), 1.5)
            self.paragraph(item, x=LEFT + 14, width=FULL - 14)
        self.skip(8)

    def _callout(self, block: Callout) -> None:
        room = FULL - 50
        place = self._places.get(block.section)
        text = f"{block.text} See page {place.page}.".strip() if place is not None else block.text
        heads = self.paper.wrapped(plain(block.title), 12, 600, room)
        lines = self.paper.wrapped(plain(text), 11, 400, room) if text else []
        height = 20 + 17 * len(heads) + 16 * len(lines)
        self.need(height + 10)
        self.paper.box(LEFT, self.y, FULL, height, hex_of(f"severity.{block.severity}_bg"), 6)
        color = hex_of(f"severity.{block.severity}")
        self.paper.icon(ICONS[block.severity], LEFT + 12, self.y + 11, 15, color)
        y = self.y + 22
        for line in heads:
            self.paper.text(LEFT + 36, y, line, 12, 600)
            y += 17
        for line in lines:
            self.paper.text(LEFT + 36, y, line, 11, 400, hex_of("text.secondary"))
            y += 16
        if place is not None:
            self.link(LEFT, self.y, FULL, height, block.section)
        self.y += height + 12

    def _figures(self, block: Figures) -> None:
        self.need(86)
        width = FULL / max(len(block.items), 1)
        lines = 0
        for index, one in enumerate(block.items):
            x = LEFT + index * width + (12 if index else 0)
            room = width - (22 if index else 10)
            if index:
                edge = LEFT + index * width
                self.paper.line(edge, self.y + 2, edge, self.y + 62, hex_of("border.subtle"))
            value, unit = plain(one.value), plain(one.unit)
            px = next((p for p in (22, 18, 15) if _fits(self.paper, value, unit, p, room)), 12)
            end = x + self.paper.text(x, self.y + 22, value, px, 600)
            if unit:
                quiet = hex_of("text.tertiary")
                end += 3 + self.paper.text(end + 3, self.y + 22, unit, 11, 400, quiet)
            kinds = {doubt.kind for doubt in one.doubts}
            signs = "".join(sign for kind, sign in SIGNS.items() if kind in kinds)
            self.paper.text(end + 2, self.y + 14, signs, 11, 600, hex_of("severity.warning"))
            self.paper.text(
                x,
                self.y + 40,
                self.paper.fitting(one.label, 11, 400, room),
                11,
                400,
                hex_of("text.secondary"),
            )
            notes = self.paper.wrapped(plain(one.note), 10, 400, room, 3) if one.note else []
            for number, line in enumerate(notes):
                y = self.y + 54 + 13 * number
                self.paper.text(x, y, line, 10, 400, hex_of("text.tertiary"))
            lines = max(lines, len(notes))
        self.y += 52 + 13 * lines + 8

    def _stack(self, block: Stack) -> None:
        self._plotted(block.title, block.note, stack_plot(block, FULL))
        x = LEFT
        self.need(16)
        for one in block.slices:
            wide = (
                13 + self.paper.width_of(one.name, 11) + 5 + self.paper.width_of(one.text, 11, 600)
            )
            if x > LEFT and x + wide > LEFT + FULL:
                x = LEFT
                self.y += 16
                self.need(16)
            swatch(self.paper, x, self.y + 3, one.color)
            end = x + 13 + self.paper.text(x + 13, self.y + 11, one.name, 11, 400,
                                           hex_of("text.secondary"))  # fmt: skip
            self.paper.text(end + 5, self.y + 11, one.text, 11, 600)
            x += wide + 20
        self.y += 24

    def _diagram(self, block: Diagram) -> None:
        figure = self._figure
        height = 0.0 if figure is None else figure.height * FULL / figure.width
        self.heading(block.title, block.note, keep=height)
        if figure is not None:
            edge = hex_of("border.default")
            self.paper.box(LEFT, self.y, FULL, height, hex_of("canvas.bg"), 6, edge)
            self.paper.figure(figure, LEFT, self.y, FULL)
        self.y += height + 4
        if block.legend:
            self._legend()

    def _plotted(self, title: str, note: str, plot: Plot, below: float = 0.0) -> None:
        """A plot under its heading, with so much below it on the same page."""
        self.heading(title, note, keep=plot.height + below)
        self.need(plot.height + below)
        draw_plot(self.paper, plot, LEFT, self.y)
        self.y += plot.height + 6

    def _legend(self) -> None:
        self.need(18)
        quiet, base = hex_of("text.tertiary"), self.y + 11
        x = LEFT + self.paper.text(LEFT, base, "0", 10, 400, quiet) + 6
        for index, color in enumerate(load_bins()):
            self.paper.box(x + 8 * index, self.y + 4, 8.2, 7, color)
        x += 8 * len(load_bins()) + 6
        x += self.paper.text(x, base, "100 %", 10, 400, quiet) + 14
        self.paper.box(x, self.y + 4, 22, 7, hex_of("load.overload"))
        for dash in range(3):
            line = self.y + 7.5
            self.paper.line(
                x + 2 + 7 * dash, line, x + 6 + 7 * dash, line, hex_of("text.on_accent"), 1.6
            )
        self.paper.text(x + 28, base, "over 100 %", 10, 400, quiet)
        self.y += 20


def _fits(paper: AnyPaper, value: str, unit: str, px: int, room: float) -> bool:
    return paper.width_of(value, px, 600) + paper.width_of(unit, 11) + 16 <= room


def swatch(paper: AnyPaper, x: float, y: float, color: str) -> None:
    """The small square before the name of a part."""
    if color == HATCH:
        paper.hatch(x, y, 8, 8)
    else:
        paper.box(x, y, 8, 8, hex_of(color), 2)


def draw_plot(paper: AnyPaper, plot: Plot, x: float, y: float) -> None:
    """A plot with its top left corner at a point."""
    for shape in plot.shapes:
        match shape:
            case Box():
                if shape.hatch:
                    paper.hatch(x + shape.x, y + shape.y, shape.w, shape.h)
                else:
                    paper.box(x + shape.x, y + shape.y, shape.w, shape.h, shape.fill)
            case Rule():
                paper.line(x + shape.x1, y + shape.y1, x + shape.x2, y + shape.y2, shape.color)
            case Words():
                paper.text(
                    x + shape.x, y + shape.y, plain(shape.text), shape.px, 400, shape.color,
                    shape.align, shape.turned,
                )  # fmt: skip
