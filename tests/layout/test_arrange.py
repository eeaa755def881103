"""Arrangements: nothing overlaps, tiers stand above one another, locked devices stay."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.templates.boxes import container_overlaps, device_box, overlaps
from topoedit.app.generate import generate
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.layout import blocks, clos, grid, rack
from topoedit.model.document import Document
from topoedit.model.edits import Edit


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(user=False)


def ungrouped(document: Document, catalog: Catalog) -> Document:
    """The same fabric as an import would leave it: no containers, everything at the origin."""
    devices = [replace(d, group="", x=0.0, y=0.0, unit=None) for d in document.devices.values()]
    random.Random(7).shuffle(devices)
    return Document(catalog, (*document.types.values(), *devices, *document.links.values()))


FABRICS = [
    ("superpod", {"units": 4}),
    ("superpod", {"units": 9, "system": "dgx-b200"}),
    ("fat-tree", {"nodes": 100}),
    ("nvl72-pod", {}),
    ("multi-site", {"nodes": 8, "spines": 2}),
]


@pytest.mark.parametrize(("template", "params"), FABRICS)
@pytest.mark.parametrize("grouped", [True, False])
def test_tiers_stand_above_one_another(
    catalog: Catalog, template: str, params: dict[str, object], grouped: bool
) -> None:
    document = generate(template, params, catalog)
    if not grouped:
        document = ungrouped(document, catalog)
    document.apply(clos.arrange(document))
    assert overlaps({i: device_box(document, i) for i in document.devices}) == []
    assert container_overlaps(document) == []
    rank = {"router": 0, "core": 0, "spine": 1, "leaf": 2, "server": 3}
    for link in document.links.values():
        a, b = (document.devices[e.device] for e in (link.a, link.b))
        if {a.kind, b.kind} in ({"server", "leaf"}, {"leaf", "spine"}) and template != "multi-site":
            low, high = (a, b) if rank[a.kind] > rank[b.kind] else (b, a)
            assert high.y < low.y


def test_rail_units_are_found_without_containers(catalog: Catalog) -> None:
    """The leaves of one unit stand in one row, with that unit's servers below them."""
    document = ungrouped(generate("superpod", {"units": 4}, catalog), catalog)
    document.apply(clos.arrange(document))
    spans = []
    for unit in range(1, 5):
        leaves = [document.devices[f"su{unit}-leaf-{i}"] for i in range(1, 9)]
        assert len({leaf.y for leaf in leaves}) == 1
        assert [leaf.x for leaf in leaves] == sorted(leaf.x for leaf in leaves)
        served = {
            document.links[i].other(leaf.id) for leaf in leaves for i in document.links_of(leaf.id)
        }
        servers = [document.devices[s] for s in served if document.devices[s].kind == "server"]
        xs = [d.x for d in (*servers, *leaves)]
        spans.append((min(xs), max(xs), leaves[0].y))
    flat = sorted(spans)
    rows = {y for _, _, y in flat}
    for y in rows:
        row = [span for span in flat if span[2] == y]
        assert all(a[1] < b[0] for a, b in pairwise(row))


def test_switches_of_unknown_role_find_their_tier(catalog: Catalog) -> None:
    document = generate("rail-optimized", {"nodes": 16, "spines": 4}, catalog)
    plain = [replace(d, kind="switch") for d in document.devices.values() if d.kind != "server"]
    document.apply(Edit("Forget roles", put=tuple(plain)))
    tiers = clos.tiers_of(document)
    assert {tiers[f"leaf-{i}"] for i in range(1, 9)} == {3}
    assert {tiers[f"spine-{i}"] for i in range(1, 5)} == {2}


def test_locked_devices_stay(catalog: Catalog) -> None:
    document = generate("rail-optimized", {"nodes": 8}, catalog)
    fixed = replace(document.devices["leaf-3"], locked=True, x=5000.0, y=-700.0)
    document.apply(Edit("Lock", put=(fixed,)))
    for edit in (
        clos.arrange(document),
        rack.arrange(document),
        grid.arrange(document, document.devices),
    ):
        assert "leaf-3" not in edit.ids
        document.apply(edit)
    assert (document.devices["leaf-3"].x, document.devices["leaf-3"].y) == (5000.0, -700.0)


def test_an_empty_document_moves_nothing(catalog: Catalog) -> None:
    assert clos.arrange(Document(catalog)).is_empty
    assert rack.arrange(Document(catalog)).is_empty
    assert grid.arrange(Document(catalog), ()).is_empty


def test_arranging_twice_changes_nothing(catalog: Catalog) -> None:
    document = ungrouped(generate("fat-tree", {"nodes": 30}, catalog), catalog)
    first = clos.arrange(document)
    document.apply(first)
    assert clos.arrange(document) == first


def test_racks_as_elevations(catalog: Catalog) -> None:
    document = generate("superpod", {"units": 2}, catalog)
    document.apply(rack.arrange(document))
    assert container_overlaps(document) == []
    for group in document.groups.values():
        if group.kind == "rack":
            members = [document.devices[i] for i in document.members(group.id)]
            assert len({d.x for d in members}) == 1
            by_height = sorted(members, key=lambda d: d.y)
            assert [d.unit for d in by_height] == sorted((d.unit for d in members), reverse=True)


@given(count=st.integers(1, 60), columns=st.integers(0, 9))
def test_grids_do_not_overlap(count: int, columns: int) -> None:
    boxes = [blocks.single(str(i), (20.0 + i % 3, 10.0)) for i in range(count)]
    block = blocks.gridded(boxes, 4.0, columns)
    places = sorted((y, x) for _, x, y in block.items)
    assert len(set(places)) == count
    assert all(abs(a[0] - b[0]) >= 10 or abs(a[1] - b[1]) >= 20 for a, b in pairwise(places))
    assert all(0 < x < block.width and 0 < y < block.height for _, x, y in block.items)


def test_a_grid_starts_where_the_devices_are(catalog: Catalog) -> None:
    document = generate("fat-tree", {"nodes": 4, "tiers": 1}, catalog)
    names = [f"node-0{i}" for i in range(1, 5)]
    left, top = document.devices["node-01"].x, document.devices["node-01"].y
    document.apply(grid.arrange(document, names, columns=2))
    placed = [(document.devices[n].x - left, document.devices[n].y - top) for n in names]
    assert placed == [(0.0, 0.0), (124.0, 0.0), (0.0, 132.0), (124.0, 132.0)]
