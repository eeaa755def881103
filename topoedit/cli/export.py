"""`topoedit export FILE OUT.svg/.png/.pdf`: a picture of a drawing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from topoedit.cli._files import FileArgument, FromOption, JsonOption, ServerTypeOption
from topoedit.cli._plan_options import with_plan
from topoedit.model.plan import Workload


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(with_plan(_export, required=False))


def _export(
    file: FileArgument,
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="File to write: .svg, .png or .pdf.")
    ],
    workload: Workload | None,
    theme: Annotated[str, typer.Option(metavar="light or dark", help="Look (light).")] = "light",
    scale: Annotated[float, typer.Option(metavar="X", help="Enlargement (1).")] = 1.0,
    selection: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Show only this element, name or pattern; may be given again."
        ),
    ] = None,
    metric: Annotated[
        str, typer.Option(metavar="WORD", help="demand, utilisation or phase_share (demand).")
    ] = "demand",
    server_type: ServerTypeOption = None,
    from_format: FromOption = None,
    json: JsonOption = False,
) -> int:
    """Draw a file as SVG, PNG or PDF, with link loads when a model or plan is given.

    Works without a display. The exit code is 1 when the analysis says that memory does not fit or
    that some demand has no path; the picture is written all the same.
    """
    from topoedit.app.export import (
        ExportChoice,
        analyse_for_export,
        export_diagram,
        picture_kind,
    )
    from topoedit.cli._files import open_file
    from topoedit.cli._output import print_json, warn

    kind = picture_kind(target)
    opened = open_file(file, server_type, from_format)
    warn(opened.warnings)
    result = None
    if workload is not None:
        result = analyse_for_export(opened.document, workload, file.parent)
        warn(result.analysis.warnings)
    choice = ExportChoice(theme, scale, tuple(selection or ()), metric)  # type: ignore[arg-type]
    size = export_diagram(opened.document, target, choice, result)
    if json:
        print_json({"file": str(target), "format": kind, "bytes": size})
    else:
        typer.echo(f"{target}: {size:,} bytes".replace(",", "\u2009"))
    record = None if result is None else result.analysis
    failed = record is not None and (record.memory.risk == "no" or record.unreachable.pairs)
    return 1 if failed else 0
