"""Dragonfly, torus, multi-plane and rail-only: counts by formula, ports, reach, looks, refusals."""

from __future__ import annotations

import math
from collections import Counter

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.templates.boxes import container_overlaps, device_box, overlaps
from tests.templates.counting import Make, cables, kinds
from topoedit.app.generate import generate
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.errors import BadInputError, TopoeditError
from topoedit.model.document import Document
from topoedit.templates.torus import cubic

CASES = [
    ("dragonfly", {}),
    ("dragonfly", {"nodes": 11, "leaf": "sn5600"}),
    ("dragonfly", {"nodes": 300}),
    ("dragonfly", {"nodes": 40, "groups": 5}),
    ("torus", {}),
    ("torus", {"shape": "4x4x2", "nodes": 100}),
    ("torus", {"shape": "5", "nodes": 20}),
    ("torus", {"nodes": 200, "axes": 2, "per_switch": 2}),
    ("multi-plane", {}),
    ("multi-plane", {"nodes": 200}),
    ("multi-plane", {"nodes": 2048}),
    ("multi-plane", {"nodes": 128, "planes": 4, "oversubscription": 2}),
    ("multi-plane", {"nodes": 70, "networks": "compute,storage"}),
    ("rail-only", {}),
    ("rail-only", {"nodes": 64, "networks": "compute,inband,oob"}),
]


def graph(document: Document) -> nx.MultiGraph:
    """Devices of the compute network and its links."""
    found = nx.MultiGraph()
    found.add_nodes_from(d.id for d in document.devices.values() if d.network == "compute")
    for link in document.links.values():
        if link.network == "compute":
            found.add_edge(link.a.device, link.b.device, cables=link.count)
    return found


@pytest.mark.parametrize(("template", "params"), CASES)
def test_all_reach_all_and_nothing_overlaps(
    make: Make, template: str, params: dict[str, object]
) -> None:
    """Building a document refuses a port or cable that is used twice, so it is not tested here."""
    document = make(template, **params).document
    assert nx.is_connected(graph(document))
    assert overlaps({i: device_box(document, i) for i in document.devices}) == []
    assert container_overlaps(document) == []
    for device in document.devices.values():
        ports = document.device_type(device).port_by_name
        assert set(document.ports_in_use(device.id)) <= set(ports)
    spots = Counter((d.group, d.unit) for d in document.devices.values() if d.network == "compute")
    assert max(spots.values()) == 1
    floor = Counter((g.row, g.column) for g in document.groups.values() if g.kind == "rack")
    assert max(floor.values()) == 1
    assert all(link.length_m and link.medium for link in document.links.values())


# -- dragonfly -------------------------------------------------------------------------------------


def switch_pairs(document: Document) -> Counter[frozenset[str]]:
    """Cables between every two switches."""
    found: Counter[frozenset[str]] = Counter()
    for link in document.links.values():
        ends = [document.devices[e.device] for e in (link.a, link.b)]
        if all(d.kind == "leaf" for d in ends):
            found[frozenset(d.id for d in ends)] += link.count
    return found


def group_of(name: str) -> str:
    return name.partition("-")[0]


@pytest.mark.parametrize(("nodes", "params"), [(64, {}), (130, {"leaf": "sn5600"}), (30, {})])
def test_dragonfly_joins_every_two_groups_alike(
    make: Make, nodes: int, params: dict[str, object]
) -> None:
    document = make("dragonfly", nodes=nodes, **params).document
    pairs = switch_pairs(document)
    groups = sorted({group_of(d.id) for d in document.devices.values() if d.kind == "leaf"})
    between: Counter[frozenset[str]] = Counter()
    inside: Counter[int] = Counter()
    for pair, number in pairs.items():
        ends = frozenset(group_of(name) for name in pair)
        if len(ends) == 2:
            between[ends] += number
        else:
            inside[number] += 1
    assert len(between) == math.comb(len(groups), 2)
    assert len(set(between.values())) == 1
    assert len(inside) == 1
    leaves = kinds(document)["leaf"] // len(groups)
    assert sum(inside.values()) == len(groups) * math.comb(leaves, 2)


def test_dragonfly_balance(make: Make) -> None:
    """p = h = 16 of 64 ports, so 2 servers of 8; 32 switches in 8 groups of 4."""
    made = make("dragonfly", nodes=64)
    assert kinds(made.document) == {"server": 64, "leaf": 32}
    assert "8 groups of 4 switches" in made.built.notes[0]
    pairs = switch_pairs(made.document)
    local = {n for pair, n in pairs.items() if len({group_of(name) for name in pair}) == 1}
    assert local == {10}  # 32 local ports over 3 neighbours
    out = sum(n for pair, n in pairs.items() if len({group_of(name) for name in pair}) == 2)
    assert out == math.comb(8, 2) * 9  # 4 x 16 ports over 7 other groups


def test_dragonfly_diameter_is_three_switch_hops(make: Make) -> None:
    """Kim et al. 2008: one local, one global, one local hop at most."""
    document = make("dragonfly", nodes=130).document
    switches = [d.id for d in document.devices.values() if d.kind == "leaf"]
    assert nx.diameter(nx.Graph(graph(document).subgraph(switches))) <= 3


def test_dragonfly_in_one_group_is_a_mesh(make: Make) -> None:
    document = make("dragonfly", nodes=6, groups=1).document
    assert len(switch_pairs(document)) == math.comb(kinds(document)["leaf"], 2)


# -- torus -----------------------------------------------------------------------------------------


def test_torus_has_two_neighbours_on_every_long_axis(make: Make) -> None:
    document = make("torus", shape="4x3x2", nodes=90).document
    pairs = switch_pairs(document)
    degree: Counter[str] = Counter(name for pair in pairs for name in pair)
    assert kinds(document)["leaf"] == 24
    assert set(degree.values()) == {5}  # 2 + 2 + 1
    assert set(pairs.values()) == {6}  # (64 - 32) // 5
    assert len(pairs) == 24 * 5 // 2
    expected = nx.grid_graph((2, 3, 4), periodic=True)
    switches = nx.Graph([tuple(pair) for pair in pairs])
    assert nx.is_isomorphic(switches, expected)


@pytest.mark.parametrize(
    ("switches", "axes", "shape"),
    [(16, 3, (4, 2, 2)), (64, 3, (4, 4, 4)), (60, 3, (5, 4, 3)), (12, 2, (4, 3)), (7, 1, (7,))],
)
def test_cubic_shapes(switches: int, axes: int, shape: tuple[int, ...]) -> None:
    assert cubic(switches, axes) == shape


@given(st.integers(1, 2000), st.integers(1, 3))
def test_cubic_shapes_hold_all(switches: int, axes: int) -> None:
    shape = cubic(switches, axes)
    assert len(shape) == axes
    assert switches <= math.prod(shape)


# -- multi-plane -----------------------------------------------------------------------------------


def test_eight_planes_reach_16384_gpus(make: Make) -> None:
    """arXiv 2505.09343: 8 planes of two tiers of 64-port switches, 16,384 GPUs, 768 switches."""
    document = make("multi-plane", nodes=2048).document
    found = kinds(document)
    assert found["server"] * 8 == 16_384
    assert (found["leaf"], found["spine"]) == (512, 256)
    with pytest.raises(BadInputError, match="two tiers end at 64 leaves"):
        make("multi-plane", nodes=2049)


@pytest.mark.parametrize("planes", [1, 2, 4, 8])
def test_planes_never_meet(make: Make, planes: int) -> None:
    document = make("multi-plane", nodes=70, planes=planes).document
    fabric = graph(document)
    fabric.remove_nodes_from([d.id for d in document.devices.values() if d.kind == "server"])
    parts = list(nx.connected_components(fabric))
    assert len(parts) == planes
    for part in parts:
        assert len({document.devices[i].plane for i in part}) == 1
    for link in document.links.values():
        assert document.devices[link.b.device].plane == link.plane
    for device in document.devices.values():
        if device.kind == "server":
            links = [document.links[i] for i in document.links_of(device.id)]
            by_plane = Counter[int | None]()
            for link in links:
                by_plane[link.plane] += link.count
            assert by_plane == dict.fromkeys(range(planes), 8 // planes)


def test_spines_of_all_planes_are_given_together(make: Make) -> None:
    document = make("multi-plane", nodes=128, spines=32).document
    assert kinds(document)["spine"] == 32
    with pytest.raises(BadInputError, match="30 spines cannot be shared by 8 planes"):
        make("multi-plane", nodes=128, spines=30)


# -- rail-only -------------------------------------------------------------------------------------


def test_rail_only_has_a_leaf_a_rail_and_nothing_above(make: Make) -> None:
    document = make("rail-only", nodes=64).document
    assert kinds(document) == {"server": 64, "leaf": 8}
    assert cables(document) == {"host-leaf": 512}
    for link in document.links.values():
        assert link.a.ports == f"nic{link.rail}"
        assert link.b.device == f"leaf-{(link.rail or 0) + 1}"


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "params", "message"),
    [
        ("rail-only", {"nodes": 65}, "a rail of 65 servers needs 65 ports"),
        ("dragonfly", {"nodes": 40000, "radix": 32}, "ends at"),
        ("dragonfly", {"nodes": 64, "groups": 300, "leaves": 2}, "300 groups need 299"),
        ("dragonfly", {"nodes": 64, "leaves": 40}, "40 switches need 39"),
        ("dragonfly", {"nodes": 64, "leaves": 2, "groups": 4}, "take 16 servers, not 64"),
        ("dragonfly", {"radix": 8}, "has no room for a server of 8"),
        ("torus", {"shape": "4x4x4x4"}, "is no shape"),
        ("torus", {"shape": "2x2", "nodes": 64}, "take 16 servers, not 64"),
        ("torus", {"shape": "0x4"}, "is 0 switches"),
        ("torus", {"per_switch": 8, "nodes": 64}, "has no room for 64 server ports"),
        ("multi-plane", {"planes": 3}, "8 NICs cannot be shared by 3 planes. Give 1, 2, 4, 8"),
    ],
)
def test_refusals_are_one_line(
    make: Make, template: str, params: dict[str, object], message: str
) -> None:
    with pytest.raises(BadInputError) as caught:
        make(template, **params)
    assert message in caught.value.line or message in f"{caught.value.what}. {caught.value.mend}"
    assert "\n" not in caught.value.line


_CATALOG = load_catalog(user=False)


@settings(max_examples=60, deadline=None)
@given(
    template=st.sampled_from(("dragonfly", "torus", "multi-plane", "rail-only")),
    nodes=st.integers(1, 150),
    radix=st.sampled_from((16, 32, 64)),
)
def test_any_size_is_drawn_or_refused(template: str, nodes: int, radix: int) -> None:
    try:
        document = generate(template, {"nodes": nodes, "radix": radix}, _CATALOG)
    except TopoeditError:
        return
    assert kinds(document)["server"] == nodes
    assert nx.is_connected(graph(document))
    for link in document.links.values():
        assert link.a.device != link.b.device


def test_fixture_is_the_installed_catalogue(catalog: Catalog) -> None:
    assert set(catalog.devices) == set(_CATALOG.devices)
