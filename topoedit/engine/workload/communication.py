"""The communication of a step as a list: what is sent, in which groups, how often.

Sources: `docs` of each formula are the papers named at it; S is one activation tensor of a
micro-batch on one CP rank (2 bytes x tokens x hidden), n the size of the group.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.engine.step.kernels import Case
from topoedit.engine.step.traffic import (
    activation_bytes,
    context_volume,
    expert_volume,
    layer_parameters,
    sharded_widths,
)
from topoedit.engine.types import Floats
from topoedit.engine.workload.arrays import Recomputation
from topoedit.engine.workload.params import count, stages
from topoedit.engine.workload.resolve import ResolvedPlan, expert_kind

MEGATRON = "Narayanan et al. 2021, Megatron-LM (two all-reduces each way in a layer)"
SEQUENCE = "Korthikanti et al. 2022 (sequence parallelism: all-gather and reduce-scatter)"
RING_ATTENTION = "Liu et al. 2023, Ring Attention; Jacobs et al. 2023, DeepSpeed-Ulysses"
PIPELINE = "Narayanan et al. 2021 (one activation tensor at each stage boundary)"
ZERO = "Rajbhandari et al. 2019, ZeRO"
ZERO_PLUS = "Wang et al. 2023, ZeRO++ (qwZ, hpZ, qgZ; arXiv 2306.10209)"
REGATHER = "re-gather"
"""Part of sequence parallelism that always runs under the input gradients."""
EXPERTS = "DeepSeek-V3 Technical Report 2024 (one copy for each domain with chosen experts)"


@dataclass(frozen=True, eq=False)
class Exchange:
    """One kind of communication in a step.

    Attributes:
        class_: traffic class; part: what it belongs to; op: operation.
        groups: field of `Placement` with its groups; size: n.
        buffer: bytes of one call as nccl-tests counts them (for `send_recv` of one message).
        calls: (pp,) calls a step on each pipeline stage.
        sent: bytes that one GPU sends in one call; network: of them between domains (experts).
        formula, source: of `sent`.
    """

    class_: str
    part: str
    op: str
    groups: str
    size: int
    buffer: float
    calls: Floats
    sent: float
    formula: str
    source: str
    network: float = 0.0

    @property
    def heaviest(self) -> float:
        """Calls a step on the stage that makes most."""
        return float(self.calls.max())

    @property
    def bytes_per_gpu(self) -> float:
        """Bytes a step that one GPU of the busiest stage sends."""
        return self.heaviest * self.sent


def exchanges(case: Case, resolved: ResolvedPlan, share: float, domains: int = 1) -> list[Exchange]:
    """All communication of one plan.

    Args:
        case: the plan as arrays of shape (1,).
        resolved: the plan.
        share: share of layers that are recomputed in full.
        domains: scale-up domains that an expert group spans.
    """
    layers = _stage_layers(case, resolved)
    batches = float(resolved.micro_batches)
    again = 0.0 if case.plan.recompute[0] == Recomputation.PER_OP else share
    made = [
        *_tensor(case, resolved, layers, batches, share),
        *_context(case, resolved, layers, batches, share),
        *_expert(case, resolved, layers, batches * (4 + 2 * again), domains),
        *_pipeline(case, resolved, batches),
    ]
    if resolved.plan.zero >= 2:
        made += _sharded(case, resolved, layers, batches)
    else:
        made += _gradients(case, resolved, layers)
    return [one for one in made if one.size > 1 and one.heaviest > 0 and one.sent > 0]


def _stage_layers(case: Case, resolved: ResolvedPlan) -> Floats:
    """(pp,) layers on each stage."""
    pp = resolved.plan.pp
    held = stages(case.shape, case.plan)
    layers = np.full(pp, float(held.layers[0]))
    layers[-1] = float(held.last[0])
    layers[0] = float(held.first[0])
    return layers


def _ends(pp: int) -> tuple[Floats, Floats]:
    """(pp,) masks of the first and the last stage."""
    stage = np.arange(pp)
    return (stage == 0).astype(float), (stage == pp - 1).astype(float)


def ring_sent(op: str, size: int, buffer: float) -> float:
    """Bytes that one rank sends in one call: 2(n-1)/n S all-reduce, (n-1)/n S its halves."""
    factor = {"all_reduce": 2 * (size - 1) / size, "send_recv": 1.0}.get(op, (size - 1) / size)
    return factor * buffer


def _make(
    class_: str, part: str, op: str, groups: str, size: int, buffer: float, calls: Floats,
    formula: str, source: str,
) -> Exchange:  # fmt: skip
    return Exchange(
        class_, part, op, groups, size, buffer, calls, ring_sent(op, size, buffer), formula, source
    )


def _tensor(
    case: Case, resolved: ResolvedPlan, layers: Floats, batches: float, share: float
) -> list[Exchange]:
    """Tensor parallelism: layers, embedding and head each in entries of their own."""
    tp, pp = resolved.plan.tp, resolved.plan.pp
    buffer = float(activation_bytes(case)[0])
    first, last = _ends(pp)
    in_layers = layers * batches * (4 + 2 * _recomputed_calls(case, share))
    parts = (("layers", in_layers), ("embedding", first * batches), ("head", last * batches))
    sequence = resolved.sequence_parallel
    ops = ("all_gather", "reduce_scatter") if sequence else ("all_reduce",)
    one = "(n−1)/n × S" if sequence else "2(n−1)/n × S"
    source = SEQUENCE if sequence else MEGATRON
    often = {"layers": "2 forward and 2 backward in a layer"}
    made = [
        _make("TP", part, op, "tp", tp, buffer, calls,
              f"{one}, {often.get(part, 'once a micro-batch')}", source)
        for op in ops
        for part, calls in parts
    ]  # fmt: skip
    if sequence:
        text = f"{one}, twice in a layer's backward pass, under the input gradients"
        calls = 2 * layers * batches
        made.append(_make("TP", REGATHER, "all_gather", "tp", tp, buffer, calls, text, source))
    return made


def _recomputed_calls(case: Case, share: float) -> float:
    """Forward passes repeated, as a share of one forward pass's TP calls."""
    if case.plan.recompute[0] == Recomputation.PER_OP:
        return 0.5
    return share * (0.75 if case.plan.early_stop[0] else 1.0)


def _context(
    case: Case, resolved: ResolvedPlan, layers: Floats, batches: float, share: float
) -> list[Exchange]:
    plan = resolved.plan
    if plan.cp == 1:
        return []
    volume = context_volume(case)
    forward, backward = float(volume.forward[0]), float(volume.backward[0])
    swap = plan.cp_kind == "ulysses"
    op = {"ring": "send_recv", "ulysses": "all_to_all", "allgather": "all_gather"}[plan.cp_kind]
    formula = (
        "(n−1)/n × 2 B × tokens × 2(heads + KV heads) × head width / tp"
        if swap
        else "(n−1) × 2 B × tokens × 2 × KV heads × head width / tp; twice that backward"
    )
    per_layer = forward * (1 + share) + backward
    calls = layers * batches
    if plan.cp_kind == "ring":
        hops = plan.cp - 1
        messages = calls * hops * (1 + share + backward / forward)
        return [
            Exchange("CP", "attention", op, "cp", plan.cp, forward / hops, messages,
                     forward / hops, formula, RING_ATTENTION)
        ]  # fmt: skip
    scale = plan.cp / (plan.cp - 1)
    return [
        _make("CP", "attention", op, "cp", plan.cp, forward * scale, calls * per_layer / forward,
              formula, RING_ATTENTION)
    ]  # fmt: skip


def _expert(
    case: Case, resolved: ResolvedPlan, layers: Floats, calls: float, domains: int
) -> list[Exchange]:
    """Dispatch and combine of every MoE layer, `calls` of them a step and layer."""
    plan = resolved.plan
    passes = layers * float(case.moe_share[0]) * calls
    volume = expert_volume(case, np.full(1, float(domains)))
    sent = float(volume.scaleup[0])
    copies = float((volume.network / np.maximum(volume.scaleup, 1.0))[0])
    how = (
        f"of it {copies:.3g} between domains, {expert_kind(plan)}" if domains > 1 else "one domain"
    )
    swap = Exchange(
        "EP", "experts", "all_to_all", "ep", plan.ep, sent * plan.ep / max(plan.ep - 1, 1), passes,
        sent, f"2 B × tokens / sp × k × hidden × (n−1)/n, dispatch and combine each way; {how}",
        EXPERTS,
        float(volume.network[0]),
    )  # fmt: skip
    gather = _make(
        "EP", "expert tensor", "all_gather", "etp", resolved.etp, float(volume.etp_buffer[0]),
        passes, "(n−1)/n × gathered expert inputs", EXPERTS,
    )  # fmt: skip
    return [swap, gather]


def _pipeline(case: Case, resolved: ResolvedPlan, batches: float) -> list[Exchange]:
    """Messages to the next stage forward and to the previous one backward."""
    plan = resolved.plan
    if plan.pp == 1:
        return []
    message = float((activation_bytes(case) / case.plan.sp_ranks)[0])
    first, last = _ends(plan.pp)
    wraps = (plan.vpp - 1) * batches  # interleaving: from the last stage round to the first
    forward = np.where(last > 0, wraps, plan.vpp * batches)
    backward = np.where(first > 0, wraps, plan.vpp * batches)
    formula = "2 B × tokens × hidden / (tp with sequence parallelism), for each virtual stage"
    return [
        _make("PP", "activations", "send_recv", "pp", plan.pp, message, forward, formula, PIPELINE),
        _make("PP", "gradients", "send_recv", "pp", plan.pp, message, backward, formula, PIPELINE),
    ]


@dataclass(frozen=True, slots=True)
class _StageParameters:
    """(pp,) parameters on one GPU of each stage."""

    dense: Floats
    expert: Floats


def _stage_parameters(case: Case, resolved: ResolvedPlan, layers: Floats) -> _StageParameters:
    counts, plan = count(case.shape), resolved.plan
    layer = layer_parameters(case)
    first, last = _ends(plan.pp)
    vocabulary = float(counts.embedding[0]) / plan.tp
    tied = float(counts.matrices[0])
    matrices = first + last if plan.pp > 1 else np.full(1, tied)
    return _StageParameters(
        float(layer.dense[0]) * layers + vocabulary * matrices, float(layer.expert[0]) * layers
    )


def _gradients(case: Case, resolved: ResolvedPlan, layers: Floats) -> list[Exchange]:
    """Plain data parallelism and ZeRO-1: once a step. One call on each stage, of its own size."""
    held = _stage_parameters(case, resolved, layers)
    grad, plan = float(resolved.grad_bytes), resolved.plan
    made = []
    for part, groups, size, parameters in (
        ("", "shard", resolved.dp * plan.cp, held.dense),
        ("experts", "expert_dp", resolved.expert_dp, held.expert),
    ):
        heaviest = float(parameters.max())
        if not heaviest:
            continue
        weight = parameters / heaviest
        name = f"{part} gradients".strip()
        if plan.zero == 0:
            made.append(_make("DP", name, "all_reduce", groups, size, grad * heaviest, weight,
                              f"2(n−1)/n × {grad:g} B × parameters of the GPU", ZERO))  # fmt: skip
            continue
        made += [
            _make("DP", name, "reduce_scatter", groups, size, grad * heaviest, weight,
                  f"(n−1)/n × {grad:g} B × parameters of the GPU", ZERO),
            _make("DP", f"{part} parameters".strip(), "all_gather", groups, size, 2 * heaviest,
                  weight, "(n−1)/n × 2 B × parameters of the GPU", ZERO),
        ]  # fmt: skip
    return made


def _sharded(
    case: Case, resolved: ResolvedPlan, layers: Floats, batches: float
) -> list[Exchange]:  # fmt: skip
    """ZeRO-2 and ZeRO-3: in every layer and micro-batch; HSDP adds an all-reduce of the shards."""
    layer = layer_parameters(case)
    held = _stage_parameters(case, resolved, layers)
    grad, plan = float(resolved.grad_bytes), resolved.plan
    widths = sharded_widths(case.plan)
    ahead, back = float(widths.forward[0]), float(widths.gradient[0])
    plus = resolved.secondary > 0
    source = ZERO_PLUS if plus else ZERO
    made = []
    for part, groups, size, weights in (
        ("layers", "shard", resolved.shard, float(layer.dense[0])),
        ("experts", "expert_dp", resolved.expert_dp, float(layer.expert[0])),
    ):
        again = plan.zero == 3 and not (plus and groups == "shard")
        calls = layers * batches * (2.0 if again else 1.0)
        when = "forward and backward" if again else "forward"
        made += [
            _make("DP", part, "all_gather", groups, size, ahead * weights, calls,
                  f"(n−1)/n × {ahead:g} B × parameters of the layer, {when}", source),
            _make("DP", part, "reduce_scatter", groups, size, back * weights, layers * batches,
                  f"(n−1)/n × {back:g} B × parameters of the layer", source),
        ]  # fmt: skip
    if plus:
        made.append(
            _make("DP", "second copy", "all_gather", "secondary", resolved.secondary,
                  2.0 * float(layer.dense[0]), layers * batches,
                  "(n−1)/n × 2 B × parameters of the layer, backward, inside the server", source)
        )  # fmt: skip
    replicas = resolved.dp * plan.cp // resolved.shard
    heaviest = float(held.dense.max())
    made.append(
        _make("DP", "replicas", "all_reduce", "replica", replicas, grad * heaviest / resolved.shard,
              held.dense / heaviest, f"2(n−1)/n × {grad:g} B × parameters of a shard (HSDP)", ZERO)
    )  # fmt: skip
    return made
