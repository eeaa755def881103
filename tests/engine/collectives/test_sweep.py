"""What nccl-tests should show: one row for each size."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from topoedit.app.collective import Request, collective_on, parse_sweep, sweep_on
from topoedit.app.generate import generate
from topoedit.catalog.load import load_catalog
from topoedit.cli.main import main
from topoedit.engine.compile import compile_fabric
from topoedit.engine.types import Fabric
from topoedit.errors import BadInputError
from topoedit.io import native


@pytest.fixture(scope="module")
def fabric() -> Fabric:
    pod = generate("rail-optimized", {"system": "dgx-h100", "nodes": "4"}, load_catalog(user=False))
    return compile_fabric(pod)


def test_sizes_double_as_nccl_tests_does() -> None:
    sizes = parse_sweep("8:16GiB")
    assert len(sizes) == 32
    assert sizes[0] == 8
    assert sizes[-1] == 2**34
    assert parse_sweep("1MiB:1GiB:4") == [2.0 ** (20 + 2 * k) for k in range(6)]
    assert parse_sweep("1KB:1KB") == [1000.0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("8", "is no range"),
        ("8:x", "is no size"),
        ("1GB:1MB", "leads from no size"),
        ("8:1GB:1", "leads from no size"),
        ("8:1GB:nan", "leads from no size"),
        ("8:1GB:z", "leads from no size"),
        ("1:1GB:1.0001", "200 or fewer"),
    ],
)
def test_ranges_that_are_none(text: str, said: str) -> None:
    with pytest.raises(BadInputError, match=said) as refused:
        parse_sweep(text)
    assert "--sweep" in refused.value.line


@pytest.mark.parametrize("op", ["all_reduce", "all_gather", "all_to_all", "broadcast", "send_recv"])
def test_every_row_is_the_single_call(fabric: Fabric, op: str) -> None:
    sizes = [2.0**k for k in range(3, 35, 4)]
    table = sweep_on(fabric, Request(op, 0), sizes)
    for size, row in zip(sizes, table.rows, strict=True):
        alone = collective_on(fabric, Request(op, size))
        assert row.bytes == size
        assert row.algorithm == alone.algorithm
        assert row.time_s == pytest.approx(alone.time_s, rel=1e-9)
        assert row.busbw_GBps == pytest.approx(alone.busbw_GBps, rel=1e-9)
        assert (row.low_s, row.high_s) == pytest.approx(
            (alone.interval.low_s, alone.interval.high_s)
        )
        assert row.busbw_low_GBps <= row.busbw_GBps <= row.busbw_high_GBps


def test_small_calls_wait_and_large_ones_reach_a_plateau(fabric: Fabric) -> None:
    table = sweep_on(fabric, Request("all_reduce", 0, ranks="8"), parse_sweep("8:16GiB"))
    times = np.array([row.time_s for row in table.rows])
    rates = np.array([row.busbw_GBps for row in table.rows])
    assert times[1] < 1.5 * times[0]
    assert rates[-1] < 1.05 * rates[-3]
    assert 440 < rates[-1] < 500  # measured with NVLS on eight H100: 480 GB/s
    assert (table.servers, table.ranks) == (1, 8)


def test_command_prints_a_table_and_json(fabric: Fabric, tmp_path: Path, capsys) -> None:
    file = tmp_path / "pod.topo.json"
    pod = generate("rail-optimized", {"system": "dgx-h100", "nodes": "4"}, load_catalog(user=False))
    native.save(pod, file)
    words = ["collective", str(file), "--op", "all_reduce", "--sweep", "1MiB:1GiB:32"]
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row["bytes"] for row in answer["rows"]] == [2**20, 2**25, 2**30]
    assert {"algorithm", "time_s", "algbw_GBps", "busbw_GBps", "low_s", "high_s"} <= set(
        answer["rows"][0]
    )
    assert main(words) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[1].split()[:3] == ["size", "algorithm", "time"]
    assert sum("33.6 MB" in line or "33.55 MB" in line for line in table) == 1
    assert main(["collective", str(file), "--op", "all_reduce"]) == 2
    assert "--sweep 8:16GiB" in capsys.readouterr().err
