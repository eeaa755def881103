"""Workbooks (XLSX) of typed tables: numbers are numbers and no text becomes a formula.

openpyxl makes the workbook with its heads and styles; the rows, of which there may be millions of
cells, are put into its sheets as they come, ten times faster than cell by cell through it.
"""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from topoedit.errors import CancelledError

Cell = str | int | float | bool | None
Row = Sequence[Cell]
Progress = Callable[[str, float], None]
Cancel = Callable[[], bool]

SHEET_ROWS = 1_048_576  # the most a sheet of XLSX holds
CHUNK = 8192
_COMPRESSION = 4
_DATE = (1980, 1, 1, 0, 0, 0)  # the first a ZIP can tell: a workbook does not say when it was made
_PROPERTIES = "docProps/core.xml"
_TIMES = re.compile(rb"<dcterms:(created|modified)\b[^>]*>[^<]*</dcterms:\1>")
_MOST_KNOWN = 200_000
_MAX_TEXT = 32_767  # the most a cell of XLSX holds
# What XML 1.0 cannot hold.
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

    Nothing in it tells when it was made: the same tables give the same bytes.

    A table of more rows than a sheet holds goes on over sheets `name (2)`, `name (3)`…

    Raises:
        CancelledError: `cancel` said so.
    """
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSION) as package:
        sheets: list[tuple[str, tuple[str, ...]]] = []
        for table in tables:
            for number, pieces in enumerate(_sheets(table, progress, cancel), 1):
                title = _SHEET_NAME.sub(" ", table.name)[:24]
                sheets.append((title if number == 1 else f"{title} ({number})", table.columns))
                with package.open(_member(_part(len(sheets))), "w", force_zip64=True) as part:
                    for piece in pieces:
                        part.write(piece)
        with zipfile.ZipFile(io.BytesIO(_empty_workbook(sheets))) as frame:
            written = {_part(number) for number in range(1, len(sheets) + 1)}
            for name in frame.namelist():
                if name not in written:
                    body = frame.read(name)
                    body = _TIMES.sub(b"", body) if name == _PROPERTIES else body
                    package.writestr(_member(name), body, compresslevel=_COMPRESSION)
    return data.getvalue()


def _member(name: str) -> zipfile.ZipInfo:
    """A part of the package that does not tell when it was written."""
    member = zipfile.ZipInfo(name, _DATE)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o600 << 16
    return member


def _part(number: int) -> str:
    """Where openpyxl keeps the sheet with this number, from 1."""
    return f"xl/worksheets/sheet{number}.xml"


def _empty_workbook(sheets: Sequence[tuple[str, tuple[str, ...]]]) -> bytes:
    """A workbook with the heads of its sheets and no rows, as openpyxl writes it."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    book.properties.creator = "topoedit"
    bold = Font(bold=True)
    for title, columns in sheets:
        sheet = book.create_sheet(title)
        sheet.freeze_panes = "A2"
        head = []
        for letter, name in zip(_letters(len(columns)), columns, strict=True):
            cell = WriteOnlyCell(sheet, value=name)
            cell.data_type = "s"
            cell.font = bold
            head.append(cell)
            sheet.column_dimensions[letter].width = max(10, min(40, len(name) + 4))
        sheet.append(head)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _sheets(
    table: Table, progress: Progress | None, cancel: Cancel | None
) -> Iterator[Iterator[bytes]]:
    """The XML of each sheet of a table in pieces; a sheet must be read before the next."""
    with zipfile.ZipFile(io.BytesIO(_empty_workbook([("1", table.columns)]))) as frame:
        head, end, tail = frame.read(_part(1)).partition(b"</sheetData>")
    letters = _letters(len(table.columns))
    left: list[Row] = []
    portions = chunks(table, progress, cancel)
    more = True

    def rows_of_one() -> Iterator[bytes]:
        nonlocal left, more
        number, known = 2, dict[str, str]()
        yield head
        while number <= SHEET_ROWS:
            if not left:
                left = next(portions, [])
                if not left:
                    more = False
                    break
            taken, left = left[: SHEET_ROWS + 1 - number], left[SHEET_ROWS + 1 - number :]
            yield _rows(taken, number, letters, known).encode()
            number += len(taken)
        if more and not left:
            left = next(portions, [])
            more = bool(left)
        yield end + tail

    while more:
        yield rows_of_one()


def _rows(rows: Iterable[Row], first: int, letters: Sequence[str], known: dict[str, str]) -> str:
    """Rows as XML: texts always as such (`inlineStr`), so that none is taken for a formula.

    Cells: ECMA-376 part 1, 18.3.1.4. `known` holds texts that were written before.
    """
    parts: list[str] = []
    add = parts.append
    for number, row in enumerate(rows, first):
        add(f'<row r="{number}">')
        for letter, cell in zip(letters, row, strict=False):
            if cell is None or cell == "":
                continue
            if isinstance(cell, str):
                body = known.get(cell)
                if body is None:
                    if len(known) > _MOST_KNOWN:
                        known.clear()
                    body = known[cell] = _text(cell)
                add(f'<c r="{letter}{number}"{body}')
            elif isinstance(cell, bool):
                add(f'<c r="{letter}{number}" t="b"><v>{cell:d}</v></c>')
            elif math.isfinite(cell):
                value = float(cell) if isinstance(cell, float) else int(cell)
                add(f'<c r="{letter}{number}"><v>{value!r}</v></c>')
        add("</row>")
    return "".join(parts)


def _text(text: str) -> str:
    """What follows the place of a cell of text."""
    if not text.isascii() or not text.isprintable():
        text = _CONTROL.sub("\ufffd", text)
    if len(text) > _MAX_TEXT:
        text = text[: _MAX_TEXT - 1] + "…"
    kept = ' xml:space="preserve"' if text.strip() != text or "\n" in text else ""
    body = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f' t="inlineStr"><is><t{kept}>{body.replace(chr(13), "&#13;")}</t></is></c>'


def _letters(count: int) -> list[str]:
    """The letters of the first columns: A to Z, then AA and on."""
    found = []
    for index in range(count):
        name, rest = "", index + 1
        while rest:
            rest, last = divmod(rest - 1, 26)
            name = chr(ord("A") + last) + name
        found.append(name)
    return found
