"""Ranks and groups of a plan."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.step.cases import resolved
from topoedit.engine.placement import place
from topoedit.errors import BadPlanError

SIZES = st.sampled_from([1, 2, 4])


def test_default_order_is_megatrons():
    placed = place(resolved(64, tp=4, cp=2, pp=2, dp=4), 64)
    assert placed.tp[0].tolist() == [0, 1, 2, 3]
    assert placed.cp[0].tolist() == [0, 4]
    assert placed.dp[0].tolist() == [0, 8, 16, 24]
    assert placed.pp[0].tolist() == [0, 32]
    assert placed.shard[0].tolist() == [0, 4, 8, 12, 16, 20, 24, 28]  # dp x cp


def test_rank_order_changes_who_is_near():
    placed = place(resolved(64, tp=4, pp=2, dp=8, rank_order="tp-pp-cp-dp"), 64)
    assert placed.pp[0].tolist() == [0, 4]
    assert placed.dp[0].tolist() == list(range(0, 64, 8))


def test_experts_are_carved_from_the_ranks_of_a_stage():
    placed = place(resolved(64, "mixtral-8x7b", tp=2, pp=2, ep=8), 64)
    assert placed.ep[0].tolist() == list(range(8))
    assert placed.expert_dp[0].tolist() == [0, 8, 16, 24]
    folded = place(resolved(64, "mixtral-8x7b", tp=2, pp=2, ep=4, etp=2), 64)
    assert folded.etp[0].tolist() == [0, 1]
    assert folded.ep[0].tolist() == [0, 2, 4, 6]


def test_shards_and_replicas_of_hsdp():
    placed = place(resolved(64, zero=3, hsdp=8), 64)
    assert placed.shard[0].tolist() == list(range(8))
    assert placed.replica[0].tolist() == list(range(0, 64, 8))


@given(tp=SIZES, cp=SIZES, pp=SIZES, dp=SIZES, order=st.permutations(["tp", "cp", "dp", "pp"]))
def test_groups_of_every_axis_tile_the_ranks(tp, cp, pp, dp, order):
    whole = resolved(256, tp=tp, cp=cp, pp=pp, dp=dp, rank_order="-".join(order))
    placed = place(whole, 256)
    for kind in ("tp", "cp", "dp", "pp", "shard", "replica", "ep", "etp", "expert_dp"):
        groups = getattr(placed, kind)
        assert sorted(groups.ravel().tolist()) == list(range(whole.gpus)), kind
    stage_of = {int(r): p for p, block in enumerate(placed.grid) for r in block.ravel()}
    for kind in ("tp", "cp", "shard", "expert_dp"):
        groups = getattr(placed, kind)
        stages = placed.stage_of(groups)
        assert all(stage_of[int(r)] == s for g, s in zip(groups, stages, strict=True) for r in g)


def test_a_placement_gives_the_order():
    order = np.arange(64)[::-1]
    assert place(resolved(64, tp=8), 64, order).tp[0].tolist() == list(range(63, 55, -1))
    with pytest.raises(BadPlanError, match="names a GPU twice"):
        place(resolved(64, tp=8), 64, np.zeros(64, np.int64))
    with pytest.raises(BadPlanError, match="names 8 GPUs, the plan needs 64"):
        place(resolved(64, tp=8), 64, np.arange(8))
    with pytest.raises(BadPlanError, match="beyond the 64"):
        place(resolved(64, tp=8), 64, np.arange(64) + 1)
