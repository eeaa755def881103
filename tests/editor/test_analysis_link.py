"""Between sessions and engine: what is asked, what is shown, nothing blinks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Signal

from topoedit.editor.analysis_link import AnalysisLink
from topoedit.editor.engine_client import EngineResult
from topoedit.editor.session import DocumentSession
from topoedit.model.edits import Edit, MoveDevices
from topoedit.model.plan import Plan, Workload

from .made_results import analysis, loads


class EngineDouble(QObject):
    """Writes down what is asked of it; the test answers."""

    started = Signal(int)
    progressed = Signal(int, str, float)
    finished = Signal(object)
    failed = Signal(int, str)
    answered = Signal(object)
    stopped = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Workload] = []
        self.known: list[int] = []
        self.restarts = 0

    def add(self, key: int, document: object, folder: object) -> None:
        self.known.append(key)

    def remove(self, key: int) -> None:
        self.known.remove(key)

    def submit(self, key: int, workload: Workload) -> None:
        self.asked.append(workload)

    def withdraw(self, key: int) -> None:
        self.asked.clear()

    def restart(self) -> None:
        self.restarts += 1

    def ask(self, key: int, question: object) -> int:
        raise AssertionError("nothing but analyses is asked here")

    def answer(self, session: DocumentSession, revision: int | None = None) -> None:
        at = session.document.revision if revision is None else revision
        self.finished.emit(EngineResult(session.key, at, analysis(), loads(), 0.038))


@pytest.fixture
def engine(qapp: object) -> EngineDouble:
    return EngineDouble()


@pytest.fixture
def link(engine: EngineDouble, session: DocumentSession) -> Iterator[AnalysisLink]:
    made = AnalysisLink(engine)
    made.add(session)
    yield made
    made._quiet.stop()
    made.deleteLater()


WORK = Workload(model="llama-3.1-70b", plan=Plan(tp=8))


def test_nothing_is_asked_without_a_model(
    link: AnalysisLink, engine: EngineDouble, session: DocumentSession
) -> None:
    assert engine.known == [session.key]
    assert engine.asked == []
    assert session.analysis_state.words == "Nothing to analyse"


def test_inputs_are_asked_about_and_moves_are_not(
    link: AnalysisLink, engine: EngineDouble, session: DocumentSession
) -> None:
    session.set_workload(WORK, "Choose a model")
    assert engine.asked == [WORK]
    session.apply(MoveDevices("Move", ("leaf-1",), (1.0,), (1.0,)))
    assert len(engine.asked) == 1
    session.apply(Edit("Delete link", drop=("link-11",)))
    assert len(engine.asked) == 2


def test_a_result_is_shown_as_up_to_date(
    link: AnalysisLink, engine: EngineDouble, session: DocumentSession
) -> None:
    session.set_workload(WORK, "Choose a model")
    engine.answer(session)
    assert session.analysis_is_current
    assert session.analysis is not None
    assert session.loads is not None
    assert session.analysis_state.seconds == 0.038
    session.apply(MoveDevices("Move", ("leaf-1",), (1.0,), (1.0,)))
    assert session.analysis_is_current


def test_a_result_of_an_earlier_state_is_stale(
    link: AnalysisLink, engine: EngineDouble, session: DocumentSession
) -> None:
    session.set_workload(WORK, "Choose a model")
    before = session.document.revision
    session.apply(Edit("Delete link", drop=("link-11",)))
    engine.answer(session, before)
    assert session.analysis is not None
    assert session.analysis_state.kind == "stale"
    engine.answer(session)
    assert session.analysis_is_current


def test_quick_runs_never_change_the_state(
    link: AnalysisLink, engine: EngineDouble, session: DocumentSession
) -> None:
    session.set_workload(WORK, "Choose a model")
    engine.answer(session)
    seen: list[str] = []
    session.analysis_state_changed.connect(lambda state: seen.append(state.kind))
    session.apply(Edit("Delete link", drop=("link-11",)))
    engine.started.emit(session.key)
    engine.progressed.emit(session.key, "Routing", 0.5)
    engine.answer(session)
    assert seen == []


def test_a_long_run_shows_stage_and_progress(
    link: AnalysisLink, engine: EngineDouble, session: DocumentSession
) -> None:
    session.set_workload(WORK, "Choose a model")
    engine.started.emit(session.key)
    engine.progressed.emit(session.key, "Routing", 0.62)
    link._quiet.stop()
    link._show_busy()
    assert session.analysis_state.words == "Routing, 62\u2009%"
    engine.progressed.emit(session.key, "Timing", 0.9)
    assert session.analysis_state.words == "Timing, 90\u2009%"


def test_a_plan_that_cannot_exist_keeps_the_last_result(
    link: AnalysisLink, engine: EngineDouble, session: DocumentSession
) -> None:
    session.set_workload(WORK, "Choose a model")
    engine.answer(session)
    session.set_workload(Workload(model="llama-3.1-70b", plan=Plan(tp=3)), "Set TP to 3")
    engine.failed.emit(session.key, "tp 3 does not divide the 64 heads")
    assert session.analysis is not None
    assert not session.analysis_is_current
    assert session.analysis_state.why == "tp 3 does not divide the 64 heads"
    session.undo()
    engine.answer(session)
    assert session.analysis_is_current


def test_without_a_plan_the_result_goes(
    link: AnalysisLink, engine: EngineDouble, session: DocumentSession
) -> None:
    session.set_workload(WORK, "Choose a model")
    engine.answer(session)
    session.undo()
    assert session.analysis is None
    assert session.analysis_state.words == "Nothing to analyse"


def test_a_stopped_engine_can_be_restarted(
    link: AnalysisLink, engine: EngineDouble, session: DocumentSession
) -> None:
    session.set_workload(WORK, "Choose a model")
    engine.stopped.emit("The analysis process has stopped several times")
    assert session.analysis_state.words == "Stopped"
    link.restart()
    assert engine.restarts == 1
    assert engine.asked == [WORK, WORK]


def test_a_closed_drawing_is_forgotten(
    link: AnalysisLink, engine: EngineDouble, session: DocumentSession
) -> None:
    link.remove(session)
    assert engine.known == []
    session.set_workload(WORK, "Choose a model")
    assert engine.asked == []
