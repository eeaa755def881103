"""Routes around devices: upright pieces, no box crossed, manual waypoints kept."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.templates.boxes import device_box
from topoedit.app.generate import generate
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.layout.orthogonal import CLEARANCE, Exit, find_path, route
from topoedit.model.document import Document
from topoedit.model.edits import Edit

Point = tuple[float, float]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(user=False)


@pytest.fixture
def torus(catalog: Catalog) -> Document:
    return generate("torus", {"shape": "4x3", "nodes": 24}, catalog)


def between_switches(document: Document) -> list[str]:
    return [
        link.id
        for link in document.links.values()
        if all(document.devices[e.device].kind == "leaf" for e in (link.a, link.b))
    ]


def crosses(a: Point, b: Point, box: tuple[float, float, float, float]) -> bool:
    """Whether an upright piece runs through the inside of a box."""
    left, right = sorted((a[0], b[0]))
    top, bottom = sorted((a[1], b[1]))
    return (
        left < box[2] - 0.2
        and right > box[0] + 0.2
        and top < box[3] - 0.2
        and bottom > box[1] + 0.2
    )


def upright(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) < 0.2 or abs(a[1] - b[1]) < 0.2


def test_routes_are_upright_and_cross_no_device(torus: Document) -> None:
    ids = between_switches(torus)
    torus.apply(route(torus, ids))
    boxes = [device_box(torus, i) for i in torus.devices]
    routed = [torus.links[i] for i in ids if torus.links[i].via]
    assert len(routed) > len(ids) / 2
    for link in routed:
        for a, b in pairwise(link.via):
            assert upright(a, b)
            assert not any(crosses(a, b, box) for box in boxes)


def test_manual_waypoints_win_unless_asked(torus: Document) -> None:
    one, other = between_switches(torus)[:2]
    manual = ((1.0, 2.0), (3.0, 4.0))
    torus.apply(Edit("Bend", put=(replace(torus.links[one], via=manual),)))
    first = route(torus, [one, other, "no-such-link"])
    assert one not in {link.id for link in first.put}
    again = route(torus, [one], again=True)
    assert [link.id for link in again.put] == [one]
    assert again.put[0].via != manual
    assert again.label == "Route 1 link around devices"


def test_the_edit_changes_waypoints_alone_and_can_be_undone(torus: Document) -> None:
    before = dict(torus.links)
    inverse = torus.apply(route(torus, between_switches(torus)))
    for link_id, link in torus.links.items():
        assert replace(link, via=before[link_id].via) == before[link_id]
    torus.apply(inverse)
    assert dict(torus.links) == before


def test_routing_again_gives_the_same(torus: Document) -> None:
    ids = between_switches(torus)
    torus.apply(route(torus, ids))
    assert route(torus, ids, again=True).is_empty


def test_given_ends_are_used(torus: Document) -> None:
    link_id = between_switches(torus)[0]
    link = torus.links[link_id]
    boxes = [device_box(torus, end.device) for end in (link.a, link.b)]
    ends = tuple(Exit(box[0] + 7.0, box[1], "top") for box in boxes)
    (routed,) = route(torus, [link_id], ends={link_id: (ends[0], ends[1])}).put
    assert routed.via[0][0] == pytest.approx(ends[0].x)
    assert routed.via[-1][0] == pytest.approx(ends[1].x)
    assert all(y <= ends[0].y - CLEARANCE + 10 for _, y in routed.via)


def test_a_box_in_the_way_is_gone_round() -> None:
    """Straight down is blocked: out by the clearance, beside the box, and back."""
    rects = np.array([[-50.0, 100.0, 60.0, 200.0]])
    path = find_path(Exit(0.0, 0.0, "bottom"), Exit(0.0, 300.0, "top"), rects)
    assert path is not None
    xs = {x for x, _ in path}
    assert min(xs) == -50.0 - CLEARANCE
    assert len(path) == 6
    assert path[0] == (0.0, 0.0)
    assert path[-1] == (0.0, 300.0)


def test_a_free_line_has_no_corner() -> None:
    rects = np.array([[50.0, 100.0, 60.0, 200.0]])
    path = find_path(Exit(0.0, 0.0, "bottom"), Exit(0.0, 300.0, "top"), rects)
    assert path == [(0.0, 0.0), (0.0, 300.0)]


def test_walled_in_is_no_route() -> None:
    walls = [[-60, 30, 60, 50], [-60, -60, -40, 50], [40, -60, 60, 50], [-60, -60, 60, -40]]
    path = find_path(Exit(0.0, 0.0, "bottom"), Exit(0.0, 300.0, "top"), np.array(walls, np.float64))
    assert path is None


@settings(max_examples=120, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(-200, 400), st.integers(60, 400), st.integers(10, 120), st.integers(10, 120)
        ),
        max_size=15,
    )
)
def test_any_found_path_is_upright_and_free(corners: list[tuple[int, int, int, int]]) -> None:
    boxes = [(float(x), float(y), float(x + w), float(y + h)) for x, y, w, h in corners]
    rects = np.array(boxes).reshape(-1, 4)
    path = find_path(Exit(0.0, 0.0, "bottom"), Exit(150.0, 600.0, "top"), rects)
    if path is None:
        return
    assert (path[0], path[-1]) == ((0.0, 0.0), (150.0, 600.0))
    for a, b in pairwise(path[1:-1]):
        assert upright(a, b)
        assert not any(crosses(a, b, box) for box in boxes)
