"""Tables as CSV and XLSX: typed, safe to open in a spreadsheet, written whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import gc
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from topoedit.errors import BadInputError, CancelledError
from topoedit.io import atomic

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

Cell = str | int | float | bool | None
Row = Sequence[Cell]
Progress = Callable[[str, float], None]
Cancel = Callable[[], bool]

SHEET_ROWS = 1_048_576  # the most a sheet of XLSX holds
CHUNK = 8192
_MAX_TEXT = 32_767  # the most a cell of XLSX holds
_DANGER = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
# A cell that may start a formula; line breaks inside cells are always in quotes.
_SUSPECT = re.compile(
    r'[,\n](?:[=+\-@\t\uff1d\uff0b\uff0d\uff20]|"[=+\-@\t\uff1d\uff0b\uff0d\uff20\r\n])'
)
# What XML 1.0 cannot hold; openpyxl refuses it.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SHEET_NAME = re.compile(r"[\[\]:*?/\\]")


@dataclass(frozen=True)
class Table:
    """Rows under a header.

    Attributes:
        name: name of the sheet.
        columns: the header.
        rows, count: the cells, and how many rows there are, for the progress.
    """

    name: str
    columns: tuple[str, ...]
    rows: Iterable[Row]
    count: int


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
    for rows in _chunks(table, progress, cancel):
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


def _chunks(table: Table, progress: Progress | None, cancel: Cancel | None) -> Iterator[list[Row]]:
    rows, done = iter(table.rows), 0
    while chunk := list(islice(rows, CHUNK)):
        if cancel is not None and cancel():
            raise CancelledError("stopped; no file was written")
        if progress is not None:
            progress(f"Writing {table.name}", done / max(1, table.count))
        done += len(chunk)
        yield chunk


# -- XLSX ----------------------------------------------------------------------------------------


def xlsx_bytes(
    tables: Sequence[Table], progress: Progress | None = None, cancel: Cancel | None = None
) -> bytes:
    """A workbook with typed cells: numbers are numbers, and no text becomes a formula.

    A table of more rows than a sheet holds goes on over sheets `name (2)`, `name (3)`…
    """
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    data = io.BytesIO()
    try:
        for table in tables:
            _sheets(book, table, progress, cancel)
        book.save(data)
    except BaseException:
        _discard(book)
        raise
    return data.getvalue()


def _discard(book: Workbook) -> None:
    """Close a workbook that will not be saved and remove the files in which its sheets grew."""
    for sheet in book.worksheets:
        with contextlib.suppress(OSError, ValueError):
            sheet.close()
        writer = getattr(sheet, "_writer", None)
        if writer is not None:
            with contextlib.suppress(OSError):
                writer.cleanup()


def _sheets(book: Workbook, table: Table, progress: Progress | None, cancel: Cancel | None) -> None:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    def begin(number: int) -> tuple[WriteOnlyWorksheet, Callable[[list[object]], None]]:
        title = _SHEET_NAME.sub(" ", table.name)[:24] + (f" ({number})" if number > 1 else "")
        sheet = book.create_sheet(title)
        sheet.freeze_panes = "A2"
        bold = Font(bold=True)
        header = []
        for index, name in enumerate(table.columns):
            cell = WriteOnlyCell(sheet, value=name)
            cell.font = bold
            header.append(cell)
            sheet.column_dimensions[_letters(index)].width = max(10, min(40, len(name) + 4))
        sheet.append(header)
        return sheet, sheet.append

    sheet, append = begin(1)
    number, left = 1, SHEET_ROWS - 1
    for rows in _chunks(table, progress, cancel):
        for row in rows:
            if left == 0:
                number += 1
                sheet, append = begin(number)
                left = SHEET_ROWS - 1
            left -= 1
            append([_typed(cell, sheet) if isinstance(cell, str) else cell for cell in row])


def _typed(text: str, sheet: WriteOnlyWorksheet) -> object:
    """A text as it is, or as a cell that says it is one where it could be a formula."""
    if not text:
        return None
    if not text.isascii() or not text.isprintable():
        text = _CONTROL.sub("\ufffd", text)
    if len(text) > _MAX_TEXT:
        text = text[: _MAX_TEXT - 1] + "…"
    if text[0] not in "=#":
        return text
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, value=text)
    cell.data_type = "s"
    return cell


def _letters(index: int) -> str:
    """The letters of a column: A to Z, then AA."""
    head, tail = divmod(index, 26)
    return (_letters(head - 1) if head else "") + chr(ord("A") + tail)
