"""The plan: product line, nearest valid, undo steps, what the engine would refuse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from topoedit.editor.engine_state import EngineState
from topoedit.editor.panels.bottlenecks import BottlenecksPanel
from topoedit.editor.panels.plan import PlanPanel
from topoedit.editor.plan_words import (
    as_said,
    batch_of,
    mended,
    nearest,
    product,
    refusal_of,
    sequence_of,
)
from topoedit.editor.session import DocumentSession
from topoedit.editor.status_bar import StatusBar
from topoedit.editor.theming import Theming
from topoedit.model.plan import Plan, Workload

from .analysed import whole_catalog
from .made_results import give_result


@pytest.fixture
def panel(qtbot: QtBot, theming: Theming, session: DocumentSession) -> PlanPanel:
    made = PlanPanel(theming)
    made.resize(320, 900)
    qtbot.addWidget(made)
    made.set_session(session)
    made.show()
    yield made
    made.set_session(None)


def choose_model(panel: PlanPanel, qtbot: QtBot) -> None:
    panel.model.click()
    qtbot.keyClicks(panel.model.popup.search, "70b")
    qtbot.keyClick(panel.model.popup.search, Qt.Key.Key_Return)


def set_size(panel: PlanPanel, qtbot: QtBot, name: str, text: str) -> None:
    spin = panel.sizes[name]
    spin.setFocus()
    spin.selectAll()
    qtbot.keyClicks(spin, text)
    qtbot.keyClick(spin, Qt.Key.Key_Return)


def test_a_model_is_found_by_typing(panel: PlanPanel, qtbot: QtBot) -> None:
    assert panel.hint.isVisible()
    choose_model(panel, qtbot)
    assert panel.session is not None
    assert panel.session.workload is not None
    assert panel.session.workload.model == "llama-3.1-70b"
    assert panel.model.title == "Llama 3.1 70B"
    assert not panel.hint.isVisible()
    assert panel.session.undo_stack.undoText() == "Choose Llama 3.1 70B"


def test_the_product_is_shown_at_once(panel: PlanPanel, qtbot: QtBot) -> None:
    choose_model(panel, qtbot)
    set_size(panel, qtbot, "tp", "8")
    assert panel.product_line.text() == "8 × 1 × 1 × 2 = 16 GPUs in use, 0 idle"
    set_size(panel, qtbot, "dp", "1")
    assert panel.product_line.text() == "8 × 1 × 1 × 1 = 8 GPUs in use, 8 idle"
    assert panel.product_line.property("role") == "good"
    assert not panel.mend.isVisible()


def test_too_many_gpus_are_red_and_the_nearest_is_one_click_away(
    panel: PlanPanel, qtbot: QtBot
) -> None:
    choose_model(panel, qtbot)
    set_size(panel, qtbot, "tp", "8")
    set_size(panel, qtbot, "dp", "5")
    assert panel.product_line.text() == "8 × 1 × 1 × 5 = 40 GPUs, 24 more than there are"
    assert panel.product_line.property("role") == "bad"
    assert panel.mend.text() == "Use DP 2"
    panel.mend.click()
    assert panel.product_line.text() == "8 × 1 × 1 × 2 = 16 GPUs in use, 0 idle"
    assert panel.session is not None
    assert panel.session.undo_stack.undoText() == "Use DP 2"


def test_typing_a_number_is_one_step_to_undo(panel: PlanPanel, qtbot: QtBot) -> None:
    choose_model(panel, qtbot)
    assert panel.session is not None
    steps = panel.session.undo_stack.count()
    set_size(panel, qtbot, "global_batch", "512")
    assert panel.session.undo_stack.count() == steps + 1
    assert panel.session.workload.plan.global_batch == 512
    assert panel.tokens_line.text() == "512 sequences = 4\u202f194\u202f304 tokens a step"
    panel.session.undo()
    assert panel.sizes["global_batch"].value() == 0
    assert panel.sizes["global_batch"].text() == "auto 64"


def test_a_plan_that_cannot_exist_says_why(panel: PlanPanel, qtbot: QtBot) -> None:
    choose_model(panel, qtbot)
    set_size(panel, qtbot, "tp", "3")
    assert "does not divide the 64 heads" in panel.refusal.text()
    set_size(panel, qtbot, "tp", "8")
    assert panel.refusal.text() == ""


def test_options_are_steps_in_words(panel: PlanPanel, qtbot: QtBot) -> None:
    choose_model(panel, qtbot)
    combo = panel.options["recompute"]
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert panel.session is not None
    assert panel.session.workload.plan.recompute == "selective"
    assert panel.session.undo_stack.undoText() == "Set recompute to Selective"


def test_step_time_interval_and_memory_are_shown(panel: PlanPanel, qtbot: QtBot) -> None:
    choose_model(panel, qtbot)
    assert panel.session is not None
    give_result(panel.session)
    panel.flush()
    assert panel.step.time.plain == "2.00 s"
    assert panel.step.mfu.plain == "41.0 % MFU"
    assert panel.step.interval.text() == "80 % interval 1.80 s to 2.30 s"
    assert [part.name for part in panel.step.bar.parts] == ["Compute", "TP", "Bubble"]
    assert panel.memory_line.text() == "Fits: 16.0 GB free on stage 0, the fullest"
    assert panel.memory.note.text() == "64.0 of 80.0 GB"


@given(
    tp=st.integers(1, 64), pp=st.integers(1, 64), cp=st.integers(1, 16),
    dp=st.none() | st.integers(1, 512), gpus=st.integers(1, 4096),
)  # fmt: skip
def test_the_nearest_plan_fits_and_a_fitting_one_stays(
    tp: int, pp: int, cp: int, dp: int | None, gpus: int
) -> None:
    plan = Plan(tp=tp, pp=pp, cp=cp, dp=dp)
    found = product(plan, gpus)
    better = nearest(plan, gpus)
    if found.fits:
        assert better is None
        idle = found.words.split(", ")[1].removesuffix(" idle")
        assert found.used + int(idle.replace("\u2009", "")) == gpus
    else:
        assert better is not None
        assert product(better[0], gpus).fits


def test_defaults_are_those_of_the_engine() -> None:
    plan = Plan(tp=8, pp=2, micro_batch=2)
    assert product(plan, 64).dp == 4
    assert batch_of(plan, 64) == 4 * 2 * 4 * 2
    assert sequence_of(plan, 131072) == 8192
    assert sequence_of(plan, 4096) == 4096
    assert sequence_of(Plan(seq_len=100), 4096) == 100


@given(
    tp=st.integers(1, 32), pp=st.integers(1, 32), cp=st.integers(1, 16),
    dp=st.none() | st.integers(1, 64), batch=st.none() | st.integers(1, 512),
    gpus=st.integers(1, 512),
)  # fmt: skip
def test_the_offered_plan_is_one_that_the_engine_takes(
    tp: int, pp: int, cp: int, dp: int | None, batch: int | None, gpus: int
) -> None:
    llm = whole_catalog().model("llama-3.1-70b")
    plan = Plan(tp=tp, pp=pp, cp=cp, dp=dp, global_batch=batch)
    better = mended(plan, gpus, llm)
    if not refusal_of(plan, llm, gpus):
        assert better is None
    elif better is not None:
        assert refusal_of(better[0], llm, gpus) == ""
        assert product(better[0], gpus).fits


def test_a_context_that_does_not_divide_the_sequence_is_mended() -> None:
    llm = whole_catalog().model("llama-3.1-70b")
    plan = Plan(tp=8, pp=2, cp=12, seq_len=8192)
    better = mended(plan, 64, llm)
    assert better is not None
    assert (better[0].tp, better[0].pp, better[0].cp) == (8, 2, 4)
    assert better[1] == "Use CP 4"


def test_refusals_name_sizes_as_the_panel_does() -> None:
    llm = whole_catalog().model("llama-3.1-70b")
    said = refusal_of(Plan(cp=3, seq_len=8192), llm, 8)
    assert said == (
        "CP 3 does not divide the sequence of 8\u2009192 tokens. Nearest that work: 2, 4"
    )
    assert as_said("vpp 2 needs a pipeline. Use --pp 2 or more, or vpp 1") == (
        "VPP 2 needs a pipeline. Use PP 2 or more, or VPP 1"
    )


def test_the_product_groups_its_numbers() -> None:
    words = product(Plan(tp=1, dp=10_232), 10_240).words
    assert words == "1 × 1 × 1 × 10\u2009232 = 10\u2009232 GPUs in use, 8 idle"


def test_the_box_of_dp_has_room_for_what_it_says(panel: PlanPanel, qtbot: QtBot) -> None:
    choose_model(panel, qtbot)
    spin = panel.sizes["dp"]
    spin.show_value(None, 10_232)
    panel.show()
    QApplication.processEvents()
    line = spin.lineEdit()
    assert spin.text() == "auto 10\u2009232"
    margins = line.textMargins()
    room = line.contentsRect().width() - margins.left() - margins.right()
    assert room >= line.fontMetrics().horizontalAdvance(spin.text())


def test_a_refused_plan_says_nothing_of_memory_and_time(
    panel: PlanPanel, qtbot: QtBot, theming: Theming
) -> None:
    choose_model(panel, qtbot)
    session = panel.session
    assert session is not None
    status = StatusBar(theming)
    qtbot.addWidget(status)
    status.set_session(session)
    give_result(session)
    panel.flush()
    assert panel.memory_line.isVisible()
    assert status.text_of("Step")
    set_size(panel, qtbot, "tp", "3")
    session.set_analysis_state(EngineState("refused", why="tp 3 does not divide the heads"))
    panel.flush()
    assert not panel.memory_line.isVisible()
    assert panel.step.graphicsEffect() is not None
    assert [status.text_of(name) for name in ("Step", "MFU", "Memory")] == ["", "", ""]
    status.set_session(None)


def test_bottlenecks_say_that_the_engine_works(
    qtbot: QtBot, theming: Theming, session: DocumentSession
) -> None:
    made = BottlenecksPanel(theming)
    qtbot.addWidget(made)
    made.set_session(session)
    made.refresh()
    assert made._empty.text() == "No result yet: choose a model in the plan."
    session.set_workload(Workload(model="llama-3.1-70b", plan=Plan()), "Choose Llama 3.1 70B")
    made.refresh()
    assert made._empty.text() == "Working it out…"
    made.set_session(None)
