"""Tables from anybody: a CSV file as rows of stripped texts, with its size bounded."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from topoedit.errors import BadFileError

MAX_BYTES = 32 * 2**20
MAX_ROWS = 50_000
MAX_COLUMNS = 200
LARGEST = 1e15

_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,3}))?(?=$|[\s(/])")

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")


@dataclass(frozen=True)
class TableRow:
    """One line of a table.

    Attributes:
        line: its line in the file, the header being line 1.
        cells: column -> text without surrounding blanks; "" where the row is shorter.
        longer: it has more cells than the header.
    """

    line: int
    cells: Mapping[str, str]
    longer: bool = False

    def text(self, column: str) -> str:
        """The cell, "" if the table has no such column."""
        return self.cells.get(column, "")

    def number(self, column: str) -> float | None:
        """The number that a cell starts with ("3 (FSDP)" is 3, "32/64" is 32), None if it is blank.

        Raises:
            ValueError: the cell is neither blank nor a number that a cluster could have.
        """
        text = _THOUSANDS.sub("", self.text(column))
        if not text:
            return None
        found = _NUMBER.match(text)
        value = float(found[0]) if found else math.nan
        if not value <= LARGEST:
            raise ValueError(f'{column} "{text[:30]}" is no number')
        return value

    def whole(self, column: str) -> int | None:
        """A number of at least 1 without fraction, None if the cell is blank."""
        value = self.number(column)
        if value is None:
            return None
        if value < 1 or value != int(value):
            raise ValueError(f"{column} must be a whole number from 1, not {value:g}")
        return int(value)


def read_table(path: Path, needed: Iterable[str], one_of: Sequence[str] = ()) -> list[TableRow]:
    """The rows of a CSV file whose header names at least the `needed` columns.

    Args:
        path: the file, UTF-8.
        needed: columns without which no row can be used.
        one_of: columns of which there must be at least one.

    Raises:
        BadFileError: it cannot be read, is too large, or lacks columns; one line says which.
    """
    lines = _lines(path)
    header = [name.strip() for name in lines[0]] if lines else []
    _check_header(path, header, needed, one_of)
    width = len(header)
    return [
        TableRow(
            number,
            dict(zip(header, (cell.strip() for cell in cells), strict=False)),
            len(cells) > width,
        )
        for number, cells in enumerate(lines[1:], 2)
        if any(cells)
    ]


def _lines(path: Path) -> list[list[str]]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadFileError(
                f"is larger than {MAX_BYTES >> 20} MiB", str(path), "Split the table"
            )
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = [line for line, _ in zip(csv.reader(file), range(MAX_ROWS + 2), strict=False)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadFileError(f"cannot be read as a CSV table: {error}", str(path)) from error
    if len(lines) > MAX_ROWS + 1:
        raise BadFileError(f"has more than {MAX_ROWS} rows", str(path), "Split the table")
    return lines


def _check_header(
    path: Path, header: Sequence[str], needed: Iterable[str], one_of: Sequence[str]
) -> None:
    if len(header) > MAX_COLUMNS:
        raise BadFileError(f"has {len(header)} columns; at most {MAX_COLUMNS} are read", str(path))
    missing = [name for name in needed if name not in header]
    if missing:
        many = "columns" if len(missing) > 1 else "column"
        raise BadFileError(
            f"lacks the {many} {', '.join(missing)}", str(path), "Add it to the header"
        )
    if one_of and not set(one_of) & set(header):
        raise BadFileError(f"has none of the columns {', '.join(one_of)}", str(path), "Add one")
    twice = {name for name in header if name and header.count(name) > 1}
    if twice:
        raise BadFileError(f"names a column twice: {', '.join(sorted(twice))}", str(path))
