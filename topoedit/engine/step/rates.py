"""Rates and latencies of the communication of a step, and the closed form for a symmetric cluster.

An analysis measures the rates on the drawn fabric (`topoedit.engine.load`); a batch of plans on one
symmetric cluster (search, validation) takes them from `symmetric_rates`. Both feed the same step.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from topoedit.engine.step.constants import Physics
from topoedit.engine.types import Bools, Floats
from topoedit.engine.workload.arrays import Plans


@dataclass(frozen=True, slots=True)
class Rate:
    """Bytes/s at which one GPU of a group gets its wire bytes away, and seconds of one call."""

    bandwidth: Floats
    latency: Floats


@dataclass(frozen=True, slots=True)
class ExpertRate:
    """Rates of an all-to-all: inside a scale-up domain, on the network, and domains spanned."""

    scaleup: Floats
    network: Floats
    domains: Floats
    latency: Floats


@dataclass(frozen=True, slots=True)
class Rates:
    """Rates of each kind of group of a plan.

    Attributes:
        tp, cp, pp: groups of those axes; the latency of `cp` is that of one hop of its ring.
        dp: ranks that share one copy of the dense state (dp x cp, or the HSDP shard group).
        replica: the same shard on other shard groups (HSDP); secondary: the ranks of a shard
            group in one server (ZeRO++); expert_dp: replicas of experts.
        ep: all-to-all of expert parallelism; etp: tensor parallelism inside an expert.
        crowding: how many times as long gradient traffic takes beside the other traffic that
            runs at the same time.
    """

    tp: Rate
    cp: Rate
    pp: Rate
    dp: Rate
    replica: Rate
    secondary: Rate
    expert_dp: Rate
    ep: ExpertRate
    etp: Rate
    crowding: Floats = field(default_factory=lambda: np.ones(1))


@dataclass(frozen=True, slots=True)
class SymmetricCluster:
    """A cluster whose GPUs have the same scale-up link, domain and NIC; bytes/s per direction."""

    scaleup: Floats
    domain: Floats
    nic: Floats


def ring_latency(size: Floats, domains: Floats, physics: Physics) -> Floats:
    """Seconds of the hops of one all-gather or reduce-scatter: launch, then one hop a rank."""
    inside = np.maximum(size - domains, 0.0) * physics.scaleup_hop
    between = np.where(domains > 1, domains, 0.0) * physics.network_hop
    return np.where(size > 1, physics.collective_launch + inside + between, 0.0)


def ring_rate(
    size: Floats, stride: Floats, cluster: SymmetricCluster, physics: Physics,
    one_nic: Bools | bool = False,
) -> Rate:  # fmt: skip
    """Rate of a ring of `size` ranks, `stride` apart.

    The ranks of a group inside one domain drive one NIC each; the ring is as fast as its slower
    kind of hop (nccl-tests: rings reach about 80 % of NVLink and of the NICs).
    """
    local = np.clip(cluster.domain // np.maximum(stride, 1.0), 1.0, np.maximum(size, 1.0))
    domains = np.ceil(size / local)
    nics = np.where(one_nic, 1.0, local) * cluster.nic * physics.network_efficiency
    scaleup = cluster.scaleup * physics.scaleup_efficiency
    rate = np.where(domains > 1, np.minimum(scaleup, nics), scaleup)
    return Rate(rate, ring_latency(size, domains, physics))


def symmetric_rates(plan: Plans, cluster: SymmetricCluster, physics: Physics) -> Rates:
    """Rates of every group of `plan` placed tp-cp-dp-pp on a symmetric, non-blocking cluster."""
    scaleup = cluster.scaleup * physics.scaleup_efficiency
    network = cluster.nic * physics.network_efficiency
    replicas = plan.dp * plan.cp
    experts = np.maximum(replicas * plan.tp / (plan.ep * plan.etp), 1.0)
    inside = plan.gpus <= cluster.domain
    expert_rate = ExpertRate(
        cluster.scaleup * physics.all_to_all_efficiency,
        network,
        np.ceil(plan.ep * plan.etp / cluster.domain),
        np.full(1, physics.collective_launch + physics.network_hop),
    )

    def ring(size: Floats, stride: Floats) -> Rate:
        return ring_rate(size, stride, cluster, physics, plan.one_nic)

    return Rates(
        tp=ring_rate(plan.tp, np.ones(1), cluster, physics),
        cp=Rate(
            ring_rate(plan.cp, plan.tp, cluster, physics).bandwidth, np.full(1, physics.network_hop)
        ),
        pp=Rate(np.where(inside, scaleup, network), np.full(1, physics.network_hop)),
        dp=ring(plan.shard, plan.tp),
        replica=ring(np.maximum(replicas / plan.shard, 1.0), plan.tp * plan.shard),
        secondary=ring(np.maximum(plan.secondary, 1.0), plan.tp),
        expert_dp=ring_rate(experts, plan.ep * plan.etp, cluster, physics),
        ep=expert_rate,
        etp=Rate(scaleup, np.full(1, physics.collective_launch)),
    )
