"""Catalogues of the user: they override by id, and a wrong one is refused with entry and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from topoedit import paths
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import catalogs_beside, load_catalog, load_catalog_lenient
from topoedit.errors import BadCatalogError

SWITCH = """
devices:
  - id: {id}
    name: House switch
    kind: switch
    fabric: Ethernet
    ports: [{{count: 48, gbps: 100}}]
    source: Purchase order 17
"""


def _write(folder: Path, text: str, name: str = "mine.yaml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def _refused(tmp_path: Path, text: str) -> BadCatalogError:
    _write(tmp_path, text)
    with pytest.raises(BadCatalogError) as caught:
        load_catalog([tmp_path], user=False)
    assert "\n" not in caught.value.line
    assert "mine.yaml" in caught.value.line
    return caught.value


def test_an_entry_in_the_settings_folder_is_added_and_named() -> None:
    file = _write(paths.config_dir() / "catalog", SWITCH.format(id="house-48"))
    catalog = load_catalog()
    assert len(catalog.device("house-48").port_list) == 48
    assert catalog.overridden == {"devices/house-48": str(file)}
    assert "house-48" not in load_catalog(user=False).devices


def test_an_entry_beside_the_drawing_overrides_by_id(tmp_path: Path) -> None:
    drawing = tmp_path / "lab.topo.json"
    assert catalogs_beside(drawing) == ()
    _write(paths.config_dir() / "catalog", SWITCH.format(id="qm9700").replace("48", "40"))
    beside = _write(tmp_path / "catalog", SWITCH.format(id="qm9700"))
    catalog = load_catalog(catalogs_beside(drawing))
    assert len(catalog.device("qm9700").port_list) == 48
    assert catalog.overridden == {"devices/qm9700": str(beside)}
    assert len(catalog.device("sn5600").port_list) == 64


def test_a_file_may_hold_several_sections_that_refer_to_each_other(tmp_path: Path) -> None:
    text = """
accelerators:
  - {id: x1, name: X1, bf16_tflops: 1000, hbm_gb: 96, source: X1 data sheet}
nics:
  - {id: xnic, name: X NIC, gbps: 400, source: X NIC data sheet}
devices:
  - id: x1-server
    name: X1 server
    kind: server
    ports: [{prefix: nic, first: 0, count: 4, gbps: 400, role: compute, railed: true}]
    inside:
      accelerator: x1
      gpus: 4
      nic: xnic
      nic_gpu: [0, 1, 2, 3]
      scaleup: {kind: mesh, GBps_per_pair_dir: 64}
    source: X1 server manual
"""
    _write(tmp_path, text)
    catalog = load_catalog([tmp_path], user=False)
    assert catalog.device("x1-server").gpus == 4
    assert catalog.accelerator("x1").peak_flops("bf16") == 1e15
    assert set(catalog.overridden) == {"accelerators/x1", "nics/xnic", "devices/x1-server"}


def test_a_single_file_can_be_named(tmp_path: Path) -> None:
    file = _write(tmp_path, SWITCH.format(id="house-48"), "other.yaml")
    assert "house-48" in load_catalog([file], user=False).devices


def test_an_empty_file_and_a_missing_folder_are_no_mistake(tmp_path: Path) -> None:
    _write(tmp_path, "")
    assert load_catalog([tmp_path, tmp_path / "none"], user=False).overridden == {}


def test_lenient_loading_leaves_out_the_wrong_file_only(tmp_path: Path) -> None:
    _write(tmp_path, SWITCH.format(id="good-48"), "a.yaml")
    _write(tmp_path, "devices: [{id: bad}]", "b.yaml")
    catalog, problems = load_catalog_lenient([tmp_path], user=False)
    assert "good-48" in catalog.devices
    assert "bad" not in catalog.devices
    assert len(problems) == 1
    assert "b.yaml" in problems[0].line


@pytest.mark.parametrize(
    ("change", "field", "what"),
    [
        (("kind: switch", "kind: swich"), "kind", "invalid enum value"),
        (("gbps: 100", "gbps: -100"), "ports[0].gbps", ">= 0"),
        (("gbps: 100", "gbps: .inf"), "ports[0].gbps", "got `str`"),
        (("gbps: 100", "gbps: 1e300"), "ports[0].gbps", "<= 1000000000000"),
        (("gbps: 100", "gbps: fast"), "ports[0].gbps", "got `str`"),
        (("count: 48", "count: 0"), "ports[0].count", ">= 1"),
        (("count: 48", "count: 4800000"), "ports[0].count", "<= 100000"),
        (("count: 48", "count: 4.5"), "ports[0].count", "got `float`"),
        (("count: 48", "cuont: 48"), "ports[0]", "`cuont`"),
        (("fabric: Ethernet", "fabrick: Ethernet"), "", "`fabrick`"),
        (("    source: Purchase order 17\n", ""), "", "`source`"),
        (("source: Purchase order 17", 'source: ""'), "source", "length >= 1"),
        (("id: house-48", "id: null"), "id", "got `null`"),
        (("id: house-48", "id: no spaces"), "id", "matching regex"),
        (("    name: House switch\n", ""), "", "`name`"),
    ],
)
def test_a_wrong_entry_names_file_entry_and_field(
    tmp_path: Path, change: tuple[str, str], field: str, what: str
) -> None:
    text = SWITCH.format(id="house-48")
    assert change[0] in text
    error = _refused(tmp_path, text.replace(*change))
    assert "devices[0]" in error.line
    assert what in error.line
    if field:
        assert f"field {field}" in error.line
    if "id:" not in change[0]:
        assert "house-48" in error.line


def test_a_missing_id_is_refused(tmp_path: Path) -> None:
    error = _refused(tmp_path, "models:\n  - {name: Nameless, source: none}\n")
    assert "models[0]" in error.line
    assert "`id`" in error.line or "`layers`" in error.line


def test_an_id_may_not_come_twice_in_one_file(tmp_path: Path) -> None:
    text = SWITCH.format(id="house-48") + SWITCH.format(id="house-48").split("devices:\n")[1]
    assert 'the id "house-48" is used twice' in _refused(tmp_path, text).line


def test_a_key_may_not_come_twice(tmp_path: Path) -> None:
    error = _refused(tmp_path, "devices: []\ndevices: []\n")
    assert 'the key "devices" is used twice' in error.line


def test_sections_are_known_lists(tmp_path: Path) -> None:
    assert 'no section "gadgets"' in _refused(tmp_path, "gadgets: []").line
    assert "must be a list" in _refused(tmp_path, "devices: {a: 1}").line
    assert "mapping of fields" in _refused(tmp_path, "devices: [7]").line
    assert "mapping of sections" in _refused(tmp_path, "- 1\n- 2").line


def test_a_reference_to_nothing_is_refused(tmp_path: Path) -> None:
    text = SWITCH.format(id="s").replace("kind: switch", "kind: server")
    text += "    inside: {gpus: 8, accelerator: h1oo}\n"
    error = _refused(tmp_path, text)
    assert "field inside.accelerator" in error.line
    assert '"h1oo"' in error.line


@pytest.mark.parametrize(
    ("inside", "field"),
    [
        ("{gpus: 2, nic_gpu: [0, 5]}", "inside.nic_gpu"),
        ("{gpus: 8, scaleup: {kind: torus, torus: [2, 2]}}", "inside.scaleup.torus"),
        (
            "{gpus: 8, scaleup: {kind: nvswitch, chips: 2, links_per_chip: [9]}}",
            "inside.scaleup.links_per_chip",
        ),
    ],
)
def test_figures_that_contradict_each_other_are_refused(
    tmp_path: Path, inside: str, field: str
) -> None:
    text = SWITCH.format(id="s").replace("kind: switch", "kind: server")
    text = text.replace("count: 48", "count: 2, role: compute") + f"    inside: {inside}\n"
    assert f"field {field}" in _refused(tmp_path, text).line


def test_two_ports_of_one_name_are_refused(tmp_path: Path) -> None:
    text = SWITCH.format(id="s").replace("gbps: 100}", "gbps: 100}, {count: 2}")
    assert "two ports have the same name" in _refused(tmp_path, text).line


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"kv_heads": 3}, "kv_heads"),
        ({"layers": 0}, "layers"),
        ({"attention": "MLA"}, "kv_lora"),
        ({"experts": 8}, "experts_active"),
        ({"experts": 8, "experts_active": 9, "moe_ffn": 64}, "experts_active"),
        ({"experts": 8, "experts_active": 2}, "moe_ffn"),
        ({"dense_layers": 99}, "dense_layers"),
    ],
)
def test_a_model_must_hang_together(tmp_path: Path, change: dict[str, object], field: str) -> None:
    shape: dict[str, object] = {
        "id": "m", "name": "M", "source": "own", "layers": 2, "hidden": 64, "heads": 8,
        "kv_heads": 8, "head_dim": 8, "ffn": 256, "vocab": 100,
    }  # fmt: skip
    lines = "".join(f"    {name}: {value}\n" for name, value in (shape | change).items())
    assert f"field {field}" in _refused(tmp_path, f"models:\n  -\n{lines}").line


# -- hostile files ---------------------------------------------------------------------------------


def test_aliases_anchors_and_tags_are_refused(tmp_path: Path) -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
    assert "anchors and aliases" in _refused(tmp_path, bomb).line
    assert "anchors and aliases" in _refused(tmp_path, "a: &a {}\nb: {<<: *a}\n").line
    assert "tags" in _refused(tmp_path, "devices: !!python/object/apply:os.getcwd []\n").line
    assert "tags" in _refused(tmp_path, "devices: !!set {a}\n").line


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    assert "nested deeper" in _refused(tmp_path, "devices: " + "[" * 30 + "]" * 30).line
    assert "nest" in _refused(tmp_path, "devices: " + "[" * 100_000).line


def test_a_huge_file_and_a_binary_one_are_refused(tmp_path: Path) -> None:
    assert "larger than 4 MB" in _refused(tmp_path, "#" * 4_100_000).line
    (tmp_path / "mine.yaml").write_bytes(b"\x89PNG\xff\xfe\x00")
    with pytest.raises(BadCatalogError, match="UTF-8"):
        load_catalog([tmp_path], user=False)


def test_words_that_yaml_likes_to_change_stay_words(tmp_path: Path) -> None:
    text = (
        SWITCH.format(id="no")
        .replace("Purchase order 17", "2024-01-31")
        .replace("House switch", "1:30")
    )
    _write(tmp_path, text)
    device = load_catalog([tmp_path], user=False).device("no")
    assert (device.source, device.name) == ("2024-01-31", "1:30")


def test_a_folder_with_too_many_files_is_refused(tmp_path: Path) -> None:
    for index in range(201):
        (tmp_path / f"{index}.yaml").write_text("")
    with pytest.raises(BadCatalogError, match="more than 200"):
        load_catalog([tmp_path], user=False)


# -- the cache -------------------------------------------------------------------------------------


def _cached() -> list[Path]:
    return sorted((paths.cache_dir() / "catalog").glob("*.msgpack"))


def test_the_cache_gives_the_same_entries(catalog: Catalog) -> None:
    assert not _cached()
    first = dict(load_catalog().devices)
    assert _cached()
    assert dict(load_catalog().devices) == first == dict(catalog.devices)


def test_a_damaged_cache_is_ignored_and_mended(catalog: Catalog) -> None:
    dict(load_catalog().media)
    (file,) = [p for p in _cached() if p.name.startswith("media-")]
    whole = file.read_bytes()
    for damaged in (b"", whole[:-1], whole[:40] + b"\x00" + whole[41:], b"\xff" * 100):
        file.write_bytes(damaged)
        assert dict(load_catalog().media) == dict(catalog.media)
        assert file.read_bytes() == whole


def test_no_cache_folder_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalog: Catalog
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("TOPOEDIT_HOME", str(blocked))
    assert dict(load_catalog().nics) == dict(catalog.nics)
