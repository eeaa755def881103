"""Editing flow, keyboard, pointer: pains 32 to 35."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.editor.pains.conftest import Desk
from topoedit.model.edits import Edit
from topoedit.model.elements import Device, Group

_NONE = Qt.KeyboardModifier.NoModifier


def centre_of(desk: Desk) -> tuple[float, float]:
    """The middle of the selected devices."""
    found = desk.session.selected_devices()
    xs, ys = [d.x for d in found], [d.y for d in found]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def test_a_duplicate_brings_its_inner_links_and_is_selected(desk: Desk) -> None:
    desk.do("edit.duplicate", "node-1", "leaf-1")
    copies = {d.id for d in desk.session.selected_devices()}
    assert {desk.document.devices[i].name for i in copies} == {"node-3", "leaf-3"}
    inner = [k for k in desk.document.links.values() if {k.a.device, k.b.device} == copies]
    assert [(k.a.ports, k.b.ports) for k in inner] == [("nic0-3", "1-4")]


def test_paste_lands_under_the_pointer_and_steps_when_repeated(desk: Desk) -> None:
    desk.do("edit.copy", "leaf-1", "leaf-2")
    desk.hands.move(-160.0, 160.0)
    desk.do("edit.paste")
    assert centre_of(desk) == pytest.approx((-160.0, 160.0), abs=8)
    first = centre_of(desk)
    desk.do("edit.paste")
    assert centre_of(desk) == (first[0] + 24, first[1] + 24)
    desk.hands.move(480.0, 160.0)
    desk.do("edit.paste")
    assert centre_of(desk) == pytest.approx((480.0, 160.0), abs=8)


def test_paste_without_the_pointer_lands_in_the_middle_of_the_view(desk: Desk) -> None:
    desk.do("edit.copy", "leaf-1")
    desk.look_at(5_000.0, 3_000.0)
    desk.do("edit.paste")
    assert centre_of(desk) == pytest.approx((5_000.0, 3_000.0), abs=8)
    (copy,) = desk.session.selected_devices()
    assert (copy.x - 120.0) % 8 == 0  # it keeps the grid of the original


def test_what_is_pasted_joins_the_rack_it_lands_in(desk: Desk) -> None:
    desk.session.apply(
        Edit(
            "Second rack",
            put=(
                Group(id="rack-2", name="rack-2", kind="rack"),
                Device(id="node-9", name="node-9", type="dgx-h100", kind="server",
                       group="rack-2", x=600.0, y=0.0),
            ),
        )
    )  # fmt: skip
    desk.do("edit.copy", "node-1")
    desk.hands.move(600.0, 10.0)
    desk.do("edit.paste")
    (copy,) = desk.session.selected_devices()
    assert copy.group == "rack-2"
    desk.hands.move(-300.0, 160.0)
    desk.do("edit.paste")
    (copy,) = desk.session.selected_devices()
    assert copy.group == ""
    desk.do("edit.copy", "rack-1")
    desk.hands.move(600.0, 10.0)
    desk.do("edit.paste")  # a rack does not go into a rack
    assert len(desk.document.groups) == 3
    assert all(not group.parent for group in desk.document.groups.values())


def test_an_empty_clipboard_is_one_line(desk: Desk) -> None:
    QGuiApplication.clipboard().clear()
    desk.window.files.shell  # noqa: B018 - the command exists without the clipboard
    desk.window._controllers["edit"].paste()
    assert "nothing that topoedit can paste" in desk.line


def test_delete_takes_any_selection_and_leaves_no_loose_end(desk: Desk) -> None:
    hands = desk.hands
    for step in range(-40, 41):
        hands.click(120.0 + step, -100.0)
        if desk.session.selection == ("link-11",):
            break
    desk.do("edit.delete")
    assert "link-11" not in desk.document
    assert "node-1" in desk.document
    desk.do("edit.delete", "leaf-2", "rack-1")
    ends = {i for k in desk.document.links.values() for i in (k.a.device, k.b.device)}
    assert ends <= set(desk.document.devices)
    assert set(desk.document.devices) == {"leaf-1"}


def scroll(desk: Desk, pixels: QPoint, angle: QPoint, keys: Qt.KeyboardModifier = _NONE) -> None:
    place = QPointF(desk.canvas.width() / 3, desk.canvas.height() / 4)
    event = QWheelEvent(
        place, desk.canvas.mapToGlobal(place), pixels, angle, Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.ScrollUpdate, False,
    )  # fmt: skip
    QApplication.sendEvent(desk.canvas, event)


def test_two_fingers_pan_by_the_pixels_they_move(desk: Desk) -> None:
    before = desk.canvas.view
    scroll(desk, QPoint(30, -12), QPoint(60, -24))
    after = desk.canvas.view
    assert after.scale == before.scale
    assert before.to_pixels(0, 0)[0] + 30 == pytest.approx(after.to_pixels(0, 0)[0])
    assert before.to_pixels(0, 0)[1] - 12 == pytest.approx(after.to_pixels(0, 0)[1])


def test_pinch_zooms_one_to_one_about_the_fingers(desk: Desk) -> None:
    canvas = desk.canvas
    place = QPointF(400, 300)
    under = canvas.view.to_canvas(400, 300)
    before = canvas.view.scale
    event = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture, QPointingDevice.primaryPointingDevice(), 2, place,
        place, canvas.mapToGlobal(place), 0.05, QPointF(),
    )  # fmt: skip
    QApplication.sendEvent(canvas, event)
    assert canvas.view.scale == pytest.approx(before * 1.05)
    assert canvas.view.to_canvas(400, 300) == pytest.approx(under)


def test_wheel_and_keys_zoom_by_the_same_steps(desk: Desk) -> None:
    before = desk.canvas.view.scale
    scroll(desk, QPoint(), QPoint(0, 120))
    by_wheel = desk.canvas.view.scale / before
    before = desk.canvas.view.scale
    desk.do("view.zoom_in")
    assert desk.canvas.view.scale / before == pytest.approx(by_wheel)


def test_the_canvas_has_no_edge(desk: Desk) -> None:
    for _ in range(40):
        scroll(desk, QPoint(-4_000, 4_000), QPoint(-8_000, 8_000))
    x, y = desk.canvas.centre()
    assert x > 100_000
    assert y < -100_000
    desk.canvas.picture.finish()
    desk.window.place("qm9700")
    (placed,) = desk.session.selected_devices()
    assert (placed.x, placed.y) == pytest.approx((x, y), abs=200)
