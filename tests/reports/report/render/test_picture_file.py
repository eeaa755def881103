"""The picture beside a Markdown report, and reports from a process without a display."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

from topoedit.app.report import Made, write_report


def test_the_diagram_is_a_file_beside_it(pod64: Made, tmp_path: Path) -> None:
    target = tmp_path / "my report.md"
    files = write_report(pod64, target)
    assert [path.name for path in files] == ["my report-diagram.svg", "my report.md"]
    assert "![Diagram](my%20report-diagram.svg)" in target.read_text()
    assert fromstring((tmp_path / "my report-diagram.svg").read_text()).tag.endswith("svg")


@pytest.mark.parametrize("kind", ["html", "pdf"])
def test_no_display_is_needed(samples: Path, tmp_path: Path, kind: str) -> None:
    bare = {
        key: value
        for key, value in os.environ.items()
        if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    target = tmp_path / f"dgx.{kind}"
    drawing = samples / "dgx-h100.topo.json"
    done = subprocess.run(
        [sys.executable, "-m", "topoedit.cli.main", "report", str(drawing), "-o", str(target),
         "--model", "llama3-8b"],
        capture_output=True, text=True, env=bare, timeout=200,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    assert target.stat().st_size > 20_000
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
