"""Memory of one GPU on a pipeline stage, by kind.

Sources: Rajbhandari 2019 and the Megatron-LM README (bytes a parameter), Korthikanti et al. 2022
(activations of a layer), Narayanan et al. 2021 (micro-batches in flight).
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from topoedit.engine.step.kernels import Case
from topoedit.engine.types import Bools, Floats
from topoedit.engine.workload.arrays import Recomputation, ScheduleKind
from topoedit.engine.workload.params import shard_ranks, stages


@dataclass(frozen=True, slots=True)
class StageMemory:
    """Bytes on one GPU of a stage; `buffers` are gathered layers, logits and fragmentation."""

    parameters: Floats
    gradients: Floats
    optimizer: Floats
    activations: Floats
    buffers: Floats
    context: Floats

    @property
    def total(self) -> Floats:
        """All kinds together."""
        return sum((getattr(self, f.name) for f in fields(self)), np.zeros(1))


@dataclass(frozen=True, slots=True)
class _States:
    parameters: Floats
    gradients: Floats
    optimizer: Floats
    gathered: Floats


def stage_memory(case: Case, stage: Floats, share: Floats) -> StageMemory:
    """Memory of `stage` (from 0) when `share` of the layers are recomputed in full.

    Args:
        case: the plans; its arrays broadcast with `stage`.
        stage: pipeline stage.
        share: share of fully recomputed layers, from `recompute_share`.
    """
    states = _states(case, stage)
    kept = _activations(case, stage, share)
    live = _live(case, stage, share)
    loose = kept + live + states.gathered
    states_total = states.parameters + states.gradients + states.optimizer
    fragments = (case.physics.fragmentation - 1) * (states_total + loose)
    return StageMemory(
        states.parameters, states.gradients, states.optimizer, kept,
        live + states.gathered + fragments,
        np.full(1, case.physics.context_bytes),
    )  # fmt: skip


def _stage_layers(case: Case, stage: Floats) -> Floats:
    """Layers' worth on a stage: the mean, so that 126 layers on 8 stages weigh 15.75."""
    return case.shape.layers / case.plan.pp + 0 * stage


def _vocabularies(case: Case, stage: Floats) -> Floats:
    """Vocabulary matrices on a stage: embedding on the first, head on the last."""
    plan = case.plan
    ends = (stage == 0).astype(float) + (stage == plan.pp - 1).astype(float)
    return np.where(plan.pp > 1, ends, case.counts.matrices)


def _states(case: Case, stage: Floats) -> _States:
    plan, counts, shape = case.plan, case.counts, case.shape
    share = _stage_layers(case, stage) / shape.layers
    body = shape.layers * counts.attention + counts.dense_layers * counts.mlp
    body = body + counts.moe_layers * counts.shared
    vocabulary = counts.embedding / plan.tp * _vocabularies(case, stage)
    dense = body * share / plan.tp + vocabulary
    expert = counts.moe_layers * share * shape.experts * counts.expert / (plan.ep * plan.etp)
    expert = expert * np.where(plan.schedule == ScheduleKind.DUALPIPE, 2.0, 1.0)
    dense = dense * np.where(plan.schedule == ScheduleKind.DUALPIPE, 2.0, 1.0)
    dense_ranks, expert_ranks = shard_ranks(plan)
    dense_ranks = np.where(plan.zero >= 2, plan.shard, dense_ranks)
    spread = dense / dense_ranks + expert / expert_ranks
    whole = dense + expert
    gathered = _gathered(case, stage, expert_ranks)
    zero, grad = plan.zero, plan.grad_bytes
    # 16 bytes a parameter: a 16-bit working copy with 16-bit gradients, else 32 bit throughout
    kept = np.where(grad < 4, 2.0, 4.0)
    # the second copy of ZeRO++, shared by the ranks of a server
    second = np.where(plan.secondary > 0, 2.0 * dense / np.maximum(plan.secondary, 1.0), 0.0)
    return _States(
        parameters=np.where(zero <= 2, 2.0 * whole, kept * spread) + second,
        gradients=np.select([zero == 0, zero == 1], [4.0 * whole, grad * whole], grad * spread),
        optimizer=np.select(
            [zero == 0, zero == 1, zero == 2],
            [12.0 * whole, 12.0 * spread, (16 - grad) * spread],
            (16 - grad - kept) * spread,
        ),
        gathered=np.where(zero >= 3, gathered, 0.0),
    )


def _gathered(case: Case, stage: Floats, expert_ranks: Floats) -> Floats:
    """ZeRO-3: current and prefetched layer (2 bytes), gradient of one; the stage's vocabulary."""
    plan, counts, shape = case.plan, case.counts, case.shape
    mlp = np.maximum(counts.mlp * (counts.dense_layers > 0), counts.shared)
    experts = shape.experts / plan.ep * counts.expert / plan.etp
    layer = (counts.attention + mlp) / plan.tp + np.where(expert_ranks > 1, experts, 0.0)
    vocabulary = counts.embedding / plan.tp * _vocabularies(case, stage)
    return (6 + plan.grad_bytes) * layer + (2 + plan.grad_bytes) * vocabulary


def _full_layer(case: Case) -> Floats:
    """Bytes a token that one layer keeps without recompute."""
    shape, plan = case.shape, case.plan
    low = plan.bits != 16
    operand = np.where(low, 1.0, 2.0)
    hidden = shape.hidden / plan.sp_ranks
    heads = shape.heads * shape.head_dim
    attention = 2 + 4 * shape.kv_heads / shape.heads + np.where(low, 3.0, 2.0)
    attention = attention * heads + 4 * shape.heads
    width = _ffn_width(case)
    ffn = np.where(shape.gated, 4 + operand, 2 + operand) * width
    layer = (4 + 2 * operand + np.where(plan.dropout, 2.0, 0.0)) * hidden
    layer = layer + (attention + ffn) / plan.tp
    layer = layer + np.where(_moe(case), 4 * shape.top_k * hidden, 0.0)
    scores = 5 * shape.heads * plan.seq / plan.tp
    fused = plan.flash | (plan.recompute == Recomputation.SELECTIVE)
    return layer + np.where(fused, 0.0, scores)


def _kept_layer(case: Case, share: Floats) -> Floats:
    """Bytes a token that one layer keeps: all, a checkpoint, or torch's per-operation choice."""
    shape, plan = case.shape, case.plan
    checkpoint = 2 * shape.hidden / plan.sp_ranks
    heads, keys = shape.heads * shape.head_dim, 2 * shape.kv_heads * shape.head_dim
    both = np.where(shape.gated, 2.0, 1.0)
    per_op = 2 * heads + heads + keys + both * _ffn_width(case) + 2 * shape.hidden
    mixed = share * checkpoint + (1 - share) * _full_layer(case)
    chosen = plan.recompute == Recomputation.PER_OP
    return np.where(chosen, checkpoint + per_op / plan.tp, mixed)


def _activations(case: Case, stage: Floats, share: Floats) -> Floats:
    tokens = case.plan.micro_batch * case.plan.seq / case.plan.cp
    return tokens * _in_flight(case, stage) * _kept_layer(case, share)


def _in_flight(case: Case, stage: Floats) -> Floats:
    """Layers x micro-batches whose activations a stage holds at once.

    1F1B: min(m, p - stage) micro-batches; interleaved: (p - 1)/(p v) more; all forward first: m;
    zero bubble as 1F1B; DualPipe p + 1.
    """
    plan = case.plan
    layers, batches = _stage_layers(case, stage), plan.micro_batches
    interleaved = plan.pp * (1 + (plan.pp - 1) / (plan.pp * plan.vpp)) - stage
    depth = np.where(plan.vpp > 1, interleaved, plan.pp - stage)
    depth = np.where(plan.schedule == ScheduleKind.DUALPIPE, plan.pp + 1, depth)
    depth = np.where(plan.schedule == ScheduleKind.AFAB, batches, depth)
    return layers * np.minimum(depth, batches)


def _live(case: Case, stage: Floats, share: Floats) -> Floats:
    """One layer being recomputed, gathered TP tensors, and the logits on the last stage."""
    shape, plan = case.shape, case.plan
    tokens = plan.micro_batch * plan.seq / plan.cp
    again = (share > 0) | (plan.recompute == Recomputation.PER_OP)
    layer = np.where(again, tokens * _full_layer(case), 0.0)
    # One gathered input and one unreduced output; torch keeps both gathered inputs of a layer and
    # their gradients as well.
    copies = np.where(plan.tp_copy, 10.0, 4.0)
    gathered = np.where(plan.tp > 1, copies * tokens * shape.hidden, 0.0)
    width = np.where(plan.fused, 10.0, 12.0)
    logits = tokens * shape.vocab / plan.tp * width
    return layer + gathered + np.where(stage == plan.pp - 1, logits, 0.0)


def _moe(case: Case) -> Bools:
    return np.asarray(case.counts.moe_layers > 0)


def _ffn_width(case: Case) -> Floats:
    shape = case.shape
    experts = shape.top_k * shape.moe_ffn + shape.shared_ffn
    return np.where(_moe(case), experts, shape.ffn)


def worst_total(case: Case, share: Floats) -> Floats:
    """Bytes on the fuller of the first and the last stage."""
    first = stage_memory(case, np.zeros(1), share).total
    if not np.any(case.plan.pp > 1):
        return first
    return np.maximum(first, stage_memory(case, case.plan.pp - 1, share).total)


def recompute_share(case: Case) -> Floats:
    """Share of layers recomputed in full.

    For an unpublished policy: the least that fits the usable part of the HBM; none where a coherent
    CPU link allows offload.
    """
    policy = case.plan.recompute
    share = np.select(
        [policy == Recomputation.FULL, policy == Recomputation.ALTERNATE], [1.0, 0.5], 0.0
    )
    unknown = (policy == Recomputation.AS_NEEDED) & (case.chip.c2c <= 0)
    if not np.any(unknown):
        return share
    none = stage_memory(case, np.zeros(1), np.zeros(1)).total
    full = stage_memory(case, np.zeros(1), np.ones(1)).total
    limit = case.physics.memory_fill * case.chip.hbm_bytes
    need = np.clip((none - limit) / np.maximum(none - full, 1.0), 0.0, 1.0)
    return np.where(unknown, need, share)


__all__ = ["StageMemory", "recompute_share", "stage_memory", "stages", "worst_total"]
