"""The Timeline page: phases, play head, zoom; nothing of it changes the document."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from topoedit.app import answers
from topoedit.app.mirror import Mirror
from topoedit.app.protocol import AnyQuestion, Ranks, StepTimeline
from topoedit.editor.canvas.loads import LoadView, Moment
from topoedit.editor.engine_client import LinkLoads, Reply
from topoedit.editor.panels.timeline import TimelinePanel, kinds_in, title_of
from topoedit.editor.questions import Questions
from topoedit.editor.session import DocumentSession
from topoedit.editor.step_watch import StepWatch
from topoedit.editor.theming import Theming
from topoedit.engine.timeline_types import Pace
from topoedit.errors import TopoeditError
from topoedit.model.plan import Plan, Workload
from topoedit.units import format_seconds

from .made_steps import WORKLOAD, analysed, give_step, pod

PLAIN = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def session(qapp: object) -> Iterator[DocumentSession]:
    made = DocumentSession(pod())
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def panel(qtbot: QtBot, session: DocumentSession, theming: Theming) -> TimelinePanel:
    give_step(session)
    made = TimelinePanel(theming)
    qtbot.addWidget(made)
    made.resize(1000, 260)
    made.set_session(session)
    made.show()
    return made


def at(panel: TimelinePanel, seconds: float, y: int = 20) -> QPoint:
    return QPoint(round(panel.chart.window_now().to_x(seconds)), y)


def untouched(session: DocumentSession) -> tuple[object, ...]:
    stack = session.undo_stack
    return session.document.revision, stack.count(), stack.index()


# -- what it says --------------------------------------------------------------------------------


def test_phases_are_listed_with_their_seconds(panel: TimelinePanel) -> None:
    step = analysed()[1]
    assert panel.model.rowCount() == len(step.phases) + 1
    assert panel.model.cells(0) == ("All phases", format_seconds(step.step_time), "")
    for row, phase in enumerate(step.phases, 1):
        shown = [panel.model.data(panel.model.index(row, column)) for column in range(3)]
        assert shown == [
            phase.title, format_seconds(phase.seconds), format_seconds(phase.exposed),
        ]  # fmt: skip
    titles = [phase.title for phase in step.phases]
    assert "DP reduce-scatter, gradients" in titles
    assert "PP send, activations" in titles
    assert "TP re-gather" in titles


def test_the_head_line_names_schedule_and_slowest_stage(panel: TimelinePanel) -> None:
    step = analysed()[1]
    assert panel.title.text() == title_of(step)
    assert "1F1B" in panel.title.text()
    assert f"stage {step.critical} is slowest" in panel.title.text()
    assert panel.key.kinds == kinds_in(step)
    assert {"forward", "backward", "idle", "tp", "pp"} <= set(panel.key.kinds)


def test_without_a_model_it_says_what_to_do(
    qtbot: QtBot, session: DocumentSession, theming: Theming
) -> None:
    panel = TimelinePanel(theming)
    qtbot.addWidget(panel)
    panel.set_session(session)
    panel.show()
    assert panel.empty.isVisible()
    assert "Choose a model" in panel.empty.text()
    assert panel.model.rowCount() == 0
    panel.set_session(None)
    assert panel.model.rowCount() == 0


# -- play head -----------------------------------------------------------------------------------


def test_dragging_moves_the_play_head_and_tells_what_runs(
    qtbot: QtBot, panel: TimelinePanel, session: DocumentSession
) -> None:
    before, step = untouched(session), analysed()[1]
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(panel.chart, left, PLAIN, at(panel, step.step_time * 0.25))
    assert session.timeline.moment == pytest.approx(step.step_time * 0.25, rel=0.01)
    qtbot.mouseRelease(panel.chart, left, PLAIN, at(panel, step.step_time * 0.25))
    assert session.timeline.classes == ("TP", "CP", "PP")
    assert session.timeline.words == (f"At {format_seconds(session.timeline.moment)}: TP, CP, PP")
    assert panel.window_line.text() == session.timeline.words
    qtbot.mouseClick(panel.chart, left, PLAIN, at(panel, step.step_time * 0.9999))
    assert session.timeline.classes == ()
    assert "no traffic" in session.timeline.words
    assert untouched(session) == before


def test_keys_move_the_play_head(
    qtbot: QtBot, panel: TimelinePanel, session: DocumentSession
) -> None:
    before, step, state = untouched(session), analysed()[1], session.timeline
    qtbot.keyClick(panel.chart, Qt.Key.Key_End)
    assert state.moment == step.step_time
    qtbot.keyClick(panel.chart, Qt.Key.Key_Left)
    assert state.moment == pytest.approx(step.step_time * 0.99)
    qtbot.keyClick(panel.chart, Qt.Key.Key_Home)
    assert state.moment == 0.0
    qtbot.keyClick(panel.chart, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert state.moment == pytest.approx(step.step_time * 0.1)
    qtbot.keyClick(panel.chart, Qt.Key.Key_PageDown)
    assert state.phase == 0
    assert state.classes == (step.phases[0].class_,)
    qtbot.keyClick(panel.chart, Qt.Key.Key_PageUp)
    assert state.phase == len(step.phases) - 1
    qtbot.keyClick(panel.chart, Qt.Key.Key_Escape)
    assert state.moment is None
    assert state.classes is None
    assert untouched(session) == before


def test_a_click_on_a_phase_jumps_there_and_all_phases_goes_back(
    panel: TimelinePanel, session: DocumentSession
) -> None:
    step, state = analysed()[1], session.timeline
    number = next(n for n, p in enumerate(step.phases) if p.title.startswith("DP reduce"))
    panel.phases.visited.emit(number + 1)
    start, end = max(step.phases[number].spans, key=lambda span: span[1] - span[0])
    assert state.moment == pytest.approx((start + end) / 2)
    assert state.classes == ("DP",)
    assert state.words == "DP reduce-scatter, gradients"
    assert panel.phases.currentIndex().row() == number + 1
    panel.all.click()
    assert state.classes is None
    assert not panel.all.isVisible()
    panel.phases.visited.emit(number + 1)
    panel.phases.visited.emit(0)
    assert state.classes is None


def test_the_play_head_stays_at_its_phase_when_the_plan_changes(
    panel: TimelinePanel, session: DocumentSession
) -> None:
    state = session.timeline
    state.choose(next(n for n, p in enumerate(analysed()[1].phases) if p.class_ == "PP"))
    words = state.words
    give_step(session, Workload(model="llama-3.1-70b", plan=Plan(tp=4, pp=2)))
    assert state.words == words
    state.go_to(state.timeline.step_time / 2)
    give_step(session)
    assert state.moment == pytest.approx(state.timeline.step_time / 2)


# -- zoom ----------------------------------------------------------------------------------------


def wheel(panel: TimelinePanel, where: QPoint, turn: int, keys: Qt.KeyboardModifier) -> None:
    point = QPointF(where)
    event = QWheelEvent(
        point, panel.chart.mapToGlobal(point), QPoint(), QPoint(0, turn),
        Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(panel.chart, event)


def test_the_wheel_zooms_at_the_pointer_and_a_double_click_shows_all(
    qtbot: QtBot, panel: TimelinePanel
) -> None:
    step = analysed()[1]
    under = step.step_time * 0.4
    where = at(panel, under)
    wheel(panel, where, 240, PLAIN)
    start, end = panel.chart.shown
    assert end - start == pytest.approx(step.step_time / 1.25**2)
    assert panel.chart.window_now().to_seconds(where.x()) == pytest.approx(under, rel=0.01)
    assert panel.chart.is_zoomed
    wheel(panel, where, -120, Qt.KeyboardModifier.ShiftModifier)
    assert panel.chart.shown[0] > start
    qtbot.mouseDClick(panel.chart, Qt.MouseButton.LeftButton, PLAIN, where)
    assert panel.chart.shown == (0.0, step.step_time)
    qtbot.keyClick(panel.chart, Qt.Key.Key_Plus)
    panel._show()
    assert panel.whole.isVisible()
    panel.whole.click()
    assert not panel.chart.is_zoomed


def test_the_window_stays_inside_the_step(panel: TimelinePanel) -> None:
    whole = analysed()[1].step_time
    panel.chart.show_window(-5.0, whole * 0.5 - 5.0)
    assert panel.chart.shown == pytest.approx((0.0, whole * 0.5))
    panel.chart.show_window(whole, whole)
    start, end = panel.chart.shown
    assert end == pytest.approx(whole)
    assert end > start


# -- pixels --------------------------------------------------------------------------------------


def colors(widget: QWidget, y: int, *, x0: int, x1: int) -> set[str]:
    image = widget.grab().toImage()
    ratio = image.devicePixelRatio()
    row = int(y * ratio)
    return {image.pixelColor(x, row).name() for x in range(int(x0 * ratio), int(x1 * ratio))}


def test_rows_are_painted_in_the_colours_of_the_key(panel: TimelinePanel) -> None:
    theme = panel._theming.theme
    panel.chart.show_window(0.0, analysed()[1].step_time * 0.2)
    found = colors(panel.chart, 10, x0=60, x1=panel.chart.width() - 12)
    for token in ("breakdown.recompute", "breakdown.compute", "traffic.TP", "breakdown.bubble"):
        assert theme.color(token).name() in found, token
    panel.chart.show_all()
    assert theme.color("breakdown.recompute").name() in colors(
        panel.chart, 10, x0=60, x1=panel.chart.width() - 12
    )


def test_the_play_head_is_painted(panel: TimelinePanel, session: DocumentSession) -> None:
    accent = panel._theming.theme.color("accent.base").name()
    half = analysed()[1].step_time / 2
    x = at(panel, half).x()
    assert accent not in colors(panel.chart, 30, x0=x - 3, x1=x + 3)
    session.timeline.go_to(half)
    assert accent in colors(panel.chart, 30, x0=x - 3, x1=x + 3)


def test_the_tooltip_tells_the_pass_and_the_traffic(panel: TimelinePanel) -> None:
    words = panel.chart.words_at(at(panel, analysed()[1].step_time * 0.02, 10))
    assert words.startswith("stage 0: Forward of micro-batch")
    lanes = panel.chart.height() - 60
    assert panel.chart.words_at(QPoint(5, lanes)) == ""
    event = QHelpEvent(QEvent.Type.ToolTip, at(panel, 0.1, 10), panel.mapToGlobal(QPoint(0, 0)))
    assert panel.chart.event(event)


# -- loads ---------------------------------------------------------------------------------------


def test_a_moment_loads_links_by_the_classes_that_run() -> None:
    """By hand: 100 B at 10 B/s in 20 s is 50 %; of it 60 B TP in 8 s are 75 %, 40 B DP in 5 s 80 %.

    utilisation = 100 / (10 x 20) = 0.5; the third link has an unknown rate, the second carries
    nothing.
    """
    side = {
        "utilisation": np.array([0.5, 0.0, np.nan], np.float32),
        "demand": np.array([2.0, 0.0, np.nan], np.float32),
        "phase_share": np.array([0.8, 0.0, np.nan], np.float32),
        "bytes": np.array([100, 0, 10], np.float32),
        "TP": np.array([60, 0, 10], np.float32),
        "DP": np.array([40, 0, 0], np.float32),
    }
    loads = LinkLoads(("a", "b", "c"), 3, side, side)
    pace = Pace({"TP": 8.0, "DP": 5.0})

    def shown(*classes: str, only: str | None = None) -> list[float]:
        view = LoadView(loads, "demand", only, Moment(classes, pace, 20.0))
        return view.fractions()[0].tolist()

    assert shown("TP")[:2] == pytest.approx([0.75, 0.0])
    assert shown("DP")[:2] == pytest.approx([0.8, 0.0])
    assert shown("TP", "DP")[:2] == pytest.approx([0.8, 0.0])
    assert shown()[:2] == [0.0, 0.0]
    assert shown("TP", "DP", only="TP")[:2] == pytest.approx([0.75, 0.0])
    assert np.isnan(shown("TP")[2])
    whole = LoadView(loads, "demand", None).fractions()[0]
    assert whole[:2].tolist() == [2.0, 0.0]


def test_no_moment_loads_a_link_more_than_its_busiest_phase(session: DocumentSession) -> None:
    give_step(session)
    step, loads = session.timeline.timeline, session.loads
    assert step is not None
    assert loads is not None
    whole = LoadView(loads, "phase_share", None).fractions()
    most = [np.zeros(loads.drawn, np.float32) for _ in range(2)]
    for phase in step.phases:
        view = LoadView(loads, "demand", None, Moment((phase.class_,), step.pace, step.step_time))
        for side, row in enumerate(view.fractions()):
            assert (row <= whole[side] * 1.001 + 1e-6).all()
            most[side] = np.maximum(most[side], row)
    for side in (0, 1):
        assert most[side] == pytest.approx(whole[side], rel=1e-3, abs=1e-4)


# -- asking --------------------------------------------------------------------------------------


class Worker(QObject):
    """Answers as the worker does, at once."""

    answered = Signal(object)

    def __init__(self, session: DocumentSession, parent: QObject) -> None:
        super().__init__(parent)
        self.session = session
        self.asked: list[AnyQuestion] = []

    def ask(self, key: int, question: AnyQuestion) -> int:
        self.asked.append(question)
        return len(self.asked)

    def answer(self) -> None:
        document = self.session.document
        mirror = Mirror(document.catalog, document.revision, tuple(document.elements()), "")
        for number, question in enumerate(self.asked, 1):
            body, line = b"", ""
            try:
                result = analysed()[0]
                body = answers.answer(question, mirror, result, lambda: False)
            except TopoeditError as error:
                line = error.line
            self.answered.emit(Reply(self.session.key, number, document.revision, body, line))


def test_a_timeline_is_asked_for_only_while_somebody_looks(
    qtbot: QtBot, session: DocumentSession, theming: Theming
) -> None:
    worker = Worker(session, session)
    watch = StepWatch(Questions(worker, session), session)
    watch.add(session)
    give_step(session)
    session.timeline.drop()
    watch._timer.stop()
    watch.ask_due()
    assert worker.asked == [Ranks(WORKLOAD)]
    panel = TimelinePanel(theming)
    qtbot.addWidget(panel)
    panel.set_session(session)
    panel.show()
    assert worker.asked == [Ranks(WORKLOAD), StepTimeline()]
    worker.answer()
    assert panel.model.rowCount() == len(analysed()[1].phases) + 1
    session.analysis_changed.emit()
    watch._timer.stop()
    watch.ask_due()
    assert worker.asked[2:] == [StepTimeline(), Ranks(WORKLOAD)]
    panel.hide()
    assert not session.timeline.is_watched
    session.drop_result()
    assert session.timeline.timeline is None
    assert session.ranks.map is None
    watch.remove(session)
    session.analysis_changed.emit()
    assert not watch._timer.isActive()
