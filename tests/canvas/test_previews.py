"""What hangs on the pointer or a dialog, and how the view moves: previews, gaps, wheel, rulers."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import (
    QInputDevice,
    QNativeGestureEvent,
    QPointingDevice,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication

from topoedit.editor.canvas import link_chip
from topoedit.editor.canvas.gaps import equal_gaps
from topoedit.editor.canvas.ghosts import array_ghosts, cable_ghosts
from topoedit.editor.canvas.hover_card import Card, Direction
from topoedit.editor.canvas.rulers import marks, step_for
from topoedit.editor.canvas.snapping import snap_move
from topoedit.editor.placing import place
from topoedit.model.arrays import Array
from topoedit.model.connect import connect
from topoedit.model.edits import Edit
from topoedit.model.elements import Device
from topoedit.model.wiring import Pattern, plan
from topoedit.render.view import MAX_SCALE, MIN_SCALE, View

from .conftest import SIZE, Hands
from .looking import NONE, has_color, hover, picture

SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)


# -- previews of dialogs --------------------------------------------------------------------------


def test_planned_cables_are_shown_dashed_and_leave_no_trace(hands) -> None:
    canvas, session = hands.canvas, hands.canvas.session
    before = picture(hands)
    planned = plan(session.document, Pattern(a="node-*", b="leaf-*", scheme="mesh"))
    canvas.show_ghosts(cable_ghosts(planned))
    shown = picture(hands)
    ax, ay = hands.of("node-1")
    bx, by = hands.of("leaf-1")
    x, y = canvas.view.to_pixels((ax + bx) / 2, (ay + by) / 2)
    assert has_color(shown, x, y, "accent.base", hands, 12)
    canvas.show_ghosts(None)
    assert picture(hands) == before
    assert not session.document.links


def test_copies_of_an_array_are_shown_with_their_names(hands, monkeypatch) -> None:
    from topoedit.render.ink import Ink

    canvas, session = hands.canvas, hands.canvas.session
    written: list[str] = []
    plain = Ink.text

    def listen(self, x, y, text, *more, **named):
        written.append(text)
        return plain(self, x, y, text, *more, **named)

    monkeypatch.setattr(Ink, "text", listen)
    device = session.document.devices["leaf-1"]
    canvas.show_ghosts(
        array_ghosts(
            (device,), Array(columns=3, pitch_x=20 + 148, pitch_y=60), ["leaf-3", "leaf-4"]
        )
    )
    image = picture(hands)
    assert {"leaf-3", "leaf-4", "2 new devices, a preview"} <= set(written)
    left, top, _, _ = canvas.scene.rect_of("leaf-1")
    x, y = canvas.view.to_pixels(left + 168, top)
    assert has_color(image, x + 20, y, "accent.base", hands, 12)


# -- guides and gaps ------------------------------------------------------------------------------


def test_equal_gaps_are_found_between_after_and_before() -> None:
    others = np.array([[0.0, 0, 40, 20], [200, 0, 240, 20]]).T
    between = equal_gaps((97.0, 0.0, 137.0, 20.0), others, 6, 0)
    assert between == (3.0, ((40.0, 100.0), (140.0, 200.0)))
    row = np.array([[0.0, 0, 40, 20], [60, 0, 100, 20]]).T
    after = equal_gaps((122.0, 0.0, 162.0, 20.0), row, 6, 0)
    assert after == (-2.0, ((40.0, 60.0), (100.0, 120.0)))
    before = equal_gaps((-63.0, 0.0, -23.0, 20.0), row, 6, 0)
    assert before == (3.0, ((-20.0, 0.0), (40.0, 60.0)))
    assert equal_gaps((140.0, 0.0, 180.0, 20.0), row, 6, 0) is None
    assert equal_gaps((122.0, 90.0, 162.0, 110.0), row, 6, 0) is None, "not beside them"


def test_a_snap_tells_equal_gaps_and_the_distance_to_what_it_aligns_with() -> None:
    row = np.array([[0.0, 0, 40, 20], [60, 0, 100, 20]]).T
    snap = snap_move((121.0, 0.0, 161.0, 20.0), (141.0, 10.0), (0.0, 1.0), row, 1.0)
    (gaps,) = snap.gaps
    assert (snap.dx, gaps.vertical, gaps.width, gaps.at) == (-1.0, False, 20.0, 10.0)
    (guide,) = (g for g in snap.guides if not g.vertical)
    assert (guide.distance, guide.middle) == (20.0, 110.0)


def test_a_device_dragged_to_equal_gaps_stays_there(hands) -> None:
    session = hands.canvas.session
    third = Device(id="leaf-3", name="leaf-3", type="qm9700", kind="leaf", x=700.0, y=220.0)
    session.apply(Edit("Add", put=(third,)))
    x1, x2 = (session.document.devices[i].x for i in ("leaf-1", "leaf-2"))
    hands.drag((700, 220), (2 * x2 - x1 + 3, 122))
    moved = session.document.devices["leaf-3"]
    assert (moved.x, moved.y) == (2 * x2 - x1, 120.0)


# -- wheel and touchpad ---------------------------------------------------------------------------


def touchpad() -> QPointingDevice:
    return QPointingDevice(
        "pad", 7, QInputDevice.DeviceType.TouchPad, QPointingDevice.PointerType.Finger,
        QInputDevice.Capability.Position | QInputDevice.Capability.PixelScroll, 2, 1,
    )  # fmt: skip


def scroll(hands: Hands, pixels: QPoint, angle: QPoint, keys=NONE, device=None) -> None:
    at = QPointF(300, 200)
    more = () if device is None else (Qt.MouseEventSource.MouseEventNotSynthesized, device)
    event = QWheelEvent(
        at, hands.canvas.mapToGlobal(at), pixels, angle, Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False, *more,
    )  # fmt: skip
    QApplication.sendEvent(hands.canvas, event)


def test_two_fingers_pan_by_exactly_their_pixels(hands) -> None:
    pad = touchpad()
    scroll(hands, QPoint(30, -12), QPoint(60, -24), device=pad)
    view = hands.canvas.view
    assert (view.x, view.y, view.scale) == (-30.0, 12.0, 1.0)
    scroll(hands, QPoint(0, 12), QPoint(0, 120))
    assert hands.canvas.view.scale == pytest.approx(1.1), "a wheel that tells pixels still zooms"
    del pad


def test_ctrl_is_fine_shift_and_a_tilted_wheel_go_sideways(hands) -> None:
    scroll(hands, QPoint(), QPoint(0, 120), CTRL)
    assert hands.canvas.view.scale == pytest.approx(1.02)
    hands.canvas.set_view(View.at(0, 0, 1.0, *SIZE))
    scroll(hands, QPoint(), QPoint(0, 120), SHIFT)
    assert (hands.canvas.view.x, hands.canvas.view.y) == (-120.0, 0.0)
    scroll(hands, QPoint(), QPoint(-120, 0))
    assert (hands.canvas.view.x, hands.canvas.view.scale) == (0.0, 1.0)


def test_a_pinch_zooms_one_to_one_about_the_fingers(hands) -> None:
    pad, canvas = touchpad(), hands.canvas
    at = QPointF(300, 200)
    held = canvas.view.to_canvas(300, 200)
    event = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture, pad, 2, at, at, canvas.mapToGlobal(at), 0.25,
        QPointF(),
    )  # fmt: skip
    QApplication.sendEvent(canvas, event)
    assert canvas.view.scale == pytest.approx(1.25)
    assert canvas.view.to_canvas(300, 200) == pytest.approx(held)
    del pad


def test_zoom_ends_at_half_a_percent_and_at_3200(hands) -> None:
    for turn, end in ((-120 * 400, MIN_SCALE), (120 * 400, MAX_SCALE)):
        hands.wheel(300, 200, turn)
        assert hands.canvas.view.scale == end
    assert (MIN_SCALE, MAX_SCALE) == (0.005, 32.0)


# -- rulers ---------------------------------------------------------------------------------------


def test_rulers_number_round_steps_that_keep_their_distance() -> None:
    for scale in (MIN_SCALE, 0.05, 0.3, 1.0, 4.0, MAX_SCALE):
        step = step_for(scale)
        assert 56 <= step * scale < 2.5 * 56
        assert f"{step:e}"[0] in "1248"
    assert list(marks(-85, 170, 80)) == [-80, 0, 80, 160]
    assert step_for(1.0) == 80


def test_rulers_are_off_at_first_and_show_where_the_pointer_is(hands) -> None:
    canvas = hands.canvas
    hover(hands, 450, 300)
    before = picture(hands)
    canvas.set_rulers(True)
    after = picture(hands)
    assert before.pixelColor(300, 3) != after.pixelColor(300, 3)
    assert has_color(after, 450, 5, "accent.base", hands, 2)
    assert has_color(after, 5, 300, "accent.base", hands, 2)
    canvas.set_rulers(False)
    assert picture(hands) == before


# -- chips ----------------------------------------------------------------------------------------


def test_a_hovered_link_says_its_load_and_its_classes_at_once(hands, monkeypatch) -> None:
    canvas, session = hands.canvas, hands.canvas.session
    session.apply(connect(session.document, "leaf-1", "node-1"))
    (link,) = session.document.links
    directions = (
        Direction("leaf-1 → node-1", 0.5, 4e9, (("TP", 1e9), ("DP", 3e9))),
        Direction("node-1 → leaf-1", float("nan"), 0.0, ()),
    )
    card = Card("leaf-1 → node-1", (), directions)
    monkeypatch.setattr(link_chip, "card_for", lambda *_: card)
    seg = canvas.scene.strokes.seg[0]
    hover(hands, (seg[0] + seg[2]) / 2, (seg[1] + seg[3]) / 2)
    assert session.hovered == link
    image = picture(hands)
    x, y = canvas.pointer.x() + 14 + 8, canvas.pointer.y() + 16 + 6 + 16 + 2
    whole = (190.0 - 16) * 0.5
    assert has_color(image, x + whole * 0.12, y, "traffic.TP", hands, 2)
    assert has_color(image, x + whole * 0.6, y, "traffic.DP", hands, 2)
    assert not has_color(image, x + whole * 1.5, y, "traffic.DP", hands, 2)


def test_the_marquee_counts_what_it_holds_while_it_is_drawn(hands, monkeypatch) -> None:
    from topoedit.editor.canvas.gestures import marquee

    said: list[str] = []
    monkeypatch.setattr(marquee, "paint_chip", lambda _i, _v, _x, _y, text: said.append(text))
    hands.press(220, 60)
    for x, words in ((450, "1 item"), (700, "2 items")):
        hands.move(x, 180)
        picture(hands)
        assert said[-1] == words
    hands.release(700, 180)
    assert set(hands.canvas.session.selection) == {"leaf-1", "leaf-2"}


def test_a_container_is_placed_with_its_middle_under_the_pointer(hands) -> None:
    session = hands.canvas.session
    assert session.apply(place(session.document, "group:rack", 640.0, 560.0))
    (made,) = (g for g in session.document.groups.values() if g.id != "rack-1")
    left, top, right, bottom = hands.canvas.scene.rect_of(made.id)
    assert ((left + right) / 2, (top + bottom) / 2) == (640.0, 560.0)
