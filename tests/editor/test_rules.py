"""Design rules in the editor: run after changes, listed, marked, mended, excluded, graded."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from topoedit import paths
from topoedit.app.open import open_document
from topoedit.app.protocol import AnyQuestion, Check
from topoedit.catalog.load import load_catalog
from topoedit.editor.dialogs.exclude_dialog import ExcludeDialog
from topoedit.editor.engine_client import Reply
from topoedit.editor.panels.problems import ProblemsPanel
from topoedit.editor.questions import Questions
from topoedit.editor.rule_watch import RuleWatch
from topoedit.editor.session import DocumentSession
from topoedit.editor.window import MainWindow
from topoedit.model.edits import Edit, MoveDevices
from topoedit.model.elements import Link
from topoedit.model.plan import Plan, Workload
from topoedit.rules.base import Finding
from topoedit.rules.run import Counts, Report, check_document

from .doubles import canvas_of


class Rules(QObject):
    """An engine that answers checks with the rules themselves, when the test says so."""

    answered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Check] = []

    def ask(self, key: int, question: AnyQuestion) -> int:
        assert isinstance(question, Check)
        self.asked.append(question)
        return len(self.asked)

    def answer(self, session: DocumentSession, line: str = "") -> None:
        report = check_document(session.document)
        body = b"" if line else msgspec.msgpack.encode(report)
        revision = session.document.revision
        self.answered.emit(Reply(session.key, len(self.asked), revision, body, line))


@pytest.fixture
def rules(drawn: MainWindow) -> Iterator[Rules]:
    """The rules behind the window; no pause before they are asked."""
    made = Rules()
    made.setParent(drawn)
    questions = Questions(made, drawn)
    watch = RuleWatch(questions, drawn, pause_ms=0)
    drawn.engine._questions, drawn.engine._rules = questions, watch
    assert drawn.session is not None
    watch.add(drawn.session)
    watch._ask_due()
    yield made
    watch._timer.stop()


def session_of(window: MainWindow) -> DocumentSession:
    assert window.session is not None
    return window.session


def panel_of(window: MainWindow) -> ProblemsPanel:
    panel = window.sides.bottom.problems
    panel._later.stop()
    panel.refresh()
    return panel


def rows_of(panel: ProblemsPanel, rule: str) -> list[int]:
    return [i for i, row in enumerate(panel.model.rows_) if row.source == rule]


def answered(window: MainWindow, rules: Rules) -> ProblemsPanel:
    watch = window.engine._rules
    assert watch is not None
    watch._timer.stop()
    watch._ask_due()
    rules.answer(session_of(window))
    return panel_of(window)


def overused(session: DocumentSession) -> None:
    """A server without any cable."""
    old = session.document.devices["node-1"]
    session.apply(Edit("Add", put=(msgspec.structs.replace(old, id="lone", name="lone"),)))


def test_findings_are_listed_marked_and_visited(drawn: MainWindow, rules: Rules) -> None:
    session = session_of(drawn)
    overused(session)
    panel = answered(drawn, rules)
    row = rows_of(panel, "isolated-device")[0]
    problem = panel.model.rows_[row]
    assert problem.ids == ("lone",)
    assert problem.where == "lone"
    assert session.rules.marks["lone"][1] >= 1
    panel.table.selectRow(row)
    panel._visit(row)
    assert session.selection == ("lone",)
    assert canvas_of(drawn).calls[-1] == ("centre_on", ("lone",))
    counts = session.rules.report.counts if session.rules.report else None
    assert counts is not None
    assert panel.filters["warning"].text() == str(counts.warning)


def test_the_report_is_stale_the_moment_the_drawing_changes(
    drawn: MainWindow, rules: Rules
) -> None:
    session = session_of(drawn)
    panel = answered(drawn, rules)
    assert "rules on" in panel.note.text()
    assert panel.table.graphicsEffect() is None
    overused(session)
    assert session.rules.is_stale
    assert panel.note.text() == "Stale: the drawing has changed since"
    assert panel.table.graphicsEffect() is not None
    panel = answered(drawn, rules)
    assert not session.rules.is_stale
    assert panel.table.graphicsEffect() is None


def test_changes_in_a_row_are_checked_once(drawn: MainWindow, rules: Rules) -> None:
    session, before = session_of(drawn), len(rules.asked)
    for x in range(5):
        session.apply(MoveDevices("Move", ("leaf-1",), (float(x),), (1.0,)))
    watch = drawn.engine._rules
    assert watch is not None
    watch._ask_due()
    watch._ask_due()
    assert len(rules.asked) == before + 1


def test_severities_can_be_hidden(drawn: MainWindow, rules: Rules) -> None:
    overused(session_of(drawn))
    panel = answered(drawn, rules)
    shown = {row.severity for row in panel.model.rows_}
    for severity in shown:
        panel.filters[severity].click()
    panel = panel_of(drawn)
    assert panel.model.rows_ == []
    assert panel._none.text() == "Nothing of the kinds chosen above."
    panel.filters["warning"].setChecked(True)
    assert {row.severity for row in panel_of(drawn).model.rows_} <= {"warning"}


def test_a_finding_is_excluded_with_a_reason_and_included_again(
    drawn: MainWindow, rules: Rules, qtbot: QtBot
) -> None:
    session = session_of(drawn)
    overused(session)
    panel = answered(drawn, rules)
    panel.table.selectRow(rows_of(panel, "isolated-device")[0])
    panel.exclude.click()
    dialog = panel.findChild(ExcludeDialog)
    assert isinstance(dialog, QDialog)
    assert not dialog.accept_button.isEnabled()
    qtbot.keyClicks(dialog.reason, "a spare")
    dialog.accept_button.click()
    kept = list(session.document.exclusions.values())
    assert [(e.rule, e.elements, e.comment) for e in kept] == [
        ("isolated-device", ("lone",), "a spare")
    ]
    panel = answered(drawn, rules)
    assert rows_of(panel, "isolated-device") == []
    assert "lone" not in session.rules.marks or session.rules.marks["lone"][1] >= 1
    panel.excluded.setChecked(True)
    panel = panel_of(drawn)
    row = rows_of(panel, "isolated-device")[0]
    assert panel.model.rows_[row].text.startswith("Excluded: ")
    assert panel.model.rows_[row].fix == "a spare"
    panel.table.selectRow(row)
    assert panel.exclude.text() == "Include again"
    panel.exclude.click()
    assert not session.document.exclusions
    assert rows_of(answered(drawn, rules), "isolated-device")


def test_a_rule_is_graded_for_this_drawing(drawn: MainWindow, rules: Rules) -> None:
    session = session_of(drawn)
    overused(session)
    panel = answered(drawn, rules)
    panel.table.selectRow(rows_of(panel, "isolated-device")[0])
    panel.set_severity("error")
    assert session.document.settings.severities == {"isolated-device": "error"}
    panel = answered(drawn, rules)
    row = rows_of(panel, "isolated-device")[0]
    assert panel.model.rows_[row].severity == "error"
    panel.table.selectRow(row)
    panel.set_severity("off")
    assert rows_of(answered(drawn, rules), "isolated-device") == []
    session.undo()
    session.undo()
    assert session.document.settings.severities == {}


def test_a_safe_fix_is_one_step_of_undo(window: MainWindow) -> None:
    opened = open_document(paths.samples() / "pod64-h100.topo.json", load_catalog())
    session = DocumentSession(opened.document)
    window.add_session(session)
    link = next(iter(session.document.links.values()))
    far = msgspec.structs.replace(link, length_m=800.0)  # DR4 reaches 500 m
    session.apply(Edit("Stretch", put=(far,)))
    report = check_document(session.document)
    session.rules.take(report, session.document.revision)
    panel = panel_of(window)
    row = next(i for i, r in enumerate(panel.model.rows_) if r.finding and r.finding.mendable)
    panel.table.selectRow(row)
    assert panel.fix.isVisibleTo(panel)
    assert link.id in panel.model.rows_[row].ids
    before, steps = session.document.links[link.id], session.undo_stack.count()
    panel.fix.click()
    assert session.undo_stack.count() == steps + 1
    mended = session.document.links[link.id]
    assert (before.medium, mended.medium) == ("400g-dr4", "fr")
    assert not [f for f in check_document(session.document).violations if f.mendable]
    assert session.rules.is_stale
    assert not panel.mend(), "it no longer fits"
    session.undo()
    assert session.document.links[link.id] == before


def test_a_plan_that_cannot_exist_leaves_the_other_rules(drawn: MainWindow, rules: Rules) -> None:
    session = session_of(drawn)
    workload = Workload(model="llama-3.1-70b", plan=Plan(tp=7))
    session.set_workload(workload, "Choose")
    watch = drawn.engine._rules
    assert watch is not None
    watch._timer.stop()
    watch._ask_due()
    rules.answer(session, "tp 7 does not divide the 64 heads")
    assert [q.workload for q in rules.asked[-2:]] == [workload, None]
    rules.answer(session)
    assert session.rules.report is not None
    panel = panel_of(drawn)
    assert panel.note.toolTip().startswith("tp 7 does not divide the 64 heads")


def test_f8_walks_the_findings(drawn: MainWindow, rules: Rules) -> None:
    overused(session_of(drawn))
    panel = answered(drawn, rules)
    visited: list[object] = []
    panel.visited.connect(visited.append)
    for _ in range(panel.model.rowCount() + 1):
        drawn.actions_["analyse.next_problem"].trigger()
    assert len(visited) == panel.model.rowCount() + 1
    assert visited[0] == visited[-1]


def test_links_without_a_device_are_marked_and_the_worst_counts(session: DocumentSession) -> None:
    link = next(iter(session.document.links.values()))
    assert isinstance(link, Link)

    def finding(severity: str, *elements: str) -> Finding:
        return Finding(rule="r", severity=severity, elements=elements, message="m")  # type: ignore[arg-type]

    report = Report(
        violations=(
            finding("warning", link.id),
            finding("error", link.a.device, link.id),
            finding("info", "gone"),
        ),
        counts=Counts(error=1, warning=1, info=1),
        checked={},
        unchecked=(),
    )
    session.rules.take(report, session.document.revision)
    assert session.rules.marks == {link.id: ("warning", 1), link.a.device: ("error", 1)}
    assert not session.rules.is_stale


def test_a_closed_drawing_is_no_longer_checked(drawn: MainWindow, rules: Rules) -> None:
    session, before = session_of(drawn), len(rules.asked)
    drawn.engine.remove(session)
    session.apply(MoveDevices("Move", ("leaf-1",), (9.0,), (1.0,)))
    watch = drawn.engine._rules
    assert watch is not None
    watch._ask_due()
    assert len(rules.asked) == before


def test_rows_show_severity_by_shape(drawn: MainWindow, rules: Rules) -> None:
    overused(session_of(drawn))
    panel = answered(drawn, rules)
    index = panel.model.index(rows_of(panel, "isolated-device")[0], 0)
    spoken = panel.model.data(index, Qt.ItemDataRole.AccessibleTextRole)
    assert isinstance(spoken, str)
    assert spoken.split(":")[0] in ("error", "warning", "info")
    assert panel.model.data(index, Qt.ItemDataRole.DecorationRole)
