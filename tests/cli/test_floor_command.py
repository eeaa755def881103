"""`topoedit floor` from the command line."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.cli.conftest import Ran
from topoedit.paths import samples

SAMPLE = samples() / "superpod-h100-127.topo.json"
Run = Callable[..., Ran]


def test_roll_ups_as_a_table_and_as_json(topoedit: Run) -> None:
    done = topoedit("floor", SAMPLE)
    assert done.code == 0, done.err
    assert ": 1.38 MW at most." in done.out
    said = topoedit("floor", SAMPLE, "--json", "--pue", "1.3").json
    assert said["power"]["it_kw"] == pytest.approx(1379.338)
    assert said["power"]["facility_kw"] == pytest.approx(1379.338 * 1.3, abs=0.001)
    assert said["total"]["units_used"] == 1066
    (room,) = said["rooms"]
    first = room["rows"][0]["rack_list"][0]
    assert (first["place"], first["x_m"], first["power_kw"]) == ("A01", 0.3, 40.8)
    assert [item["unit"] for item in first["contents"]] == [1, 9, 17, 25]
    assert topoedit("floor", SAMPLE, "--json").json["power"]["facility_kw"] is None


def test_a_rack_list_round_trip_changes_nothing(topoedit: Run, tmp_path: Path) -> None:
    out, again = tmp_path / "racks.xlsx", tmp_path / "same.topo.json"
    racks = tmp_path / "racks.csv"
    assert topoedit("floor", SAMPLE, "-o", out, "-o", racks).code == 0
    for listed in (out, racks):
        done = topoedit("floor", SAMPLE, "--racks", listed, "-o", again)
        assert done.code == 0, done.err
        assert done.out.startswith("0 new racks, 0 racks changed, 37 as before")
        assert again.read_bytes() == SAMPLE.read_bytes()
    book = load_workbook(out)
    assert book.sheetnames == ["Racks", "Roll-ups"]
    assert book["Racks"]["G2"].value == 48  # a number is a number
    header, first, *_ = csv.reader(racks.read_text(encoding="utf-8").splitlines())
    row = dict(zip(header, first, strict=True))
    assert (row["name"], row["row"], row["column"]) == ("su1-rack-1", "A", "1")
    assert row["devices"] == "U1 node-001; U9 node-002; U17 node-003; U25 node-004"


def test_a_list_places_racks_in_a_hall(topoedit: Run, tmp_path: Path) -> None:
    listed, target = tmp_path / "racks.csv", tmp_path / "hall.topo.json"
    listed.write_text(
        "rack,hall,row,column,kW,feed A,feed B,blocked\n"
        "spine-rack,Hall 1,B,3,20,30,30,\nspare,Hall 1,B,4,20,30,30,\n,Hall 1,B,5,,,,column\n",
        encoding="utf-8",
    )
    done = topoedit("floor", SAMPLE, "--racks", listed, "-o", target, "--room", "Hall 1", "--json")
    assert done.code == 0, done.err
    assert done.json["placed"]["made"] == 1
    (room,) = done.json["rooms"]
    assert (room["level"], room["name"], room["racks"]) == ("room", "Hall 1", 2)
    assert room["over"] == []
    rack = room["rows"][0]["rack_list"][0]
    assert rack["over"] == ["draws 27.5 kW, its budget is 20.0 kW"]
    assert rack["one_feed_lost"] == {"runs_on": 1, "fails": 0, "unknown": 0}
    assert room["floor"]["blocked"] == [{"row": "B", "column": 5, "what": "pillar"}]
    checked = topoedit("check", target, "--json").json
    assert {v["rule"] for v in checked["violations"] if v["severity"] == "error"} == {"rack-power"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("-o", "x.doc"), '".doc" is no format for a floor'),
        (("--by", "colour"), 'there is no figure "colour"'),
        (("--power", "mean"), 'there is no power "mean"'),
        (("--room", "Hall 9"), 'there is no room "Hall 9". There are: superpod-h100-127'),
        (("--pue", "0.5"), "a PUE of 0.5 is not possible"),
        (("--racks", "none.csv"), "there is no such file"),
        (("--theme", "pink", "-o", "x.svg"), 'there is no theme "pink"'),
        (("--scale", "1000", "-o", "x.svg"), "a scale lies between 0.01 and 100"),
    ],
)
def test_bad_usage_is_one_line(topoedit: Run, arguments: tuple[str, ...], says: str) -> None:
    done = topoedit("floor", SAMPLE, *arguments)
    assert done.code == 2
    assert says in done.err
    assert done.err.count("\n") == 1


def test_one_bad_row_is_one_line(topoedit: Run, tmp_path: Path) -> None:
    listed, target = tmp_path / "racks.csv", tmp_path / "out.topo.json"
    listed.write_text("name,units\nspine-rack,many\n", "utf-8")
    done = topoedit("floor", SAMPLE, "--racks", listed, "-o", target)
    assert (done.code, done.out, target.exists()) == (2, "", False)
    assert done.err == (
        f'topoedit: {listed}: row 2: column B (units): "many" is no number; nothing was placed. '
        "Mend the list, or use --skip-bad\n"
    )


def test_bad_rows_are_told_one_by_one(topoedit: Run, tmp_path: Path) -> None:
    listed, target = tmp_path / "racks.csv", tmp_path / "out.topo.json"
    listed.write_text("name,units\nspine-rack,many\nsu1-rack-1,0\nsu1-rack-2,40\n", "utf-8")
    done = topoedit("floor", SAMPLE, "--racks", listed, "-o", target)
    assert (done.code, target.exists()) == (2, False)
    lines = done.err.splitlines()
    assert lines[0].endswith('row 2: column B (units): "many" is no number')
    assert lines[1].endswith("row 3: column B (units): 0 lies outside 1 to 200")
    assert lines[2] == (
        f"topoedit: {listed}: 2 bad rows, nothing was placed. Mend the list, or use --skip-bad"
    )
    assert len(lines) == 3
    assert topoedit("floor", SAMPLE, "--racks", listed, "-o", target, "--skip-bad").code == 0
    assert target.exists()
