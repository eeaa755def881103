"""A step on the time axis: it adds up to the analysis, second by second."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from topoedit import paths
from topoedit.app.analyse import analyse_fabric
from topoedit.app.open import open_document
from topoedit.catalog.load import load_catalog
from topoedit.engine.analyse import Result
from topoedit.engine.compile import compile_fabric
from topoedit.engine.edge_index import edge_index
from topoedit.engine.timeline import timeline
from topoedit.engine.timeline_types import KINDS, PARTS, Pace, Timeline
from topoedit.model.plan import Plan, Workload

LLAMA, MIXTRAL = "llama-3.1-70b", "mixtral-8x7b"
PLANS: list[tuple[str, dict[str, Any]]] = [
    (LLAMA, {"tp": 8, "pp": 2}),
    (LLAMA, {"tp": 2, "pp": 8}),
    (LLAMA, {"tp": 2, "pp": 8, "vpp": 5}),
    (LLAMA, {"tp": 2, "pp": 8, "schedule": "zb"}),
    (LLAMA, {"tp": 2, "pp": 8, "schedule": "dualpipe"}),
    (LLAMA, {"tp": 2, "pp": 8, "schedule": "afab", "recompute": "full"}),
    (LLAMA, {"tp": 8, "pp": 1, "zero": 3}),
    (LLAMA, {"tp": 8, "pp": 1, "zero": 0, "cp": 2}),
    (LLAMA, {"tp": 8, "pp": 8, "global_batch": 3}),
    (MIXTRAL, {"tp": 1, "pp": 4, "ep": 8}),
    ("llama-3.1-405b", {"tp": 8, "pp": 8}),
]


@lru_cache(maxsize=1)
def _fabric() -> Any:
    opened = open_document(paths.samples() / "pod64-h100.topo.json", load_catalog(user=False))
    return compile_fabric(opened.document), opened.document.catalog


def analysed(model: str, plan: dict[str, Any]) -> tuple[Result, Timeline]:
    fabric, catalog = _fabric()
    result = analyse_fabric(fabric, Workload(model=model, plan=Plan(**plan)), catalog)
    return result, timeline(result.findings)


@pytest.mark.parametrize(("model", "plan"), PLANS, ids=str)
def test_the_critical_stage_adds_up_to_the_step_kind_by_kind(
    model: str, plan: dict[str, Any]
) -> None:
    result, made = analysed(model, plan)
    spent, stage = result.analysis.breakdown_s, made.critical
    assert made.step_time == result.analysis.step_time_s
    assert made.seconds_of(stage, "idle") == pytest.approx(spent.bubble, rel=1e-9, abs=1e-9)
    for kind in ("optimizer", "other", "pp"):
        assert made.seconds_of(stage, kind) == pytest.approx(getattr(spent, kind), abs=1e-9)
    for part in ("tp", "cp", "ep", "dp", "wan"):
        inside = made.part_seconds(stage, part) + made.seconds_of(stage, part)
        assert inside == pytest.approx(getattr(spent, part), rel=1e-9, abs=1e-9)
    assert made.part_seconds(stage, "compute") == pytest.approx(spent.compute)
    assert made.part_seconds(stage, "recompute") == pytest.approx(spent.recompute, abs=1e-9)


@pytest.mark.parametrize(("model", "plan"), PLANS, ids=str)
def test_every_stage_fills_the_step_without_holes_or_overlaps(
    model: str, plan: dict[str, Any]
) -> None:
    result, made = analysed(model, plan)
    spans = made.spans
    for stage in range(len(made.stages)):
        own = spans.stage == stage
        start, end = spans.start[own], spans.end[own]
        assert start[0] == pytest.approx(0.0, abs=1e-6)
        assert end[-1] == pytest.approx(made.step_time)
        assert start[1:] == pytest.approx(end[:-1], abs=1e-6)
        assert (end > start).all()
        waits = made.seconds_of(stage, "idle")
        assert waits >= result.analysis.breakdown_s.bubble - 1e-6


@pytest.mark.parametrize(("model", "plan"), PLANS, ids=str)
def test_phases_are_the_communication_of_the_analysis(model: str, plan: dict[str, Any]) -> None:
    result, made = analysed(model, plan)
    told: dict[str, list[float]] = {}
    for row in result.analysis.communication:
        both = told.setdefault(row.class_, [0.0, 0.0])
        both[0] += row.time_s
        both[1] += row.exposed_s
    for class_, (seconds, exposed) in told.items():
        some = [phase for phase in made.phases if phase.class_ == class_]
        assert sum(phase.seconds for phase in some) == pytest.approx(seconds)
        assert sum(phase.exposed for phase in some) == pytest.approx(exposed)
    for phase in made.phases:
        assert phase.exposed <= phase.seconds + 1e-12
        assert all(0 <= share <= 1 for share in phase.bare)
        for start, end in phase.spans:
            assert 0 <= start < end <= made.step_time * (1 + 1e-9)


def test_gradients_go_before_the_update_and_parameters_after() -> None:
    _, made = analysed(LLAMA, {"tp": 8, "pp": 2})
    titles = {phase.title: phase for phase in made.phases}
    reduce = titles["DP reduce-scatter, gradients"]
    gather = titles["DP all-gather, parameters"]
    spans = made.spans
    update = spans.start[(spans.kind == KINDS.index("optimizer")) & (spans.stage == 0)]
    assert reduce.spans[-1][1] == pytest.approx(float(update[0]))
    assert gather.spans[-1][0] > float(update[0])
    assert gather.spans[0][0] == 0.0  # what is hidden runs under the next step's first pass
    assert reduce.bare == gather.bare == (0.0, 1.0)
    assert titles["TP all-gather"].bare == (
        pytest.approx(titles["TP all-gather"].exposed / titles["TP all-gather"].seconds),
    )
    hidden = reduce.spans[0][1] - reduce.spans[0][0]
    assert hidden == pytest.approx(reduce.seconds - reduce.exposed)


@pytest.mark.parametrize(("model", "plan"), PLANS, ids=str)
def test_the_loads_of_all_phases_together_are_the_phase_share(
    model: str, plan: dict[str, Any]
) -> None:
    result, made = analysed(model, plan)
    figures = result.figures
    by_class = dict(zip(figures.classes, figures.bytes, strict=True))
    slow = edge_index(result.fabric).plain
    shares = [made.pace.share(name, by_class, slow) for name in figures.classes]
    most = np.maximum(np.max(shares, axis=0), figures.utilisation)
    assert most == pytest.approx(figures.phase_share, rel=1e-6, abs=1e-9)


def test_the_share_of_a_class_by_hand() -> None:
    """30 GB in 2 s over 50 GB/s is 30 %; half of 8 GB of others beside it makes 34 %."""
    alone = Pace({"DP": 2.0, "TP": 1.0})
    by_class = {"DP": np.array([30e9, 0.0]), "TP": np.array([8e9, 60e9])}
    slow = np.full(2, 1 / 50e9)
    assert alone.share("DP", by_class, slow) == pytest.approx([0.3, 0.0])
    assert alone.share("TP", by_class, slow) == pytest.approx([0.16, 1.0])
    assert alone.share("PP", by_class | {"PP": np.ones(2)}, slow) == pytest.approx([0, 0])
    beside = Pace({"DP": 2.0, "TP": 1.0}, ("DP",), 0.5)
    assert beside.share("DP", by_class, slow) == pytest.approx([0.34, 0.0])


@pytest.mark.parametrize("plan", [{"tp": 8, "pp": 2}, {"tp": 4, "zero": 3}], ids=str)
def test_traffic_between_sites_has_its_own_name(plan: dict[str, Any]) -> None:
    opened = open_document(paths.samples() / "two-sites.topo.json", load_catalog(user=False))
    fabric, workload = compile_fabric(opened.document), Workload(model=LLAMA, plan=Plan(**plan))
    result = analyse_fabric(fabric, workload, opened.document.catalog)
    made, spent = timeline(result.findings), result.analysis.breakdown_s
    assert spent.wan > 0
    for kind in ("wan", "dp", "pp"):
        inside = made.part_seconds(made.critical, kind) if kind != "pp" else 0.0
        assert inside + made.seconds_of(made.critical, kind) == pytest.approx(
            getattr(spent, kind), abs=1e-9
        )
    assert "WAN" in {phase.class_ for phase in made.phases}


def test_many_micro_batches_are_drawn_as_fewer_longer_ones() -> None:
    _, made = analysed(LLAMA, {"tp": 1, "pp": 8, "global_batch": 16_384})
    assert made.batches == 2048
    assert made.drawn == 375
    assert len(made.spans.start) < 12_500
    assert made.seconds_of(made.critical, "idle") > 0


def test_the_light_stages_wait_for_the_critical_one() -> None:
    """70B on two stages: 40 layers each, the head on the last one, which is critical."""
    _, made = analysed(LLAMA, {"tp": 8, "pp": 2})
    assert made.critical == 1
    assert made.seconds_of(0, "idle") > made.seconds_of(1, "idle")
    assert made.shares.shape == (2, 3, len(PARTS))
    assert made.shares[:, :2].sum(axis=2) == pytest.approx(np.ones((2, 2)))
