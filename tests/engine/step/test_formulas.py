"""Worked examples of the formulas, with the inputs that their sources state."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.step.cases import case, catalog, llm, pod, resolved, run
from topoedit.engine.step.assemble import evaluate, idle_stages
from topoedit.engine.step.constants import physics
from topoedit.engine.step.rates import SymmetricCluster, ring_latency, symmetric_rates
from topoedit.engine.workload.communication import exchanges
from topoedit.engine.workload.memory import stage_memory
from topoedit.engine.workload.params import count, model_flops

GB = 1e9


def _one(case_, whole, class_, part, op):
    found = [
        e
        for e in exchanges(case_, whole, 0.0)
        if (e.class_, e.part, e.op) == (class_, part, op)
    ]  # fmt: skip
    assert len(found) == 1
    return found[0]


def test_tp_bytes_of_a_70b():
    """320 all-reduces of 134.2 MB on 8 ranks: 75.16 GB leave each GPU (Megatron-LM)."""
    plan = {"tp": 8, "global_batch": 1, "seq_len": 8192, "sequence_parallel": False}
    layers = _one(case(8, **plan), resolved(8, **plan), "TP", "layers", "all_reduce")
    assert layers.heaviest == 320
    assert layers.buffer == pytest.approx(134.2e6, rel=1e-3)
    assert layers.bytes_per_gpu == pytest.approx(75.16 * GB, rel=1e-4)


def test_sequence_parallelism_sends_the_same_and_gathers_again():
    plan = {"tp": 8, "global_batch": 1, "seq_len": 8192}
    whole, one = resolved(8, **plan), case(8, **plan)
    gather = _one(one, whole, "TP", "layers", "all_gather").bytes_per_gpu
    scatter = _one(one, whole, "TP", "layers", "reduce_scatter").bytes_per_gpu
    again = _one(one, whole, "TP", "re-gather", "all_gather").bytes_per_gpu
    assert gather + scatter == pytest.approx(75.16 * GB, rel=1e-4)
    assert (gather + scatter + again) / (gather + scatter) == pytest.approx(10 / 8)


def test_full_recompute_adds_a_forward_pass_of_tp():
    plan = {"tp": 8, "global_batch": 1, "seq_len": 8192, "sequence_parallel": False}
    whole = resolved(8, **plan)
    rows = exchanges(case(8, **plan), whole, 1.0)
    layers = next(e for e in rows if e.part == "layers")
    assert layers.heaviest == 480


def test_pp_boundary():
    """s 8192, h 8192, TP 8: 16.78 MB a micro-batch and direction."""
    plan = {"tp": 8, "pp": 2, "seq_len": 8192}
    one, whole = case(64, **plan), resolved(64, **plan)
    for part in ("activations", "gradients"):
        sent = _one(one, whole, "PP", part, "send_recv")
        assert sent.sent == pytest.approx(16.78e6, rel=1e-3)
        assert sent.heaviest == whole.micro_batches
    assert _one(one, whole, "PP", "activations", "send_recv").calls.tolist() == [8, 0]


def test_interleaving_crosses_a_boundary_for_every_chunk():
    plan = {"tp": 8, "pp": 4, "vpp": 5, "seq_len": 8192}
    one, whole = case(64, **plan), resolved(64, **plan)
    calls = _one(one, whole, "PP", "activations", "send_recv").calls
    assert calls.tolist() == [5 * 16, 5 * 16, 5 * 16, 4 * 16]


@pytest.mark.parametrize(("vpp", "share"), [(1, 7 / 32), (4, 7 / 128)])
def test_bubble_of_equal_stages(vpp, share):
    """p 8, m 32: 21.9 % of ideal compute (17.9 % of the total); 5.47 % with v 4."""
    one = case(8, "megatron-1t", tp=1, pp=8, vpp=vpp, global_batch=32, seq_len=2048)
    ideal = float((idle_stages(one.plan) / one.plan.micro_batches)[0])
    assert ideal == pytest.approx(share)
    if vpp == 1:
        assert ideal / (1 + ideal) == pytest.approx(0.179, abs=5e-4)


def _step(one):
    cluster = SymmetricCluster(*(np.full(1, x) for x in (450e9, 8.0, 50e9)))
    return evaluate(one, symmetric_rates(one.plan, cluster, physics()))


def test_interleaving_costs_more_when_stages_do_not_divide_the_batch():
    even = _step(case(8, "llama3-70b", pp=8, vpp=5, dp=1, global_batch=32))
    odd = _step(case(8, "llama3-70b", pp=8, vpp=5, dp=1, global_batch=33))
    assert odd.bubble[0] > 1.5 * even.bubble[0]


def test_schedules_in_the_order_of_their_bubbles():
    bubbles = {
        schedule: float(_step(case(8, pp=8, dp=1, schedule=schedule)).bubble[0])
        for schedule in ("1f1b", "zb", "dualpipe")
    }
    assert bubbles["1f1b"] > bubbles["zb"] > 0
    assert bubbles["1f1b"] > bubbles["dualpipe"] > 0


def test_dp_bytes():
    """ZeRO-1 sends what an all-reduce of 2-byte gradients does: 2(d-1)/d e P/(t p), 8.2 GB."""
    plan = {"tp": 8, "pp": 4, "dp": 16}
    one, whole = case(512, **plan), resolved(512, **plan)
    rows = [e for e in exchanges(one, whole, 0.0) if e.class_ == "DP"]
    total = sum(e.bytes_per_gpu for e in rows)
    held = (float(one.counts.total[0]) - 2 * float(one.counts.embedding[0])) / 32
    held += float(one.counts.embedding[0]) / 8  # one vocabulary matrix on an end stage
    assert total == pytest.approx(2 * 15 / 16 * 2 * held)
    assert total == pytest.approx(8.2 * GB, rel=0.06)


def test_sharded_state_sends_three_times_in_every_micro_batch():
    plan = {"dp": 64, "zero": 3, "global_batch": 128, "grad_dtype": "bf16"}
    one, whole = case(64, "llama3-8b", **plan), resolved(64, "llama3-8b", **plan)
    total = sum(e.bytes_per_gpu for e in exchanges(one, whole, 0.0))
    layers = float((one.counts.total - 2 * one.counts.embedding)[0])
    assert total == pytest.approx(2 * 3 * 63 / 64 * 2 * layers)


def test_ring_attention_and_ulysses():
    """s 131072, h 8192, KV 1024 wide, c 8: 469.8 MB against 528.5 MB forward."""
    from topoedit.engine.step.traffic import context_volume

    ring = case(8, cp=8, seq_len=131072, global_batch=1)
    assert float(context_volume(ring).forward[0]) == pytest.approx(469.8e6, rel=1e-3)
    assert float(context_volume(ring).backward[0]) == pytest.approx(2 * 469.8e6, rel=1e-3)
    swap = case(8, cp=8, seq_len=131072, global_batch=1, cp_kind="ulysses")
    assert float(context_volume(swap).forward[0]) == pytest.approx(528.5e6, rel=1e-3)


@pytest.mark.parametrize(
    ("model", "total", "active"),
    [("llama3-70b", 70.6, 70.6), ("llama31-405b", 405.8, 405.8), ("mixtral-8x7b", 46.7, 12.9)],
)
def test_parameters(model, total, active):
    counts = count(case(8, model).shape)
    assert float(counts.total[0]) / 1e9 == pytest.approx(total, rel=5e-3)
    assert float(counts.active[0]) / 1e9 == pytest.approx(active, rel=5e-3)


def test_latent_attention_of_deepseek_v3():
    counts = count(case(64, "deepseek-v3", chip="b200-sxm").shape)
    assert float(counts.total[0]) / 1e9 == pytest.approx(671, rel=5e-3)
    assert float(counts.active[0]) / 1e9 == pytest.approx(37.4, rel=0.01)


def test_causal_attention_counts_half():
    one = case(8, "llama3-8b")
    tokens = np.full(1, 8192.0)
    full = model_flops(one.shape, one.counts, tokens, tokens, causal=False)
    half = model_flops(one.shape, one.counts, tokens, tokens, causal=True)
    core = 3 * 8192 * 32 * 4 * 8192 * 32 * 128
    assert float((full - half)[0]) == pytest.approx(core / 2)


def test_bytes_a_parameter():
    """Megatron-LM README: 18 plain, 6 + 12/n with the distributed optimiser and fp32 gradients."""
    for zero, bytes_ in ((0, 18.0), (1, 6 + 12 / 8)):
        one = case(8, "llama3-8b", zero=zero, grad_dtype="fp32")
        parts = stage_memory(one, np.zeros(1), np.zeros(1))
        states = parts.parameters + parts.gradients + parts.optimizer
        assert float((states / one.counts.total)[0]) == pytest.approx(bytes_)


def test_activations_of_a_gpt_layer():
    """Korthikanti et al.: 34 s b h / t with sequence parallelism and selective recompute."""
    plan = {
        "tp": 8, "dp": 1, "global_batch": 1, "recompute": "selective", "stack": "megatron",
        "seq_len": 2048, "precision": "fp16", "sequence_parallel": True,
    }  # fmt: skip
    one = case(8, "gpt3-175b", chip="a100-sxm-80", **plan)
    kept = stage_memory(one, np.zeros(1), np.zeros(1)).activations
    sbh = 2048 * 12288
    assert float(kept[0]) / (96 * sbh / 8) == pytest.approx(34, rel=0.06)


def test_in_flight_micro_batches():
    """1F1B holds p micro-batches on stage 0, so p stages hold as much there as one holds."""
    single = stage_memory(case(8, dp=1, tp=8), np.zeros(1), np.zeros(1)).activations
    staged = stage_memory(case(64, dp=1, tp=8, pp=8), np.zeros(1), np.zeros(1)).activations
    assert float(staged[0]) == pytest.approx(float(single[0]))
    last = stage_memory(case(64, dp=1, tp=8, pp=8), np.full(1, 7.0), np.zeros(1)).activations
    assert float(last[0]) == pytest.approx(float(single[0]) / 8)


def test_ring_latency_is_nccls():
    """8 ranks in a node: 8.4 + 7 x 3.4 us for one all-gather."""
    size = np.full(1, 8.0)
    assert float(ring_latency(size, np.ones(1), physics())[0]) == pytest.approx(32.2e-6)


def test_a_batch_of_plans_is_the_plans_one_by_one():
    from topoedit.engine.step.assemble import make_case
    from topoedit.engine.step.constants import ConstantPicker, stack_named
    from topoedit.engine.workload.arrays import Chips, Plans, Shapes, chip_row, pack, shape_row
    from topoedit.engine.workload.resolve import plan_row

    chip = chip_row(catalog().accelerator("h100-sxm"), 132, 1.0, None)
    plans = [{"tp": t, "pp": p, "cp": c} for t in (1, 4, 8) for p in (1, 4) for c in (1, 2)]
    rows = [plan_row(resolved(64, **p)) for p in plans]
    constants = ConstantPicker().pick([("hopper", stack_named("nemo"))])
    batch = make_case(
        pack(Shapes, [shape_row(llm())]), pack(Plans, rows), pack(Chips, [chip]), constants
    )
    together = _step(batch).total
    alone = [float(_step(case(64, **p)).total[0]) for p in plans]
    assert together == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize(("stack", "kinds"), [("nemo", (2, 2, 12)), ("fsdp-eager", (4, 4, 8))])
def test_sharded_state_is_16_bytes_a_parameter_by_kind(stack, kinds):
    """ZeRO-3: a copy of 16 or 32 bits, its gradients, master weights and moments."""
    one = run(pod(), "llama3-8b", zero=3, stack=stack, recompute="full").analysis.memory
    found = (one.parameters_bytes, one.gradients_bytes, one.optimizer_bytes)
    assert found == pytest.approx([n * 8.03e9 / 64 for n in kinds], rel=0.001)
    two = run(pod(), "llama3-8b", zero=2, stack=stack, recompute="full").analysis.memory
    assert two.gradients_bytes == pytest.approx(kinds[1] * 8.03e9 / 64, rel=0.001)
    states = two.gradients_bytes + two.optimizer_bytes
    assert states == pytest.approx(16 * 8.03e9 / 64, rel=0.001)


def test_a_stage_gathers_its_own_vocabulary_matrix_only():
    """ZeRO-3 on a pipeline: the first has the embedding, the last the head."""
    one = case(64, "llama3-8b", pp=4, zero=3, stack="fsdp-eager", recompute="full")
    two = case(64, "llama3-8b", pp=4, zero=2, stack="fsdp-eager", recompute="full")
    stages = np.arange(4.0)
    gathered = [stage_memory(c, stages, np.ones(1)).buffers for c in (one, two)]
    extra = gathered[0] - gathered[1]
    matrix = 128256 * 4096
    assert extra[0] - extra[1] == pytest.approx((2 + 4) * matrix, rel=0.06)
    assert extra[1] == extra[2]
