"""From a foreign file to a drawing: roles, types, ports, places; the reference fabric."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from topoedit.app.open import open_document
from topoedit.app.roles import infer_roles
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.errors import BadFileError, BadInputError
from topoedit.io import native
from topoedit.model.document import Document

DATA = Path(__file__).parents[1] / "data" / "ibnetdiscover"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(user=False)


def kinds(document: Document) -> Counter[str]:
    return Counter(device.kind for device in document.devices.values())


def ports_of(document: Document, device: str) -> dict[str, str]:
    """Port -> switch at the other end."""
    return {
        port: document.links[link].other(device)
        for port, link in document.ports_in_use(device).items()
    }


def test_an_imported_fabric(catalog: Catalog):
    opened = open_document(DATA / "live.out", catalog)
    document = opened.document
    assert opened.format == "ibnetdiscover"
    assert document.settings.name == "live"
    assert kinds(document) == {"server": 3, "leaf": 2, "spine": 1}
    assert document.devices["lab-leaf-1"].type == "qm9700"
    assert document.devices["node-1"].type == "unknown-server"
    bundles = [link for link in document.links.values() if link.count == 2]
    assert {(b.a.device, b.a.ports, b.b.ports) for b in bundles} == {
        ("lab-leaf-1", "33-34", "1-2"), ("lab-leaf-2", "33-34", "3-4"),
    }  # fmt: skip
    assert sorted(document._indexes.cables) == [f"c{n}" for n in range(1, 9)]
    places = {(d.x, d.y) for d in document.devices.values()}
    assert len(places) == len(document.devices)


def test_importing_twice_gives_the_same_bytes(catalog: Catalog):
    first, second = (
        native.dumps(open_document(DATA / name, catalog).document).replace(b'"pasted"', b'"live"')
        for name in ("live.out", "pasted.out")
    )
    assert first == second


def test_an_imported_fabric_saves_and_reopens_identical(catalog: Catalog, tmp_path: Path):
    for source in sorted(DATA.iterdir()):
        if source.name == "no-cables.out":
            continue
        path = tmp_path / f"{source.stem}.topo.json"
        native.save(open_document(source, catalog).document, path)
        data = path.read_bytes()
        assert native.dumps(open_document(path, catalog).document) == data


def test_adapters_become_nics_by_index_and_the_rest_storage_ports(catalog: Catalog):
    opened = open_document(DATA / "host-ports.out", catalog, server_types=["dgx-*=dgx-h100"])
    document = opened.document
    assert {d.type for d in document.devices.values() if d.kind == "server"} == {"dgx-h100"}
    assert ports_of(document, "dgx-2") == {f"nic{n}": f"leaf-{n}" for n in range(8)}
    first = ports_of(document, "dgx-1")
    assert {p: s for p, s in first.items() if p.startswith("nic")} == ports_of(document, "dgx-2")
    storage = {p: s for p, s in first.items() if not p.startswith("nic")}
    assert sorted(storage) == ["stor0", "stor1"]
    assert set(storage.values()) == {"leaf-8", "leaf-9"}
    rails = {link.rail for link in document.links.values() if link.network == "compute"}
    assert rails == set(range(8))
    assert {link.rail for link in document.links.values() if link.network == "storage"} == {None}


def test_a_missing_adapter_does_not_shift_the_rails(catalog: Catalog):
    document = open_document(DATA / "host-ports.out", catalog, ["dgx-h100"]).document
    assert ports_of(document, "dgx-3") == {
        f"nic{n}": f"leaf-{n}" for n in range(8) if n != 2
    }  # fmt: skip


def test_the_name_of_an_adapter_stays_on_the_port(catalog: Catalog):
    document = open_document(DATA / "host-ports.out", catalog, ["dgx-h100"]).document
    override = document.devices["dgx-3"].ports[0]
    assert (override.names, override.os_name) == ("nic0", "mlx5_0")


def test_few_adapters_take_the_first_nics_and_the_others_stay_free(catalog: Catalog):
    opened = open_document(DATA / "live.out", catalog, ["node-*=dgx-h100"])
    document = opened.document
    assert ports_of(document, "node-1") == {"nic0": "lab-leaf-1", "nic1": "lab-leaf-2"}
    assert ports_of(document, "node-2") == {"nic0": "lab-leaf-1"}
    assert document.devices["0c00000000000004"].type == "unknown-server"


def test_the_first_pattern_that_fits_wins_and_idle_ones_are_told(catalog: Catalog):
    rules = ["node-1=dgx-b200", "NODE-*=dgx-h100", "gpu*=dgx-a100"]
    opened = open_document(DATA / "live.out", catalog, rules)
    types = {d.name: d.type for d in opened.document.devices.values() if d.kind == "server"}
    assert types["node-1"] == "dgx-b200"
    assert types["node-2"] == "dgx-h100"
    assert any('no host fits the pattern "gpu*"' in w and "node-" in w for w in opened.warnings)


def test_a_host_with_more_adapters_than_its_type_stays_unknown(catalog: Catalog):
    opened = open_document(DATA / "host-ports.out", catalog, ["gb200-tray"])
    assert any("dgx-1 has 10 network ports" in warning for warning in opened.warnings)
    assert opened.document.devices["dgx-1"].type == "unknown-server"


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("dgx*=dgx-h10", 'there is no device type "dgx-h10"'),
        ("qm9700", "qm9700 is a switch, not a server"),
        ("dgx*=", '"dgx\\*=" names no type'),
    ],
)
def test_wrong_server_types(rule: str, says: str, catalog: Catalog):
    with pytest.raises(BadInputError, match=says) as caught:
        open_document(DATA / "live.out", catalog, [rule])
    assert caught.value.line.startswith("--server-type: ")


def test_switches_of_unknown_model_or_with_odd_ports_are_generic(catalog: Catalog, tmp_path: Path):
    path = tmp_path / "odd.out"
    text = (DATA / "live.out").read_text(encoding="utf-8")
    path.write_text(text.replace("[33]", "[97]"), encoding="utf-8")
    opened = open_document(path, catalog)
    assert opened.document.devices["lab-leaf-1"].type == "generic-switch"
    assert any("uses ports that" in warning for warning in opened.warnings)


def test_like_named_devices_keep_apart(catalog: Catalog, tmp_path: Path):
    path = tmp_path / "twins.out"
    text = (DATA / "live.out").read_text(encoding="utf-8")
    path.write_text(text.replace("lab-leaf-2", "lab-leaf-1"), encoding="utf-8")
    document = open_document(path, catalog).document
    leaves = sorted(d.name for d in document.devices.values() if d.kind == "leaf")
    assert leaves == ["lab-leaf-1 000001", "lab-leaf-1 000002"]


def test_a_format_can_be_named(catalog: Catalog):
    assert open_document(DATA / "live.out", catalog, (), "ibnetdiscover").format == "ibnetdiscover"
    with pytest.raises(BadInputError, match='no format "ibnetdiscovery"') as caught:
        open_document(DATA / "live.out", catalog, (), "ibnetdiscovery")
    assert "Nearest: ibnetdiscover" in caught.value.line
    with pytest.raises(BadFileError, match="not valid JSON"):
        open_document(DATA / "live.out", catalog, (), "topoedit")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.topo.json", b"", "the file is empty"),
        ("a.out", b"\n \n", "the file is empty"),
        ("a.topo.json", b"\x89PNG\r\n\x1a\n\0\0", "the picture holds no drawing"),
        ("a.out", b"\x89PNG\r\n\x1a\n\0\0", "the picture holds no drawing"),
        ("a.topo.json", b"\x7fELF\x02\x01\0\0", "binary file"),
        ("a.out", b"\x7fELF\x02\x01\0\0", "binary file"),
        ("a.out", "é".encode("latin-1"), "not UTF-8"),
        ("a.out", b"hello\n", "in no format that topoedit reads"),
        ("a.json", b'{"format": "topoedit", "format_ver', "ends in the middle"),
        ("a.json", b'{"nodes": []}', "in no format that topoedit reads"),
    ],
)
def test_unreadable_files(name: str, content: bytes, says: str, catalog: Catalog, tmp_path: Path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadFileError, match=says):
        open_document(tmp_path / name, catalog)


def test_content_decides_even_against_the_native_suffix(catalog: Catalog, tmp_path: Path):
    path = tmp_path / "fabric.topo.json"
    path.write_bytes((DATA / "live.out").read_bytes())
    assert open_document(path, catalog).format == "ibnetdiscover"
    native_file = tmp_path / "drawing.out"
    native_file.write_bytes(native.dumps(open_document(path, catalog).document))
    assert open_document(native_file, catalog).format == "topoedit"


@pytest.mark.skipif(sys.platform != "linux", reason="names of files that are no text")
def test_a_file_whose_name_is_no_text(catalog: Catalog, tmp_path: Path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/fab\xffric.out"))
    path.write_bytes((DATA / "live.out").read_bytes())
    document = open_document(path, catalog).document
    assert document.settings.name == "fab?ric"
    native.save(document, tmp_path / "saved.topo.json")


def test_opening_writes_nothing(catalog: Catalog, samples: Path, tmp_path: Path):
    from topoedit import paths

    path = tmp_path / "d.topo.json"
    path.write_bytes((samples / "dgx-h100.topo.json").read_bytes())
    open_document(path, catalog)
    assert [p.name for p in tmp_path.iterdir()] == ["d.topo.json"]
    assert not paths.state_dir().exists()


def test_server_types_for_a_native_file_are_refused_gently(catalog: Catalog, samples: Path):
    opened = open_document(samples / "dgx-h100.topo.json", catalog, ["dgx-b200"])
    assert opened.warnings == ("server types are only for imported fabrics",)


# -- roles -------------------------------------------------------------------------------------


def test_roles_of_three_tiers():
    found = infer_roles(
        {"h": "server", "l": "switch", "s": "switch", "c": "switch", "x": "switch"},
        [("h", "l", 4), ("l", "s", 4), ("s", "c", 4)],
    )
    assert found == {"l": "leaf", "s": "spine", "c": "core"}


def test_a_manager_in_a_spine_port_does_not_make_it_a_leaf():
    hosts = [(f"h{i}", "leaf", 1) for i in range(32)]
    up = [("leaf", "spine", 32)]
    kinds = {**{f"h{i}": "server" for i in range(32)}, "ufm": "server"}
    found = infer_roles(
        {**kinds, "leaf": "switch", "spine": "switch"}, [*hosts, *up, ("ufm", "spine", 1)]
    )
    assert found == {"leaf": "leaf", "spine": "spine"}


def test_self_loops_and_given_roles_do_not_confuse():
    found = infer_roles(
        {"h": "server", "l": "switch", "r": "router"}, [("h", "l", 1), ("l", "l", 9), ("l", "r", 1)]
    )
    assert found == {"l": "leaf"}


# -- the reference fabric ----------------------------------------------------------------------


@pytest.fixture
def fabric(shared_folder: Path) -> Path:
    return shared_folder / "corpus" / "ibnetdiscover" / "topograph_example.out"


def test_the_reference_fabric(fabric: Path, catalog: Catalog):
    opened = open_document(fabric, catalog)
    document = opened.document
    assert kinds(document) == {"leaf": 31, "spine": 9, "server": 191}
    assert sum(link.count for link in document.links.values()) == 1074
    servers = [d.name for d in document.devices.values() if d.kind == "server"]
    assert sum("dgx" in name for name in servers) == 119
    assert sum(len(name) == 16 and name.isalnum() for name in servers) == 69
    assert any(w.startswith("40 aggregation nodes") for w in opened.warnings)


def test_the_reference_fabric_with_types(fabric: Path, catalog: Catalog, tmp_path: Path):
    opened = open_document(fabric, catalog, ["*dgx*=dgx-h100"])
    document = opened.document
    types = Counter(d.type for d in document.devices.values() if d.kind == "server")
    assert types == {"dgx-h100": 119, "unknown-server": 72}
    ports = Counter(p for d in document.devices for p in ports_of(document, d) if "nic" in p)
    assert ports == {"nic0": 119, "nic1": 119, "nic2": 109, "nic3": 119}
    path = tmp_path / "fabric.topo.json"
    native.save(document, path)
    assert native.dumps(native.load(path, catalog)) == path.read_bytes()


def test_other_dumps_of_the_corpus(shared_folder: Path, catalog: Catalog):
    folder = shared_folder / "corpus" / "ibnetdiscover"
    first = open_document(folder / "jabl_1.topo", catalog).document
    assert (len(first.devices), sum(link.count for link in first.links.values())) == (6, 7)
    with pytest.raises(BadFileError, match="not one cable"):
        open_document(folder / "topograph_example-bad.out", catalog)
