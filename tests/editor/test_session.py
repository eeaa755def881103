"""The session of one tab: one way to change, named steps, selection, workload."""

from __future__ import annotations

from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from topoedit.editor.layers import HIDDEN
from topoedit.editor.session import DocumentSession
from topoedit.model.edits import Edit, MoveDevices
from topoedit.model.elements import Note
from topoedit.model.plan import Plan, Workload


def test_undo_and_redo_carry_the_name_of_the_step(session: DocumentSession) -> None:
    before = session.document.devices["node-1"]
    assert session.apply(Edit("Rename node-1", put=(replace(before, name="alpha"),)))
    assert session.undo_stack.undoText() == "Rename node-1"
    assert not session.is_clean
    session.undo()
    assert session.document.devices["node-1"] == before
    assert session.undo_stack.redoText() == "Rename node-1"
    assert session.is_clean
    session.redo()
    assert session.document.devices["node-1"].name == "alpha"


def test_a_refused_edit_leaves_nothing_behind(session: DocumentSession, qtbot: QtBot) -> None:
    clash = replace(session.document.devices["node-1"], name="node-2")
    with qtbot.wait_signal(session.refused) as caught:
        assert not session.apply(Edit("Rename", put=(clash,)))
    assert 'the name "node-2" is taken' in caught.args[0]
    assert session.undo_stack.count() == 0
    assert session.document.revision == 0


def test_one_change_for_each_edit_undo_and_redo(session: DocumentSession) -> None:
    seen: list[int] = []
    session.changed.connect(lambda change: seen.append(change.revision))
    session.apply(MoveDevices("Move node-1", ("node-1",), (5.0,), (6.0,)))
    session.undo()
    session.redo()
    assert seen == [1, 2, 3]
    assert session.document.devices["node-1"].x == 5.0


def test_edits_with_one_key_become_one_step(session: DocumentSession) -> None:
    for x in (1.0, 2.0, 3.0):
        session.apply(MoveDevices("Move node-1", ("node-1",), (x,), (0.0,)), merge="nudge")
    assert session.undo_stack.count() == 1
    session.undo()
    assert session.document.devices["node-1"].x == 120.0
    session.redo()
    assert session.document.devices["node-1"].x == 3.0


def test_removed_elements_leave_the_selection(session: DocumentSession, qtbot: QtBot) -> None:
    session.select(["link-11", "node-1", "nothing-like-it"])
    assert session.selection == ("link-11", "node-1")
    with qtbot.wait_signal(session.selection_changed):
        session.apply(Edit("Delete link", drop=("link-11",)))
    assert session.selection == ("node-1",)
    session.toggle(["node-1", "leaf-1"])
    assert session.selection == ("leaf-1",)


def test_a_workload_is_saved_with_the_drawing_as_one_step(session: DocumentSession) -> None:
    inputs: list[bool] = []
    session.analysis_input_changed.connect(lambda: inputs.append(True))
    assert session.set_workload(Workload(model="llama-3.1-70b", plan=Plan(tp=8)), "Choose a model")
    assert session.workload == Workload(model="llama-3.1-70b", plan=Plan(tp=8))
    assert session.set_workload(Workload(model="llama-3.1-70b", plan=Plan(tp=4)), "Set TP to 4")
    assert len(session.document.workloads) == 1
    assert len(inputs) == 2
    session.undo()
    session.undo()
    assert session.workload is None
    assert session.document.settings.active == ""


def test_moving_never_asks_for_an_analysis(session: DocumentSession) -> None:
    inputs: list[bool] = []
    session.analysis_input_changed.connect(lambda: inputs.append(True))
    session.apply(MoveDevices("Move node-1", ("node-1",), (5.0,), (6.0,)))
    session.apply(Edit("Note", put=(Note(id="n", text="hello"),)))
    assert not inputs


def test_layers_hide_by_network_and_keep_servers(session: DocumentSession) -> None:
    layers = session.layers.put(("network", "compute"), HIDDEN)
    assert layers.shows(session.document.devices["node-1"])
    assert not layers.shows(session.document.devices["leaf-1"])
    assert not layers.shows(session.document.links["link-11"])
