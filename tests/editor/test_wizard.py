"""New from template as a person walks through it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from topoedit.catalog.load import load_catalog
from topoedit.editor.preferences import Preferences
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.editor.wizard.dialog import FABRIC, PLAN, SIZE, TEMPLATE, Wizard
from topoedit.templates.base import templates

from .doubles import CanvasDouble


@pytest.fixture
def full_window(qtbot: QtBot, theming: Theming) -> MainWindow:
    made = MainWindow(
        lambda: (load_catalog(), ()),
        theming,
        Preferences(),
        lambda session, _theming, parent: CanvasDouble(session, parent),
    )
    qtbot.addWidget(made, before_close_func=lambda w: [w.close_tab(0) for _ in range(3)])
    made.show_welcome()
    return made


def opened(window: MainWindow, template: str = "") -> Wizard:
    wizard = Wizard(window, template, window)
    wizard.made.connect(window.files._made)
    wizard.show()
    return wizard


def drafted(wizard: Wizard, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: wizard._task is None and not wizard._timer.isActive(), timeout=20_000)


def type_into(wizard: Wizard, qtbot: QtBot, name: str, text: str) -> None:
    line = wizard.field(name)
    assert isinstance(line, QLineEdit)
    line.clear()
    qtbot.keyClicks(line, text)
    drafted(wizard, qtbot)


def figures(wizard: Wizard) -> dict[str, str]:
    assert wizard.draft is not None
    return {word: value for value, word in wizard.draft.figures}


def test_a_superpod_of_four_units_is_previewed_with_the_counts_of_its_paper(
    full_window: MainWindow, qtbot: QtBot
) -> None:
    """32 leaves, 16 spines and 128 servers less the one of the fabric manager: RA-11333-001 V11."""
    wizard = opened(full_window, "superpod")
    assert wizard.step == SIZE
    type_into(wizard, qtbot, "units", "4")
    shown = figures(wizard)
    assert (shown["servers"], shown["GPUs"], shown["switches"]) == ("127", "1\u2009016", "48")
    assert shown["leaf to spine"] == "0.996:1"  # 1 016 NICs and 4 of the fabric manager
    image = wizard.preview.picture.image
    assert image is not None
    inks = {image.pixelColor(x, y).rgb() for x in range(0, 640, 7) for y in range(0, 300, 7)}
    assert len(inks) > 8
    names = [wizard.preview.model.index(row, 0).data() for row in range(3)]
    assert names[0] == "DGX H100"
    assert names[1] == "Leaf Quantum-2 QM9700"
    assert wizard.preview.model.index(0, 1).data() == "127"


def test_it_can_finish_at_every_step(full_window: MainWindow, qtbot: QtBot) -> None:
    for step in (TEMPLATE, SIZE, FABRIC, PLAN):
        wizard = opened(full_window, "rail-optimized")
        wizard.go(step)
        drafted(wizard, qtbot)
        before = len(list(full_window.documents.sessions()))
        qtbot.mouseClick(wizard.accept_button, Qt.MouseButton.LeftButton)
        assert len(list(full_window.documents.sessions())) == before + 1
        full_window.close_current()


def test_steps_are_walked_by_buttons_and_the_row(full_window: MainWindow, qtbot: QtBot) -> None:
    wizard = opened(full_window)
    assert wizard.step == TEMPLATE
    assert not wizard.back.isEnabled()
    assert wizard.next.text() == "Next: Size"
    qtbot.mouseClick(wizard.next, Qt.MouseButton.LeftButton)
    assert wizard.step == SIZE
    qtbot.mouseClick(wizard.steps.buttons[PLAN], Qt.MouseButton.LeftButton)
    assert wizard.step == PLAN
    assert [b.state for b in wizard.steps.buttons] == ["done", "done", "done", "current"]
    assert not wizard.next.isEnabled()
    qtbot.mouseClick(wizard.back, Qt.MouseButton.LeftButton)
    assert wizard.step == FABRIC


def test_numbers_typed_before_the_button_count(full_window: MainWindow, qtbot: QtBot) -> None:
    wizard = opened(full_window, "rail-optimized")
    line = wizard.field("nodes")
    assert isinstance(line, QLineEdit)
    qtbot.keyClicks(line, "4")
    with qtbot.waitSignal(wizard.made, timeout=20_000):
        qtbot.keyClick(line, Qt.Key.Key_Return)
    session = full_window.session
    assert session is not None
    assert session.totals.gpus == 32
    assert not session.is_clean
    assert session.undo_stack.count() == 0


def test_numbers_that_cannot_be_built_are_named(full_window: MainWindow, qtbot: QtBot) -> None:
    wizard = opened(full_window, "superpod")
    type_into(wizard, qtbot, "nodes", "many")
    assert "many" in wizard.line.text()
    assert not wizard.accept_button.isEnabled()
    type_into(wizard, qtbot, "nodes", "31")
    assert wizard.accept_button.isEnabled()


def test_a_model_comes_with_the_drawing(full_window: MainWindow, qtbot: QtBot) -> None:
    wizard = opened(full_window, "rail-optimized")
    type_into(wizard, qtbot, "nodes", "8")
    wizard.go(PLAN)
    wizard.plan.model.picked.emit("llama-3.1-70b")
    wizard.plan.sizes["tp"].setValue(8)
    wizard.plan.sizes["pp"].setValue(2)
    drafted(wizard, qtbot)
    assert wizard.plan.line.text() == "8 × 2 × 1 × 4 = 64 GPUs in use, 0 idle"
    qtbot.mouseClick(wizard.accept_button, Qt.MouseButton.LeftButton)
    session = full_window.session
    assert session is not None
    assert session.workload is not None
    assert (session.workload.model, session.workload.plan.tp) == ("llama-3.1-70b", 8)
    assert session.workload.plan.dp is None


def test_a_plan_too_large_is_said(full_window: MainWindow, qtbot: QtBot) -> None:
    wizard = opened(full_window, "rail-optimized")
    type_into(wizard, qtbot, "nodes", "1")
    wizard.plan.model.picked.emit("llama-3.1-70b")
    wizard.plan.sizes["tp"].setValue(16)
    assert "8 more than there are" in wizard.plan.line.text()


def test_cancel_makes_nothing(full_window: MainWindow, qtbot: QtBot) -> None:
    wizard = opened(full_window, "superpod")
    qtbot.keyClick(wizard, Qt.Key.Key_Escape)
    assert list(full_window.documents.sessions()) == []


@pytest.mark.parametrize("template", sorted(templates()))
def test_every_template_is_drawn_with_its_defaults(
    full_window: MainWindow, qtbot: QtBot, template: str
) -> None:
    wizard = opened(full_window, template)
    drafted(wizard, qtbot)
    assert wizard.draft is not None, wizard.line.text()
    assert wizard.draft.parts
