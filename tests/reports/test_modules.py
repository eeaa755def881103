"""What is bought for links: modules in cages, fibres, twin plugs, splitters, lengths on sale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.conftest import device, link
from topoedit.catalog.load import load_catalog
from topoedit.errors import CancelledError
from topoedit.model.document import Document
from topoedit.model.elements import Group
from topoedit.reports.modules import purchase
from topoedit.reports.parts import LengthPart, load_parts, rounded_up

Drawn = Callable[..., Document]


def parts_of(document: Document) -> Counter[tuple[str, str]]:
    """Kind of device and part number (medium if there is none) -> modules."""
    return Counter(
        (document.devices[m.device].kind, m.part.part_number if m.part else f"? {m.medium.id}")
        for m in purchase(document).modules
    )


def sold(document: Document) -> Counter[tuple[str, str, float | None]]:
    """Category, part number and ordered length -> cables."""
    found = purchase(document).cables
    return Counter((c.sold.category, c.sold.part_number, c.sold.ordered_m) for c in found)


def test_a_twin_port_cage_takes_one_module_for_two_ports(drawn: Drawn) -> None:
    document = drawn(
        device("leaf", "leaf", "qm9700"),
        device("spine", "spine", "qm9700"),
        link("x", "leaf/1-3", "spine/1-3", "c1-3", "400g-dr4", gbps=400.0, length_m=9.0),
    )
    assert parts_of(document) == {("leaf", "MMS4X00-NS"): 2, ("spine", "MMS4X00-NS"): 2}
    assert sold(document) == {("fibre", "MFP7E30-N010", 10): 3}
    assert {m.watts for m in purchase(document).modules} == {17.0}


def test_a_module_of_more_reach_where_a_cable_is_long(drawn: Drawn) -> None:
    """MMS4X00-NS reaches 100 m, MMS4X00-NM 500 m; no fibre of 300 m is listed."""
    document = drawn(
        device("leaf", "leaf", "qm9700"),
        device("spine", "spine", "qm9700"),
        link("x", "leaf/1", "spine/1", "c1", "400g-dr4", gbps=400.0, length_m=300.4),
    )
    assert parts_of(document) == {("leaf", "MMS4X00-NM"): 1, ("spine", "MMS4X00-NM"): 1}
    assert sold(document) == {("fibre", "", 301.0): 1}


def test_no_module_carries_more_than_it_is_made_for(drawn: Drawn) -> None:
    """Twin cages of the Q3400 hold 2 x 800 Gb/s: a 2 x 400 Gb/s module is none for them."""
    document = drawn(
        device("leaf", "leaf", "q3400-ra"),
        device("spine", "spine", "q3400-ra"),
        link("x", "leaf/1", "spine/1", "c1", "400g-dr4", gbps=400.0, length_m=9.0),
        link("y", "leaf/3", "spine/3", "c2", "800g-dr4-xdr", gbps=800.0, length_m=9.0),
    )
    assert parts_of(document) == {
        ("leaf", "? 400g-dr4"): 1, ("spine", "? 400g-dr4"): 1,
        ("leaf", "MMS4A00"): 1, ("spine", "MMS4A00"): 1,
    }  # fmt: skip


def test_an_800g_port_on_two_connectors_takes_two_fibres(drawn: Drawn) -> None:
    document = drawn(
        device("leaf", "leaf", "sn5600"),
        device("spine", "spine", "sn5600"),
        link("x", "leaf/1-2", "spine/1-2", "c1-2", "800g-dr8", gbps=800.0, length_m=9.0),
    )
    found = purchase(document)
    assert [cable.id for cable in found.cables] == ["c1/1", "c1/2", "c2/1", "c2/2"]
    assert len(found.modules) == 4


def test_a_split_cage_is_one_module_and_splitter_fibres(drawn: Drawn, made: Drawn) -> None:
    """Four 200G ports on the two connectors of one module: two 1:2 splitters."""
    split = made("fat-tree", nodes=8, leaf="qm9700", radix=128).types["qm9700-2x200"]
    nodes = [device(f"n{i}", "server", "gb200-tray") for i in range(4)]
    links = [
        link(f"x{i}", f"leaf/{i + 1}", f"n{i}/nic0", f"c{i + 1}", "400g-dr4", length_m=9.0)
        for i in range(4)
    ]
    document = drawn(split, device("leaf", "leaf", "qm9700-2x200"), *nodes, *links)
    found = purchase(document)
    assert [cable.drawn for cable in found.cables] == [("c1", "c2"), ("c3", "c4")]
    assert parts_of(document) == {("leaf", "MMS4X00-NS"): 1, ("server", "MMS4X00-NS400"): 4}
    assert sold(document) == {("fibre", "MFP7E40-N010", 10): 2}
    assert found.notes == ()


def test_copper_joins_what_lies_in_one_plug(drawn: Drawn) -> None:
    """Twin to twin is one cable, twin to two single ports one splitter, one lane is alone."""
    document = drawn(
        device("leaf", "leaf", "qm9700"),
        device("spine", "spine", "qm9700"),
        device("t1", "server", "gb200-tray"),
        device("t2", "server", "gb200-tray"),
        link("a", "leaf/1-2", "spine/1-2", "c1-2", "dac-100", gbps=400.0, length_m=0.8),
        link("b", "leaf/3", "t1/nic0", "c3", "dac-100", gbps=400.0, length_m=2.2),
        link("c", "leaf/4", "t2/nic0", "c4", "dac-100", gbps=400.0, length_m=1.0),
    )
    found = purchase(document)
    assert [(c.id, c.drawn) for c in found.cables] == [("c1", ("c1", "c2")), ("c3", ("c3", "c4"))]
    assert sold(document) == {("DAC", "MCP4Y10-N001", 1): 1, ("DAC", "MCP7Y00-N02A", 2.5): 1}
    assert found.modules == []


def test_ports_joined_crosswise_are_no_cable_on_sale(drawn: Drawn) -> None:
    document = drawn(
        device("leaf", "leaf", "qm9700"),
        device("s1", "spine", "qm9700"),
        link("a", "leaf/1-4", "s1/1,3,2,4", "c1-4", "dac-100", gbps=400.0, length_m=1.0),
    )
    found = purchase(document)
    assert {(c.sold.part_number, c.sold.ordered_m) for c in found.cables} == {("", 1.0)}
    assert len(found.cables) == 4
    assert "shared cages crosswise" in found.notes[0]
    assert found.notes[0].endswith(": 4")


def test_a_straight_plug_does_not_swap_its_ports(drawn: Drawn) -> None:
    document = drawn(
        device("leaf", "leaf", "qm9700"),
        device("spine", "spine", "qm9700"),
        link("a", "leaf/1-2", "spine/2,1", "c1-2", "dac-100", gbps=400.0, length_m=1.0),
    )
    assert sold(document) == {("DAC", "", 1.0): 2}


def test_co_packaged_optics_and_panels_take_fibre_alone(drawn: Drawn) -> None:
    document = drawn(
        device("cpo", "spine", "q3450-ld"),
        device("leaf", "leaf", "q3400-ra"),
        device("panel", "panel", "generic-panel"),
        link("x", "leaf/1", "cpo/1", "c1", "800g-dr4-xdr", gbps=800.0, length_m=9.0),
        link("y", "leaf/3", "panel/1", "c2", "800g-dr4-xdr", gbps=800.0, length_m=9.0),
    )
    assert parts_of(document) == {("leaf", "MMS4A00"): 2}


def test_what_no_part_describes_is_counted_with_a_blank_number(drawn: Drawn) -> None:
    document = drawn(
        device("a", "switch", "generic-switch"),
        device("b", "switch", "generic-switch"),
        link("x", "a/1-2", "b/1-2", "c1-2", "400g-dr4", gbps=400.0, length_m=9.2),
        link("y", "a/3", "b/3", "c3", ""),
        link("z", "a/4", "b/4", "c4", "aec-100", gbps=800.0, length_m=2.1),
    )
    found = purchase(document)
    assert parts_of(document) == {("switch", "? 400g-dr4"): 4}
    assert {m.watts for m in found.modules} == {10.0}  # the medium's own figure at 400 Gb/s
    assert sold(document) == {
        ("fibre", "MFP7E30-N010", 10): 2,
        ("cable of unknown medium", "", None): 1,
        ("AEC", "", 2.5): 1,
    }
    assert any("no known medium" in note and note.endswith(": 1") for note in found.notes)
    assert any("counted as one a port" in note for note in found.notes)


def test_slack_is_what_the_drawn_length_adds_to_the_way(drawn: Drawn) -> None:
    """Two racks side by side: 0.6 m across, 2 x 2.5 m up less (1 + 40) x 0.04445 m: 3.8 m."""
    racks = [Group(id=f"r{i}", name=f"r{i}", kind="rack", row="A", column=i) for i in (1, 2)]
    ends = [device("n", "server", "dgx-h100", "r1", unit=1),
            device("l", "leaf", "qm9700", "r2", unit=40)]  # fmt: skip
    wire = link("x", "n/nic0", "l/1", "c1", "400g-dr4", gbps=400.0)
    cable = purchase(drawn(*racks, *ends, wire)).cables[0]
    assert cable.lengths[:3] == (3.8, 2.2, 6.0)  # 1.1 x 3.778 + 1 = 5.16, up to 6 m
    assert cable.lengths.basis == (
        "routed: 2.5 m up + 0.6 m along rows + 0.7 m down + 10 % + slack 0.5 m at each end"
    )
    assert cable.sold.ordered_m == 7
    short = link("x", "n/nic0", "l/1", "c1", "400g-dr4", gbps=400.0, length_m=2.0)
    found = purchase(drawn(*racks, *ends, short))
    assert found.cables[0].lengths[:3] == (3.8, 0.0, 3.8)
    assert found.cables[0].lengths.basis == (
        "given; the way is 2.5 m up + 0.6 m along rows + 0.7 m down"
        " + 10 % + slack 0.5 m at each end"
    )
    assert found.notes[0].startswith("Cables drawn shorter than the way")


def test_it_stops_when_told_and_says_how_far_it_is(made: Drawn) -> None:
    document = made("rail-optimized", nodes=8)
    said: list[tuple[str, float]] = []
    purchase(document, progress=lambda words, done: said.append((words, done)))
    assert said[0] == ("Resolving cables", 0.0)
    with pytest.raises(CancelledError):
        purchase(document, cancel=lambda: True)


@pytest.mark.parametrize("system", ["dgx-h100", "dgx-b200", "gb200-tray"])
def test_every_drawn_cable_is_bought_once(made: Drawn, system: str) -> None:
    document = made("fat-tree", system=system, nodes=16, networks="compute")
    found = purchase(document)
    bought = [name for cable in found.cables for name in cable.drawn]
    drawn_ids = [name for each in document.links.values() for name in each.cable_ids]
    assert sorted(bought) == sorted(drawn_ids)


@given(
    st.permutations(range(24)),
    st.lists(st.sampled_from(["dac-100", "400g-dr4"]), min_size=12, max_size=12),
    st.integers(1, 12),
)
def test_any_wiring_of_twin_cages_is_bought_once(
    order: list[int], media: list[str], number: int
) -> None:
    """Ports of three switches joined at random: no cable lost or doubled, one plug a cage."""
    ends = [f"s{port // 8}/{port % 8 + 1}" for port in order]
    wires = [
        link(f"x{i}", ends[2 * i], ends[2 * i + 1], f"c{i + 1}", media[i], length_m=1.0)
        for i in range(number)
    ]
    document = Document(
        load_catalog(user=False), [*(device(f"s{i}", "leaf", "qm9700") for i in range(3)), *wires]
    )
    found = purchase(document)
    assert sorted(name for c in found.cables for name in c.drawn) == sorted(
        f"c{i + 1}" for i in range(number)
    )
    fibre = {
        (plug.device, plug.port.cage)
        for c in found.cables
        if c.sold.category == "fibre"
        for plug in (*c.a, *c.b)
    }
    assert len(found.modules) == len(fibre)
    for cable in found.cables:
        sides = [{(plug.device, plug.port.cage) for plug in side} for side in (cable.a, cable.b)]
        assert min(len(side) for side in sides) == 1
        assert cable.sold.part_number or cable.sold.category == "DAC"


def test_every_part_has_a_source_and_known_media(catalog: object) -> None:
    parts = load_parts()
    media = {name for part in (*parts.modules, *parts.copper) for name in part.media}
    assert media <= set(catalog.media)  # type: ignore[attr-defined]
    assert all(part.source for part in (*parts.modules, *parts.fibres, *parts.copper))
    ids = [part.id for part in (*parts.modules, *parts.fibres, *parts.copper)]
    assert len(ids) == len(set(ids))


@given(st.floats(0.01, 500), st.sampled_from([0.5, 1.0]))
def test_ordered_lengths_are_never_too_short(need: float, step: float) -> None:
    assert need - 1e-6 <= rounded_up(need, step) < need + step + 1e-6
    part = LengthPart(id="p", name="p", source="test", lengths={1: "a", 2.5: "b", 100: "c"})
    found = part.fitting(need)
    assert (found is None) == (need > 100 + 1e-9)
    assert found is None or found[0] >= need - 1e-9
