"""Anybody's table of collective calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from topoedit.app.validate.run import validate
from topoedit.errors import BadFileError

HEAD = (
    "id,source,collective,gpus,gpus_per_node,gpu,intra_link,inter_link,message_bytes,time_us,"
    "busbw_GBps\n"
)


def write(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "calls.csv"
    path.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_my_own_call(tmp_path: Path) -> None:
    """8 x H100 with NVLS, 16 GiB, 480 GB/s of bus bandwidth."""
    path = write(tmp_path, "M-1,mine,all_reduce,8,8,H100-80GB,NVLink4,none,17179869184,,480")
    found = validate(collectives=path)
    (row,) = found.rows
    assert row.published == pytest.approx(2 * 7 / 8 * 2**34 / 480e9)
    assert row.error is not None
    assert abs(row.error) < 0.03
    assert row.interval is not None
    assert found.summary.step_time.n == 0
    assert found.summary.collectives.by_setup["M"].n == 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("M-1,mine,all_reduce,8,8,Banana,NVLink4,none,1024,10,", "the accelerator is not named"),
        ("M-1,mine,juggle,8,8,H100,NVLink4,none,1024,10,", "juggle is no operation of the model"),
        ("M-1,mine,all_reduce,,8,H100,NVLink4,none,1024,10,", "the number of GPUs is not given"),
        ("M-1,mine,all_reduce,8,8,H100,NVLink4,none,1024,,", "gives neither time nor rate"),
        ("M-1,mine,all_reduce,8,8,H100,NVLink4,none,0,10,", "a call of 0 bytes has no rate"),
        ("M-1,mine,all_reduce,16,8,H100,NVLink4,,1024,10,", "the network is not described"),
    ],
)
def test_a_call_that_cannot_be_compared_says_why(tmp_path: Path, line: str, why: str) -> None:
    (row,) = validate(collectives=write(tmp_path, line)).rows
    assert row.skipped == why
    assert row.predicted is None


def test_a_table_without_sizes_of_groups_gives_one_line(tmp_path: Path) -> None:
    path = tmp_path / "calls.csv"
    path.write_text("id,collective,gpu,time_us\n", encoding="utf-8")
    with pytest.raises(BadFileError, match="lacks the column gpus"):
        validate(collectives=path)


def test_a_row_that_is_shipped_too_says_there_how_its_benchmark_ran(tmp_path: Path) -> None:
    """A Python benchmark adds host time that the published columns do not tell."""
    source = "stas00/ml-engineering network/README.md"
    line = "MLEA100-001," + source + ",all_reduce,8,8,A100-80GB,NVLink3/NVSwitch,none,{},{},"
    shipped = {row.id: row for row in validate().rows}["MLEA100-001"]
    assert shipped.published is not None
    micro = shipped.published * 1e6
    path = write(tmp_path, line.format(32768, micro))
    (row,) = validate(collectives=path).rows
    assert row.error == pytest.approx(shipped.error)
