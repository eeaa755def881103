"""What templates draw: places, racks, lengths, media, networks and sites."""

from __future__ import annotations

import math

import pytest

from tests.templates.boxes import container_overlaps, device_box, overlaps
from tests.templates.counting import Make, cables, kinds
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.ports import natural_key
from topoedit.templates.floor import Spot, length_m, medium_for, row_index, row_label

CASES = [
    ("superpod", {"units": 4}),
    ("superpod", {"units": 13, "system": "dgx-b200"}),
    ("superpod", {"units": 2, "networks": "compute,storage,inband,oob"}),
    ("rail-optimized", {"nodes": 8, "spines": 4}),
    ("rail-optimized", {"nodes": 100, "oversubscription": 2}),
    ("fat-tree", {"nodes": 1, "tiers": 1}),
    ("fat-tree", {"nodes": 130, "system": "dgx-b200"}),
    ("fat-tree", {"nodes": 600, "leaf": "q3400-ra", "system": "dgx-b300"}),
    ("nvl72-pod", {"nodes": 8}),
    ("nvl72-pod", {"nodes": 19}),
    ("multi-site", {"nodes": 8, "spines": 2}),
    ("multi-site", {"sites": 5, "inner": "nvl72-pod"}),
]


def _site(document: Document, group: str) -> str:
    parent = document.groups[group].parent
    return _site(document, parent) if parent else group if "site" in group else ""


@pytest.mark.parametrize(("template", "params"), CASES)
def test_nothing_overlaps(make: Make, template: str, params: dict[str, object]) -> None:
    document = make(template, **params).document
    assert overlaps({i: device_box(document, i) for i in document.devices}) == []
    assert container_overlaps(document) == []


@pytest.mark.parametrize(("template", "params"), CASES)
def test_racks_hold_each_unit_once(make: Make, template: str, params: dict[str, object]) -> None:
    document = make(template, **params).document
    floor = [
        (_site(document, g.id), g.row, g.column)
        for g in document.groups.values()
        if g.kind == "rack"
    ]
    assert len(set(floor)) == len(floor)
    for group in document.groups.values():
        if group.kind != "rack":
            continue
        units = [
            unit
            for device in (document.devices[i] for i in document.members(group.id))
            for unit in range(
                device.unit or 0,
                (device.unit or 0) + math.ceil(document.device_type(device).rack_units or 1),
            )
        ]
        assert min(units) >= 1
        assert max(units) <= (group.units or 0)
        assert len(set(units)) == len(units)


@pytest.mark.parametrize(("template", "params"), CASES)
def test_lengths_media_and_rates(
    make: Make, catalog: Catalog, template: str, params: dict[str, object]
) -> None:
    document = make(template, **params).document
    for link in document.links.values():
        rates = [
            document.device_type(document.devices[e.device]).port_by_name[name].gbps
            for e in (link.a, link.b)
            for name in e.names
        ]
        if link.km is not None:
            assert link.length_m is None
            continue
        assert link.gbps == min(rate for rate in rates if rate is not None)
        assert link.length_m is not None
        assert link.length_m > 0
        medium = catalog.media[link.medium]
        assert medium.max_m is None or link.length_m <= medium.max_m


def test_lengths_by_hand() -> None:
    """The basis of the lengths, worked by hand."""
    same = length_m(Spot(0, 0, 1), Spot(0, 0, 46))
    assert same == 3.0  # 45 x 0.04445 + 0.5 = 2.50 m, to the next half metre above 2.5
    # 4 racks and 2 rows: 2.4 + 6 across, 5 - 47 x 0.04445 = 2.91 up and down; x 1.1 + 1 = 13.44
    assert length_m(Spot(0, 0, 1), Spot(2, 4, 46)) == 14.0
    assert length_m(Spot(2, 4, 46), Spot(0, 0, 1)) == 14.0


def test_media_by_length(catalog: Catalog) -> None:
    """Copper up to its warning length, then single-mode fibre by reach."""
    cases = {1.5: "dac-100", 3: "400g-dr4", 500: "400g-dr4", 1500: "400g-xdr4", 9000: "400g-lr4"}
    assert {m: medium_for(catalog, 400, m) for m in cases} == cases
    assert medium_for(catalog, None, 3) == ""
    assert medium_for(catalog, 800, 20, "InfiniBand") == "800g-dr4-xdr"
    assert medium_for(catalog, 800, 20, "Ethernet") == "800g-dr8"
    assert medium_for(catalog, 1, 20) == "cat6"


def test_row_labels_go_both_ways() -> None:
    for row in (0, 25, 26, 27, 701, 702, 1500):
        assert row_index(row_label(row)) == row
    assert (row_label(25), row_label(26), row_label(702)) == ("Z", "AA", "AAA")


def test_names_sort_naturally_and_servers_come_by_unit(make: Make) -> None:
    document = make("superpod", units=2).document
    servers = sorted(d.name for d in document.devices.values() if d.kind == "server")
    assert servers == sorted(servers, key=natural_key)
    assert servers[0] == "node-01"
    assert servers[-1] == "node-63"


def test_leaves_above_servers_and_spines_above_leaves(make: Make) -> None:
    document = make("superpod", units=12).document
    for link in document.links.values():
        a, b = (document.devices[e.device] for e in (link.a, link.b))
        if {a.group.split("-")[0], b.group.split("-")[0]} <= {"core"}:
            continue
        assert b.y < a.y


def test_other_networks_are_counted_apart(make: Make) -> None:
    plain = make("superpod", units=2).document
    made = make("superpod", units=2, networks="compute,storage,inband,oob")
    assert kinds(made.document) == kinds(plain)
    assert cables(made.document) == cables(plain)
    servers = 63
    assert cables(made.document, "storage")["host-leaf"] == 2 * servers
    assert cables(made.document, "in-band")["host-leaf"] == 2 * servers
    assert cables(made.document, "out-of-band")["host-leaf"] == servers
    down, up = (cables(made.document, "storage")[t] for t in ("host-leaf", "leaf-spine"))
    assert 32 * 4 / up == pytest.approx(4 / 3)  # 4 access switches of 32 ports down, 24 up
    assert down <= 128
    for name in ("Storage", "In-band", "Out-of-band"):
        assert any(note.startswith(name) for note in made.built.notes)


def test_servers_hang_on_two_storage_switches(make: Make) -> None:
    document = make("fat-tree", nodes=4, networks="compute,storage").document
    ends = {
        link.b.device
        for link in document.links.values()
        if link.network == "storage" and link.a.device == "node-01"
    }
    assert len(ends) == 2


def test_two_sites(make: Make) -> None:
    made = make("multi-site", nodes=8, leaf="sn5600", spines=2, km=100)
    document = made.document
    assert [g.name for g in document.groups.values() if g.kind == "site"] == ["site1", "site2"]
    lines = [link for link in document.links.values() if link.km is not None]
    assert [(line.count, line.gbps, line.km, line.medium) for line in lines] == [
        (2, 400.0, 100.0, "zr-400")
    ]
    edge = document.devices["s1-edge-1"]
    assert edge.kind == "router"
    assert {document.links[i].other(edge.id) for i in document.links_of(edge.id)} == {
        "s1-spine-1", "s1-spine-2", "s2-edge-1",
    }  # fmt: skip
    assert kinds(document)["server"] == 16


def test_every_site_meets_every_other(make: Make) -> None:
    document = make("multi-site", sites=4, nodes=4, wan_links=3, km=2000, wan_gbps=100).document
    lines = [link for link in document.links.values() if link.km is not None]
    assert len(lines) == 6
    assert {(line.count, line.medium) for line in lines} == {(3, "wan")}


def test_a_full_superpod_has_no_port_for_a_wan(make: Make) -> None:
    from topoedit.errors import BadInputError

    with pytest.raises(BadInputError, match="none is left for the WAN"):
        make("multi-site", inner="superpod", units=4)


def test_cables_are_numbered_once_from_one(make: Make) -> None:
    document = make("multi-site", nodes=4).document
    names = [c for link in document.links.values() for c in link.cable_ids]
    assert sorted(names, key=natural_key) == [f"c{i + 1}" for i in range(len(names))]
