"""What the list of habits asks of the canvas: marks, free ports, focus, walking, traces."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QImage,
)
from PySide6.QtWidgets import QApplication

from topoedit.editor.canvas.free_ports import nearest_free
from topoedit.editor.canvas.marks import mark_of, mark_under
from topoedit.editor.dialogs.exclude_dialog import ExcludeDialog
from topoedit.model.connect import connect
from topoedit.model.edits import Edit
from topoedit.render.gpu_cells import gpu_cells, nic_at
from topoedit.render.kinds.server_inside import nic_cells
from topoedit.render.looks import look_at
from topoedit.render.port_places import free_ports
from topoedit.render.view import View
from topoedit.rules.base import Finding
from topoedit.rules.run import Counts, Excluded, Report, check_document, exclude

from .conftest import SIZE, Hands
from .looking import NONE, apart, has_color, hover, picture

SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)


# -- marks ----------------------------------------------------------------------------------------


def judged(hands: Hands, *findings: Finding) -> None:
    session = hands.canvas.session
    report = Report(
        violations=findings, counts=Counts(error=len(findings)), checked={}, unchecked=()
    )
    session.rules.take(report, session.document.revision)


def finding(message: str, *elements: str, rule: str = "isolated-device", **more: object) -> Finding:
    return Finding(rule=rule, severity="error", elements=elements, message=message, **more)  # type: ignore[arg-type]


def click_mark(hands: Hands, element: str) -> None:
    x, y = mark_of(hands.canvas, element) or (0.0, 0.0)
    hands.qtbot.mouseClick(
        hands.canvas, Qt.MouseButton.LeftButton, NONE, QPoint(round(x), round(y))
    )


def test_a_click_on_a_mark_explains_it_and_esc_closes_before_the_selection_goes(hands) -> None:
    judged(
        hands,
        finding("leaf-1 has no cable", "leaf-1", fix="Connect it", source="Everybody"),
        finding("node-2 has no cable", "node-2"),
    )
    click_mark(hands, "leaf-1")
    popover, session = hands.canvas.furniture.popover, hands.canvas.session
    assert popover.isVisible()
    assert popover.element == "leaf-1"
    assert popover.words.text() == "leaf-1 has no cable"
    assert popover.remedy.text() == "Connect it"
    assert popover.source.text() == "isolated-device · Everybody"
    assert popover.place.text() == "1 of 2"
    assert not popover.fix.isVisible(), "nothing mends it in one step"
    assert session.selection == ("leaf-1",)
    assert hands.canvas.rect().contains(popover.geometry())
    hands.qtbot.keyClick(popover, Qt.Key.Key_Escape)
    assert not popover.isVisible()
    assert session.selection == ("leaf-1",)
    hands.key(Qt.Key.Key_Escape)
    assert session.selection == ()


def test_the_canvas_closes_the_popover_first_and_a_press_elsewhere_does_too(hands) -> None:
    judged(hands, finding("leaf-1 has no cable", "leaf-1"))
    click_mark(hands, "leaf-1")
    popover = hands.canvas.furniture.popover
    hands.key(Qt.Key.Key_Escape)
    assert not popover.isVisible()
    assert hands.canvas.session.selection == ("leaf-1",)
    click_mark(hands, "leaf-1")
    hands.click(820, 600)
    assert not popover.isVisible()


def test_the_popover_walks_to_the_next_finding_and_stays_beside_its_mark(hands) -> None:
    judged(hands, finding("one", "leaf-1"), finding("two", "node-2"), finding("three", "leaf-1"))
    click_mark(hands, "leaf-1")
    popover, session = hands.canvas.furniture.popover, hands.canvas.session
    hands.qtbot.mouseClick(popover.forward, Qt.MouseButton.LeftButton)
    assert popover.words.text() == "three", "first the others of the same mark"
    hands.qtbot.mouseClick(popover.forward, Qt.MouseButton.LeftButton)
    assert popover.words.text() == "two"
    assert session.selection == ("node-2",)
    hands.qtbot.mouseClick(popover.back, Qt.MouseButton.LeftButton)
    assert popover.words.text() == "three"
    before = popover.pos()
    hands.canvas.set_view(View.at(40, 30, 1.0, *SIZE))
    assert popover.pos() - before == QPoint(-40, -30), "it goes with the drawing"


def test_fix_mends_in_one_step_and_exclude_asks_for_the_reason(hands, qtbot) -> None:
    session = hands.canvas.session
    edit = connect(session.document, "leaf-1", "leaf-2")
    session.apply(Edit("Fast", put=(replace(edit.put[0], gbps=800.0),)))
    session.rules.take(check_document(session.document), session.document.revision)
    mendable = next(f for f in session.rules.report.violations if f.mendable)
    popover = hands.canvas.furniture.popover
    assert popover.open_at(mendable.elements[0])
    while popover.finding != mendable:
        popover.step(1)
    assert popover.fix.isVisible()
    steps = session.undo_stack.count()
    qtbot.mouseClick(popover.fix, Qt.MouseButton.LeftButton)
    assert session.undo_stack.count() == steps + 1
    assert not popover.isVisible()
    session.undo()
    popover.open_at(mendable.elements[0])
    popover.accept()
    dialog = hands.canvas.findChild(ExcludeDialog)
    dialog.reason.setText("a lab, not a cluster")
    dialog.accept()
    (exclusion,) = session.document.exclusions.values()
    assert exclusion.comment == "a lab, not a cluster"
    assert not popover.isVisible()


def test_a_finding_of_a_link_has_its_mark_on_the_line(hands) -> None:
    session = hands.canvas.session
    session.apply(connect(session.document, "leaf-1", "node-1"))
    (link,) = session.document.links
    judged(hands, finding("too long", link))
    place = mark_of(hands.canvas, link)
    assert place is not None
    assert mark_under(hands.canvas, *place) == link
    assert has_color(picture(hands), *place, "severity.error", hands)
    x1, y1, x2, y2 = hands.canvas.scene.strokes.seg[0].tolist()
    low, high = sorted(
        (hands.canvas.view.to_pixels(x1, y1)[1], hands.canvas.view.to_pixels(x2, y2)[1])
    )
    assert low + 20 < place[1] < high - 20, "away from both ends"


def test_a_mended_finding_is_no_longer_shown(hands) -> None:
    judged(hands, finding("one", "leaf-1"))
    click_mark(hands, "leaf-1")
    judged(hands)
    assert not hands.canvas.furniture.popover.isVisible()


def test_accepted_findings_are_marked_hollow_only_when_asked_and_can_be_included_again(
    hands,
) -> None:
    session, canvas = hands.canvas.session, hands.canvas
    accepted = finding("leaf-1 has no cable", "leaf-1")
    session.apply(exclude(session.document, accepted, "a lab"))
    (exclusion,) = session.document.exclusions
    report = Report(violations=(), counts=Counts(excluded=1), checked={}, unchecked=(),
                    excluded=(Excluded(accepted, exclusion, "a lab"),))  # fmt: skip
    session.rules.take(report, session.document.revision)
    assert session.rules.marks == {}
    session.rules.show_excluded(True)
    assert session.rules.marks == {"leaf-1": ("excluded", 1)}
    x, y = mark_of(canvas, "leaf-1")
    image = picture(hands)
    assert has_color(image, x, y, "text.tertiary", hands)
    assert apart(image.pixelColor(round(x), round(y)), canvas.theme.color("canvas.bg")) < 20
    click_mark(hands, "leaf-1")
    popover = canvas.furniture.popover
    assert popover.remedy.text() == "Excluded: a lab"
    assert popover.exclude.text() == "Include again"
    hands.qtbot.mouseClick(popover.exclude, Qt.MouseButton.LeftButton)
    assert not session.document.exclusions


# -- free ports -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_link_tool_rings_free_ports_and_snaps_within_sixteen_pixels(hands, scale) -> None:
    canvas = hands.canvas
    canvas.set_view(View.at(250, 60, scale, *SIZE))
    places = free_ports(canvas.scene, "node-1")
    name, (x, y) = next(iter(places.items()))
    px, py = canvas.view.to_pixels(x, y)
    assert not has_color(picture(hands), px, py, "state.drop_ok", hands)
    canvas.set_tool("link")
    hover(hands, x, y)
    assert has_color(picture(hands), px, py, "state.drop_ok", hands)
    found = nearest_free(canvas, px, py - 12)
    assert found is not None
    assert found.port == name
    assert nearest_free(canvas, px, py - 40) is None


def test_a_press_near_a_free_port_begins_there(hands) -> None:
    canvas, session = hands.canvas, hands.canvas.session
    canvas.set_view(View.at(200, 60, 1.4, *SIZE))
    x, y = free_ports(canvas.scene, "node-1")["nic3"]
    canvas.set_tool("link")
    hands.drag((x, y + 6), hands.of("leaf-1"))
    (link,) = session.document.links.values()
    assert link.a.ports == "nic3"


def test_the_words_of_a_link_name_ports_rate_medium_and_length(hands) -> None:
    canvas = hands.canvas
    canvas.set_tool("link")
    hands.press(*hands.of("node-1"))
    hands.move(*hands.of("leaf-1"))
    words = canvas.gesture._words(canvas.gesture._target)
    assert words == "node-1:nic0 → leaf-1:1 · 400 Gb/s · medium – · length –"
    hands.key(Qt.Key.Key_Escape)


def test_the_card_of_a_port_tells_what_it_takes_or_holds(hands) -> None:
    canvas, session = hands.canvas, hands.canvas.session
    canvas.set_view(View.at(250, 60, 1.4, *SIZE))
    from topoedit.editor.canvas.hover_card import card_for

    free = card_for(session.document, "node-1", None, (), "nic3")
    assert free is not None
    assert free.title == "node-1:nic3"
    assert free.lines[0].startswith("Free port · 400 Gb/s · rail 3")
    session.apply(connect(session.document, "node-1", "leaf-1", ports=("nic3", "7")))
    used = card_for(session.document, "leaf-1", None, (), "7")
    assert used is not None
    assert used.lines[0].startswith("Port in use")
    assert "node-1:nic3" in used.lines[1]


# -- focus ----------------------------------------------------------------------------------------


def test_focus_dims_all_but_the_selection_and_its_neighbours_until_esc(hands) -> None:
    canvas, session = hands.canvas, hands.canvas.session
    session.apply(connect(session.document, "node-1", "leaf-1"))
    session.select(("node-1",))
    before = picture(hands)
    canvas.set_focus(True)
    after = picture(hands)
    far = canvas.view.to_pixels(*hands.of("leaf-2"))
    near = canvas.view.to_pixels(*hands.of("leaf-1"))

    def box(image: QImage, at: tuple[float, float]) -> QImage:
        return image.copy(round(at[0]) - 40, round(at[1]) - 15, 80, 30)

    assert box(before, far) != box(after, far)
    assert box(before, near) == box(after, near)
    assert session.undo_stack.count() == 1, "nothing of the drawing has changed"
    hands.key(Qt.Key.Key_Escape)
    assert session.selection == ()
    assert canvas.in_focus
    hands.key(Qt.Key.Key_Escape)
    assert not canvas.in_focus
    assert not canvas.scene.states.device.any()


def test_focus_follows_the_selection(hands) -> None:
    canvas, session = hands.canvas, hands.canvas.session
    canvas.set_focus(True)
    assert not canvas.scene.states.device.any()
    session.select(("leaf-2",))
    row = canvas.scene.devices.row
    assert canvas.scene.states.device[row["leaf-1"]]
    assert not canvas.scene.states.device[row["leaf-2"]]


# -- keys -----------------------------------------------------------------------------------------


def test_tab_walks_the_devices_row_by_row_and_leaves_after_the_last(hands) -> None:
    session = hands.canvas.session
    hands.click(*hands.of("leaf-1"))
    walked = []
    for _ in range(4):
        hands.key(Qt.Key.Key_Tab)
        walked.append(session.selection)
    assert walked == [("leaf-2",), ("node-1",), ("node-2",), ("node-2",)]
    hands.key(Qt.Key.Key_Backtab, SHIFT)
    assert session.selection == ("node-1",)


def test_arrows_walk_from_a_device_reached_by_keys_and_move_one_clicked(hands) -> None:
    canvas, session = hands.canvas, hands.canvas.session
    hands.click(*hands.of("leaf-1"))
    x = session.document.devices["leaf-1"].x
    hands.key(Qt.Key.Key_Right)
    assert session.document.devices["leaf-1"].x == x + 8
    session.undo()
    hands.key(Qt.Key.Key_Tab)
    assert session.selection == ("leaf-2",)
    hands.key(Qt.Key.Key_Left)
    assert session.selection == ("leaf-1",)
    assert session.document.devices["leaf-1"].x == x
    hands.key(Qt.Key.Key_Down)
    assert session.selection == ("node-1",)
    hands.key(Qt.Key.Key_Right, SHIFT)
    assert session.document.devices["node-1"].x == 360 + 64, "Shift still moves"
    canvas.set_tool("select")
    hands.key(Qt.Key.Key_Right)
    assert session.document.devices["node-1"].x == 360 + 72, "the Select tool moves again"


def test_the_item_reached_by_keys_has_the_ring_and_enter_opens_it(hands, qtbot) -> None:
    canvas = hands.canvas
    canvas.activateWindow()
    canvas.setFocus()
    hands.click(*hands.of("leaf-1"))
    hands.key(Qt.Key.Key_Tab)
    left, top, _, _ = canvas.scene.rect_of("leaf-2")
    x, y = canvas.view.to_pixels(left, top)
    if canvas.hasFocus():
        assert has_color(picture(hands), x + 20, y - 2, "border.focus", hands, 3)
    with qtbot.waitSignal(canvas.activated) as opened:
        hands.key(Qt.Key.Key_Return)
    assert opened.args == ["leaf-2"]


def test_the_canvas_reached_by_tab_lets_arrows_find_a_device(hands) -> None:
    canvas, session = hands.canvas, hands.canvas.session
    came = QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason)
    QApplication.sendEvent(canvas, came)
    assert canvas.reached_by_tab
    assert session.selection == ()
    hands.key(Qt.Key.Key_Down)
    (first,) = session.selection
    hands.key(Qt.Key.Key_Up)
    assert session.undo_stack.count() == 0, f"walking from {first} moves nothing"


# -- trace ----------------------------------------------------------------------------------------


def right_press(hands: Hands, px: float, py: float) -> None:
    at = QPoint(round(px), round(py))
    hands.qtbot.mousePress(hands.canvas, Qt.MouseButton.RightButton, NONE, at)


def test_the_menu_is_about_the_gpu_or_nic_under_the_pointer(hands) -> None:
    canvas = hands.canvas
    left, top, right, bottom = canvas.scene.rect_of("node-1")
    canvas.set_view(View.at(left - 20, top - 40, 1.6, *SIZE))
    look = look_at(canvas.scene, canvas.view, canvas.scene.devices.row["node-1"])
    x, y, w, h = gpu_cells(look)[3]
    right_press(hands, x + w / 2, y + h / 2)
    assert canvas.pointed() == ("node-1", "/gpu3")
    canvas.set_view(View.at(left - 10, top - 10, 6.0, *SIZE))
    look = look_at(canvas.scene, canvas.view, canvas.scene.devices.row["node-1"])
    x, y, w, h = nic_cells(look)[5]
    assert nic_at(canvas.scene, canvas.view, "node-1", x + w / 2, y + h / 2) == "nic5"
    right_press(hands, x + w / 2, y + h / 2)
    assert canvas.pointed() == ("node-1", "nic5")
    del right, bottom
