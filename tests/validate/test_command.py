"""`topoedit validate`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from topoedit.cli.main import main

Writer = Callable[..., Path]


def test_json_is_the_contract(table: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "--rows", str(table({"measured_mem_GiB": "40"})), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert set(data) == {"rows", "summary"}
    needed = {"id", "source", "kind", "predicted", "published", "error", "skipped"}
    assert all(needed <= set(row) for row in data["rows"])
    assert [row["kind"] for row in data["rows"]] == ["step_time", "memory"]
    summary = data["summary"]
    assert {"step_time", "memory", "collectives", "leave_out"} <= set(summary)
    assert {
        "n", "skipped", "mean_abs_error", "median_abs_error", "p90_abs_error", "bias",
        "slope_per_doubling", "by_source",
    } <= set(summary["step_time"])  # fmt: skip
    assert set(summary["collectives"]["by_size"]) == {"small", "middle", "large"}
    figures = {"n", "median_abs_error", "p90_abs_error", "worst_abs_error"}
    assert set(summary["collectives"]["by_size"]["small"]) == figures
    assert summary["leave_out"] is None


def test_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate"]) == 0
    text = capsys.readouterr().out
    assert "Step time, complete rows: 206 rows (7 skipped)" in text
    assert "apart, their plan not published whole: TITAN-031" in text
    assert "80 % intervals, on rows whose source no fit has seen" in text
    assert "global_batch is not given" in text
    assert "The 10 rows that are furthest off" in text


def test_all_rows_when_asked(table: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    changes = [{"id": f"MINE-{i:03}"} for i in range(12)]
    assert main(["validate", "--rows", str(table(*changes)), "--all"]) == 0
    assert capsys.readouterr().out.count("MINE-0") == 12


def test_bad_tables_and_bad_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    assert main(["validate", "--rows", str(path)]) == 2
    assert "lacks the columns id, gpu, gpus, model" in capsys.readouterr().err
    assert main(["validate", "--leave-out", "nobody"]) == 2
    assert main(["validate", "--rows", str(tmp_path / "absent.csv")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.strip().splitlines()) == 2
