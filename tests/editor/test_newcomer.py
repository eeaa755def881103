"""A newcomer's path through the whole program, with every click and key counted.

A typed word or number counts as one. The real window, canvas and engine are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from topoedit.editor.application import make_window, start_work
from topoedit.editor.canvas.view import CanvasView
from topoedit.editor.dialogs.wire_dialog import WireDialog
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.editor.wizard.dialog import Wizard

MOST = 30
WAIT = 60_000
_CTRL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
_ALT, _PLAIN = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier


class Hand:
    """A person's hand: everything it does is counted."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window = qtbot, window
        self.steps: list[str] = []

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        self.steps.append(f"click {widget.accessibleName() or type(widget).__name__}")
        self.qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, _PLAIN, at or QPoint())

    def key(
        self,
        key: Qt.Key | str,
        modifiers: Qt.KeyboardModifier = _PLAIN,
        widget: QWidget | None = None,
    ) -> None:
        self.steps.append(f"key {key if isinstance(key, str) else key.name}")
        self.qtbot.keyClick(widget or self.window, key, modifiers)

    def type(self, widget: QWidget, text: str) -> None:
        self.steps.append(f"type {text}")
        self.qtbot.keyClicks(widget, text)

    def back_in_window(self) -> None:
        """What a window manager does when a dialog has gone."""
        self.window.activateWindow()
        self.qtbot.waitUntil(self.window.isActiveWindow)

    @property
    def session(self) -> DocumentSession:
        assert self.window.session is not None
        return self.window.session

    def analysed(self) -> None:
        session = self.session
        self.qtbot.waitUntil(
            lambda: session.analysis is not None and session.analysis_is_current, timeout=WAIT
        )


@pytest.fixture
def hand(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hand]:
    monkeypatch.chdir(tmp_path)
    window = make_window()
    window.resize(1600, 1000)
    window.show()
    engine = start_work(window)
    yield Hand(qtbot, window)
    for session in list(window.documents.sessions()):
        window.close_tab(window.documents.index_of(session))
    engine.shut_down()
    window.close()
    window.deleteLater()


def test_a_newcomer_draws_asks_undoes_saves_and_reopens(
    hand: Hand, qtbot: QtBot, tmp_path: Path
) -> None:
    _draw_a_pod(hand, qtbot)
    before = {e.id: e for e in hand.session.document.elements()}
    _add_a_spine(hand, qtbot)
    _train(hand, qtbot)
    _look(hand, qtbot)
    steps = hand.session.undo_stack.index()
    for _ in range(steps):
        hand.key(Qt.Key.Key_Z, _CTRL)
    assert {e.id: e for e in hand.session.document.elements()} == before
    _save_and_reopen(hand, qtbot, tmp_path)
    assert {e.id: e for e in hand.session.document.elements()} == before
    assert len(hand.steps) <= MOST, "\n".join(hand.steps)


def _draw_a_pod(hand: Hand, qtbot: QtBot) -> None:
    hand.key(Qt.Key.Key_N, _CTRL | _SHIFT)
    (wizard,) = hand.window.findChildren(Wizard)
    assert wizard.template.id == "rail-optimized"
    hand.click(wizard.next)
    gpus = wizard.field("gpus")
    hand.click(gpus)
    hand.type(gpus, "64")
    with qtbot.waitSignal(wizard.made, timeout=WAIT):
        hand.key(Qt.Key.Key_Return, widget=gpus)
    assert hand.session.totals.gpus == 64
    hand.back_in_window()


def _add_a_spine(hand: Hand, qtbot: QtBot) -> None:
    """Copy a spine, and cable the copy to every leaf."""
    canvas = hand.window.canvas
    assert isinstance(canvas, CanvasView)
    document = hand.session.document
    spine = next(d for d in document.devices.values() if d.kind == "spine")
    x, y = canvas.view.to_pixels(spine.x, spine.y)
    hand.click(canvas, QPointF(x, y).toPoint())
    assert hand.session.selection == (spine.id,)
    hand.key(Qt.Key.Key_D, _CTRL)
    (copy,) = hand.session.selection
    assert document.devices[copy].kind == "spine"
    hand.key("w", widget=canvas)
    (dialog,) = hand.window.findChildren(WireDialog)
    assert dialog.b.text() == document.devices[copy].name
    hand.type(dialog.a, "leaf-*")
    hand.key(Qt.Key.Key_Return, widget=dialog.a)
    hand.back_in_window()
    leaves = [d for d in document.devices.values() if d.kind == "leaf"]
    assert {document.links[i].other(copy) for i in document.links_of(copy)} == {
        leaf.id for leaf in leaves
    }


def _train(hand: Hand, qtbot: QtBot) -> None:
    hand.key(Qt.Key.Key_5, _ALT)
    plan = hand.window.sides.inspector.plan
    hand.click(plan.model)
    search = QApplication.focusWidget() or plan.model.popup.findChild(QLineEdit)
    assert isinstance(search, QWidget)
    hand.type(search, "llama 3.1 70b")
    hand.key(Qt.Key.Key_Return, widget=search)
    hand.back_in_window()
    for size, value in (("tp", "8"), ("pp", "2")):
        spin = plan.sizes[size]
        hand.click(spin.lineEdit())
        spin.lineEdit().selectAll()
        hand.type(spin, value)
    workload = hand.session.workload
    assert workload is not None
    assert (workload.model, workload.plan.tp, workload.plan.pp) == ("llama3-70b", 8, 2)


def _look(hand: Hand, qtbot: QtBot) -> None:
    hand.analysed()
    bottom = hand.window.sides.bottom
    hand.key(Qt.Key.Key_8, _ALT)
    assert bottom.current == "bottlenecks"
    qtbot.waitUntil(lambda: bottom.bottlenecks.table.model().rowCount() > 0)
    first = bottom.bottlenecks.table.model().index(0, 0).data()
    assert "NVLink" in first or "→" in first
    hand.key(Qt.Key.Key_7, _ALT)
    assert bottom.current == "problems"
    qtbot.waitUntil(lambda: bottom.problems.model.rowCount() > 0, timeout=WAIT)


def _save_and_reopen(hand: Hand, qtbot: QtBot, folder: Path) -> None:
    hand.key(Qt.Key.Key_S, _CTRL)
    (dialog,) = hand.window.findChildren(QFileDialog)
    name = dialog.findChild(QLineEdit, "fileNameEdit")
    assert name is not None
    qtbot.waitUntil(name.hasFocus)
    hand.type(name, "my-pod")  # what stands there is selected, and replaced
    box = dialog.findChild(QDialogButtonBox)
    assert box is not None
    hand.click(box.button(QDialogButtonBox.StandardButton.Save))
    saved = folder / "my-pod.topo.json"
    qtbot.waitUntil(saved.is_file)
    assert hand.session.is_clean
    hand.back_in_window()
    hand.key(Qt.Key.Key_W, _CTRL)
    page = hand.window.welcome.page
    assert page is not None
    recent = page.recent
    assert recent is not None
    assert recent.names()[0].startswith("my-pod")
    hand.click(recent.viewport(), recent.visualRect(recent.model().index(0, 0)).center())
    qtbot.waitUntil(lambda: hand.window.session is not None)
    assert hand.session.path == saved
