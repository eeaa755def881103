"""`topoedit formats`: what can be read and written."""

from __future__ import annotations

import typer

from topoedit.cli._files import JsonOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("formats")(formats)


def formats(
    json: JsonOption = False,
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
