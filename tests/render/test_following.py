"""What a scene does at an edit or a new load: no more than the picture needs."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.render.drawings import document, pod64, superpod
from tests.render.pictures import painted, pixels
from tests.render.scenes import loaded
from topoedit.model.document import Document
from topoedit.model.edits import AnyEdit, Edit, MoveDevices
from topoedit.model.elements import Note, SavedWorkload
from topoedit.model.plan import Workload
from topoedit.render.grouping import by_group
from topoedit.render.heat import HeatIndex
from topoedit.render.loadscale import PLAIN
from topoedit.render.overlay import Overlay, paint_overlay
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme
from topoedit.render.view import View

pytestmark = pytest.mark.usefixtures("qapp")


def watched(scene: DiagramScene, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes each time that everything is arranged anew."""
    noted: list[str] = []
    real = scene._arrange
    monkeypatch.setattr(scene, "_arrange", lambda: (noted.append("arranged"), real())[1])
    scene.document.listen(scene.apply)
    return noted


def edits(drawn: Document) -> dict[str, AnyEdit]:
    node, group = drawn.devices["node-01"], drawn.groups["rack-row-a"]
    link = next(iter(drawn.links.values()))
    note = Note(id="n", text="remember", x=10, y=10)
    return {
        "rename": Edit("Rename", put=(replace(node, name="other"),)),
        "address": Edit("Address", put=(replace(node, address="10.0.0.7"),)),
        "group's name": Edit("Rename", put=(replace(group, name="Row B", power_kw=40.0),)),
        "label of a link": Edit("Label", put=(replace(link, label="uplink", length_m=12.0),)),
        "note": Edit("Note", put=(note,)),
        "plan": Edit("Plan", put=(SavedWorkload(id="w", name="w", workload=Workload(model="m")),)),
    }


@pytest.mark.parametrize(
    "name", ["rename", "address", "group's name", "label of a link", "note", "plan"]
)
def test_an_edit_of_words_arranges_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = loaded(pod64())
    noted = watched(scene, monkeypatch)
    revision, rects = scene.revision, scene.rects.copy()
    inverse = scene.document.apply(edits(scene.document)[name])
    assert noted == []
    assert scene.revision == revision
    assert (scene.rects == rects).all()
    group = scene.grouping.groups[scene.grouping.row["rack-row-a"]].group
    assert group is scene.document.groups["rack-row-a"]
    assert set(scene.notes) == set(scene.document.notes)
    scene.document.apply(inverse)
    assert noted == []
    assert set(scene.notes) == set(scene.document.notes)


def test_what_shows_is_arranged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = loaded(pod64())
    drawn = scene.document
    node, link = drawn.devices["node-01"], next(iter(drawn.links.values()))
    noted = watched(scene, monkeypatch)
    for edit in (
        Edit("Fail", put=(replace(node, failed=True),)),
        Edit("Ungroup", put=(replace(node, group="", failed=True),)),
        Edit("Fail", put=(replace(link, failed=1),)),
        Edit("Delete", drop=(link.id,)),
        Edit("Close", put=(replace(drawn.groups["rack-row-a"], collapsed=True),)),
    ):
        noted.clear()
        drawn.apply(edit)
        assert noted == ["arranged"], edit.label
    fresh = DiagramScene(drawn)
    for element in (*drawn.devices, *drawn.groups):
        assert scene.rect_of(element) == fresh.rect_of(element), element


def test_a_moved_device_and_its_undo_arrange_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = loaded(pod64())
    noted = watched(scene, monkeypatch)
    inverse = scene.document.apply(MoveDevices("Move", ("leaf-0",), (900.0,), (300.0,)))
    scene.document.apply(inverse)
    assert noted == []
    assert (scene.strokes.seg == DiagramScene(scene.document).strokes.seg).all()


def test_heat_is_that_of_the_worst_link_at_or_below_each_node() -> None:
    scene = loaded(superpod(3, 8))
    links, grouping, count = scene.links, scene.grouping, len(scene.devices)
    random = np.random.default_rng(8)
    loads = random.uniform(0, 1.2, (2, len(links)))
    loads[:, random.random(len(links)) < 0.2] = np.nan
    worst = random.integers(0, 21, len(links)).astype(np.uint8)
    index = HeatIndex(grouping, links)
    codes, heat = index.codes(worst), index.loads(loads)
    inside: dict[int, set[int]] = {n: {n} for n in range(count)}
    for group_index in reversed(range(len(grouping.groups))):
        group = grouping.groups[group_index]
        members = set(group.devices)
        for child in group.children:
            members |= inside[count + child]
        inside[count + group_index] = members
    for node, members in inside.items():
        at = [r for r in range(len(links)) if {int(links.a[r]), int(links.b[r])} & members]
        assert codes[node] == max((int(worst[r]) for r in at), default=PLAIN)
        known = [v for r in at for v in loads[:, r].tolist() if v == v]
        assert heat[node] == max(known) if known else np.isnan(heat[node])


def test_loads_of_the_same_links_again_are_taken_row_by_row() -> None:
    scene = DiagramScene(document(pod64()))
    ids = tuple(scene.links.ids)
    count = len(ids)
    first = scene.set_loads(ids, np.full(count, 0.2), np.full(count, 0.4))
    assert len(first) == len(scene.strokes)
    fewer = scene.set_loads(ids[:3], [0.9, 0.9, 0.9], [0.9, 0.9, 0.9])
    assert len(fewer) == len(scene.strokes), "the others are unknown now"
    assert scene.load_of(ids[2]) == (0.9, 0.9)
    assert np.isnan(scene.load_of(ids[3])).all()
    again = scene.set_loads([str(i) for i in ids], np.full(count, 0.2), np.full(count, 0.4))
    assert len(again) == len(scene.strokes)
    assert scene.load_of(ids[3]) == (0.2, 0.4)


def test_devices_are_found_by_group() -> None:
    of_device = np.array([1, -1, 0, 1, 2, -1, 1], dtype=np.int32)
    order, starts = by_group(of_device, 4)
    found = [order[starts[i] : starts[i + 1]].tolist() for i in range(4)]
    assert found == [[2], [0, 3, 6], [4], []]


def test_every_element_of_a_large_selection_has_a_ring() -> None:
    from PySide6.QtGui import QPainter

    scene = loaded(superpod(4, 16))
    theme = Theme.load("dark")
    view = View.fit(scene.bounds(), 1000, 600)
    before, _ = painted(scene, view)
    after = before.copy()
    ids = tuple(scene.devices.ids)
    painter = QPainter(after)
    paint_overlay(painter, scene, theme, view, Overlay(selected=ids[-1:], many=ids))
    painter.end()
    ring = np.array(theme.color("selection.secondary").getRgb()[:3])
    lit = (pixels(after) == ring).all(axis=2)
    shown = scene.for_scale(view.scale)
    for node in shown.nodes_of(ids[:-1]).tolist():  # the last one has the ring of the main one
        left, top, right, _ = shown.rects[:, node]
        x, y = view.to_pixels((left + right) / 2, top)
        row = lit[max(round(y) - 6, 0) : round(y) + 1, round(x)]
        assert row.any(), shown.id_of(node)


def test_nodes_of_a_closed_group_are_its_tile() -> None:
    made = [replace(e, collapsed=True) if e.id == "rack-row-a" else e for e in pod64()]
    scene = DiagramScene(document(made))
    tile = scene.node_of("rack-row-a")
    nodes = scene.nodes_of(("node-01", "node-02", "leaf-0", scene.links.ids[0], "nothing"))
    assert set(nodes.tolist()) == {tile, scene.node_of("leaf-0")}
