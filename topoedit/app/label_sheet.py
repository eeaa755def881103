"""Labels of cables on sheets, as a PDF; Qt is imported when it is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from topoedit.app.cables import Cabling
from topoedit.errors import BadInputError
from topoedit.reports.tables import Cancel, Progress

if TYPE_CHECKING:
    from topoedit.render.label_stock import Stock

DEFAULT_SHEET = "A4-3x8"


def is_sheet(path: Path) -> bool:
    """Whether a file of labels is one of sheets: a PDF.

    Raises:
        BadInputError: it is, and its folder is not there.
    """
    if path.suffix.lower() != ".pdf":
        return False
    if not path.parent.is_dir():
        raise BadInputError("there is no such folder", str(path.parent), "Make it first")
    return True


def write_label_sheet(
    found: Cabling,
    path: Path,
    stock: Stock,
    *,
    start: int = 1,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> tuple[str, ...]:
    """Write the labels of a schedule as a PDF, in the order of its rows, a before b.

    Args:
        found: the schedule.
        path: the file; it appears whole or not at all.
        stock: the sheet (`render.label_stock.stock`).
        start: the first place to print on, from 1.
        progress: told what goes on and how far it is.
        cancel: asked whether to stop.

    Returns:
        What a person should know, one sentence each.

    Raises:
        BadInputError: there are none or too many labels, or the file cannot be written.
        CancelledError: `cancel` said so; the file is as it was.
    """
    from topoedit.io import atomic
    from topoedit.render.glyphs import glyph_notes
    from topoedit.render.label_sheet import label_pdf

    rows = [(str(row[0]), str(row[1]), str(row[2])) for row in found.labels()]
    printed = label_pdf(
        rows, stock, title=f"Labels of {found.name}".rstrip(), start=start, progress=progress,
        cancel=cancel,
    )  # fmt: skip
    atomic.write(path, printed.data)
    notes = [f"{printed.labels:,} labels on {printed.pages:,} sheets {stock.name}"]
    if printed.shortened:
        notes.append(f"Labels too small for their text, which ends in …: {printed.shortened:,}")
    return (*notes, *glyph_notes(text for row in rows for text in row))
