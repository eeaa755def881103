"""Trace: two ends, every path lit and listed, the same as `topoedit path`."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import QObject, Qt, Signal
from pytestqt.qtbot import QtBot

from topoedit import paths
from topoedit.app import answers
from topoedit.app.mirror import Mirror
from topoedit.app.open import open_document
from topoedit.app.path import find_paths
from topoedit.app.protocol import AnyQuestion, Trace
from topoedit.catalog.load import load_catalog
from topoedit.cli.path import _length
from topoedit.editor.engine_client import Reply
from topoedit.editor.panels.trace import TracePanel, cells, length_of, path_words
from topoedit.editor.questions import Questions
from topoedit.editor.session import DocumentSession
from topoedit.editor.trace_watch import TraceWatch
from topoedit.editor.window import MainWindow
from topoedit.errors import TopoeditError
from topoedit.model.edits import Edit

from .doubles import canvas_of


class Tracing(QObject):
    """An engine that answers traces as the worker does, when the test says so."""

    answered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Trace] = []

    def ask(self, key: int, question: AnyQuestion) -> int:
        assert isinstance(question, Trace)
        self.asked.append(question)
        return len(self.asked)

    def answer(self, session: DocumentSession) -> None:
        document = session.document
        mirror = Mirror(document.catalog, document.revision, tuple(document.elements()), "")
        body, line = b"", ""
        try:
            body = answers.answer(self.asked[-1], mirror, None, lambda: False)
        except TopoeditError as error:
            line = error.line
        self.answered.emit(Reply(session.key, len(self.asked), document.revision, body, line))


@pytest.fixture
def pod(window: MainWindow) -> DocumentSession:
    opened = open_document(paths.samples() / "pod64-h100.topo.json", load_catalog())
    window.add_session(DocumentSession(opened.document))
    assert window.session is not None
    return window.session


@pytest.fixture
def engine(window: MainWindow, pod: DocumentSession) -> Iterator[Tracing]:
    made = Tracing()
    made.setParent(window)
    watch = TraceWatch(Questions(made, window), window, pause_ms=0)
    watch.add(pod)
    window.engine._traces = watch
    yield made
    watch._timer.stop()


def answered(window: MainWindow, engine: Tracing) -> TracePanel:
    watch, session = window.engine._traces, window.session
    assert watch is not None
    assert session is not None
    watch._timer.stop()
    watch._ask_due()
    engine.answer(session)
    panel = window.sides.bottom.trace
    panel._later.stop()
    panel.refresh()
    return panel


def trigger(window: MainWindow, action_id: str) -> None:
    window.actions_.refresh()
    assert window.actions_[action_id].isEnabled()
    window.actions_[action_id].trigger()


def test_from_here_and_to_here_list_every_path_hop_by_hop(
    window: MainWindow, pod: DocumentSession, engine: Tracing
) -> None:
    pod.select(("node-01",))
    trigger(window, "trace.from")
    assert engine.asked == []
    pod.select(("node-08",))
    trigger(window, "trace.to")
    panel = answered(window, engine)
    assert engine.asked == [Trace("node-01", "node-08", None)]
    expected = find_paths(pod.document, "node-01", "node-08").answer
    assert pod.trace.answer == expected
    assert [panel.paths.itemText(i) for i in range(panel.paths.count())] == [
        path_words(i, path) for i, path in enumerate(expected.paths)
    ]
    hops = expected.paths[0].hops
    assert panel.model.hops == hops
    for row, hop in enumerate(hops):
        shown = [panel.model.data(panel.model.index(row, c)) for c in range(11)]
        assert shown == list(cells(hop))
        assert length_of(hop) == (_length(hop) or "–")
    assert window.sides.bottom.current == "trace"


def test_links_of_all_paths_light_up(
    window: MainWindow, pod: DocumentSession, engine: Tracing
) -> None:
    pod.trace.ask(start="node-01/gpu0", goal="node-08/gpu3")
    answered(window, engine)
    answer = pod.trace.answer
    assert answer is not None
    lit = {*pod.trace.front_links, *pod.trace.other_links}
    assert lit
    assert lit <= set(pod.document.links)
    for path in answer.paths:
        assert {h.link for h in path.hops if h.link in pod.document.links} <= lit
    if len(answer.paths) > 1:
        before = pod.trace.front_links
        window.sides.bottom.trace._choose(1)
        assert pod.trace.front_links != before


def test_two_selected_devices_are_traced(
    window: MainWindow, pod: DocumentSession, engine: Tracing
) -> None:
    pod.select(("node-02",))
    trigger(window, "trace.between")
    assert window.documents.messages.text == "Trace from node-02: click the other end; Esc ends."
    canvas_of(window).picked("")
    assert window.documents.messages.text == ""
    assert (pod.trace.start, pod.trace.goal) == ("node-02", "")
    trigger(window, "trace.between")
    canvas_of(window).picked("leaf-4")
    assert (pod.trace.start, pod.trace.goal) == ("node-02", "leaf-4")
    pod.clear_selection()
    trigger(window, "trace.between")
    assert window.documents.messages.text == "Select two devices, or type both ends."
    pod.select(("leaf-3", "node-02"))
    trigger(window, "trace.between")
    panel = answered(window, engine)
    assert (panel.start.text(), panel.goal.text()) == ("leaf-3", "node-02")
    assert panel.model.rowCount() >= 1


def test_the_port_under_the_pointer_is_meant(
    window: MainWindow, pod: DocumentSession, engine: Tracing
) -> None:
    pod.select(("node-01",))
    canvas_of(window).under = ("node-01", "nic3")
    trigger(window, "trace.from")
    assert pod.trace.start == "node-01:nic3"
    canvas_of(window).under = ("other", "nic3")
    trigger(window, "trace.from")
    assert pod.trace.start == "node-01"


def test_ends_can_be_typed(
    window: MainWindow, pod: DocumentSession, engine: Tracing, qtbot: QtBot
) -> None:
    window.show_panel("trace")
    panel = window.sides.bottom.trace
    qtbot.keyClicks(panel.start, "rank:17")
    qtbot.keyClicks(panel.goal, "node-01:nic3")
    qtbot.keyClick(panel.goal, Qt.Key.Key_Return)
    answered(window, engine)
    assert engine.asked[-1] == Trace("rank:17", "node-01:nic3", None)
    assert pod.trace.answer is not None
    assert pod.trace.answer.from_ == "node-03/gpu1"


def test_a_wrong_end_says_what_is_wrong(
    window: MainWindow, pod: DocumentSession, engine: Tracing
) -> None:
    pod.trace.ask(start="node-99", goal="node-01")
    panel = answered(window, engine)
    assert "node-99" in panel.note.text()
    assert pod.trace.front_links == ()
    assert panel.model.rowCount() == 0


def test_a_trace_follows_the_drawing(
    window: MainWindow, pod: DocumentSession, engine: Tracing
) -> None:
    pod.trace.ask(start="node-01", goal="leaf-1")
    answered(window, engine)
    gone = pod.trace.front_links
    assert gone
    put = tuple(
        msgspec.structs.replace(pod.document.links[i], failed=pod.document.links[i].count)
        for i in gone
    )
    pod.apply(Edit("Fail", put=put))
    answered(window, engine)
    assert len(engine.asked) == 2
    assert not set(gone) & set(pod.trace.front_links)


def test_clear_ends_the_trace(window: MainWindow, pod: DocumentSession, engine: Tracing) -> None:
    pod.trace.ask(start="node-01", goal="node-02")
    panel = answered(window, engine)
    panel.clear_button.click()
    panel.refresh()
    assert not pod.trace.is_active
    assert pod.trace.answer is None
    assert panel.note.text().startswith("Right click a device")


def test_hops_select_their_links(window: MainWindow, pod: DocumentSession, engine: Tracing) -> None:
    pod.trace.ask(start="leaf-1", goal="node-01")
    panel = answered(window, engine)
    panel._visit(0)
    assert pod.selection == (panel.model.hops[0].link,)
