"""Deliverables made twice are the same bytes, whenever and by whichever process."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

POD = "pod64-h100.topo.json"
# One entry a process: the arguments, in which every name that begins with OUT is a file to write.
RUNS: dict[str, list[list[str]]] = {
    "cables": [[
        "cables", POD, "-o", "OUT.xlsx", "--labels", "OUT-labels.pdf", "--port-maps",
        "OUT-ports.xlsx", "--plan", "OUT-plan.xlsx", "--hca", "OUT-hca.xlsx", "--links",
        "OUT-links.xlsx",
    ], ["cables", POD, "-o", "OUT.csv", "--labels", "OUT-labels.xlsx"]],
    "bom": [["bom", POD, "-o", "OUT.xlsx"], ["bom", POD, "-o", "OUT.csv"]],
    "floor": [["floor", POD, "-o", f"OUT.{end}"] for end in ("pdf", "svg", "png", "xlsx")]
    + [["floor", POD, "--elevations", "-o", "OUT-racks.pdf"]],
    "report": [["report", POD, "-o", f"OUT.{end}"] for end in ("pdf", "html", "md")]
    + [["report", POD, "--model", "llama3-70b", "--tp", "8", "-o", "OUT-plan.pdf"]],
    "export": [["export", POD, f"OUT.{end}"] for end in ("pdf", "svg", "png")],
    "convert": [
        ["convert", POD, f"OUT{end}", "--to", kind]
        for kind, end in (
            ("csv", ".csv"), ("graphml", ".graphml"), ("ib-node-names", ".node-name-map"),
            ("ufm-p2p", "-p2p.xlsx"), ("ufm-ptp", "-ptp.xlsx"), ("ufm-topo", ".topo"),
            ("ufm-hca", ".hca.csv"), ("topoedit", ".topo.json"),
        )
    ],
}  # fmt: skip
_PROGRAM = """
import json, sys
from topoedit.cli.main import main
for arguments in json.loads(sys.argv[1]):
    code = main(arguments)
    assert code == 0, (arguments, code)
"""


def made(runs: list[list[str]], samples: Path, folder: Path, seed: str) -> dict[str, bytes]:
    """The files that some commands write in a process of their own."""
    import json

    folder.mkdir()
    filled = [
        [
            str(samples / word) if word == POD
            else str(folder / word) if word.startswith("OUT") else word
            for word in run
        ]
        for run in runs
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, json.dumps(filled)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("command", RUNS)
def test_two_processes_write_the_same_bytes(command: str, samples: Path, tmp_path: Path) -> None:
    first = made(RUNS[command], samples, tmp_path / "first", "1")
    second = made(RUNS[command], samples, tmp_path / "second", "2")
    assert len(first) >= len(RUNS[command])
    assert [name for name in first if first[name] != second[name]] == []
    for name, data in first.items():
        assert first.keys() == second.keys()
        if name.endswith(".pdf"):
            tells_no_time_in_pdf(data)
        elif name.endswith(".xlsx"):
            tells_no_time_in_xlsx(data)


def tells_no_time_in_pdf(data: bytes) -> None:
    """Two runs within one second would agree by chance, so what tells the time is looked for."""
    assert not re.search(rb"/(CreationDate|ModDate)|xmp:(Create|Modify|Metadata)Date", data)
    assert re.search(rb"CreatorTool=.topoedit|/Creator", data)


def tells_no_time_in_xlsx(data: bytes) -> None:
    """No member of the package and no property says when the workbook was written."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert {member.date_time for member in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        properties = package.read("docProps/core.xml").decode()
    assert "<dc:creator>topoedit</dc:creator>" in properties
    assert "openpyxl" not in properties
    assert not re.search(r"created|modified|20\d\d-", properties)
