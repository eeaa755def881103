from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from topoedit.editor.canvas import camera
from topoedit.editor.canvas.snapping import snap_move
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.engine_client import EngineResult, LinkLoads
from topoedit.editor.session import DocumentSession
from topoedit.model.connect import connect
from topoedit.model.document import Document
from topoedit.model.operations import set_collapsed
from topoedit.render.theme import Theme
from topoedit.render.view import View

scales = st.floats(0.01, 20)
points = st.floats(-5000, 5000)


@given(scales, points, points, st.floats(0.2, 5))
def test_zooming_keeps_the_point_under_the_pointer(scale, px, py, factor) -> None:
    view = View.at(10, 20, scale, 900, 700)
    before = view.to_canvas(px, py)
    after = camera.zoomed(view, factor, px, py).to_canvas(px, py)
    assert after == pytest.approx(before, abs=1e-6 * max(1, abs(px), abs(py)) / scale)


@given(st.floats(0, 1), scales, scales)
def test_a_camera_move_begins_and_ends_where_it_should(share, first, last) -> None:
    start, end = View.at(0, 0, first, 900, 700), View.at(100, -50, last, 900, 700)
    assert camera.between(start, end, 0.0).x == pytest.approx(start.x)
    assert camera.between(start, end, 1.0) == end
    low, high = sorted((first, last))
    assert low * 0.999 <= camera.between(start, end, share).scale <= high * 1.001


def test_snap_prefers_a_neighbour_to_the_grid() -> None:
    others = np.array([[100.0], [0.0], [200.0], [50.0]])
    snap = snap_move((0, 0, 100, 50), (50, 25), (103, 3), others, 1.0)
    assert (snap.dx, snap.dy) == (100, 0)
    assert [guide.vertical for guide in snap.guides] == [True, False]
    free = snap_move((0, 0, 100, 50), (50, 25), (500, 300), others, 1.0)
    assert (50 + free.dx) % 8 == 0
    assert not free.guides


def test_wheel_zooms_at_the_pointer_and_shift_pans(hands) -> None:
    before = hands.canvas.view
    hands.wheel(300, 300, 120)
    assert hands.canvas.zoom() == pytest.approx(1.1)
    assert hands.canvas.view.to_pixels(300, 300) == pytest.approx(before.to_pixels(300, 300))
    hands.wheel(300, 300, 120, Qt.KeyboardModifier.ShiftModifier)
    assert hands.canvas.zoom() == pytest.approx(1.1)
    assert hands.canvas.view.x < before.to_canvas(300, 0)[0]


def test_middle_drag_and_space_pan(hands) -> None:
    x = hands.canvas.view.x
    hands.qtbot.keyPress(hands.canvas, Qt.Key.Key_Space)
    hands.drag((700, 600), (650, 600))
    hands.qtbot.keyRelease(hands.canvas, Qt.Key.Key_Space)
    assert hands.canvas.view.x == pytest.approx(x + 50, abs=1)
    assert hands.canvas.session.selection == ()


def test_fit_shows_everything_and_fit_selection_only_that(hands) -> None:
    hands.canvas.fit()
    left, top, right, bottom = hands.canvas.view.box
    for device in hands.canvas.session.document.devices.values():
        assert left < device.x < right
        assert top < device.y < bottom
    hands.canvas.session.select(["leaf-1"])
    hands.canvas.fit_selection()
    centre = hands.canvas.centre()
    assert centre == pytest.approx(hands.of("leaf-1"), abs=1)


def test_chevron_collapses_and_expands_exactly(hands) -> None:
    session = hands.canvas.session
    group = hands.canvas.scene.grouping.groups[0]
    places = {d.id: (d.x, d.y) for d in session.document.devices.values()}
    left, top, _, bottom = group.box
    hands.click(left + 14, bottom - 16 if group.foot else top + 16)
    assert session.document.groups["rack-1"].collapsed
    assert not hands.canvas.scene.shown_devices()[hands.canvas.scene.devices.row["node-1"]]
    session.apply(set_collapsed(session.document, ["rack-1"], False))
    assert {d.id: (d.x, d.y) for d in session.document.devices.values()} == places


def test_arrows_move_the_selection_and_a_run_is_one_step(hands) -> None:
    session = hands.canvas.session
    session.select(["leaf-1"])
    for _ in range(3):
        hands.key(Qt.Key.Key_Right)
    hands.key(Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    device = session.document.devices["leaf-1"]
    assert (device.x, device.y) == (384, 121)
    session.undo()
    assert session.document.devices["leaf-1"].x == 360


def test_ctrl_arrows_walk_to_neighbours(hands) -> None:
    session = hands.canvas.session
    hands.key(Qt.Key.Key_Right)
    assert len(session.selection) == 1
    session.select(["leaf-1"])
    hands.key(Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert session.selection == ("node-1",)
    hands.key(Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert session.selection == ("node-2",)


def test_enter_and_double_click_open_properties(hands) -> None:
    hands.canvas.session.select(["leaf-1"])
    with hands.qtbot.waitSignal(hands.canvas.activated) as seen:
        hands.key(Qt.Key.Key_Return)
    assert seen.args == ["leaf-1"]
    with hands.qtbot.waitSignal(hands.canvas.activated) as seen:
        hands.qtbot.mouseDClick(
            hands.canvas, Qt.MouseButton.LeftButton, pos=hands.pixel(*hands.of("node-2"))
        )
    assert seen.args == ["node-2"]


def _load(session: DocumentSession, forward: float, backward: float) -> None:
    links = tuple(session.document.links)
    rows = {
        name: np.full(len(links), value, np.float32)
        for name, value in (("demand", forward), ("utilisation", 0.1), ("phase_share", 0.2),
                            ("bytes", 4e9), ("DP", 3e9), ("TP", 1e9))
    }  # fmt: skip
    back = {**rows, "demand": np.full(len(links), backward, np.float32)}
    analysis = _analysis()
    session.take_result(
        EngineResult(1, session.document.revision, analysis,
                     LinkLoads(links, len(links), rows, back), 0.01)
    )  # fmt: skip


def _analysis():
    from topoedit.app.analyse import analyse_document
    from topoedit.app.generate import generate
    from topoedit.catalog.load import load_catalog
    from topoedit.model.plan import Plan, Workload

    small = generate("rail-optimized", {"nodes": 2}, load_catalog(user=False))
    return analyse_document(small, Workload(model="llama-3.1-8b", plan=Plan(tp=8))).analysis


def test_loads_recolour_each_half_and_the_card_tells_bytes_by_class(hands) -> None:
    session, canvas = hands.canvas.session, hands.canvas
    session.apply(connect(session.document, "leaf-1", "leaf-2"))
    canvas.picture.finish()
    plain = canvas.grab().toImage()
    _load(session, 0.95, 0.05)
    canvas.picture.finish()
    assert canvas.grab().toImage() != plain
    forward, backward = canvas.scene.load_of("link-c1")
    assert (forward, backward) == pytest.approx((0.95, 0.05))
    from topoedit.editor.canvas.hover_card import card_for

    card = card_for(session.document, "link-c1", canvas.loads)
    assert [d.words for d in card.directions] == ["leaf-1 → leaf-2", "leaf-2 → leaf-1"]
    assert dict(card.directions[0].by_class) == {"TP": 1e9, "DP": 3e9}
    session.set_traffic_class("DP")
    assert canvas.scene.load_of("link-c1")[0] == pytest.approx(0.95 * 0.75)
    session.set_metric("bytes")
    assert canvas.scene.load_of("link-c1")[0] == pytest.approx(1.0)


def test_hovering_shows_a_card_after_a_while(hands) -> None:
    with hands.qtbot.waitSignal(hands.canvas.session.hover_changed, timeout=5000) as seen:
        hands.move(*hands.of("node-1"))
    assert seen.args == ["node-1"]
    hands.qtbot.waitUntil(lambda: hands.canvas.card_shown, timeout=5000)
    hands.move(700, 600)
    assert not hands.canvas.card_shown


def test_the_picture_is_sharp_after_every_change(hands) -> None:
    canvas = hands.canvas
    assert canvas.picture.is_sharp
    canvas.set_zoom(2.0)
    assert not canvas.picture.is_sharp
    with hands.qtbot.waitSignal(canvas.refined, timeout=10_000):
        pass
    assert canvas.picture.is_sharp


def test_both_themes_paint(hands) -> None:
    dark = hands.canvas.grab().toImage()
    hands.canvas.set_theme(Theme.load("light"))
    hands.canvas.picture.finish()
    light = hands.canvas.grab().toImage()
    assert light.pixelColor(450, 650).lightness() > 200 > dark.pixelColor(450, 650).lightness()


def test_an_empty_drawing_says_what_to_do(hands) -> None:
    session = hands.canvas.session
    from topoedit.model.operations import delete

    assert hands.canvas.furniture.hint.isHidden()
    session.apply(delete(session.document, [*session.document.devices, "rack-1"]))
    assert hands.canvas.furniture.hint.isVisible()
    assert hands.canvas.furniture.legend.isHidden()
    session.undo()
    assert hands.canvas.furniture.hint.isHidden()


def test_a_fitted_drawing_stays_fitted_when_the_window_changes(hands) -> None:
    hands.canvas.fit()
    hands.canvas.resize(600, 500)
    left, top, right, bottom = hands.canvas.view.box
    for device in hands.canvas.session.document.devices.values():
        assert left < device.x < right
        assert top < device.y < bottom
    hands.wheel(300, 300, 120)
    scale = hands.canvas.zoom()
    hands.canvas.resize(900, 700)
    assert hands.canvas.zoom() == scale, "a view that a person has chosen is kept"


def test_the_camera_stays_where_everything_asked_for_is_in_view(hands) -> None:
    canvas = hands.canvas
    before = canvas.view
    canvas.centre_on(("node-1", "leaf-2"))
    assert canvas.view == before
    canvas.set_view(View.at(5000, 5000, 1.0, before.width, before.height))
    canvas.centre_on(("node-1",))
    left, top, right, bottom = canvas.view.box
    x, y = hands.of("node-1")
    assert left < x < right
    assert top < y < bottom


def test_the_hint_of_an_empty_drawing_makes_way_for_what_is_dragged(catalog, qtbot) -> None:
    session = DocumentSession(Document(catalog))
    canvas = CanvasView(session, Theme.load("light"))
    canvas.reduced_motion = True
    qtbot.addWidget(canvas)
    canvas.resize(900, 700)
    canvas.show()
    assert canvas.furniture.hint.isVisible()
    assert canvas.zoom() == 1.0  # there is nothing to fit
    canvas.begin_palette_drag("dgx-h100")
    assert not canvas.furniture.hint.isVisible()
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.furniture.hint.isVisible()
    canvas.picture.stop()
    session.close()
