"""Models, plans and chips as arrays, so that one call evaluates one plan or a hundred thousand.

Every field is an array of shape (B,) or (1,); they broadcast. Units: bytes, seconds, FLOP/s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from enum import IntEnum
from typing import TypeVar

import numpy as np

from topoedit.catalog.types import Accelerator, Llm
from topoedit.engine.types import Bools, Floats


class Recomputation(IntEnum):
    """How activations are recomputed in the backward pass."""

    AS_NEEDED = -1  # the smallest share of layers that fits the memory (unpublished plans)
    NONE = 0
    SELECTIVE = 1  # the attention core
    FULL = 2
    PER_OP = 3  # torch's selective checkpointing: half of the matmuls, all elementwise kernels
    ALTERNATE = 4  # every second layer


class ScheduleKind(IntEnum):
    """Pipeline schedules; 1F1B with more than one virtual stage is interleaved."""

    AFAB = 0
    ONE_F_ONE_B = 1
    ZERO_BUBBLE = 2
    DUALPIPE = 3


class ContextKind(IntEnum):
    """How context-parallel ranks exchange keys and values."""

    RING = 0
    ULYSSES = 1
    ALLGATHER = 2


@dataclass(frozen=True, slots=True)
class Shapes:
    """Transformer shapes. `experts` is 0 for a dense model, `mla_kv` 0 without latent attention.

    Attributes:
        ffn: width of a dense feed-forward layer; moe_ffn of one expert; shared_ffn of all the
            shared experts together.
        top_k: routed experts of a token.
        dense_layers: layers without experts in a MoE model.
        expert_groups, groups_per_token: groups of experts and how many of them a token may use;
            0 without such a limit.
        expert_bias: experts have biases and a clamped activation.
        mla_q, mla_kv, mla_rope: latent ranks and rotary width of MLA.
    """

    layers: Floats
    hidden: Floats
    heads: Floats
    kv_heads: Floats
    head_dim: Floats
    ffn: Floats
    vocab: Floats
    gated: Bools
    tied: Bools
    experts: Floats
    top_k: Floats
    moe_ffn: Floats
    shared_ffn: Floats
    dense_layers: Floats
    expert_groups: Floats
    groups_per_token: Floats
    expert_bias: Bools
    mla_q: Floats
    mla_kv: Floats
    mla_rope: Floats


@dataclass(frozen=True, slots=True)
class Plans:
    """Parallel plans; GPUs = tp x pp x cp x dp.

    Attributes:
        seq: tokens of a sequence; global_batch and micro_batch in sequences.
        zero: 0 plain data parallelism, 1 sharded optimiser, 2 sharded gradients with weights
            gathered once a micro-batch (as SHARD_GRAD_OP), 3 everything sharded.
        shard: ranks that share one copy of the sharded state (dp x cp unless HSDP).
        bits: precision of linear layers, 16, 8 or 4; attention and the head stay at 16.
        block_scaled: block-scaled fp8 (MXFP8).
        sp: sequence parallelism with TP; flash: fused attention; fused: fused elementwise
            kernels; fused_experts: also those of experts with biases; early_stop:
            checkpointing skips a layer's last GEMM and reduction.
        tp_overlap: TP traffic in chunks under its own GEMM; tp_copy: each TP collective costs one
            extra copy (collectives along a dimension that is not the outermost).
        grad_bytes: bytes of one gradient on the wire; fp8_gather: parameters gathered as fp8.
        one_nic: collectives of sharded data parallelism use one NIC of a server.
        imbalance: tokens of the busiest expert rank over the mean.
        ep_direct: one copy of a token to each chosen expert's GPU, not one to each node.
        ep_nodes: nodes that a token may be sent to; 0 for what the model says.
        secondary: with ZeRO++, ranks of a node that share a second copy of the weights; 0 without.
    """

    seq: Floats
    global_batch: Floats
    micro_batch: Floats
    tp: Floats
    pp: Floats
    vpp: Floats
    cp: Floats
    dp: Floats
    ep: Floats
    etp: Floats
    zero: Floats
    shard: Floats
    recompute: Floats
    bits: Floats
    block_scaled: Bools
    sp: Bools
    flash: Bools
    fused: Bools
    fused_experts: Bools
    dropout: Bools
    early_stop: Bools
    tp_overlap: Bools
    tp_copy: Bools
    dp_overlap: Bools
    pp_overlap: Bools
    grad_bytes: Floats
    fp8_gather: Bools
    one_nic: Bools
    schedule: Floats
    cp_kind: Floats
    imbalance: Floats
    ep_direct: Bools = field(default_factory=lambda: np.zeros(1, bool))
    ep_nodes: Floats = field(default_factory=lambda: np.zeros(1))
    secondary: Floats = field(default_factory=lambda: np.zeros(1))

    @property
    def gpus(self) -> Floats:
        """GPUs that the plan uses."""
        return self.tp * self.pp * self.cp * self.dp

    @property
    def micro_batches(self) -> Floats:
        """Micro-batches of a step on one pipeline."""
        return np.maximum(self.global_batch / (self.micro_batch * self.dp), 1.0)

    @property
    def tokens(self) -> Floats:
        """Tokens of a micro-batch on one context-parallel rank."""
        return self.micro_batch * self.seq / self.cp

    @property
    def sp_ranks(self) -> Floats:
        """Divisor of the activations between the TP regions."""
        return np.where(self.sp, self.tp, 1.0)


@dataclass(frozen=True, slots=True)
class Chips:
    """Accelerators: dense peaks in FLOP/s, HBM in bytes/s and bytes.

    Attributes:
        sms: compute units that take one GEMM tile each.
        c2c: bytes/s of a coherent CPU link, over which activations can be offloaded instead of
            recomputed; 0 if there is none.
        clock: sustained clock relative to the part its generation's constants were fitted on.
    """

    peak16: Floats
    peak8: Floats
    peak4: Floats
    hbm: Floats
    hbm_bytes: Floats
    sms: Floats
    c2c: Floats
    clock: Floats


T = TypeVar("T", Shapes, Plans, Chips)


def pack(kind: type[T], rows: Sequence[Mapping[str, float | bool]]) -> T:
    """Rows of plain numbers as one record of arrays of shape (len(rows),).

    A field that has a default may be left out of all rows.
    """
    columns = {}
    for item in fields(kind):
        if item.default_factory is not MISSING and item.name not in rows[0]:
            continue
        dtype = bool if "Bools" in str(item.type) else float
        columns[item.name] = np.array([row[item.name] for row in rows], dtype=dtype)
    return kind(**columns)


def shape_row(llm: Llm) -> dict[str, float | bool]:
    """The fields of `Shapes` for a catalogue entry."""
    latent = llm.attention == "MLA" and bool(llm.kv_lora)
    experts = llm.experts or 0
    return {
        "layers": llm.layers,
        "hidden": llm.hidden,
        "heads": llm.heads,
        "kv_heads": llm.kv_heads,
        "head_dim": llm.head_dim,
        "ffn": llm.ffn,
        "vocab": llm.vocab,
        "gated": llm.gated_ffn,
        "tied": llm.tied_embeddings,
        "experts": experts,
        "top_k": (llm.experts_active or 0) if experts else 0,
        "moe_ffn": (llm.moe_ffn or llm.ffn) if experts else 0,
        "shared_ffn": (llm.shared_experts or 0) * (llm.moe_ffn or 0) if experts else 0,
        "dense_layers": (llm.dense_layers or 0) if experts else 0,
        "expert_groups": (llm.expert_groups or 0) if experts else 0,
        "groups_per_token": (llm.expert_groups_active or 0) if experts else 0,
        "expert_bias": llm.expert_bias,
        "mla_q": (llm.q_lora or llm.hidden) if latent else 0,
        "mla_kv": (llm.kv_lora or 0) if latent else 0,
        "mla_rope": (llm.rope_dim or 0) if latent else 0,
    }


def chip_row(chip: Accelerator, sms: float, clock: float, peak4: float | None) -> dict[str, float]:
    """The fields of `Chips` for a catalogue entry; a precision it lacks counts as the next higher.

    Args:
        chip: an accelerator whose bf16 (or fp16) peak, HBM size and bandwidth are known.
        sms: compute units.
        clock: sustained clock relative to its generation's reference part.
        peak4: FLOP/s of fp4 in training, where that differs from the catalogue's.
    """
    peak16 = chip.peak_flops("bf16") or chip.peak_flops("fp16") or float("nan")
    peak8 = chip.peak_flops("fp8") or peak16
    return {
        "peak16": peak16,
        "peak8": peak8,
        "peak4": peak4 or chip.peak_flops("nvfp4") or peak8,
        "hbm": chip.hbm_rate or float("nan"),
        "hbm_bytes": chip.hbm_bytes or float("nan"),
        "sms": sms,
        "c2c": (chip.c2c_GBps_dir or 0.0) * 1e9,
        "clock": clock,
    }
