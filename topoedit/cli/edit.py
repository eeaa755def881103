"""`topoedit edit FILE`: open the editor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from topoedit.cli._opening import open_editor


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("edit")(edit)


def edit(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Drawings to open.")
    ] = None,
) -> int:
    """Open the editor (the same as `topoedit FILE`)."""
    return open_editor(files or ())
