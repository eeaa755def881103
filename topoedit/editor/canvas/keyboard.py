"""The canvas by keyboard: arrows move or walk, Enter opens, Escape steps back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from topoedit.editor.session import DocumentSession
from topoedit.model.edits import MoveDevices
from topoedit.model.operations import move
from topoedit.render.scene import DiagramScene

_STEPS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
ROW = 16.0
"""Devices whose heights differ by less stand in one row."""
STEP, BIG_STEP, SMALL_STEP = 8.0, 64.0, 1.0


def direction(event: QKeyEvent) -> tuple[int, int] | None:
    """The direction of an arrow key."""
    return _STEPS.get(Qt.Key(event.key()))


def nudge(session: DocumentSession, dx: int, dy: int, modifiers: Qt.KeyboardModifier) -> None:
    """Move the selection by 8, with Shift by 64, with Alt by 1; a run of keys is one step."""
    step = STEP
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        step = BIG_STEP
    elif modifiers & Qt.KeyboardModifier.AltModifier:
        step = SMALL_STEP
    edit: MoveDevices = move(session.document, session.selection, dx * step, dy * step)
    if not edit.is_empty:
        session.apply(edit, merge="nudge")


def walks(modifiers: Qt.KeyboardModifier, selected: bool, walking: bool) -> bool:
    """Whether an arrow walks to a neighbour instead of moving the selection.

    It does with Ctrl, with nothing selected, and from a device that was reached by keys, where
    Shift and Alt still move.
    """
    if modifiers & Qt.KeyboardModifier.ControlModifier or not selected:
        return True
    moving = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
    return walking and not modifiers & moving


def beside(scene: DiagramScene, element: str, by: int) -> str | None:
    """The next or previous visible device row by row; None past the end, or beside no device."""
    import numpy as np

    row = scene.devices.row.get(element)
    shown = np.flatnonzero(scene.shown_devices())
    if row is None or not len(shown):
        return None
    order = shown[np.lexsort((scene.devices.x[shown], np.round(scene.devices.y[shown] / ROW)))]
    place = np.flatnonzero(order == row)
    at = int(place[0]) + by if len(place) else -1
    return scene.devices.ids[int(order[at])] if 0 <= at < len(order) else None


def neighbour(scene: DiagramScene, element: str, dx: int, dy: int) -> str | None:
    """The nearest device in a direction: within 45 degrees, near ones and straight ones first."""
    import numpy as np

    box = scene.rect_of(element)
    count = len(scene.devices)
    if box is None or not count:
        return None
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    along = (scene.devices.x - x) * dx + (scene.devices.y - y) * dy
    across = np.abs((scene.devices.x - x) * dy + (scene.devices.y - y) * dx)
    cost = np.where((along > 1) & (across <= along) & scene.shown_devices(),
                    along + 2 * across, np.inf)  # fmt: skip
    best = int(np.argmin(cost))
    return scene.devices.ids[best] if np.isfinite(cost[best]) else None


def nearest_to(scene: DiagramScene, x: float, y: float) -> str | None:
    """The visible device nearest to a point."""
    import numpy as np

    if not len(scene.devices):
        return None
    distance = np.hypot(scene.devices.x - x, scene.devices.y - y)
    distance = np.where(scene.shown_devices(), distance, np.inf)
    best = int(np.argmin(distance))
    return scene.devices.ids[best] if np.isfinite(distance[best]) else None
