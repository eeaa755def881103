"""The last changes: what each did to the step, in the Plan page and beside its undo step."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from topoedit.editor.engine_state import EngineState
from topoedit.editor.panels.changes import SHOWN
from topoedit.editor.plan_change import KEPT, ChangeLog
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.model.edits import Edit
from topoedit.model.elements import Group
from topoedit.units import format_seconds

from .analysed import Analyser, pod_document


@pytest.fixture
def pod(window: MainWindow) -> DocumentSession:
    session = DocumentSession(pod_document())
    window.add_session(session)
    return session


@pytest.fixture
def engine(pod: DocumentSession) -> Analyser:
    return Analyser(pod)


def shown(window: MainWindow) -> list[str]:
    return window.sides.inspector.plan.changes.texts()


def test_a_changed_plan_is_explained_when_its_result_is_there(
    window: MainWindow, pod: DocumentSession, engine: Analyser
) -> None:
    before = engine.plan(tp=16, pp=2, global_batch=64)
    section = window.sides.inspector.plan.changes
    assert shown(window) == []
    assert section.isHidden()
    pod.set_workload(replace(pod.workload, plan=replace(pod.workload.plan, tp=8)), "Set TP to 8")
    assert shown(window) == []
    after = engine.run()
    (text,) = shown(window)
    assert text.startswith("TP 16 → 8, DP 2 → 4: step ")
    times = f"{format_seconds(before.step_time_s)} → {format_seconds(after.step_time_s)}"
    assert times in text
    assert "stays in the scale-up network" in text
    assert not section.isHidden()
    assert ChangeLog.of(pod).before_last == before


def test_undo_is_a_change_as_well_and_the_newest_comes_first(
    window: MainWindow, pod: DocumentSession, engine: Analyser
) -> None:
    engine.plan(tp=16, pp=2, global_batch=64)
    engine.plan(tp=8, pp=2, global_batch=64)
    pod.undo()
    engine.run()
    first, second = shown(window)
    assert first.startswith("TP 8 → 16")
    assert second.startswith("TP 16 → 8")


def test_changes_of_the_drawing_are_named(
    window: MainWindow, pod: DocumentSession, engine: Analyser
) -> None:
    engine.plan(tp=8, pp=2)
    document = pod.document
    spine = next(d for d in document.devices.values() if d.kind == "spine")
    links = [x for x in document.links.values() if spine.id in (x.a.device, x.b.device)]
    pod.apply(Edit("Fail 1 element", put=(replace(spine, failed=True),)))
    engine.run()
    pod.apply(Edit("Delete", drop=(spine.id, *(x.id for x in links))))
    engine.run()
    some = tuple(replace(x, failed=x.count) for x in list(document.links.values())[:3])
    pod.apply(Edit("Fail 3 elements", put=some))
    engine.run()
    pod.undo()
    engine.run()
    cables = sum(x.count for x in some)
    assert [text.split(":")[0] for text in shown(window)] == [
        f"3 links ({cables} cables) restored",
        f"3 links ({cables} cables) failed",
        "spine-1 removed",
        "spine-1 failed",
    ]
    assert "stays at" in shown(window)[2]


def test_many_devices_are_counted_and_words_alone_say_nothing(
    window: MainWindow, pod: DocumentSession, engine: Analyser
) -> None:
    engine.plan(tp=8, pp=2)
    servers = [d for d in pod.document.devices.values() if d.kind == "server"]
    pod.apply(Edit("Move", put=tuple(replace(d, x=d.x + 8) for d in servers)))
    engine.run()
    assert shown(window) == []
    pod.apply(Edit("Fail 3 elements", put=tuple(replace(d, failed=True) for d in servers[:3])))
    engine.run()
    what = ChangeLog.of(pod).entries[0].what
    assert what == "DP 4 → 2, global batch 32 → 16; 3 devices failed"


def test_a_refused_plan_leaves_no_line_and_the_next_is_compared_with_the_last_good_one(
    window: MainWindow, pod: DocumentSession, engine: Analyser
) -> None:
    engine.plan(tp=4, pp=2, global_batch=64)
    pod.set_workload(replace(pod.workload, plan=replace(pod.workload.plan, tp=3)), "Set TP to 3")
    pod.set_analysis_state(EngineState("refused", why="tp 3 does not divide the 64 heads"))
    assert shown(window) == []
    engine.plan(tp=8, pp=2, global_batch=64)
    assert shown(window)[0].startswith("TP 4 → 8")


def test_a_stale_result_waits(window: MainWindow, pod: DocumentSession, engine: Analyser) -> None:
    engine.plan(tp=4, pp=2, global_batch=64)
    old = engine.plan(tp=8, pp=2, global_batch=64)
    assert len(shown(window)) == 1
    pod.set_workload(replace(pod.workload, plan=replace(pod.workload.plan, pp=4)), "Set PP to 4")
    pod.set_analysis_state(EngineState("stale"))
    pod.analysis_changed.emit()
    assert len(shown(window)) == 1
    engine.run()
    assert shown(window)[0].startswith("PP 2 → 4")
    assert ChangeLog.of(pod).before_last == old


def test_only_the_last_are_kept(window: MainWindow, pod: DocumentSession, engine: Analyser) -> None:
    for number in range(KEPT + 4):
        engine.plan(tp=8 if number % 2 else 4, pp=2, global_batch=64)
    assert len(ChangeLog.of(pod).entries) == KEPT
    assert len(shown(window)) == SHOWN


def test_the_undo_step_of_a_line_leads_to_the_history(
    window: MainWindow, pod: DocumentSession, engine: Analyser, qtbot: QtBot
) -> None:
    engine.plan(tp=4, pp=2, label="Choose the plan")
    engine.plan(tp=8, pp=2, label="Set TP to 8")
    before = pod.undo_stack.index()
    link = window.sides.inspector.plan.changes.findChild(QPushButton, "link")
    assert link is not None
    assert link.text() == "Show in history"  # the step itself would read as advice
    window.frame.set_shown("bottom", True)
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert window.sides.bottom.current == "history"
    assert pod.undo_stack.index() == before


def test_no_model_means_no_comparison(
    window: MainWindow, pod: DocumentSession, engine: Analyser
) -> None:
    engine.plan(tp=8, pp=2)
    pod.apply(Edit("Remove plan", put=(replace(pod.document.settings, active=""),)))
    pod.drop_result()
    engine.plan(tp=4, pp=2)
    assert shown(window) == []


def test_a_change_without_words_of_its_own_has_those_of_its_step(
    window: MainWindow, pod: DocumentSession, engine: Analyser
) -> None:
    """Racks on another site change the order of ranks, though no device or link is touched."""
    engine.plan(tp=8, pp=2)
    site = Group(id="site-9", name="Mesa", kind="site")
    rack = next(g for g in pod.document.groups.values() if g.kind == "rack")
    pod.apply(Edit("Move into Mesa", put=(site, replace(rack, parent="site-9"))))
    engine.run()
    assert ChangeLog.of(pod).entries[0].what == "Move into Mesa"
