"""A small drawing on a canvas, and hands to use it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.session import DocumentSession
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Device, Group
from topoedit.render.theme import Theme
from topoedit.render.view import View

SIZE = (900, 700)


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog(user=False)


@pytest.fixture
def session(catalog: Catalog, qapp: QApplication) -> DocumentSession:
    document = Document(catalog)
    rack = Group(id="rack-1", name="rack-1", kind="rack")
    servers = [
        Device(id=f"node-{i}", name=f"node-{i}", type="dgx-h100", kind="server",
               group="rack-1", x=200.0 + 160 * i, y=400.0)
        for i in (1, 2)
    ]  # fmt: skip
    leaves = [
        Device(id=f"leaf-{i}", name=f"leaf-{i}", type="qm9700", kind="leaf",
               x=200.0 + 160 * i, y=120.0)
        for i in (1, 2)
    ]  # fmt: skip
    document.apply(Edit("Start", put=(rack, *servers, *leaves)))
    return DocumentSession(document)


@dataclass
class Hands:
    """Mouse and keys on a canvas, in canvas units."""

    qtbot: QtBot
    canvas: CanvasView

    def pixel(self, x: float, y: float) -> QPoint:
        px, py = self.canvas.view.to_pixels(x, y)
        return QPoint(round(px), round(py))

    def of(self, element: str) -> tuple[float, float]:
        left, top, right, bottom = self.canvas.scene.rect_of(element)
        return (left + right) / 2, (top + bottom) / 2

    def press(self, x: float, y: float, keys=Qt.KeyboardModifier.NoModifier) -> None:
        self._press(self.pixel(x, y), keys)

    def move(self, x: float, y: float, keys=Qt.KeyboardModifier.NoModifier) -> None:
        self._move(self.pixel(x, y), keys)

    def release(self, x: float, y: float, keys=Qt.KeyboardModifier.NoModifier) -> None:
        self._release(self.pixel(x, y), keys)

    def _press(self, at: QPoint, keys) -> None:
        self.qtbot.mousePress(self.canvas, Qt.MouseButton.LeftButton, keys, at)

    def _move(self, at: QPoint, keys) -> None:
        point = QPointF(at)
        event = QMouseEvent(
            QMouseEvent.Type.MouseMove, point, self.canvas.mapToGlobal(point),
            Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, keys,
        )  # fmt: skip
        QApplication.sendEvent(self.canvas, event)

    def _release(self, at: QPoint, keys) -> None:
        self.qtbot.mouseRelease(self.canvas, Qt.MouseButton.LeftButton, keys, at)

    def drag(
        self, start: tuple[float, float], end: tuple[float, float],
        keys=Qt.KeyboardModifier.NoModifier,
    ) -> None:  # fmt: skip
        first, last = self.pixel(*start), self.pixel(*end)
        self._press(first, keys)
        self._move((first + last) / 2, keys)
        self._move(last, keys)
        self._release(last, keys)

    def click(self, x: float, y: float, keys=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.mouseClick(self.canvas, Qt.MouseButton.LeftButton, keys, self.pixel(x, y))

    def key(self, key: Qt.Key, keys=Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(self.canvas, key, keys)

    def wheel(self, x: float, y: float, turn: int, keys=Qt.KeyboardModifier.NoModifier) -> None:
        point = QPointF(self.pixel(x, y))
        event = QWheelEvent(
            point, self.canvas.mapToGlobal(point), QPoint(), QPoint(0, turn),
            Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(self.canvas, event)


@pytest.fixture
def hands(qtbot: QtBot, session: DocumentSession):
    canvas = CanvasView(session, Theme.load("dark"))
    canvas.reduced_motion = True
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.show()
    canvas.set_view(View.at(0, 0, 1.0, *SIZE))
    canvas.picture.finish()
    yield Hands(qtbot, canvas)
    canvas.picture.stop()
    session.close()
