"""The report as Markdown: headings, paragraphs and pipe tables, the diagram as a file beside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from topoedit.reports.report.blocks import (
    Block,
    Callout,
    Cell,
    Column,
    Diagram,
    Figures,
    HeatMap,
    Histogram,
    Items,
    Report,
    Row,
    Stack,
    Table,
    Text,
    columns,
    row,
)
from topoedit.reports.report.build import SIGNS
from topoedit.reports.report.safe import markdown
from topoedit.reports.report.words import number
from topoedit.units import UNKNOWN, format_percent

_WORDS = {"error": "Error", "warning": "Warning", "info": "Note", "ok": "Good"}


def markdown_text(report: Report, diagram: str = "") -> str:
    """The whole report; `diagram` is the name of the picture's file, "" if there is none."""
    front = report.front
    file = markdown(report.file or "not saved")
    lines = [
        f"# {markdown(front.title)}",
        markdown(front.subtitle),
        f"{file}, revision {report.revision}. Figures per direction.",
        *_blocks(front.blocks, diagram),
        *_blocks(front.pair, diagram),
        markdown(front.marked),
    ]
    if report.parts:
        lines.append("## Contents")
        entries = [f"- [{markdown(part.title)}](#{part.id})" for part in report.parts]
        lines.append("\n".join(entries))
    for part in report.parts:
        lines.append(f'<a id="{part.id}"></a>')
        lines.append(f"## {markdown(part.title)}")
        lines += _blocks(part.blocks, diagram)
    return "\n\n".join(line for line in lines if line) + "\n"


def _blocks(blocks: Iterable[Block], diagram: str) -> Iterator[str]:
    for block in blocks:
        yield from _block(block, diagram)


def _block(block: Block, diagram: str) -> Iterator[str]:
    match block:
        case Table():
            yield from _table(block)
        case Text():
            yield markdown(block.text)
        case Items():
            yield from _heading(block.title)
            yield "\n".join(f"- {markdown(item)}" for item in block.items)
        case Callout():
            title = f"> **{_WORDS[block.severity]}: {markdown(block.title)}**"
            link = f" [{block.section}](#{block.section})" if block.section else ""
            yield f"{title}  \n> {markdown(block.text)}{link}" if block.text else title
        case Figures():
            rows = tuple(
                row(one.label, f"{one.value} {one.unit}".strip(), one.note, doubts=one.doubts)
                for one in block.items
            )
            yield from _table(Table(columns("", ">Value", "Note"), rows))
        case Stack():
            rows = tuple(row(one.name, one.text) for one in block.slices)
            yield from _table(Table(columns("Part", ">Value"), rows, block.title, block.note))
        case Histogram():
            rows = tuple(row(f"{one.label} %", number(one.count)) for one in block.bins)
            titles = columns("Demand", ">Directions")
            yield from _table(Table(titles, rows, block.title, block.note))
        case HeatMap():
            yield from _table(_heat(block))
        case Diagram():
            if diagram:
                yield from _heading(block.title)
                yield f"![Diagram]({diagram})"


def _heading(title: str) -> Iterator[str]:
    if title:
        yield f"### {markdown(title)}"


def _table(block: Table) -> Iterator[str]:
    yield from _heading(block.title)
    head = (
        "| " + " | ".join(markdown(column.title, starts=False) for column in block.columns) + " |"
    )
    rule = "|" + "|".join(_rule(column) for column in block.columns) + "|"
    yield "\n".join((head, rule, *map(_row, block.rows)))
    if block.note:
        yield markdown(block.note)


def _rule(column: Column) -> str:
    return "---:" if column.align == "right" else ":---"


def _row(line: Row) -> str:
    kinds = {doubt.kind for doubt in line.doubts}
    signs = "".join(sign for kind, sign in SIGNS.items() if kind in kinds)
    texts = [_cell(value, line.strong) for value in line.cells]
    texts[0] = f"{texts[0]} {signs}".strip()
    return f"| {' | '.join(texts)} |"


def _cell(value: Cell, strong: bool) -> str:
    text = markdown(value.text, starts=False)
    if value.severity is not None:
        text = f"{_WORDS[value.severity]}: {text}"
    return f"**{text}**" if (strong or value.strong) and text else text


def _heat(block: HeatMap) -> Table:
    """A heat map as a table of percentages."""
    rows = tuple(
        row(name, *(UNKNOWN if value is None else format_percent(value) for value in line))
        for name, line in zip(block.rows, block.values, strict=True)
    )
    return Table(
        columns("", *(f">{name}" for name in block.columns)), rows, block.title, block.note
    )
