"""Blocks as HTML; every text is escaped here."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from topoedit.reports.report.blocks import (
    HATCH,
    Block,
    Callout,
    Cell,
    Column,
    Diagram,
    Doubts,
    Figure,
    Figures,
    HeatMap,
    Histogram,
    Items,
    Row,
    Slice,
    Stack,
    Table,
    Text,
)
from topoedit.reports.report.build import SIGNS
from topoedit.reports.report.colours import hex_of, load_bins, load_hex
from topoedit.reports.report.safe import escaped
from topoedit.reports.report.shapes import heat_plot, histogram_plot, stack_plot
from topoedit.reports.report.svg import hatched, plot_svg

PLOT_WIDTH = 720.0
_LONG_WORD, _LONG_LINE = 22, 30
SEVERITY_WORDS = {"error": "Error", "warning": "Warning", "info": "Note", "ok": "Good"}
_SIGNS = {  # a shape for each severity, for nothing is said by colour alone
    "error": "M5 1h6l4 4v6l-4 4H5l-4-4V5z",
    "warning": "M8 1.5 15 14.5H1z",
    "info": "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1z",
    "ok": "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM4.8 8.2l2.2 2.3 4.2-4.8",
}
_INSIDE = {
    "error": "M8 4.5v4.2M8 11.2v.6",
    "warning": "M8 6v4M8 12v.6",
    "info": "M8 7.2v4.3M8 4.6v.6",
}


class HtmlBlocks:
    """Writes blocks.

    Args:
        diagram: makes the `<svg>` of the diagram; called where it stands.
        anchors: ids of the parts that can be linked to.
    """

    def __init__(self, diagram: Callable[[], str], anchors: Iterable[str]) -> None:
        self._diagram, self._anchors = diagram, frozenset(anchors)

    def write(self, blocks: Iterable[Block]) -> str:
        """Some blocks, one after the other."""
        return "\n".join(self._block(block) for block in blocks)

    def _block(self, block: Block) -> str:
        match block:
            case Table():
                return table(block)
            case Text():
                return f"<p{' class=quiet' * block.quiet}>{escaped(block.text)}</p>"
            case Items():
                items = "".join(f"<li>{escaped(item)}</li>" for item in block.items)
                return f"{_heading(block.title)}<ul>{items}</ul>"
            case Callout():
                return self._callout(block)
            case Figures():
                return f'<div class="figures">{"".join(map(_figure, block.items))}</div>'
            case Stack():
                keys = "".join(map(_key, block.slices))
                bar = plot_svg(stack_plot(block, PLOT_WIDTH))
                return f'{_heading(block.title, block.note)}{bar}<ul class="keys">{keys}</ul>'
            case Histogram():
                plot = plot_svg(histogram_plot(block, PLOT_WIDTH))
                return f"{_heading(block.title, block.note)}{plot}"
            case HeatMap():
                plot = plot_svg(heat_plot(block, PLOT_WIDTH))
                return f"{_heading(block.title, block.note)}{plot}{legend()}"
            case Diagram():
                return self._figure(block)

    def _callout(self, block: Callout) -> str:
        link = ""
        if block.section in self._anchors:
            link = f' <a href="#{escaped(block.section)}">See {escaped(block.section)}</a>'
        text = f"<br>{escaped(block.text)}{link}" if block.text or link else ""
        return (
            f'<div class="callout {block.severity}">{sign(block.severity)}'
            f"<p><strong>{escaped(block.title)}</strong>{text}</p></div>"
        )

    def _figure(self, block: Diagram) -> str:
        svg = self._diagram()
        if not svg:
            return ""
        under = legend() if block.legend else ""
        return (
            f"{_heading(block.title, block.note)}"
            f'<div class="viewer" id="viewer">{svg}<div class="tip" hidden></div></div>{under}'
        )


def table(block: Table) -> str:
    """A table with its title and note."""
    heads = "".join(map(_head, block.columns))
    body = "".join(_row(line, block.columns) for line in block.rows)
    note = f'<p class="quiet">{escaped(block.note)}</p>' if block.note else ""
    names = "wide narrow" if block.narrow else "wide"
    return (
        f'{_heading(block.title)}<div class="{names}"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>{note}"
    )


def _head(column: Column) -> str:
    return f'<th scope="col" class="{column.align}">{escaped(column.title)}</th>'


def _row(line: Row, columns: tuple[Column, ...]) -> str:
    names = " ".join(name for name, on in (("strong", line.strong), ("marked", line.doubts)) if on)
    cells = []
    for index, (value, column) in enumerate(zip(line.cells, columns, strict=True)):
        mark = _mark(line.doubts) if index == 0 else ""
        look = f"{column.align} long" if _is_long(value.text, column) else column.align
        cells.append(f'<td class="{look}">{_cell(value)}{mark}</td>')
    opened = f'<tr class="{names}">' if names else "<tr>"
    return f"{opened}{''.join(cells)}</tr>"


def _is_long(text: str, column: Column) -> bool:
    """Whether a cell must break inside its words, or a number's column its line, to fit."""
    if column.align == "right":
        return len(text) > _LONG_LINE
    return len(text) > _LONG_WORD and any(len(word) > _LONG_WORD for word in text.split())


def _cell(value: Cell) -> str:
    text = escaped(value.text)
    if value.strong:
        text = f"<strong>{text}</strong>"
    if value.severity is not None:
        text = f"{sign(value.severity)}{text}"
    if value.color:
        text = f"{_swatch(value.color)}{text}"
    if value.load is not None:
        wide = 48 * min(max(value.load, 0.0), 1.0)
        bar = (
            '<svg class="bar" viewBox="0 0 48 6" aria-hidden="true">'
            f'<rect width="48" height="6" rx="2" fill="{hex_of("surface.pressed")}"/>'
            f'<rect width="{wide:.1f}" height="6" rx="2" fill="{load_hex(value.load)}"/></svg>'
        )
        text = f'<span class="load">{bar}<b>{text}</b></span>'
    return text


def _mark(doubts: Doubts) -> str:
    if not doubts:
        return ""
    signs = "".join(sign for kind, sign in SIGNS.items() if any(d.kind == kind for d in doubts))
    first = "; ".join(f"{d.kind}: {d.what}" for d in doubts[:4])
    more = f" and {len(doubts) - 4} more" if len(doubts) > 4 else ""
    return f'<a class="mark" href="#marked" title="{escaped(first + more)}">{signs}</a>'


def sign(severity: str) -> str:
    """The sign of a severity, named for those who do not see it."""
    inside = f'<path d="{_INSIDE[severity]}"/>' if severity in _INSIDE else ""
    return (
        f'<svg class="sign {severity}" viewBox="0 0 16 16" role="img" fill="none" '
        f'stroke="{hex_of(f"severity.{severity}")}" stroke-width="1.6" stroke-linecap="round" '
        'stroke-linejoin="round">'
        f'<title>{SEVERITY_WORDS[severity]}</title><path d="{_SIGNS[severity]}"/>{inside}</svg>'
    )


def _swatch(color: str) -> str:
    box = f'<rect width="8" height="8" rx="2" fill="{hex_of(color)}"/>' if color != HATCH else ""
    inside = box or hatched(0, 0, 8, 8)
    return f'<svg class="swatch" viewBox="0 0 8 8" aria-hidden="true">{inside}</svg>'


def _key(part: Slice) -> str:
    name, text = escaped(part.name), escaped(part.text)
    return f"<li>{_swatch(part.color)}{name} <b>{text}</b></li>"


def _figure(figure: Figure) -> str:
    note = f'<div class="note">{escaped(figure.note)}</div>' if figure.note else ""
    marked = " marked" * bool(figure.doubts)
    return (
        f'<div class="figure{marked}"><div class="value">{escaped(figure.value)}'
        f'<span class="unit"> {escaped(figure.unit)}</span>{_mark(figure.doubts)}</div>'
        f'<div class="label">{escaped(figure.label)}</div>{note}</div>'
    )


def _heading(title: str, note: str = "") -> str:
    if not title:
        return ""
    side = f'<span class="side">{escaped(note)}</span>' if note else ""
    return f"<h3>{escaped(title)}{side}</h3>"


def legend() -> str:
    """The load ramp in words and colours."""
    colors = load_bins()
    boxes = "".join(
        f'<rect x="{index * 10}" width="10" height="8" fill="{color}"/>'
        for index, color in enumerate(colors)
    )
    over = hex_of("load.overload")
    return (
        '<p class="legend">0 <svg viewBox="0 0 160 8" width="160" height="8" aria-hidden="true">'
        f'{boxes}</svg> 100 % <svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true">'
        f'<rect width="24" height="8" fill="{over}"/>'
        '<path d="M2 4h5M10 4h5M18 4h5" stroke="#fff" stroke-width="2"/></svg> over 100 %</p>'
    )
