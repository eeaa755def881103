"""The picture as arrays: places, order of ports, containers, loads, following edits."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.render.drawings import (
    Cables,
    device,
    document,
    pod64,
    site,
    some_loads,
    superpod,
)
from topoedit.model.document import Document
from topoedit.model.edits import Edit, MoveDevices
from topoedit.model.elements import Group, Note
from topoedit.render.anchors import BOTTOM, LEFT, RIGHT, TOP
from topoedit.render.loadscale import DOWN, FIRST_BIN, IDLE, NO_DATA, OVERLOAD, PLAIN, load_code
from topoedit.render.port_places import end_position, port_position, port_positions
from topoedit.render.scene import DiagramScene
from topoedit.render.strokes import segments_of_code, widths_of


def pod_scene() -> DiagramScene:
    return DiagramScene(document(pod64()))


def seg_of(scene: DiagramScene, link: str) -> list[float]:
    return scene.strokes.seg[scene.strokes.of_link[scene.links.row[link]]].tolist()


def test_devices_have_the_sizes_of_the_tokens_around_their_centres() -> None:
    scene = pod_scene()
    assert scene.rect_of("node-01") == (0.0, 442.0, 108.0, 558.0)  # 108 x 116 round (54, 500)
    left, top, right, bottom = scene.rect_of("spine-0") or (0, 0, 0, 0)
    assert (right - left, bottom - top) == (148, 44)


def test_the_port_over_a_gpu_is_its_rail() -> None:
    scene = pod_scene()
    for rail in range(8):
        x, y, *_ = seg_of(scene, f"node-03:nic{rail}-leaf-{rail}:3")
        left = scene.rect_of("node-03")[0]  # type: ignore[index]
        assert x == left + 6 + 12 * (rail + 0.5)  # columns on pitch 12 inside a margin of 6
        assert y == 442


def test_links_leave_the_edge_that_faces_the_other_end() -> None:
    scene = pod_scene()
    row = scene.strokes.of_link[scene.links.row["leaf-2:33-34-spine-0:5-6"]]
    assert scene.strokes.side_a[row] == TOP
    assert scene.strokes.side_b[row] == BOTTOM
    cables = Cables()
    pair = [device("a", "leaf", "leaf", 0, 0), device("b", "leaf", "leaf", 300, 4)]
    flat = DiagramScene(document([*pair, cables.link("b", "1", "a", "1")]))
    assert (flat.strokes.side_a[0], flat.strokes.side_b[0]) == (LEFT, RIGHT)
    assert flat.strokes.seg[0].tolist() == [246.0, 4.0, 54.0, 0.0]


def test_ports_on_an_edge_follow_the_other_ends_so_that_lines_do_not_cross() -> None:
    scene = pod_scene()
    for j in range(8):
        xs = [seg_of(scene, f"leaf-{j}:{33 + 2 * k}-{34 + 2 * k}-spine-{k}:{1 + 2 * j}-{2 + 2 * j}")
              for k in range(4)]  # fmt: skip
        at_leaf, at_spine = [x[0] for x in xs], [x[2] for x in xs]
        assert at_leaf == sorted(at_leaf)
        assert at_spine == sorted(at_spine)
        assert np.allclose(np.diff(at_leaf), 18)  # never further apart than 18


def test_widths_grow_with_the_logarithm_of_the_cables() -> None:
    count = np.array([1, 2, 4, 64, 100_000, 1, 1])
    net = np.array([0, 0, 0, 0, 0, 1, 0], np.uint8)
    wan = np.array([False] * 6 + [True])
    assert widths_of(count, net, wan).tolist() == pytest.approx([1.5, 2.25, 3, 6, 8, 1.01, 3])


def test_containers_grow_round_their_members() -> None:
    scene = pod_scene()
    box = scene.rect_of("rack-row-a")
    # Eight servers from x 0 to 976 and y 442 to 558, pad 12; links enter from above, so the 32
    # for the title are at the foot.
    assert box == (-12.0, 430.0, 988.0, 590.0)
    group = scene.grouping.groups[0]
    assert group.foot
    assert (group.gpus, group.servers, group.switches) == (64, 8, 0)


def test_nested_containers_hold_each_other_and_their_own_size_is_the_least() -> None:
    made = [
        Group(id="s", name="s", kind="site", x=0, y=0, width=1000, height=800),
        Group(id="p", name="p", kind="pod", parent="s"),
        Group(id="e", name="e", kind="rack", parent="s", x=300, y=50),
        device("n", "dgx", "server", 100, 100, group="p"),
    ]
    scene = DiagramScene(document(made))
    assert scene.rect_of("p") == (34.0, 10.0, 166.0, 170.0)
    assert scene.rect_of("s") == (-500.0, -400.0, 500.0, 400.0)
    assert scene.rect_of("e") == (200.0, -10.0, 400.0, 110.0)
    assert [g.depth for g in scene.grouping.groups] == [0, 1, 1]


def test_collapsing_moves_nothing_and_joins_links_to_the_tile() -> None:
    made = superpod(2, 4)
    open_scene = DiagramScene(document(made))
    made = [
        replace(e, collapsed=True) if isinstance(e, Group) and e.id == "su-1" else e for e in made
    ]
    scene = DiagramScene(document(made))
    assert scene.rect_of("su-1") == open_scene.rect_of("su-1")
    assert scene.rect_of("node-001") == scene.rect_of("su-1"), (
        "hidden devices are where the tile is"
    )
    tile = scene.node_of("su-1")
    at_tile = (scene.strokes.a == tile) | (scene.strokes.b == tile)
    assert at_tile.sum() == 4, "one line to each spine"
    assert scene.strokes.links[at_tile].tolist() == [8] * 4
    assert scene.strokes.count[at_tile].tolist() == [16] * 4
    hidden = scene.strokes.of_link[scene.links.row["node-001:nic0-leaf-1-0:1"]]
    assert hidden == -1
    assert not scene.shown_devices()[scene.devices.row["node-001"]]
    assert scene.shown_devices()[scene.devices.row["node-033"]]


def test_a_line_of_many_links_shows_the_worst_of_each_direction() -> None:
    made = superpod(1, 2)
    made = [replace(e, collapsed=True) if isinstance(e, Group) else e for e in made]
    scene = DiagramScene(document(made))
    forward, backward = np.full(len(scene.links), 0.1), np.full(len(scene.links), 0.2)
    hot = scene.links.row["leaf-1-3:33-34-spine-00:7-8"]
    forward[hot], backward[hot] = 0.9, 1.2
    scene.set_loads(scene.links.ids, forward, backward)
    stroke = int(scene.strokes.of_link[hot])
    up_is_forward = scene.strokes.flipped[hot]
    ahead, back = scene.strokes.forward[stroke], scene.strokes.backward[stroke]
    assert {int(ahead), int(back)} == {load_code(0.9), OVERLOAD}
    loads = scene.stroke_load(stroke)
    assert sorted(loads) == [0.9, 1.2]
    assert (loads[0] == 1.2) == bool(up_is_forward)


def test_loads_are_taken_by_id_and_unknown_stays_unknown() -> None:
    scene = pod_scene()
    assert set(scene.strokes.worst().tolist()) == {PLAIN}
    ids = ["node-01:nic0-leaf-0:1", "no-such-link", "node-01:nic1-leaf-1:1"]
    changed = scene.set_loads(ids, [0.5, 9.0, 0.0], [np.nan, 9.0, 1.5])
    assert len(changed) == len(scene.strokes), "every link went from nothing to something"
    first = scene.strokes.of_link[scene.links.row[ids[0]]]
    second = scene.strokes.of_link[scene.links.row[ids[2]]]
    assert (scene.strokes.forward[first], scene.strokes.backward[first]) == (FIRST_BIN + 8, NO_DATA)
    assert (scene.strokes.forward[second], scene.strokes.backward[second]) == (IDLE, OVERLOAD)
    assert scene.load_of(ids[2]) == (0.0, 1.5)
    assert scene.node_loads[scene.devices.row["node-01"]] == 1.5
    assert np.isnan(scene.node_loads[scene.devices.row["node-02"]])
    assert scene.node_loads[scene.node_of("rack-row-a")] == 1.5
    again = scene.set_loads(ids, [0.51, 9.0, 0.0], [np.nan, 9.0, 1.6])
    assert again.tolist() == [], "no colour has changed"
    scene.clear_loads()
    assert set(scene.strokes.worst().tolist()) == {PLAIN}
    assert not scene.analysed


def test_failed_links_and_links_at_failed_devices_are_down() -> None:
    made = [replace(e, failed=True) if e.id == "leaf-0" else e for e in pod64()]
    made = [replace(e, failed=2) if e.id == "leaf-1:33-34-spine-0:3-4" else e for e in made]
    made = [replace(e, failed=1) if e.id == "leaf-1:35-36-spine-1:3-4" else e for e in made]
    scene = DiagramScene(document(made))
    dead = scene.strokes.worst()[scene.strokes.of_link] == DOWN
    down = {scene.links.ids[i] for i in np.flatnonzero(dead)}
    assert "leaf-1:33-34-spine-0:3-4" in down
    assert "leaf-1:35-36-spine-1:3-4" not in down, "one of its two cables still works"
    assert {i for i in down if "leaf-0" in i} == {i for i in scene.links.ids if "leaf-0" in i}
    assert (
        scene.strokes.forward[scene.strokes.of_link[scene.links.row["leaf-1:33-34-spine-0:3-4"]]]
        == DOWN
    )


def test_halves_meet_in_the_middle_and_equal_halves_are_one_line() -> None:
    scene = pod_scene()
    scene.set_loads(["node-01:nic0-leaf-0:1"], [0.3], [0.9])
    row = int(scene.strokes.of_link[scene.links.row["node-01:nic0-leaf-0:1"]])
    rows = np.array([row], np.int32)
    x1, y1, x2, y2 = scene.strokes.seg[row].tolist()
    middle = [(x1 + x2) / 2, (y1 + y2) / 2]
    lines, owners = segments_of_code(scene.strokes, rows, load_code(0.3))
    assert lines.tolist() == [[x1, y1, *middle]]
    assert owners.tolist() == [row]
    lines, _ = segments_of_code(scene.strokes, rows, load_code(0.9))
    assert lines.tolist() == [[x2, y2, *middle]]
    scene.set_loads(["node-01:nic0-leaf-0:1"], [0.9], [0.9])
    lines, _ = segments_of_code(scene.strokes, rows, load_code(0.9))
    assert lines.tolist() == [[x1, y1, x2, y2]]
    assert scene.strokes.seg[row].tolist() == [x1, y1, x2, y2], "nothing was written back"


def test_ports_are_where_their_links_end_and_free_ones_beside_them() -> None:
    scene = pod_scene()
    assert port_position(scene, "node-03", "nic5") == tuple(
        seg_of(scene, "node-03:nic5-leaf-5:3")[:2]
    )
    places = port_positions(scene, "leaf-0")
    assert places["1"][1] == places["8"][1] == 202  # the lower edge, with the servers
    free = [p for name, p in places.items() if name == "20"]
    assert free == [] or free[0][1] == 202
    points = list(places.values())
    assert len(set(points)) == len(points), "no two ports in one place"
    assert port_position(scene, "leaf-0", "no-such-port") is None
    lonely = DiagramScene(document([device("n", "dgx", "server", 0, 0)]))
    assert port_position(lonely, "n", "nic0") == (-42.0, -58.0)


def test_end_of_a_hidden_link_is_the_tile() -> None:
    made = [replace(e, collapsed=True) if isinstance(e, Group) else e for e in pod64()]
    scene = DiagramScene(document(made))
    place = end_position(scene, "node-03:nic5-leaf-5:3", "node-03")
    assert place is not None
    assert place[1] == scene.rect_of("rack-row-a")[1]  # type: ignore[index]


def test_bounds_of_everything_of_some_and_of_nothing() -> None:
    scene = pod_scene()
    assert scene.bounds() == (-12.0, 0.0, 988.0, 590.0)
    assert scene.bounds(["leaf-0", "leaf-1"]) == (0.0, 158.0, 232.0, 202.0)
    assert scene.bounds(["leaf-0:33-34-spine-0:1-2"])[1] == 0.0
    assert DiagramScene(document([])).bounds() == (0.0, 0.0, 800.0, 500.0)
    noted = DiagramScene(document([Note(id="n", text="x", x=10, y=20, width=100, height=40)]))
    assert noted.bounds() == (-40.0, 0.0, 60.0, 40.0)
    assert noted.rect_of("n") == (-40.0, 0.0, 60.0, 40.0)


def test_from_afar_pods_close_by_themselves_and_nothing_in_the_document_changes() -> None:
    doc = document(superpod(4, 16))
    scene = DiagramScene(doc)
    doc.listen(scene.apply)
    assert scene.for_scale(0.2) is scene
    far = scene.for_scale(0.05)
    assert far.shown_devices().sum() == 16, "only the spines stand outside the pods"
    assert len(far.strokes) == 4 * 16
    assert far.strokes.count.tolist() == [16] * 64
    assert not any(g.collapsed for g in scene.grouping.groups)
    assert not any(g.collapsed for g in doc.groups.values())
    assert far.rect_of("node-001") == scene.rect_of("su-1")
    scene.set_loads(scene.links.ids, np.full(len(scene.links), 0.5), np.full(len(scene.links), 0.9))
    again = scene.for_scale(0.05)
    assert again is far
    assert set(again.strokes.worst().tolist()) == {load_code(0.9)}
    doc.apply(MoveDevices("Move", ("spine-00",), (-900.0,), (0.0,)))
    assert scene.for_scale(0.05).rect_of("spine-00") == scene.rect_of("spine-00")
    small = DiagramScene(document(pod64()))
    assert small.for_scale(0.01) is small


def test_filters_take_links_out_of_the_picture() -> None:
    scene = pod_scene()
    scene.show_only(lambda link: link.rail == 3)
    assert len(scene.strokes) == len(scene.links) - 8
    scene.show_only(None)
    assert len(scene.strokes) == len(scene.links)


def same_scenes(one: DiagramScene, other: DiagramScene) -> None:
    """Two scenes show the same picture, whatever the order of their rows."""
    assert set(one.devices.ids) == set(other.devices.ids)
    assert set(one.links.ids) == set(other.links.ids)
    for element_id in (*one.devices.ids, *one.grouping.row):
        assert one.rect_of(element_id) == other.rect_of(element_id), element_id
    for link_id in one.links.ids:
        rows = [s.strokes.of_link[s.links.row[link_id]] for s in (one, other)]
        assert (rows[0] < 0) == (rows[1] < 0)
        if rows[0] < 0:
            continue
        flips = [bool(s.strokes.flipped[s.links.row[link_id]]) for s in (one, other)]
        segs = [s.strokes.seg[r] for s, r in zip((one, other), rows, strict=True)]
        ends = [seg[[2, 3, 0, 1]] if flip else seg for seg, flip in zip(segs, flips, strict=True)]
        if one.strokes.links[rows[0]] == 1:
            assert np.allclose(ends[0], ends[1]), link_id
        assert one.strokes.width[rows[0]] == other.strokes.width[rows[1]]


edits = st.lists(
    st.tuples(
        st.sampled_from(["move", "drop", "add", "collapse", "fail", "group"]), st.integers(0, 10**6)
    ),
    max_size=8,
)


def random_edit(doc: Document, kind: str, number: int) -> Edit | MoveDevices | None:
    devices = sorted(doc.devices)
    if not devices:
        return None
    chosen = devices[number % len(devices)]
    if kind == "move":
        return MoveDevices("Move", (chosen,), (float(number % 997),), (float(number % 613),))
    if kind == "drop":
        return Edit("Delete", drop=(chosen, *doc.links_of(chosen)))
    if kind == "fail":
        return Edit(
            "Fail", put=(replace(doc.devices[chosen], failed=not doc.devices[chosen].failed),)
        )
    if kind == "group":
        return Edit("Group", put=(replace(doc.devices[chosen], group=""),))
    if kind == "collapse" and doc.groups:
        group = sorted(doc.groups.values(), key=lambda g: g.id)[number % len(doc.groups)]
        return Edit("Collapse", put=(replace(group, collapsed=not group.collapsed),))
    if kind == "add":
        name = doc.new_name("leaf-new")
        cable = doc.new_cables(1)
        new = device(name, "leaf", "leaf", number % 800, number % 500)
        free = [
            d
            for d in doc.devices.values()
            if d.kind == "leaf" and "64" not in doc.ports_in_use(d.id)
        ]
        if not free:
            return Edit("Add", put=(new,))
        link = replace(Cables().link(name, "1", free[0].id, "64"), cables=cable)
        return Edit("Add", put=(new, link))
    return None


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits)
def test_following_edits_gives_the_same_picture_as_reading_anew(
    steps: list[tuple[str, int]],
) -> None:
    doc = document(pod64(2))
    scene = DiagramScene(doc)
    doc.listen(scene.apply)
    for kind, number in steps:
        edit = random_edit(doc, kind, number)
        if edit is None:
            continue
        inverse = doc.apply(edit)
        if number % 3 == 0:
            doc.apply(inverse)
    same_scenes(scene, DiagramScene(doc))


def test_loads_survive_an_edit_and_new_links_have_none() -> None:
    doc = document(pod64())
    scene = DiagramScene(doc)
    doc.listen(scene.apply)
    loads = some_loads(len(scene.links))
    scene.set_loads(scene.links.ids, *loads)
    before = {i: scene.load_of(i) for i in scene.links.ids}
    doc.apply(Edit("Delete", drop=("node-02", *doc.links_of("node-02"))))
    new = device("leaf-9", "leaf", "leaf", 2000, 0)
    link = replace(Cables().link("leaf-9", "1", "spine-0", "60"), cables=doc.new_cables(1))
    doc.apply(Edit("Add", put=(new, link)))
    for link_id in scene.links.ids:
        if link_id != link.id:
            assert scene.load_of(link_id) == before[link_id]
    assert np.isnan(scene.load_of(link.id)).all()


def test_every_column_of_the_link_table_is_kept_in_step() -> None:
    scene = pod_scene()
    names = {f.name for f in fields(scene.links)} - {"ids", "row", "layer", "layer_codes"}
    assert names == set(scene.links.COLUMNS)
    assert all(len(getattr(scene.links, name)) == len(scene.links) for name in names)


def test_a_superpod_is_built_and_asked() -> None:
    scene = DiagramScene(document(superpod(4, 16)))
    assert len(scene.devices) == 4 * 40 + 16
    assert len(scene.strokes) == 4 * (256 + 8 * 16)
    assert np.isfinite(scene.strokes.seg).all()
    assert len(scene.ends_at(scene.devices.row["spine-00"])) == 32


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_site_of_fifty_thousand_devices_is_built_moved_and_coloured() -> None:
    doc = document(site())
    scene = DiagramScene(doc)
    doc.listen(scene.apply)
    assert (len(scene.devices), len(scene.links)) == (50_000, 300_000)
    assert np.isfinite(scene.strokes.seg).all()
    doc.apply(MoveDevices("Move", ("n5",), (10.0,), (20.0,)))
    moved = scene.rect_of("n5")
    assert moved is not None
    assert (moved[0] + moved[2]) / 2 == 10.0
    forward, backward = some_loads(len(scene.links))
    assert len(scene.set_loads(scene.links.ids, forward, backward)) == len(scene.strokes)
