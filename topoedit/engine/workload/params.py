"""Parameters and model FLOPs of a transformer.

Sources: Narayanan et al. 2021 (dense layers), DeepSeek-V3 Technical Report 2024 (latent attention,
shared and routed experts); conventions checked against the published tables that the product ships.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.engine.types import Floats
from topoedit.engine.workload.arrays import Plans, Shapes


@dataclass(frozen=True, slots=True)
class Counts:
    """Parameter counts, unsharded.

    Attributes:
        attention, mlp: of one layer; expert: one routed expert; shared: shared experts and router.
        embedding: one vocabulary matrix; matrices: how many of them (1 if tied).
        moe_layers, dense_layers: layers with and without experts.
        total, active: of the model, and those a token meets.
    """

    attention: Floats
    mlp: Floats
    expert: Floats
    shared: Floats
    embedding: Floats
    matrices: Floats
    moe_layers: Floats
    dense_layers: Floats
    total: Floats
    active: Floats


def count(shape: Shapes) -> Counts:
    """Parameters: h a d + 2 h g d + a d h for attention, 3 h f (gated) or 2 h f for an FFN.

    Biases and norms (below 0.1 %) are left out.
    """
    h, a, d = shape.hidden, shape.heads, shape.head_dim
    latent = (
        h * shape.mla_q
        + shape.mla_q * a * (d + shape.mla_rope)
        + h * (shape.mla_kv + shape.mla_rope)
        + shape.mla_kv * a * 2 * d
        + a * d * h
    )
    plain = h * (a + 2 * shape.kv_heads) * d + a * d * h
    attention = np.where(shape.mla_kv > 0, latent, plain)
    matrices_ffn = np.where(shape.gated, 3.0, 2.0)
    mlp, expert = matrices_ffn * h * shape.ffn, matrices_ffn * h * shape.moe_ffn
    shared = matrices_ffn * h * shape.shared_ffn + h * shape.experts
    moe = np.where(shape.experts > 0, shape.layers - shape.dense_layers, 0.0)
    dense = shape.layers - moe
    embedding, matrices = shape.vocab * h, np.where(shape.tied, 1.0, 2.0)
    fixed = shape.layers * attention + dense * mlp + moe * shared + matrices * embedding
    return Counts(
        attention, mlp, expert, shared, embedding, matrices, moe, dense,
        total=fixed + moe * shape.experts * expert,
        active=fixed + moe * shape.top_k * expert,
    )  # fmt: skip


def model_flops(shape: Shapes, counts: Counts, tokens: Floats, seq: Floats, causal: bool) -> Floats:
    """FLOPs of a step without recompute: 3 x tokens x (2 x active weights + attention core + head).

    Args:
        shape: the models.
        counts: their parameters.
        tokens: tokens of a step.
        seq: tokens of a sequence.
        causal: count half of the attention square (what fused kernels execute) instead of all
            of it (the convention of Megatron-Core, NeMo and llm-foundry tables).
    """
    square = 4 * seq * shape.heads * (shape.head_dim + shape.mla_rope / 2)
    core = square * (0.5 if causal else 1.0)
    weights = counts.active - counts.matrices * counts.embedding
    return 3 * tokens * (2 * weights + shape.layers * core + 2 * counts.embedding)


@dataclass(frozen=True, slots=True)
class Stages:
    """How many layers the pipeline stages hold.

    `balanced` plans count embedding and head as one layer each (126 layers on 8 or 16 stages).
    """

    balanced: Floats
    layers: Floats  # of a full stage
    first: Floats
    last: Floats


def stages(shape: Shapes, plan: Plans) -> Stages:
    """Layers of full, first and last stages: ceil(L / pp), or (L + 2) / pp with a lighter end."""
    chunks = plan.pp * plan.vpp
    balanced = (np.mod(shape.layers, chunks) != 0) & (np.mod(shape.layers + 2, chunks) == 0)
    full = np.where(balanced, (shape.layers + 2) / plan.pp, np.ceil(shape.layers / plan.pp))
    last = np.where(balanced, full - 1, shape.layers - (plan.pp - 1) * full)
    first = np.where(balanced, full - 1, full)
    alone = plan.pp == 1
    return Stages(
        balanced.astype(float), full,
        np.where(alone, shape.layers, first), np.where(alone, shape.layers, np.maximum(last, 0.0)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class LocalParameters:
    """Parameters on one GPU: those of dense parts and those of its experts."""

    dense: Floats
    expert: Floats


def local_parameters(shape: Shapes, plan: Plans, counts: Counts) -> LocalParameters:
    """Of the heaviest GPU: layers / (tp pp) and one vocabulary matrix, both without PP."""
    vocabulary = counts.embedding / plan.tp * np.where(plan.pp > 1, 1.0, counts.matrices)
    body = (
        shape.layers * counts.attention
        + counts.dense_layers * counts.mlp
        + counts.moe_layers * counts.shared
    )
    dense = body / (plan.tp * plan.pp) + vocabulary
    expert = counts.moe_layers * shape.experts * counts.expert / (plan.ep * plan.etp * plan.pp)
    return LocalParameters(dense, expert)


def shard_ranks(plan: Plans) -> tuple[Floats, Floats]:
    """Replicas of dense parameters (dp x cp) and of experts (what is left beside ep and etp)."""
    dense = plan.dp * plan.cp
    return dense, np.maximum(dense * plan.tp / (plan.ep * plan.etp), 1.0)
