"""`topoedit formats`: what can be read and written."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("formats")(formats)


def formats(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the formats that can be read and written."""
    from topoedit.cli._output import print_json, print_table
    from topoedit.io.formats import known_formats

    rows = known_formats()
    if json:
        print_json({"formats": rows})
        return
    print_table(
        ("format", "reads", "writes", "suffixes", "what"),
        (
            (
                r.id,
                "yes" if r.reads else "no",
                "yes" if r.writes else "no",
                " ".join(r.suffixes),
                r.title,
            )
            for r in rows
        ),
    )
