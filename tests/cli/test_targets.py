"""Files to write: each its own, none that is read, and tested before any work is done."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from topoedit.cli.main import command_names

Run = Callable[..., Ran]
pytestmark = pytest.mark.usefixtures("qapp")
CABLE_FILES = ("-o", "--labels", "--port-maps", "--links", "--hca", "--plan")
MODEL = ("--model", "llama-3.1-70b", "--tp", "8")


@pytest.fixture
def folder(tmp_path: Path, samples: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    (work / "pod.topo.json").write_bytes((samples / "pod64-h100.topo.json").read_bytes())
    (work / "li.csv").write_text("name,row\nr1,A\n", encoding="utf-8")
    (work / "pr.csv").write_text("item,price,currency\ndgx-h100,1,USD\n", encoding="utf-8")
    (work / "m.csv").write_text("id,done\nc1,x\n", encoding="utf-8")
    (work / "t.html").write_text("{{ report }}", encoding="utf-8")
    return work


def refused(run: Run, folder: Path, *arguments: object) -> str:
    """The one line of a refusal that left every file as it was."""
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    ran = run(*(folder / a if isinstance(a, str) and "." in a[1:] else a for a in arguments))
    assert (ran.code, ran.out) == (2, ""), ran
    assert ran.err.count("\n") == 1, ran.err
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
    return ran.err


@pytest.mark.parametrize("other", CABLE_FILES[1:])
def test_two_outputs_of_one_name(topoedit: Run, folder: Path, other: str) -> None:
    line = refused(topoedit, folder, "cables", "pod.topo.json", "-o", "same.csv", other, "same.csv")
    assert f"-o and {other} would write this file both" in line
    assert "Give each a file of its own" in line


@pytest.mark.parametrize("command", ["floor", "bom"])
def test_one_output_named_twice(topoedit: Run, folder: Path, command: str) -> None:
    again = folder / "sub" / ".." / "same.csv"
    (folder / "sub").mkdir()
    line = refused(topoedit, folder, command, "pod.topo.json", "-o", "same.csv", "-o", again)
    assert "-o would write this file twice" in line


def test_a_link_to_the_other_output_is_the_same_file(topoedit: Run, folder: Path) -> None:
    (folder / "link.csv").symlink_to(folder / "same.csv")
    line = refused(
        topoedit, folder, "cables", "pod.topo.json", "-o", "same.csv", "--hca", "link.csv"
    )
    assert "-o and --hca" in line


def test_a_diagram_beside_a_report_in_the_place_of_the_drawing(topoedit: Run, folder: Path) -> None:
    picture = folder / "pod-diagram.svg"
    assert topoedit("export", folder / "pod.topo.json", picture, "--embed").code == 0
    line = refused(topoedit, folder, "report", picture, "-o", "pod.md")
    assert "the diagram beside it would replace the file that is read as FILE" in line


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("bom", "pod.topo.json", "--prices", "pr.csv", "-o", "pr.csv"), "--prices"),
        (("bom", "pod.topo.json", "--parts", "pr.csv", "-o", "pr.csv"), "--parts"),
        (("floor", "pod.topo.json", "--racks", "li.csv", "-o", "li.csv"), "--racks"),
        (("cables", "pod.topo.json", "--marks", "m.csv", "-o", "m.csv"), "--marks"),
        (("cables", "pod.topo.json", "--since", "m.csv", "--plan", "m.csv"), "--since"),
        (("cables", "pod.topo.json", "--parts", "pr.csv", "--hca", "pr.csv"), "--parts"),
        (("report", "pod.topo.json", "--template", "t.html", "-o", "t.html"), "--template"),
        (("check", "pod.topo.json", "--sarif", "pod.topo.json"), "FILE"),
    ],
)
def test_an_output_that_is_read(
    topoedit: Run, folder: Path, words: tuple[str, ...], option: str
) -> None:
    line = refused(topoedit, folder, *words)
    assert f"would replace the file that is read as {option}. Choose another name" in line


@pytest.mark.parametrize(
    "words",
    [
        ("cables", "-o"), ("cables", "--labels"), ("floor", "-o"), ("bom", "-o"),
        ("analyze", *MODEL, "--links"),
    ],
)  # fmt: skip
def test_the_drawing_itself_under_another_suffix(
    topoedit: Run, folder: Path, words: tuple[str, ...]
) -> None:
    (folder / "also.csv").symlink_to(folder / "pod.topo.json")
    command, *more = words
    line = refused(topoedit, folder, command, folder / "pod.topo.json", *more, folder / "also.csv")
    assert "read as FILE" in line


def test_a_drawing_may_replace_itself_and_is_kept_as_a_backup(topoedit: Run, folder: Path) -> None:
    from topoedit.io.backups import backups_of

    pod = folder / "pod.topo.json"
    was = pod.read_bytes()
    ran = topoedit("floor", pod, "--racks", folder / "li.csv", "-o", pod)
    assert ran.code == 0, ran.err
    assert pod.read_bytes() != was
    assert backups_of(pod)[0].read_bytes() == was


WRITERS: dict[str, tuple[tuple[str, ...], str]] = {
    "analyze": ((*MODEL, "--links"), ".csv"),
    "bom": (("-o",), ".csv"),
    "cables": (("-o",), ".xlsx"),
    "check": (("--sarif",), ".sarif"),
    "convert": ((), ".csv"),
    "export": ((), ".svg"),
    "floor": (("-o",), ".pdf"),
    "patch": (("*", "--direct", "-o"), ".topo.json"),
    "report": (("-o",), ".md"),
}


def test_every_command_that_writes_is_tried_here() -> None:
    readers = {"catalog", "collective", "diff", "edit", "formats", "info", "path"}
    assert {*command_names()} == {*WRITERS, *readers, "generate", "validate"}


@pytest.mark.parametrize("command", [*WRITERS, "generate"])
@pytest.mark.parametrize("case", ["no folder", "a folder", "a pipe", "no new files", "long"])
def test_targets_are_tested_before_the_work(
    topoedit: Run, folder: Path, command: str, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, suffix = WRITERS.get(command, (("-o",), ".topo.json"))
    target = folder / f"out{suffix}"
    if case == "no folder":
        target, says = folder / "no" / f"out{suffix}", "there is no such folder. Make it first"
    elif case == "a folder":
        target.mkdir()
        says = "is a folder, not a file. Add the name of a file"
    elif case == "a pipe":
        os.mkfifo(target)
        says = "is not a regular file. Choose another name to write to"
    elif case == "no new files":
        target = Path(f"/proc/out{suffix}")
        says = "this folder takes no new files: No such file or directory. Choose another folder"
        if not target.parent.is_dir():
            pytest.skip("no /proc on this system")
    else:
        target = folder / f"{'x' * 300}{suffix}"
        says = "cannot be written: File name too long. Choose a shorter name"
    monkeypatch.setattr("topoedit.app.open.open_document", lambda *_, **__: pytest.fail("worked"))
    source = ("fat-tree", "--nodes", "4") if command == "generate" else (folder / "pod.topo.json",)
    ran = topoedit(command, *source, *words, target)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1, ran.err
    # the file, its folder, or the folder in the place of the drawing comes first in the line
    assert says.split(". ")[0] in ran.err.replace("..", ".")
    assert ran.err.rstrip().endswith(says.split(". ")[1])
