"""Whatever the plan: it is refused on one line, or every figure of the result holds together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.step.cases import fabric, pod, run
from topoedit.errors import BadInputError

POWERS = st.sampled_from([1, 1, 2, 4, 8])
PLANS = st.fixed_dictionaries(
    {
        "tp": POWERS,
        "cp": st.sampled_from([1, 1, 2, 4]),
        "pp": POWERS,
        "vpp": st.sampled_from([1, 1, 2]),
        "ep": st.sampled_from([1, 1, 2, 8]),
        "etp": st.sampled_from([1, 1, 2]),
        "zero": st.sampled_from([0, 1, 2, 3]),
        "micro_batch": st.sampled_from([1, 2]),
        "sequence_parallel": st.sampled_from([None, True, False]),
        "schedule": st.sampled_from(["1f1b", "1f1b", "afab", "zb", "dualpipe"]),
        "cp_kind": st.sampled_from(["ring", "ulysses", "allgather"]),
        "recompute": st.sampled_from(["none", "selective", "full"]),
        "precision": st.sampled_from(["bf16", "fp8", "mxfp8"]),
        "stack": st.sampled_from(["nemo", "megatron", "fsdp-eager", "fsdp-compile", "xla"]),
        "rank_order": st.sampled_from(["tp-cp-dp-pp", "pp-dp-tp-cp"]),
        "ring_order": st.sampled_from(["node", "strided", "random"]),
        "constants": st.sampled_from(["fitted", "fitted", "nccl-2.30.7"]),
        "expert_imbalance": st.sampled_from([1.0, 1.3]),
        "pxn": st.booleans(),
        "gpudirect": st.booleans(),
    },
    optional={"hsdp": st.sampled_from([2, 8])},
)
MODELS = st.sampled_from(["llama3-8b", "mixtral-8x7b", "gpt3-175b"])


@given(plan=PLANS, model=MODELS, sites=st.booleans())
def test_every_plan_is_refused_or_adds_up(plan, model, sites):
    drawing = fabric("multi-site") if sites else pod()
    refusal = ""
    try:
        result = run(drawing, model, **plan)
    except BadInputError as error:
        refusal = error.line
    assert "\n" not in refusal
    if refusal:
        return
    record, figures = result.analysis, result.figures
    parts = record.breakdown_s
    assert parts.total() == record.step_time_s
    assert min(getattr(parts, name) for name in parts.__struct_fields__) >= 0
    assert figures.utilisation.max() <= 1 + 1e-9
    assert figures.phase_share.max() <= 1 + 1e-9
    assert np.isfinite(figures.demand).all()
    exposed = sum(row.exposed_s for row in record.communication)
    named = parts.tp + parts.cp + parts.ep + parts.pp + parts.dp + parts.wan
    assert exposed == pytest.approx(named, rel=1e-6, abs=1e-9)
    kinds = ("parameters", "gradients", "optimizer", "activations", "buffers", "context")
    memory = record.memory
    assert memory.total_bytes == pytest.approx(sum(getattr(memory, f"{k}_bytes") for k in kinds))
    assert all(row.cost_s >= 0 for row in record.bottlenecks)
    assert all(row.exposed_s <= row.time_s for row in record.communication)
    assert 0 < record.mfu < 1
    sent = {row.class_: row for row in record.communication}
    assert set(figures.classes) == set(sent)
