"""`topoedit export` from the command line, without a display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
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
    assert (said["file"], said["format"]) == (str(target), "svg")
    assert said["bytes"] == target.stat().st_size
    assert 0.4 < said["estimated_bytes"] / said["bytes"] < 2.5
    assert (said["pages"], said["collapsed"]) == (1, False)
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


def test_a_poster_says_its_size_before_it_is_written(tmp_path: Path) -> None:
    target = tmp_path / "dgx.pdf"
    done = run(SAMPLE, target, "--paper", "a3", "--pages", "2x2", "--metric", "demand")
    assert done.returncode == 0, done.stderr
    assert "4 pages A3" in done.stderr
    assert "--metric is ignored" in done.stderr
    assert target.read_bytes().count(b"/Type /Page\n") == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--pages", "2x2"), "--pages: there is no paper"),
        (("--paper", "A9"), 'there is no paper "A9"'),
        (("--paper", "A4", "--pages", "many"), '"many" is no number of pages'),
        (("--hide", "colour=red"), '"colour=red" names no layer'),
        (("--background", "white", "--theme", "dark"), "cannot be read on white"),
        (("--embed",), "a PDF cannot hold the drawing"),
        (("--margin", "-3"), "a margin lies between"),
    ],
)
def test_wrong_choices_are_one_line(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    done = run(SAMPLE, tmp_path / "dgx.pdf", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "dgx.pdf").exists()


def test_only_the_size_is_said_on_request(tmp_path: Path) -> None:
    done = run(SAMPLE, tmp_path / "dgx.png", "--estimate", "--scale", "2")
    assert done.returncode == 0
    assert "1\u2009280 ×" in done.stdout
    assert not list(tmp_path.iterdir())
