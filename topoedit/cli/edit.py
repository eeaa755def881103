"""`topoedit edit FILE`: open the editor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from topoedit import system
from topoedit.errors import BadFileError, BadInputError

_HEADLESS = "info, analyze, collective, generate, convert, export and catalog work without one"
_DEBIAN = (
    "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libxkbcommon-x11-0 libxcb-cursor0"
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("edit")(edit)


def edit(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Drawings to open.")
    ] = None,
) -> int:
    """Open the editor (the same as `topoedit FILE`)."""
    if not system.has_display():
        raise BadInputError("there is no display to open a window on", mend=_HEADLESS)
    for file in files or ():
        if not file.is_file():
            raise BadFileError("there is no such file", str(file))
    try:
        from topoedit.editor.application import run
    except ImportError as error:
        if error.name and error.name.startswith("topoedit"):
            raise
        raise BadInputError(
            f"Qt cannot start: {error}", mend=f"On Debian and Ubuntu: apt install {_DEBIAN}"
        ) from None
    return run(tuple(files or ()))
