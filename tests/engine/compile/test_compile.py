"""What a drawing becomes: vertices, inner links, capacities, tiers, domains, rank order."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.engine.routing.drawings import Draft, rails
from topoedit.catalog.load import load_catalog
from topoedit.engine.compile import compile_fabric
from topoedit.engine.types import Fabric, Tier, VertexKind
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group, Link, Ports


def edge(fabric: Fabric, link_id: str, index: int = 0) -> int:
    """A directed edge of a link, first direction first."""
    row = fabric.link_ids.index(link_id)
    return int(np.flatnonzero(fabric.link == row)[index])


def capacity(fabric: Fabric, link_id: str) -> float:
    return float(fabric.capacity[edge(fabric, link_id)])


def kinds(fabric: Fabric, device: str) -> list[VertexKind]:
    row = fabric.device_ids.index(device)
    return [VertexKind(k) for k in fabric.vertex_kind[fabric.vertex_device == row].tolist()]


def test_a_server_has_gpus_a_crossbar_and_nics_with_inner_links() -> None:
    draft = Draft()
    draft.device("dgx", "eight")
    fabric = compile_fabric(draft.document())
    assert kinds(fabric, "dgx") == (
        [VertexKind.GPU] * 8 + [VertexKind.SCALE_UP] + [VertexKind.NIC] * 8
    )
    assert capacity(fabric, "dgx/nvlink/gpu3") == 450e9  # the accelerator's total rate
    assert capacity(fabric, "dgx/pcie/nic7") == 16 * 4e9  # 16 lanes of 4 GB/s
    assert fabric.drawn_links == 0
    assert len(fabric.link_ids) == 16
    assert fabric.gpu_domain.tolist() == [0] * 8
    assert fabric.multicast.tolist() == [True]


def test_both_directions_of_a_link_are_half_the_edges_apart() -> None:
    fabric = compile_fabric(rails(2).document())
    half = len(fabric.src) // 2
    np.testing.assert_array_equal(fabric.src[:half], fabric.dst[half:])
    np.testing.assert_array_equal(fabric.dst[:half], fabric.src[half:])
    for column in (fabric.capacity, fabric.tier, fabric.cables, fabric.link):
        np.testing.assert_array_equal(column[:half], column[half:])


def test_a_mesh_has_a_link_for_each_pair_and_a_total_for_each_gpu() -> None:
    draft = Draft()
    draft.device("node", "mesh")
    fabric = compile_fabric(draft.document())
    assert capacity(fabric, "node/nvlink/gpu0-gpu2") == 64e9
    assert capacity(fabric, "node/nvlink/gpu1") == 128e9  # two pairs
    assert fabric.gpu_domain.tolist() == [0, 0, 0]


def test_a_torus_has_its_ring_and_a_bus_joins_gpus_without_scale_up() -> None:
    draft = Draft()
    draft.device("ring", "ring")
    draft.device("bus", "bus")
    fabric = compile_fabric(draft.document())
    rings = [i for i in fabric.link_ids if i.startswith("ring/nvlink/") and "-gpu" in i]
    assert rings == [
        "ring/nvlink/gpu0-gpu1", "ring/nvlink/gpu1-gpu2", "ring/nvlink/gpu2-gpu3",
        "ring/nvlink/gpu3-gpu0",
    ]  # fmt: skip
    assert fabric.tier[edge(fabric, "bus/pcie/gpu1")] == Tier.HOST_BUS
    assert fabric.gpu_domain.tolist() == [0, 0, 1, 1, 1, 1]


def test_trays_joined_by_a_drawn_switch_are_one_domain() -> None:
    draft = Draft()
    for name in ("tray-0", "tray-1"):
        draft.device(name, "tray")
    draft.device("switch", "nvs")
    ids = [draft.plug(t, f"up{p}", "switch") for t in ("tray-0", "tray-1") for p in range(4)]
    fabric = compile_fabric(draft.document())
    assert fabric.gpu_domain.tolist() == [0, 0, 0, 0]
    assert all(fabric.tier[edge(fabric, i)] == Tier.SCALE_UP for i in ids)
    # ports 0 and 1 of a tray lead to its first GPU, 2 and 3 to its second
    assert fabric.src[edge(fabric, ids[0])] == fabric.src[edge(fabric, ids[1])]
    assert fabric.src[edge(fabric, ids[1])] != fabric.src[edge(fabric, ids[2])]


def test_capacity_is_the_least_known_rate_times_the_working_cables() -> None:
    draft = Draft()
    draft.device("leaf", "leaf")
    draft.device("spine", "spine")
    draft.device("node", "lone")
    whole = draft.join("leaf", "spine", 4, gbps=200.0)
    part = draft.join("leaf", "spine", 4, failed=1)
    fast = draft.join("leaf", "spine", 1, gbps=800.0)  # the ports are 400 Gb/s
    dead = draft.join("leaf", "spine", 2, failed=2)
    planned = draft.join("leaf", "spine", 1, planned=True)
    storage = draft.join("leaf", "spine", 1, network="storage")
    nic = draft.plug("node", "nic0", "leaf", gbps=None)  # NIC and link unknown, port 400 Gb/s
    fabric = compile_fabric(draft.document())
    assert [capacity(fabric, i) for i in (whole, part, fast, dead, nic)] == [
        100e9, 150e9, 50e9, 0.0, 50e9,
    ]  # fmt: skip
    assert fabric.cables[edge(fabric, part)] == 4
    assert not {planned, storage} & set(fabric.link_ids)


def test_an_unknown_rate_stays_unknown() -> None:
    draft = Draft()
    a, b = draft.device("a", "lone"), draft.device("b", "lone")
    link = draft.link(a, "nic0", b, "nic0", gbps=None)
    fabric = compile_fabric(draft.document())
    assert math.isnan(capacity(fabric, link))
    note = "1 link of unknown rate: loaded as the median cable of their tier, shown without"
    assert fabric.notes == (f"{note} utilisation",)


def test_a_cable_beyond_its_reach_is_failed_and_said_so() -> None:
    draft = Draft()
    draft.device("leaf", "leaf")
    draft.device("spine", "spine")
    good = draft.join("leaf", "spine", medium="dac", length_m=3.0)
    bad = draft.join("leaf", "spine", medium="dac", length_m=3.5)
    fabric = compile_fabric(draft.document())
    assert capacity(fabric, good) == 50e9
    assert capacity(fabric, bad) == 0
    assert fabric.notes == (f"1 link longer than the medium reaches, counted as failed: {bad}",)


def test_a_scale_up_port_does_not_fit_a_network_port() -> None:
    draft = Draft()
    draft.device("tray", "tray")
    draft.device("four", "four")
    link = draft.link("tray", "up0", "four", "nic0")
    fabric = compile_fabric(draft.document())
    assert capacity(fabric, link) == 0
    assert "between a scale-up port and a network port" in fabric.notes[0]


def test_storage_ports_are_in_no_path() -> None:
    draft = Draft()
    draft.device("four", "four")
    draft.device("leaf", "leaf")
    draft.plug("four", "stor0", "leaf")
    assert compile_fabric(draft.document()).drawn_links == 0


def test_a_bundle_over_several_nics_has_an_edge_for_each() -> None:
    draft = Draft()
    draft.device("eight", "eight")
    draft.device("leaf", "leaf")
    link = draft.link("eight", "nic0-7", "leaf", "1-8", 8, failed=2)
    fabric = compile_fabric(draft.document())
    edges = np.flatnonzero(fabric.link == fabric.link_ids.index(link))
    assert len(edges) == 16
    # the last two cables in port order are those that failed
    assert fabric.capacity[edges[:8]].tolist() == [50e9] * 6 + [0.0] * 2


@pytest.mark.parametrize(
    ("km", "medium", "length", "delay"),
    [
        (100.0, "", None, 490e-6),  # 4.9 us a km
        (None, "", 20.0, 98e-9),  # fibre
        (None, "dac", 2.0, 8.6e-9),  # 4.3 ns a metre
        (None, "", None, 0.0),
    ],
)
def test_delay_is_propagation_and_the_switch_entered(
    km: float | None, medium: str, length: float | None, delay: float
) -> None:
    draft = Draft()
    draft.device("leaf", "leaf")
    draft.device("four", "four")
    link = draft.plug("four", "nic0", "leaf", km=km, medium=medium, length_m=length)
    fabric = compile_fabric(draft.document())
    assert fabric.latency[edge(fabric, link)] == pytest.approx(delay + 200e-9)
    assert fabric.latency[edge(fabric, link, 1)] == pytest.approx(delay)


def test_tiers_follow_from_the_ends() -> None:
    draft = Draft()
    for name in ("leaf", "spine", "core", "router"):
        draft.device(name, name)
    draft.device("four", "four")
    draft.device("mystery", "mystery")
    expected = {
        draft.plug("four", "nic0", "leaf"): Tier.HOST_LEAF,
        draft.plug("mystery", "eth0", "leaf"): Tier.HOST_LEAF,
        draft.join("leaf", "spine"): Tier.LEAF_SPINE,
        draft.join("core", "spine"): Tier.SPINE_CORE,
        draft.join("core", "router"): Tier.OTHER,
        draft.join("router", "core", km=10.0): Tier.BETWEEN_SITES,
    }
    fabric = compile_fabric(draft.document())
    assert {i: Tier(fabric.tier[edge(fabric, i)]) for i in expected} == expected
    assert fabric.unknown_hosts == 1


def test_ranks_go_by_place_then_natural_order_of_names() -> None:
    draft = Draft()
    draft.group("site 2", "site")
    draft.group("site 10", "site")
    draft.group("rack b", "rack", "site 2")
    draft.group("rack a", "rack", "site 2")
    for name, group in (
        ("n-10", "rack b"), ("n-9", "rack b"), ("n-11", "rack a"), ("n-1", "site 10"),
    ):  # fmt: skip
        draft.device(name, "lone", group=group)
    fabric = compile_fabric(draft.document())
    names = [fabric.device_names[row] for row in fabric.gpu_server.tolist()]
    assert names == ["n-11", "n-9", "n-10", "n-1"]
    assert fabric.gpu_site.tolist() == [0, 0, 0, 1]


def test_a_failed_server_gives_no_ranks_and_carries_nothing() -> None:
    draft = rails(2)
    failed = draft.elements[0]
    document = draft.document()
    from msgspec.structs import replace

    from topoedit.model.edits import Edit

    document.apply(Edit("Fail", put=(replace(failed, failed=True),)))
    fabric = compile_fabric(document)
    assert len(fabric.gpus) == 8
    ends = fabric.vertex_device[fabric.src]
    assert (fabric.capacity[ends == fabric.device_ids.index("node-0")] == 0).all()
    assert fabric.notes == ("out of service, carrying nothing: node-0",)


def test_reduction_needs_every_switch() -> None:
    draft = Draft()
    draft.device("one", "sharp")
    assert compile_fabric(draft.document()).reduction
    draft.device("two", "leaf")
    fabric = compile_fabric(draft.document())
    assert not fabric.reduction
    assert fabric.network == "InfiniBand"


def test_an_empty_drawing_compiles() -> None:
    fabric = compile_fabric(Draft().document())
    assert len(fabric.src) == len(fabric.gpus) == len(fabric.link_ids) == 0


def test_nvlink_carries_nothing_between_two_racks() -> None:
    """Systems sheet: NVLink copper stays in the rack, an edge between two racks counts 0."""
    catalog = load_catalog(user=False)
    racks = [Group(id=i, name=i, kind="rack") for i in ("rack-1", "rack-2")]
    devices = [
        Device(id=name, name=name, type=kind, kind=role, group=rack)
        for name, kind, role, rack in (
            ("tray", "gb200-tray", "server", "rack-1"),
            ("near", "nvswitch-tray-nvl5", "nvswitch", "rack-1"),
            ("far", "nvswitch-tray-nvl5", "nvswitch", "rack-2"),
        )
    ]
    ports = [port.name for port in catalog.device("nvswitch-tray-nvl5").port_list][:2]
    links = [
        Link(id=f"to-{end}", a=Ports("tray", f"nvlink{i}"), b=Ports(end, ports[0]), cables=f"c{i}")
        for i, end in enumerate(("near", "far"))
    ]
    fabric = compile_fabric(Document(catalog, (*racks, *devices, *links)))
    assert capacity(fabric, "to-near") > 0
    assert capacity(fabric, "to-far") == 0


def test_fibre_channel_is_in_no_compute_path() -> None:
    draft = Draft()
    draft.device("leaf", "leaf")
    draft.device("spine", "spine")
    link = draft.join("leaf", "spine", protocol="fibre-channel")
    assert link not in compile_fabric(draft.document()).link_ids
