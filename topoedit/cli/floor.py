"""`topoedit floor FILE`: floor plan, rack elevations, roll-ups and rack lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption

if TYPE_CHECKING:
    from topoedit.app.floor import FloorChoice
    from topoedit.app.place_racks import PlacedRacks
    from topoedit.model.document import Document
    from topoedit.reports.floor.rollup import FloorData


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("floor")(floor)


_Racks = Annotated[
    Path | None,
    typer.Option(metavar="LIST.csv/.xlsx", help="Rack list to place in the drawing first."),
]
_Output = Annotated[
    list[Path] | None,
    typer.Option(
        "-o", "--output", metavar="OUT",
        help="Write .svg, .pdf or .png, the rack list as .csv or .xlsx, or the drawing as "
        ".topo.json; may be given again.",
    ),
]  # fmt: skip
_Elevations = Annotated[
    bool, typer.Option("--elevations", help="Rack elevations, a PDF page a row, not the plan.")
]
_By = Annotated[
    str, typer.Option(metavar="WORD", help="Colour by power, units, cooling or phase (power).")
]
_Power = Annotated[
    str, typer.Option(metavar="WORD", help="Sum up maximum or typical power (maximum).")
]
_Pue = Annotated[
    float | None, typer.Option(metavar="X", help="Facility over IT power, as you know it.")
]
_SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Place the good rows of a list that has bad ones.")
]


def floor(
    file: FileArgument,
    racks: _Racks = None,
    output: _Output = None,
    elevations: _Elevations = False,
    room: Annotated[str, typer.Option(metavar="NAME", help="Show this room only.")] = "",
    by: _By = "power",
    power: _Power = "maximum",
    pue: _Pue = None,
    skip_bad: _SkipBad = False,
    theme: Annotated[str, typer.Option(metavar="light or dark", help="Look (light).")] = "light",
    scale: Annotated[float, typer.Option(metavar="X", help="Enlargement (1).")] = 1.0,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> None:
    """Draw the floor and its racks, sum up space, power, heat and weight, place a rack list."""
    from topoedit.app.floor import (
        DRAWING,
        FloorChoice,
        basis_named,
        by_named,
        check_choice,
        summed,
    )
    from topoedit.app.glyphs import missing_glyphs
    from topoedit.cli._files import open_file
    from topoedit.cli._output import note, warn
    from topoedit.cli._targets import check_files

    choice = FloorChoice(elevations, room, by_named(by), basis_named(power), theme, scale, pue)
    check_choice(choice)
    targets = _checked(output or [])
    check_files((("-o", path) for path in targets), [("--racks", racks)])
    check_files(
        (("-o", path) for path in targets if path.suffix.lower() != DRAWING), [("FILE", file)]
    )
    opened = open_file(file, server_type, from_format)
    _spare(file, targets, native=opened.format == "topoedit")
    placed = None if racks is None else _placed(opened.document, racks, skip_bad)
    data = summed(opened.document, choice.basis)
    _write(opened.document, data, targets, choice)
    warn(opened.warnings)
    warn(missing_glyphs(opened.document, targets))
    for text in placed.notes if placed is not None else ():
        note(text)
    if json:
        _print_json(data, placed, room, pue)
    else:
        _print(data, placed, room, pue)


def _checked(targets: list[Path]) -> list[Path]:
    from topoedit.app.floor import check_target

    for path in targets:
        check_target(path)
    return targets


def _spare(source: Path, targets: list[Path], *, native: bool) -> None:
    """Refuse to put a drawing in the place of a file of another format."""
    from topoedit.app.convert import refuse_overwriting
    from topoedit.app.floor import DRAWING

    for path in targets:
        if path.suffix.lower() == DRAWING:
            refuse_overwriting(source, path, native)


def _placed(document: Document, racks: Path, skip_bad: bool) -> PlacedRacks:
    from topoedit.app.floor import import_racks
    from topoedit.cli._output import note

    return import_racks(document, racks, skip_bad=skip_bad, told=note)


def _write(document: Document, data: FloorData, targets: list[Path], choice: FloorChoice) -> None:
    from topoedit.app.floor import write_floor
    from topoedit.cli._output import progress_line

    progress = progress_line()
    for path in targets:
        write_floor(document, data, path, choice, progress)


def _print_json(data: FloorData, placed: PlacedRacks | None, room: str, pue: float | None) -> None:
    from topoedit.cli._output import print_json
    from topoedit.reports.floor.json_form import floor_json

    made = floor_json(data, room, pue)
    if placed is not None:
        made["placed"] = {
            "made": placed.made, "changed": placed.moved, "same": placed.same,
            "rooms": placed.rooms, "devices": placed.devices, "problems": placed.problems,
            "notes": placed.notes,
        }  # fmt: skip
    print_json(made)


def _print(data: FloorData, placed: PlacedRacks | None, room: str, pue: float | None) -> None:
    from topoedit.cli._output import plain, print_table
    from topoedit.reports.floor.lists import SUM_COLUMNS, sum_row
    from topoedit.reports.floor.pictures import head_lines, rooms_of

    if placed is not None:
        typer.echo(placed.summary)
    areas = rooms_of(data, room)
    names = (
        "level", "name", "racks", "units_used", "units", "power_kw", "power_limit_kw",
        "heat_tons", "weight_kg", "over",
    )  # fmt: skip
    loads = [load for area in areas for load in (*(row.load for row in area.rows), area.load)]
    loads += [] if room else [*data.holders, data.total]
    if len(areas) == 1 and areas[0].load.level == "drawing" and not room:
        loads.remove(areas[0].load)  # it is the whole drawing
    rows = [dict(zip(SUM_COLUMNS, sum_row(load), strict=True)) for load in loads]
    print_table(names, [[row[name] for name in names] for row in rows])
    whole = areas[0].load if room and areas else data.total
    for line in head_lines(whole, data, pue):
        typer.echo(plain(line))
    for rack in (r for a in areas for r in (*(r for row in a.rows for r in row.racks), *a.loose)):
        for text in rack.load.over:
            typer.echo(plain(f"{rack.load.name} {text}"))
