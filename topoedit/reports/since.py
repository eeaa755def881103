"""What changed between two cable schedules, and the installers' marks of a returned one."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from topoedit.errors import BadFileError, TopoeditError
from topoedit.io.reading import decode_text, read_bytes
from topoedit.io.spreadsheet import MAX_UNPACKED, check_packed, csv_rows, is_workbook
from topoedit.reports.cables import AT, COLUMNS, MORE_COLUMNS, Row
from topoedit.reports.tables import Cell, undefused

ADDED, REMOVED, MOVED, RELABELLED, CHANGED = "added", "removed", "moved", "relabelled", "changed"
_MAX_BYTES = 512 * 2**20
_MAX_UNPACKED = 4 * 2**30
_PULL_ANEW = "done before it was moved, pull it anew"
_MOST_PACKED = 100
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
    """What installers wrote against a cable, and the row in which they did."""

    done: str
    wrong: str
    note: str = ""
    row: Row = ()


@dataclass
class Compared:
    """Rows with their changes and marks.

    Attributes:
        rows: the cables there are, then those removed.
        changes: how many cables there are of each change.
        done, wrong: cables there are that carry such a mark.
        done_before: cables that were done and then moved, which are to be pulled anew.
        strangers: marked cables that neither the drawing nor the older schedule has.
    """

    rows: list[Row] = field(default_factory=list)
    changes: Counter[str] = field(default_factory=Counter)
    done: int = 0
    wrong: int = 0
    done_before: int = 0
    strangers: tuple[str, ...] = ()


def read_schedule(path: Path) -> list[Row]:
    """The rows of a schedule that was written before, CSV or XLSX, with whatever was added to it.

    Columns may stand in any order; those it lacks are empty.

    Raises:
        BadFileError: it cannot be read or is no cable schedule.
    """
    data = read_bytes(path, _MAX_BYTES)
    if is_workbook(data, path):
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
        str(row[0]): Marks(str(row[done] or ""), str(row[wrong] or ""), str(row[note] or ""), row)
        for row in rows
        if row[done] or row[wrong] or row[note]
    }


def compared(rows: list[Row], old: list[Row] | None, marks: Mapping[str, Marks]) -> Compared:
    """Rows with their change since `old` and the marks; removed cables come last.

    A cable is `moved` if either end is in another place (ends that only changed sides are not),
    `relabelled` if only a label or the name of a device differs, `changed` if only medium or
    ordered length does. What a mark was made on is the row it stands in if that tells the ends,
    else `old`. A mark that was made before a cable got another label stays, with a note that says
    so; before it moved, only the note tells that it was done: the cable is to be pulled anew.
    """
    found = Compared()
    before = {str(row[0]): row for row in old or ()}
    left = dict(marks)
    for row in rows:
        name, change = str(row[0]), ""
        earlier = before.pop(name, None)
        if old is not None:
            change = ADDED if earlier is None else _change(earlier, row)
            found.changes[change] += 1
        mark = left.pop(name, None)
        if mark is not None and mark.row and mark.row[AT["device_a"]]:
            earlier = mark.row if mark.row[AT["cage_a"]] else _filled(mark.row, row)
        found.rows.append(_marked(row, change, mark, earlier, found))
    for name, row in before.items():
        mark = left.pop(name, None)
        if row[AT["change"]] == REMOVED:  # it was gone in the older schedule already
            continue
        found.changes[REMOVED] += 1
        gone = _with_mark(row, REMOVED, mark, mark.done, mark.note) if mark is not None else None
        found.rows.append(gone or (row[0], REMOVED, *row[2:]))
    found.strangers = tuple(name for name, mark in left.items() if mark.done or mark.wrong)
    return found


def _marked(row: Row, change: str, mark: Marks | None, earlier: Row | None, found: Compared) -> Row:
    """A row of a cable there is with its mark, which is counted."""
    if mark is None:
        return (row[0], change, *row[2:]) if change else row
    since = _change(earlier, row) if earlier is not None else ""
    done, note = mark.done, mark.note
    if done and note.startswith(_PULL_ANEW):  # which is what was done
        note = ""
    if earlier is not None and since in (MOVED, RELABELLED) and (done or mark.wrong):
        note = f"marked before it was {since}: {_ends(earlier)}"
    if since == MOVED and done:
        note = f"{_PULL_ANEW}: {_ends(earlier or ())}"
        done = ""
        found.done_before += 1
    found.done += bool(done)
    found.wrong += bool(mark.wrong)
    return _with_mark(row, change, mark, done, note)


def _filled(told: Row, now: Row) -> Row:
    """A row of a list with fewer columns than a schedule; what it does not tell is as it is now."""
    return tuple(new if old in (None, "") else old for old, new in zip(told, now, strict=True))


def _with_mark(row: Row, change: str, mark: Marks, done: str, words: str) -> Row:
    at, note = AT["done"], AT["note"]
    return (
        row[0], change, *row[2:at], done, mark.wrong, *row[at + 2 : note], words,
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
    for _, row in csv_rows(text, str(path), delimiter):
        yield list(row)


def _xlsx_sheets(data: bytes, path: Path) -> Iterator[Iterator[list[object]]]:
    # A schedule packs to about a twentieth; what unpacks a hundredfold is none.
    limit = max(MAX_UNPACKED, min(_MAX_UNPACKED, _MOST_PACKED * len(data)))
    check_packed(data, str(path), limit)
    from openpyxl import load_workbook

    # What a damaged or hostile workbook makes openpyxl and its parsers raise is not documented.
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        for sheet in book.worksheets:
            yield (list(row) for row in sheet.iter_rows(values_only=True))
    except TopoeditError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise BadFileError(f"is no XLSX workbook: {reason}", str(path)) from None
