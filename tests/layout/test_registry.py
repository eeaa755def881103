"""Rings, springs, tidying and the list of arrangements."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.templates.boxes import container_overlaps, device_box, overlaps
from topoedit.app.generate import generate
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.errors import BadInputError
from topoedit.layout import force, radial, tidy
from topoedit.layout.bodies import Body, Edges
from topoedit.layout.registry import LAYOUTS, layout
from topoedit.model.document import Document
from topoedit.model.edits import Edit

NESTED = ("radial", "force", "tidy")


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(user=False)


def scattered(document: Document, catalog: Catalog, spread: float, grouped: bool) -> Document:
    """The same drawing with its devices thrown about."""
    random = Random(3)
    devices = [
        replace(
            device, group=device.group if grouped else "",
            x=random.uniform(0, spread), y=random.uniform(0, spread),
        )
        for device in document.devices.values()
    ]  # fmt: skip
    groups = document.groups.values() if grouped else ()
    return Document(
        catalog, (*document.types.values(), *groups, *devices, *document.links.values())
    )


@pytest.fixture(scope="module")
def pod(catalog: Catalog) -> Document:
    return generate("superpod", {"units": 2}, catalog)


def test_the_list_names_six() -> None:
    assert list(LAYOUTS) == ["clos", "rack", "grid", "radial", "force", "tidy"]
    assert all(entry.title and entry.summary for entry in LAYOUTS.values())
    with pytest.raises(BadInputError, match=r'no arrangement "spiral"\. One of: clos'):
        layout("spiral")


@pytest.mark.parametrize("name", LAYOUTS)
def test_nothing_moves_in_an_empty_drawing(catalog: Catalog, name: str) -> None:
    assert layout(name).arrange(Document(catalog), ()).is_empty


@pytest.mark.parametrize("name", LAYOUTS)
def test_locked_devices_stay_and_the_rest_moves(catalog: Catalog, pod: Document, name: str) -> None:
    document = scattered(pod, catalog, 800.0, grouped=name == "rack")
    fixed = replace(document.devices["su1-leaf-3"], locked=True)
    document.apply(Edit("Lock", put=(fixed,)))
    edit = layout(name).arrange(document, ())
    assert "su1-leaf-3" not in edit.ids
    assert edit.ids
    document.apply(edit)
    assert document.devices["su1-leaf-3"] == fixed


@pytest.mark.parametrize("name", ["clos", "grid", "radial", "force", "tidy"])
@pytest.mark.parametrize("grouped", [True, False])
def test_containers_stay_apart_and_nothing_overlaps(
    catalog: Catalog, pod: Document, name: str, grouped: bool
) -> None:
    start = pod if grouped else scattered(pod, catalog, 500.0, grouped=False)
    document = Document(catalog, start.elements())
    document.apply(layout(name).arrange(document, ()))
    assert overlaps({i: device_box(document, i) for i in document.devices}) == []
    assert container_overlaps(document) == []


@pytest.mark.parametrize("name", NESTED)
def test_arranging_twice_changes_nothing(catalog: Catalog, pod: Document, name: str) -> None:
    document = scattered(pod, catalog, 500.0, grouped=False)
    document.apply(layout(name).arrange(document, ()))
    assert layout(name).arrange(document, ()).is_empty


@pytest.mark.parametrize("name", ["clos", "grid", *NESTED])
def test_only_what_is_chosen_moves(catalog: Catalog, pod: Document, name: str) -> None:
    document = scattered(pod, catalog, 300.0, grouped=False)
    chosen = [f"su1-leaf-{n}" for n in range(1, 9)]
    edit = layout(name).arrange(document, chosen)
    assert set(edit.ids) <= set(chosen)
    document.apply(edit)
    assert overlaps({i: device_box(document, i) for i in chosen}) == []


def test_a_chosen_part_is_arranged_by_tiers_about_its_middle(
    catalog: Catalog, pod: Document
) -> None:
    document = scattered(pod, catalog, 3000.0, grouped=False)
    chosen = [i for i in document.devices if i.startswith(("su1-leaf", "spine"))]
    before = [(document.devices[i].x, document.devices[i].y) for i in chosen]
    document.apply(layout("clos").arrange(document, chosen))
    after = [document.devices[i] for i in chosen]
    spines, leaves = ([d for d in after if d.kind == kind] for kind in ("spine", "leaf"))
    assert max(d.y for d in spines) < min(d.y for d in leaves)
    for axis, values in enumerate(([d.x for d in after], [d.y for d in after])):
        old = [place[axis] for place in before]
        middles = (min(values) + max(values), min(old) + max(old))
        assert middles[0] == pytest.approx(middles[1], abs=0.3)


@pytest.mark.parametrize("template", ["superpod", "dragonfly", "torus", "fat-tree", "multi-site"])
def test_tidying_a_tidy_drawing_moves_nothing(catalog: Catalog, template: str) -> None:
    assert tidy.arrange(generate(template, {}, catalog)).is_empty


def test_a_locked_device_holds_its_container(catalog: Catalog, pod: Document) -> None:
    document = Document(catalog, pod.elements())
    document.apply(Edit("Lock", put=(replace(document.devices["node-05"], locked=True),)))
    edit = force.arrange(document)
    inside = {i for i in document.devices if i.startswith("su1-leaf")}
    assert not inside & set(edit.ids)
    assert any(i.startswith("su2-leaf") for i in edit.ids)


# -- rings -----------------------------------------------------------------------------------------


def test_rings_are_tiers(catalog: Catalog) -> None:
    made = generate("rail-optimized", {"nodes": 24, "spines": 4}, catalog)
    document = scattered(made, catalog, 10.0, grouped=False)
    document.apply(radial.arrange(document))
    middle = (5.0, 5.0)
    reach = {
        kind: [
            math.dist((d.x, d.y), middle) for d in document.devices.values() if d.kind == kind
        ]
        for kind in ("spine", "leaf", "server")
    }  # fmt: skip
    assert max(reach["spine"]) < min(reach["leaf"])
    assert max(reach["leaf"]) < min(reach["server"])
    assert max(reach["server"]) - min(reach["server"]) < 60


def test_servers_stand_outside_their_own_leaf(catalog: Catalog) -> None:
    made = generate("torus", {"shape": "8", "nodes": 16, "per_switch": 2}, catalog)
    document = scattered(made, catalog, 10.0, grouped=False)
    document.apply(radial.arrange(document))
    xs, ys = zip(*((d.x, d.y) for d in document.devices.values()), strict=True)
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    angle = {d.id: math.atan2(d.y - middle[1], d.x - middle[0]) for d in document.devices.values()}
    for link in document.links.values():
        a, b = link.a.device, link.b.device
        if document.devices[a].kind == "server":
            turn = abs((angle[a] - angle[b] + math.pi) % (2 * math.pi) - math.pi)
            assert turn < 2 * math.pi / 8


# -- springs ---------------------------------------------------------------------------------------


def squares(count: int, fixed: frozenset[int] = frozenset()) -> list[Body]:
    return [
        Body(str(i), 0.0, 0.0, 100.0, 100.0, ((str(i), 0.0, 0.0),), i in fixed)
        for i in range(count)
    ]


def test_springs_bring_linked_bodies_together() -> None:
    """Two rings of six with one link between them: linked pairs are nearer than the others."""
    edges = {(i, i + 1): 1.0 for i in range(5)} | {(0, 5): 1.0}
    edges |= {(a + 6, b + 6): 1.0 for a, b in edges} | {(0, 6): 1.0}
    places = force.settle(squares(12), edges)
    linked = [math.dist(places[a], places[b]) for a, b in edges]
    others = [
        math.dist(places[a], places[b]) for a in range(6) for b in range(6, 12) if (a, b) != (0, 6)
    ]
    assert sum(linked) / len(linked) < 0.6 * sum(others) / len(others)


def test_springs_give_the_same_picture_every_time() -> None:
    edges: Edges = {(i, (i * 7) % 40): 1.0 for i in range(1, 20)}
    assert force.place(squares(40), edges) == force.place(squares(40), edges)


def test_springs_leave_what_is_fixed() -> None:
    bodies = squares(5, frozenset({2}))
    bodies[2] = bodies[2].at(400.0, -50.0)
    assert force.place(bodies, {(0, 2): 1.0, (1, 2): 4.0})[2] == (400.0, -50.0)


# -- tidying ---------------------------------------------------------------------------------------


@st.composite
def boxes(draw: st.DrawFn) -> list[Body]:
    number = st.integers(-300, 300).map(float)
    side = st.integers(20, 150).map(float)
    return [
        Body(str(i), draw(number), draw(number), draw(side), draw(side), (), False)
        for i in range(draw(st.integers(1, 25)))
    ]


def hits(bodies: list[Body], places: list[tuple[float, float]]) -> int:
    count = 0
    for i, a in enumerate(bodies):
        for j in range(i):
            b = bodies[j]
            dx, dy = (abs(places[i][k] - places[j][k]) for k in (0, 1))
            count += dx < (a.width + b.width) / 2 - 1e-3 and dy < (a.height + b.height) / 2 - 1e-3
    return count


@settings(max_examples=150, deadline=None)
@given(boxes(), st.booleans())
def test_no_box_overlaps_another_and_order_holds(bodies: list[Body], same_place: bool) -> None:
    if same_place:
        bodies = [body.at(0.0, 0.0) for body in bodies]
    places = tidy.place(bodies, {})
    assert hits(bodies, places) == 0
    assert tidy.separate(bodies, places) == places
    if hits(bodies, [(b.x, b.y) for b in bodies]) == 0:
        assert places == [(b.x, b.y) for b in bodies]


@settings(max_examples=80, deadline=None)
@given(boxes(), st.integers(0, 24))
def test_fixed_boxes_hold_and_others_make_way(bodies: list[Body], which: int) -> None:
    which %= len(bodies)
    bodies = [replace_fixed(body, i == which) for i, body in enumerate(bodies)]
    places = tidy.place(bodies, {})
    assert places[which] == (bodies[which].x, bodies[which].y)
    assert hits(bodies, places) == 0


def replace_fixed(body: Body, fixed: bool) -> Body:
    return Body(body.id, body.x, body.y, body.width, body.height, (), fixed)


def test_a_slight_overlap_moves_little() -> None:
    """Two boxes that overlap by 10 part by 10 and the gap, half each; a third stays."""
    bodies = [
        Body("a", 0.0, 0.0, 100.0, 50.0, ()),
        Body("b", 90.0, 5.0, 100.0, 50.0, ()),
        Body("c", 0.0, 300.0, 100.0, 50.0, ()),
    ]
    assert tidy.place(bodies, {}) == [(-13.0, 0.0), (103.0, 5.0), (0.0, 300.0)]
