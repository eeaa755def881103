"""`topoedit check`: JSON, table, exit codes, severities, the list of rules and SARIF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from topoedit import paths
from topoedit.cli.main import main
from topoedit.rules.base import rules

LAPLINK = paths.samples() / "laplink.topo.json"


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_json_has_the_keys_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "check", LAPLINK, "--json")
    assert code == 1
    assert err == ""
    report = json.loads(out)
    assert {"violations", "counts", "checked", "unchecked"} <= report.keys()
    (violation,) = report["violations"]
    assert violation["rule"] == "cable-reach"
    assert violation["severity"] == "error"
    assert violation["elements"] == ["link-c2"]
    assert "the cable is 11 m" in violation["message"]
    assert violation["fix"]
    assert report["counts"] == {"error": 1, "warning": 0, "info": 0, "excluded": 0}
    assert report["checked"]["cable-reach"] == 2
    assert {"rule": "tp-domain", "why": "it needs a model and a plan"} in report["unchecked"]


def test_the_table_names_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", LAPLINK)
    assert code == 1
    assert "error   cable-reach: pc-3:lpt1 – pc-4:lpt1: LapLink" in out
    assert "1 error, 0 warnings, 0 notes, 0 excluded" in out
    assert "not checked" in out


def test_a_sound_drawing_passes(capsys: pytest.CaptureFixture[str], samples: Path) -> None:
    code, out, _ = run(capsys, "check", samples / "pod64-h100.topo.json", "--json")
    assert code == 0
    assert json.loads(out)["counts"]["error"] == 0


def test_a_plan_brings_its_rules(capsys: pytest.CaptureFixture[str], samples: Path) -> None:
    words = (
        "check",
        samples / "pod64-h100.topo.json",
        "--model",
        "llama3-70b",
        "--tp",
        16,
        "--json",
    )
    code, out, _ = run(capsys, *words)
    assert code == 0
    rules_found = [v["rule"] for v in json.loads(out)["violations"]]
    assert rules_found == ["tp-domain", "tor-blast"]


def test_severities_change_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", LAPLINK, "--severity", "cable-reach=warning", "--json")
    assert code == 0
    assert json.loads(out)["counts"]["warning"] == 1
    code, out, _ = run(capsys, "check", LAPLINK, "--severity", "cable-reach=off", "--json")
    assert code == 0
    assert json.loads(out)["violations"] == []


def test_one_rule_alone(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", LAPLINK, "--rule", "duplicate-name", "--json")
    assert code == 0
    assert json.loads(out)["checked"] == {"duplicate-name": 4}


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--severity", "cable-reach"), "is not RULE=LEVEL"),
        (("--severity", "cable-reech=info"), "Nearest: cable-reach"),
        (("--severity", "cable-reach=loud"), "One of: error, warning, info, off"),
        (("--rule", "nothing"), 'there is no rule "nothing"'),
        (("--sarif", "no/such/folder/out.sarif"), "there is no such folder"),
    ],
)
def test_bad_options_are_one_line(
    words: tuple[str, str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "check", LAPLINK, *words)
    assert code == 2
    assert out == ""
    assert text in err
    assert err.count("\n") == 1


def test_a_file_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "check")
    assert code == 2
    assert "say which file to check" in err


def test_the_list_of_rules(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", "--list", "--json")
    assert code == 0
    listed = json.loads(out)["rules"]
    assert [rule["id"] for rule in listed] == list(rules())
    assert all(rule["source"] and rule["severity"] for rule in listed)
    code, out, _ = run(capsys, "check", "--list")
    assert code == 0
    assert all(name in out for name in rules())


def sarif(capsys: pytest.CaptureFixture[str], file: Path, target: Path) -> dict[str, Any]:
    code, _, _ = run(capsys, "check", file, "--sarif", target)
    assert code in (0, 1)
    log: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return log


def test_sarif_has_the_structure_of_2_1_0(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = sarif(capsys, LAPLINK, tmp_path / "out.sarif")
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (one,) = log["runs"]
    driver = one["tool"]["driver"]
    assert driver["name"] == "topoedit"
    assert [rule["id"] for rule in driver["rules"]] == list(rules())
    assert {rule["defaultConfiguration"]["level"] for rule in driver["rules"]} == {
        "error", "warning", "note",
    }  # fmt: skip
    (result,) = one["results"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "cable-reach"
    assert result["level"] == "error"
    assert "11 m" in result["message"]["text"]
    assert len(result["partialFingerprints"]["elements/v1"]) == 64
    (place,) = result["locations"]
    line = place["physicalLocation"]["region"]["startLine"]
    assert '"id":"link-c2"' in LAPLINK.read_text(encoding="utf-8").splitlines()[line - 1]
    assert place["logicalLocations"][0]["name"] == "link-c2"
    invocation = one["invocations"][0]
    assert invocation["executionSuccessful"] is True
    notes = [n["associatedRule"]["id"] for n in invocation["toolExecutionNotifications"]]
    assert "tp-domain" in notes


def test_an_excluded_finding_is_suppressed_in_sarif(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = LAPLINK.read_text(encoding="utf-8")
    last = '"medium":"laplink","length_m":11.0}\n'
    assert last in text
    accepted = (
        '{"is":"exclusion","id":"e1","rule":"cable-reach","elements":["link-c2"],'
        '"comment":"it is a museum"}'
    )
    file = tmp_path / "museum.topo.json"
    file.write_text(text.replace(last, f"{last[:-1]},\n{accepted}\n"), encoding="utf-8")
    log = sarif(capsys, file, tmp_path / "out.sarif")
    (result,) = log["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": "inSource", "justification": "it is a museum"}]
    assert main(["check", str(file)]) == 0


def test_a_relative_file_keeps_its_uri(tmp_path: Path) -> None:
    from topoedit.app.sarif import uri_of

    assert uri_of(Path("my drawings/a.topo.json")) == "my%20drawings/a.topo.json"
    assert uri_of(tmp_path / "a b").startswith("file://")


def test_a_foreign_file_is_checked_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = Path(__file__).parents[1] / "data" / "ibnetdiscover" / "live.out"
    log = sarif(capsys, file, tmp_path / "out.sarif")
    results = log["runs"][0]["results"]
    assert all(r["locations"][0]["physicalLocation"]["region"]["startLine"] == 1 for r in results)
