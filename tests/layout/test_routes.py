"""Lengths of cables: hand-worked ways, symmetry, and networkx as the oracle of the tray search."""

from __future__ import annotations

import math
import re

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.layout.routes import Route, Router, Rules, basis_of
from topoedit.layout.standing import Area, Line, Spot, row_label, row_numbers, standing
from topoedit.layout.trays import Trays
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group, Settings
from topoedit.model.floor import Blocked, Floor, Way
from topoedit.templates import floor as template_floor


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(user=False)


def rack(name: str, row: str = "A", column: int | None = 1, **more: object) -> Group:
    return Group(id=name, name=name, kind="rack", row=row, column=column, **more)  # type: ignore[arg-type]


def host(name: str, group: str, unit: int | None = 1) -> Device:
    return Device(id=name, name=name, type="dgx-h100", kind="server", group=group, unit=unit)


def drawing(catalog: Catalog, floor: Floor | None, *elements: Group | Device) -> Document:
    return Document(catalog, (Settings(floor=floor), *elements))


def way(document: Document, a: str, b: str) -> tuple[float, float] | None:
    found = Router(document).route(document.devices[a], document.devices[b])
    return None if found is None else (found.way_m, found.need_m)


# -- hand-worked ---------------------------------------------------------------------------------


def test_the_parts_of_a_way_over_trays(catalog: Catalog) -> None:
    """Row A column 1 to row C column 11: 10 x 0.6 along, 2 x 2.4 across, heights by hand."""
    document = drawing(
        catalog, Floor(row_pitch_m=2.4, slack_share=0.0),
        rack("r1"), rack("r2", "C", 11), host("a", "r1", 9), host("b", "r2", 13),
    )  # fmt: skip
    found = Router(document).route(document.devices["a"], document.devices["b"])
    assert found is not None
    assert found.up_m == pytest.approx(2.6 - 0.1 - 9 * 0.04445)  # 2.09995
    assert found.down_m == pytest.approx(2.6 - 0.1 - 13 * 0.04445)  # 1.92215
    assert (found.along_m, found.across_m) == pytest.approx((6.0, 4.8))
    assert found.way_m == 14.8  # 14.8221
    assert found.need_m == 16.0  # 15.8221 with 0.5 m at each end
    assert found.basis == (
        "routed: 2.1 m up + 6.0 m along rows + 4.8 m across + 1.9 m down + slack 0.5 m at each end"
    )


def test_a_cable_under_the_floor_goes_down_first(catalog: Catalog) -> None:
    """Unit 2 lies 0.1 + 2 x 0.04445 above the floor, the tray 0.3 m below it: 0.4889 m."""
    document = drawing(
        catalog, Floor(tray="underfloor", tray_m=0.3),
        rack("r1"), rack("r2", "A", 2), host("a", "r1", 2), host("b", "r2", 2),
    )  # fmt: skip
    found = Router(document).route(document.devices["a"], document.devices["b"])
    assert found is not None
    assert found.up_m == found.down_m == pytest.approx(0.4889)
    assert found.basis.startswith("routed: 0.5 m down + 0.6 m along rows + 0.5 m up")


def test_inside_a_rack_the_height_and_the_turns(catalog: Catalog) -> None:
    """Units 1 and 21: 20 x 0.04445 = 0.889 m, 0.5 m for turns, up to half a metre: 1.5 m."""
    elements = rack("r1", "", None), host("a", "r1", 1), host("b", "r1", 21), host("c", "r1", None)
    document = drawing(catalog, None, *elements)
    assert way(document, "a", "b") == (1.4, 1.5)
    assert way(document, "a", "c") is None  # neither the place nor the unit is known
    bent = drawing(catalog, Floor(bend_m=0.15), *elements)  # 2 x pi x 0.15 = 0.942 m for turns
    assert way(bent, "a", "b") == (1.8, 2.0)


def test_an_unknown_unit_counts_from_the_bottom_and_says_so(catalog: Catalog) -> None:
    document = drawing(
        catalog, None, rack("r1"), rack("r2", "A", 2), host("a", "r1", None), host("b", "r2", 1)
    )
    found = Router(document).route(document.devices["a"], document.devices["b"])
    assert found is not None
    assert found.vague
    assert found.basis.endswith("; rack unit unknown, from the bottom")


def test_crossing_only_where_there_are_trays(catalog: Catalog) -> None:
    """Both racks at column 5, the cross trays at 2 and 10: three columns there, three back."""
    elements = rack("r1", "A", 5), rack("r2", "B", 5), host("a", "r1"), host("b", "r2")
    free = Router(drawing(catalog, None, *elements))
    found = free.between(*(free.berth(e) for e in elements if isinstance(e, Device)))
    assert found is not None
    assert (found.along_m, found.across_m) == (0.0, 3.0)
    bound = Router(drawing(catalog, Floor(cross=(2, 10)), *elements))
    found = bound.between(*(bound.berth(e) for e in elements if isinstance(e, Device)))
    assert found is not None
    assert (found.along_m, found.across_m) == pytest.approx((3.6, 3.0))


def test_a_pillar_in_the_row_sends_the_cable_round(catalog: Catalog) -> None:
    """Row A is closed at column 3: over to row B and back costs two times 3 m across."""
    pillar = Blocked(row="A", column=3, what="pillar")
    racks = rack("r1", "A", 1), rack("r2", "A", 5), rack("r3", "B", 1)
    elements = (*racks, host("a", "r1"), host("b", "r2"))
    route = Router(drawing(catalog, Floor(blocked=(pillar,)), *elements))
    found = route.between(*(route.berth(e) for e in elements if isinstance(e, Device)))
    assert found is not None
    assert (found.along_m, found.across_m) == pytest.approx((2.4, 6.0))
    door = Floor(blocked=(Blocked(row="A", column=3, what="door"),))  # trays hang above it
    assert way(drawing(catalog, door, *elements), "a", "b") == (7.3, 10.0)
    wall = Floor(blocked=(Blocked(row="A", column=3, to_row="B", what="wall"),))
    assert way(drawing(catalog, wall, *elements), "a", "b") is None  # and nothing is made up


def test_rooms_are_joined_only_by_a_stated_way(catalog: Catalog) -> None:
    """From column 3 of each room to its first place 1.2 m, 40 m between, 2 x 2.45555 m up."""
    rooms = [Group(id=n, name=n, kind="room") for n in ("h1", "h2")]
    racks = [rack("r1", "A", 3, parent="h1"), rack("r2", "A", 3, room="h2")]
    elements = (*rooms, *racks, host("a", "r1"), host("b", "r2"))
    assert way(drawing(catalog, None, *elements), "a", "b") is None
    document = Document(catalog, (Settings(ways=(Way("h2", "h1", 40.0),)), *elements))
    assert way(document, "a", "b") == way(document, "b", "a") == (47.3, 54.0)
    found = Router(document).route(document.devices["a"], document.devices["b"])
    assert "40 m between rooms" in basis_of(found)


def test_racks_off_the_grid_lie_where_they_are_said_to(catalog: Catalog) -> None:
    """0.75 m racks at 0.375 and 3.375 m, and a row 2.15 m behind."""
    racks = (
        rack("r1", "", None, x_m=0.375, y_m=0.0),
        rack("r2", "", None, x_m=3.375, y_m=0.0),
        rack("r3", "", None, x_m=3.375, y_m=2.15),
    )
    route = Router(drawing(catalog, None, *racks, host("a", "r1"), host("b", "r3")))
    found = route.between(route.berth(host("a", "r1")), route.berth(host("b", "r3")))
    assert found is not None
    assert (found.along_m, found.across_m) == pytest.approx((3.0, 2.15))


def test_the_floor_of_templates_and_ours_agree(catalog: Catalog) -> None:
    spots = [template_floor.Spot(r, c, u) for r in (0, 3, 30) for c in (0, 7, 40) for u in (1, 38)]
    racks = [
        rack(f"r{s.row}-{s.column}", row_label(s.row), s.column + 1) for s in spots if s.unit == 1
    ]
    hosts = [host(f"h{n}", f"r{s.row}-{s.column}", s.unit) for n, s in enumerate(spots)]
    router = Router(drawing(catalog, None, *racks, *hosts))
    for a, here in zip(spots, hosts, strict=True):
        for b, there in zip(spots, hosts, strict=True):
            found = router.route(here, there)
            assert found is not None
            assert found.need_m == template_floor.length_m(a, b), (a, b)


# -- rows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "numbers"),
    [
        (("A", "C", "AA"), {"A": 0, "C": 2, "AA": 26}),
        (("1", "02", "12"), {"1": 0, "02": 1, "12": 11}),
        (("0", "2"), {"0": 0, "2": 2}),
        (("Hot 10", "Hot 9"), {"Hot 9": 0, "Hot 10": 1}),
        (("A", "7"), {"7": 0, "A": 1}),
    ],
)
def test_rows_lie_as_their_labels_say(labels: tuple[str, ...], numbers: dict[str, int]) -> None:
    assert row_numbers(labels, Floor()) == numbers


def test_a_floor_may_list_its_rows() -> None:
    listed = Floor(rows=("North", "", "South"))
    assert row_numbers(("South", "X"), listed) == {"North": 0, "South": 2, "X": 3}


def test_racks_without_a_place_have_none(catalog: Catalog) -> None:
    document = drawing(catalog, None, rack("r1", "", 1), rack("r2", "A", None), rack("r3", "A", 2))
    found = standing(document)
    assert set(found.spots) == {"r3"}
    assert found.areas[""].racks == ("r1", "r2", "r3")


# -- properties ----------------------------------------------------------------------------------

ROWS, COLUMNS = 5, 8
cells = st.tuples(st.integers(0, ROWS - 1), st.integers(1, COLUMNS))


@st.composite
def areas(draw: st.DrawFn) -> tuple[Area, frozenset[tuple[int, int]]]:
    stopped = draw(st.frozensets(cells, max_size=12))
    cross = draw(st.frozensets(st.integers(1, COLUMNS), max_size=3))
    ys = draw(st.lists(st.integers(1, 4), min_size=ROWS, max_size=ROWS))
    lines = tuple(Line(row_label(n), n, float(sum(ys[: n + 1]))) for n in range(ROWS))
    blocked = tuple(
        Blocked(row=row_label(row), column=column, what="pillar") for row, column in sorted(stopped)
    )
    floor = Floor(rack_pitch_m=0.75, columns=COLUMNS, cross=tuple(sorted(cross)), blocked=blocked)
    return Area("", "", (), floor, lines, ()), stopped


def oracle(area: Area, stopped: frozenset[tuple[int, int]]) -> nx.Graph[tuple[int, int]]:
    """The whole grid of trays, cell by cell."""
    graph: nx.Graph[tuple[int, int]] = nx.Graph()
    free = [(r, c) for r in range(ROWS) for c in range(1, COLUMNS + 1) if (r, c) not in stopped]
    graph.add_nodes_from(free)
    for row, column in free:
        if (row, column + 1) in graph:
            graph.add_edge((row, column), (row, column + 1), metres=0.75)
        crosses = not area.floor.cross or column in area.floor.cross
        if crosses and (row + 1, column) in graph:
            depth = area.lines[row + 1].y_m - area.lines[row].y_m
            graph.add_edge((row, column), (row + 1, column), metres=depth)
    return graph


@given(areas(), cells, cells)
def test_ways_are_as_short_as_networkx_finds_them(
    made: tuple[Area, frozenset[tuple[int, int]]], a: tuple[int, int], b: tuple[int, int]
) -> None:
    area, stopped = made
    assume(a not in stopped and b not in stopped)
    graph = oracle(area, stopped)
    here, there = (Spot("", r, area.x_of(c), area.lines[r].y_m) for r, c in (a, b))
    trays = Trays(area, [here, there])
    run, back = trays.between(here, there), trays.between(there, here)
    assert run == back
    if not nx.has_path(graph, a, b):
        assert run is None
        return
    assert run is not None
    assert math.isclose(sum(run), nx.shortest_path_length(graph, a, b, "metres"), abs_tol=1e-9)


@given(
    st.tuples(*[st.floats(0, 60) for _ in range(5)]),
    st.sampled_from(("tray", "in rack")),
)
def test_the_parts_shown_add_up_to_the_length_shown(
    parts: tuple[float, float, float, float, float], kind: str
) -> None:
    up, along, across, between, down = parts
    rules = Rules.of(Floor(slack_share=0.0, slack_m=0.0))
    if kind == "tray":
        route = Route(up, along, across, between, down, 0.0, round(sum(parts), 1), 0.0, rules)
    else:
        turns = down + 0.5
        route = Route(up, 0.0, 0.0, 0.0, 0.0, turns, round(up + turns, 1), 0.0, rules)
    shown = [float(n) for n in re.findall(r"(\d+(?:\.\d+)?) m\b", basis_of(route))]
    assert sum(shown) == pytest.approx(route.way_m, abs=1e-9)
    given_parts = [p for p in (parts if kind == "tray" else (up, down + 0.5)) if p >= 0.1]
    assert all(min(abs(p - n) for n in shown) < 0.1 + 1e-6 for p in given_parts)
