"""Defaults of a plan, and plans that cannot exist."""

from __future__ import annotations

import re

import pytest

from tests.engine.step.cases import catalog, llm, resolved
from topoedit.engine.workload.resolve import resolve_plan
from topoedit.errors import BadPlanError
from topoedit.model.plan import Plan


def test_defaults():
    whole = resolved(64, tp=8, pp=2)
    plan = whole.plan
    assert (whole.dp, whole.seq_len, whole.micro_batches) == (4, 8192, 8)
    assert whole.global_batch == 4 * 2 * 4 * 1  # 4 x pp x dp x micro-batch
    assert plan.sequence_parallel is True
    assert plan.grad_dtype == "bf16"  # nemo
    assert resolved(64).plan.sequence_parallel is False
    assert resolved(64, stack="fsdp-compile").plan.grad_dtype == "fp32"
    assert any("global batch of 32" in note.text for note in whole.assumptions)


@pytest.mark.parametrize(("network", "routing"), [("Ethernet", "ecmp"), ("InfiniBand", "adaptive")])
def test_routing_follows_the_network(network, routing):
    assert resolve_plan(Plan(), llm(), 8, network=network).plan.routing == routing


def test_sequence_is_at_most_the_context():
    assert resolve_plan(Plan(), llm("gpt3-175b"), 8).seq_len == 2048
    longer = resolve_plan(Plan(seq_len=4096), llm("gpt3-175b"), 8)
    assert any("context of 2048" in text for text in longer.warnings)


def test_idle_gpus_are_told():
    whole = resolved(100, tp=8)
    assert (whole.gpus, whole.idle) == (96, 4)
    assert "4 of 100 GPUs are idle" in whole.warnings


def test_a_small_batch_leaves_ranks_idle_only_when_dp_is_open():
    assert resolved(64, tp=8, global_batch=1).dp == 1
    with pytest.raises(BadPlanError, match="global batch 1 is no multiple"):
        resolved(64, tp=8, dp=8, global_batch=1)


def test_what_has_no_effect_is_told():
    whole = resolved(64, tp=8, ep_nodes=4, expert_imbalance=1.2)
    assert "ep-nodes 4 has no effect: llama3-70b has no experts" in whole.warnings
    assert "expert-imbalance 1.2 has no effect: llama3-70b has no experts" in whole.warnings
    assert not [text for text in resolved(64, tp=8).warnings if "no effect" in text]


def test_an_unknown_release_is_told_with_the_known_ones():
    (text,) = resolved(64, tp=8, release="1.0").warnings
    assert 'no constants of release "1.0" (known: automodel)' in text
    assert resolved(64, tp=8, release="automodel").warnings == ()


BAD = [
    ({"pp": 3, "vpp": 5}, r"15 chunks do not divide 80 layers. Nearest that work: 1$"),
    ({"tp": 8, "seq_len": 8191}, r"8191 tokens of a context-parallel rank. Nearest that work: 1$"),
    ({"seeds": 0}, "seeds must lie between 1 and .* not 0. The nearest value is 1"),
    ({"flows_per_connection": 10**9}, "flows-per-connection must lie between 1 and"),
    ({"zero": 5}, "not 5. The nearest is 3"),
    ({"expert_imbalance": 1000.0}, "The nearest value is 100"),
    ({"tp": 0}, "tp must lie between 1"),
    ({"tp": 6}, r"tp 6 does not divide the 64 heads.*Nearest that work: 4, 8"),
    ({"tp": 8, "pp": 16}, r"needs 128 GPUs, the drawing has 64. Nearest: pp 8"),
    ({"tp": 8, "dp": 9}, r"needs 72 GPUs, the drawing has 64. Nearest: dp 8"),
    ({"pp": 81}, r"Nearest that work: 80"),
    ({"vpp": 4}, "needs a pipeline"),
    ({"pp": 4, "vpp": 3}, r"12 chunks do not divide 80 layers. Nearest that work: 2, 4"),
    ({"pp": 4, "vpp": 2, "schedule": "zb"}, "goes with the schedule 1f1b"),
    ({"cp": 3}, r"cp 3 does not divide the sequence of 8192.*2, 4"),
    ({"tp": 8, "seq_len": 4}, r"tp 8 does not divide the 4 tokens"),
    ({"ep": 4}, "is dense"),
    ({"global_batch": 10, "micro_batch": 3}, r"micro-batch 3 does not divide.*2, 5"),
    ({"tp": 8, "global_batch": 100}, r"Nearest: 96, 104"),
    ({"zero": 5}, "zero must be 0, 1, 2 or 3"),
    ({"hsdp": 8}, "needs sharded state"),
    ({"zero": 3, "hsdp": 3}, r"hsdp 3 does not divide dp x cp = 64"),
    ({"zero": 1, "zero_plus_plus": True}, "not zero 1.*--zero 3"),
    ({"rank_order": "tp-pp"}, "once each"),
    ({"expert_imbalance": 0.5}, "1.0"),
    ({"seq_len": 0}, "seq-len must lie"),
]  # fmt: skip


@pytest.mark.parametrize(("plan", "line"), BAD, ids=lambda v: str(v)[:40])
def test_impossible_plans_are_refused_on_one_line(plan, line):
    with pytest.raises(BadPlanError, match=line) as caught:
        resolved(64, **plan)
    assert "\n" not in caught.value.line
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("plan", "line"),
    [
        ({"ep": 3}, r"ep 3 does not divide the 8 experts.*2, 4"),
        ({"ep": 8, "dp": 3, "tp": 1}, r"does not divide the 3 ranks"),
        ({"etp": 3}, r"expert width"),
    ],
)
def test_experts_must_tile(plan, line):
    with pytest.raises(BadPlanError, match=line):
        resolved(64, "mixtral-8x7b", **plan)


def test_precision_must_exist_on_the_chip():
    a100 = catalog().accelerator("a100-sxm-80")
    with pytest.raises(BadPlanError, match=r"no fp8 mode.*It has: bf16, fp16"):
        resolve_plan(Plan(precision="fp8"), llm(), 8, chip=a100)
    assert resolve_plan(Plan(precision="fp16"), llm(), 8, chip=a100).plan.precision == "fp16"
    with pytest.raises(BadPlanError, match='unknown precision "int8"'):
        resolve_plan(Plan(precision="int8"), llm(), 8)


def test_a_drawing_without_gpus():
    with pytest.raises(BadPlanError, match="no GPUs"):
        resolved(0)


def test_unknown_stack_names_the_nearest():
    with pytest.raises(BadPlanError, match="Nearest: nemo"):
        resolved(8, stack="nemmo")


@pytest.mark.parametrize(
    ("model", "plan", "line"),
    [
        ("llama3-70b", {"zero": 3, "hsdp": 8, "zero_plus_plus": True}, "does not go with hsdp 8"),
        ("llama3-70b", {"cp_kind": "ulysses", "cp": 16, "tp": 8, "seq_len": 8192}, "8 heads.*8"),
        ("mixtral-8x7b", {"ep_nodes": 3}, "ep-nodes 3 is more than the 2 experts.*2"),
        ("mixtral-8x7b", {"algorithms": {"EP": "ring"}}, "direct or two-stage"),
    ],
)
def test_exchanges_that_cannot_be(model: str, plan: dict[str, object], line: str) -> None:
    with pytest.raises(BadPlanError) as refused:
        resolved(128, model, **plan)
    assert re.search(line, refused.value.line)
    assert "\n" not in refused.value.line


def test_ulysses_that_repeats_keys_is_told() -> None:
    whole = resolved(64, cp_kind="ulysses", cp=4, tp=4, seq_len=8192)
    assert any("repeats keys and values" in text for text in whole.warnings)
