"""Seconds of the kernels of a transformer layer on one GPU, from local shapes.

Sources: GEMM sweeps of the Azure AI benchmarking guide (launch, roofline), NVIDIA's description of
wave quantisation, Dao 2022 and 2023 (fused attention: causal half executed, backward 2.5 forwards),
Megatron-LM 2021 (unfused attention). Shares of peak are constants of `calibration.yaml`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.engine.step.constants import Constants, Physics
from topoedit.engine.types import Floats
from topoedit.engine.workload.arrays import Chips, Plans, Shapes
from topoedit.engine.workload.params import Counts

_TILES = (
    (256.0, 128.0, 1.0), (128.0, 256.0, 1.0), (128.0, 128.0, 0.92),
    (128.0, 64.0, 0.9), (64.0, 128.0, 0.9), (64.0, 64.0, 0.8),
)  # fmt: skip
"""Rows, columns and relative speed of the GEMM tiles that are tried."""
_SIDES = (64.0, 128.0, 256.0)


@dataclass(frozen=True, slots=True)
class Case:
    """What every formula of the step model reads; see the classes of the parts."""

    shape: Shapes
    plan: Plans
    chip: Chips
    constants: Constants
    physics: Physics
    counts: Counts

    @property
    def moe_share(self) -> Floats:
        """Share of layers that have experts."""
        return self.counts.moe_layers / self.shape.layers

    @property
    def local_experts(self) -> Floats:
        """Routed experts on one rank."""
        return np.maximum(np.maximum(self.shape.experts, 1.0) / self.plan.ep, 1.0)

    @property
    def rate16(self) -> Floats:
        """Sustained 16-bit FLOP/s."""
        return self.constants.gemm16 * self.chip.peak16 * self.chip.clock

    @property
    def rate(self) -> Floats:
        """Sustained FLOP/s of linear layers in the plan's precision."""
        scaled = np.where(self.plan.block_scaled, self.physics.block_scaled, 1.0)
        rate8 = self.constants.gemm8 * self.chip.peak8 * scaled * self.chip.clock
        rate4 = self.constants.gemm4 * self.chip.peak4 * self.chip.clock
        bits = self.plan.bits
        return np.where(bits == 16, self.rate16, np.where(bits == 8, rate8, rate4))

    @property
    def hbm(self) -> Floats:
        """Bytes/s that elementwise kernels reach."""
        return self.constants.memory * self.chip.hbm


@dataclass(frozen=True, slots=True)
class Passes:
    """Forward, input-gradient and weight-gradient seconds of some kernels."""

    forward: Floats
    dgrad: Floats
    wgrad: Floats

    @property
    def backward(self) -> Floats:
        """Both gradients."""
        return self.dgrad + self.wgrad

    def __add__(self, other: Passes) -> Passes:
        return Passes(
            self.forward + other.forward, self.dgrad + other.dgrad, self.wgrad + other.wgrad
        )

    def scaled(self, factor: Floats | float) -> Passes:
        """The same kernels `factor` times."""
        return Passes(self.forward * factor, self.dgrad * factor, self.wgrad * factor)


def gemm(
    case: Case, m: Floats, n: Floats, k: Floats, rate: Floats, in_bytes: Floats | float,
    out_bytes: Floats | float = 2.0,
) -> Floats:  # fmt: skip
    """Seconds of C[m,n] = A[m,k] B[k,n].

    2 m n k / (rate x fill), fill from wave quantisation (the best tile shape) and the ramp
    k / (k + k0), k0 = 256 at the 16-bit rate and in proportion to the rate, since filling a tile's
    pipeline takes the same time at any precision; HBM traffic in quadrature; one launch.
    """
    physics, sms = case.physics, case.chip.sms
    down, across = ({size: np.ceil(side / size) for size in _SIDES} for side in (m, n))
    fill: Floats = np.zeros(1)
    for rows, columns, efficiency in _TILES:
        waves = np.ceil(down[rows] * across[columns] / sms)
        fill = np.maximum(fill, efficiency / (rows * columns) / waves)
    fill = fill * (m * n / sms)
    ramp = physics.k_ramp * np.maximum(rate / case.rate16, 1.0)
    fill = (physics.quantisation * fill + 1 - physics.quantisation) * k / (k + ramp)
    arithmetic = 2.0 * m * n * k / (rate * fill)
    moved = in_bytes * (m * k + k * n) + out_bytes * m * n
    memory = moved / (physics.stream * case.chip.hbm)
    return np.sqrt(arithmetic * arithmetic + memory * memory) + physics.kernel_launch


def linear(
    case: Case, m: Floats, n: Floats, k: Floats, rate: Floats, in_bytes: Floats | float,
    gradient_bytes: Floats,
) -> Passes:  # fmt: skip
    """Passes of y[m,n] = x[m,k] W; the weight gradient moves `gradient_bytes` an element."""
    return Passes(
        gemm(case, m, n, k, rate, in_bytes),
        gemm(case, m, k, n, rate, in_bytes),
        gemm(case, n, k, m, rate, in_bytes, gradient_bytes),
    )


@dataclass(frozen=True, slots=True)
class LayerKernels:
    """Seconds of one micro-batch in one layer (mean over dense and MoE layers) and in the head.

    Attributes:
        projections, ffn: GEMMs; attention: forward and backward of the core.
        elementwise: forward and backward of norms, activations, rotary, casts, permutation.
        last_gemm: forward of the layer's last GEMM (not recomputed with early stop).
        head: LM head; loss: softmax and cross entropy, forward and backward together.
    """

    projections: Passes
    ffn: Passes
    attention: tuple[Floats, Floats]
    elementwise: tuple[Floats, Floats]
    last_gemm: Floats
    head: Passes
    loss: Floats

    @property
    def linear(self) -> Passes:
        """All GEMMs of the layer."""
        return self.projections + self.ffn

    @property
    def forward(self) -> Floats:
        """Compute of the forward pass."""
        return self.linear.forward + self.attention[0] + self.elementwise[0]

    @property
    def backward(self) -> Floats:
        """Compute of the backward pass without recompute."""
        return self.linear.backward + self.attention[1] + self.elementwise[1]


def layer_kernels(case: Case) -> LayerKernels:
    """Times of all kernels of a layer and of the head."""
    shape, plan = case.shape, case.plan
    tokens, in_bytes = plan.tokens, _input_bytes(plan)
    gradient = np.where((plan.micro_batches > 1) & (plan.zero < 2), 8.0, 4.0)  # fp32 main gradients
    width = _projection_width(case)
    heads = shape.heads * shape.head_dim / plan.tp
    rate, hidden = case.rate, shape.hidden
    projections = linear(
        case, tokens, width / plan.tp, hidden, rate, in_bytes, gradient
    ) + linear(case, tokens, hidden, heads, rate, in_bytes, gradient)  # fmt: skip
    ffn, last = _ffn(case, in_bytes, gradient)
    head = linear(case, tokens, shape.vocab / plan.tp, hidden, case.rate16, 2.0, gradient)
    loss_bytes = np.where(plan.fused, 16.0, 28.0)
    loss = tokens * shape.vocab / plan.tp * loss_bytes / (case.physics.stream * case.chip.hbm)
    return LayerKernels(
        projections, ffn, _attention(case), _elementwise(case), last, head, loss
    )  # fmt: skip


def _input_bytes(plan: Plans) -> Floats:
    """Bytes of a GEMM operand: 2, 1, or 0.56 (4 bits and a scale for each 16)."""
    return np.where(plan.bits == 16, 2.0, np.where(plan.bits == 8, 1.0, 0.56))


def _projection_width(case: Case) -> Floats:
    """Columns of the projections into attention, per layer before TP."""
    shape = case.shape
    plain = (shape.heads + 2 * np.maximum(shape.kv_heads, case.plan.tp)) * shape.head_dim
    latent = case.counts.attention / shape.hidden - shape.heads * shape.head_dim
    return np.where(shape.mla_kv > 0, latent, plain)


def _ffn(case: Case, in_bytes: Floats, gradient: Floats) -> tuple[Passes, Floats]:
    """Feed-forward GEMMs (mean over dense and MoE layers) and the forward of the last of them."""
    shape, plan, share = case.shape, case.plan, case.moe_share
    tokens, hidden, rate = plan.tokens, shape.hidden, case.rate
    both = np.where(shape.gated, 2.0, 1.0)

    def pair(width: Floats, rows: Floats, speed: Floats) -> tuple[Passes, Passes]:
        return (
            linear(case, rows, both * width, hidden, speed, in_bytes, gradient),
            linear(case, rows, hidden, width, speed, in_bytes, gradient),
        )

    up, down = pair(shape.ffn / plan.tp, tokens, rate)
    dense = up + down
    if not np.any(shape.experts > 0):
        return dense, down.forward
    local = case.local_experts
    routed = tokens * shape.top_k * plan.etp / plan.sp_ranks / local * plan.imbalance
    grouped = rate * case.physics.grouped_gemm
    expert_up, expert_down = pair(
        np.maximum(shape.moe_ffn, 1.0) / plan.etp, np.maximum(routed, 1.0), grouped
    )
    shared_up, shared_down = pair(np.maximum(shape.shared_ffn, 1.0) / plan.tp, tokens, rate)
    has_shared = np.where(shape.shared_ffn > 0, 1.0, 0.0)
    experts = (expert_up + expert_down).scaled(local)
    moe = experts + (shared_up + shared_down).scaled(has_shared)
    last = (1 - share) * down.forward + share * local * expert_down.forward
    return dense.scaled(1 - share) + moe.scaled(share), last


def _attention(case: Case) -> tuple[Floats, Floats]:
    """Forward and backward of the attention core.

    Fused: half of the square (causal), slower on short sequences, backward 2.5 forwards at 0.75 of
    the rate. Unfused: batched 16-bit GEMMs and 10 (backward 14) bytes a score of softmax traffic.
    """
    shape, plan, chip, physics = case.shape, case.plan, case.chip, case.physics
    width = shape.head_dim + shape.mla_rope / 2
    square = 4.0 * plan.seq * shape.heads * width / plan.tp * plan.tokens
    half_at = physics.attention_half_rate * chip.peak16 * case.constants.attention / 1e12
    short = 1 + half_at * plan.cp / plan.seq
    rate = case.constants.attention * chip.peak16 * chip.clock / short
    rate = rate * np.sqrt(np.minimum(1.0, width / 64))
    fused = square * 0.5 / rate + physics.kernel_launch
    scores = shape.heads / plan.tp * plan.tokens * plan.seq
    thin = square * (shape.head_dim + 64.0) / shape.head_dim / case.rate16
    drop = np.where(plan.dropout, 1.0, 0.0)
    return (
        np.where(plan.flash, fused, thin + scores * (10 + 5 * drop) / case.hbm),
        np.where(
            plan.flash,
            2.5 * fused / physics.attention_backward,
            2 * thin + scores * (14 + 7 * drop) / case.hbm,
        ),
    )


def _elementwise(case: Case) -> tuple[Floats, Floats]:
    """Forward and backward of the kernels bound by HBM: bytes a token / reached bandwidth.

    Counted per token: residual stream and norms (h), activation (f), rotary (heads), permutation
    to and from experts (16 k h bytes), merging the partial outputs of context parallelism, what
    experts with biases run unfused; and, at the speed of large streams, casts to fp8 with their
    transposes (4 bytes).
    """
    shape, plan, physics = case.shape, case.plan, case.physics
    moe = case.counts.moe_layers > 0
    low = np.where(plan.bits == 16, 0.0, 4.0)
    drop = np.where(plan.dropout, 4.0, 0.0)
    gated, fused = shape.gated, plan.fused
    residual = np.where(fused, 16.0, 20.0) + drop, np.where(fused, 16.0, 24.0) + drop
    activation = (
        np.where(gated, np.where(fused, 6.0, 10.0), 4.0),
        np.where(gated, np.where(fused, 10.0, 18.0), 6.0),
    )
    rotary = np.where(gated, np.where(fused, 4.0, 16.0), 0.0)
    rotary = rotary * (shape.heads + shape.kv_heads) * shape.head_dim
    width = np.where(moe, shape.top_k * shape.moe_ffn + shape.shared_ffn, shape.ffn)
    inputs = shape.hidden + np.where(moe, shape.top_k, 1.0) * shape.hidden
    permute = np.where(moe, 16.0 * shape.top_k * shape.hidden / plan.sp_ranks, 0.0)
    queries = shape.heads * shape.head_dim
    keys = 2 * shape.kv_heads * shape.head_dim
    both = np.where(gated, 2.0, 1.0)
    cast_widths = queries + width, queries + keys + both * width
    merged = physics.context_merge_bytes * np.where(plan.cp > 1, plan.cp, 0.0)
    merged_widths = queries, queries + keys
    biased = _biased_experts(case)
    seconds = []
    for i in (0, 1):
        moved = residual[i] * shape.hidden / plan.sp_ranks + permute + biased[i]
        moved = moved + (activation[i] * width + rotary + merged * merged_widths[i]) / plan.tp
        cast = low * (inputs / plan.sp_ranks + cast_widths[i] / plan.tp)
        streamed = physics.stream * case.chip.hbm
        seconds.append(plan.tokens * (moved / case.hbm + cast / streamed))
    return seconds[0], seconds[1]


def _biased_experts(case: Case) -> tuple[Floats, Floats]:
    """Bytes a token that experts with biases and a clamped activation move in kernels of their own.

    Bias, split, two clamps, sigmoid, products and their gradients, one kernel each, over the
    intermediate width, and the bias over a quarter as much of the output.
    """
    shape, plan, physics = case.shape, case.plan, case.physics
    width = shape.top_k * (shape.moe_ffn / plan.etp + 0.25 * shape.hidden)
    width = np.where(shape.expert_bias & ~plan.fused_experts, width, 0.0)
    return physics.biased_expert_bytes * width, physics.biased_expert_bytes_backward * width
