"""Rack lists: heads in people's words, units, hostile rows; what is written reads back the same."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.errors import BadFileError
from topoedit.io.rack_list import (
    MOST_PROBLEMS,
    RackRow,
    devices_text,
    parse_rack_list,
    read_rack_list,
)
from topoedit.io.spreadsheet import MAX_ROWS, SheetRow, csv_rows
from topoedit.io.workbook import Table, xlsx_bytes


def rows(*lines: str, delimiter: str = ",") -> list[SheetRow]:
    made = csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter)
    return [SheetRow("", n, tuple(cells)) for n, cells in enumerate(made, 1)]


def test_a_list_as_people_write_it() -> None:
    found = parse_rack_list(
        rows(
            "Row,Column,Rack name,Hall,U height,Power (W),Feed A (kW),Feed B (kW),Airflow,Owner",
            "A,1,A01,Hall 1,48U,44900,50,50,Front to Rear,me",
            "A,2,,Hall 1,42,,,,DLC,you",
        )
    )
    assert found.problems == ()
    assert found.notes == ("columns left aside: Owner",)
    assert found.racks == (
        RackRow(2, "A01", True, "Hall 1", "A", 1, units=48, power_kw=44.9, feed_a_kw=50.0,
                feed_b_kw=50.0, airflow="front-to-back"),
        RackRow(3, "Hall 1-A02", False, "Hall 1", "A", 2, units=42, airflow="liquid"),
    )  # fmt: skip


def test_places_in_metres_and_in_cells() -> None:
    metres = parse_rack_list(rows("name,x (mm),y_cm", "r1,600,315"))
    assert [(r.x_m, r.y_m) for r in metres.racks] == [(0.6, 3.15)]
    plain = parse_rack_list(rows("name,x,y", "r1,0.6,3", "r2,1,3"))
    assert [(r.x_m, r.y_m, r.column) for r in plain.racks] == [(0.6, 3.0, None), (1.0, 3.0, None)]
    assert plain.notes == ("x and y are taken as metres",)
    cells = parse_rack_list(rows("name,row,x,y", "r1,B,4,2", "r2,,5,2"))
    assert [(r.row, r.column, r.x_m) for r in cells.racks] == [("B", 4, None), ("2", 5, None)]
    assert cells.notes[0].startswith("x and y are whole numbers, taken as cells of the grid")


def test_devices_in_one_cell_or_one_a_row() -> None:
    one = parse_rack_list(
        rows("name,devices", 'r1,"U1 node-1; U9 ""a; b""; loose"'.replace("'", ""))
    )
    # the cell reads: U1 node-1; U9 "a; b"; loose
    assert one.racks[0].devices == ((1, "node-1"), (9, "a; b"), (None, "loose"))
    several = parse_rack_list(rows("rack,unit,device,row", "r1,U1,node-1,A", "r1,9,node-2,"))
    assert several.racks == (RackRow(2, "r1", row="A", devices=((1, "node-1"), (9, "node-2"))),)


def test_each_bad_row_is_one_line_with_row_and_column() -> None:
    found = parse_rack_list(
        rows(
            "name,row,column,units,kW,airflow,devices",
            "ok,A,1,42,20,,",
            "r2,A,one,42,20,,",
            "r3,A,2,4.5,20,,",
            "r4,A,3,42,-1,,",
            "r5,A,4,42,20,up,",
            "ok,A,2,42,20,,",
            ",A,,42,20,,",
            'r6,A,5,42,20,,U1 "x" y"',
        )
    )
    assert [rack.name for rack in found.racks] == ["ok"]
    assert found.problems == (
        'row 3: column C (column): "one" is no number',
        "row 4: column D (units): 4.5 is no whole number",
        "row 5: column E (kW): -1 lies outside 0 to 100,000",
        f'row 6: column F (airflow): "up" is none of {AIRFLOWS}',
        'row 7: "ok" has column 2 here and 1 in row 2',
        "row 8: neither a name nor a row and a column",
        'row 9: column G (devices): "U1 "x" y"" is no list such as U1 node-1; U9 node-2',
    )


def test_blocked_cells() -> None:
    found = parse_rack_list(rows("row,column,blocked", "B,4,column", "B,5,CRAC", ",5,door"))
    assert [(c.row, c.column, c.blocked) for c in found.cells] == [
        ("B", 4, "pillar"), ("B", 5, "cooling"),
    ]  # fmt: skip
    assert found.problems == ("row 4: a blocked cell needs a row and a column",)


def test_thousands_of_bad_rows_are_not_all_told() -> None:
    found = parse_rack_list(rows("name,units", *(f"r{n},x" for n in range(MOST_PROBLEMS + 7))))
    assert len(found.problems) == MOST_PROBLEMS + 1
    assert found.problems[-1] == "and 7 more bad rows"


def test_a_semicolon_file_with_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "racks.csv"
    path.write_bytes("name;row;column;kW\r\nr1;A;1;12,5\r\n'=r2;A;2;\r\n".encode("utf-8-sig"))
    found = read_rack_list(path)
    assert [(r.name, r.power_kw) for r in found.racks] == [("r1", 12.5), ("=r2", None)]


AIRFLOWS = "front-to-back, back-to-front, side-to-side, liquid"
HALL = [("r1", 7.0, 1, 48), ("r2", 7, 1.5, 4)]


def test_a_workbook_may_have_other_sheets(tmp_path: Path) -> None:
    path = tmp_path / "racks.xlsx"
    tables = [
        Table("Cover", ("Project",), [("x",)], 1),
        Table("Hall 1", ("name", "row", "column", "units"), HALL, len(HALL)),
    ]  # fmt: skip
    path.write_bytes(xlsx_bytes(tables))
    found = read_rack_list(path)
    assert found.racks == (RackRow(2, "r1", row="7", column=1, units=48),)
    assert found.problems == ('sheet "Hall 1", row 3: column C (column): 1.5 is no whole number',)


def test_files_that_are_no_rack_lists(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("id,label_a\n1,2\n", encoding="utf-8")
    with pytest.raises(BadFileError, match="is no rack list"):
        read_rack_list(path)
    path.write_bytes(b"PK\x03\x04nothing")
    with pytest.raises(BadFileError, match="is no XLSX workbook"):
        read_rack_list(path)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("a.txt", "b")
    path.write_bytes(packed.getvalue())
    with pytest.raises(BadFileError, match="is no XLSX workbook"):
        read_rack_list(path)
    path.write_text("name\n" + "r\n" * (MAX_ROWS + 1), encoding="utf-8")
    with pytest.raises(BadFileError, match="more than 200,000 rows"):
        read_rack_list(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name,row,column\nr1,"A,1\nr2,A,2\n', "row 2: a quote is never closed, all 2 lines from"),
        (f'name\n"{"x" * 200_000}\n', "row 2 has a cell larger than 131,072 letters. Is a quote"),
        (
            "name,row,Row\nr1,A,B\n",
            'row 1: the head "Row" stands in columns B and C. Leave one out',
        ),
        ("id,label_a\n1,2\n", "its heads are id, label_a, none of them name, row, x or x_m. Give"),
    ],
)
def test_lists_that_cannot_be_read(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "li.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFileError) as caught:
        read_rack_list(path)
    assert says in caught.value.line


def test_a_text_that_bears_the_name_of_a_workbook(tmp_path: Path) -> None:
    path = tmp_path / "li.xlsx"
    path.write_text("name\nr1\n", encoding="utf-8")
    with pytest.raises(BadFileError, match="is no XLSX workbook, it only bears the name"):
        read_rack_list(path)


def test_rows_with_more_cells_than_heads(tmp_path: Path) -> None:
    path = tmp_path / "li.csv"
    path.write_text("name,row,column\nr1,A,1\nr2,A,2,3,4\nr3,A,3,,\n", encoding="utf-8")
    found = read_rack_list(path)
    assert [rack.name for rack in found.racks] == ["r1", "r3"]
    assert found.problems == ("row 3 has 5 cells, the head has 3",)
    assert found.bad_rows == 1


def test_heads_without_rows_are_told(tmp_path: Path) -> None:
    path = tmp_path / "li.csv"
    path.write_text("name,row\n", encoding="utf-8")
    assert read_rack_list(path).notes == ("the list has heads and no rows under them",)


@given(st.lists(st.lists(st.text(max_size=12), min_size=1, max_size=4), max_size=6), st.booleans())
def test_rows_of_a_file_come_as_they_were_written(table: list[list[str]], ended: bool) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(table)
    whole = text.getvalue() if ended else text.getvalue().removesuffix("\n")
    assert [cells for _, cells in csv_rows(whole, "x")] == table
    if table:
        with pytest.raises(BadFileError, match="a quote is never closed"):
            list(csv_rows(whole.removesuffix("\n")[:-1], "x"))


names = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cf")), min_size=1, max_size=30
)


@given(st.lists(st.tuples(st.none() | st.integers(0, 200), names.map(str.strip).filter(bool))))
def test_devices_read_back_as_written(devices: list[tuple[int | None, str]]) -> None:
    text = devices_text(devices)
    found = parse_rack_list([SheetRow("", 1, ("name", "devices")), SheetRow("", 2, ("r", text))])
    assert found.problems == ()
    assert found.racks[0].devices == tuple(devices)


cells = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40)
heads = st.sampled_from(
    ("name", "room", "row", "column", "x", "y", "x_m", "units", "kW", "airflow", "devices",
     "blocked", "unit", "device", "?", "")
)  # fmt: skip


@given(st.lists(heads, max_size=8), st.lists(st.lists(cells, max_size=8), max_size=8))
def test_no_table_breaks_the_reader(head: list[str], body: list[list[object]]) -> None:
    made = [SheetRow("", 1, tuple(head))]
    made += [SheetRow("", n, tuple(row)) for n, row in enumerate(body, 2)]  # type: ignore[arg-type]
    if not {"name", "row", "x", "x_m"} & set(head):
        with pytest.raises(BadFileError, match="is no rack list"):
            parse_rack_list(made)
        return
    known = [name for name in head if name not in ("?", "")]
    if len(set(known)) < len(known):
        with pytest.raises(BadFileError, match="stands in columns"):
            parse_rack_list(made)
        return
    found = parse_rack_list(made)
    assert len({rack.name for rack in found.racks}) == len(found.racks)
    assert all("\n" not in problem for problem in found.problems)
    for rack in found.racks:
        assert rack.units is None or 1 <= rack.units <= 200
        assert rack.power_kw is None or 0 <= rack.power_kw <= 100_000
