"""The result of an analysis: plain records, named like the JSON keys of `topoedit analyze`."""

from __future__ import annotations

from typing import Literal

import msgspec

Risk = Literal["fits", "tight", "no"]


class Interval(msgspec.Struct, frozen=True):
    """An 80 % interval of a predicted time and what it rests on."""

    low_s: float
    high_s: float
    basis: str
    rows: int
    nearest: str
    extrapolated: tuple[str, ...] = ()


class TopologySummary(msgspec.Struct, frozen=True):
    """What was analysed."""

    name: str
    gpus: int | None
    gpus_used: int
    servers: int
    switches: int
    links: int
    cables: int


class Memory(msgspec.Struct, frozen=True):
    """Memory of one GPU on the worst pipeline stage, bytes; capacity None if unknown.

    `dominant` is the kind that takes most; `would_fit` are changes of the plan that fit, where the
    plan itself does not.
    """

    stage: int
    total_bytes: float
    capacity_bytes: float | None
    headroom_bytes: float | None
    risk: Risk
    parameters_bytes: float
    gradients_bytes: float
    optimizer_bytes: float
    activations_bytes: float
    buffers_bytes: float
    context_bytes: float
    dominant: str = ""
    would_fit: tuple[str, ...] = ()


class Breakdown(msgspec.Struct, frozen=True):
    """Exposed seconds of a step; they sum to the step time."""

    compute: float = 0.0
    recompute: float = 0.0
    tp: float = 0.0
    cp: float = 0.0
    ep: float = 0.0
    pp: float = 0.0
    bubble: float = 0.0
    dp: float = 0.0
    wan: float = 0.0
    optimizer: float = 0.0
    other: float = 0.0

    def total(self) -> float:
        """The step time in seconds."""
        return float(sum(getattr(self, name) for name in self.__struct_fields__))


class Communication(msgspec.Struct, frozen=True):
    """One kind of communication in a step; bytes and seconds are per step.

    `bytes_per_gpu` is what one GPU sends; `tiers` are bytes one GPU sends over each tier.
    """

    class_: str = msgspec.field(name="class")
    part: str = ""
    op: str = ""
    algorithm: str = ""
    groups: int = 0
    group_size: int = 0
    count: float = 0
    bytes_per_gpu: float = 0.0
    time_s: float = 0.0
    exposed_s: float = 0.0
    tiers: dict[str, float] = {}


class TierLoad(msgspec.Struct, frozen=True):
    """Load of one tier; `links` counts directed links of that tier that can carry something."""

    tier: str
    links: int
    bytes: float
    max_utilisation: float
    mean_utilisation: float
    max_demand: float
    oversubscription: float | None


class Bottleneck(msgspec.Struct, frozen=True):
    """A class of equivalent links, what it costs and why.

    `cost_s` is the step time gained if the whole class were twice as fast, `cost_one_s` if one
    link of it were. `example` is the id of one link, drawn or inner.
    """

    links: int
    example: str
    from_: str = msgspec.field(name="from")
    to: str = ""
    tier: str = ""
    utilisation: float = 0.0
    phase_share: float = 0.0
    demand: float = 0.0
    bytes: float = 0.0
    by_class: dict[str, float] = {}
    cost_s: float = 0.0
    cost_one_s: float = 0.0
    why: str = ""


class LinkLoad(msgspec.Struct, frozen=True):
    """Load of one direction of one link; capacity None if unknown, state `failed` carries 0."""

    link: str
    from_: str = msgspec.field(name="from")
    to: str = ""
    capacity_GBps: float | None = None  # noqa: N815 - the JSON key
    bytes: float = 0.0
    by_class: dict[str, float] = {}
    utilisation: float | None = None
    phase_share: float | None = None
    demand: float | None = None
    state: str = "ok"


class Unreachable(msgspec.Struct, frozen=True):
    """Demand that has no path."""

    pairs: int = 0
    bytes: float = 0.0
    example: str = ""


class Assumption(msgspec.Struct, frozen=True):
    """Something taken as given, and where it comes from."""

    text: str
    source: str


class LinkSpread(msgspec.Struct, frozen=True):
    """Seconds a step of the fullest cable of a class of links, at its full rate, over the draws.

    A cable of its `links` directed links carries that much in some draw; which one differs.
    """

    class_: str = msgspec.field(name="class")
    tier: str = ""
    links: int = 0
    median_s: float = 0.0
    p95_s: float = 0.0
    worst_s: float = 0.0


class RoutingSummary(msgspec.Struct, frozen=True, kw_only=True):
    """How paths were picked and what that leaves of links between switches.

    Attributes:
        efficiency: share of the rate reached on links between switches, applied once.
        flows_per_connection, seeds, median_s, p95_s, worst_s: of hashed routing: the step time
            over the draws of who takes which path; `step_time_s` is the median draw's.
        classes: the classes of links that take longest.
    """

    mode: str
    title: str
    efficiency: float
    efficiency_source: str
    flows_per_connection: int | None = None
    seeds: int | None = None
    median_s: float | None = None
    p95_s: float | None = None
    worst_s: float | None = None
    classes: tuple[LinkSpread, ...] = ()


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one analysis says; the README explains each key."""

    topology: TopologySummary
    workload: dict[str, str | int | float | bool | None]
    step_time_s: float
    interval: Interval
    tokens_per_s: float
    tokens_per_s_per_gpu: float
    tflops_per_gpu: float
    mfu: float | None
    mfu_causal: float | None
    hfu: float | None
    memory: Memory
    breakdown_s: Breakdown
    unreachable: Unreachable
    communication: tuple[Communication, ...]
    tiers: tuple[TierLoad, ...]
    bottlenecks: tuple[Bottleneck, ...]
    links: tuple[LinkLoad, ...] = ()
    routing: RoutingSummary | None = None
    warnings: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
