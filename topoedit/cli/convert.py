"""`topoedit convert IN OUT`: from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from topoedit.cli._files import FromOption, JsonOption, ServerTypeOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("convert")(convert)


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write.")],
    from_format: FromOption = None,
    to_format: Annotated[
        str | None, typer.Option("--to", help="Format of OUT; by default its suffix tells.")
    ] = None,
    server_type: ServerTypeOption = None,
    json: JsonOption = False,
) -> None:
    """Read a drawing or a foreign file and write it in another format."""
    from topoedit.app.convert import refuse_overwriting, target_format, write_document
    from topoedit.cli._files import open_file
    from topoedit.cli._output import note, print_json, warn
    from topoedit.cli._targets import check_files

    to = target_format(target, to_format)
    check_files([("OUT", target)])
    opened = open_file(source, server_type, from_format)
    refuse_overwriting(source, target, opened.format == to)
    losses = write_document(opened.document, target, to)
    warn(opened.warnings)
    if losses:
        note(f"{to} cannot hold: {', '.join(losses)}")
    if json:
        print_json(
            {
                "from": opened.format,
                "to": to,
                "file": str(target),
                "warnings": opened.warnings,
                "losses": losses,
            }
        )
        return
    typer.echo(f"{target}: {len(opened.document.devices)} devices, {to}")
