"""Reading tables that people made in a spreadsheet, CSV or XLSX: bounded, row by row."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from topoedit.errors import BadFileError
from topoedit.io.reading import decode_text, read_bytes

MAX_BYTES = 32 * 2**20
MAX_UNPACKED = 512 * 2**20
MAX_ROWS = 200_000
MAX_COLUMNS = 256
MAX_TEXT = 32_767  # what a cell of XLSX holds
_DANGER = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"  # what `reports.tables` puts it before
_END = "topoedit-end-of-file"
Cell = str | int | float | bool | None


class SheetRow(NamedTuple):
    """One row: the sheet ("" for CSV), its number from 1, and its cells without trailing blanks."""

    sheet: str
    number: int
    cells: tuple[Cell, ...]


def read_sheets(path: Path) -> Iterator[SheetRow]:
    """The rows of a file that are not empty, sheet after sheet.

    Raises:
        BadFileError: it cannot be read, is no table, or is larger than a table of hardware is.
    """
    data = read_bytes(path, MAX_BYTES)
    rows = _xlsx(data, str(path)) if is_workbook(data, path) else _csv(data, str(path))
    return _bounded(rows, str(path))


def is_workbook(data: bytes, path: Path) -> bool:
    """Whether the bytes of a file are an XLSX workbook's.

    Raises:
        BadFileError: they are not, though the file is called so.
    """
    packed = data[:2] == b"PK"
    if not packed and path.suffix.lower() == ".xlsx":
        raise BadFileError(
            "is no XLSX workbook, it only bears the name", str(path),
            "Save it as XLSX, or call it .csv if it is a text",
        )  # fmt: skip
    return packed


def check_packed(data: bytes, where: str, limit: int = MAX_UNPACKED) -> None:
    """Test a workbook before it is unpacked.

    Raises:
        BadFileError: it is none, or unpacks to more than `limit` bytes.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            size = sum(entry.file_size for entry in packed.infolist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise BadFileError(f"is no XLSX workbook: {error}", where) from None
    if size > limit:
        raise BadFileError(f"unpacks to more than {limit // 2**20:,} MiB, the limit", where)


def csv_rows(text: str, where: str, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file, each with the number of the line on which it starts.

    Raises:
        BadFileError: a quote is never closed, or a cell is larger than any is.
    """
    start = 1
    # A line of our own behind the last: it comes as a row of its own unless a quote is open.
    gap = "" if not text or text.endswith("\n") else "\n"
    lines = io.StringIO(f"{text}{gap}{_END}", newline="")
    reader = csv.reader(lines, delimiter=delimiter)
    held: list[str] | None = None
    held_at = 1
    try:
        for cells in reader:
            if held is not None:
                yield held_at, held
            held, held_at, start = cells, start, reader.line_num + 1
    except csv.Error as error:
        reason = f"row {start} has a cell larger than {csv.field_size_limit():,} letters"
        if "field larger" not in str(error):
            reason = f"is no CSV file: row {start}: {error}"
        raise BadFileError(reason, where, "Is a quote never closed there?") from None
    if held != [_END]:
        count = len(text.splitlines()) - held_at + 1
        raise BadFileError(
            f"row {held_at}: a quote is never closed, all {count:,} lines from there "
            "on are one cell", where, 'Close it with "',
        )  # fmt: skip


def column_letters(index: int) -> str:
    """The letters of a column from 0: A to Z, then AA.

    >>> column_letters(0), column_letters(27)
    ('A', 'AB')
    """
    head, tail = divmod(index, 26)
    return (column_letters(head - 1) if head else "") + chr(ord("A") + tail)


def _bounded(rows: Iterator[SheetRow], where: str) -> Iterator[SheetRow]:
    count = 0
    for row in rows:
        cells = row.cells
        while cells and cells[-1] in (None, ""):
            cells = cells[:-1]
        if not cells:
            continue
        count += 1
        if count > MAX_ROWS:
            raise BadFileError(f"has more than {MAX_ROWS:,} rows, the limit", where)
        if len(cells) > MAX_COLUMNS:
            raise BadFileError(
                f"row {row.number} has {len(cells):,} columns, the limit is {MAX_COLUMNS}", where
            )
        if any(isinstance(cell, str) and len(cell) > MAX_TEXT for cell in cells):
            raise BadFileError(f"row {row.number} has a text of over {MAX_TEXT:,} letters", where)
        yield row._replace(cells=cells)


def _csv(data: bytes, where: str) -> Iterator[SheetRow]:
    text = decode_text(data, where)
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)  # some locales save with semicolons
    for number, cells in csv_rows(text, where, delimiter):
        yield SheetRow("", number, tuple(map(_undefused, cells)))


def _xlsx(data: bytes, where: str) -> Iterator[SheetRow]:
    check_packed(data, where)
    from openpyxl import load_workbook

    # What a damaged or hostile workbook makes openpyxl and its parsers raise is not documented.
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # a sheet may claim millions of empty cells
            for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
                if number > MAX_ROWS:
                    raise BadFileError(f"has more than {MAX_ROWS:,} rows, the limit", where)
                yield SheetRow(sheet.title, number, tuple(map(_plain, row)))
    except BadFileError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise BadFileError(f"is no XLSX workbook: {reason}", where) from None


def _undefused(text: str) -> str:
    """A text without the apostrophe that keeps a spreadsheet from taking it for a formula."""
    return text[1:] if len(text) > 1 and text[0] == "'" and text[1] in _DANGER else text


def _plain(value: object) -> Cell:
    return value if value is None or isinstance(value, str | int | float) else str(value)
