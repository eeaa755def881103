"""The plan: product line, nearest valid, undo steps, what the engine would refuse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from topoedit.editor.panels.plan import PlanPanel
from topoedit.editor.plan_words import batch_of, nearest, product, sequence_of
from topoedit.editor.session import DocumentSession
from topoedit.editor.theming import Theming
from topoedit.model.plan import Plan

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
    assert panel.tokens_line.text() == "512 sequences = 4\u2009194\u2009304 tokens a step"
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
