"""The step: layers into stages, stages into a pipeline, and every second given a name.

Sources: Narayanan et al. 2021 (1F1B, interleaving), Qi et al. 2023 (zero bubble), DeepSeek-V3
report 2024 (DualPipe); the parts always sum to the step.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from topoedit.engine.step.constants import Constants, physics
from topoedit.engine.step.kernels import Case, LayerKernels, layer_kernels
from topoedit.engine.step.rates import Rates
from topoedit.engine.step.traffic import LayerTraffic, gradient_seconds, layer_traffic
from topoedit.engine.types import Floats
from topoedit.engine.workload.arrays import Chips, Plans, Recomputation, ScheduleKind, Shapes
from topoedit.engine.workload.memory import recompute_share, worst_total
from topoedit.engine.workload.params import (
    Stages,
    count,
    local_parameters,
    shard_ranks,
    stages,
)


@dataclass(frozen=True, slots=True)
class Parts:
    """Exposed seconds of something, by what they are spent on."""

    compute: Floats
    recompute: Floats
    tp: Floats
    cp: Floats
    ep: Floats
    dp: Floats

    @property
    def total(self) -> Floats:
        """All of it."""
        return self.compute + self.recompute + self.tp + self.cp + self.ep + self.dp

    def scaled(self, factor: Floats | float) -> Parts:
        """The same work `factor` times."""
        return Parts(*(getattr(self, f.name) * factor for f in fields(self)))

    def __add__(self, other: Parts) -> Parts:
        return Parts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class Step:
    """A training step; seconds, arrays of shape (B,).

    Attributes:
        forward, backward: one micro-batch in one layer, each way; layer: both; head: in embedding,
            head and loss.
        steady: the slowest stage's micro-batches; the other parts come on top.
        growth: seconds that jitter over many GPUs adds.
        window: compute of one micro-batch on the slowest stage that gradient traffic may run under.
        share: share of layers recomputed.
        kernels, traffic: what it was made of.
    """

    case: Case
    kernels: LayerKernels
    traffic: LayerTraffic
    forward: Parts
    backward: Parts
    layer: Parts
    head: Parts
    steady: Parts
    bubble: Floats
    pp: Floats
    dp: Floats
    optimizer: Floats
    fixed: Floats
    growth: Floats
    slowest_layers: Floats
    has_head: Floats
    window: Floats
    share: Floats
    gradient: tuple[Floats, Floats]
    stages: Stages

    @property
    def total(self) -> Floats:
        """Seconds of the step."""
        return self.before_growth + self.growth

    @property
    def before_growth(self) -> Floats:
        """Seconds of the step on 8 GPUs or fewer, without jitter."""
        return (
            self.steady.total + self.bubble + self.pp + self.dp + self.optimizer + self.fixed
        )  # fmt: skip


def make_case(shape: Shapes, plan: Plans, chip: Chips, constants: Constants) -> Case:
    """Everything the formulas read."""
    return Case(shape, plan, chip, constants, physics(), count(shape))


def evaluate(case: Case, rates: Rates) -> Step:
    """Time of a step of every plan of `case` with the given communication rates."""
    plan, constants = case.plan, case.constants
    kernels = layer_kernels(case)
    traffic = layer_traffic(case, kernels, rates)
    share = recompute_share(case)
    forward, backward = _layer(case, kernels, traffic, share, rates.crowding)
    layer = forward + backward
    head = _head(case, kernels, traffic)
    held = stages(case.shape, plan)
    layers, has_head = _slowest(case, held, layer.total, head.total)
    micro_batch = layer.scaled(layers) + head.scaled(has_head)
    batches = plan.micro_batches
    slow = micro_batch.total
    bubble = _bubble(case, kernels, forward.total, backward.total, head.total)
    pp = _transfers(case, traffic, slow)
    interleaved = plan.pp * (1 - 1 / plan.vpp)
    window = slow * np.where(plan.vpp > 1, interleaved, 1.0)
    local = local_parameters(case.shape, plan, case.counts)
    gradient = gradient_seconds(case, local, rates)
    both = gradient[0] + gradient[1]
    hidden = np.maximum(both * rates.crowding - window, both * case.physics.dp_tail)
    dp = np.where(plan.dp_overlap, hidden, both)
    dense_ranks, expert_ranks = shard_ranks(plan)
    whole = plan.zero == 0
    updated = local.dense / np.where(whole, 1.0, dense_ranks)
    updated = updated + local.expert / np.where(whole, 1.0, expert_ranks)
    optimizer = case.physics.optimizer_bytes * updated / case.hbm
    steady = micro_batch.scaled(batches)
    base = steady.total + bubble + pp + dp + optimizer + constants.fixed
    growth = base * case.physics.jitter * np.log(np.maximum(plan.gpus, 8.0) / 8)
    return Step(
        case, kernels, traffic, forward, backward, layer, head, steady, bubble, pp, dp, optimizer,
        constants.fixed, growth, layers, has_head, window, share, gradient, held,
    )  # fmt: skip


def _layer(
    case: Case, kernels: LayerKernels, traffic: LayerTraffic, share: Floats, crowding: Floats
) -> tuple[Parts, Parts]:
    """One micro-batch in one layer, forward and backward."""
    plan, constants = case.plan, case.constants
    zero = np.zeros(1)
    tp, (cp_ahead, cp_back), ep = traffic.tp_exposed, traffic.cp_exposed, traffic.ep_exposed
    copies = traffic.copies
    ahead = Parts(kernels.forward + copies, zero, tp, cp_ahead, ep, zero)
    again = _recomputed(case, kernels, copies, ahead, share)
    back = Parts(kernels.backward + copies, zero, tp, cp_back, ep, zero)
    back = back + again

    def exposed(communication: Floats, work: Floats) -> Floats:
        hideable = (1 - constants.fsdp) * communication * crowding
        return constants.fsdp * communication + np.maximum(0.0, hideable - work)

    gathers = exposed(traffic.gather, ahead.total), exposed(traffic.reduce, back.total)
    sharded = [np.where(plan.zero >= 2, g, 0.0) for g in gathers]
    first, second = (Parts(zero, zero, zero, zero, zero, seconds) for seconds in sharded)
    return ahead + first, back + second


def _recomputed(
    case: Case, kernels: LayerKernels, copies: Floats, ahead: Parts, share: Floats
) -> Parts:
    """What is done again before the backward pass of a layer.

    An unpublished policy: full layers; with experts only norms and activations, as the recipes of
    such models do, since a whole layer would repeat its exchange.
    """
    plan = case.plan
    policy, zero = plan.recompute, np.zeros(1)
    early = np.where(plan.early_stop, 1.0, 0.0)
    saved = early * (kernels.last_gemm + copies / 4)
    full = Parts(
        zero, ahead.compute - saved, ahead.tp * (1 - early / 4), ahead.cp, ahead.ep, zero
    ).scaled(share)  # fmt: skip
    per_op = 0.5 * kernels.linear.forward + kernels.elementwise[0] + copies / 2
    core = np.where(plan.flash, 0.0, kernels.attention[0])
    selective, by_op = policy == Recomputation.SELECTIVE, policy == Recomputation.PER_OP
    light = (policy == Recomputation.AS_NEEDED) & (case.counts.moe_layers > 0)
    some = selective | by_op | light
    return Parts(
        zero,
        np.select(
            [selective, by_op, light],
            [core, per_op, share * kernels.elementwise[0]],
            full.recompute + _offloaded(case),
        ),
        np.select([by_op, some], [ahead.tp / 2, zero], full.tp),
        np.where(some, 0.0, full.cp),
        np.where(some, 0.0, full.ep),
        zero,
    )


def _offloaded(case: Case) -> Floats:
    """Exposed seconds a layer of moving what does not fit to the CPU's memory and back.

    Only where a coherent link allows it and the policy is unpublished.
    """
    plan, chip = case.plan, case.chip
    chosen = (plan.recompute == Recomputation.AS_NEEDED) & (chip.c2c > 0)
    if not np.any(chosen):
        return np.zeros(1)
    whole = worst_total(case, np.zeros(1))
    over = np.maximum(whole - case.physics.memory_fill * chip.hbm_bytes, 0.0)
    seconds = 2 * case.physics.offload_exposed * over / np.where(chosen, chip.c2c, 1.0)
    return np.where(chosen, seconds / case.shape.layers, 0.0)


def _head(case: Case, kernels: LayerKernels, traffic: LayerTraffic) -> Parts:
    """LM head, loss, and the TP collectives of head and (without PP) embedding: 2 each."""
    zero = np.zeros(1)
    compute = kernels.head.forward + kernels.head.backward + kernels.loss
    calls = np.where(case.plan.pp > 1, 2.0, 4.0)
    return Parts(compute, zero, calls * traffic.head, zero, zero, zero)


def _slowest(
    case: Case, held: Stages, layer: Floats, head: Floats
) -> tuple[Floats, Floats]:  # fmt: skip
    """Layers of the stage that sets the pace, and whether the head is on it."""
    pp = case.plan.pp
    middle = np.where((held.balanced > 0) & (pp <= 2), held.layers - 1, held.layers)
    last = held.last * layer + head > middle * layer
    ends = (pp == 1) | last
    return np.where(ends, held.last, middle), np.where(ends, 1.0, 0.0)


def _bubble(
    case: Case, kernels: LayerKernels, forward: Floats, backward: Floats, head: Floats
) -> Floats:
    """Idle seconds of the pipeline.

    AFAB and 1F1B (p-1)(F+B), interleaved / v, plus (p - m mod p)(v-1)/v where p does not divide
    m; zero bubble (p-1)(F+B-2W); DualPipe (p/2-1)(F+2B-3W); W the weight gradients in B.
    """
    plan = case.plan
    layers, pp = case.shape.layers, plan.pp
    stage = (layers * (forward + backward) + head) / pp
    weights = (layers * kernels.linear.wgrad + kernels.head.wgrad) / pp
    stage_back = (layers * backward + 2 / 3 * head) / pp
    zero_bubble = (pp - 1) * np.maximum(stage - 2 * weights, 0.0)
    dual = np.maximum(pp / 2 - 1, 0.0) * np.maximum(stage + stage_back - 3 * weights, 0.0)
    kind = plan.schedule
    return np.select(
        [kind == ScheduleKind.ZERO_BUBBLE, kind == ScheduleKind.DUALPIPE],
        [zero_bubble, dual],
        idle_stages(plan) * stage,
    )


def idle_stages(plan: Plans) -> Floats:
    """Idle stage times of AFAB and 1F1B: p-1, interleaved / v and more where p does not divide m.

    Divided by m this is the bubble as a share of ideal compute: 7/32 at p 8, m 32.
    """
    pp, vpp = plan.pp, plan.vpp
    uneven = np.mod(plan.micro_batches, pp)
    late = np.where((vpp > 1) & (uneven > 0), (pp - uneven) * (1 - 1 / vpp), 0.0)
    return (pp - 1) / vpp + late


def _transfers(case: Case, traffic: LayerTraffic, slow: Floats) -> Floats:
    """Exposed seconds of pipeline transfers.

    Overlapped: the p-1 of warm-up and cool-down each way, and what a transfer is longer than the
    chunk it runs under. Not overlapped: every one.
    """
    plan = case.plan
    passes = plan.micro_batches * plan.vpp
    exposed = np.where(plan.pp_overlap, plan.pp - 1, passes + (plan.pp - 1) * plan.vpp)
    longer = np.maximum(0.0, traffic.p2p - slow / plan.vpp / 2) * passes
    extra = np.where(plan.pp_overlap, longer, 0.0)
    return np.where(plan.pp > 1, 2 * (traffic.p2p * exposed + extra), 0.0)
