"""A person who does anything at all: seeded random gestures in the real window."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QSpinBox

from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.session import METRICS, DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.io import native
from topoedit.model.document import Document
from topoedit.model.elements import AnyElement
from topoedit.model.layers import Key

MOST = 160
"""Elements beyond which the drawing is thinned out."""

_KEYS = Qt.KeyboardModifier
_MODIFIERS = (
    _KEYS.NoModifier, _KEYS.NoModifier, _KEYS.NoModifier, _KEYS.ShiftModifier,
    _KEYS.ControlModifier, _KEYS.AltModifier,
)  # fmt: skip
_PLAIN_KEYS = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Escape,
    Qt.Key.Key_Return, Qt.Key.Key_Plus, Qt.Key.Key_3, Qt.Key.Key_Space, Qt.Key.Key_Tab,
)  # fmt: skip
_TYPES = ("dgx-h100", "qm9700", "q3400", "group:rack", "group:pod", "note:")
_LAYERS: tuple[Key, ...] = (("network", "compute"), ("network", "storage"), ("rail", "0"))
_COMMANDS = (
    "edit.delete", "edit.duplicate", "edit.copy", "edit.cut", "edit.paste", "edit.lock",
    "edit.select_all", "edit.select_same", "edit.select_connected", "edit.select_nothing",
    "edit.rename", "arrange.align_left", "arrange.align_right", "arrange.align_top",
    "arrange.align_bottom", "arrange.align_centre", "arrange.distribute_x",
    "arrange.distribute_y", "arrange.route", "arrange.straighten", "arrange.group",
    "arrange.group_pod", "arrange.group_room", "arrange.group_building", "arrange.ungroup",
    "arrange.collapse", "arrange.expand", "analyse.fail", "view.zoom_in", "view.zoom_out",
    "view.fit", "view.fit_selection", "view.actual", "view.minimap", "view.left", "view.bottom",
    "view.theme_light", "view.theme_dark", "tool.link", "tool.select", "tool.pan",
)  # fmt: skip
_LAYOUTS = ("", "_rack", "_grid", "_radial", "_force", "_tidy")


class Person:
    """Does one thing after another in a window with one drawing.

    Args:
        window: with the drawing in front.
        seed: of everything that is chosen.
        folder: for the files that are saved.
    """

    def __init__(self, window: MainWindow, seed: int, folder: Path) -> None:
        self.window, self.choose, self.folder = window, random.Random(seed), folder
        self.trail: list[str] = []
        self.base = self.state()
        self._saves = 0
        self._gestures: tuple[tuple[int, Callable[[], None]], ...] = (
            (22, self._drag), (8, self._click), (3, self._middle_drag), (3, self._right_click),
            (3, self._double_click), (6, self._wheel), (8, self._key), (8, self._palette_drag),
            (8, self._link), (24, self._command), (12, self._undo), (4, self._layout),
            (4, self._dialog), (2, self._look),
        )  # fmt: skip

    @property
    def session(self) -> DocumentSession:
        assert self.window.session is not None
        return self.window.session

    @property
    def canvas(self) -> CanvasView:
        canvas = self.window.canvas
        assert isinstance(canvas, CanvasView)
        return canvas

    @property
    def document(self) -> Document:
        return self.session.document

    def state(self) -> dict[str, AnyElement]:
        return {element.id: element for element in self.document.elements()}

    def do(self) -> None:
        """One gesture, and what must hold after it."""
        weights = [weight for weight, _ in self._gestures]
        (gesture,) = self.choose.choices([g for _, g in self._gestures], weights)
        self.trail.append(gesture.__name__)
        gesture()
        self._tidy()
        check_whole(self.document)

    def _tidy(self) -> None:
        """Close what would keep the keys, and keep the drawing small."""
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
        for dialog in self.window.findChildren(QDialog):
            if dialog.isVisible():
                dialog.reject()
        QApplication.processEvents()
        # A test has no event loop to come back to, which is when Qt lets widgets go.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        if len(self.document) > MOST:
            self.session.select(self.choose.sample(sorted(self.document.devices), 12))
            self._trigger("edit.delete")
        if len(self.document) > MOST:
            self.session.select((*self.document.groups, *self.document.notes))
            self._trigger("edit.delete")

    # -- the mouse -----------------------------------------------------------------------------

    def _spot(self) -> QPoint:
        """A point of the canvas, often that of a device."""
        devices = sorted(self.document.devices)
        if devices and self.choose.random() < 0.6:
            box = self.canvas.scene.rect_of(self.choose.choice(devices))
            if box is not None:
                x, y = self.canvas.view.to_pixels((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
                if abs(x) < 20_000 and abs(y) < 20_000:
                    return QPoint(round(x), round(y))
        width, height = self.canvas.width(), self.canvas.height()
        return QPoint(self.choose.randrange(width), self.choose.randrange(height))

    def _move(self, at: QPoint, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> None:
        place = QPointF(at)
        event = QMouseEvent(
            QMouseEvent.Type.MouseMove, place, self.canvas.mapToGlobal(place),
            Qt.MouseButton.NoButton, button, keys,
        )  # fmt: skip
        QApplication.sendEvent(self.canvas, event)

    def _sweep(self, button: Qt.MouseButton) -> None:
        keys, start = self.choose.choice(_MODIFIERS), self._spot()
        QTest.mousePress(self.canvas, button, keys, start)
        end = start
        for _ in range(self.choose.randint(1, 4)):
            end = self._spot()
            self._move(end, button, keys)
        if self.choose.random() < 0.15:
            QTest.keyClick(self.canvas, Qt.Key.Key_Escape)
        if self.choose.random() < 0.1:
            self._wheel()
        QTest.mouseRelease(self.canvas, button, keys, end)

    def _drag(self) -> None:
        self._sweep(Qt.MouseButton.LeftButton)

    def _middle_drag(self) -> None:
        self._sweep(Qt.MouseButton.MiddleButton)

    def _click(self) -> None:
        keys = self.choose.choice(_MODIFIERS)
        QTest.mouseClick(self.canvas, Qt.MouseButton.LeftButton, keys, self._spot())

    def _double_click(self) -> None:
        QTest.mouseDClick(self.canvas, Qt.MouseButton.LeftButton, _KEYS.NoModifier, self._spot())

    def _right_click(self) -> None:
        QTest.mouseClick(self.canvas, Qt.MouseButton.RightButton, _KEYS.NoModifier, self._spot())
        self.canvas.menu_asked.emit(self.canvas.mapToGlobal(QPoint(20, 20)))

    def _wheel(self) -> None:
        place = QPointF(self._spot())
        turn = self.choose.choice((-240, -120, 120, 240))
        pixels = QPoint(turn // 4, turn // 8) if self.choose.random() < 0.3 else QPoint()
        event = QWheelEvent(
            place, self.canvas.mapToGlobal(place), pixels, QPoint(0, turn),
            Qt.MouseButton.NoButton, self.choose.choice(_MODIFIERS),
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(self.canvas, event)
        if not 0.05 < self.canvas.zoom() < 6:
            self.canvas.fit()

    def _palette_drag(self) -> None:
        kind = self.choose.choice(_TYPES)
        self.trail[-1] += f" {kind}"
        self.canvas.begin_palette_drag(kind, self.choose.randint(1, 3))
        self._move(self._spot(), Qt.MouseButton.LeftButton, _KEYS.NoModifier)
        if self.choose.random() < 0.2:
            QTest.keyClick(self.canvas, self.choose.choice((Qt.Key.Key_Escape, Qt.Key.Key_4)))
        end = self._spot()
        self._move(end, Qt.MouseButton.LeftButton, _KEYS.NoModifier)
        QTest.mouseRelease(self.canvas, Qt.MouseButton.LeftButton, _KEYS.NoModifier, end)

    def _link(self) -> None:
        self.canvas.set_tool("link")
        self._sweep(Qt.MouseButton.LeftButton)
        if self.choose.random() < 0.7:
            self.canvas.set_tool("select")

    # -- keys and commands ---------------------------------------------------------------------

    def _key(self) -> None:
        key = self.choose.choice(_PLAIN_KEYS)
        self.trail[-1] += f" {key.name}"
        QTest.keyClick(self.canvas, key, self.choose.choice(_MODIFIERS[:5]))

    def _trigger(self, action: str) -> None:
        self.window.actions_.refresh()
        self.window.actions_[action].trigger()

    def _command(self) -> None:
        devices, groups = sorted(self.document.devices), sorted(self.document.groups)
        some = [*devices, *groups, *sorted(self.document.links)]
        if some and self.choose.random() < 0.7:
            self.session.select(self.choose.sample(some, min(len(some), self.choose.randint(1, 6))))
        action = self.choose.choice(_COMMANDS)
        self.trail[-1] += f" {action}"
        self._trigger(action)

    def _undo(self) -> None:
        for _ in range(self.choose.randint(1, 5)):
            self._trigger(self.choose.choice(("edit.undo", "edit.undo", "edit.redo")))

    def _layout(self) -> None:
        kind = self.choose.choice(_LAYOUTS)
        self.trail[-1] += kind
        self._trigger(f"arrange.layout{kind}")
        for _ in range(400):
            QApplication.processEvents()
            if self.canvas.gesture is not None:
                break
        self.canvas.end_preview(keep=self.choose.random() < 0.7)

    def _dialog(self) -> None:
        """Array, wiring and replace: numbers typed, then accepted or not."""
        devices = sorted(self.document.devices)
        if devices:
            self.session.select(self.choose.sample(devices, min(len(devices), 2)))
        action = self.choose.choice(("insert.array", "insert.wire", "edit.replace"))
        self.trail[-1] += f" {action}"
        self._trigger(action)
        for dialog in self.window.findChildren(QDialog):
            if not dialog.isVisible():
                continue
            for box in dialog.findChildren(QSpinBox):
                box.setValue(min(box.maximum(), self.choose.randint(1, 2)))
            if self.choose.random() < 0.8:
                dialog.accept()

    def _look(self) -> None:
        self.session.set_metric(self.choose.choice(METRICS))
        key, state = self.choose.choice(_LAYERS), self.choose.randrange(3)
        self.session.set_layers(self.session.layers.put(key, state))
        self.canvas.picture.finish()
        self.canvas.grab()

    # -- now and then --------------------------------------------------------------------------

    def undo_all(self) -> None:
        """Back to the start and forward again: both are exactly what they were."""
        self.canvas.set_tool("select")
        now, stack = self.state(), self.session.undo_stack
        place = stack.index()
        while stack.canUndo():
            self.session.undo()
        assert self.state() == self.base
        while stack.index() < place:
            self.session.redo()
        assert self.state() == now

    def save_and_reload(self) -> None:
        """The file holds what was drawn; undo begins anew with the tab."""
        self.undo_all()
        self._saves += 1
        before = self.state()
        target = self.folder / f"save-{self._saves % 3}.topo.json"
        assert self.window.files.write(self.session, target)
        self._trigger("file.close")
        QApplication.processEvents()
        assert self.window.files.open_path(target) == ""
        self.canvas.reduced_motion = True
        QApplication.processEvents()
        assert self.state() == before
        assert native.dumps(self.document) == target.read_bytes()
        self.base = before


def check_whole(document: Document) -> None:
    """Every invariant holds: the same elements make a new document."""
    Document(document.catalog, tuple(document.elements()))
