"""A file with two cables in one port: `check` reports it whole, everything else refuses it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

Run = Callable[..., Ran]
POD = "pod64-h100.topo.json"
SHARED = "two cables in port 15 of leaf-8: link-c127 (leaf-8:15-16 – spine-4:15-16) and link-again"


@pytest.fixture
def shared(samples: Path, tmp_path: Path) -> Path:
    """The pod with a further cable from leaf-8 to spine-4, in a port that has one."""
    content = json.loads((samples / POD).read_text(encoding="utf-8"))
    again = {"is": "link", "id": "link-again", "a": ["leaf-8", "15"], "b": ["spine-4", "40"],
             "cables": "c900", "medium": "400g-dr4", "gbps": 400.0, "length_m": 7.0}  # fmt: skip
    content["elements"].append(again)
    file = tmp_path / "shared.topo.json"
    lines = ",\n".join(
        json.dumps(element, separators=(",", ":")) for element in content["elements"]
    )
    file.write_text(
        f'{{"format":"topoedit","format_version":{content["format_version"]},"elements":[\n'
        f"{lines}\n]}}\n",
        encoding="utf-8",
    )
    return file


def test_check_names_both_cables_and_the_port(topoedit: Run, shared: Path, samples: Path) -> None:
    ran = topoedit("check", shared)
    assert ran.code == 1
    assert f"error   ports-overused: {SHARED}" in ran.out
    assert "Give one of them a free port, such as " in ran.out
    assert "at leaf-8, link-c127, link-again" in ran.out
    report = topoedit("check", shared, "--json").json
    whole = topoedit("check", samples / POD, "--json").json
    assert report["counts"] == {**whole["counts"], "error": whole["counts"]["error"] + 1}
    (found,) = [v for v in report["violations"] if v["severity"] == "error"]
    assert found["elements"] == ["leaf-8", "link-c127", "link-again"]
    others = [v for v in report["violations"] if v != found]
    assert others == whole["violations"]


def test_the_severity_and_the_choice_of_rules_hold_for_it_too(topoedit: Run, shared: Path) -> None:
    milder = topoedit("check", shared, "--severity", "ports-overused=warning", "--json")
    assert milder.code == 0
    assert SHARED in milder.json["violations"][0]["message"]
    assert topoedit("check", shared, "--rule", "rail-wiring").code == 0
    assert topoedit("check", shared, "--rule", "ports-overused").code == 1


def test_sarif_points_at_the_line_of_the_second_cable(
    topoedit: Run, shared: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.sarif"
    assert topoedit("check", shared, "--sarif", out).code == 1
    results = json.loads(out.read_text(encoding="utf-8"))["runs"][0]["results"]
    (found,) = [one for one in results if one["ruleId"] == "ports-overused"]
    lines = shared.read_text(encoding="utf-8").split("\n")
    wanted = next(n for n, line in enumerate(lines, 1) if '"link-again"' in line)
    places = [place["physicalLocation"] for place in found["locations"]]
    assert wanted in [place.get("region", {}).get("startLine") for place in places]


@pytest.mark.parametrize("command", ["info", "cables", "bom", "floor"])
def test_other_commands_refuse_it_in_one_line(topoedit: Run, shared: Path, command: str) -> None:
    ran = topoedit(command, shared)
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert "two cables in port leaf-8:15 (link-c127 and link-again)" in ran.err


def test_what_is_broken_otherwise_is_refused_by_check_too(topoedit: Run, shared: Path) -> None:
    text = shared.read_text(encoding="utf-8")
    shared.write_text(text.replace('"spine-4","40"', '"spine-9","40"'), encoding="utf-8")
    assert topoedit("check", shared).code == 1  # the cable set aside is not looked at further
    shared.write_text(text.replace('"is":"link"', '"is":"link","gbps":"x"', 1), encoding="utf-8")
    ran = topoedit("check", shared)
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
