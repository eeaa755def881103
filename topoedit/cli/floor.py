"""`topoedit floor FILE`: floor plan, rack elevations, roll-ups and rack lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption

if TYPE_CHECKING:
    from topoedit.app.place_racks import PlacedRacks
    from topoedit.reports.floor.rollup import FloorData


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("floor")(floor)


def floor(
    file: FileArgument,
    racks: Annotated[
        Path | None,
        typer.Option(metavar="LIST.csv/.xlsx", help="Rack list to place in the drawing first."),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o", "--output", metavar="OUT",
            help="Write .svg, .pdf or .png, the rack list as .csv or .xlsx, or the drawing as "
            ".topo.json; may be given again.",
        ),
    ] = None,
    elevations: Annotated[
        bool, typer.Option("--elevations", help="Rack elevations, a PDF page a row, not the plan.")
    ] = False,
    room: Annotated[str, typer.Option(metavar="NAME", help="Show this room only.")] = "",
    by: Annotated[
        str, typer.Option(metavar="WORD", help="Colour by power, units, cooling or phase (power).")
    ] = "power",
    power: Annotated[
        str, typer.Option(metavar="WORD", help="Sum up maximum or typical power (maximum).")
    ] = "maximum",
    pue: Annotated[
        float | None, typer.Option(metavar="X", help="Facility over IT power, as you know it.")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Place the good rows of a list that has bad ones.")
    ] = False,
    theme: Annotated[str, typer.Option(metavar="light or dark", help="Look (light).")] = "light",
    scale: Annotated[float, typer.Option(metavar="X", help="Enlargement (1).")] = 1.0,
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> None:  # fmt: skip
    """Draw the floor and its racks, sum up space, power, heat and weight, place a rack list."""
    from topoedit.app.floor import (
        FloorChoice,
        basis_named,
        by_named,
        check_choice,
        check_target,
        import_racks,
        summed,
        write_floor,
    )
    from topoedit.cli._files import open_file
    from topoedit.cli._output import note, progress_line, warn

    choice = FloorChoice(
        elevations, room, by_named(by), basis_named(power), theme, scale, pue
    )  # fmt: skip
    check_choice(choice)
    targets = output or []
    drawings = [path for path in targets if check_target(path) == ".json"]
    opened = open_file(file, server_type, from_format)
    warn(opened.warnings)
    if drawings:
        from topoedit.app.convert import refuse_overwriting

        for path in drawings:
            refuse_overwriting(file, path, opened.format == "topoedit")
    placed = None
    if racks is not None:
        placed = import_racks(opened.document, racks, skip_bad=skip_bad, told=note)
        for text in placed.notes:
            note(text)
    data, progress = summed(opened.document, choice.basis), progress_line()
    for path in targets:
        write_floor(opened.document, data, path, choice, progress)
    if json:
        _print_json(data, placed, room, pue)
    else:
        _print(data, placed, room, pue)


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
