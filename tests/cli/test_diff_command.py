"""`topoedit diff`: its table, its JSON keys, its exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

Run = Callable[..., Ran]


@pytest.fixture
def files(topoedit: Run, tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old.topo.json", tmp_path / "new.topo.json"
    assert topoedit("generate", "fat-tree", "--nodes", 8, "-o", old).code == 0
    lines = old.read_text().splitlines()
    kept = [line for line in lines if '"node-08"' not in line]
    new.write_text("\n".join(kept))
    return old, new


def test_json(topoedit: Run, files: tuple[Path, Path]):
    ran = topoedit("diff", *files, "--json")
    assert ran.code == 0
    found = ran.json
    assert found["same"] is False
    assert found["a"]["file"].endswith("old.topo.json")
    assert found["counts"]["server"] == {"removed": 1}
    assert found["counts"]["cable"] == {"removed": 8}
    assert found["removed"][0].keys() == {"kind", "id", "name"}
    assert {c["a"] for c in found["cables"]["removed"]} | {
        c["b"] for c in found["cables"]["removed"]
    } >= {f"node-08:nic{n}" for n in range(8)}


def test_table_and_limit(topoedit: Run, files: tuple[Path, Path]):
    ran = topoedit("diff", *files, "--limit", 3)
    assert ran.code == 0
    assert "server node-08" in ran.out
    assert "and 5 more (--limit 0 shows all)" in ran.out
    assert "more (" not in topoedit("diff", *files, "--limit", 0).out


def test_exit_code_is_asked_for(topoedit: Run, files: tuple[Path, Path]):
    assert topoedit("diff", *files).code == 0
    assert topoedit("diff", *files, "--exit-code").code == 1
    same = topoedit("diff", files[0], files[0], "--exit-code")
    assert same == Ran(0, "Both hold the same.\n", "")


def test_a_missing_file_is_one_line(topoedit: Run, files: tuple[Path, Path]):
    ran = topoedit("diff", files[0], files[0].with_name("none.topo.json"))
    assert ran.code == 2
    assert ran.err.count("\n") == 1
