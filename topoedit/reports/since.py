"""What changed between two cable schedules, and the installers' marks of a returned one."""

from __future__ import annotations

import csv
import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from topoedit.errors import BadFileError
from topoedit.io.reading import decode_text, read_bytes
from topoedit.reports.cables import AT, COLUMNS, MORE_COLUMNS, Row
from topoedit.reports.tables import Cell, undefused

ADDED, REMOVED, MOVED, RELABELLED, CHANGED = "added", "removed", "moved", "relabelled", "changed"
_MAX_BYTES = 512 * 2**20
_MAX_UNPACKED = 4 * 2**30
_MAX_ROWS = 5_000_000
_ENDS_A = range(AT["site_a"], AT["lane_a"] + 1)
_ENDS_B = range(AT["site_b"], AT["lane_b"] + 1)
_WORDS = (AT["label_a"], AT["label_b"], AT["device_a"], AT["device_b"])
_MADE = (AT["medium"], AT["ordered_m"])
_NUMBERS = frozenset(AT[name] for name in ("length_m", "slack_m", "ordered_m"))
_UNITS = frozenset((AT["unit_a"], AT["unit_b"]))
_ALL = (*COLUMNS, *MORE_COLUMNS)


@dataclass(frozen=True)
class Marks:
    """What installers wrote against a cable, and where it was when they did, if that changed."""

    done: str
    wrong: str
    note: str = ""


def read_schedule(path: Path) -> list[Row]:
    """The rows of a schedule that was written before, CSV or XLSX, with whatever was added to it.

    Columns may stand in any order; those it lacks are empty.

    Raises:
        BadFileError: it cannot be read or is no cable schedule.
    """
    data = read_bytes(path, _MAX_BYTES)
    if data[:2] == b"PK":
        rows = _rows(_xlsx_sheets(data, path), path)
    else:
        text = decode_text(data, str(path))
        rows = _rows([_csv_rows(text, path)], path)
    return rows


def looks_like_schedule(path: Path) -> bool:
    """Whether a file is a cable schedule rather than a drawing: a workbook, or by its header."""
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError:
        return False
    if head[:2] == b"PK":
        return True
    line = head.lstrip(b"\xef\xbb\xbf").splitlines()[:1]
    words = line[0].replace(b";", b",").split(b",") if line else []
    names = [name.strip(b' "').lower() for name in words]
    return b"id" in names and (b"label_a" in names or b"done" in names)


def marks_of(rows: Iterable[Row]) -> dict[str, Marks]:
    """Cable id -> marks, of rows that have any."""
    done, wrong, note = AT["done"], AT["wrong"], AT["note"]
    return {
        str(row[0]): Marks(str(row[done] or ""), str(row[wrong] or ""), str(row[note] or ""))
        for row in rows
        if row[done] or row[wrong]
    }


def compared(
    rows: list[Row], old: list[Row] | None, marks: Mapping[str, Marks]
) -> tuple[list[Row], Counter[str]]:
    """Rows with their change since `old` and the marks; removed cables come last.

    A cable is `moved` if either end is in another place (ends that only changed sides are not),
    `relabelled` if only a label or the name of a device differs, `changed` if only medium or
    ordered length does. A mark that was made before a cable moved or got another label stays,
    with a note that says so.

    Returns:
        The rows, and how many there are of each change.
    """
    counts: Counter[str] = Counter()
    before = {str(row[0]): row for row in old or ()}
    found: list[Row] = []
    for row in rows:
        change, was = "", ""
        if old is not None:
            earlier = before.pop(str(row[0]), None)
            change = ADDED if earlier is None else _change(earlier, row)
            counts[change] += 1
            if earlier is not None and change in (MOVED, RELABELLED):
                was = f"marked before it was {change}: {_ends(earlier)}"
        found.append(_marked(row, change, marks, was))
    for row in before.values():
        if row[AT["change"]] == REMOVED:  # it was gone in the older schedule already
            continue
        counts[REMOVED] += 1
        found.append(_marked(row, REMOVED, marks))
    return found, counts


def _marked(row: Row, change: str, marks: Mapping[str, Marks], was: str = "") -> Row:
    mark = marks.get(str(row[0]))
    if mark is None:
        return (row[0], change, *row[2:]) if change else row
    done, note = AT["done"], AT["note"]
    words = was or mark.note
    return (
        row[0], change, *row[2:done], mark.done, mark.wrong, *row[done + 2 : note], words,
        *row[note + 1 :],
    )  # fmt: skip


def _ends(row: Row) -> str:
    """Where a cable was: `node-1:nic0 – leaf-1:4`, or its label where the ends are not told."""
    a, b = (f"{row[AT[f'device_{s}']] or ''}:{row[AT[f'port_{s}']] or ''}" for s in "ab")
    return f"{a} – {b}" if row[AT["device_a"]] else _text(row[AT["label_a"]])


def _change(old: Row, new: Row) -> str:
    a, b = _end(old, _ENDS_A), _end(old, _ENDS_B)
    here, there = _end(new, _ENDS_A), _end(new, _ENDS_B)
    if (a, b) not in ((here, there), (there, here)):
        return MOVED
    if _texts(old, _WORDS) != _texts(new, _WORDS):
        return RELABELLED
    if _texts(old, _MADE) != _texts(new, _MADE):
        return CHANGED
    return ""


def _end(row: Row, columns: range) -> tuple[str, ...]:
    """Where one end is: by rack, unit and port, so that a device may get another name in place."""
    site, rack, unit, device, *port = (_text(row[index]) for index in columns)
    return (site, rack, unit, "" if rack and unit else device, *port)


def _texts(row: Row, columns: tuple[int, ...]) -> set[str]:
    return {_text(row[index]) for index in columns}


def _text(cell: Cell) -> str:
    """A cell as text that is the same however a spreadsheet gave it back."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:g}"
    return str(cell).strip().removesuffix(".0")


# -- reading ---------------------------------------------------------------------------------------


def _rows(sheets: Iterable[Iterator[list[object]]], path: Path) -> list[Row]:
    found: list[Row] = []
    recognised = False
    for sheet in sheets:
        header = [str(name or "").strip().lower() for name in next(sheet, [])]
        if "id" not in header or not {"label_a", "done"} & set(header):
            continue
        recognised = True
        where = [(AT[name], index) for index, name in enumerate(header) if name in AT]
        for cells in sheet:
            row: list[Cell] = [None] * len(_ALL)
            for target, index in where:
                if index < len(cells):
                    row[target] = _cell(cells[index], target)
            if row[0] in (None, ""):
                continue
            row[0] = str(row[0])
            found.append(tuple(row))
            if len(found) > _MAX_ROWS:
                raise BadFileError(f"has more than {_MAX_ROWS:,} rows, the limit", str(path))
    if not recognised:
        raise BadFileError(
            "is no cable schedule: it has no columns id and label_a", str(path),
            "Give a file that `topoedit cables` wrote",
        )  # fmt: skip
    return found


def _cell(value: object, column: int) -> Cell:
    if value is None or value == "":
        return None
    text = undefused(str(value))
    if column in _NUMBERS or column in _UNITS:
        try:
            number = float(text)
        except ValueError:
            return text
        return int(number) if column in _UNITS and number.is_integer() else number
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return text


def _csv_rows(text: str, path: Path) -> Iterator[list[object]]:
    head = text.split("\n", 1)[0]
    delimiter = ";" if head.count(";") > head.count(",") else ","  # some locales save so
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            yield list(row)
    except csv.Error as error:
        raise BadFileError(f"is no CSV file: {error}", str(path)) from None


def _xlsx_sheets(data: bytes, path: Path) -> Iterator[Iterator[list[object]]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            size = sum(entry.file_size for entry in packed.infolist())
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise BadFileError(f"is no XLSX workbook: {error}", str(path)) from None
    if size > _MAX_UNPACKED:
        raise BadFileError("unpacks to more than 4 GiB, the limit", str(path))
    from openpyxl import load_workbook

    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        for sheet in book.worksheets:
            yield (list(row) for row in sheet.iter_rows(values_only=True))
    except (KeyError, ValueError, TypeError, AttributeError, OSError, SyntaxError,
            zipfile.BadZipFile) as error:  # fmt: skip
        raise BadFileError(f"is no XLSX workbook: {error}", str(path)) from None
