"""`topoedit bom FILE`: the bill of materials."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption

if TYPE_CHECKING:
    from collections.abc import Iterable

    from topoedit.reports.bom_groups import GroupLine
    from topoedit.reports.bom_lines import Bom


_Output = Annotated[
    list[Path] | None,
    typer.Option(
        "-o", "--output", metavar="OUT.csv/.xlsx", help="File to write; may be given again."
    ),
]
_Spares = Annotated[
    float | None,
    typer.Option(metavar="PERCENT", help="Spare modules and cables, percent of each item."),
]
_Prices = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.csv", help="Your own prices: columns item, price, currency, source."
    ),
]
_Parts = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE.yaml/.csv", help="Your own parts and lengths; may be given again."),
]
_By = Annotated[
    str | None,
    typer.Option(
        metavar="WORD", help="Also list by type, role, network, rack, building, site or phase."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bom")(bom)


def bom(
    file: FileArgument,
    output: _Output = None,
    spares: _Spares = None,
    prices: _Prices = None,
    parts: _Parts = None,
    by: _By = None,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> None:
    """List what is bought: devices, modules in cages, fibre and copper in lengths on sale."""
    from topoedit.app.bom import bom as count
    from topoedit.app.bom import write_bom
    from topoedit.cli._files import open_file
    from topoedit.cli._output import note, print_json, progress_line, warn
    from topoedit.cli._targets import check_files
    from topoedit.reports.bom_groups import grouped
    from topoedit.reports.tables import kind_of
    from topoedit.reports.user_parts import all_parts

    outputs = output or []
    for path in outputs:
        kind_of(path)
    check_files(
        (("-o", path) for path in outputs),
        [("FILE", file), ("--prices", prices), *(("--parts", part) for part in parts or ())],
    )
    if by is not None:
        grouped((), by)
    opened = open_file(file, server_type, from_format)
    progress = progress_line()
    found = count(
        opened.document,
        spares_percent=spares,
        prices=prices,
        parts=all_parts(parts or (), file),
        progress=progress,
    )
    for path in outputs:
        write_bom(found, path, progress)
    warn(opened.warnings)
    for text in found.notes:
        note(text)
    missing = [name for name, state in found.networks.items() if state == "not drawn"]
    if missing:
        note(f"not drawn, so not in this list: {', '.join(missing)}")
    groups = grouped(found.lines, by) if by is not None else None
    if json:
        print_json(found if groups is None else {**msgspec.structs.asdict(found), "groups": groups})
    else:
        _print(found)
        if by is not None and groups is not None:
            _print_groups(by, groups)


def _print_groups(by: str, groups: Iterable[GroupLine]) -> None:
    from topoedit.cli._output import print_table
    from topoedit.units import format_number

    typer.echo()
    print_table(
        (by, "category", "item", "part number", "quantity"),
        [
            (one.value, one.category, one.item, one.part_number or None,
             format_number(one.quantity))
            for one in groups
        ],
    )  # fmt: skip


def _print(found: Bom) -> None:
    from topoedit.cli._output import print_table
    from topoedit.units import format_number

    def number(value: float | None) -> str | None:
        return None if value is None else format_number(value)

    items: dict[tuple[str, ...], list[int | None]] = {}
    for line in found.lines:
        pair = items.setdefault((line.category, line.item, line.part_number), [0, None])
        pair[0] = (pair[0] or 0) + line.quantity
        if line.spares is not None:
            pair[1] = (pair[1] or 0) + line.spares
    print_table(
        ("category", "item", "part number", "quantity", "spares"),
        [(*key[:2], key[2] or None, *map(number, pair)) for key, pair in items.items()],
    )
    typer.echo()
    print_table(
        ("total", "quantity", "spares", "W known"),
        [
            (one.category, number(one.quantity), number(one.spares), number(one.watts))
            for one in found.totals
        ],
    )
    for roll in found.rollups:
        pairs = "–" if roll.copper_pairs is None else format_number(roll.copper_pairs)
        rate = "–" if roll.TBps is None else f"{roll.TBps:,.1f}"
        typer.echo(
            f"inside {roll.racks} x {roll.item}: {pairs} NVLink copper pairs, "
            f"{rate} TB/s, both directions of all GPUs added"
        )
    for cost in found.costs:
        typer.echo(
            f"{cost.category}: {cost.price:,.2f} {cost.currency}, "
            f"{cost.with_spares:,.2f} with spares"
        )
    if found.unpriced:
        typer.echo(f"{found.unpriced} lines have no price in the file")
