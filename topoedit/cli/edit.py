"""`topoedit edit FILE`: open the editor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from topoedit.errors import BadFileError, BadInputError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("edit")(edit)


def edit(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Drawings to open.")
    ] = None,
) -> int:
    """Open the editor (the same as `topoedit FILE`)."""
    from topoedit.cli._display import DEBIAN, display_problem

    for file in files or ():
        if not file.is_file():
            raise BadFileError("there is no such file", str(file))
    problem = display_problem()
    if problem is not None:
        raise BadInputError(problem[0], mend=problem[1])
    try:
        from topoedit.editor.application import run
    except ImportError as error:
        if error.name and error.name.startswith("topoedit"):
            raise
        raise BadInputError(f"Qt cannot start: {error}", mend=DEBIAN) from None
    return run(tuple(files or ()))
