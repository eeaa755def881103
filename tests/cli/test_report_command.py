"""`topoedit report`: exit codes, what it writes and what it says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

Run = Callable[..., Ran]
PLAN = ("--model", "llama3-70b", "--tp", "8", "--pp", "2")


@pytest.fixture
def pod(samples: Path) -> Path:
    return samples / "pod64-h100.topo.json"


def test_json_says_what_was_written(topoedit: Run, pod: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    ran = topoedit("report", pod, "-o", target, *PLAN, "--sections", "tiers,step", "--json")
    assert ran.code == 0
    assert ran.json["file"] == str(target)
    assert ran.json["format"] == "html"
    assert ran.json["bytes"] == target.stat().st_size
    assert ran.json["sections"] == ["tiers", "step", "marked"]
    assert ran.json["step_time_s"] == pytest.approx(4.38, abs=0.2)  # `topoedit analyze` says so
    marked = ran.json["marked"]
    assert marked["lines"] == marked["unverified"] > 0
    assert marked["overridden"] == 0


def test_strict_is_a_no_while_lines_are_marked(topoedit: Run, pod: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.md"
    plan = (*PLAN, "--sections", "step")
    ran = topoedit("report", pod, "-o", target, *plan, "--strict")
    assert ran.code == 1
    assert "strict: † " in ran.err
    assert target.is_file()
    assert topoedit("report", pod, "-o", target, *plan).code == 0


def test_strict_is_a_yes_without_them(topoedit: Run, samples: Path, tmp_path: Path) -> None:
    """A drawing of switches alone: every figure of the switch that is shown is verified."""
    from topoedit.app.open import open_document
    from topoedit.io import native
    from topoedit.model.edits import Edit

    document = open_document(samples / "pod64-h100.topo.json").document
    servers = [d.id for d in document.devices.values() if d.kind == "server"]
    links = {link for server in servers for link in document.links_of(server)}
    document.apply(Edit("Delete", drop=(*links, *servers)))
    drawing = tmp_path / "switches.topo.json"
    native.save(document, drawing)
    ran = topoedit("report", drawing, "-o", tmp_path / "r.html", "--sections", "tiers", "--strict")
    assert (ran.code, ran.err) == (0, "")


def test_memory_that_does_not_fit_is_a_no(topoedit: Run, pod: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    ran = topoedit("report", pod, "-o", target, "--model", "llama3-70b", "--tp", "4", "--pp", "2",
                   "--sections", "memory")  # fmt: skip
    assert ran.code == 1
    assert target.is_file()


def test_the_plan_of_the_drawing_is_taken(topoedit: Run, pod: Path, tmp_path: Path) -> None:
    import msgspec

    from topoedit.app.open import open_document
    from topoedit.io import native
    from topoedit.model.edits import Edit
    from topoedit.model.elements import SavedWorkload
    from topoedit.model.plan import Plan, Workload

    document = open_document(pod).document
    saved = SavedWorkload(
        id="w", name="Big run", workload=Workload(model="llama3-70b", plan=Plan(tp=8, pp=2))
    )
    settings = msgspec.structs.replace(document.settings, active="w")
    document.apply(Edit("Plan", put=(saved, settings)))
    drawing = tmp_path / "own.topo.json"
    native.save(document, drawing)
    target = tmp_path / "r.md"
    ran = topoedit("report", drawing, "-o", target, "--sections", "workload", "--json")
    assert ran.json["step_time_s"] == pytest.approx(4.38, abs=0.2)
    assert 'The plan is the drawing\'s own, "Big run".' in target.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-o", "r.txt"), "is no format of reports"),
        (("-o", "nowhere/r.html"), "there is no such folder"),
        (("-o", "r.html", "--sections", "tires"), 'there is no section "tires"'),
        (("-o", "r.pdf", "--template", "x.jinja"), "a template makes HTML"),
        (("-o", "r.html", "--sections", "tiers", "--template", "x.jinja"), "x.jinja"),
        (("-o", "r.html", "--model", "llama3-70b", "--tp", "128"), "--tp"),
        ((), "Missing option"),
    ],
)
def test_bad_usage_is_one_line(
    topoedit: Run, pod: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...], words: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    ran = topoedit("report", pod, *arguments)
    assert ran.code == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1
    assert not list(tmp_path.iterdir())
