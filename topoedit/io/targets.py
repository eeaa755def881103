"""Files to write, tested before any work is done for them: each its own, none that is read."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from topoedit.errors import BadInputError
from topoedit.io import atomic


class Named(NamedTuple):
    """A file and the option or argument that names it, such as `--links`."""

    option: str
    path: Path


def check_targets(targets: Sequence[Named], sources: Iterable[Named] = ()) -> None:
    """Test that files can be written, and that none stands for another or for one that is read.

    Args:
        targets: the files to write.
        sources: the files that are read and must not be replaced.

    Raises:
        BadInputError: two are the same file, or one is a file that is read.
        BadFileError: a folder is missing or takes no files, or what is there cannot be replaced.
    """
    for one, other in combinations(targets, 2):
        if same_file(one.path, other.path):
            both = one.option if one.option == other.option else f"{one.option} and {other.option}"
            twice = " twice" if one.option == other.option else ""
            raise BadInputError(
                f"{both} would write this file{twice or ' both'}", str(other.path),
                "Give each a file of its own",
            )  # fmt: skip
    for source in sources:
        for target in targets:
            if same_file(target.path, source.path):
                raise BadInputError(
                    f"{target.option} would replace the file that is read as {source.option}",
                    str(target.path), "Choose another name to write to",
                )  # fmt: skip
    for target in targets:
        check_target(target.path)


def check_target(path: Path) -> None:
    """Test that a file can be written, before any work is done for it.

    Raises:
        BadFileError: its folder is missing or takes no files, or what is there cannot be replaced.
    """
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise BadInputError("there is no such folder", str(path.parent), "Make it first")
    atomic.check(path)
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise BadInputError(
            f"this folder takes no new files: {error.strerror or error}", str(path),
            "Choose another folder",
        ) from None  # fmt: skip


def same_file(one: Path, other: Path) -> bool:
    """Whether two names are of one file, be it there or not: links and `..` are followed."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
