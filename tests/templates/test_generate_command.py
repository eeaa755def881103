"""`topoedit generate` and the samples it made."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from topoedit import paths
from topoedit.catalog.load import load_catalog
from topoedit.cli.generate import read_arguments
from topoedit.cli.main import main
from topoedit.errors import BadInputError
from topoedit.io import native

SAMPLES = {
    "dgx-h100": (1, 8),
    "pod64-h100": (8, 64),
    "superpod-h100-127": (127, 1016),
    "fabric-1024": (128, 1024),
    "gb200-pod-8": (8, 576),
    "two-sites": (16, 128),
}


def _sample(name: str) -> Path:
    return paths.samples() / f"{name}{native.SUFFIX}"


def test_there_are_these_samples() -> None:
    found = {path.name.removesuffix(native.SUFFIX) for path in paths.samples().iterdir()}
    assert found == {*SAMPLES, "laplink"}  # the last is drawn by hand, and has no GPUs


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_opens_with_its_gpus(name: str) -> None:
    read = native.read(_sample(name), load_catalog(user=False))
    servers = [d for d in read.document.devices.values() if d.kind == "server"]
    gpus = sum(read.document.device_type(d).gpus or 0 for d in servers)
    assert (len(servers), gpus) == SAMPLES[name]
    assert read.warnings == ()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_what_its_command_makes(name: str, tmp_path: Path) -> None:
    sample = _sample(name)
    origin = native.load(sample, load_catalog(user=False)).settings.origin
    words = shlex.split(origin)
    assert words[:2] == ["topoedit", "generate"]
    again = tmp_path / sample.name
    assert main([*words[1:], "-o", str(again)]) == 0
    assert again.read_bytes() == sample.read_bytes()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_saved_as_it_was(name: str) -> None:
    data = _sample(name).read_bytes()
    assert native.dumps(native.loads(data, load_catalog(user=False), name).document) == data


def test_samples_are_small() -> None:
    assert sum(_sample(name).stat().st_size for name in SAMPLES) < 600_000


def test_help_lists_templates_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--help"]) == 0
    text = capsys.readouterr().out
    for word in ("superpod:", "fat-tree:", "multi-site:", "--oversubscription", "--networks"):
        assert word in text
    assert main(["generate", "superpod", "-h"]) == 0
    text = capsys.readouterr().out
    assert "--units" in text
    assert "--oversubscription" not in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["superpod", "--units", "65"], "--units: 65 is out of range. Give 1 to 64"),
        (["superpod", "--unit", "4"], "superpod has no option --unit"),
        (["superpod", "--units"], "--units: needs a value"),
        (["superpod", "--units", "4", "--units", "5"], "--units: is given twice"),
        (["superpad"], 'there is no template "superpad"'),
        (["superpod", "dgx"], '"dgx" is neither an option nor a value'),
        (["--units", "4"], "name a template"),
        (["fat-tree", "--leaf", "sn5600", "--radix", "512"], "256 logical ports"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / f"x{native.SUFFIX}"
    assert main(["generate", *words, "-o", str(output)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not output.exists()


def test_output_must_be_a_drawing_in_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", "fat-tree", "-o", str(tmp_path / "x.svg")]) == 2
    assert main(["generate", "fat-tree", "-o", str(tmp_path / "no" / f"x{native.SUFFIX}")]) == 2
    assert main(["generate", "fat-tree"]) == 2
    assert capsys.readouterr().err.count("\n") == 3


def test_arguments_in_any_order() -> None:
    chosen, params, output = read_arguments(["-o", "a.topo.json", "--units=4", "superpod"])
    assert (chosen.id, params, output) == ("superpod", {"--units": "4"}, Path("a.topo.json"))
    with pytest.raises(BadInputError, match="say where to write it"):
        read_arguments(["superpod"])


def test_json_says_what_was_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pod.topo.json"
    assert main(["generate", "superpod", "--units", "4", "--json", "-o", str(file)]) == 0
    out, err = capsys.readouterr()
    made = json.loads(out)
    assert (made["file"], made["template"], made["name"]) == (str(file), "superpod", "pod")
    # RA-11333-001 V11, 4 units: 127 servers, 32 leaves, 16 spines, 1,020 and 1,024 cables.
    assert made["devices"] == {"leaf": 32, "management": 2, "server": 127, "spine": 16}
    assert (made["gpus"], made["cables"]) == (1016, 1020 + 1024)
    assert all(f"topoedit: {text}" in err for text in made["notes"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("superpod --units 1 --cores 4", "--cores: 2 switch tiers have no cores"),
        ("fat-tree --nodes 64 --cores 4", "--cores: 2 switch tiers have no cores"),
        ("fat-tree --nodes 4 --spines 4", "--spines: 1 switch tier has no spines"),
        ("rail-optimized --nodes 8 --cores 4", "--cores: 2 switch tiers have no cores"),
    ],
)
def test_an_override_without_effect_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str, says: str
) -> None:
    file = tmp_path / "x.topo.json"
    assert main(["generate", *words.split(), "-o", str(file)]) == 2
    assert says in capsys.readouterr().err
    assert not file.exists()


def test_one_unit_is_one_unit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "superpod", "--units", "1", "-o", str(tmp_path / "x.topo.json")]) == 0
    assert "the row of 1 unit in" in capsys.readouterr().err
