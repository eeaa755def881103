"""What a frame of a drag costs, counted in what it paints and looks up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QObject, QRect, QRectF
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication

from tests.canvas.conftest import Hands
from topoedit.editor.canvas.gestures.following import FollowingLines
from topoedit.editor.canvas.snapping import Neighbours, snap_move
from topoedit.model.connect import connect
from topoedit.render.view import View


class Painted(QObject):
    """Records which part of a widget is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[QRect] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Only look."""
        if isinstance(event, QPaintEvent):
            self.parts.append(event.region().boundingRect())
        return False


def test_a_frame_paints_what_the_preview_has_left_and_reached(hands: Hands) -> None:
    canvas = hands.canvas
    QApplication.processEvents()
    seen = Painted()
    canvas.installEventFilter(seen)
    canvas.refresh(QRectF(40, 50, 20, 10))
    QApplication.processEvents()
    seen.parts.clear()
    canvas.refresh(QRectF(70, 55, 20, 10))
    QApplication.processEvents()
    assert seen.parts == [QRect(40, 50, 50, 15)]
    canvas.refresh()
    QApplication.processEvents()
    assert seen.parts[-1] == canvas.rect()


def test_a_preview_seen_from_elsewhere_is_painted_whole(hands: Hands) -> None:
    canvas = hands.canvas
    canvas.refresh(QRectF(40, 50, 20, 10))
    canvas.set_view(View.at(10, 10, 1.0, canvas.width(), canvas.height()))
    QApplication.processEvents()
    seen = Painted()
    canvas.installEventFilter(seen)
    canvas.refresh(QRectF(70, 55, 20, 10))
    QApplication.processEvents()
    assert seen.parts == [canvas.rect()]


def test_plates_over_the_drawing_are_left_alone(hands: Hands) -> None:
    canvas = hands.canvas
    QApplication.processEvents()
    plate = canvas.furniture.legend
    assert plate.isVisible()
    under = QRectF(plate.geometry()).adjusted(-3, -3, 3, 3)
    canvas.refresh(under)
    QApplication.processEvents()
    seen, other = Painted(), Painted()
    canvas.installEventFilter(seen)
    plate.installEventFilter(other)
    canvas.refresh(under)
    QApplication.processEvents()
    assert len(seen.parts) == 1
    assert not other.parts


def test_only_the_ends_at_moving_devices_follow(hands: Hands) -> None:
    session = hands.canvas.session
    session.apply(connect(session.document, "node-1", "leaf-1", cables=3))
    session.apply(connect(session.document, "node-2", "leaf-1", cables=2))
    scene = hands.canvas.scene
    row = scene.devices.row["node-1"]
    strokes = scene.strokes
    at = np.flatnonzero((strokes.a == row) | (strokes.b == row))
    lines = FollowingLines(scene, ["node-1"])
    assert len(lines) == len(at) > 0
    view = View.at(0, 0, 2.0, 800, 600)
    still, moved = lines.pixels(view, 0, 0), lines.pixels(view, 8, -4)
    shift = (moved - still).reshape(-1, 2, 2)
    for line, stroke in zip(shift.tolist(), at.tolist(), strict=True):
        for end, node in zip(line, (strokes.a[stroke], strokes.b[stroke]), strict=True):
            assert end == pytest.approx([16, -8] if node == row else [0, 0])


BOXES = st.lists(
    st.tuples(st.integers(-400, 400), st.integers(-400, 400), st.integers(1, 90)), max_size=12
)


@given(BOXES, st.integers(-300, 300), st.integers(-300, 300), st.sampled_from([0.25, 1.0, 3.0]))
def test_a_move_aligns_with_the_nearest_line_of_all(
    boxes: list[tuple[int, int, int]], dx: int, dy: int, scale: float
) -> None:
    """The look-up among sorted lines against all gaps, one by one."""
    others = np.array([(x, y, x + w, y + w) for x, y, w in boxes], np.float64).reshape(-1, 4).T
    moving = (0.0, 0.0, 108.0, 44.0)
    snap = snap_move(moving, (54.0, 22.0), (dx, dy), Neighbours(others), scale)
    for axis, shift, found in ((0, dx, snap.dx), (1, dy, snap.dy)):
        low, high = moving[axis] + shift, moving[axis + 2] + shift
        gaps = [
            abs(line - mine)
            for box in others.T.tolist()
            for line in (box[axis], (box[axis] + box[axis + 2]) / 2, box[axis + 2])
            for mine in (low, (low + high) / 2, high)
        ]
        if gaps and min(gaps) <= 6.0 / scale:
            assert abs(found - shift) == pytest.approx(min(gaps))
        else:
            centre = (54.0, 22.0)[axis]
            assert (centre + found) % 8 == pytest.approx(0)
