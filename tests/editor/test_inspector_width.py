"""The inspector needs no more than 300 px, however large the figures are."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from tests.editor.made_results import analysis, give_result
from tests.editor.pains.conftest import Desk, bare_window, desk
from topoedit.editor.bar_widgets import FigureRow
from topoedit.editor.widgets import NARROW_NO_BREAK, Section
from topoedit.model.plan import Plan, Workload

__all__ = ["bare_window", "desk"]


def test_large_figures_do_not_widen_a_section(desk: Desk) -> None:
    plan = Plan(tp=8, dp=123_456, global_batch=987_654, seq_len=131_072)
    desk.session.set_workload(Workload(model="llama-3.1-70b", plan=plan), "Set plan")
    plain = analysis()
    parts = [name for name in plain.memory.__struct_fields__ if name.endswith("_bytes")]
    memory = replace(plain.memory, **dict.fromkeys(parts, 1_412.3e9))
    seconds = dict.fromkeys(plain.breakdown_s.__struct_fields__, 98_765.4)
    give_result(
        desk.session,
        memory=memory,
        breakdown_s=replace(plain.breakdown_s, **seconds),
        step_time_s=1_098_765.4,
        tokens_per_s=123_456_789.0,
        tflops_per_gpu=12_345.0,
    )
    for selected in ((), ("node-1",), ("link-11",), ("rack-1",), ("node-1", "leaf-1")):
        desk.session.select(selected)
        for key in ("properties", "plan", "analysis"):
            desk.window.show_panel(key)
            QApplication.processEvents()
            for section in desk.window.sides.inspector.findChildren(Section):
                wide = section.minimumSizeHint().width()
                assert wide <= 300, (selected, key, section.header.text(), wide)


def test_small_figures_stand_in_two_columns(desk: Desk) -> None:
    desk.session.set_workload(Workload(model="llama-3.1-70b", plan=Plan()), "Set plan")
    give_result(desk.session)
    desk.window.show_panel("plan")
    desk.window.sides.inspector.plan.flush()
    QApplication.processEvents()
    rows = desk.window.sides.inspector.plan.memory.findChildren(FigureRow)
    assert len({row.x() for row in rows}) == 2


def test_numbers_stay_whole_at_the_end_of_a_line(desk: Desk) -> None:
    desk.session.set_workload(Workload(model="llama-3.1-70b", plan=Plan()), "Set plan")
    give_result(desk.session, tokens_per_s=1_234_567.0)
    desk.window.sides.inspector.plan.flush()
    said = desk.window.sides.inspector.plan.step._under_time.text()
    assert said == f"1{NARROW_NO_BREAK}234{NARROW_NO_BREAK}567 tokens/s"
