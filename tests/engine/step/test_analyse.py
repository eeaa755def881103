"""A whole analysis: bytes, figures, seconds and what is said about them."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.engine.step.cases import catalog, fabric, llm, pod, run
from topoedit.app.open import open_document
from topoedit.engine.analyse import AnalyseOptions, analyse
from topoedit.engine.compile import compile_fabric
from topoedit.engine.linkloads import link_arrays
from topoedit.engine.types import Fabric, Tier
from topoedit.errors import BadPlanError, CancelledError
from topoedit.model.analysis import Analysis
from topoedit.model.plan import Plan, Workload
from topoedit.paths import samples

SAMPLES = sorted(set(samples().glob("*.topo.json")) - {samples() / "laplink.topo.json"})
DENSE = [
    {"tp": 8},
    {"tp": 8, "pp": 2, "recompute": "full"},
    {"tp": 2, "pp": 2, "vpp": 2, "cp": 2, "micro_batch": 2},
    {"tp": 1, "zero": 3, "stack": "fsdp-compile", "recompute": "selective"},
    {"tp": 4, "zero": 0, "stack": "megatron", "precision": "fp16", "seq_len": 2048},
]
MOE = [{"tp": 2, "ep": 4}, {"pp": 2, "ep": 4, "cp": 2}, {"tp": 2, "ep": 2, "etp": 2, "zero": 3}]


def _check(record: Analysis) -> None:
    assert record.breakdown_s.total() == record.step_time_s
    assert all(v >= 0 for v in msgspec.structs.astuple(record.breakdown_s))
    assert record.interval.low_s < record.step_time_s < record.interval.high_s
    assert 0 < record.mfu_causal <= record.mfu <= record.hfu < 1
    for row in record.communication:
        assert 0 <= row.exposed_s <= row.time_s * (1 + 1e-9) + 1e-9, row
    exposed = sum(row.exposed_s for row in record.communication)
    parts = record.breakdown_s
    named = parts.tp + parts.cp + parts.ep + parts.pp + parts.dp + parts.wan
    assert exposed == pytest.approx(named, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.name.partition(".")[0])
@pytest.mark.parametrize("plan", [*DENSE, *MOE], ids=str)
def test_figures_hold_on_every_sample_and_plan(path: Path, plan: dict[str, object]) -> None:
    drawing = compile_fabric(open_document(path, catalog()).document)
    model = "mixtral-8x7b" if "ep" in plan else "llama3-8b"
    needed = 2 * math.prod(int(plan.get(axis, 1)) for axis in ("tp", "pp", "cp"))
    if needed > len(drawing.gpus):
        with pytest.raises(BadPlanError, match="needs"):
            run(drawing, model, dp=2, **plan)
        return
    result = run(drawing, model, dp=2, **plan)
    _check(result.analysis)
    figures = result.figures
    for share in (figures.utilisation, figures.phase_share):
        known = share[~np.isnan(share)]
        assert known.max() <= 1 + 1e-12
        assert known.min() >= 0
    assert np.isfinite(figures.demand[drawing.capacity > 0]).all()
    assert figures.total == pytest.approx(sum(figures.bytes))
    assert result.analysis.unreachable.pairs == 0


def test_a_70b_on_a_pod() -> None:
    """75.16 GB of TP leave each GPU by NVLink alone; no drawn link carries a TP byte."""
    drawing = pod()
    result = run(
        drawing, global_batch=1, seq_len=8192, tp=8, pp=1, sequence_parallel=False, recompute="none"
    )
    rows = {row.part: row for row in result.analysis.communication if row.class_ == "TP"}
    assert rows["layers"].bytes_per_gpu == pytest.approx(75.16e9, rel=1e-4)
    assert rows["layers"].count == 320
    assert rows["layers"].tiers == {"scale-up": pytest.approx(75.16e9, rel=1e-4)}
    assert set(rows) == {"layers", "embedding", "head"}
    tp = result.figures.bytes[result.figures.classes.index("TP")]
    assert not tp[drawing.link < drawing.drawn_links].any()
    assert result.analysis.memory.risk == "no"
    assert result.analysis.topology.gpus_used == 8


def test_bytes_into_each_gpu_are_those_addressed_to_it() -> None:
    drawing = pod()
    result = run(drawing, tp=8, pp=2)
    into = np.zeros(len(drawing.vertex_kind))
    into_class = {}
    for name, row in zip(result.figures.classes, result.figures.bytes, strict=True):
        into = np.bincount(drawing.dst, weights=row, minlength=len(into))[drawing.gpus]
        into_class[name] = into
    sent = {
        name: sum(r.bytes_per_gpu for r in result.analysis.communication if r.class_ == name)
        for name in result.figures.classes
    }
    assert into_class["TP"] == pytest.approx(sent["TP"], rel=0.02)  # ends: embedding or head
    assert into_class["PP"] == pytest.approx(sent["PP"] / 2)
    assert into_class["DP"] == pytest.approx(sent["DP"])


def _faster(drawing: Fabric, edges: np.ndarray) -> Fabric:
    capacity = drawing.capacity.copy()
    capacity[edges] *= 2
    return dataclasses.replace(drawing, capacity=capacity)


def test_a_link_twice_as_fast_shows_half_the_demand() -> None:
    drawing = pod()
    link = int(np.flatnonzero(drawing.tier == Tier.HOST_LEAF)[0])
    edges = np.flatnonzero(drawing.link == drawing.link[link])
    plan = {"tp": 8, "pp": 2}
    before = run(drawing, **plan).figures
    after = run(_faster(drawing, edges), **plan).figures
    assert before.demand[edges].min() > 0
    assert after.demand[edges] == pytest.approx(before.demand[edges] / 2)
    others = np.setdiff1d(np.flatnonzero(drawing.tier == Tier.HOST_LEAF), edges)
    assert after.demand[others] == pytest.approx(before.demand[others])


def test_cost_of_a_bottleneck_is_the_step_saved_when_it_is_twice_as_fast() -> None:
    drawing = pod()
    plan = {"tp": 8, "pp": 2, "stack": "megatron", "precision": "fp16", "zero": 0}
    record = run(drawing, **plan).analysis
    network = next(b for b in record.bottlenecks if b.tier == "host-leaf")
    edges = np.flatnonzero(drawing.tier == Tier.HOST_LEAF)
    assert network.links == len(edges)
    twice = run(_faster(drawing, edges), **plan).analysis
    assert network.cost_s == pytest.approx(record.step_time_s - twice.step_time_s, rel=1e-9)
    assert network.cost_s > 0
    assert network.cost_one_s == 0  # one link alone lets the others wait
    costs = [b.cost_s for b in record.bottlenecks]
    assert costs == sorted(costs, reverse=True)


def test_a_slow_link_holds_everybody_up() -> None:
    drawing = pod()
    edges = np.flatnonzero(
        drawing.link == drawing.link[np.flatnonzero(drawing.tier == Tier.HOST_LEAF)[0]]
    )
    capacity = drawing.capacity.copy()
    capacity[edges] /= 8
    slow = dataclasses.replace(drawing, capacity=capacity)
    plan = {"tp": 8, "stack": "megatron", "precision": "fp16", "zero": 0}
    before, after = run(drawing, **plan).analysis, run(slow, **plan).analysis
    assert after.breakdown_s.dp > 3 * before.breakdown_s.dp
    worst = next(b for b in after.bottlenecks if b.tier == "host-leaf")
    assert worst.links == 2
    assert worst.cost_s == pytest.approx(worst.cost_one_s)
    assert worst.cost_one_s > 0


def test_a_server_without_paths_is_named() -> None:
    drawing = pod()
    server = drawing.vertex_device[drawing.gpus[0]]
    device = drawing.vertex_device
    cut = (drawing.tier == Tier.HOST_LEAF) & (
        (device[drawing.src] == server) | (device[drawing.dst] == server)
    )
    capacity = np.where(cut, 0.0, drawing.capacity)
    record = run(dataclasses.replace(drawing, capacity=capacity), tp=8, links=True).analysis
    assert record.unreachable.pairs > 0
    assert record.unreachable.bytes > 0
    assert drawing.device_names[server] in record.unreachable.example
    assert any("no path" in text for text in record.warnings)
    failed = [row for row in record.links if row.state == "failed"]
    assert len(failed) == 16
    assert all(row.bytes == 0 for row in failed)


def test_unknown_rates_give_no_figures_and_limit_nothing() -> None:
    drawing = pod()
    edges = drawing.tier == Tier.HOST_LEAF
    capacity = np.where(edges, np.nan, drawing.capacity)
    result = run(dataclasses.replace(drawing, capacity=capacity), tp=8, links=True)
    assert np.isnan(result.figures.demand[edges]).all()
    row = result.analysis.links[0]
    assert (row.capacity_GBps, row.demand, row.utilisation) == (None, None, None)
    assert row.bytes > 0


def test_links_are_listed_by_direction() -> None:
    drawing = pod()
    result = run(drawing, tp=8, links=True)
    rows = result.analysis.links
    assert len(rows) == 2 * drawing.drawn_links
    up, down = rows[0], rows[1]
    assert (up.link, up.from_, up.to) == (down.link, down.to, down.from_)
    assert up.capacity_GBps == pytest.approx(50)
    arrays = link_arrays(drawing, result.figures)
    assert arrays.names[:4] == ("demand", "utilisation", "phase_share", "bytes")
    assert arrays.values.shape == (2 * len(arrays.names), len(drawing.link_ids))
    total = arrays.values[2 * arrays.names.index("bytes")].sum()
    half = len(drawing.src) // 2
    assert total == pytest.approx(result.figures.total[:half].sum(), rel=1e-5)


def test_cancelling_and_progress() -> None:
    told: list[tuple[str, float]] = []
    workload = Workload(model="llama3-8b", plan=Plan(tp=8))
    analyse(pod(), llm("llama3-8b"), workload, catalog(), progress=lambda s, f: told.append((s, f)))
    assert [f for _, f in told] == sorted(f for _, f in told)
    asked = iter([False, False, True])
    with pytest.raises(CancelledError):
        analyse(pod(), llm("llama3-8b"), workload, catalog(), cancel=lambda: next(asked))


def test_algorithms_and_constants_can_be_chosen() -> None:
    drawing = pod()
    plan = {"tp": 8, "sequence_parallel": False, "global_batch": 8}
    ring = run(drawing, **plan).analysis.communication[0]
    nvls = run(drawing, algorithms={"TP": "nvls"}, **plan).analysis.communication[0]
    assert (ring.algorithm, nvls.algorithm) == ("ring", "nvls")
    assert nvls.bytes_per_gpu == pytest.approx(ring.bytes_per_gpu / 1.75)  # S against 2(n-1)/n S
    assert nvls.time_s < ring.time_s
    published = run(drawing, constants="nccl-2.30.7", **plan).analysis.communication[0]
    assert published.time_s != pytest.approx(ring.time_s, rel=1e-3)


def test_mixed_accelerators_must_not_share_a_tp_group() -> None:
    drawing = pod()
    names = tuple("h200-sxm" if i % 8 == 3 else "h100-sxm" for i in range(64))
    mixed = dataclasses.replace(drawing, accelerators=names)
    with pytest.raises(BadPlanError, match="mixes h100-sxm, h200-sxm"):
        run(mixed, tp=8)
    assert any(
        "sets the pace" in text for text in run(mixed, tp=1, model="llama3-8b").analysis.warnings
    )


def test_a_drawing_without_gpus() -> None:
    with pytest.raises(BadPlanError, match="no GPUs"):
        run(dataclasses.replace(pod(), gpus=np.zeros(0, np.int32), accelerators=()))


def test_the_fabric_agrees_with_the_closed_form_of_a_symmetric_cluster() -> None:
    """On a non-blocking pod the routed rates are those that the constants were fitted with."""
    from tests.engine.step.cases import case
    from topoedit.engine.step.assemble import evaluate
    from topoedit.engine.step.constants import physics
    from topoedit.engine.step.rates import SymmetricCluster, symmetric_rates

    cluster = SymmetricCluster(*(np.full(1, x) for x in (450e9, 8.0, 50e9)))
    for plan in (
        {"tp": 8},
        {"tp": 8, "pp": 4},
        {"tp": 4, "cp": 4},
        {"zero": 3, "stack": "fsdp-compile"},
    ):
        one, result = case(64, **plan), run(pod(), **plan)
        # the closed form knows no contention between gradients and other traffic
        met = result.findings.rates.crowding
        rates = dataclasses.replace(symmetric_rates(one.plan, cluster, physics()), crowding=met)
        closed = float(evaluate(one, rates).total[0])
        drawn = result.analysis.step_time_s
        assert drawn == pytest.approx(closed, rel=0.01), plan


def test_far_sites_make_a_step_longer() -> None:
    near = fabric("multi-site")
    record = run(near, tp=8, pp=2).analysis
    assert record.breakdown_s.wan > 0
    assert {row.class_ for row in record.communication} >= {"WAN", "DP", "TP"}
    wan = [t for t in record.tiers if t.tier == "between-sites"]
    assert wan
    assert wan[0].bytes > 0


def test_groups_that_lie_across_domains_are_told() -> None:
    inside = run(pod(), "mixtral-8x7b", tp=2, ep=8)
    assert not any("lie across" in text for text in inside.analysis.warnings)
    drawing = pod()
    shifted = np.concatenate([np.arange(4, 64), np.arange(4)])
    workload = Workload(model="mixtral-8x7b", plan=Plan(tp=2, ep=8))
    options = AnalyseOptions(order=shifted)
    record = analyse(drawing, llm("mixtral-8x7b"), workload, catalog(), options=options).analysis
    told = [text for text in record.warnings if "lie across" in text]
    assert len(told) == 1
    assert told[0].startswith("EP groups of 8 GPUs lie across scale-up domains of 8; ")
    assert "slots=8" in told[0]
    assert record.breakdown_s.ep > inside.analysis.breakdown_s.ep


def test_fabric_managers_are_no_servers() -> None:
    from topoedit import paths
    from topoedit.app.analyse import analyse_document
    from topoedit.app.open import open_document
    from topoedit.catalog.load import load_catalog
    from topoedit.model.plan import Plan, Workload

    pod = open_document(paths.samples() / "superpod-h100-127.topo.json", load_catalog()).document
    found = analyse_document(pod, Workload(model="llama-3.1-70b", plan=Plan(tp=8))).analysis
    assert found.topology.servers == 127


def test_without_gpudirect_the_host_bus_carries_everything_twice() -> None:
    direct, copied = (run(pod(), dp=64, zero=3, gpudirect=on) for on in (True, False))
    fabric = direct.fabric
    bus, wires = fabric.tier == Tier.HOST_BUS, fabric.tier == Tier.HOST_LEAF
    assert direct.figures.total[bus].sum() > 0
    assert copied.figures.total[bus] == pytest.approx(2 * direct.figures.total[bus])
    assert copied.figures.total[wires] == pytest.approx(direct.figures.total[wires])
    assert copied.analysis.step_time_s > direct.analysis.step_time_s
    assert any("CPU memory" in note.text for note in copied.analysis.assumptions)
    # PCIe Gen5 x16 (63 GB/s) now binds instead of the 50 GB/s port: 2 / 63 against 1 / 50
    times = [
        next(c.time_s for c in r.analysis.communication if c.op == "all_gather")
        for r in (direct, copied)
    ]
    assert 1.4 < times[1] / times[0] < 1.75


def test_inside_a_server_gpudirect_changes_nothing() -> None:
    server = fabric("rail-optimized", system="dgx-h100", nodes=8)
    on, off = (run(server, tp=8, dp=1, gpudirect=g).analysis.step_time_s for g in (True, False))
    assert on == off
