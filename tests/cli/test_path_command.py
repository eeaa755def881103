"""`topoedit path`: its table, its JSON keys, its exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

Run = Callable[..., Ran]


@pytest.fixture
def file(topoedit: Run, tmp_path: Path) -> Path:
    path = tmp_path / "pod.topo.json"
    assert topoedit("generate", "rail-optimized", "--nodes", 4, "-o", path).code == 0
    return path


def test_keys(topoedit: Run, file: Path):
    ran = topoedit("path", file, "node-01/gpu3", "rank:12", "--json")
    assert ran.code == 0
    found = ran.json
    assert (found["from"], found["to"]) == ("node-01/gpu3", "node-02/gpu4")
    assert "unreachable" not in found
    (path,) = found["paths"]
    assert {"share", "hops", "latency_s", "leaves_by"} <= set(path)
    for hop in path["hops"]:
        assert {
            "from", "to", "link", "cable", "port_a", "port_b", "medium", "metres", "gbps",
            "latency_s", "latency_source", "width",
        } <= set(hop)  # fmt: skip
        assert "load" not in hop
    assert path["leaves_by"] == "pxn"


def test_switches_work_without_a_model(topoedit: Run, file: Path):
    ran = topoedit(
        "path", file, "rank:3", "rank:12", "--pxn", "off", "--gpudirect", "off", "--json"
    )
    assert ran.json["paths"][0]["leaves_by"] == "host-copy"
    assert topoedit("path", file, "rank:3", "rank:12", "--pxn", "maybe").code == 2


def test_table_with_loads(topoedit: Run, file: Path):
    arguments = ("path", file, "node-01/gpu0", "node-02/gpu0", "--model", "llama-3.1-8b")
    ran = topoedit(*arguments, "--tp", 8)
    assert ran.code == 0
    assert "leaves by gpudirect" in ran.out
    assert "DP 100" in ran.out
    assert "measured elsewhere: 2.80 µs" in ran.out


def test_no_path_is_exit_1_with_whole_json(topoedit: Run, tmp_path: Path):
    text = tmp_path / "two.topo.json"
    assert topoedit("generate", "rail-optimized", "--nodes", 2, "-o", text).code == 0
    lines = [line for line in text.read_text().splitlines() if '"rail":3' not in line]
    text.write_text("\n".join(lines))
    ran = topoedit("path", text, "node-01:nic3", "node-02:nic3", "--json")
    assert ran.code == 1
    assert ran.json["paths"] == []
    assert ran.json["unreachable"]["pairs"] == 1
    assert topoedit("path", text, "node-01:nic3", "node-02:nic3").out.startswith("There is no path")


def test_bad_ends_are_exit_2(topoedit: Run, file: Path):
    ran = topoedit("path", file, "node-9", "rank:0")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
