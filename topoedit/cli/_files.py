"""The options with which every command reads a file, and the reading itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from topoedit.app.open import Opened

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="Drawing or foreign file.")]
FromOption = Annotated[
    str | None,
    typer.Option("--from", help="Format of the file; by default its content tells."),
]
ServerTypeOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TYPE or PATTERN=TYPE",
        help="Type of imported hosts, for example 'dgx*=dgx-h100'; may be given again.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def open_file(
    path: Path,
    server_types: list[str] | None = None,
    from_format: str | None = None,
    *,
    apart: bool = False,
) -> Opened:
    """Read a file of any format with the catalogue that belongs to it.

    `apart` sets a second cable in a port aside instead of refusing the file.

    Raises:
        BadInputError: the file, the format or a type is wrong.
    """
    from topoedit.app.open import open_document

    return open_document(
        path, server_types=server_types or (), from_format=from_format, apart=apart
    )
