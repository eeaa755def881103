"""What is under a point."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.render.drawings import document, every_kind, pod64
from topoedit.model.elements import Group, Link
from topoedit.render import hits
from topoedit.render.curves import curve_of, middle_of, sample_cubic
from topoedit.render.scene import DiagramScene


@pytest.fixture
def scene() -> DiagramScene:
    return DiagramScene(document(pod64()))


def test_device_under_a_point(scene: DiagramScene) -> None:
    assert hits.device_at(scene, 54, 500) == "node-01"
    assert hits.device_at(scene, 54, 400) is None
    assert hits.device_at(scene, -3, 500) is None
    assert hits.device_at(scene, -3, 500, slack=4) == "node-01"


def test_line_under_a_point_straight_and_curved(scene: DiagramScene) -> None:
    link = "node-01:nic4-leaf-4:1"
    stroke = int(scene.strokes.of_link[scene.links.row[link]])
    x, y = middle_of(scene, stroke, curved=False)
    assert hits.stroke_at(scene, x, y, 2) is not None
    points = sample_cubic(curve_of(scene, stroke))
    near = points[8]
    assert hits.link_at(scene, float(near[0]), float(near[1]), 0.6, curved=True) == link
    assert hits.link_at(scene, 1500, 300, 5) is None


def test_line_found_is_the_nearest(scene: DiagramScene) -> None:
    for link_id in list(scene.links.ids)[::9]:
        stroke = int(scene.strokes.of_link[scene.links.row[link_id]])
        x1, y1, x2, y2 = scene.strokes.seg[stroke].tolist()
        at = 0.07
        assert hits.link_at(scene, x1 + at * (x2 - x1), y1 + at * (y2 - y1), 0.01) == link_id


def test_manual_routes_answer_along_their_waypoints() -> None:
    made = [
        replace(e, via=((-200.0, 300.0),)) if e.id == "node-01:nic0-leaf-0:1" else e
        for e in pod64()
    ]
    scene = DiagramScene(document(made))
    assert hits.link_at(scene, -200, 300, 3) == "node-01:nic0-leaf-0:1"
    straight = next(e for e in made if isinstance(e, Link) and e.id == "node-01:nic0-leaf-0:1")
    assert straight.via


def test_port_under_a_point(scene: DiagramScene) -> None:
    hit = hits.port_at(scene, 54 - 54 + 6 + 12 * 2.5, 443, 5)
    assert hit is not None
    assert (hit.device, hit.port) == ("node-01", "nic2")
    assert hits.port_at(scene, 54, 500, 5) is None


def test_innermost_group_and_its_title(scene: DiagramScene) -> None:
    assert hits.group_at(scene, 60, 560) == "rack-row-a"
    assert hits.group_at(scene, 60, 500, title_only=True) is None
    assert (
        hits.group_at(scene, 60, 575, title_only=True) == "rack-row-a"
    )  # the title is at the foot
    assert hits.group_at(scene, -11, 500, title_only=True) == "rack-row-a"  # its edge
    assert hits.group_at(scene, 60, 300) is None


def test_a_box_takes_what_is_inside_or_what_it_touches(scene: DiagramScene) -> None:
    box = (-5.0, 430.0, 240.0, 600.0)
    assert hits.devices_in(scene, box) == ("node-01", "node-02")
    touched = (-5.0, 430.0, 260.0, 600.0)
    assert hits.devices_in(scene, touched, touched=True) == ("node-01", "node-02", "node-03")


def test_collapsed_groups_are_found_instead_of_their_members() -> None:
    made = [replace(e, collapsed=True) if isinstance(e, Group) else e for e in pod64()]
    scene = DiagramScene(document(made))
    assert hits.device_at(scene, 54, 500) is None
    assert hits.group_at(scene, 54, 500, title_only=True) == "rack-row-a"
    assert "rack-row-a" in hits.elements_in(scene, (-100, 400, 1200, 700))
    stroke = int(scene.strokes.of_link[scene.links.row["node-03:nic5-leaf-5:3"]])
    assert len(hits.links_of_stroke(scene, stroke)) == 8


def test_notes_are_found() -> None:
    scene = DiagramScene(document(every_kind()))
    assert hits.note_at(scene, 1050, 100) == "note-1"
    assert hits.note_at(scene, 1050, 300) is None
    assert "note-1" in hits.elements_in(scene, (900, 0, 1200, 200))
