"""The fitted constants against published measurements, and how the table is read."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.collectives.shapes import shape
from topoedit.engine.collectives.constants import constant_set, section
from topoedit.engine.collectives.fit import fit, knobs, leave_one_out, log_errors
from topoedit.engine.collectives.interval import interval_of
from topoedit.engine.collectives.published import published_rows, read_rows, scored
from topoedit.errors import BadFileError

MIB = 2.0**20


@pytest.fixture(scope="module")
def rows():
    return [row for row in scored(read_rows(published_rows())) if row.setup != "NCCL527"]


def errors(rows, constants, low, high):
    found = np.abs(np.expm1(log_errors(rows, constants)))
    return np.array([e for e, row in zip(found, rows, strict=True) if low <= row.size < high])


@pytest.mark.parametrize(
    ("low", "high", "count", "median"),
    [(0, MIB, 30, 0.05), (MIB, 64 * MIB, 28, 0.035), (64 * MIB, np.inf, 114, 0.01)],
)
def test_median_errors_of_the_fitted_set(rows, low, high, count, median):
    found = errors(rows, constant_set("fitted"), low, high)
    assert len(found) == count
    assert np.median(found) <= median


def test_published_constants_are_worse_and_shipped_beside(rows):
    ours = errors(rows, constant_set("fitted"), 64 * MIB, np.inf)
    nccl = errors(rows, constant_set("nccl-2.30.7"), 64 * MIB, np.inf)
    assert np.median(nccl) > 5 * np.median(ours)


def test_one_row_by_hand(rows):
    # 8 x H100, 16 GiB, NVLS, busbw 483.05 GB/s measured
    row = next(row for row in rows if row.id == "AWSP5X1-013")
    assert row.time == pytest.approx(62239e-6)
    assert row.size == 2.0**34
    assert abs(row.error()) < 0.02


def test_intervals_hold_about_eighty_percent_of_the_rows(rows):
    inside = 0
    for row in rows:
        predicted = row.time * (1 + row.error())
        found = interval_of(predicted, row.op, row.size, row.shape)
        inside += found.low_s <= row.time <= found.high_s
    assert inside / len(rows) >= 0.75  # fitted rows: more than rows left out


def test_interval_says_what_lies_outside_the_measured_range():
    inside = interval_of(1.0, "all_reduce", 1e9, shape(8, multicast=True))
    assert inside.extrapolated == ()
    assert "8 H" in inside.nearest
    outside = interval_of(1.0, "all_reduce", 1e9, shape(1024, 128))
    assert any("1024 GPUs; measured up to 32" in reason for reason in outside.extrapolated)
    assert outside.low_s < inside.low_s
    assert interval_of(1.0, "broadcast", 1e9, shape(8)).extrapolated == (
        "broadcast was never measured",
    )
    assert (
        "measured on cdna3"
        in interval_of(
            1.0, "all_gather", 1e9, shape(8, generation="cdna3", accelerator="mi300x")
        ).extrapolated[0]
    )


def test_every_measured_setup_is_known_to_the_constants():
    for one in section().measured:
        assert one.generation in section().sets["fitted"].generations
        assert not one.network or one.network in section().sets["fitted"].networks


def test_a_few_rows_can_be_fitted_again(rows):
    pytest.importorskip("scipy")
    few = [row for row in rows if row.setup in {"DGXCH100", "MLEH200"}]
    start = constant_set("fitted")
    assert {k.owner for k in knobs(few)} == {"", "hopper"}
    after = errors(few, fit(few, start), 64 * MIB, np.inf)
    assert np.median(after) <= np.median(errors(few, start, 64 * MIB, np.inf)) + 1e-3


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_leave_one_setup_out(rows):
    pytest.importorskip("scipy")
    sets = section().sets
    left = leave_one_out(rows, sets["fitted"], sets["nccl-2.30.7"])
    found = {row.id: abs(np.expm1(left[row.id])) for row in rows}
    for low, high, bar in ((0, MIB, 0.13), (MIB, 64 * MIB, 0.06), (64 * MIB, np.inf, 0.015)):
        assert np.median([found[r.id] for r in rows if low <= r.size < high]) <= bar


def test_rows_that_say_too_little_are_skipped_with_the_reason(tmp_path):
    table = tmp_path / "rows.csv"
    table.write_text(
        "id,collective,gpus,gpus_per_node,gpu,intra_link,inter_link,message_bytes,busbw_GBps\n"
        "A-1,all_reduce,8,8,H100,NVLink4,none,1e9,450\n"
        "A-2,all_reduce,8,8,,NVLink4,none,1e9,450\n"
        "A-3,all_reduce,16,8,H100,NVLink4,,1e9,450\n"
        "A-4,gossip,8,8,H100,NVLink4,none,1e9,450\n"
        "A-5,all_reduce,8,8,H100,NVLink4,none,1e9,\n"
        "A-6,all_reduce,,8,H100,NVLink4,none,1e9,450\n"
        "A-7,all_reduce,x,8,H100,NVLink4,none,1e9,450\n",
        encoding="utf-8",
    )
    found = read_rows(table)
    assert [row.id for row in scored(found)] == ["A-1"]
    assert all(row.skipped for row in found[1:])


def test_a_file_that_is_no_table_is_refused(tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(BadFileError, match="lacks the columns"):
        read_rows(other)
    with pytest.raises(BadFileError, match="cannot be read"):
        read_rows(tmp_path / "absent.csv")


@pytest.mark.parametrize("column", ["gpus", "gpus_per_node", "message_bytes", "time_us"])
@pytest.mark.parametrize(
    "cell", ["inf", "1e400", "nan", "-1", "\x00", "0x10", "1,5", "\x1b[2J", "1e99"]
)
def test_cells_that_are_no_number_skip_their_row(tmp_path, column, cell):
    good = {"id": "A-001", "collective": "all_reduce", "gpus": "8", "gpus_per_node": "8",
            "gpu": "H100", "message_bytes": "1e9", "time_us": "5000"}  # fmt: skip
    table = tmp_path / "rows.csv"
    row = ",".join(f'"{cell if name == column else text}"' for name, text in good.items())
    table.write_text("\n".join([",".join(good), row, "B-001,all_reduce"]), encoding="utf-8")
    bad, short = read_rows(table)
    assert column in bad.skipped
    assert short.skipped == "the number of GPUs is not given"
