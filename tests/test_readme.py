"""The README: what it points at exists, and its tour uses names that the product has."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from topoedit.catalog.load import load_catalog
from topoedit.cli.main import main
from topoedit.rules.base import rules
from topoedit.templates.base import templates

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


@pytest.fixture(scope="module")
def text() -> str:
    return README.read_text(encoding="utf-8")


def test_every_local_link_and_picture_exists(text: str) -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    local = [target for target in targets if "://" not in target]
    assert local
    assert [target for target in local if not (ROOT / target).exists()] == []


def test_the_tour_names_a_model_that_the_list_shows(text: str) -> None:
    found = re.search(r"choose \*([^*]+)\*", text)
    assert found is not None
    names = {model.name for model in load_catalog(user=False).models.values()}
    assert found.group(1) in names


def test_the_number_of_templates_is_right(text: str) -> None:
    words = ["six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    found = re.search(r"(\w+) ready templates", text)
    assert found is not None
    assert words.index(found.group(1)) + 6 == len(templates())


def test_the_number_of_rules_is_right(text: str) -> None:
    found = re.findall(r"(\d+) design rules", text)
    assert len(found) == 2
    assert {int(number) for number in found} == {len(rules())}


def section(text: str, title: str) -> str:
    """What stands under a heading."""
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_every_command_of_the_hand_over_works(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, samples: Path, qapp: object
) -> None:
    pod = samples / "pod64-h100.topo.json"
    (tmp_path / "pod.topo.json").write_bytes(pod.read_bytes())
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^topoedit (.+)$", section(text, "Check and hand over"), re.MULTILINE)
    assert len(lines) == 7
    for line in lines:
        words = shlex.split(line)
        assert main(words) == 0, line
        files = [w for w in words if re.fullmatch(r"[a-z]+\.[a-z]+", w)]
        assert files
        assert all((tmp_path / file).stat().st_size > 100 for file in files), line


def test_options_that_are_named_exist(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Under each command of the list, in the section that tells of them."""
    told = re.findall(r"^- \*\*(\w+)\*\* (.+?)(?=^- |\Z)", section(text, "Check and hand over"),
                      re.MULTILINE | re.DOTALL)  # fmt: skip
    assert [command for command, _ in told] == [
        "check", "bom", "cables", "floor", "report", "convert",
    ]  # fmt: skip
    for command, words in told:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COLUMNS", "200")
            assert main([command, "--help"]) == 0
        helped = capsys.readouterr().out
        assert [o for o in re.findall(r"--[a-z-]+", words) if o not in helped] == []
