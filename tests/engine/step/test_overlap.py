"""Gradients beside the exchanges of the micro-batch that hides them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.step.cases import pod, resolved, run
from topoedit.engine.maxmin import concurrent_times
from topoedit.engine.overlap import crowding, overlapping
from topoedit.engine.types import EdgeLoad

CONTEXT = {"tp": 4, "cp": 4, "zero": 1}


def test_share_of_the_step_that_runs_beside_gradients() -> None:
    assert overlapping(resolved(64, tp=8, global_batch=64)) == pytest.approx(1 / 8)
    assert overlapping(resolved(64, zero=3)) == 1.0
    # interleaved: the last p (1 - 1/v) micro-batches
    whole = resolved(64, tp=8, pp=4, vpp=5, dp=2, global_batch=64)
    assert overlapping(whole) == pytest.approx(4 * 0.8 / 32)


def test_gradients_meet_context_exchange_on_the_same_ports() -> None:
    result = run(pod(), **CONTEXT)
    found = result.findings
    crowded = crowding(found.routed, found.resolved)
    assert 1.005 < crowded < 2
    assert float(found.rates.crowding[0]) == crowded


def test_it_is_what_progressive_filling_gives_where_the_ports_bind() -> None:
    """The same from rates shared anew at each end, on the links that both use."""
    found = run(pod(), **CONTEXT).findings
    share = overlapping(found.resolved)
    data = next(one for one in found.routed if one.kind == "shard")
    other = next(one for one in found.routed if one.kind == "cp")
    edges = np.flatnonzero((data.load.bytes > 0) & (other.load.bytes > 0))
    edges = edges[np.isin(found.fabric.tier[edges], list(data.limit.tops))]
    factors = np.array([data.limit.factors[int(t)] for t in found.fabric.tier[edges]])
    loads = [
        EdgeLoad(row, float(row.sum()))
        for row in (data.load.bytes[edges], other.load.bytes[edges] * share)
    ]
    times = concurrent_times(loads, found.fabric.capacity[edges] / factors)
    assert crowding([data, other], found.resolved) == pytest.approx(
        float(times[0]) / data.limit.seconds, rel=0.01
    )


def test_nothing_meets_where_traffic_takes_links_of_its_own() -> None:
    """TP 8 stays on NVLink, gradients on the rails."""
    found = run(pod(), tp=8, zero=1).findings
    assert crowding(found.routed, found.resolved) == 1.0


@pytest.mark.parametrize("plan", [CONTEXT, {"zero": 3, "tp": 2}, {"tp": 2, "cp": 8, "zero": 0}])
def test_shares_of_busiest_phases_stay_within_the_link(plan: dict[str, object]) -> None:
    result = run(pod(), **plan)
    share = result.figures.phase_share
    assert share.max() <= 1
    assert share.min() >= 0
    assert (share >= result.figures.utilisation * (1 - 1e-9)).all()


SECOND_COPY = {"zero": 3, "zero_plus_plus": True, "tp": 2, "cp": 2, "ring_order": "random"}


def test_only_the_groups_that_share_links_take_longer() -> None:
    """A second copy in the server meets TP on NVLink; the far larger gathers of rails do not."""
    found = run(pod(), "mixtral-8x7b", **SECOND_COPY).findings
    data = [one for one in found.routed if one.class_ == "DP"]
    others = [one for one in found.routed if one.class_ != "DP"]
    crowded = crowding(found.routed, found.resolved)
    own = [one.limit.seconds for one in data]
    alone = [crowding([one, *others], found.resolved) for one in data]
    assert min(alone) < crowded < max(alone)
    assert crowded == pytest.approx(np.dot(alone, own) / sum(own))


@pytest.mark.parametrize("plan", [CONTEXT, SECOND_COPY, {"zero": 3, "tp": 2, "ep": 8}])
def test_a_link_is_never_busier_over_the_step_than_in_its_busiest_phase(
    plan: dict[str, object],
) -> None:
    figures = run(pod(), "mixtral-8x7b", **plan).figures
    assert (figures.utilisation <= figures.phase_share).all()
    assert float(figures.phase_share.max()) <= 1.0
