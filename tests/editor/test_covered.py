"""Nothing that floats lies over a fitted drawing, legend or minimap; filters are always said."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from topoedit.catalog.catalog import Catalog
from topoedit.editor.application import make_canvas
from topoedit.editor.canvas.stage import Stage
from topoedit.editor.dialogs.export_dialog import ExportDialog
from topoedit.editor.layers import Layers, filter_words
from topoedit.editor.preferences import Preferences
from topoedit.editor.printing import PrintDialog
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.model.document import Document

from .conftest import forget_changes


@pytest.fixture
def drawn(qtbot: QtBot, catalog: Catalog, theming: Theming, document: Document) -> MainWindow:
    """The small drawing on a real canvas."""
    made = MainWindow(lambda: (catalog, ()), theming, Preferences(), make_canvas)
    made.resize(1600, 1000)
    qtbot.addWidget(made, before_close_func=forget_changes)
    made.show()
    made.add_session(DocumentSession(document, title="Two nodes"))
    return made


def stage_of(window: MainWindow) -> Stage:
    canvas = window.documents.widget
    assert isinstance(canvas, Stage)
    canvas.reduced_motion = True
    return canvas


def box_of(widget: QWidget, window: MainWindow) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def drawn_box(stage: Stage, window: MainWindow) -> QRect:
    """Where the drawing is in the window."""
    box = stage.scene.bounds()
    left, top = stage.view.to_pixels(box[0], box[1])
    right, bottom = stage.view.to_pixels(box[2], box[3])
    place = stage.mapTo(window, QPoint(round(left), round(top)))
    return QRect(place.x(), place.y(), round(right - left), round(bottom - top))


def test_a_fitted_drawing_moves_clear_of_a_message_that_asks(drawn: MainWindow) -> None:
    drawn.resize(1280, 800)
    stage = stage_of(drawn)
    stage.fit()
    before = stage.view
    drawn.documents.messages.show_line("A question", "info", (("Yes", lambda: None),))
    message = box_of(drawn.documents.messages, drawn)
    assert drawn_box(stage, drawn).top() > message.bottom()
    drawn.documents.messages.hide()
    assert stage.view == before


def test_a_view_that_a_person_chose_stays_under_a_message(drawn: MainWindow) -> None:
    stage = stage_of(drawn)
    stage.set_zoom(1.2)
    before = stage.view
    drawn.documents.messages.show_line("A question", "info", (("Yes", lambda: None),))
    assert stage.view == before


def test_news_stands_clear_of_legend_and_minimap(drawn: MainWindow) -> None:
    stage = stage_of(drawn)
    for width in (1120, 1280, 1600):
        drawn.resize(width, 800)
        drawn.documents.messages.show_line("Saved two.topo.json and all that belongs to it")
        news = box_of(drawn.documents.messages, drawn)
        assert not news.intersects(box_of(stage.furniture.legend, drawn))
        assert not news.intersects(box_of(stage.furniture.minimap, drawn))


def test_the_first_hints_do_not_lie_over_a_fitted_drawing(drawn: MainWindow) -> None:
    drawn.resize(1280, 800)
    drawn.hints.show_again()
    stage = stage_of(drawn)
    stage.fit()
    (line,) = drawn.hints.lines
    assert not box_of(line, drawn).intersects(drawn_box(stage, drawn))
    drawn.documents.messages.show_line("A question", "info", (("Yes", lambda: None),))
    assert box_of(drawn.documents.messages, drawn).contains(box_of(line, drawn))
    drawn.documents.messages.hide()
    drawn.resize(1120, 700)
    drawn.actions_["view.inspector"].trigger()
    assert not box_of(line, drawn).intersects(box_of(drawn.sides.inspector, drawn))


def test_a_floating_inspector_covers_neither_a_fitted_drawing_nor_the_bottom_panel(
    drawn: MainWindow, qtbot: QtBot
) -> None:
    drawn.resize(1120, 700)
    stage = stage_of(drawn)
    stage.fit()
    drawn.actions_["view.inspector"].trigger()
    inspector = box_of(drawn.sides.inspector, drawn)
    assert drawn_box(stage, drawn).right() < inspector.left()
    assert not inspector.intersects(box_of(drawn.sides.bottom, drawn))
    drawn.actions_["view.bottom"].trigger()
    assert box_of(drawn.sides.inspector, drawn).height() > inspector.height()
    drawn.actions_["view.inspector"].trigger()
    assert stage.covered_right == 0


def test_layers_that_are_not_shown_are_said_on_the_canvas(drawn: MainWindow) -> None:
    stage, session = stage_of(drawn), drawn.session
    assert session is not None
    chip = stage.furniture.layers
    assert chip.isHidden()
    session.set_layers(Layers().only(("rail", "0")))
    assert chip.text() == "Rail 0 only · 0 shows all"
    assert not chip.isHidden()
    assert ExportDialog(drawn, session, drawn).filtered.text() == "As on the canvas: Rail 0 only"
    assert PrintDialog(drawn, session, drawn).filtered.text() == "As on the canvas: Rail 0 only"
    chip.click()
    assert session.layers == Layers()
    assert chip.isHidden()


def test_filters_in_words() -> None:
    hidden = Layers().put(("network", "storage"), 2).put(("plane", "1"), 2).put(("tag", "x"), 1)
    assert filter_words(hidden) == "2 layers hidden · 1 layer dimmed"
    assert filter_words(Layers().only(("network", "storage"))) == "Storage only"
    assert filter_words(Layers()) == ""
