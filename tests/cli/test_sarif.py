"""`check --sarif`: every log is valid by SARIF 2.1.0, whatever the drawing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.sarif_format import broken_links, faults
from topoedit import paths
from topoedit.app.check import check
from topoedit.app.open import open_document
from topoedit.app.sarif import sarif_bytes
from topoedit.catalog.load import load_catalog
from topoedit.model.edits import Edit
from topoedit.rules.run import exclude

SAMPLES = sorted(paths.samples().glob("*.topo.json"))


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.name)
def test_the_log_of_every_sample_is_valid(file: Path) -> None:
    document = open_document(file, load_catalog(user=False)).document
    text = file.read_text(encoding="utf-8")
    log = json.loads(sarif_bytes(check(document), file, text))
    assert faults(log) == []
    assert broken_links(log) == []


def test_a_log_with_exclusions_is_valid(tmp_path: Path) -> None:
    file = paths.samples() / "laplink.topo.json"
    document = open_document(file, load_catalog(user=False)).document
    (finding,) = check(document).violations
    for comment in ("", "it is a museum"):
        accepted: Edit = exclude(document, finding, comment)
        inverse = document.apply(accepted)
        log = json.loads(sarif_bytes(check(document), Path("my drawings") / "a b.topo.json"))
        assert faults(log) == []
        assert len(log["runs"][0]["results"][0]["suppressions"]) == 1
        document.apply(inverse)


def test_what_is_not_valid_is_found() -> None:
    assert faults({"version": "2.0.0"}) == ["log lacks runs", "log.version is '2.0.0'"]
    run = {"tool": {"driver": {"name": ""}}, "results": [{"level": "info"}], "colour": 1}
    assert faults({"version": "2.1.0", "runs": [run]}) == [
        "log.runs[0].tool.driver.name is ''",
        "log.runs[0].results[0] lacks message",
        "log.runs[0].results[0].level is 'info'",
        "log.runs[0].colour is not defined",
    ]
