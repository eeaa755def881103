"""Every kind of bad input: exit code 2, one line on standard error, nothing written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from topoedit.app.open import open_document

Run = Callable[..., Ran]
MODEL = ("--model", "llama-3.1-70b")


@pytest.fixture
def folder(tmp_path: Path, samples: Path) -> Path:
    """A folder with one good drawing, two bad catalogues' worth of others made by the tests."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "pod.topo.json").write_bytes((samples / "pod64-h100.topo.json").read_bytes())
    return work


def refused(run: Run, folder: Path, *arguments: object) -> str:
    """The one line of a refusal, after checking everything that every refusal must keep."""
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    ran = run(*arguments)
    assert ran.code == 2, ran
    assert ran.out == ""
    assert ran.err.count("\n") == 1, ran.err
    assert ran.err.startswith("topoedit: ")
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
    return ran.err


def changed(folder: Path, old: str, new: str) -> Path:
    path = folder / "changed.topo.json"
    text = (folder / "pod.topo.json").read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["info", "convert"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the file is empty"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "is a binary file"),
        (b'{\n"format":"topoedit",\n"format_version":99,\n"elements":[]\n}\n', "newer topoedit"),
        (b'{"format": "topoedit", "format_version": 2, "elements": [{"is"', "truncated"),
    ],
    ids=["empty", "binary", "future", "truncated"],
)
def test_files(topoedit: Run, folder: Path, command: str, content: bytes, says: str):
    path = folder / "bad.topo.json"
    path.write_bytes(content)
    target = [folder / "out.topo.json"] if command == "convert" else ["--json"]
    line = refused(topoedit, folder, command, path, *target)
    assert says in line
    assert "bad.topo.json" in line


def test_a_truncated_drawing(topoedit: Run, folder: Path):
    data = (folder / "pod.topo.json").read_bytes()
    path = folder / "cut.topo.json"
    path.write_bytes(data[: len(data) // 2])
    line = refused(topoedit, folder, "info", path)
    assert "ends in the middle (line " in line


def test_a_missing_file_and_a_folder(topoedit: Run, folder: Path):
    assert "there is no such file" in refused(topoedit, folder, "info", folder / "no.topo.json")
    assert "is a folder" in refused(topoedit, folder, "info", folder)


def test_a_link_to_a_missing_port(topoedit: Run, folder: Path):
    path = changed(folder, '"nic0"', '"nic99"')
    line = refused(topoedit, folder, "info", path)
    assert 'no port "nic99"' in line
    assert "(line " in line


def test_two_cables_in_one_port(topoedit: Run, folder: Path):
    path = changed(folder, '"nic1"', '"nic0"')
    assert "two cables in port" in refused(topoedit, folder, "info", path)


def test_a_catalogue_without_a_unit(topoedit: Run, folder: Path):
    (folder / "catalog").mkdir()
    (folder / "catalog" / "own.yaml").write_text(
        "accelerators:\n  - {id: mine, name: Mine, source: me, hbm: 80}\n", encoding="utf-8"
    )
    line = refused(topoedit, folder, "info", folder / "pod.topo.json")
    assert "own.yaml" in line
    assert "mine" in line


def test_formats_that_do_not_exist(topoedit: Run, folder: Path):
    pod = folder / "pod.topo.json"
    assert "Nearest: csv" in refused(
        topoedit, folder, "convert", pod, folder / "x.csv", "--to", "cvs"
    )
    assert "no format" in refused(topoedit, folder, "info", pod, "--from", "visio")
    line = refused(topoedit, folder, "convert", pod, folder / "x.unknown")
    assert "the suffix does not say the format" in line


def test_a_target_that_is_the_source(topoedit: Run, folder: Path):
    pod = folder / "pod.topo.json"
    line = refused(topoedit, folder, "convert", pod, pod, "--to", "csv")
    assert "would replace the file it reads" in line


def test_a_target_in_no_folder(topoedit: Run, folder: Path):
    pod = folder / "pod.topo.json"
    refused(topoedit, folder, "convert", pod, folder / "no" / "x.topo.json")
    refused(topoedit, folder, "convert", pod, folder / "no" / "x.csv")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--tp", "0"), "tp"),
        (("--tp", "7"), "tp"),
        (("--tp", "8", "--pp", "16"), "GPUs"),
        (("--tp", "eight"), "tp"),
        (("--micro-batch", "-1"), "micro"),
        (("--schedule", "best"), "schedule"),
    ],
)
def test_plans_that_cannot_be(topoedit: Run, folder: Path, options: tuple[str, ...], says: str):
    line = refused(topoedit, folder, "analyze", folder / "pod.topo.json", *MODEL, *options)
    assert says in line


@pytest.mark.parametrize("content", [b"", b"\0\1\2", b"[]", b"{}", b'{"hidden_size": "big"}'])
def test_a_model_file_that_is_none(topoedit: Run, folder: Path, content: bytes):
    model = folder / "config.json"
    model.write_bytes(content)
    line = refused(topoedit, folder, "analyze", folder / "pod.topo.json", "--model", model)
    assert "config.json" in line


def test_a_model_that_does_not_exist(topoedit: Run, folder: Path):
    pod = folder / "pod.topo.json"
    assert "lama" in refused(topoedit, folder, "analyze", pod, "--model", "lama-70b")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--model", "zzz"), 'there is no model "zzz" in the catalogue. `topoedit catalog models`'),
        (("--metric", "luck"), '--metric: there is no figure "luck"'),
    ],
)
def test_every_refusal_says_how_to_mend_it(topoedit: Run, folder: Path, words, says):
    drawing, picture = folder / "pod.topo.json", folder / "x.svg"
    assert says in refused(topoedit, folder, "export", drawing, picture, *words)


def test_a_port_that_a_file_lacks_names_those_there_are(topoedit: Run, folder: Path):
    path = changed(folder, '["leaf-1","1"]', '["leaf-1","999"]')
    line = refused(topoedit, folder, "info", path)
    assert 'has no port "999", which link-c1 uses. Remove the link or use another port: 1' in line


def test_a_collective_without_a_path_says_so_and_ends_with_1(topoedit: Run, folder: Path):
    text = (folder / "pod.topo.json").read_text(encoding="utf-8")
    path = folder / "cut.topo.json"
    path.write_text(
        "\n".join(
            line.replace('"gbps":400.0', '"gbps":400.0,"failed":1') if '["node-' in line else line
            for line in text.split("\n")
        ),
        encoding="utf-8",
    )
    ran = topoedit(
        "collective", path, "--op", "all_reduce", "--bytes", "1GB", "--algorithm", "ring"
    )
    assert ran.code == 1
    assert (
        "between 64 pairs of GPUs have no path, for example node-01/gpu0 to node-02/gpu0" in ran.err
    )
    ran = topoedit("collective", path, "--op", "all_reduce", "--bytes", "1GB", "--json")
    assert (ran.code, ran.json["unreachable"]["pairs"] > 0) == (1, True)


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{id", 'the brace at character 1 is never closed: "{id"'),
        ("{id} {device:{port}", 'the brace at character 6 is never closed: "{device:'),
        ("{id} port}", 'the brace at character 10 is never opened: "}"'),
        ("{id}\x07", "holds the control character U+0007"),
        ("{colour}", '"{colour}" is no field'),
        ("label", "names no field in braces"),
        ("{id}" + "x" * 397, "a template of 401 characters is 1 too long"),
    ],
)
def test_a_label_says_what_is_wrong_with_it(topoedit: Run, folder: Path, template: str, says: str):
    line = refused(topoedit, folder, "cables", folder / "pod.topo.json", "--label", template)
    assert says in line


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("x" * 212, "a name of 212 characters is 12 too long. Shorten it"),
        (r"a\nb", "a name with a line break (U+000A, character 2). Keep it on one line"),
        (r"node\u202e1", "a name with the control character U+202E (character 5). Leave that one"),
    ],
)
def test_a_name_says_what_is_wrong_with_it(topoedit: Run, folder: Path, name: str, says: str):
    path = changed(folder, '"name":"node-01"', f'"name":"{name}"')
    assert says in refused(topoedit, folder, "info", path)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--gpus", "16384"), "--gpus: 16,384 GPUs are too many"),
        (("--nodes", "2048"), "--nodes: 2,048 servers are too many"),
    ],
)
def test_a_superpod_speaks_of_the_option_given(topoedit: Run, folder: Path, words, says):
    target = folder / "x.topo.json"
    line = refused(topoedit, folder, "generate", "superpod", *words, "-o", target)
    assert says in line
    assert "ends at 64 units: 2,047 servers of 8 GPUs" in line
    most = line.split("Give at most ")[1].strip()
    assert most == {"--gpus": "16376", "--nodes": "2047"}[words[0]]


def test_a_bill_goes_into_several_files_and_tells_prices_of_nothing(topoedit: Run, folder: Path):
    prices = folder / "pr.csv"
    prices.write_text("item,price,currency\ndgx-h100,1,USD\nfoo,2,USD\nbar,3,USD\n", "utf-8")
    files = folder / "a.csv", folder / "b.xlsx"
    ran = topoedit(
        "bom", folder / "pod.topo.json", "--prices", prices, "-o", files[0], "-o", files[1]
    )
    assert (ran.code, [file.is_file() for file in files]) == (0, [True, True])
    assert "topoedit: 2 of 3 prices match no item: foo, bar\n" in ran.err
    prices.write_text("item,price,currency\nDGX-H100,1,USD\n", "utf-8")
    assert "match" not in topoedit("bom", folder / "pod.topo.json", "--prices", prices).err
    prices.write_text('item,price,currency\n"dgx-h100,1,USD\n', "utf-8")
    line = refused(topoedit, folder, "bom", folder / "pod.topo.json", "--prices", prices)
    assert "row 2: a quote is never closed" in line


def test_routing_past_panels_that_are_not_there_writes_nothing(topoedit: Run, folder: Path):
    target = folder / "out.topo.json"
    ran = topoedit("patch", folder / "pod.topo.json", "node-*", "--direct", "-o", target)
    assert (ran.code, ran.out) == (0, "nothing to do, nothing written\n")
    assert ran.err == "topoedit: none of these links runs through panels\n"
    assert not target.exists()


@pytest.mark.usefixtures("qapp")
def test_nothing_is_said_before_a_refusal(
    topoedit: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    """What is told of reading a file comes after the work, so that a refusal is the only line."""

    def opened(*words: object, **more: object) -> object:
        return replace(open_document(*words, **more), warnings=("strange",))  # type: ignore[arg-type]

    monkeypatch.setattr("topoedit.app.open.open_document", opened)
    strange = folder / "pod.topo.json"
    assert topoedit("bom", strange).err.startswith("topoedit: warning: strange\n")
    (folder / "m.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    refused(topoedit, folder, "cables", strange, "--marks", folder / "m.csv")
    refused(topoedit, folder, "bom", strange, "--prices", folder / "m.csv")
    refused(topoedit, folder, "floor", strange, "--racks", folder / "m.csv")
    refused(topoedit, folder, "report", strange, "-o", folder / "x.md", "--model", "zzz")
    refused(topoedit, folder, "export", strange, folder / "x.svg", "--selection", "nothing-there")
    target = folder / "x.topo.json"
    refused(topoedit, folder, "patch", strange, "nothing", "--direct", "-o", target)
