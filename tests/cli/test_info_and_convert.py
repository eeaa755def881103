"""`info`, `convert` and `formats`: the JSON keys, the counts, what a target cannot hold."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran

Run = Callable[..., Ran]
LIVE = Path(__file__).parents[1] / "data" / "ibnetdiscover" / "live.out"
OLD = Path(__file__).parents[1] / "data" / "old" / "version-1.topo.json"
KEYS = [
    "format", "name", "devices", "gpus", "links", "cables", "inner_links", "sites", "groups",
    "networks", "tiers", "boundaries", "warnings",
]  # fmt: skip
TIER_KEYS = ["tier", "switches", "links", "cables", "capacity_GBps", "oversubscription"]


def test_info_of_a_dgx(topoedit: Run, samples: Path):
    ran = topoedit("info", samples / "dgx-h100.topo.json", "--json")
    found = ran.json
    assert (ran.code, ran.err) == (0, "")
    assert list(found) == KEYS
    assert (found["format"], found["gpus"], found["cables"]) == ("topoedit", 8, 8)
    assert found["devices"] == {"leaf": 1, "server": 1}
    assert [list(tier) for tier in found["tiers"]] == [TIER_KEYS] * len(found["tiers"])
    # NVLink 4: 900 GB/s both directions against 50 GB/s of one 400 Gb/s NIC; 450 a direction.
    (boundary,) = found["boundaries"]
    assert boundary["headline_ratio"] == pytest.approx(18)
    assert boundary["per_direction_ratio"] == pytest.approx(9)


def test_info_of_the_superpod(topoedit: Run, samples: Path):
    # NVIDIA DGX SuperPOD H100, RA-11333-001 V11: 4 units, 127 nodes, 32 leaves, 16 spines.
    found = topoedit("info", samples / "superpod-h100-127.topo.json", "--json").json
    assert found["gpus"] == 1016
    assert found["devices"]["leaf"] == 32
    assert found["devices"]["spine"] == 16
    tiers = {tier["tier"]: tier for tier in found["tiers"]}
    assert tiers["leaf-spine"]["cables"] == 1024


def test_info_of_two_sites(topoedit: Run, samples: Path):
    found = topoedit("info", samples / "two-sites.topo.json", "--json").json
    assert found["sites"] == 2
    assert "between-sites" in {tier["tier"] for tier in found["tiers"]}


def test_gpus_are_null_while_a_host_is_unknown(topoedit: Run):
    found = topoedit("info", LIVE, "--json").json
    assert found["format"] == "ibnetdiscover"
    assert found["gpus"] is None
    assert any("3 of 3 servers is unknown" in warning for warning in found["warnings"])
    found = topoedit("info", LIVE, "--json", "--server-type", "node-*=dgx-h100").json
    assert found["gpus"] is None
    assert any("16 GPUs are known, in 2 servers" in warning for warning in found["warnings"])


def test_the_reference_fabric(topoedit: Run, shared_folder: Path):
    path = shared_folder / "corpus" / "ibnetdiscover" / "topograph_example.out"
    found = topoedit("info", path, "--json", "--server-type", "*dgx*=dgx-h100").json
    assert found["devices"] == {"leaf": 31, "server": 191, "spine": 9}
    assert (found["cables"], found["gpus"]) == (1074, None)
    assert any("952 GPUs are known, in 119 servers" in warning for warning in found["warnings"])


def test_a_type_of_ones_own_is_named_and_travels_with_the_drawing(
    topoedit: Run, samples: Path, tmp_path: Path
):
    folder = tmp_path / "mine"
    (folder / "catalog").mkdir(parents=True)
    own = folder / "catalog" / "own.yaml"
    own.write_text(
        "devices:\n  - {id: qm9700, name: My switch, kind: switch, source: me, open_ports: true}\n",
        encoding="utf-8",
    )
    drawing = folder / "dgx.topo.json"
    drawing.write_bytes((samples / "dgx-h100.topo.json").read_bytes())
    line = f'the type "qm9700" is the one in {own}'
    assert line in topoedit("info", drawing, "--json").json["warnings"]
    elsewhere = tmp_path / "sent.topo.json"
    assert topoedit("convert", drawing, elsewhere).code == 0
    warnings = topoedit("info", elsewhere, "--json").json["warnings"]
    assert 'the type "qm9700" is the one in the drawing' in warnings
    assert any("differs from the installed catalogue" in warning for warning in warnings)


def test_info_for_people(topoedit: Run, samples: Path):
    ran = topoedit("info", samples / "superpod-h100-127.topo.json")
    assert ran.code == 0
    assert "GPUs         1\u2009016\n" in ran.out
    assert "host-leaf" in ran.out
    assert ": 18:1 headline, 9:1 per direction\n" in ran.out
    assert "GPUs         \u2013\n" in topoedit("info", LIVE).out


def test_convert_to_native_and_back_to_the_same_bytes(topoedit: Run, tmp_path: Path):
    first, second = tmp_path / "a.topo.json", tmp_path / "b.topo.json"
    ran = topoedit("convert", LIVE, first, "--server-type", "node-*=dgx-h100")
    assert ran.code == 0
    assert "warning: 1 aggregation node" in ran.err
    assert topoedit("convert", first, second).code == 0
    assert first.read_bytes() == second.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.topo.json", "b.topo.json"]


def test_convert_upgrades_an_old_drawing(topoedit: Run, tmp_path: Path):
    target = tmp_path / "new.topo.json"
    assert topoedit("convert", OLD, target).code == 0
    assert b'"format_version":2' in target.read_bytes()


def test_samples_convert_byte_identical(topoedit: Run, samples: Path, tmp_path: Path):
    for sample in sorted(samples.glob("*.topo.json")):
        target = tmp_path / sample.name
        assert topoedit("convert", sample, target).code == 0
        assert target.read_bytes() == sample.read_bytes(), sample.name


def test_convert_to_a_list_of_cables(topoedit: Run, tmp_path: Path):
    target = tmp_path / "cables.csv"
    ran = topoedit("convert", LIVE, target, "--json")
    assert ran.json["to"] == "csv"
    assert "positions of devices (6)" in ran.json["losses"]
    assert "csv cannot hold: positions of devices (6)" in ran.err
    rows = list(csv.DictReader(io.StringIO(target.read_text(encoding="utf-8"))))
    assert len(rows) == 8
    assert {row["gbps"] for row in rows} == {"400.0"}
    ends = {(row["device_a"], row["port_a"], row["device_b"], row["port_b"]) for row in rows}
    assert ("node-2", "HCA-1", "lab-leaf-1", "2") in ends
    assert ("lab-leaf-2", "34", "lab-spine-1", "4") in ends


def test_convert_to_graphml(topoedit: Run, tmp_path: Path):
    import networkx

    target = tmp_path / "fabric.graphml"
    ran = topoedit("convert", LIVE, target)
    assert (ran.code, "cannot hold" in ran.err) == (0, False)
    graph = networkx.read_graphml(target)
    assert (len(graph.nodes), len(graph.edges)) == (6, 6)
    assert graph.nodes["lab-spine-1"]["kind"] == "spine"
    assert graph.edges["lab-leaf-1", "lab-spine-1"]["cables"] == 2


def test_formats(topoedit: Run):
    rows = {row["id"]: row for row in topoedit("formats", "--json").json["formats"]}
    assert rows["topoedit"]["reads"]
    assert rows["topoedit"]["writes"]
    assert (rows["ibnetdiscover"]["reads"], rows["ibnetdiscover"]["writes"]) == (True, False)
    assert "ibnetdiscover  yes    no" in topoedit("formats").out


def test_other_networks_are_counted_apart(topoedit: Run, tmp_path: Path):
    """`devices`, `links` and `cables` are of all networks, `networks` says of which."""
    drawing = tmp_path / "pod.topo.json"
    words = ("--units", "1", "--networks", "compute,storage,inband,oob")
    assert topoedit("generate", "superpod", *words, "-o", drawing).code == 0
    found = topoedit("info", drawing, "--json").json
    rows = {row["network"]: row for row in found["networks"]}
    assert list(rows) == ["compute", "storage", "in-band", "out-of-band"]
    tiers = {tier["tier"]: tier for tier in found["tiers"]}
    # RA-11333-001 V11: one unit has 8 leaves and 4 spines.
    assert rows["compute"]["switches"] == 12
    assert rows["compute"]["cables"] == sum(tier["cables"] for tier in tiers.values())
    for key in ("links", "cables"):
        assert sum(row[key] for row in rows.values()) == found[key]
    switches = sum(found["devices"][kind] for kind in ("leaf", "spine"))
    assert sum(row["switches"] for row in rows.values()) == switches
    assert "out-of-band" in topoedit("info", drawing).out


def test_a_switch_of_the_catalogue_with_split_ports_is_no_news(topoedit: Run, tmp_path: Path):
    drawing = tmp_path / "split.topo.json"
    words = ("--gpus", "256", "--leaf", "sn5600", "--oversubscription", "2", "-o", drawing)
    assert topoedit("generate", "fat-tree", *words).code == 0
    text = drawing.read_text(encoding="utf-8")
    assert '"sn5600-2x400"' in text
    assert topoedit("info", drawing, "--json").json["warnings"] == []
    assert '"logical_ports":128' in text
    drawing.write_text(text.replace('"logical_ports":128', '"logical_ports":127'))
    (line,) = topoedit("info", drawing, "--json").json["warnings"]
    assert line == 'the type "sn5600-2x400" is the one in the drawing; the catalogue has none'


def test_what_the_catalogue_lacks_is_said(topoedit: Run, samples: Path, tmp_path: Path):
    drawing = tmp_path / "odd.topo.json"
    text = (samples / "two-sites.topo.json").read_text(encoding="utf-8")
    assert text.count("sn5600-2x400") > 2
    drawing.write_text(text.replace("sn5600-2x400", "sn5600-3x400"), encoding="utf-8")
    warnings = topoedit("info", drawing, "--json").json["warnings"]
    assert 'the type "sn5600-3x400" is the one in the drawing; the catalogue has none' in warnings
    text = (samples / "dgx-h100.topo.json").read_text(encoding="utf-8")
    assert '"medium":"400g-dr4"' in text
    drawing.write_text(text.replace("400g-dr4", "wet-string"), encoding="utf-8")
    (line,) = topoedit("info", drawing, "--json").json["warnings"]
    assert line == 'the medium "wet-string" is not in the catalogue: its reach is unknown'


@pytest.mark.parametrize(
    ("name", "words", "says"),
    [
        ("x.xyz", (), "the suffix does not say the format. Name one with --to: topoedit, csv"),
        ("x.ibnd", (), "ibnetdiscover, which can be read but not written"),
        ("x.csv", ("--to", "nope"), "There are: topoedit, csv"),
        ("x.csv", ("--from", "nope"), "There are: topoedit, ibnetdiscover"),
    ],
)
def test_a_target_without_a_format(topoedit, samples, tmp_path, name, words, says):
    ran = topoedit("convert", samples / "dgx-h100.topo.json", tmp_path / name, *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["a\x1b[31mb", "a\u202eb", "x" * 5000])
def test_imported_names_that_a_drawing_may_not_hold(topoedit, tmp_path, text):
    fabric = tmp_path / "fabric.out"
    whole = LIVE.read_text(encoding="utf-8")
    assert "node-1 mlx5_0" in whole
    fabric.write_text(whole.replace("node-1 mlx5_0", text), encoding="utf-8")
    target = tmp_path / "fabric.topo.json"
    assert topoedit("convert", fabric, target).code == 0
    assert "\x1b" not in target.read_text(encoding="utf-8").replace("\\u001b", "\x1b")
    assert topoedit("info", target).code == 0


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum"])
def test_no_name_becomes_a_formula_in_a_spreadsheet(topoedit, samples, tmp_path, name):
    drawing, target = tmp_path / "x.topo.json", tmp_path / "x.csv"
    text = (samples / "dgx-h100.topo.json").read_text(encoding="utf-8")
    assert '"name":"leaf-1"' in text
    drawing.write_text(text.replace('"name":"leaf-1"', f'"name":"{name}"'), encoding="utf-8")
    assert topoedit("convert", drawing, target).code == 0
    rows = list(csv.DictReader(io.StringIO(target.read_text(encoding="utf-8"))))
    assert {row["device_b"] for row in rows} == {f"'{name}"}
    assert {row["device_a"] for row in rows} == {"node-01"}
