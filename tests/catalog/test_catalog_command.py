"""`topoedit catalog`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from topoedit.cli.main import main


def _json(
    capsys: pytest.CaptureFixture[str], *arguments: str
) -> dict[str, list[dict[str, object]]]:
    assert main(["catalog", *arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def test_everything_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    data = _json(capsys)
    assert len(data["devices"]) == 91
    assert len(data["models"]) == 32
    assert all(entry["source"] for entries in data.values() for entry in entries)


@pytest.mark.parametrize(
    ("kind", "section", "count"),
    [("switches", "devices", 56 + 2), ("accelerators", "accelerators", 28),
     ("media", "media", 40), ("scaleup-switches", "scaleup_switches", 11)],
)  # fmt: skip
def test_one_kind_as_json(
    capsys: pytest.CaptureFixture[str], kind: str, section: str, count: int
) -> None:
    data = _json(capsys, kind)
    assert set(data) == {section}
    assert len(data[section]) == count


def test_every_field_and_source_of_one_entry(capsys: pytest.CaptureFixture[str]) -> None:
    (entry,) = _json(capsys, "h100")["accelerators"]
    assert entry["id"] == "h100-sxm"
    assert entry["bf16_tflops"] == 989
    assert entry["scaleup_GBps_dir"] == 450
    assert entry["field_sources"] is not None
    assert entry["overridden_by"] is None


def test_tables_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog"]) == 0
    out, _ = capsys.readouterr()
    for word in ("dgx-h100", "qm9700", "h100-sxm", "dac-100", "llama3-70b", "cx7", "nvswitch3"):
        assert word in out
    assert main(["catalog", "dgx-h100"]) == 0
    out, _ = capsys.readouterr()
    assert "links_per_chip" in out
    assert "unverified" in out
    assert "RA" in out or "User Guide" in out


def test_what_is_unknown_is_shown_as_a_dash(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "servers"]) == 0
    (line,) = [row for row in capsys.readouterr().out.splitlines() if "unknown-server" in row]
    assert line.split()[-3:] == ["–", "–", "–"]


def test_an_entry_of_the_user_is_marked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("nics:\n  - {id: cx7, name: My card, gbps: 200, source: own}\n")
    data = _json(capsys, "cx7", "--catalog", str(tmp_path))
    assert data["nics"][0]["overridden_by"] == str(file)
    assert main(["catalog", "nics", "--catalog", str(tmp_path)]) == 0
    (line,) = [row for row in capsys.readouterr().out.splitlines() if row.startswith("cx7 ")]
    assert "yours" in line


def test_bad_use_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["catalog", "gadgets"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "Kinds: devices" in err
    (tmp_path / "bad.yaml").write_text("nics:\n  - {id: cx7}\n")
    assert main(["catalog", "--catalog", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "bad.yaml: nics[0] cx7" in err
    assert main(["catalog", "--catalog", str(tmp_path / "none")]) == 2
