"""`topoedit export` from the command line, without a display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from defusedxml import ElementTree

from topoedit.paths import samples

SAMPLE = samples() / "dgx-h100.topo.json"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    bare = {
        k: v
        for k, v in os.environ.items()
        if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    return subprocess.run(
        [sys.executable, "-m", "topoedit.cli.main", "export", *map(str, arguments)],
        capture_output=True, text=True, env=bare, timeout=120,
    )  # fmt: skip


def test_svg_coloured_by_a_plan(tmp_path: Path) -> None:
    target = tmp_path / "dgx.svg"
    done = run(SAMPLE, target, "--model", "llama-3.1-8b", "--tp", "8", "--json")
    assert done.returncode in (0, 1), done.stderr
    said = json.loads(done.stdout)
    assert said == {"file": str(target), "format": "svg", "bytes": target.stat().st_size}
    texts = [
        (e.text or "").strip() for e in ElementTree.parse(target).iter() if e.tag.endswith("text")
    ]
    assert "Demand" in texts
    assert any("TP 8" in t for t in texts)


def test_a_wrong_suffix_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    done = run(SAMPLE, tmp_path / "dgx.gif")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Use .svg, .png or .pdf" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_selection_that_names_nothing_is_refused(tmp_path: Path) -> None:
    done = run(SAMPLE, tmp_path / "dgx.png", "--selection", "nothing-like-it")
    assert done.returncode == 2
    assert "--selection" in done.stderr
    assert list(tmp_path.iterdir()) == []
