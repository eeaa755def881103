"""CSV by RFC 4180 and workbooks, written whole or not at all, safe in a spreadsheet."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.errors import BadInputError, CancelledError
from topoedit.io import workbook
from topoedit.reports.tables import Table, csv_bytes, undefused, write, xlsx_bytes

DANGER = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"


def table(rows: list[list[object]], *columns: str) -> Table:
    return Table("T", columns or ("a", "b"), rows, len(rows))  # type: ignore[arg-type]


def test_rfc_4180() -> None:
    data = csv_bytes(table([["x,y", 'say "hi"'], ["two\nlines", None], [1.5, 7]]))
    assert data == b'a,b\r\n"x,y","say ""hi"""\r\n"two\nlines",\r\n1.5,7\r\n'


@pytest.mark.parametrize("start", list(DANGER))
def test_no_cell_starts_a_formula(start: str) -> None:
    data = csv_bytes(table([[f"{start}cmd|' /C calc'!A0", "x"], ["x", f"{start}1"]])).decode()
    cells = [cell for row in csv.reader(io.StringIO(data, newline="")) for cell in row]
    assert [cell[0] for cell in cells[2:]] == ["'", "x", "x", "'"]


def test_numbers_stay_numbers() -> None:
    assert csv_bytes(table([[-1, -2.5]])) == b"a,b\r\n-1,-2.5\r\n"


@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), max_size=8))
def test_csv_gives_back_what_went_in(rows: list[tuple[str, str]]) -> None:
    text = csv_bytes(table([list(row) for row in rows])).decode("utf-8")
    read = list(csv.reader(io.StringIO(text, newline="")))[1:]
    kept = [[cell.encode("utf-8", "replace").decode() for cell in row] for row in rows]
    back = [[undefused(cell) for cell in row] for row in read]
    assert back == [[undefused(cell) for cell in row] for row in kept]
    assert not [cell for row in read for cell in row if cell and cell[0] in DANGER]


@given(st.lists(st.text(max_size=12), max_size=6))
def test_workbooks_hold_any_text_and_no_formula(texts: list[str]) -> None:
    rows = [[text, 1] for text in texts]
    sheet = openpyxl.load_workbook(io.BytesIO(xlsx_bytes([table(rows)]))).active
    assert sheet is not None
    cells = [row[0] for row in sheet.iter_rows(min_row=2)]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    assert len(cells) == len(texts)
    for cell, text in zip(cells, texts, strict=True):
        if text.isprintable() and text.strip():
            assert cell.value == text


def test_types_in_a_workbook() -> None:
    data = xlsx_bytes([table([["1", 1], ["x", 2.5], ["y", None]])])
    values = list(openpyxl.load_workbook(io.BytesIO(data)).worksheets[0].values)
    assert values == [("a", "b"), ("1", 1), ("x", 2.5), ("y", None)]


def test_awkward_cells_come_back() -> None:
    rows = [
        ["a&b<c>\"'", " both ", "two\nlines", "tab\there", "bell\x07", "=1+1", "#REF!", True],
        [1e300, -0.5, 10**15, np.float64(2.25), float("nan"), float("inf"), "", False],
    ]
    columns = tuple("abcdefgh")
    sheet = openpyxl.load_workbook(
        io.BytesIO(xlsx_bytes([Table("T", columns, rows, 2)]))
    ).active  # fmt: skip
    assert sheet is not None
    _, texts, figures = sheet.values
    assert texts == (
        "a&b<c>\"'", " both ", "two\nlines", "tab\there", "bell\ufffd", "=1+1", "#REF!", True,
    )  # fmt: skip
    assert figures == (1e300, -0.5, 10**15, 2.25, None, None, None, False)
    assert {cell.data_type for row in sheet.iter_rows(min_row=2) for cell in row} <= {"s", "n", "b"}


@pytest.mark.parametrize(("count", "sheets"), [(0, 1), (3, 1), (4, 2), (6, 2), (7, 3)])
def test_sheets_are_full_before_another_begins(
    monkeypatch: pytest.MonkeyPatch, count: int, sheets: int
) -> None:
    monkeypatch.setattr(workbook, "SHEET_ROWS", 4)
    monkeypatch.setattr(workbook, "CHUNK", 2)
    rows = [[f"r{n}", n] for n in range(count)]
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes([table(rows), table(rows)])))
    assert len(book.worksheets) == 2 * sheets
    assert len({sheet.title.lower() for sheet in book}) == 2 * sheets
    read = [row for sheet in book for row in list(sheet.values)[1:]]
    assert read == [tuple(row) for row in (*rows, *rows)]
    assert all(sheet.freeze_panes == "A2" and sheet["A1"].font.bold for sheet in book)


def test_columns_beyond_z() -> None:
    columns = tuple(f"column {n}" for n in range(60))
    data = xlsx_bytes([Table("T", columns, [list(range(60))], 1)])
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    assert sheet is not None
    assert sheet["AA2"].value == 26
    assert sheet["BH2"].value == 59


def test_a_long_table_goes_on_over_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "SHEET_ROWS", 4)
    rows = [[f"r{i}", i] for i in range(7)]
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes([table(rows)])))
    assert book.sheetnames == ["T", "T (2)", "T (3)"]
    read = [row for sheet in book for row in list(sheet.values)[1:]]
    assert read == [tuple(row) for row in rows]
    assert {tuple(next(iter(sheet.values))) for sheet in book} == {("a", "b")}
    assert workbook.SHEET_ROWS == 4


def test_the_limit_is_that_of_the_format() -> None:
    assert workbook.SHEET_ROWS == 1_048_576


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_cancelled_leaves_the_old_file(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"t{suffix}"
    write(file, [table([["x", 1]])])
    before = file.read_bytes()
    answers = iter([False, True])
    rows = [[f"{i}", i] for i in range(3 * workbook.CHUNK)]
    with pytest.raises(CancelledError):
        write(file, [table(rows)], cancel=lambda: next(answers))
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_progress_grows(tmp_path: Path) -> None:
    said: list[float] = []
    rows = [[f"{i}", i] for i in range(2 * workbook.CHUNK + 1)]
    write(tmp_path / "t.csv", [table(rows)], progress=lambda _, done: said.append(done))
    assert said == sorted(said)
    assert len(said) == 3
    assert said[0] == 0.0


@pytest.mark.parametrize("name", ["t.txt", "t", "none/t.csv"])
def test_wrong_targets(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInputError):
        write(tmp_path / name, [table([])])


def test_openpyxl_is_loaded_when_needed_only() -> None:
    code = (
        "import sys, topoedit.app.bom, topoedit.app.cables, topoedit.cli.bom, topoedit.cli.cables\n"
        "assert not any(name.split('.')[0] == 'openpyxl' for name in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
