"""An arrangement as ghosts on the canvas: Enter keeps it, Esc leaves no trace."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from topoedit.layout.registry import LAYOUTS
from topoedit.model.edits import MoveDevices

from .conftest import Hands


@pytest.fixture
def ends() -> list[bool]:
    return []


def show(hands: Hands, ends: list[bool], kind: str = "clos") -> MoveDevices:
    edit = LAYOUTS[kind].arrange(hands.canvas.session.document, ())
    hands.canvas.preview(edit, LAYOUTS[kind].title, ends.append)
    return edit


def spread(hands: Hands) -> None:
    """Put the devices into a heap that every arrangement clears."""
    ids = tuple(hands.canvas.session.document.devices)
    xs = tuple(20.0 * i for i in range(len(ids)))
    hands.canvas.session.apply(MoveDevices("Heap", ids, xs, xs))


@pytest.mark.parametrize("kind", list(LAYOUTS))
def test_enter_keeps_the_arrangement_as_one_step(hands: Hands, ends: list[bool], kind: str) -> None:
    spread(hands)
    session = hands.canvas.session
    edit = show(hands, ends, kind)
    assert not edit.is_empty
    hands.qtbot.keyClick(hands.canvas, Qt.Key.Key_Return)
    assert ends == [True]
    assert session.undo_stack.count() == 2
    first = session.document.devices[edit.ids[0]]
    assert (first.x, first.y) == (edit.xs[0], edit.ys[0])
    assert hands.canvas.gesture is None
    assert not hands.canvas.is_moving


def test_esc_leaves_no_trace(hands: Hands, ends: list[bool]) -> None:
    spread(hands)
    session, view = hands.canvas.session, hands.canvas.view
    devices = dict(session.document.devices)
    show(hands, ends)
    assert hands.canvas.is_moving
    assert hands.canvas.view != view
    hands.qtbot.keyClick(hands.canvas, Qt.Key.Key_Escape)
    assert ends == [False]
    assert dict(session.document.devices) == devices
    assert session.undo_stack.count() == 1
    assert hands.canvas.view == view
    assert not hands.canvas.is_moving


def test_ghosts_stand_where_the_devices_would(hands: Hands, ends: list[bool]) -> None:
    spread(hands)
    edit = show(hands, ends)
    hands.canvas.picture.finish()
    image = hands.canvas.grab().toImage()
    ratio = image.devicePixelRatio()
    accent = hands.canvas.theme.color("accent.base")
    x, y = hands.canvas.view.to_pixels(edit.xs[0], edit.ys[0])
    near = {
        image.pixelColor(int((x + dx) * ratio), int((y + dy) * ratio)).name()
        for dx in range(-80, 81)
        for dy in range(-70, 71)
    }
    ground = hands.canvas.theme.color("canvas.bg").name()
    assert len(near) > 2
    assert near != {ground}
    assert accent.isValid()


def test_the_view_can_be_panned_meanwhile(hands: Hands, ends: list[bool]) -> None:
    spread(hands)
    show(hands, ends)
    before = hands.canvas.view
    hands.drag((0, 0), (50, 30))
    assert hands.canvas.view != before
    assert hands.canvas.gesture is not None
    assert ends == []
    hands.canvas.end_preview(keep=True)
    assert ends == [True]


def test_a_drawing_that_changed_meanwhile_is_not_arranged(hands: Hands, ends: list[bool]) -> None:
    spread(hands)
    session, lines = hands.canvas.session, []
    session.refused.connect(lines.append)
    show(hands, ends)
    session.undo()
    devices = dict(session.document.devices)
    hands.qtbot.keyClick(hands.canvas, Qt.Key.Key_Return)
    assert ends == [False]
    assert dict(session.document.devices) == devices
    assert lines == ["The drawing has changed; arrange it once more"]


def test_locked_devices_stay(hands: Hands, ends: list[bool]) -> None:
    from topoedit.model.operations import set_fields

    spread(hands)
    session = hands.canvas.session
    session.apply(set_fields(session.document, ["leaf-1"], {"locked": True}))
    for kind in LAYOUTS:
        edit = LAYOUTS[kind].arrange(session.document, ())
        assert "leaf-1" not in edit.ids, kind
