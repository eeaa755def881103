"""The files that a command writes, tested before it reads anything."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_Given = tuple[str, Path | None]


def check_files(targets: Iterable[_Given], sources: Iterable[_Given] = ()) -> None:
    """Test files to write against each other and against those that are read; None is not given.

    Raises:
        BadInputError: two are the same, one is read too, or one cannot be written.
    """
    from topoedit.io.targets import Named, check_targets

    check_targets(
        [Named(option, path) for option, path in targets if path is not None],
        [Named(option, path) for option, path in sources if path is not None],
    )
