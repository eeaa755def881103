"""Communication of a step: wire bytes of each call, its time, and what of it compute cannot hide.

Sources: Megatron-LM 2021 and 2022 (tensor and sequence parallelism), Liu 2023 (ring attention),
Rajbhandari 2019 (ZeRO), DeepSeek-V3 report 2024 (one copy for each node that holds chosen experts).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.engine.step.kernels import Case, LayerKernels
from topoedit.engine.step.rates import Rate, Rates
from topoedit.engine.types import Floats
from topoedit.engine.workload.arrays import ContextKind, Plans, ScheduleKind
from topoedit.engine.workload.params import LocalParameters, shard_ranks


def shared(size: Floats) -> Floats:
    """Share of a buffer that a ring all-gather or reduce-scatter sends from one rank: (n-1)/n."""
    return (size - 1) / np.maximum(size, 1.0)


def collective(buffer: Floats, size: Floats, rate: Rate) -> Floats:
    """Seconds of one all-gather or reduce-scatter of `buffer` bytes (an all-reduce is two)."""
    return np.where(size > 1, buffer * shared(size) / rate.bandwidth + rate.latency, 0.0)


def activation_bytes(case: Case) -> Floats:
    """S: one full activation tensor of a micro-batch on one CP rank, 16 bit."""
    return 2.0 * case.plan.tokens * case.shape.hidden


def key_value_bytes(case: Case) -> Floats:
    """Keys and values of the local tokens, 16 bit, on one TP rank; the latent for MLA."""
    shape = case.shape
    plain = 2 * shape.kv_heads * shape.head_dim / case.plan.tp
    return 2.0 * case.plan.tokens * plain


@dataclass(frozen=True, slots=True)
class ContextVolume:
    """Wire bytes of context parallelism a layer and micro-batch: forward and backward."""

    forward: Floats
    backward: Floats


def context_volume(case: Case) -> ContextVolume:
    """Ring and all-gather pass K and V c-1 times, backward twice; Ulysses swaps Q, K, V, O."""
    plan, shape = case.plan, case.shape
    blocks = (plan.cp - 1) * key_value_bytes(case)
    widths = 2 * (shape.heads + shape.kv_heads) * shape.head_dim / plan.tp
    swap = 2.0 * plan.tokens * widths * shared(plan.cp)
    ulysses = plan.cp_kind == ContextKind.ULYSSES
    return ContextVolume(np.where(ulysses, swap, blocks), np.where(ulysses, swap, 2 * blocks))


@dataclass(frozen=True, slots=True)
class ExpertVolume:
    """Wire bytes of one dispatch (or combine) of one GPU: scale-up, network; ETP gather buffer."""

    scaleup: Floats
    network: Floats
    etp_buffer: Floats


def expert_volume(case: Case, domains: Floats) -> ExpertVolume:
    """One copy for each domain that holds chosen experts crosses the network, k copies NVLink.

    Direct exchange: k copies cross both (those for other rails go over NVLink to their NIC).
    """
    plan, top_k = case.plan, case.shape.top_k
    tokens = plan.tokens / plan.sp_ranks * plan.imbalance

    def sent(copies: Floats) -> Floats:
        return dispatch_bytes(tokens, case.shape.hidden, 2.0, copies)

    copies = np.where(plan.ep_direct, top_k, distinct_domains(case, domains))
    return ExpertVolume(
        sent(top_k) * (plan.ep - 1) / plan.ep,
        sent(copies) * (1 - 1 / domains),
        sent(top_k) * plan.etp,
    )


def dispatch_bytes(tokens: Floats, hidden: Floats, width: float, copies: Floats) -> Floats:
    """Bytes that leave a GPU whose `tokens` go to `copies` places each, `width` bytes an element.

    With the combine the other way at 2 bytes: V3 sends 1 + 2 bytes an element (DeepSeek-V3 report).
    """
    return tokens * hidden * width * copies


def distinct_nodes(top_k: Floats, domains: Floats) -> Floats:
    """Expected distinct domains of k experts chosen evenly: N (1 - (1 - 1/N)^k)."""
    return domains * (1 - (1 - 1 / domains) ** top_k)


def distinct_domains(case: Case, domains: Floats) -> Floats:
    """Expected domains that hold the experts of a token.

    k uniform experts among N domains: N (1 - (1 - 1/N)^k). When the experts of a token lie in g of
    G groups (node-limited routing) and a domain holds a = G/N groups: N (1 - C(G-a, g) / C(G, g)),
    at most as many; and never more than the plan's own limit.
    """
    copies = _copies(case, domains)
    most = case.plan.ep_nodes
    return np.where(most > 0, np.minimum(copies, most), copies)


def _copies(case: Case, domains: Floats) -> Floats:
    shape = case.shape
    free = distinct_nodes(shape.top_k, domains)
    groups, chosen = shape.expert_groups, shape.groups_per_token
    if not np.any(groups > 0):
        return free
    known = np.maximum(groups, 1.0)
    held = np.maximum(known / domains, 1.0)
    missed: Floats = np.ones(1)
    for i in range(int(np.max(chosen))):
        drawn = np.clip((known - held - i) / np.maximum(known - i, 1.0), 0.0, 1.0)
        missed = missed * np.where(i < chosen, drawn, 1.0)
    spread = np.maximum(domains / known, 1.0)
    inside = spread * (1 - (1 - 1 / spread) ** (shape.top_k / np.maximum(chosen, 1.0)))
    limited = np.where(domains <= known, domains * (1 - missed), chosen * inside)
    return np.where(groups > 0, np.minimum(free, limited), free)


def overlapped(seconds: Floats, hidden: Floats) -> Floats:
    """Seconds that stay exposed when the share `hidden` runs under compute: M (1 - f)."""
    return seconds * (1 - hidden)


@dataclass(frozen=True, slots=True)
class LayerTraffic:
    """Seconds of one micro-batch in one layer (mean over its kinds); pairs are forward, backward.

    Attributes:
        tp: whole and exposed time of a pass (4 all-gathers or reduce-scatters); copies: kernels
            that rearrange what they send and receive.
        cp, cp_exposed: context parallelism; ep: expert exchange of a pass.
        gather, reduce: parameter gathers forward, and gathers and reductions backward, when
            data-parallel state is sharded (ZeRO-2, ZeRO-3), else 0.
        head: TP collectives of embedding and head (2 each).
        p2p: one transfer to the next stage.
    """

    tp: Floats
    tp_exposed: Floats
    copies: Floats
    cp: tuple[Floats, Floats]
    cp_exposed: tuple[Floats, Floats]
    ep: Floats
    ep_exposed: Floats
    gather: Floats
    reduce: Floats
    head: Floats
    p2p: Floats


def layer_traffic(case: Case, kernels: LayerKernels, rates: Rates) -> LayerTraffic:
    """Times of the communication of one layer and micro-batch."""
    plan, physics = case.plan, case.physics
    buffer = activation_bytes(case)
    one = collective(buffer, plan.tp, rates.tp)
    copies = 4 * 2 * buffer / (physics.stream * case.chip.hbm)
    copied = np.where((plan.tp > 1) & plan.tp_copy, copies, 0.0)
    cp, cp_exposed = _context(case, kernels, rates)
    expert = _expert(case, rates)
    dual = plan.schedule == ScheduleKind.DUALPIPE
    gather, reduce = _sharded(case, rates)
    per_rank = buffer / plan.sp_ranks
    p2p = np.where(plan.pp > 1, per_rank / rates.pp.bandwidth + rates.pp.latency, 0.0)
    return LayerTraffic(
        tp=4 * one,
        tp_exposed=overlapped(4 * one, np.where(plan.tp_overlap, physics.tp_hidden, 0.0)),
        copies=copied,
        cp=cp,
        cp_exposed=cp_exposed,
        ep=expert,
        # DualPipe runs one micro-batch's exchange under the other's kernels.
        ep_exposed=np.where(dual, np.maximum(0.0, expert - kernels.forward), expert),
        gather=gather,
        reduce=reduce,
        head=np.where(plan.tp > 1, one, 0.0),
        p2p=p2p,
    )


def _context(
    case: Case, kernels: LayerKernels, rates: Rates
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    plan = case.plan
    if not np.any(plan.cp > 1):
        zero = np.zeros(1)
        return (zero, zero), (zero, zero)
    volume = context_volume(case)
    hops = (plan.cp - 1) * rates.cp.latency
    ring = plan.cp_kind == ContextKind.RING
    whole, exposed = [], []
    for sent, attention in zip(
        (volume.forward, volume.backward), kernels.attention, strict=True
    ):  # fmt: skip
        wire = sent / rates.cp.bandwidth
        window = np.where(ring, attention * (plan.cp - 1) / plan.cp, 0.0)
        whole.append(np.where(plan.cp > 1, wire + hops, 0.0))
        exposed.append(np.where(plan.cp > 1, np.maximum(0.0, wire - window) + hops, 0.0))
    return (whole[0], whole[1]), (exposed[0], exposed[1])


def _expert(case: Case, rates: Rates) -> Floats:
    """Dispatch and combine of one pass, averaged over layers with and without experts."""
    plan, moe = case.plan, case.counts.moe_layers > 0
    if not np.any(moe):
        return np.zeros(1)
    volume = expert_volume(case, rates.ep.domains)
    wire = np.maximum(volume.scaleup / rates.ep.scaleup, volume.network / rates.ep.network)
    swap = np.where(moe & (plan.ep > 1), wire + rates.ep.latency, 0.0)
    swap = swap + np.where(moe, collective(volume.etp_buffer, plan.etp, rates.etp), 0.0)
    return 2 * case.moe_share * swap


@dataclass(frozen=True, slots=True)
class LayerParameters:
    """Parameters of one layer (mean over kinds) on one GPU."""

    dense: Floats
    expert: Floats


def layer_parameters(case: Case) -> LayerParameters:
    """Dense parts divided by TP, this rank's experts divided by ETP."""
    counts, share, plan = case.counts, case.moe_share, case.plan
    dense = counts.attention + (1 - share) * counts.mlp + share * counts.shared
    return LayerParameters(
        dense / plan.tp, share * case.local_experts * counts.expert / plan.etp
    )  # fmt: skip


def _sharded(case: Case, rates: Rates) -> tuple[Floats, Floats]:
    """Gather forward; gather (ZeRO-3) and reduce backward; 0 below ZeRO-2.

    ZeRO++: int8 weights forward, those of the server's own second copy backward, int4 gradients.
    """
    plan = case.plan
    if not np.any(plan.zero >= 2):
        return np.zeros(1), np.zeros(1)
    layer = layer_parameters(case)
    _, experts = shard_ranks(plan)
    moe = case.counts.moe_layers > 0

    def both(width: Floats | float) -> Floats:
        dense = collective(width * layer.dense, plan.shard, rates.dp)
        expert = collective(width * layer.expert, experts, rates.expert_dp)
        return dense + np.where(moe, expert, 0.0)

    widths = sharded_widths(plan)
    gather = both(widths.forward)
    again = both(widths.backward)
    if np.any(plan.secondary > 0):
        inside = collective(2.0 * layer.dense, plan.secondary, rates.secondary)
        expert = collective(widths.forward * layer.expert, experts, rates.expert_dp)
        again = np.where(plan.secondary > 0, inside + np.where(moe, expert, 0.0), again)
    reduce = both(widths.gradient) + np.where(plan.zero >= 3, again, 0.0)
    sharded = plan.zero >= 2
    return np.where(sharded, gather, 0.0), np.where(sharded, reduce, 0.0)


@dataclass(frozen=True, slots=True)
class ShardedWidths:
    """Bytes on the wire of one parameter: gathered forward and backward, and of its gradient."""

    forward: Floats
    backward: Floats
    gradient: Floats


def sharded_widths(plan: Plans) -> ShardedWidths:
    """2, 2 and those of the gradient; fp8 gathers 1; ZeRO++ 1, none of other servers, 1/2."""
    whole = np.where(plan.fp8_gather, 1.0, 2.0)
    plus = plan.secondary > 0
    return ShardedWidths(
        np.where(plus, 1.0, whole), np.where(plus, 0.0, whole), np.where(plus, 0.5, plan.grad_bytes)
    )


def gradient_seconds(case: Case, local: LocalParameters, rates: Rates) -> tuple[Floats, Floats]:
    """Seconds a step of gradient reduction and of what follows it.

    Plain: an all-reduce (two halves). ZeRO-1: reduce-scatter of gradients and all-gather of 16-bit
    parameters. HSDP: an all-reduce of each shard over its replicas. ZeRO-2 and 3 pay per layer.
    """
    plan = case.plan
    dense_ranks, expert_ranks = shard_ranks(plan)

    def both(width: Floats | float) -> Floats:
        dense = collective(width * local.dense, dense_ranks, rates.dp)
        return dense + collective(width * local.expert, expert_ranks, rates.expert_dp)

    reduce = both(plan.grad_bytes)
    follow = np.where(plan.zero == 0, reduce, both(2.0))
    replicas = np.maximum(dense_ranks / plan.shard, 1.0)
    across = collective(plan.grad_bytes * local.dense / plan.shard, replicas, rates.replica)
    sharded = plan.zero >= 2
    return np.where(sharded, across, reduce), np.where(sharded, across, follow)
