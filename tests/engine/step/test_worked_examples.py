"""Published worked examples of parallel traffic and serving, each on its formula."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tests.engine.collectives.shapes import shape
from tests.engine.step.cases import case, llm, pod, resolved, run
from topoedit.engine.collectives import collective_time
from topoedit.engine.step.assemble import evaluate
from topoedit.engine.step.constants import physics
from topoedit.engine.step.rates import SymmetricCluster, symmetric_rates
from topoedit.engine.step.traffic import (
    context_volume,
    dispatch_bytes,
    distinct_nodes,
    expert_volume,
    overlapped,
)
from topoedit.engine.workload.communication import exchanges, ring_sent
from topoedit.engine.workload.inference import (
    cache_bytes_per_token,
    cache_transfer_seconds,
    decode_communication_seconds,
    expert_decode_seconds,
    expert_exchange_seconds,
    nodes_needed,
)
from topoedit.engine.workload.memory import stage_memory

GB = 1e9
WEIGHTS_70B = 2 * 70e9
WHOLE_DAY = 86400


def one(value: float) -> np.ndarray:
    return np.full(1, float(value))


# -- data parallelism ----------------------------------------------------------------------------


def test_gradients_of_a_70b() -> None:
    """16 replicas of P / (8 x 4) parameters, bf16: 8.203 GB leave a GPU in a step."""
    assert ring_sent("all_reduce", 16, WEIGHTS_70B / 32) == pytest.approx(8.203 * GB, rel=1e-4)


def test_sharded_weights_of_a_70b() -> None:
    """Two gathers and a reduction over 512 ranks: 419.2 GB."""
    sent = 2 * ring_sent("all_gather", 512, WEIGHTS_70B)
    sent += ring_sent("reduce_scatter", 512, WEIGHTS_70B)
    assert sent == pytest.approx(419.2 * GB, rel=1e-4)


def test_hybrid_shards_of_a_70b() -> None:
    """8 ranks share, 64 replicas: 3 x 122.5 GB over NVLink, 34.5 GB over the NIC."""
    assert ring_sent("all_gather", 8, WEIGHTS_70B) == pytest.approx(122.5 * GB)
    assert ring_sent("all_reduce", 64, WEIGHTS_70B / 8) == pytest.approx(34.5 * GB, rel=2e-3)


def _shard_traffic(**plan: object) -> dict[str, float]:
    """Bytes a step that a GPU sends, by groups."""
    whole = resolved(64, zero=3, dp=64, global_batch=64, grad_dtype="bf16", **plan)
    rows = exchanges(case(64, zero=3, dp=64, global_batch=64, grad_dtype="bf16", **plan), whole, 0)
    sums: dict[str, float] = {}
    for row in rows:
        sums[row.groups] = sums.get(row.groups, 0.0) + row.bytes_per_gpu
    return sums


def test_zero_plus_plus_sends_a_quarter_between_servers() -> None:
    """3 M become 0.5 M (int8 forward) + 0 (second copy) + 0.25 M (int4): 420 GB become 105 GB."""
    plain, plus = _shard_traffic(), _shard_traffic(zero_plus_plus=True)
    assert plain["shard"] / plus["shard"] == pytest.approx(4.0)
    assert 420 / (plain["shard"] / plus["shard"]) == pytest.approx(105.0)
    weights = plain["shard"] / 3 / (63 / 64)
    assert plus["secondary"] == pytest.approx(7 / 8 * weights)
    assert "secondary" not in plain


def test_zero_plus_plus_keeps_a_second_copy_and_is_faster_on_a_slow_network() -> None:
    cluster = SymmetricCluster(one(450e9), one(8), one(6.25e9))
    plan = {"zero": 3, "dp": 64, "global_batch": 64, "grad_dtype": "bf16"}
    plain, plus = case(64, **plan), case(64, zero_plus_plus=True, **plan)
    steps = [evaluate(c, symmetric_rates(c.plan, cluster, physics())) for c in (plain, plus)]
    exposed = [float(e.steady.dp[0]) for e in steps]
    assert exposed[1] < 0.3 * exposed[0]
    held = [float(stage_memory(c, one(0), one(0)).parameters[0]) for c in (plain, plus)]
    assert held[1] - held[0] == pytest.approx(2 * float(plain.counts.total[0]) / 8)


def test_zero_plus_plus_on_a_drawing_stays_inside_servers_backward() -> None:
    result = run(pod(), zero=3, zero_plus_plus=True, dp=64)
    copy = next(c for c in result.analysis.communication if c.part == "second copy")
    assert copy.group_size == 8
    assert set(copy.tiers) == {"scale-up"}
    assert result.analysis.workload["second_copy_ranks"] == 8
    assert any("int4" in note.text for note in result.analysis.assumptions)


# -- tensor and context parallelism ----------------------------------------------------------------


def test_tensor_traffic_on_nvlink_and_on_one_port() -> None:
    """75.16 GB: 0.203 s at 370.8 GB/s, 1.503 s at 50 GB/s, 7.4 times as long."""
    sent = 320 * ring_sent("all_reduce", 8, 2 * 8192 * 8192)
    assert sent == pytest.approx(75.16 * GB, rel=1e-4)
    assert sent / 370.8e9 == pytest.approx(0.203, abs=5e-4)
    assert sent / 50e9 == pytest.approx(1.503, abs=5e-4)
    assert pytest.approx(7.4, abs=0.05) == 370.8 / 50


def test_stage_boundary_on_one_port() -> None:
    """16.78 MB take 0.336 ms at 50 GB/s."""
    plan = {"tp": 8, "pp": 2, "seq_len": 8192}
    rows = exchanges(case(64, **plan), resolved(64, **plan), 0)
    sent = next(row.sent for row in rows if row.class_ == "PP")
    assert sent / 50e9 == pytest.approx(0.336e-3, abs=5e-7)


def test_ring_and_ulysses_are_equal_at_nine_ranks() -> None:
    """Ring attention is cheaper while c <= 1 + h / h_kv, here 9."""
    for ranks, cheaper in ((8, "ring"), (9, "equal"), (16, "ulysses")):
        sent = {}
        for kind in ("ring", "ulysses"):
            made = case(8, cp=8, seq_len=131072, global_batch=1, cp_kind=kind)
            plan = dataclasses.replace(made.plan, cp=one(ranks))
            sent[kind] = float(context_volume(dataclasses.replace(made, plan=plan)).forward[0])
        if cheaper == "equal":
            assert sent["ring"] == pytest.approx(sent["ulysses"])
        else:
            assert min(sent, key=lambda kind: sent[kind]) == cheaper


def test_overlap_saves_thirty_percent() -> None:
    """85 % of a 35.3 % share of communication hidden: the step is 30.0 % shorter."""
    before, after = 1.0, 1 - 0.353 + float(overlapped(one(0.353), one(0.85))[0])
    assert round(after / before - 1, 3) == -0.300


# -- experts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("copies", "megabytes", "ms"), [(4, 117.4, 7.05), (8, 234.9, 14.09)])
def test_dispatch_to_nodes_and_to_experts(copies: int, megabytes: float, ms: float) -> None:
    """4096 tokens of 7168 in fp8; with a bf16 combine 3 bytes an element, at 50 GB/s."""
    sent = float(dispatch_bytes(one(4096), one(7168), 1.0, one(copies))[0])
    assert sent / 1e6 == pytest.approx(megabytes, abs=0.05)
    assert 3 * sent / 50e9 * 1e3 == pytest.approx(ms, abs=5e-3)


@pytest.mark.parametrize(
    ("ranks", "micro", "rate"),
    [(8, 77, 98.3), (16, 118, 64.1), (32, 155, 48.8), (64, 173, 43.8), (128, 192, 39.4),
     (256, 194, 39.0)],
)  # fmt: skip
def test_low_latency_dispatch(ranks: int, micro: float, rate: float) -> None:
    """DeepEP: 128 tokens to 8 experts, 7168 bytes in fp8 and their scales (7392 in all)."""
    sent = float(dispatch_bytes(one(128), one(7392), 1.0, one(8))[0])
    assert sent / (micro * 1e-6) / GB == pytest.approx(rate, abs=0.05), ranks


def test_distinct_nodes_of_eight_experts() -> None:
    """N (1 - (1 - 1/N)^k): 5.25 of 8 nodes; by counting all choices of 2 of 4: 1.75."""
    assert float(distinct_nodes(one(8), one(8))[0]) == pytest.approx(8 * (1 - (7 / 8) ** 8))
    pairs = [len({a, b}) for a in range(4) for b in range(4)]
    assert float(distinct_nodes(one(2), one(4))[0]) == pytest.approx(sum(pairs) / len(pairs))


MOE = {"tp": 1, "ep": 64, "dp": 64, "global_batch": 64, "precision": "bf16"}


def _volume(**plan: object) -> tuple[float, float]:
    made = case(64, "deepseek-v3", chip="b200-sxm", **MOE, **plan)
    volume = expert_volume(made, one(8))
    return float(volume.scaleup[0]), float(volume.network[0])


def test_direct_exchange_sends_every_copy_over_the_network() -> None:
    inner, network = _volume(ep_kind="direct")
    tokens = 4096 if llm("deepseek-v3").context == 4096 else 8192
    assert network == pytest.approx(2 * tokens * 7168 * 8 * 7 / 8)
    assert inner == pytest.approx(2 * tokens * 7168 * 8 * 63 / 64)


def test_a_limit_of_nodes_limits_the_copies() -> None:
    assert _volume(ep_nodes=2)[1] == pytest.approx(2 * 8192 * 7168 * 2 * 7 / 8)
    assert _volume(ep_nodes=2)[1] < _volume()[1] < _volume(ep_kind="direct")[1]
    assert _volume(ep_nodes=8)[1] == pytest.approx(_volume()[1])


def test_imbalance_stretches_what_experts_exchange() -> None:
    even, uneven = _volume(), _volume(expert_imbalance=1.3)
    assert uneven[0] / even[0] == pytest.approx(1.3)
    assert uneven[1] / even[1] == pytest.approx(1.3)


@pytest.mark.parametrize("given", [{"ep_kind": "direct"}, {"algorithms": {"EP": "direct"}}])
def test_direct_exchange_on_a_drawing(given: dict[str, object]) -> None:
    """It puts k copies on the network instead of one a server, and takes longer."""
    staged = run(pod(), "deepseek-v3", ep=16)
    direct = run(pod(), "deepseek-v3", ep=16, **given)
    rows = [
        next(c for c in result.analysis.communication if c.class_ == "EP")
        for result in (staged, direct)
    ]
    assert [row.algorithm for row in rows] == ["two-stage", "direct"]
    # 4 of 8 groups of experts, 4 on each of two servers: all on one in 2 of C(8, 4) = 70 choices
    servers = 2 * (1 - 1 / 70)
    ratio = rows[1].tiers["host-leaf"] / rows[0].tiers["host-leaf"]
    assert ratio == pytest.approx(8 / servers)
    assert direct.analysis.breakdown_s.ep > staged.analysis.breakdown_s.ep
    assert direct.analysis.workload["ep_kind"] == "direct"


def test_expert_tensor_and_data_parallelism_are_derived_and_shown() -> None:
    result = run(pod(), "mixtral-8x7b", tp=2, ep=4, etp=2)
    assert result.analysis.workload["etp"] == 2
    assert result.analysis.workload["expert_dp"] == 64 // (4 * 2)
    kinds = {(c.class_, c.part): c.group_size for c in result.analysis.communication}
    assert kinds["EP", "expert tensor"] == 2
    assert kinds["DP", "experts gradients"] == 8


# -- accumulation ----------------------------------------------------------------------------------


def test_gradients_travel_once_however_many_micro_batches() -> None:
    once = run(pod(), tp=8, dp=8, global_batch=8)
    often = run(pod(), tp=8, dp=8, global_batch=64)
    sent = [
        sum(c.bytes_per_gpu for c in r.analysis.communication if c.class_ == "DP")
        for r in (once, often)
    ]
    assert sent[0] == pytest.approx(sent[1])
    assert often.analysis.workload["micro_batches"] == 8
    assert often.analysis.breakdown_s.compute > 7.5 * once.analysis.breakdown_s.compute


# -- serving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "cache"),
    [("deepseek-v3", 70_272), ("llama3-70b", 327_680), ("llama31-405b", 516_096)],
)
def test_cache_of_a_token(model: str, cache: int) -> None:
    """Table 1 of "Insights into DeepSeek-V3"; the 405B needs 7.34 times V3's."""
    assert cache_bytes_per_token(llm(model)) == cache
    ratio = cache_bytes_per_token(llm("llama31-405b")) / cache_bytes_per_token(llm("deepseek-v3"))
    assert ratio == pytest.approx(7.34, abs=5e-3)


@pytest.mark.parametrize(
    ("model", "size", "ms"), [("llama3-70b", 2.684 * GB, 53.7), ("deepseek-v3", 575.7e6, 11.5)]
)
def test_cache_of_a_prompt_on_one_port(model: str, size: float, ms: float) -> None:
    assert 8192 * cache_bytes_per_token(llm(model)) == pytest.approx(size, rel=2e-4)
    assert cache_transfer_seconds(llm(model), 8192, 50e9) * 1e3 == pytest.approx(ms, abs=0.05)


@pytest.mark.parametrize(
    ("ranks", "servers", "algorithm", "micro", "ms"),
    [(8, 1, "ring", 15.0, 2.4), (16, 2, "tree", 25.2, 4.03)],
)
def test_decoding_waits_for_two_all_reduces_a_layer(
    ranks: int, servers: int, algorithm: str, micro: float, ms: float
) -> None:
    """80 layers with NCCL's published LL latencies of an empty call."""
    call = collective_time(
        "all_reduce", 0.0, shape(ranks, servers), algorithm=algorithm, protocol="ll",
        constants="nccl-2.30.7",
    )  # fmt: skip
    assert call.latency_s * 1e6 == pytest.approx(micro, abs=0.05)
    seconds = decode_communication_seconds(80, round(call.latency_s, 7))
    assert seconds * 1e3 == pytest.approx(ms, abs=5e-3)


def test_decoding_with_experts() -> None:
    """32 tokens to 9 experts of width 7000: 120.96 us at 50 GB/s, 67 tokens/s; 6.72 us at 900."""
    slow, fast = (expert_exchange_seconds(32, 9, 7000, rate) for rate in (50e9, 900e9))
    assert slow * 1e6 == pytest.approx(120.96)
    assert fast * 1e6 == pytest.approx(6.72)
    assert expert_decode_seconds(61, slow) * 1e3 == pytest.approx(14.76, abs=5e-3)
    assert int(1 / expert_decode_seconds(61, slow)) == 67
    assert 1 / expert_decode_seconds(61, fast) == pytest.approx(1200, rel=0.02)


def test_nodes_of_a_serving_fleet() -> None:
    """608 G tokens in and 168 G out a day: 95.5 + 131.4 = 226.9 nodes (published mean 226.75)."""
    prefill = nodes_needed(608e9 / WHOLE_DAY, 73.7e3)
    decode = nodes_needed(168e9 / WHOLE_DAY, 14.8e3)
    assert prefill == pytest.approx(95.5, abs=0.05)
    assert decode == pytest.approx(131.4, abs=0.05)
    assert prefill + decode == pytest.approx(226.9, abs=0.05)
