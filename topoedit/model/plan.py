"""The parallelism plan and workload a person chooses: plain records, validated by the engine."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

Schedule = Literal["afab", "1f1b", "zb", "dualpipe"]
CpKind = Literal["ring", "ulysses", "allgather"]
Recompute = Literal["none", "selective", "full"]
Precision = Literal["bf16", "fp16", "fp8", "mxfp8", "nvfp4"]
GradDtype = Literal["fp32", "bf16"]
Stack = Literal["megatron", "nemo", "fsdp-eager", "fsdp-compile", "xla"]
EpKind = Literal["direct", "two-stage"]
RingOrder = Literal["node", "strided", "random"]
Routing = Literal["ecmp", "hash", "adaptive", "mrc", "static", "rail-only", "lft"]
TRAFFIC_CLASSES = ("TP", "CP", "EP", "PP", "DP", "KV", "WAN")


class Plan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a model is spread over GPUs; None means the default named in the comment."""

    tp: int = 1
    cp: int = 1
    pp: int = 1
    vpp: int = 1
    dp: int | None = None  # the GPUs that remain
    ep: int = 1
    etp: int | None = None  # 1
    ep_kind: EpKind = "two-stage"  # one copy to each node, or one to each expert's GPU
    ep_nodes: int | None = None  # nodes that a token may be sent to; what the model says
    zero: int = 1
    hsdp: int | None = None
    zero_plus_plus: bool = False
    micro_batch: int = 1
    global_batch: int | None = None  # in sequences; 4 x pp x dp x micro-batch
    seq_len: int | None = None  # the smaller of 8192 and the model's context
    sequence_parallel: bool | None = None  # on when tp > 1
    schedule: Schedule = "1f1b"
    cp_kind: CpKind = "ring"
    recompute: Recompute = "none"
    precision: Precision = "bf16"
    grad_dtype: GradDtype | None = None  # fp32; bf16 with nemo
    expert_imbalance: float = 1.0
    stack: Stack = "nemo"
    release: str = ""
    algorithms: dict[str, str] = {}  # traffic class -> algorithm
    ring_order: RingOrder = "node"
    routing: Routing | None = None  # adaptive on InfiniBand, ecmp on Ethernet
    flows_per_connection: int = 1  # queue pairs; hash draws each, ecmp reaches more with several
    seeds: int = 100  # draws of hash
    routing_efficiency: float | None = None  # the mode's constant
    pxn: bool = True
    gpudirect: bool = True
    constants: str = "fitted"
    rank_order: str = "tp-cp-dp-pp"
    placement: str = ""


class Workload(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model (catalogue id, alias or config.json path) and the plan to train it with."""

    model: str
    plan: Plan = Plan()


def choices(literal: object) -> tuple[str, ...]:
    """The words a Literal type allows."""
    return get_args(literal)
