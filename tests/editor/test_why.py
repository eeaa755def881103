"""Why: the card with formula, inputs, source and interval of a figure."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from topoedit.app.protocol import AnyQuestion, Why
from topoedit.editor.bar_widgets import FigureRow
from topoedit.editor.commands.why_commands import WhyCommands
from topoedit.editor.engine_client import Reply
from topoedit.editor.questions import Questions
from topoedit.editor.why import WhyCard, figures_for, title_of
from topoedit.editor.window import MainWindow

from .made_results import give_result

STEP = [
    ("step_time_s", "2 s"),
    ("formula", "compute + TP + bubble"),
    ("  compute", "1.5"),
    ("  tp", "0.3"),
    ("source", "Narayanan et al. 2021"),
]
INTERVAL = [("interval", "2 s"), ("formula", "percentiles"), ("  rows", "42"), ("source", "kind")]


class Answering(QObject):
    """Answers every question with the two explanations above."""

    answered = Signal(object)

    def __init__(self, line: str = "") -> None:
        super().__init__()
        self.asked: list[AnyQuestion] = []
        self.line = line

    def ask(self, key: int, question: AnyQuestion) -> int:
        self.asked.append(question)
        return len(self.asked)

    def answer(self, key: int) -> None:
        body = b"" if self.line else msgspec.msgpack.encode([STEP, INTERVAL])
        self.answered.emit(Reply(key, len(self.asked), 1, body, self.line))


@pytest.fixture
def engine(drawn: MainWindow) -> Answering:
    """An engine double that the window asks; the drawing has a result."""
    made = Answering()
    made.setParent(drawn)
    drawn.engine._questions = Questions(made, drawn)
    assert drawn.session is not None
    give_result(drawn.session)
    drawn.sides.inspector.analysis.refresh()
    return made


def card_of(window: MainWindow) -> WhyCard:
    commands = window._controllers["why"]
    assert isinstance(commands, WhyCommands)
    assert commands.card is not None
    return commands.card


def key_of(window: MainWindow) -> int:
    assert window.session is not None
    return window.session.key


def test_alt_enter_explains_the_step_time(
    drawn: MainWindow, engine: Answering, qtbot: QtBot
) -> None:
    drawn.activateWindow()
    drawn.actions_["analyse.why"].setEnabled(True)
    drawn.actions_["analyse.why"].trigger()
    assert engine.asked == [Why(("step_time_s", "interval"))]
    engine.answer(key_of(drawn))
    card = card_of(drawn)
    assert card.isVisible()
    assert card.accessibleName() == "Why: Step time"
    assert card.texts[:2] == ["2 s", "step_time_s"]
    for text in ("compute + TP + bubble", "1.5", "0.3", "Narayanan et al. 2021", "42"):
        assert text in card.texts
    room = drawn.screen().availableGeometry()
    assert room.contains(card.geometry())
    qtbot.keyClick(card, Qt.Key.Key_Escape)
    assert not card.isVisible()


def test_a_click_on_a_part_of_the_step_explains_it(
    drawn: MainWindow, engine: Answering, qtbot: QtBot
) -> None:
    drawn.show_panel("analysis")
    step = drawn.sides.inspector.analysis.step
    row = next(r for r in step.findChildren(FigureRow) if r.property("explain") == "breakdown_s.tp")
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    qtbot.keyClick(row, Qt.Key.Key_Return)
    asked = Why(("breakdown_s.tp", "interval"))
    assert engine.asked == [asked, asked]


def test_status_figures_and_why_links_ask_too(
    drawn: MainWindow, engine: Answering, qtbot: QtBot
) -> None:
    qtbot.mouseClick(drawn.status._figures["Memory"][1], Qt.MouseButton.LeftButton)
    for widget in drawn.sides.inspector.analysis.findChildren(QWidget, "link"):
        widget.click()
    assert [q.figures[0] for q in engine.asked if isinstance(q, Why)] == [
        "memory.total_bytes",
        "step_time_s",
        "mfu",
        "memory.total_bytes",
    ]


def test_the_focused_row_of_the_bottlenecks_is_explained(
    drawn: MainWindow, engine: Answering
) -> None:
    drawn.activateWindow()
    drawn.show_panel("bottlenecks")
    table = drawn.sides.bottom.bottlenecks.table
    drawn.sides.bottom.bottlenecks.refresh()
    table.setCurrentIndex(table.model().index(1, 0))
    table.setFocus()
    commands = drawn._controllers["why"]
    assert isinstance(commands, WhyCommands)
    commands.focused()
    assert engine.asked == [Why(("bottlenecks.1", "interval"))]


def test_what_cannot_be_explained_says_why(drawn: MainWindow, engine: Answering) -> None:
    engine.line = "there is no figure"
    drawn.explain("step_time_s")
    engine.answer(key_of(drawn))
    assert drawn.documents.messages.text == "there is no figure"


def test_an_old_figure_says_that_it_is_old(drawn: MainWindow, engine: Answering) -> None:
    session = drawn.session
    assert session is not None
    session.set_analysis_state(type(session.analysis_state)("stale"))
    drawn.explain("memory.total_bytes")
    engine.answer(key_of(drawn))
    assert "Of the last result; the drawing has changed since." in card_of(drawn).texts
    card_of(drawn).close()


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("step_time_s", "Step time"),
        ("breakdown_s.tp", "Exposed time: TP"),
        ("breakdown_s.optimizer", "Exposed time: optimizer"),
        ("memory.activations_bytes", "Memory: activations"),
        ("bottlenecks.0", "Cost of bottleneck 1"),
        ("communication.TP.layers", "Communication: TP.layers"),
    ],
)
def test_titles(key: str, title: str) -> None:
    assert title_of(key) == title


def test_times_come_with_their_interval() -> None:
    assert figures_for("breakdown_s.tp") == ("breakdown_s.tp", "interval")
    assert figures_for("memory.total_bytes") == ("memory.total_bytes",)
    assert figures_for("interval") == ("interval",)
