"""Tables as CSV and XLSX: typed, safe to open in a spreadsheet, written whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import gc
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from topoedit.errors import BadInputError
from topoedit.io import atomic
from topoedit.io.workbook import Cancel as Cancel
from topoedit.io.workbook import Cell as Cell
from topoedit.io.workbook import Progress as Progress
from topoedit.io.workbook import Row as Row
from topoedit.io.workbook import Table as Table
from topoedit.io.workbook import chunks
from topoedit.io.workbook import xlsx_bytes as xlsx_bytes

_DANGER = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
# A cell that may start a formula; line breaks inside cells are always in quotes.
_SUSPECT = re.compile(
    r'[,\n](?:[=+\-@\t\uff1d\uff0b\uff0d\uff20]|"[=+\-@\t\uff1d\uff0b\uff0d\uff20\r\n])'
)


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the cycle collector from walking millions of new cells that form no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def kind_of(path: Path) -> str:
    """`csv` or `xlsx`, by the suffix of a file to write.

    Raises:
        BadInputError: it is another suffix, or the folder is not there.
    """
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".xlsx"):
        raise BadInputError(
            f'"{path.suffix or path.name}" is neither .csv nor .xlsx', str(path),
            "Give the file one of these suffixes",
        )  # fmt: skip
    if not path.parent.is_dir():
        raise BadInputError("there is no such folder", str(path.parent), "Make it first")
    return suffix[1:]


def write(
    path: Path,
    tables: Sequence[Table],
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> None:
    """Write tables to a file: the first alone as CSV, each on its own sheets as XLSX.

    Raises:
        BadInputError: the suffix or the folder is wrong.
        BadFileError: the file cannot be written.
        CancelledError: `cancel` said so; the file is as it was.
    """
    if kind_of(path) == "csv":
        data = csv_bytes(tables[0], progress, cancel)
    else:
        data = xlsx_bytes(tables, progress, cancel)
    atomic.write(path, data)


# -- CSV -----------------------------------------------------------------------------------------


def csv_bytes(
    table: Table, progress: Progress | None = None, cancel: Cancel | None = None
) -> bytes:
    """RFC 4180: UTF-8, CRLF, quotes where needed; no cell that a spreadsheet takes for a formula.

    Unknown is an empty cell. A text that could be a formula gets an apostrophe in front.
    """
    parts = [_csv_chunk([table.columns])]
    for rows in chunks(table, progress, cancel):
        text = _csv_chunk(rows)
        if _SUSPECT.search(text) or _SUSPECT.match(f",{text[:3]}"):
            text = _csv_chunk([[_defused(cell) for cell in row] for row in rows])
        parts.append(text)
    return "".join(parts).encode("utf-8", "replace")


def _csv_chunk(rows: Iterable[Row]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def _defused(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell[:1] and cell[0] in _DANGER else cell


def undefused(text: str) -> str:
    """A text as it was before it was written: without the apostrophe that kept it a text."""
    return text[1:] if len(text) > 1 and text[0] == "'" and text[1] in _DANGER else text
