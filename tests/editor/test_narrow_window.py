"""Under 1280 px the inspector floats over the drawing; nothing is cut at the smallest size."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

from topoedit.editor.window import MainWindow

from .doubles import canvas_of


@pytest.fixture
def narrow(drawn: MainWindow) -> MainWindow:
    drawn.resize(1120, 700)
    return drawn


def place(widget: QWidget, window: MainWindow) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def test_the_inspector_floats_at_the_right_edge_when_it_is_opened(
    narrow: MainWindow, qtbot: QtBot
) -> None:
    inspector, canvas = narrow.sides.inspector, canvas_of(narrow)
    assert not inspector.isVisible()
    assert not narrow.actions_["view.inspector"].isChecked()
    width = canvas.width()
    narrow.actions_["view.inspector"].trigger()
    assert inspector.isVisible()
    assert narrow.actions_["view.inspector"].isChecked()
    assert canvas.width() == width
    box = place(inspector, narrow)
    assert box.right() == narrow.width() - 1
    assert box.width() == 320
    assert box.top() >= place(canvas, narrow).top()
    assert box.bottom() <= place(narrow.status, narrow).top()
    narrow.actions_["view.inspector"].trigger()
    assert not inspector.isVisible()


def test_esc_closes_it_and_gives_the_keys_back(narrow: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(narrow)
    canvas.setFocus()
    narrow.show_panel("properties")
    inspector = narrow.sides.inspector
    assert inspector.isVisible()
    assert inspector.isAncestorOf(narrow.focusWidget())
    qtbot.keyClick(narrow.focusWidget(), Qt.Key.Key_Escape)
    assert not inspector.isVisible()
    assert narrow.focusWidget() is canvas
    assert not narrow.actions_["view.inspector"].isChecked()


def test_a_wider_window_has_it_beside_the_drawing_again(narrow: MainWindow) -> None:
    inspector = narrow.sides.inspector
    narrow.show_panel("plan")
    assert inspector.parentWidget() is not narrow.frame.across
    narrow.resize(1400, 900)
    assert narrow.frame.across.indexOf(inspector) == 2
    assert inspector.isVisible()
    assert inspector.width() == 320
    assert (
        canvas_of(narrow).mapTo(narrow, QPoint(0, 0)).x() + canvas_of(narrow).width() < 1400 - 318
    )
    narrow.resize(1200, 900)
    assert not inspector.isVisible()


def test_a_narrow_window_does_not_forget_that_the_inspector_was_wanted(narrow: MainWindow) -> None:
    assert narrow.frame.layout_now().show_inspector
    assert narrow.frame.layout_now().inspector == 320
    narrow.actions_["view.inspector"].trigger()
    narrow.actions_["view.inspector"].trigger()
    narrow.resize(1400, 900)
    assert narrow.sides.inspector.isVisible()


def test_the_welcome_page_has_no_floating_panel(narrow: MainWindow) -> None:
    narrow.actions_["view.inspector"].trigger()
    narrow.show_welcome()
    assert not narrow.sides.inspector.isVisible()
    narrow.documents.tabs.setCurrentIndex(0)
    assert narrow.sides.inspector.isVisible()


def test_nothing_is_cut_at_the_smallest_size(narrow: MainWindow) -> None:
    assert (narrow.width(), narrow.height()) == (1120, 700)
    assert narrow.minimumSizeHint().width() <= 1120
    assert narrow.minimumSizeHint().height() <= 700
    window = QRect(0, 0, 1120, 700)
    for part in (narrow.tool_bar, narrow.status, narrow.menu_line, narrow.sides.left):
        for child in (part, *part.findChildren(QWidget)):
            if child.isVisible() and isinstance(child, QToolButton):
                assert window.contains(place(child, narrow)), child.objectName()
                words = child.text() if child.toolButtonStyle().value else ""
                assert child.width() >= child.fontMetrics().horizontalAdvance(words)
    narrow.show_panel("plan")
    inspector = narrow.sides.inspector
    for child in inspector.tabs, inspector.plan.model:
        assert place(inspector, narrow).contains(place(child, narrow))
    for index in range(inspector.tabs.count()):
        assert inspector.tabs.rect().contains(inspector.tabs.tabRect(index))


def test_panels_beside_the_drawing_fit_the_narrowest_window_that_has_them(
    drawn: MainWindow,
) -> None:
    drawn.resize(1280, 700)
    assert not drawn.frame.floats
    assert drawn.centralWidget().minimumSizeHint().width() <= 1280
    inspector = drawn.sides.inspector
    assert place(inspector, drawn).right() == 1279
    assert inspector.width() == 320
    assert drawn.sides.left.width() == 240
