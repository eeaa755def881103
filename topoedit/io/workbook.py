"""Workbooks (XLSX) of typed tables: numbers are numbers and no text becomes a formula.

Sheets are written row by row (`write_only`), so that memory does not grow with the cells.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from topoedit.errors import CancelledError

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


def chunks(table: Table, progress: Progress | None, cancel: Cancel | None) -> Iterator[list[Row]]:
    """The rows of a table in portions; tells how far it is before each.

    Raises:
        CancelledError: `cancel` said so.
    """
    rows, done = iter(table.rows), 0
    while chunk := list(islice(rows, CHUNK)):
        if cancel is not None and cancel():
            raise CancelledError("stopped; no file was written")
        if progress is not None:
            progress(f"Writing {table.name}", done / max(1, table.count))
        done += len(chunk)
        yield chunk


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
    for rows in chunks(table, progress, cancel):
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
