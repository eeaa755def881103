"""SuperPODs against the published tables and the even-spread rule, counted cable by cable."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from tests.templates.counting import Make, cables, kinds, ports_used, upward
from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.templates import options, superpod
from topoedit.templates.clos import ClosPlan, bundles
from topoedit.templates.superpod import next_unit_cost

# NVIDIA DGX SuperPOD reference architecture, DGX B200, 2025:
# servers -> leaves, spines, cores, cables of each tier.
B200_ROWS = {
    64: (16, 8, 0, 512),
    128: (32, 16, 0, 1024),
    256: (64, 32, 0, 2048),
    512: (128, 128, 64, 4096),
    1024: (256, 256, 128, 8192),
    2048: (512, 512, 256, 16384),
}
# NVIDIA DGX SuperPOD reference architecture, DGX H100, RA-11333-001 V11, 2023:
# units -> servers, leaves, spines, cables to leaves, cables to spines.
H100_ROWS = {
    1: (31, 8, 4, 252, 256),
    2: (63, 16, 8, 508, 512),
    3: (95, 24, 16, 764, 768),
    4: (127, 32, 16, 1020, 1024),
}


@pytest.mark.parametrize("servers", B200_ROWS)
def test_rows_of_the_b200_table(make: Make, servers: int) -> None:
    made = make("superpod", system="dgx-b200", nodes=servers)
    leaves, spines, cores, each = B200_ROWS[servers]
    found = kinds(made.document)
    assert (found["server"], found["leaf"], found["spine"], found["core"]) == (
        servers, leaves, spines, cores,
    )  # fmt: skip
    tiers = {"host-leaf": each, "leaf-spine": each} | ({"spine-core": each} if cores else {})
    assert cables(made.document) == tiers
    assert any("Agrees with the row" in note for note in made.built.notes)
    assert any("shows no port for the fabric manager" in note for note in made.built.notes)


@pytest.mark.parametrize("units", H100_ROWS)
def test_rows_of_the_h100_table(make: Make, units: int) -> None:
    made = make("superpod", system="dgx-h100", units=units)
    servers, leaves, spines, host_leaf, leaf_spine = H100_ROWS[units]
    found = kinds(made.document)
    assert (found["server"], found["leaf"], found["spine"]) == (servers, leaves, spines)
    assert cables(made.document) == {"host-leaf": host_leaf, "leaf-spine": leaf_spine}
    assert any("Agrees with the row" in note for note in made.built.notes)


def test_127_servers_are_four_units_with_a_fabric_manager(make: Make) -> None:
    made = make("superpod", nodes=127)
    document = made.document
    gpus = sum(document.device_type(d).gpus or 0 for d in document.devices.values())
    assert (gpus, kinds(document)["leaf"]) == (1016, 32)
    managers = [d for d in document.devices.values() if d.kind == "management"]
    taken = sorted(
        (link.b.device, link.b.ports)
        for manager in managers
        for link in (document.links[i] for i in document.links_of(manager.id))
    )
    assert {d.type for d in managers} == {"ufm-appliance"}
    assert taken == [(f"su1-leaf-{i}", "32") for i in (1, 2, 3, 4)]
    assert all(d.group == "su1-rack-8" for d in managers)
    assert any("su1-rack-8" in note and "port 32" in note for note in made.built.notes)


def test_128_servers_of_h100_need_a_fifth_unit_and_say_why(make: Make) -> None:
    made = make("superpod", nodes=128)
    assert kinds(made.document)["leaf"] == 40
    assert any("One server less" in note for note in made.built.notes)


def test_twelve_units(make: Make) -> None:
    document = make("superpod", units=12).document
    found = kinds(document)
    assert (found["leaf"], found["spine"], found["core"]) == (96, 96, 64)
    up = upward(document)
    assert all(sorted(up[f"pod{p}-spine-{k}"].values()) == [16, 16]
               for p in (1, 2, 3) for k in range(1, 33))  # fmt: skip
    assert ports_used(document, "core") == {48: 64}
    assert len([g for g in document.groups.values() if g.kind == "pod"]) == 3


def test_a_partly_filled_unit_keeps_its_leaves_and_uplinks(make: Make) -> None:
    made = make("superpod", system="dgx-b200", nodes=33)
    found = kinds(made.document)
    assert (found["server"], found["leaf"], found["spine"]) == (33, 16, 8)
    assert cables(made.document) == {"host-leaf": 264, "leaf-spine": 512}


def _plan(catalog: Catalog, system: str, units: int) -> ClosPlan:
    values = superpod.TEMPLATE.read({"system": system, "units": units})
    return superpod.plan(values, *options.hardware(values, catalog))


def _check_even(plan: ClosPlan, wiring: Counter[tuple[str, int, int]]) -> None:
    """Equal whole numbers of cables upward, and no switch with more than 64 ports."""
    up: dict[tuple[str, int], set[int]] = defaultdict(set)
    reached: dict[tuple[str, int], set[int]] = defaultdict(set)
    ports: Counter[tuple[str, int]] = Counter()
    for (tier, low, high), number in wiring.items():
        below, above = tier.split("-")
        ports[above, high] += number
        ports[below, low] += number
        up[below, low].add(number)
        reached[below, low].add(high)
    assert all(len(numbers) == 1 for numbers in up.values())
    assert max(ports.values()) <= 64
    assert {ports["leaf", leaf] for leaf in range(plan.leaves)} == {32}
    for leaf in range(plan.leaves):
        first = leaf // plan.leaves_per_pod * plan.spines_per_pod
        assert reached["leaf", leaf] == set(range(first, first + plan.spines_per_pod))
    if plan.tiers == 3:
        assert plan.spines_per_pod == 32
        assert up["leaf", 0] == {1}
        for spine in range(plan.spines):
            assert reached["spine", spine] == reached["spine", spine % 32]
        assert len({frozenset(reached["spine", k]) for k in range(32)}) == 32


@pytest.mark.parametrize("system", ["dgx-h100", "dgx-b200"])
def test_even_spread_at_every_size(catalog: Catalog, system: str) -> None:
    lost = 1 if system == "dgx-h100" else 0
    for units in range(1, 65):
        plan = _plan(catalog, system, units)
        wiring: Counter[tuple[str, int, int]] = Counter()
        to_leaves: Counter[int] = Counter()
        for tier, low, high, _, _, number in bundles(plan):
            if tier == "host-leaf":
                to_leaves[high] += number
            else:
                wiring[tier, low, high] += number
        assert plan.servers == units * 32 - lost
        assert to_leaves.total() == 8 * plan.servers
        assert Counter(to_leaves.values()) == +Counter({32: 8 * (units - lost), 31: 8 * lost})
        _check_even(plan, wiring)


@pytest.mark.parametrize(
    ("units", "spines"), [(1, 4), (2, 8), (3, 16), (4, 16), (5, 32), (6, 32), (7, 32), (8, 32)]
)
def test_spines_of_two_tiers(make: Make, units: int, spines: int) -> None:
    document = make("superpod", units=units).document
    assert kinds(document)["spine"] == spines
    up = upward(document)
    assert {n for leaf in up.values() for n in leaf.values()} == {32 // spines}
    assert {len(leaf) for leaf in up.values()} == {spines}


@pytest.mark.parametrize("units", [9, 13])
def test_drawn_links_keep_the_even_spread_in_three_tiers(make: Make, units: int) -> None:
    document = make("superpod", system="dgx-b200", units=units).document
    up = upward(document)
    assert all(len(set(numbers.values())) == 1 for numbers in up.values())
    assert max(len(document.ports_in_use(d)) for d in document.devices if "node" not in d) == 64


@pytest.mark.long
@pytest.mark.parametrize("units", range(1, 65))
def test_drawn_links_at_every_size(make: Make, units: int) -> None:
    document = make("superpod", units=units).document
    assert all(len(set(numbers.values())) == 1 for numbers in upward(document).values())


def test_the_fifth_unit(catalog: Catalog) -> None:
    cost = next_unit_cost({"system": "dgx-h100", "units": 4}, catalog)
    assert cost == {
        "units": 5, "leaves": 8, "spines": 16, "cores": 0, "switches": 24,
        "new_cables": 512, "moved_cables": 512,
    }  # fmt: skip


@pytest.mark.parametrize("units", range(1, 8))
def test_cost_of_a_unit_in_two_tiers_is_that_of_its_cables(catalog: Catalog, units: int) -> None:
    """Cables move exactly when the spines double, half of those installed."""
    cost = next_unit_cost({"system": "dgx-b200", "units": units}, catalog)
    assert (cost["leaves"], cost["new_cables"]) == (8, 512)
    assert cost["moved_cables"] == (128 * units if cost["spines"] else 0)


def test_the_last_unit_has_no_next(catalog: Catalog) -> None:
    assert next_unit_cost({"units": 64}, catalog) == {}


def test_overriding_the_spines_breaks_the_spread_but_not_the_ports(make: Make) -> None:
    document = make("superpod", units=3, spines=12).document
    up = upward(document)
    assert {tuple(sorted(Counter(leaf.values()).items())) for leaf in up.values()} == {
        ((2, 4), (3, 8))
    }
    assert ports_used(document, "spine") == {64: 12}
    notes = make("superpod", units=3, spines=12).built.notes
    assert any("do not spread evenly over 12 spines; 16 would" in note for note in notes)


def test_overriding_the_cores_fills_them_evenly(make: Make) -> None:
    made = make("superpod", units=12, cores=48)
    assert ports_used(made.document, "core") == {64: 48}
    assert any("do not spread evenly over its cores" in note for note in made.built.notes)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"units": 65}, "1 to 64"),
        ({"units": 0}, "1 to 64"),
        ({"nodes": 2049, "system": "dgx-b200"}, "at most 2048"),
        ({"nodes": 32, "units": 2}, "only one of --nodes, --units"),
        ({"gpus": 100}, "96 or 104"),
        ({"system": "gb200-nvl72"}, "no SuperPOD table"),
        ({"units": 3, "spines": 8}, "each spine would need 96 ports and has 64"),
        ({"leaf": "qm8700"}, "needs 64"),
        ({"radix": 32}, "no option"),
        ({"units": 12, "spines": 100}, "multiple of 3"),
    ],
)
def test_bad_values(make: Make, params: dict[str, object], words: str) -> None:
    with pytest.raises(BadInputError) as error:
        make("superpod", **params)
    assert words in error.value.line


def test_ports_face_rails_in_order(make: Make) -> None:
    document = make("superpod", units=2).document
    server = document.devices["node-40"]
    links = [document.links[i] for i in document.links_of(server.id)]
    assert [(link.a.ports, link.rail, link.b.device) for link in links] == [
        (f"nic{i}", i, f"su2-leaf-{i + 1}") for i in range(8)
    ]
    assert {link.b.ports for link in links} == {"9"}


def test_racks_hold_what_the_designs_say(make: Make) -> None:
    """Four DGX H100 a rack (RA-11333), two DGX B200 (28.6 kW a rack in the B200 design)."""
    for system, each in (("dgx-h100", 4), ("dgx-b200", 2)):
        document = make("superpod", system=system, units=2).document
        racks = Counter(d.group for d in document.devices.values() if d.kind == "server")
        assert max(racks.values()) == each
