"""Files for cable validation against the drawing, read back by readers of the tests' own."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.io.validation_files import read_dot, read_sheets, read_topo
from tests.reports.panel_pod import panel_pod
from topoedit.app.convert import write_document
from topoedit.app.open import open_document
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.errors import BadInputError
from topoedit.io import formats
from topoedit.io.exporters._fabric import one_word
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group, Link, PortOverride, Ports
from topoedit.paths import samples

# DGX H100 User Guide, Table 6: the adapters of its eight compute ports.
DGX_ADAPTERS = (0, 3, 4, 5, 6, 9, 10, 11)


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog(user=False)


@pytest.fixture(scope="session")
def pod() -> Document:
    return open_document(samples() / "pod64-h100.topo.json").document


def device(key: str, kind: str, type_id: str, **more: object) -> Device:
    return Device(id=key, name=str(more.pop("name", key)), type=type_id, kind=kind, **more)


def link(name: str, a: str, b: str, cables: str, gbps: float | None, **more: object) -> Link:
    ends = [Ports(*end.split("/")) for end in (a, b)]
    return Link(id=name, a=ends[0], b=ends[1], cables=cables, gbps=gbps, **more)


@pytest.fixture
def mixed(catalog: Catalog) -> Document:
    """A rack of Quantum-2, Quantum-X800, Spectrum-4 and a switch of no known fabric."""
    return Document(
        catalog,
        [
            Group(id="R1", name="R1", kind="rack", parent="SU1"),
            Group(id="SU1", name="SU1", kind="pod", parent="hall"),
            Group(id="hall", name="Hall 1", kind="building", parent="berlin"),
            Group(id="berlin", name="Berlin", kind="site"),
            device("h1", "server", "dgx-h100", group="R1", unit=1, address="10.0.0.1"),
            device("h2", "server", "dgx-b300", name="host 2", group="R1", unit=9),
            device("q2", "leaf", "qm9700", group="R1", unit=40, guid="0x1070fd0300001234"),
            device("q2b", "spine", "qm9700", unit=41),
            device("x8", "leaf", "q3400-ra", group="R1", unit=30),
            device("sp", "leaf", "sn5600", name='sp "4" \\', group="R1", unit=20),
            device("sp-up", "core", "sn5600"),
            device("what", "switch", "generic-switch"),
            device("panel", "panel", "generic-panel"),
            link("a", "h1/nic0-1", "q2/1-2", "c1-2", 400.0, length_m=3.0),
            link("b", "q2b/1", "q2/64", "c3", 400.0),
            link("c", "q2/63", "q2b/3", "c4", 200.0),
            link("d", "x8/143", "h2/nic7", "c5", 800.0),
            link("e", "h1/stor0", "sp/5", "c6", 400.0, network="storage"),
            link("f", "sp/64", "sp-up/1", "c7", 800.0),
            link("g", "what/1", "h2/inband0", "c8", None),
            link("h", "q2/10", "panel/1", "c9", 400.0),
        ],
    )


# -- .topo -----------------------------------------------------------------------------------------


def expected_topo(document: Document) -> set[frozenset[tuple[str, str]]]:
    """From the drawing, by hand: switches count `P1`… as printed, hosts name their adapter."""
    found = set()
    for each in document.links.values():
        for a, b in zip(each.a.names, each.b.names, strict=True):
            ends = []
            for end, port in ((each.a, a), (each.b, b)):
                rail = re.fullmatch(r"nic(\d)", port)
                name = f"mlx5_{DGX_ADAPTERS[int(rail[1])]}/P1" if rail else f"P{port}"
                ends.append((end.device, name))
            found.add(frozenset(ends))
    return found


def test_topo_of_the_64_gpu_pod(pod: Document) -> None:
    found = read_topo(formats.exporter("ufm-topo").write(pod).data)
    assert set(found.cables) == expected_topo(pod)
    assert len(found.cables) == 128
    assert found.listed == 64 + 2 * 64  # hosts at their leaf alone, switches from both ends
    assert set(found.cables.values()) == {"-4x-100G->"}
    kinds = {name: kind for name, kind in found.systems.items() if not name.startswith("node")}
    assert set(kinds.values()) == {"MQM9700"}
    assert len(found.systems) == 20
    assert found.systems["node-01"] == "HCA_mlx5_8"


def test_topo_of_a_mixed_rack(mixed: Document) -> None:
    written = formats.exporter("ufm-topo").write(mixed)
    found = read_topo(written.data)
    assert found.cables == {
        frozenset({("h1", "mlx5_0/P1"), ("q2", "P1")}): "-4x-100G->",
        frozenset({("h1", "mlx5_3/P1"), ("q2", "P2")}): "-4x-100G->",
        frozenset({("q2b", "P1"), ("q2", "P64")}): "-4x-100G->",
        frozenset({("q2", "P63"), ("q2b", "P3")}): "-2x-100G->",  # two lanes of split ports
        frozenset({("x8", "P143"), ("host_2", "mlx5_7/P1")}): "-4x-200G->",
        frozenset({("what", "P1"), ("host_2", "mlx5_10/P1")}): "->",
    }
    assert (found.systems["x8"], found.systems["what"]) == ("Q3400", "GENERIC-SWITCH")
    assert written.losses[:6] == (
        "cables that are not InfiniBand (3)",
        "lengths and media of cables (2)",
        "node GUIDs (1)",
        "rates of cables whose lanes are unclear (1)",
        "adapters of unknown name, written as mlx5_0, mlx5_1… in port order (2)",
        "blanks in names, written as _ (1)",
    )


def test_names_of_an_imported_fabric_come_back(catalog: Catalog) -> None:
    """What `ibnetdiscover` called a host's adapter stands in the file, and its GUID makes it IB."""
    host = device(
        "n1", "server", "generic-server", guid="0x1",
        ports=(PortOverride(names="p1", os_name="HCA-2"),),
    )  # fmt: skip
    document = Document(
        catalog, [host, device("s", "leaf", "generic-switch"), link("a", "n1/p1", "s/7", "c1", 100)]
    )
    found = read_topo(formats.exporter("ufm-topo").write(document).data)
    assert list(found.cables) == [frozenset({("n1", "HCA-2/P1"), ("s", "P7")})]
    assert read_dot(formats.exporter("ufm-dot").write(document).data).cables == []


# -- DOT -------------------------------------------------------------------------------------------


def test_dot_of_a_mixed_rack(mixed: Document) -> None:
    written = formats.exporter("ufm-dot").write(mixed)
    found = read_dot(written.data)
    name = 'sp "4" \\'
    assert found.cables == [
        frozenset({("h1", "stor0"), (name, "swp5")}),
        frozenset({(name, "swp64"), ("sp-up", "swp1")}),
        frozenset({("host 2", "inband0"), ("what", "1")}),
    ]
    assert found.nodes == {
        name: {"label": name, "role": "leaf", "os": "cumulus"},
        "sp-up": {"label": "sp-up", "role": "super_spine", "os": "cumulus"},
        "what": {"label": "what", "role": "switch"},
    }
    assert "cables that are not Ethernet (6)" in written.losses
    assert "interface names that are not known, for which the printed ones stand (3)" in (
        written.losses
    )


def test_dot_of_split_ports() -> None:
    """An SN5600 whose cages are split in two: swp1s0 and swp1s1, as the guide's own example."""
    document = open_document(samples() / "two-sites.topo.json").document
    found = read_dot(formats.exporter("ufm-dot").write(document).data)
    expected = []
    for each in document.links.values():
        for a, b in zip(each.a.names, each.b.names, strict=True):
            ends = []
            for end, port in ((each.a, a), (each.b, b)):
                split = document.devices[end.device].type == "sn5600-2x400"
                number = int(port) - 1 if split else 0
                name = f"swp{number // 2 + 1}s{number % 2}" if split else port
                ends.append((document.devices[end.device].name, name))
            expected.append(frozenset(ends))
    assert sorted(map(sorted, found.cables)) == sorted(map(sorted, expected))


# -- workbooks -------------------------------------------------------------------------------------


def test_p2p_of_the_64_gpu_pod(pod: Document) -> None:
    """Hosts by number, switches by cage and lane: port 33 of a Quantum-2 is lane 1 of cage 17."""
    sheets = read_sheets(formats.exporter("ufm-p2p").write(pod).data)
    assert list(sheets) == ["InfiniBand"]
    found = {
        frozenset({(row["a-node name"], row["a-port"]), (row["z-node name"], row["z-port"])})
        for row in sheets["InfiniBand"]
    }
    expected = set()
    for each in pod.links.values():
        for a, b in zip(each.a.names, each.b.names, strict=True):
            ends = []
            for end, port in ((each.a, a), (each.b, b)):
                number = int(port.removeprefix("nic"))
                lane = f"{(number + 1) // 2}/{(number + 1) % 2 + 1}"
                ends.append((end.device, number + 1 if port.startswith("nic") else lane))
            expected.add(frozenset(ends))
    assert found == expected
    assert len(sheets["InfiniBand"]) == len(found) == 128
    first = sheets["InfiniBand"][0]
    assert (first["a-rack"], first["a-u"], first["a-type"]) == ("rack-1", 1, "Host")
    assert (first["z-rack"], first["z-ru"], first["z-type"]) == ("leaf-rack", 46, "Switch")
    assert [row["cable-id"] for row in sheets["InfiniBand"]] == [f"c{n}" for n in range(1, 129)]


def test_p2p_of_a_mixed_rack(mixed: Document) -> None:
    written = formats.exporter("ufm-p2p").write(mixed)
    sheets = read_sheets(written.data)
    ends = {
        name: [
            (row["a-node name"], row["a-port"], row["z-node name"], row["z-port"]) for row in rows
        ]
        for name, rows in sheets.items()
    }
    sp = 'sp "4" \\'
    assert ends == {
        "InfiniBand": [
            ("h1", 1, "q2", "1/1"), ("h1", 2, "q2", "1/2"),
            ("q2b", "1/1", "q2", "32/2"), ("q2", "32/1", "q2b", "2/1"),
        ],
        "XDR": [("host 2", 8, "x8", "sw72p1")],
        "Ethernet": [("h1", "stor0", sp, "swp5"), (sp, "swp64", "sp-up", "swp1")],
        "Unknown fabric": [("host 2", 11, "what", 1)],
    }  # fmt: skip
    assert "cables at patch panels and optical switches (1)" in written.losses


def test_rails_name_the_ports_of_ethernet_hosts(catalog: Catalog) -> None:
    document = Document(
        catalog,
        [
            device("h", "server", "dgx-h100"),
            device("s", "leaf", "sn5600"),
            link("a", "h/nic4", "s/9", "c1", 400.0),
        ],
    )
    rows = read_sheets(formats.exporter("ufm-p2p").write(document).data)["Ethernet"]
    assert [(row["a-port"], row["z-port"]) for row in rows] == [("rail5", "swp9")]


def test_ptp_of_the_64_gpu_pod(pod: Document) -> None:
    sheets = read_sheets(formats.exporter("ufm-ptp").write(pod).data)
    assert list(sheets) == ["Nodes", "DC Floor Layout", "Links", "Server Profile"]
    nodes = {row["nodename"]: row for row in sheets["Nodes"]}
    assert set(nodes) == set(pod.devices)
    assert {row["nodetype"] for row in nodes.values()} == {"switch", "host"}
    assert nodes["node-01"]["serverprofile"] == "dgx-h100"
    links = sheets["Links"]
    assert len(links) == 128
    assert {row["protocol"] for row in links} == {"ib"}
    assert {row["a-node"] for row in links} | {row["z-node"] for row in links} == set(nodes)
    profile = {row["physicalport"]: row["rdmaname"] for row in sheets["Server Profile"]}
    assert profile == {f"nic{n}": f"mlx5_{hca}" for n, hca in enumerate(DGX_ADAPTERS)}
    used = {row["a-port"] for row in links if str(row["a-node"]).startswith("node")}
    assert used == set(profile)
    assert {row["rack"] for row in sheets["DC Floor Layout"]} == {
        "leaf-rack", "rack-1", "rack-2", "spine-rack",
    }  # fmt: skip


def test_ptp_of_a_mixed_rack(mixed: Document) -> None:
    sheets = read_sheets(formats.exporter("ufm-ptp").write(mixed).data)
    links = [
        (row["a-node"], row["a-port"], row["z-node"], row["z-port"], row["protocol"])
        for row in sheets["Links"]
    ]
    assert links[-3:] == [
        ("host 2", "nic7", "x8", "sw72p1", "ib"),
        ("h1", "stor0", 'sp "4" \\', "swp5", "ethernet"),
        ('sp "4" \\', "swp64", "sp-up", "swp1", "ethernet"),
    ]
    nodes = {row["nodename"]: row for row in sheets["Nodes"]}
    assert (nodes["h1"]["ip"], nodes["h1"]["unit"], nodes["h1"]["fabricid"]) == (
        "10.0.0.1", 1, "Berlin",
    )  # fmt: skip
    assert {name: row["nodeos"] for name, row in nodes.items() if row["nodetype"] == "switch"} == {
        "q2": "mlnx-os", "q2b": "mlnx-os", "x8": "nvos", 'sp "4" \\': "cumulus", "sp-up": "cumulus",
    }  # fmt: skip
    assert [tuple(row.values()) for row in sheets["DC Floor Layout"]] == [
        ("Berlin", "Hall 1", "SU1", "R1", "GPURack", None)
    ]


def test_a_name_is_no_formula_in_a_workbook(catalog: Catalog) -> None:
    document = Document(
        catalog,
        [
            device("h", "server", "dgx-h100", name="=1+1"),
            device("s", "leaf", "qm9700"),
            link("a", "h/nic0", "s/1", "c1", 400.0),
        ],
    )
    for name in ("ufm-p2p", "ufm-ptp"):
        data = formats.exporter(name).write(document).data
        assert any("=1+1" in row.values() for rows in read_sheets(data).values() for row in rows)
        assert b"<f>" not in data


def test_links_through_panels_are_checked_from_end_to_end(catalog: Catalog) -> None:
    """What lies between reports nothing: c1 to c4 run through two panels and are as the others."""
    document = Document(catalog, panel_pod())
    topo = read_topo(formats.exporter("ufm-topo").write(document).data)
    assert frozenset({("node-1", "mlx5_0/P1"), ("leaf-1", "P1")}) in topo.cables
    assert len(topo.cables) == 16
    assert not [name for name in topo.systems if name.startswith("panel")]
    dot = read_dot(formats.exporter("ufm-dot").write(document).data)
    assert len(dot.cables) == 2  # those of the out-of-band switch
    profiles = read_sheets(formats.exporter("ufm-ptp").write(document).data)["Server Profile"]
    known = {row["pciaddress"]: row["physicalport"] for row in profiles if row["pciaddress"]}
    assert known == {"0000:18:00.0": "nic0"}


# -- small files -----------------------------------------------------------------------------------


def test_hca_mapping(pod: Document, mixed: Document) -> None:
    text = formats.exporter("ufm-hca").write(pod).data.decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert {int(row["port"]): row["hca-name"] for row in rows} == {
        n: f"mlx5_{hca}" for n, hca in enumerate(DGX_ADAPTERS, 1)
    }
    losses = formats.exporter("ufm-hca").write(mixed).losses
    assert "adapters of unknown name, written as mlx5_0, mlx5_1… in port order (2)" in losses


def test_node_name_map(mixed: Document) -> None:
    written = formats.exporter("ib-node-names").write(mixed)
    assert written.data == b'0x1070fd0300001234 "q2"\n'
    assert written.losses == ("devices without a GUID (8)", "links (8)")


@given(st.lists(st.text(min_size=1, max_size=6), max_size=12, unique=True))
def test_words_have_no_blanks_and_stay_different(names: list[str]) -> None:
    words = one_word(names)
    assert list(words) == names
    assert len(set(words.values())) == len(names)
    for name, word in words.items():
        assert word
        assert len(word.split()) == 1
        assert word == name or re.search(r"[\s\x00-\x1f\x7f]", name)


@pytest.mark.parametrize(
    ("name", "format_id"),
    [("x.topo", "ufm-topo"), ("x.dot", "ufm-dot"), ("x.hca.csv", "ufm-hca"), ("x.csv", "csv")],
)
def test_suffixes_tell_the_format(name: str, format_id: str) -> None:
    assert formats.exporter_for(Path(name)).id == format_id


def test_two_workbooks_share_a_suffix() -> None:
    with pytest.raises(BadInputError, match="could be several formats"):
        formats.exporter_for(Path("x.xlsx"))


@pytest.mark.parametrize("format_id", ["ufm-topo", "ufm-dot", "ufm-p2p", "ufm-ptp", "ufm-hca"])
def test_an_empty_drawing(catalog: Catalog, tmp_path: Path, format_id: str) -> None:
    out = tmp_path / "out"
    assert write_document(Document(catalog), out, format_id) == ()
    assert out.exists()
