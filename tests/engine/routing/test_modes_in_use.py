"""Routing modes in analyses and single collectives: what is applied, and what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.routing.drawings import Draft
from tests.engine.step.cases import fabric, pod, run
from topoedit.app.collective import Request, collective_on
from topoedit.engine.compile import compile_fabric
from topoedit.engine.load import slowness
from topoedit.engine.routing import MODES, TableRouter
from topoedit.engine.step.constants import physics
from topoedit.engine.types import Flows, Tier
from topoedit.errors import BadInputError
from topoedit.units import bytes_per_s

UNRAILED = {"system": "dgx-h100", "nodes": 32}
"""A fat tree: all NICs of a server on one leaf, so that a strided ring crosses the spines."""


def test_an_edge_has_one_share() -> None:
    factors = slowness(physics(), "ring", 0.6)
    shares = {Tier(tier): 1 / factor for tier, factor in factors.items()}
    assert shares[Tier.HOST_LEAF] == shares[Tier.HOST_BUS] == pytest.approx(0.8)
    assert shares[Tier.SCALE_UP] == pytest.approx(0.8)
    for tier in (Tier.LEAF_SPINE, Tier.SPINE_CORE, Tier.OTHER):
        assert shares[tier] == pytest.approx(0.6)
    assert shares[Tier.BETWEEN_SITES] == pytest.approx(0.8)


@pytest.mark.parametrize("mode", list(MODES))
def test_every_mode_names_itself_and_its_share(mode: str) -> None:
    record = run(pod(), "llama3-8b", tp=8, routing=mode, seeds=20).analysis
    routing = record.routing
    assert routing is not None
    assert (routing.mode, record.workload["routing"]) == (mode, mode)
    told = [row for row in record.assumptions if row.text.startswith(f"routing {mode}: ")]
    assert len(told) == 1
    assert f"{routing.efficiency:.0%}"[:-1] in told[0].text
    assert told[0].source == routing.efficiency_source != ""
    assert record.unreachable.pairs == 0
    assert (routing.seeds is not None) == (mode == "hash")


def test_a_given_share_wins() -> None:
    record = run(pod(), "llama3-8b", tp=8, routing="ecmp", routing_efficiency=0.3).analysis
    assert record.routing is not None
    assert (record.routing.efficiency, record.routing.efficiency_source) == (0.3, "given")
    with pytest.raises(BadInputError, match="no share"):
        run(pod(), "llama3-8b", tp=8, routing_efficiency=0.0)


def test_several_queue_pairs_make_plain_ecmp_better() -> None:
    drawing = fabric("fat-tree", **UNRAILED)
    plan = {"tp": 1, "zero": 3, "stack": "fsdp-compile", "ring_order": "strided"}
    shares, seconds = [], []
    for flows in (1, 8):
        record = run(drawing, "llama3-8b", routing="ecmp", flows_per_connection=flows, **plan)
        assert record.analysis.routing is not None
        shares.append(record.analysis.routing.efficiency)
        seconds.append(record.analysis.step_time_s)
    assert shares == [0.6, 0.8]
    assert seconds[0] >= seconds[1]


def test_hash_reports_the_median_draw_and_the_spread() -> None:
    drawing = fabric("fat-tree", **UNRAILED)
    plan = {"tp": 1, "zero": 3, "stack": "fsdp-compile", "ring_order": "strided"}
    one = run(drawing, "llama3-8b", routing="hash", seeds=60, **plan).analysis
    again = run(drawing, "llama3-8b", routing="hash", seeds=60, **plan).analysis
    even = run(drawing, "llama3-8b", routing="adaptive", **plan).analysis
    spread = one.routing
    assert spread is not None
    assert one == again
    assert spread.seeds == 60
    assert spread.median_s == pytest.approx(one.step_time_s, rel=1e-12)
    assert even.step_time_s < one.step_time_s
    assert spread.p95_s is not None
    assert spread.worst_s is not None
    assert one.step_time_s <= spread.p95_s <= spread.worst_s
    assert any("60 draws" in text for text in one.warnings)
    row = spread.classes[0]
    assert row.tier == "leaf-spine"
    assert row.links > 1
    assert row.median_s <= row.p95_s <= row.worst_s
    # bytes are the mean over all hashes: links that nothing tells apart carry the same
    upper = run(drawing, "llama3-8b", routing="hash", seeds=60, **plan).figures
    crossing = upper.total[(drawing.tier == Tier.LEAF_SPINE)]
    used = crossing[crossing > 0]
    assert used.max() == pytest.approx(used.min(), rel=1e-9)


def test_more_flows_bring_hash_nearer_to_spraying() -> None:
    drawing = fabric("fat-tree", **UNRAILED)
    request = Request("all_reduce", 1e9, algorithm="ring", ring_order="strided", routing="hash")
    times = []
    for flows in (1, 4, 16):
        given = Request(**{**vars(request), "flows_per_connection": flows})
        answer = collective_on(drawing, given)
        assert answer.spread is not None
        assert answer.spread.median_s == answer.time_s <= answer.spread.p95_s
        assert answer.spread.p95_s <= answer.spread.worst_s
        times.append(answer.time_s)
    assert times[0] > times[1] > times[2]
    adaptive = collective_on(drawing, Request(**{**vars(request), "routing": "adaptive"}))
    assert adaptive.spread is None
    assert times[2] >= adaptive.time_s


def test_residual_limits_what_crosses_the_leaves() -> None:
    """All-to-all of 256 GPUs in a fat tree at full rate: the links between switches set the pace
    once they reach less than the ports."""
    drawing = fabric("fat-tree", **UNRAILED)
    seconds = {}
    for mode in ("adaptive", "ecmp"):
        request = Request("all_to_all", 1e9, algorithm="direct", routing=mode)
        seconds[mode] = collective_on(drawing, request)
    upper = seconds["ecmp"]
    assert upper.routing_efficiency == 0.6
    held = next(t for t in upper.tiers if t.tier == "leaf-spine")
    assert upper.bandwidth_s == pytest.approx(held.time_s / 0.6)
    assert seconds["adaptive"].bandwidth_s < upper.bandwidth_s
    plain = collective_on(
        drawing, Request("all_to_all", 1e9, algorithm="direct", constants="nccl-2.30.7")
    )
    assert plain.routing_efficiency is None


def test_rails_without_spine_need_pxn() -> None:
    drawing = fabric("rail-only", system="dgx-h100", nodes=4)
    plan = {"tp": 1, "ep": 32, "routing": "rail-only"}
    on = run(drawing, "deepseek-v3", dp=32, **plan).analysis
    assert on.unreachable.pairs == 0
    request = Request("all_to_all", 1e9, algorithm="direct", routing="rail-only")
    assert collective_on(drawing, request).unreachable.pairs == 0
    off = collective_on(drawing, Request(**{**vars(request), "pxn": False}))
    # 32 GPUs: each reaches its 7 neighbours and its rail's 3, not the 21 others
    assert off.unreachable.pairs == 32 * 21
    assert off.unreachable.bytes == pytest.approx(32 * 21 * 1e9 / 32)


def test_a_bundle_is_as_slow_as_its_fullest_cable() -> None:
    """Forwarding tables on two leaves and a bundle of two: three flows on two cables."""
    draft = Draft()
    for leaf in ("leaf-a", "leaf-b"):
        draft.device(leaf, "leaf")
        for number in range(3):
            draft.device(f"{leaf}-{number}", "lone")
            draft.plug(f"{leaf}-{number}", "nic0", leaf)
    draft.join("leaf-a", "leaf-b", 2)
    drawing = compile_fabric(draft.document())
    demand = Flows(np.arange(3), np.arange(3) + 3, np.full(3, 1e9))
    load = TableRouter(drawing).route(demand)
    assert load.spread is not None
    assert load.bytes[drawing.tier == Tier.OTHER].max() == 3e9
    assert load.spread.tiers[0, Tier.OTHER] == pytest.approx(2e9 / bytes_per_s(400))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"routing": "hash", "seeds": 0}, "seeds"),
        ({"routing": "hash", "flows_per_connection": 5000}, "flows"),
        ({"routing": "swift"}, "no routing"),
    ],
)
def test_bad_requests_are_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        collective_on(pod(), Request("all_reduce", 1e9, **given))
