"""One line on what a change did to the step, and why."""

from __future__ import annotations

from functools import lru_cache

import pytest
from msgspec.structs import replace

from topoedit import paths
from topoedit.app.analyse import analyse_document
from topoedit.app.change_words import explain_change, plan_words, signed
from topoedit.app.open import open_document
from topoedit.catalog.load import load_catalog
from topoedit.model.analysis import Analysis, Unreachable
from topoedit.model.edits import Edit
from topoedit.model.plan import Plan, Workload
from topoedit.units import format_seconds


@lru_cache(maxsize=16)
def analysed(model: str = "llama-3.1-70b", **plan: object) -> tuple[Workload, Analysis]:
    document = open_document(paths.samples() / "pod64-h100.topo.json", load_catalog()).document
    workload = Workload(model=model, plan=Plan(**plan))
    return workload, analyse_document(document, workload).analysis


def line(before: tuple[Workload, Analysis], after: tuple[Workload, Analysis]) -> str:
    results = (before[1], after[1])
    return explain_change(*results).line(plan_words(before[0], after[0], results))


def test_tensor_parallelism_that_comes_back_into_the_server() -> None:
    """TP 16 needs two servers of 8; TP 8 leaves NVLink no more: its time falls most."""
    before, after = (
        analysed(tp=16, pp=2, global_batch=64), analysed(tp=8, pp=2, global_batch=64)
    )  # fmt: skip
    found = explain_change(before[1], after[1])
    saved = after[1].breakdown_s.tp - before[1].breakdown_s.tp
    assert saved < -1
    assert found.reasons[0] == f"TP {signed(saved)}, stays in the scale-up network"
    assert found.clear
    assert found.seconds == after[1].step_time_s - before[1].step_time_s
    was, now = before[1].step_time_s, after[1].step_time_s
    times = f"{format_seconds(was)} → {format_seconds(now)} ({signed(now - was)})"
    assert line(before, after).startswith(f"TP 16 → 8, DP 2 → 4: step {times}: TP −")
    back = explain_change(after[1], before[1])
    assert back.reasons[0] == f"TP {signed(-saved)}, now crosses the network"


def test_a_difference_within_the_interval_is_no_clear_one() -> None:
    before = analysed(tp=8, pp=2, global_batch=64)
    after = analysed(tp=8, pp=2, vpp=2, global_batch=64)
    found = explain_change(before[1], after[1])
    interval = before[1].interval
    assert interval.low_s < after[1].step_time_s < interval.high_s
    assert not found.clear
    assert "within the interval: no clear difference" in found.effect
    assert found.reasons == (
        f"bubble {signed(after[1].breakdown_s.bubble - before[1].breakdown_s.bubble)}",
    )


def test_bubble_says_stages_and_micro_batches() -> None:
    before, after = analysed(tp=8, pp=2, global_batch=64), analysed(tp=8, pp=4, global_batch=64)
    reason = next(r for r in explain_change(before[1], after[1]).reasons if r.startswith("bubble"))
    assert reason.endswith("16 micro-batches on 2 stages → 32 micro-batches on 4 stages")


def test_recompute_and_the_traffic_that_it_brings() -> None:
    """Full recomputation repeats the forward pass with its TP calls."""
    before = analysed(tp=8, pp=2, global_batch=64)
    after = analysed(tp=8, pp=2, global_batch=64, recompute="full")
    text = line(before, after)
    assert text.startswith("recompute none → full: step ")
    assert f"recompute {signed(after[1].breakdown_s.recompute)}" in text
    assert "× the bytes" in text


def test_steps_of_unlike_tokens_are_compared_by_tokens_a_second() -> None:
    before, after = analysed(tp=8, global_batch=64), analysed(tp=8, global_batch=128)
    found = explain_change(before[1], after[1])
    assert "tokens/s" in found.effect
    assert found.seconds > 0
    gain = after[1].tokens_per_s / before[1].tokens_per_s - 1
    assert f"(+{100 * gain:.1f}" in found.effect.replace("\u2009", "")
    assert plan_words(before[0], after[0]) == "global batch 64 → 128"


def test_the_same_result_stays_the_same() -> None:
    """No link between leaf and spine carries anything here, so that a spine less costs nothing."""
    document = open_document(paths.samples() / "pod64-h100.topo.json", load_catalog()).document
    workload = Workload(model="llama-3.1-70b", plan=Plan(tp=8, pp=2))
    before = analyse_document(document, workload).analysis
    spine = next(d.id for d in document.devices.values() if d.kind == "spine")
    links = [x.id for x in document.links.values() if spine in (x.a.device, x.b.device)]
    document.apply(Edit("Delete", drop=(spine, *links)))
    after = analyse_document(document, workload).analysis
    assert explain_change(before, after).line("spine-1 removed") == (
        f"spine-1 removed: step stays at {format_seconds(before.step_time_s)}"
    )


def test_a_lost_path_and_full_memory_come_first() -> None:
    before = analysed(tp=8, pp=2)[1]
    worse = replace(
        before,
        unreachable=Unreachable(12, 1e9, "a to b"),
        memory=replace(before.memory, risk="no"),
    )
    assert explain_change(before, worse).reasons[:2] == (
        "12 pairs of GPUs have no path",
        "no longer fits the memory",
    )
    assert explain_change(worse, before).reasons[:2] == (
        "every pair of GPUs has a path again",
        "memory now fits",
    )


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({"tp": 4}, {"tp": 8, "pp": 2}, "TP 4 → 8, PP 1 → 2"),
        ({"pxn": True}, {"pxn": False}, "PXN on → off"),
        ({}, {"algorithms": {"TP": "nvls"}}, "algorithms automatic → TP nvls"),
        ({"seq_len": 8192}, {"seq_len": 131072}, "sequence 8\u2009192 → 131\u2009072"),
        ({"dp": 4}, {}, "DP 4 → automatic"),
        ({}, {}, ""),
    ],
)
def test_plans_are_told_apart_by_their_fields(
    before: dict[str, object], after: dict[str, object], words: str
) -> None:
    made = [Workload(model="m", plan=Plan(**fields)) for fields in (before, after)]
    assert plan_words(*made) == words


def test_another_model_is_named() -> None:
    assert plan_words(Workload(model="a"), Workload(model="b")) == "a → b"
