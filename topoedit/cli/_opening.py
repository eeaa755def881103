"""Opening files in the editor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from topoedit.errors import BadFileError, BadInputError


def open_editor(files: Sequence[Path]) -> int:
    """Open the editor and stay until it is closed.

    Returns:
        The exit code of the application.

    Raises:
        BadFileError: a file is not there.
        BadInputError: no window can be opened here.
    """
    from topoedit.cli._display import DEBIAN, display_problem

    for file in files:
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
    return run(tuple(files))
