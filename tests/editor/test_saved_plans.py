"""Several saved plans in one drawing: choose, copy, rename and delete, each one step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from topoedit.app.report import active_workload
from topoedit.catalog.catalog import Catalog
from topoedit.editor import saved_plans
from topoedit.editor.panels.plan import PlanPanel
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.editor.window import MainWindow
from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.elements import SavedWorkload, Settings
from topoedit.model.plan import Plan, Workload

MODEL = "llama-3.1-70b"


def saved(workload_id: str, name: str, tp: int) -> SavedWorkload:
    return SavedWorkload(
        id=workload_id, name=name, workload=Workload(model=MODEL, plan=Plan(tp=tp))
    )


@pytest.fixture
def two(session: DocumentSession) -> DocumentSession:
    """The small drawing with two plans, the first in use."""
    session.set_workload(Workload(model=MODEL, plan=Plan(tp=8)), "Choose")
    active = session.document.settings.active
    session.apply(saved_plans.rename(session.document, active, "Wide"))
    session.apply(saved_plans.copy(session.document, active))
    session.apply(saved_plans.rename(session.document, session.document.settings.active, "Narrow"))
    session.set_workload(Workload(model=MODEL, plan=Plan(tp=2)), "Set TP to 2")
    session.apply(saved_plans.activate(session.document, active))
    return session


@pytest.fixture
def panel(qtbot: QtBot, theming: Theming, two: DocumentSession) -> Iterator[PlanPanel]:
    made = PlanPanel(theming)
    made.resize(320, 900)
    qtbot.addWidget(made)
    made.set_session(two)
    made.show()
    yield made
    made.set_session(None)


def names(session: DocumentSession) -> list[str]:
    return [plan.name for plan in saved_plans.saved_plans(session.document)]


def test_a_drawing_without_a_plan_shows_no_switcher(
    qtbot: QtBot, theming: Theming, session: DocumentSession
) -> None:
    panel = PlanPanel(theming)
    qtbot.addWidget(panel)
    panel.set_session(session)
    panel.show()
    assert not panel.switcher.isVisible()
    session.set_workload(Workload(model=MODEL, plan=Plan()), "Choose")
    assert panel.switcher.isVisible()
    session.undo()
    assert not panel.switcher.isVisible()
    panel.set_session(None)


def test_choosing_another_plan_is_one_step_and_shows_its_sizes(
    panel: PlanPanel, two: DocumentSession, qtbot: QtBot
) -> None:
    assert panel.switcher.picker.title == "Wide"
    assert panel.sizes["tp"].value() == 8
    steps = two.undo_stack.count()
    panel.switcher.picker.click()
    assert panel.switcher.picker.popup.texts() == ["Narrow", "Wide"]
    qtbot.keyClicks(panel.switcher.picker.popup.search, "narrow")
    with qtbot.waitSignal(two.analysis_input_changed):
        qtbot.keyClick(panel.switcher.picker.popup.search, Qt.Key.Key_Return)
    assert two.undo_stack.count() == steps + 1
    assert two.undo_stack.undoText() == "Use Narrow"
    assert panel.sizes["tp"].value() == 2
    assert active_workload(two.document)[1] == 'The plan is the drawing\'s own, "Narrow".'
    two.undo()
    assert panel.switcher.picker.title == "Wide"
    assert panel.sizes["tp"].value() == 8


def test_a_new_plan_is_a_copy_that_leaves_the_first_as_it_was(
    panel: PlanPanel, two: DocumentSession
) -> None:
    panel.switcher.new.click()
    assert panel.switcher.picker.title == "Wide 2"
    panel.sizes["tp"].setValue(4)
    by_name = {plan.name: plan.workload.plan.tp for plan in two.document.workloads.values()}
    assert by_name == {"Wide": 8, "Narrow": 2, "Wide 2": 4}
    two.undo()
    two.undo()
    assert names(two) == ["Narrow", "Wide"]
    assert panel.switcher.picker.title == "Wide"


def test_a_name_is_typed_in_place_and_esc_leaves_it(
    panel: PlanPanel, two: DocumentSession, qtbot: QtBot
) -> None:
    panel.switcher.rename()
    assert panel.switcher.name.isVisible()
    qtbot.keyClicks(panel.switcher.name, "TP8 base")
    qtbot.keyClick(panel.switcher.name, Qt.Key.Key_Return)
    assert not panel.switcher.name.isVisible()
    assert two.undo_stack.undoText() == "Rename Wide to TP8 base"
    assert panel.switcher.picker.title == "TP8 base"
    panel.switcher.rename()
    qtbot.keyClicks(panel.switcher.name, "other")
    qtbot.keyClick(panel.switcher.name, Qt.Key.Key_Escape)
    assert names(two) == ["Narrow", "TP8 base"]
    assert not panel.switcher.name.isVisible()


def test_a_name_that_is_taken_is_refused_in_one_line(
    panel: PlanPanel, two: DocumentSession, qtbot: QtBot
) -> None:
    panel.switcher.rename()
    qtbot.keyClicks(panel.switcher.name, "Narrow")
    with qtbot.waitSignal(two.refused) as told:
        qtbot.keyClick(panel.switcher.name, Qt.Key.Key_Return)
    assert told.args[0].startswith("Narrow: another plan has this name")
    assert names(two) == ["Narrow", "Wide"]


def test_deleting_the_plan_in_use_takes_its_neighbour(
    panel: PlanPanel, two: DocumentSession
) -> None:
    panel.switcher.delete()
    assert names(two) == ["Narrow"]
    assert panel.switcher.picker.title == "Narrow"
    assert two.undo_stack.undoText() == "Delete plan Wide"
    panel.switcher.delete()
    assert two.workload is None
    assert not panel.switcher.isVisible()
    two.undo()
    two.undo()
    assert names(two) == ["Narrow", "Wide"]
    assert panel.sizes["tp"].value() == 8


def test_a_plan_put_aside_is_there_again_in_the_list(
    panel: PlanPanel, two: DocumentSession
) -> None:
    from msgspec.structs import replace

    from topoedit.model.edits import Edit

    two.apply(Edit("Remove plan", put=(replace(two.document.settings, active=""),)))
    assert panel.switcher.isVisible()
    assert panel.switcher.picker.title == "No plan in use"
    assert not panel.switcher.new.isEnabled()
    panel.switcher.picker.picked.emit(saved_plans.saved_plans(two.document)[0].id)
    assert two.workload == Workload(model=MODEL, plan=Plan(tp=2))


def test_a_name_given_by_a_person_stays_with_another_model(two: DocumentSession) -> None:
    two.set_workload(Workload(model="other", plan=Plan()), "Choose other")
    assert two.saved_workload is not None
    assert two.saved_workload.name == "Wide"


def test_the_menu_goes_on_to_the_next_plan(drawn: MainWindow) -> None:
    session = drawn.session
    assert session is not None
    assert not drawn.actions_["plan.next"].isEnabled()
    session.set_workload(Workload(model=MODEL, plan=Plan(tp=8)), "Choose")
    assert not drawn.actions_["plan.next"].isEnabled()
    drawn.actions_["plan.copy"].trigger()
    assert session.saved_workload is not None
    assert session.saved_workload.name == f"{MODEL} 2"
    assert drawn.actions_["plan.next"].isEnabled()
    drawn.actions_["plan.next"].trigger()
    assert session.saved_workload.name == MODEL
    drawn.actions_["plan.delete"].trigger()
    assert names(session) == [f"{MODEL} 2"]
    assert not drawn.actions_["plan.next"].isEnabled()


@given(st.lists(st.sampled_from(["copy", "delete", "next", "rename"]), max_size=12))
def test_any_row_of_steps_keeps_names_apart_and_the_plan_in_use_real(steps: list[str]) -> None:
    document = Document(Catalog(), [saved("w", "Plan", 8), Settings(id="document", active="w")])
    undo = []
    for number, step in enumerate(steps):
        active = document.settings.active
        if not active:
            break
        ids = [plan.id for plan in saved_plans.saved_plans(document)]
        edit = {
            "copy": lambda: saved_plans.copy(document, active),  # noqa: B023
            "delete": lambda: saved_plans.delete(document, active),  # noqa: B023
            "next": lambda: saved_plans.activate(document, ids[-1]),  # noqa: B023
            "rename": lambda: saved_plans.rename(document, active, f"n {number}"),  # noqa: B023
        }[step]()
        if not edit.is_empty:
            undo.append(document.apply(edit))
        found = [plan.name for plan in document.workloads.values()]
        assert len(set(found)) == len(found)
        assert document.settings.active in document.workloads or not found
    for inverse in reversed(undo):
        document.apply(inverse)
    assert [plan.name for plan in document.workloads.values()] == ["Plan"]


@pytest.mark.parametrize(("name", "words"), [("  ", "needs a name"), ("x" * 81, "too long")])
def test_names_that_cannot_be_are_refused(name: str, words: str) -> None:
    document = Document(Catalog(), [saved("w", "Plan", 8), Settings(id="document", active="w")])
    with pytest.raises(BadInputError, match=words):
        saved_plans.rename(document, "w", name)
    with pytest.raises(BadInputError, match="no such plan"):
        saved_plans.delete(document, "gone")
