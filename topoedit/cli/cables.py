"""`topoedit cables FILE`: the cable schedule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption

if TYPE_CHECKING:
    from collections.abc import Callable

    from topoedit.app.cables import Cabling
    from topoedit.render.label_stock import Stock as LabelStock
    from topoedit.reports.modules import Progress

    Write = Callable[[Cabling, Path, Progress | None], None]

_SHOWN = 100

_Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="OUT.csv/.xlsx", help="File to write."),
]
_Since = Annotated[
    Path | None,
    typer.Option(metavar="OLD", help="Older drawing or schedule: mark what changed since."),
]
_Marks = Annotated[
    Path | None,
    typer.Option(metavar="RETURNED", help="Schedule with the installers' done and wrong."),
]
_Label = Annotated[
    str | None,
    typer.Option(metavar="TEMPLATE", help="Text of labels, such as '{id} {device}:{port}'."),
]
_Labels = Annotated[
    Path | None,
    typer.Option(metavar="OUT.csv/.xlsx/.pdf", help="Write the labels to print."),
]
_Sheet = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Sheet of a PDF of labels: A4-3x8, A4-3x7, Letter-3x10, A4-flag, A4-wrap… or "
        "measures in mm: A4,3x8,63.5x33.9,7.2x12.9,66x33.9.",
    ),
]
_SheetStart = Annotated[
    int, typer.Option(metavar="N", help="First place to print on, on a used sheet.")
]
_PortMaps = Annotated[
    Path | None,
    typer.Option(metavar="OUT.csv/.xlsx", help="Write the port maps of all switches."),
]
_Parts = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE.yaml/.csv", help="Your own parts and lengths; may be given again."),
]
_Links = Annotated[
    Path | None,
    typer.Option(metavar="OUT.csv/.xlsx", help="Write links end to end, with their pieces."),
]
_Hca = Annotated[
    Path | None,
    typer.Option(metavar="OUT.csv/.xlsx", help="Write the names of all ports of servers."),
]
_Plan = Annotated[
    Path | None,
    typer.Option(metavar="OUT.csv/.xlsx", help="Write the pull plan, stage by stage."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("cables")(cables)


def cables(
    file: FileArgument,
    output: _Output = None,
    since: _Since = None,
    marks: _Marks = None,
    label: _Label = None,
    labels: _Labels = None,
    sheet: _Sheet = "A4-3x8",
    sheet_start: _SheetStart = 1,
    port_maps: _PortMaps = None,
    parts: _Parts = None,
    links: _Links = None,
    hca: _Hca = None,
    plan: _Plan = None,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> None:
    """List every physical cable with both ends, lengths and labels, sorted for the installer."""
    from topoedit.app.cables import cables as listed
    from topoedit.app.label_sheet import is_sheet
    from topoedit.cli._files import open_file
    from topoedit.cli._output import note, progress_line, warn
    from topoedit.cli._targets import check_files
    from topoedit.render.label_stock import stock
    from topoedit.reports.labels import DEFAULT, label_maker
    from topoedit.reports.user_parts import all_parts

    stock_of_labels = stock(sheet)
    printed = labels if labels is not None and is_sheet(labels) else None
    labels = None if printed is not None else labels
    label_maker(label or DEFAULT)
    targets = _targets(output, labels, port_maps, links, hca, plan)
    check_files(
        [("-o", output), ("--labels", printed or labels), ("--port-maps", port_maps),
         ("--links", links), ("--hca", hca), ("--plan", plan)],
        [("FILE", file), ("--since", since), ("--marks", marks),
         *(("--parts", part) for part in parts or ())],
    )  # fmt: skip
    opened = open_file(file, server_type, from_format)
    found = listed(
        opened.document,
        since=since,
        marks=marks,
        label=label or DEFAULT,
        parts=all_parts(parts or (), file),
        progress=(progress := progress_line()),
    )
    warn(opened.warnings)
    for text in found.notes:
        note(text)
    for path, work in targets:
        work(found, path, progress)
    if printed is not None:
        _print_labels(found, printed, stock_of_labels, sheet_start, progress)
    if json:
        _print_json(found)
    else:
        _print(found, written=output is not None)


def _targets(*paths: Path | None) -> list[tuple[Path, Write]]:
    """Files to write, each with what writes it; refused here if they cannot be."""
    from topoedit.app import cables as sheets
    from topoedit.reports.tables import kind_of

    works: tuple[Write, ...] = (
        sheets.write_cables, sheets.write_labels, sheets.write_port_maps, sheets.write_links,
        sheets.write_hca, sheets.write_plan,
    )  # fmt: skip
    found = [(path, work) for path, work in zip(paths, works, strict=True) if path is not None]
    for path, _ in found:
        kind_of(path)
    return found


def _print_labels(
    found: Cabling, path: Path, stock: LabelStock, start: int, progress: Progress | None
) -> None:
    from topoedit.app.label_sheet import write_label_sheet
    from topoedit.cli._output import note

    for text in write_label_sheet(found, path, stock, start=start, progress=progress):
        note(text)


def _print_json(found: Cabling) -> None:
    from topoedit.cli._output import print_json
    from topoedit.reports.cables import COLUMNS, MORE_COLUMNS, PORT_COLUMNS
    from topoedit.reports.link_sheet import TRUNK_COLUMNS, trunk_rows
    from topoedit.reports.pull_plan import STAGE_COLUMNS, stage_rows, stages

    columns = (*COLUMNS, *MORE_COLUMNS)
    print_json(
        {
            "name": found.name,
            "cables": found.cables,
            "links": found.links,
            "changes": found.changes,
            "done": found.done,
            "wrong": found.wrong,
            "done_before_moved": found.done_before,
            "not_in_drawing": found.strangers,
            "notes": found.notes,
            "rows": [dict(zip(columns, row, strict=True)) for row in found.rows],
            "ports": [dict(zip(PORT_COLUMNS, row, strict=True)) for row in found.ports()],
            "trunks": [
                dict(zip(TRUNK_COLUMNS, row, strict=True))
                for row in trunk_rows(found.document, found.bought)
            ],
            "stages": [
                dict(zip(STAGE_COLUMNS, row, strict=True)) for row in stage_rows(stages(found.rows))
            ],
        }
    )


def _print(found: Cabling, *, written: bool) -> None:
    from topoedit.cli._output import print_table
    from topoedit.reports.cables import AT
    from topoedit.units import format_number

    words = (
        f"{format_number(found.cables)} cables of {format_number(found.links)} links, "
        f"{format_number(found.done)} done, {format_number(found.wrong)} wrong"
    )
    if found.done_before:
        were = "it was" if found.done_before == 1 else "they were"
        words += f", {format_number(found.done_before)} done before {were} moved"
    typer.echo(words)
    if found.changes is not None:
        typer.echo(", ".join(f"{format_number(n)} {name}" for name, n in found.changes.items()))
    if written:
        return
    names = ("id", "change", "label_a", "label_b", "medium", "length_m", "ordered_m")
    rows = [[row[AT[name]] for name in names] for row in found.rows[:_SHOWN]]
    print_table(names, rows)
    if len(found.rows) > _SHOWN:
        typer.echo(f"… and {format_number(len(found.rows) - _SHOWN)} more; -o or --json lists them")
