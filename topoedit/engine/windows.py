"""How long each kind of traffic takes in a step and what it may run under, from one `Step`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from topoedit.engine.cluster_rates import FREE
from topoedit.engine.edge_index import EdgeIndex
from topoedit.engine.load import Bound, Faster, Routed, bounds, tier_values
from topoedit.engine.step.assemble import Step
from topoedit.engine.step.rates import Rates
from topoedit.engine.types import Floats
from topoedit.engine.workload.communication import REGATHER, Exchange
from topoedit.engine.workload.resolve import ResolvedPlan
from topoedit.model.analysis import Breakdown

AXIS_OF = {
    "tp": "tp", "cp": "cp", "pp": "pp", "ep": "ep", "etp": "ep",
    **dict.fromkeys(("shard", "replica", "secondary", "expert_dp"), "dp"),
}  # fmt: skip
"""Kind of group -> field of the breakdown."""


def at(values: Floats, row: int = 0) -> float:
    """One row of an array that may have a single one."""
    return float(values[row if len(values) > 1 else 0])


def breakdown(step: Step, routed: Sequence[Routed], row: int = 0) -> Breakdown:
    """Exposed seconds by kind; traffic of an axis that crosses sites counts as `wan`."""
    steady = step.steady
    parts = {
        "tp": at(steady.tp, row),
        "cp": at(steady.cp, row),
        "ep": at(steady.ep, row),
        "pp": at(step.pp, row),
        "dp": at(steady.dp, row) + at(step.dp, row),
    }
    wan = 0.0
    for axis in {AXIS_OF[one.kind] for one in routed if one.class_ == "WAN"}:
        wan, parts[axis] = wan + parts[axis], 0.0
    return Breakdown(
        compute=at(steady.compute, row),
        recompute=at(steady.recompute, row),
        **parts,
        bubble=at(step.bubble, row),
        wan=wan,
        optimizer=at(step.optimizer, row),
        other=at(step.fixed, row) + at(step.growth, row),
    )


def windows(step: Step, resolved: ResolvedPlan, free: int) -> dict[str, float]:
    """Seconds that each kind of group's traffic may run under, communication being free.

    Args:
        step: the step; row `free` has free communication.
        resolved: the plan.
        free: that row.
    """
    plan, stack = resolved.plan, resolved.stack
    whole = at(step.total, free)
    batches = at(step.case.plan.micro_batches)
    layers = at(step.slowest_layers, free) * batches
    kernels = step.kernels
    gemms = layers * (at(kernels.linear.forward) + at(kernels.linear.backward))
    compute = at(step.steady.compute, free) + at(step.steady.recompute, free)
    attention = layers * (at(kernels.attention[0]) + at(kernels.attention[1]))
    sharded = plan.zero >= 2
    tail = at(step.window, free) if stack.dp_overlap else whole
    data = compute if sharded else tail
    expert = compute if plan.schedule == "dualpipe" else whole
    return {
        "tp": gemms if stack.tp_overlap else whole,
        "cp": attention * (plan.cp - 1) / plan.cp
        if plan.cp_kind == "ring" and plan.cp > 1
        else whole,
        "pp": compute if stack.pp_overlap else whole,
        "shard": data,
        "replica": tail,
        "secondary": data,
        "expert_dp": data,
        "ep": expert,
        "etp": whole,
    }


@dataclass(frozen=True, slots=True)
class Timed:
    """An exchange with its seconds a step: on the wire and exposed.

    `sent` is what one GPU of the busiest stage sends a step by the algorithm in use.
    """

    exchange: Exchange
    routed: Routed
    algorithm: str
    sent: float
    seconds: float
    exposed: float


class Floor:
    """The shortest a step can be: all its traffic at the full rate of the links.

    Args:
        total: (E,) bytes of all traffic; seconds: of the fullest edge.
        index: of the fabric's edges.
    """

    def __init__(self, total: Floats, seconds: float, index: EdgeIndex) -> None:
        self._total, self._index = total, index
        self.seconds = seconds

    @cached_property
    def bound(self) -> Bound:
        """The fullest links."""
        index = self._index
        values = tier_values(index, self._total)
        (found,) = bounds(index, self._total, values, dict.fromkeys(index.tiers, 1.0))
        return found


@dataclass(frozen=True, slots=True)
class Timing:
    """What the seconds of a step are spent on.

    Attributes:
        exposed: exposed seconds; they sum to the step time.
        rows: every exchange with its seconds.
        windows: seconds that each kind of group may hide under.
        phases: seconds of communication of each traffic class.
    """

    exposed: Breakdown
    rows: tuple[Timed, ...]
    windows: dict[str, float]
    phases: dict[str, float]


def time_traffic(
    step: Step, routed: Sequence[Routed], rates: Rates, resolved: ResolvedPlan, floor: Floor
) -> Timing:
    """Name every second of the step (row 0) and of its communication.

    No step is shorter than its fullest link needs at the full rate: should overlap have hidden more
    than that, what is missing counts as exposed by the traffic that is largest there.
    """
    exposed = breakdown(step, routed)
    short = floor.seconds - exposed.total()
    if short > 0:
        edge = floor.bound.edges[0]
        largest = max(routed, key=lambda one: float(one.load.bytes[edge]))
        axis = _axis(largest)
        exposed = replace(exposed, **{axis: getattr(exposed, axis) + short})
    rows = timed_exchanges(routed, rates, exposed)
    phases: dict[str, float] = {}
    for row in rows:
        phases[row.routed.class_] = phases.get(row.routed.class_, 0.0) + row.seconds
    return Timing(exposed, tuple(rows), windows(step, resolved, FREE), phases)


def with_floor(step: Step, floor: Floor, variants: Sequence[Faster]) -> list[float]:
    """Step time as it is, then with each variant's links twice as fast."""
    seconds = [max(at(step.total), floor.seconds)]
    for number, faster in enumerate(variants):
        own = at(step.total, FREE + 1 + number)
        if own < floor.seconds:
            own = max(own, floor.bound.with_faster(faster))
        seconds.append(own)
    return seconds


def _axis(one: Routed) -> str:
    """Field of the breakdown that a routed kind counts under."""
    return "wan" if one.class_ == "WAN" else AXIS_OF[one.kind]


def timed_exchanges(
    routed: Sequence[Routed], rates: Rates, exposed: Breakdown
) -> list[Timed]:  # fmt: skip
    """Seconds of every exchange on the busiest stage.

    The exposed seconds of an axis are shared out in proportion to time, the re-gathers of sequence
    parallelism excepted: they run under the input gradients.
    """
    rows = [
        (one, exchange, number, _seconds(one, exchange, rates))
        for one in routed
        for number, exchange in enumerate(one.exchanges)
    ]
    made = []
    for one, exchange, number, seconds in rows:
        axis = _axis(one)
        total = sum(s for other, e, _, s in rows if e.part != REGATHER and _axis(other) == axis)
        share = 0.0 if exchange.part == REGATHER or not total else seconds / total
        call = one.forced[number]
        sent = exchange.sent if call is None else call.bytes_per_gpu
        made.append(
            Timed(
                exchange, one, one.algorithm[number], exchange.heaviest * sent,
                max(seconds, share * getattr(exposed, axis)),  # ramps of a pipeline come on top
                share * getattr(exposed, axis),
            )
        )  # fmt: skip
    return made


def _seconds(one: Routed, exchange: Exchange, rates: Rates) -> float:
    calls = exchange.heaviest
    if one.kind == "ep":
        ep = rates.ep
        wire = max(exchange.sent / at(ep.scaleup), exchange.network / at(ep.network))
        return calls * (wire + at(ep.latency))
    rate = getattr(rates, {"shard": "dp"}.get(one.kind, one.kind))
    passes = 2 if exchange.op == "all_reduce" else 1
    if one.kind == "cp" and exchange.op != "send_recv":
        passes = exchange.size - 1  # the latency of `cp` is that of one hop
    return calls * (exchange.sent / at(rate.bandwidth) + passes * at(rate.latency))
