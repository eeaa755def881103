"""The fit can be repeated, and rows left out are predicted as recorded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from topoedit.app.validate.calibrate import (
    Spread,
    as_csv,
    as_yaml,
    calibrate,
    spreads,
    write_calibration,
)
from topoedit.app.validate.fit import copies, fit, fit_rows, free_constants, leave_out, predict_with
from topoedit.app.validate.leave_out import recorded
from topoedit.app.validate.run import validate
from topoedit.app.validate.steps import StepTable, interval_kind, read_steps
from topoedit.engine.published.step_rows import shipped_steps
from topoedit.engine.step.constants import step_section
from topoedit.errors import BadInputError

pytest.importorskip("scipy")


@pytest.fixture(scope="module")
def table() -> StepTable:
    return read_steps(shipped_steps())


def test_at_most_a_handful_of_constants_for_each_generation_and_two_for_each_stack() -> None:
    free = free_constants()
    assert len(free) == 20
    for generation in ("ampere", "hopper", "blackwell"):
        assert sum(name.endswith(f".{generation}") for name in free) <= 4
    for stack in ("megatron21", "nemo", "eager", "compile", "xla"):
        assert sum(name.endswith(f".{stack}") for name in free) <= 2


def test_the_shipped_constants_are_what_the_rows_give(table: StepTable) -> None:
    found = fit(fit_rows(table.rows))
    known = step_section().constants
    for name, value in found.items():
        tolerance = max(0.02, 0.2 * (known[name].sigma or 0) / known[name].value)
        assert value == pytest.approx(known[name].value, rel=tolerance), name


def test_a_source_left_out_is_predicted_as_recorded(table: StepTable) -> None:
    """One source of Hopper and one of Blackwell stand for the long test below."""
    rows = fit_rows(table.rows)
    for tag in ("nemotron/README_15b.md @ tag v25.02", "performance-summary-archive.md (26.06)"):
        gone = [row for row in rows if row.source.endswith(tag)]
        values = fit([row for row in rows if not row.source.endswith(tag)])
        seconds = predict_with(gone, values)
        expected = [recorded()[row.id] for row in gone]
        assert seconds == pytest.approx(np.array(expected), rel=0.01)


def test_recorded_errors_of_sources_left_out(table: StepTable) -> None:
    """Leave one source out: at most 5.2 % mean, priors frozen beforehand."""
    errors = [recorded()[row.id] / row.measured - 1 for row in fit_rows(table.rows)]
    assert len(errors) == 206
    assert np.mean(np.abs(errors)) <= 0.052


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_every_source_left_out_is_predicted_as_recorded(table: StepTable) -> None:
    found = leave_out([r for r in table.rows if not r.left_out], lambda row: row.source)
    for name, seconds in found.items():
        assert seconds == pytest.approx(recorded()[name], rel=0.01), name


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_collectives_of_setups_left_out() -> None:
    found = validate(leave="setup").summary.leave_out
    assert found is not None
    assert found.collectives is not None
    sizes = found.collectives.by_size
    for size, bar in (("large", 0.015), ("middle", 0.06), ("small", 0.13)):
        median = sizes[size].median_abs_error
        assert median is not None
        assert median <= bar


def test_releases_left_out() -> None:
    """Experts: 18 % on releases never seen, 15 % with a factor from a release's other rows."""
    found = validate(leave="release").summary.leave_out
    assert found is not None
    assert len(found.releases) == 8
    unseen, factor = (found.trend[name].mean_abs_error for name in ("moe", "moe_with_factor"))
    assert unseen is not None
    assert unseen <= 0.18
    assert factor is not None
    assert factor <= 0.15


def test_near_copies_share_one_weight(table: StepTable) -> None:
    rows = [row for row in table.rows if row.id in ("DGXC-069", "DGXC-070", "DGXC-071")]
    assert copies(rows) == pytest.approx(np.full(3, 3**-0.5))  # one plan on 128, 256, 512 GPUs


def test_intervals_hold_four_fifths_of_what_they_are_made_of(table: StepTable) -> None:
    rows = [row for row in table.rows if row.id in recorded()]
    found = spreads(rows, recorded())
    known = step_section().intervals
    assert set(found) == set(known)
    for kind, one in found.items():
        assert one.rows == known[kind].rows == sum(interval_kind(r) == kind for r in rows)
        assert (one.low, one.high) == pytest.approx((known[kind].low, known[kind].high), abs=0.002)


def test_a_table_of_my_own_is_predicted_by_the_shipped_rows(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    header, *lines = shipped_steps().read_text("utf-8").splitlines()
    mine = next(line for line in lines if line.startswith("DGXC-033,"))
    path.write_text(f"{header}\n{mine.replace('NVIDIA/dgxc', 'my own')}\n", "utf-8")
    found = validate(steps=path, leave="source").summary
    assert found.leave_out is not None
    assert found.leave_out.step_time is not None
    unseen, now = found.leave_out.step_time.mean_abs_error, found.step_time.mean_abs_error
    assert unseen == pytest.approx(now, abs=0.005)  # it was in no fit to begin with
    assert found.coverage["all"].n == 1


def test_a_fit_needs_complete_rows_and_a_folder(table: StepTable, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    header, first = shipped_steps().read_text("utf-8").splitlines()[:2]
    path.write_text(f"{header}\n{first.replace(',calibrate,', ',trend,')}\n", "utf-8")
    with pytest.raises(BadInputError, match='no row has the role "calibrate"'):
        write_calibration(path, tmp_path)


def test_what_a_calibration_writes(table: StepTable) -> None:
    rows = [row for row in table.rows if "nemotron" in row.source or "paxml" in row.source]
    made = calibrate(rows, samples=1)
    text = "\n".join(as_yaml(made))
    assert all(f"  {name}: {{value: " in text for name in free_constants())
    assert isinstance(made.spreads["dense-hopper"], Spread)
    lines = list(as_csv(rows, made))
    assert lines[0] == "id,predicted_s"
    assert len(lines) == 1 + len([row for row in rows if not row.left_out])
