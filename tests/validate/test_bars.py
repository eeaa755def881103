"""What the shipped tables show; every figure here is a promise."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from topoedit.app.validate.records import RowResult, Validation
from topoedit.engine.published.step_rows import shipped_steps
from topoedit.engine.step.constants import physics


def _of(times: dict[str, RowResult], role: str) -> list[RowResult]:
    return [row for row in times.values() if row.role == role and row.skipped is None]


def test_complete_rows(shipped: Validation, times: dict[str, RowResult]) -> None:
    found = shipped.summary.step_time
    assert found.n == 206
    assert found.skipped == 7
    assert found.mean_abs_error is not None
    assert found.mean_abs_error <= 0.032
    assert found.median_abs_error is not None
    assert found.median_abs_error <= 0.022
    by_hand = [abs(row.error or 0) for row in _of(times, "calibrate")]
    assert np.mean(by_hand) == pytest.approx(found.mean_abs_error)
    assert sum(one.n for one in found.by_source.values()) == 206


def test_rows_that_no_fit_has_seen(shipped: Validation) -> None:
    dense, experts = shipped.summary.trend["dense"], shipped.summary.trend["moe"]
    assert (dense.n, experts.n) == (199, 75)
    assert dense.mean_abs_error is not None
    assert dense.mean_abs_error <= 0.04
    assert experts.mean_abs_error is not None
    assert experts.mean_abs_error <= 0.18


def test_the_error_does_not_drift_with_the_size_of_the_cluster(shipped: Validation) -> None:
    summary = shipped.summary
    for errors in (summary.step_time, *summary.trend.values()):
        assert errors.slope_per_doubling is not None
        assert abs(errors.slope_per_doubling) < 0.01


def test_only_the_named_rows_are_left_out(times: dict[str, RowResult]) -> None:
    out = {row.id: row.skipped or "" for row in times.values() if row.skipped}
    named = {"TITAN-023", "TITAN-024", "TITAN-029", "TITAN-030"} | {
        f"MLM21T2-00{i}" for i in (1, 2, 3)
    }
    assert {name for name, why in out.items() if why.startswith("left out")} == named
    cannot = {f"NEMOLS-{i:03}" for i in range(1, 18)} | {"DSV3-001"}
    cannot |= {"MLM20-001", "MLM20-003", "MLM20-005", "MLM20-007"}
    assert set(out) == named | cannot
    assert "volta" in out["MLM20-001"]
    assert all(times[name].predicted is not None for name in named)


def test_memory_of_rows_whose_plan_is_published_whole(shipped: Validation) -> None:
    found = shipped.summary.memory
    assert found.n == 12
    assert found.mean_abs_error is not None
    assert found.mean_abs_error <= 0.05
    assert found.worst_abs_error is not None
    assert found.worst_abs_error <= 0.15
    assert physics().memory_error == pytest.approx(found.p90_abs_error, abs=0.002)
    assert set(found.apart) == {"TITAN-031", "TITAN-032", "AWSTITAN-001", "AWSTITAN-002"}


@pytest.mark.parametrize(
    ("size", "median"), [("small", 0.05), ("middle", 0.035), ("large", 0.01)]
)  # fmt: skip
def test_collectives(shipped: Validation, size: str, median: float) -> None:
    found = shipped.summary.collectives
    assert found.skipped == 4  # the rows reported because they were badly tuned
    value = found.by_size[size].median_abs_error
    assert value is not None
    assert value <= median


def test_intervals_hold_on_rows_left_out(shipped: Validation) -> None:
    """80 % intervals from errors of sources that the fit had not seen."""
    found = shipped.summary.coverage
    assert found["all"].n == 480
    for kind, one in found.items():
        assert one.n >= 8, kind
        assert 0.75 <= one.share <= 0.9, kind


def test_no_predicted_time_without_its_interval(shipped: Validation) -> None:
    predicted = [row for row in shipped.rows if row.predicted is not None and row.kind != "memory"]
    for row in predicted:
        assert row.interval is not None, row.id
        assert row.interval.low_s < (row.predicted or 0) < row.interval.high_s, row.id
        assert row.interval.rows >= 8 or row.kind == "collective"


def test_the_shipped_table_has_the_published_columns_and_cites() -> None:
    with shipped_steps().open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 509
    assert {"gpu", "measured_step_time_s", "stack", "release", "sequence_parallel"} <= set(rows[0])
    assert all(row["source"] for row in rows)
    assert len({row["id"] for row in rows}) == len(rows)


def test_assumptions_are_told(times: dict[str, RowResult]) -> None:
    assert any("micro-batch" in text for text in times["MCORE24-001"].assumptions)
    assert any("200 Gb/s" in text for text in times["TITAN-033"].assumptions)
    assert times["MLM21T1-001"].assumptions == ()
