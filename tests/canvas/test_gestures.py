from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAction, QColor, QImage, QPainter

from topoedit.editor.canvas.chips import paint_chip
from topoedit.model.connect import connect
from topoedit.model.operations import delete, set_fields
from topoedit.render.ink import Ink
from topoedit.render.port_places import port_position
from topoedit.render.theme import Theme

SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)


def contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio of two colours by WCAG 2."""

    def light(color: QColor) -> float:
        parts = (color.redF(), color.greenF(), color.blueF())
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def place(hands, element: str) -> tuple[float, float]:
    device = hands.canvas.session.document.devices[element]
    return device.x, device.y


# -- selecting ------------------------------------------------------------------------------------


@pytest.mark.parametrize("gone", ["leaf-1", "node-1"])
def test_a_link_ends_when_one_of_its_devices_goes(hands, session, gone: str) -> None:
    hands.canvas.set_tool("link")
    hands.press(*hands.of("node-1"))
    hands.move(*hands.of("leaf-1"))
    assert hands.canvas.gesture is not None
    assert session.apply(delete(session.document, [gone]))
    assert hands.canvas.gesture is None
    hands.canvas.grab()
    hands.release(*hands.of("leaf-2"))
    assert session.document.links == {}


def test_a_move_ends_when_what_moves_goes(hands, session) -> None:
    hands.press(*hands.of("node-1"))
    hands.move(600.0, 600.0)
    assert session.apply(delete(session.document, ["node-1"]))
    assert hands.canvas.gesture is None
    hands.canvas.grab()
    hands.release(640.0, 600.0)
    assert session.undo_stack.count() == 1


def test_click_selects_and_click_on_nothing_lets_go(hands) -> None:
    session = hands.canvas.session
    hands.click(*hands.of("node-1"))
    assert session.selection == ("node-1",)
    hands.click(700, 600)
    assert session.selection == ()


def test_shift_adds_and_ctrl_click_adds(hands) -> None:
    hands.click(*hands.of("node-1"))
    hands.click(*hands.of("leaf-1"), SHIFT)
    assert set(hands.canvas.session.selection) == {"node-1", "leaf-1"}
    hands.click(*hands.of("leaf-2"), CTRL)
    assert "leaf-2" in hands.canvas.session.selection


def test_marquee_rightwards_takes_what_is_inside(hands) -> None:
    hands.drag((220, 60), (450, 180))
    assert hands.canvas.session.selection == ("leaf-1",)


def test_marquee_leftwards_takes_what_it_touches(hands) -> None:
    hands.drag((540, 180), (380, 60))
    assert set(hands.canvas.session.selection) == {"leaf-1", "leaf-2"}


def test_marquee_with_shift_adds_and_escape_keeps_the_selection(hands) -> None:
    session = hands.canvas.session
    hands.click(*hands.of("node-1"))
    hands.drag((220, 60), (700, 180), SHIFT)
    assert set(session.selection) == {"node-1", "leaf-1", "leaf-2"}
    hands.press(220, 60)
    hands.move(700, 180)
    hands.key(Qt.Key.Key_Escape)
    assert len(session.selection) == 3
    assert session.undo_stack.count() == 0


def test_a_press_on_a_link_selects_it(hands) -> None:
    session = hands.canvas.session
    session.apply(connect(session.document, "leaf-1", "leaf-2"))
    seg = hands.canvas.scene.strokes.seg[0]
    hands.click((seg[0] + seg[2]) / 2, (seg[1] + seg[3]) / 2)
    assert session.selection == ("link-c1",)


# -- moving ---------------------------------------------------------------------------------------


def test_drag_moves_on_the_grid_as_one_undoable_step(hands) -> None:
    session = hands.canvas.session
    x, y = place(hands, "leaf-2")
    hands.drag((x, y), (x + 203, y + 61))
    assert place(hands, "leaf-2") == (720, 184)
    assert session.undo_stack.undoText() == "Move leaf-2"
    session.undo()
    assert place(hands, "leaf-2") == (x, y)


def test_less_than_four_pixels_is_no_move(hands) -> None:
    x, y = place(hands, "leaf-2")
    hands.drag((x, y), (x + 2, y + 3))
    assert hands.canvas.session.undo_stack.count() == 0


def test_a_moved_device_aligns_with_its_neighbour(hands) -> None:
    x, y = place(hands, "leaf-2")
    hands.drag((x, y), (x + 80, y + 3))
    assert place(hands, "leaf-2")[1] == place(hands, "leaf-1")[1]


def test_alt_suspends_snapping(hands) -> None:
    x, y = place(hands, "leaf-2")
    hands.drag((x, y), (x + 101, y + 57), ALT)
    assert place(hands, "leaf-2") == (x + 101, y + 57)


def test_shift_locks_an_axis(hands) -> None:
    hands.click(*hands.of("leaf-2"))
    x, y = place(hands, "leaf-2")
    hands.drag((x, y), (x + 160, y + 57), SHIFT)
    assert place(hands, "leaf-2")[1] == y
    assert place(hands, "leaf-2")[0] > x + 100


def test_ctrl_drag_copies(hands) -> None:
    session = hands.canvas.session
    x, y = place(hands, "leaf-2")
    hands.drag((x, y), (x, y + 160), CTRL)
    assert place(hands, "leaf-2") == (x, y)
    assert place(hands, "leaf-3") == (x, y + 160)
    assert session.selection == ("leaf-3",)


def test_escape_during_a_drag_leaves_no_trace(hands) -> None:
    x, y = place(hands, "leaf-2")
    hands.press(x, y)
    hands.move(x + 100, y + 100)
    hands.key(Qt.Key.Key_Escape)
    hands.release(x + 100, y + 100)
    assert place(hands, "leaf-2") == (x, y)
    assert hands.canvas.session.undo_stack.count() == 0
    assert not hands.canvas.is_moving


def test_a_locked_device_stays(hands) -> None:
    session = hands.canvas.session
    session.apply(set_fields(session.document, ["leaf-2"], {"locked": True}))
    x, y = place(hands, "leaf-2")
    hands.drag((x, y), (x + 100, y))
    assert place(hands, "leaf-2") == (x, y)


def test_dropping_into_a_rack_puts_the_device_there(hands) -> None:
    session = hands.canvas.session
    box = hands.canvas.scene.rect_of("rack-1")
    hands.drag(hands.of("leaf-1"), ((box[0] + box[2]) / 2, box[3] - 20))
    assert session.document.devices["leaf-1"].group == "rack-1"
    session.undo()
    assert session.document.devices["leaf-1"].group == ""


def test_dragging_a_rack_by_its_title_takes_its_servers(hands) -> None:
    left, top, right, _ = hands.canvas.scene.rect_of("rack-1")
    before = place(hands, "node-1"), place(hands, "node-2")
    foot = hands.canvas.scene.grouping.groups[0].foot
    y = hands.canvas.scene.rect_of("rack-1")[3] - 12 if foot else top + 12
    hands.drag(((left + right) / 2, y), ((left + right) / 2 + 80, y + 80))
    after = place(hands, "node-1"), place(hands, "node-2")
    shifts = {(b[0] - a[0], b[1] - a[1]) for a, b in zip(before, after, strict=True)}
    assert len(shifts) == 1
    assert shifts != {(0, 0)}


# -- linking --------------------------------------------------------------------------------------


def test_drag_from_port_to_port_joins_exactly_these(hands) -> None:
    session = hands.canvas.session
    start = port_position(hands.canvas.scene, "node-1", "nic3")
    end = port_position(hands.canvas.scene, "leaf-1", "5")
    hands.drag(start, end)
    link = session.document.links["link-c1"]
    assert (link.a.device, link.a.ports) == ("node-1", "nic3")
    assert (link.b.device, link.b.ports) == ("leaf-1", "5")
    assert (link.gbps, link.rail) == (400, 3)
    assert session.selection == ("link-c1",)


def test_link_tool_joins_devices_on_free_ports(hands) -> None:
    session = hands.canvas.session
    hands.canvas.set_tool("link")
    hands.drag(hands.of("node-1"), hands.of("leaf-2"))
    assert session.document.ports_in_use("node-1") == {"nic0": "link-c1"}
    assert session.document.ports_in_use("leaf-2") == {"1": "link-c1"}


def test_click_click_links_too(hands) -> None:
    hands.canvas.set_tool("link")
    hands.click(*hands.of("node-1"))
    assert hands.canvas.gesture is not None
    hands.move(*hands.of("leaf-1"))
    hands.click(*hands.of("leaf-1"))
    assert len(hands.canvas.session.document.links) == 1
    assert hands.canvas.gesture is None


def test_shift_keeps_linking(hands) -> None:
    document = hands.canvas.session.document
    hands.canvas.set_tool("link")
    hands.drag(hands.of("node-1"), hands.of("leaf-1"), SHIFT)
    hands.move(*hands.of("leaf-2"), SHIFT)
    hands.click(*hands.of("leaf-2"), SHIFT)
    assert sorted(document.ports_in_use("node-1")) == ["nic0", "nic1"]
    hands.key(Qt.Key.Key_Escape)
    assert hands.canvas.gesture is None


def test_an_impossible_target_says_why_and_draws_nothing(hands) -> None:
    session = hands.canvas.session
    session.apply(connect(session.document, "leaf-1", "leaf-2", cables=64))
    hands.canvas.set_tool("link")
    hands.press(*hands.of("node-1"))
    hands.move(*hands.of("leaf-2"))
    assert hands.canvas.gesture.reason("leaf-2") == "leaf-2 has no free port"
    before = hands.canvas.grab().toImage()
    hands.release(*hands.of("leaf-2"))
    assert len(session.document.links) == 1
    assert before != hands.canvas.grab().toImage()


def test_escape_ends_a_link_and_then_the_tool(hands) -> None:
    hands.canvas.set_tool("link")
    hands.press(*hands.of("node-1"))
    hands.move(*hands.of("leaf-1"))
    hands.key(Qt.Key.Key_Escape)
    assert hands.canvas.gesture is None
    assert not hands.canvas.session.document.links
    hands.key(Qt.Key.Key_Escape)
    assert hands.canvas.tool == "select"


# -- palette --------------------------------------------------------------------------------------


def test_palette_drag_places_on_the_grid_with_the_typed_count(hands) -> None:
    session = hands.canvas.session
    hands.canvas.begin_palette_drag("dgx-h100")
    hands.move(100, 600)
    hands.key(Qt.Key.Key_3)
    hands.key(Qt.Key.Key_Plus)
    assert hands.canvas.gesture.count == 4
    hands.release(100, 600)
    placed = [session.document.devices[i] for i in session.selection]
    assert len(placed) == 4
    assert {d.type for d in placed} == {"dgx-h100"}
    assert len({d.y for d in placed}) == 1
    assert session.undo_stack.count() == 1
    session.undo()
    assert len(session.document.devices) == 4


def test_keys_of_a_palette_drag_count_although_they_are_shortcuts(hands, qtbot) -> None:
    zoomed: list[str] = []
    for keys in ("+", "3"):
        action = QAction(hands.canvas)
        action.setShortcut(keys)
        action.triggered.connect(lambda *_, k=keys: zoomed.append(k))
        hands.canvas.addAction(action)
    hands.canvas.setFocus()
    hands.canvas.begin_palette_drag("dgx-h100")
    hands.move(100, 600)
    hands.key(Qt.Key.Key_3)
    hands.key(Qt.Key.Key_Plus)
    assert hands.canvas.gesture.count == 4
    assert zoomed == []
    hands.key(Qt.Key.Key_Escape)


@pytest.mark.parametrize("look", ["dark", "light"])
def test_a_chip_can_be_read_and_stays_in_the_window(hands, look: str) -> None:
    theme = Theme.load(look)
    view = hands.canvas.view
    image = QImage(round(view.width), round(view.height), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme.color("canvas.bg"))
    painter = QPainter(image)
    for x, y in ((-40.0, -40.0), (view.width - 5, view.height - 5), (300.0, 200.0)):
        box = paint_chip(Ink(painter, theme), view, x, y, "NVIDIA Quantum-2 QM9700 " * 9)
        assert QRectF(0, 0, view.width, view.height).contains(box)
    painter.end()
    ground, ink = theme.color("surface.overlay"), theme.color("text.primary")
    assert contrast(ground, ink) >= 4.5


def test_palette_drag_into_a_rack_joins_it(hands) -> None:
    session = hands.canvas.session
    hands.canvas.begin_palette_drag("qm9700")
    left, top, right, bottom = hands.canvas.scene.rect_of("rack-1")
    hands.move((left + right) / 2, (top + bottom) / 2)
    hands.release((left + right) / 2, (top + bottom) / 2)
    assert session.document.devices[session.selection[0]].group == "rack-1"


@pytest.mark.parametrize("how", ["escape", "outside"])
def test_palette_drag_can_be_given_up(hands, how: str) -> None:
    hands.canvas.begin_palette_drag("dgx-h100")
    hands.move(100, 600)
    if how == "escape":
        hands.key(Qt.Key.Key_Escape)
    else:
        hands.move(-50, 600)
        hands.release(-50, 600)
    assert hands.canvas.gesture is None
    assert hands.canvas.session.undo_stack.count() == 0
