"""Roll-ups of the SuperPOD sample against sums by hand, and what each says that it covers."""

from __future__ import annotations

from pathlib import Path

import pytest

from topoedit.app.open import open_document
from topoedit.catalog.catalog import Catalog
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group
from topoedit.paths import samples
from topoedit.reports.floor.rollup import FloorData, floor_data
from topoedit.reports.floor.sums import Sum, btu_per_hour, tons


@pytest.fixture(scope="module")
def superpod() -> Document:
    return open_document(Path(samples()) / "superpod-h100-127.topo.json").document


@pytest.fixture(scope="module")
def data(superpod: Document) -> FloorData:
    return floor_data(superpod)


def test_the_superpod_as_a_whole(data: FloorData) -> None:
    """127 x 10.2 kW, 48 QM9700 with optics at 1.72 kW, 2 UFM appliances at 0.689 kW."""
    total = data.total
    assert total.power.total == pytest.approx(127 * 10.2 + 48 * 1.72 + 2 * 0.689)
    assert total.power.known == total.power.of == {"server": 127, "switch": 48,
                                                   "management device": 2}  # fmt: skip
    assert total.units.total == 127 * 8 + 48 * 1 + 2 * 1
    assert (total.racks, total.has_units, total.devices) == (37, 37 * 48, 177)
    assert total.weight.total == pytest.approx(127 * 130.45 + 48 * 14.8 + 2 * 17.0, abs=0.5)
    assert data.power_words() == (
        "Power is known for all 127 servers, all 48 switches and both management devices: "
        "1.38 MW at most. This is IT power without cooling and losses; pluggable modules are "
        "included, and a switch with passive copper alone counts with its typical draw."
    )


def test_racks_and_rows_of_the_superpod(data: FloorData) -> None:
    """Row A: 31 servers, 8 leaves, both UFM appliances; row C the 16 spines alone."""
    (area,) = data.areas
    rows = {row.label: row.load for row in area.rows}
    assert list(rows) == ["A", "B", "C", "D", "E"]
    assert rows["A"].power.total == pytest.approx(31 * 10.2 + 8 * 1.72 + 2 * 0.689)
    assert rows["B"].power.total == pytest.approx(32 * 10.2 + 8 * 1.72)
    assert (rows["B"].racks, rows["B"].units.total, rows["B"].has_units) == (9, 264, 432)
    assert rows["C"].power.total == pytest.approx(16 * 1.72)
    racks = {rack.load.name: rack for rack in data.racks}
    full = racks["su2-rack-1"]
    assert (full.load.power.total, full.load.units.total) == (pytest.approx(40.8), 32)
    assert [(item.name, item.unit) for item in full.items] == [
        ("node-032", 1), ("node-033", 9), ("node-034", 17), ("node-035", 25),
    ]  # fmt: skip
    assert (full.row, full.column, full.load.share) == ("B", 1, None)


def test_typical_power_is_not_made_up(superpod: Document) -> None:
    typical = floor_data(superpod, "typical").total
    known = sum(
        superpod.device_type(device).power_kw_typical is not None
        for device in superpod.devices.values()
    )
    assert sum(typical.power.known.values()) == known
    assert typical.power.total == pytest.approx(
        sum(superpod.device_type(d).power_kw_typical or 0 for d in superpod.devices.values())
    )


def test_heat_in_other_units() -> None:
    """1 kW = 3,412.14 BTU/h; 12,000 BTU/h are one ton of refrigeration, 3.51685 kW."""
    assert btu_per_hour(10.0) == pytest.approx(34_121.4)
    assert tons(3.51685) == pytest.approx(1.0, rel=1e-5)


def hosts(rack: str, *names: str, kind: str = "dgx-h100") -> list[Device]:
    return [
        Device(id=n, name=n, type=kind, kind="server", group=rack, unit=1 + 8 * i)
        for i, n in enumerate(names)
    ]


def test_limits_feeds_and_what_is_over(catalog: Catalog) -> None:
    """Two DGX H100: 20.4 kW, 260.9 kg, 16 U."""
    tight = Group(id="r1", name="r1", kind="rack", units=12, power_kw=20.0, feed_a_kw=10.0,
                  feed_b_kw=10.0, load_kg=200.0, cooling_kw=20.4)  # fmt: skip
    document = Document(catalog, (tight, *hosts("r1", "a", "b")))
    load = floor_data(document).racks[0].load
    assert load.over == (
        "draws 20.4 kW, its budget is 20.0 kW",
        "draws 20.4 kW, both feeds give 20.0 kW",
        "needs 16 U, it has 12 U",
        "holds 261 kg, it bears 200 kg",
    )
    assert load.one_feed == "no"
    assert load.share == pytest.approx(1.02)
    wide = Group(id="r1", name="r1", kind="rack", units=48, feed_a_kw=21.0, feed_b_kw=22.0)
    load = floor_data(Document(catalog, (wide, *hosts("r1", "a", "b")))).racks[0].load
    assert (load.over, load.one_feed, load.share) == ((), "yes", None)


def test_unknown_stays_unknown(catalog: Catalog) -> None:
    """One switch of unknown power: at least what the server draws, and no verdict on feeds."""
    rack = Group(id="r1", name="r1", kind="rack", power_kw=40.0, feed_a_kw=12.0, feed_b_kw=12.0)
    other = Device(id="x", name="x", type="generic-switch", kind="leaf", group="r1")
    data = floor_data(Document(catalog, (rack, *hosts("r1", "a"), other)))
    load = data.racks[0].load
    assert (load.power.total, load.power.complete) == (10.2, False)
    assert load.one_feed == "unknown"
    assert load.power.covers() == "the server and 0 of 1 switch"
    assert data.power_words().startswith(
        "Power is known for the server and 0 of 1 switch: at least 10.2 kW. This is IT power"
    )
    alone = floor_data(Document(catalog, (rack, other))).racks[0].load
    assert (alone.power.value, alone.share) == (None, None)


def test_rooms_buildings_and_sites(catalog: Catalog) -> None:
    """The pod lies in hall 1 of building 1; its second rack stands in hall 2 of building 2."""
    groups = [
        Group(id="s", name="s", kind="site"),
        *(Group(id=f"b{n}", name=f"b{n}", kind="building", parent="s") for n in (1, 2)),
        *(Group(id=f"h{n}", name=f"h{n}", kind="room", parent=f"b{n}") for n in (1, 2)),
        Group(id="p", name="p", kind="pod", parent="h1"),
        Group(id="r1", name="r1", kind="rack", parent="p"),
        Group(id="r2", name="r2", kind="rack", parent="p", room="h2"),
    ]
    document = Document(catalog, (*groups, *hosts("r1", "a"), *hosts("r2", "b", "c")))
    data = floor_data(document)
    assert {a.load.name: a.load.power.total for a in data.areas} == {"h1": 10.2, "h2": 20.4}
    assert {h.name: h.power.total for h in data.holders} == {
        "b1": 10.2, "b2": 20.4, "s": pytest.approx(30.6),
    }  # fmt: skip
    assert [rack.load.name for area in data.areas for rack in area.loose] == ["r1", "r2"]


def test_devices_in_no_rack_count_in_the_whole(catalog: Catalog) -> None:
    data = floor_data(Document(catalog, hosts("", "a")))
    assert data.areas == ()
    assert [item.name for item in data.unracked] == ["a"]
    assert data.total.power.total == 10.2


def test_sums_say_what_they_cover() -> None:
    one = Sum(1.0, {"switch": 41}, {"switch": 56})
    other = Sum(2.0, {"server": 127}, {"server": 127})
    assert one.plus(other).covers() == "all 127 servers and 41 of 56 switches"
    assert Sum().value == 0.0
    assert Sum(0.0, {"switch": 0}, {"switch": 1}).value is None
