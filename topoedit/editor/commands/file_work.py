"""Reading and writing files: large ones beside the window, small ones at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from topoedit.editor.background import Cancel, Progress, Task, start_telling
from topoedit.editor.beforehand import Made, derive
from topoedit.editor.session import DocumentSession
from topoedit.editor.shell import Shell
from topoedit.errors import BadInputError, CancelledError, TopoeditError

if TYPE_CHECKING:
    from topoedit.app.open import Opened
    from topoedit.io.salvage import Salvaged

LARGE_FILE = 1 << 20
"""Bytes from which a file is read beside the window: about 0.1 s of reading."""
HEAD_BYTES = 1 << 16
"""Bytes that tell whether a file is one of ours."""
LARGE_DRAWING = 10_000
"""Elements from which a drawing is written beside the window."""

Then = Callable[[], None]


def is_large(path: Path) -> bool:
    """Whether reading a file may take longer than a person should wait."""
    try:
        return path.stat().st_size >= LARGE_FILE
    except OSError:
        return False


def is_gone(path: Path) -> bool:
    """Whether there is nothing at a path."""
    try:
        return not path.exists()
    except (OSError, ValueError):
        return False


def read_beside(shell: Shell, path: Path, then: Callable[[Opened, Made], None]) -> Task:
    """Read a file and derive its picture in a thread, with Cancel; what goes wrong is told."""

    def work(progress: Progress, cancelled: Cancel) -> object:
        opened = read_file(path)
        if cancelled():
            raise CancelledError("cancelled")
        progress("Arranging", 0.8)
        return opened, derive(opened.document)

    def read(found: object) -> None:
        then(*cast("tuple[Opened, Made]", found))

    return start_telling(shell, f"Opening {path.name}", work, read)


def write_beside(
    shell: Shell, session: DocumentSession, path: Path, then: Callable[[str], None]
) -> None:
    """Write a drawing in a thread; until it is written the drawing takes no changes.

    Args:
        shell: the window.
        session: the drawing.
        path: its file.
        then: is given the hash of the file, after a good write.
    """
    from topoedit.io import native

    def work(_progress: Progress, _cancelled: Cancel) -> object:
        return native.save(session.document, path)

    session.hold("is being saved")
    task = start_telling(shell, f"Saving {path.name}", work, lambda digest: then(str(digest)))
    for ended in (task.done, task.failed, task.stopped):
        ended.connect(lambda *_: session.hold(""))


def may_be_salvaged(path: Path) -> bool:
    """Whether a file that cannot be opened is one of ours, so that parts of it may be whole."""
    from topoedit.app.open import looks_native
    from topoedit.io.reading import MAX_FILE_BYTES

    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
        return path.stat().st_size <= MAX_FILE_BYTES and bool(head) and looks_native(head, path)
    except (OSError, ValueError):
        return False


def salvage_beside(shell: Shell, path: Path, then: Callable[[Salvaged], None]) -> None:
    """Read what is whole of a broken file, beside the window; the file is left as it is."""
    from topoedit.io.reading import read_bytes
    from topoedit.io.salvage import salvage

    def work(_progress: Progress, _cancelled: Cancel) -> object:
        return salvage(read_bytes(path), shell.catalog, str(path))

    def read(salvaged: object) -> None:
        then(cast("Salvaged", salvaged))

    start_telling(shell, f"Reading what is whole of {path.name}", work, read)


def read_file(path: Path) -> Opened:
    """Read a file; wrong catalogues of the user are left out and named among the warnings.

    Raises:
        BadInputError: the file cannot be read; if it lacks what a wrong catalogue was to bring,
            the catalogue is named too.
    """
    from topoedit.app.open import open_document
    from topoedit.catalog.load import catalogs_beside, load_catalog_lenient

    catalog, problems = load_catalog_lenient(catalogs_beside(path))
    lines = tuple(f"Left out: {problem.line}" for problem in problems)
    try:
        opened = open_document(path, catalog)
    except TopoeditError as error:
        if not problems:
            raise
        raise BadInputError(f"{error.line} ({lines[0]})") from None
    return replace(opened, warnings=(*lines, *opened.warnings))
