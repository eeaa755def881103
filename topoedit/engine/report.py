"""The plain `Analysis` record from what an analysis found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import Accelerator, Llm
from topoedit.engine.advice import what_fits
from topoedit.engine.draws import Draws
from topoedit.engine.edge_index import edge_index
from topoedit.engine.figures import ClassBytes, Figures, tier_loads
from topoedit.engine.interval import SLOW_NIC, Subject, interval
from topoedit.engine.linkloads import link_loads
from topoedit.engine.load import Routed, host_copy_latency
from topoedit.engine.routing import MODES, Residual
from topoedit.engine.step.assemble import Step
from topoedit.engine.step.constants import generation_of, step_section
from topoedit.engine.step.kernels import Case
from topoedit.engine.step.rates import Rates
from topoedit.engine.types import TIER_NAMES, Fabric, Longs, VertexKind
from topoedit.engine.windows import Timed, Timing, at
from topoedit.engine.workload.memory import stage_memory
from topoedit.engine.workload.params import model_flops
from topoedit.engine.workload.resolve import BITS, ResolvedPlan, expert_kind
from topoedit.model.analysis import (
    Analysis,
    Assumption,
    Bottleneck,
    Communication,
    Memory,
    Risk,
    RoutingSummary,
    TopologySummary,
    Unreachable,
)
from topoedit.model.plan import Plan, Workload
from topoedit.units import format_bytes, format_percent, format_seconds

NEARLY_FULL = 0.95


@lru_cache(maxsize=2)
def accelerators_in(fabric: Fabric) -> tuple[str, ...]:
    """The kinds of accelerators of a fabric."""
    return tuple(sorted(set(fabric.accelerators)))


@dataclass(frozen=True, eq=False)
class Findings:
    """The stages of an analysis, for the record and for `explain`."""

    fabric: Fabric
    llm: Llm
    workload: Workload
    catalog: Catalog
    chip: Accelerator
    resolved: ResolvedPlan
    case: Case
    step: Step
    rates: Rates
    timing: Timing
    residual: Residual
    draws: Draws | None
    sums: ClassBytes
    bottlenecks: tuple[Bottleneck, ...]
    bottleneck_edges: tuple[Longs, ...] = ()

    def bottleneck_links(self) -> list[NDArray[np.int32]]:
        """Rows in `fabric.link_ids` of the links of each bottleneck, each link once."""
        link = self.fabric.link
        return [np.unique(link[edges]).astype(np.int32) for edges in self.bottleneck_edges]

    @property
    def routed(self) -> tuple[Routed, ...]:
        """Routed traffic, each kind of group once."""
        return tuple(dict.fromkeys(row.routed for row in self.timing.rows))

    @property
    def step_time(self) -> float:
        """Seconds: the sum of the exposed parts."""
        return self.timing.exposed.total()


def build_analysis(found: Findings, figures: Figures, *, links: bool) -> Analysis:
    """Every key of `topoedit analyze`; `links` lists each drawn link."""
    seconds, resolved = found.step_time, found.resolved
    tokens = resolved.global_batch * resolved.seq_len
    rates = utilisation_rates(found)
    memory = memory_of(found)
    unreachable = unreachable_of(found)
    return Analysis(
        topology=topology_of(found),
        workload=echo(found),
        step_time_s=seconds,
        interval=interval(subject_of(found), seconds),
        tokens_per_s=tokens / seconds,
        tokens_per_s_per_gpu=tokens / seconds / resolved.gpus,
        tflops_per_gpu=rates.tflops,
        mfu=rates.mfu,
        mfu_causal=rates.mfu_causal,
        hfu=rates.hfu,
        memory=memory,
        breakdown_s=found.timing.exposed,
        unreachable=unreachable,
        communication=_communications(found),
        tiers=tier_loads(edge_index(found.fabric), found.sums, figures, seconds),
        bottlenecks=found.bottlenecks,
        links=link_loads(found.fabric, figures) if links else (),
        routing=routing_of(found),
        warnings=_warnings(found, memory, unreachable),
        assumptions=_assumptions(found),
    )


@dataclass(frozen=True, slots=True)
class UtilisationRates:
    """FLOP/s a GPU and shares of the dense peak of the GEMM precision."""

    tflops: float
    mfu: float | None
    mfu_causal: float | None
    hfu: float | None


def utilisation_rates(found: Findings) -> UtilisationRates:
    """MFU with full and with causal attention, HFU with what is recomputed."""
    resolved, case, seconds = found.resolved, found.case, found.step_time
    tokens = np.full(1, float(resolved.global_batch * resolved.seq_len))
    seq = case.plan.seq
    full = at(model_flops(case.shape, case.counts, tokens, seq, causal=False))
    causal = at(model_flops(case.shape, case.counts, tokens, seq, causal=True))
    again = at(found.step.steady.recompute) / max(at(found.step.steady.compute), 1e-12)
    per_gpu = full / seconds / resolved.gpus
    peak = found.chip.peak_flops(resolved.plan.precision)
    if not peak:
        return UtilisationRates(per_gpu / 1e12, None, None, None)
    return UtilisationRates(
        per_gpu / 1e12,
        per_gpu / peak,
        causal / seconds / resolved.gpus / peak,
        per_gpu / peak * (1 + again),
    )


def memory_of(found: Findings) -> Memory:
    """Memory of the worst pipeline stage and whether it fits."""
    stages = np.arange(found.resolved.plan.pp, dtype=np.float64)
    parts = stage_memory(found.case, stages, found.step.share)
    totals = np.broadcast_to(parts.total, stages.shape)
    worst = int(np.argmax(totals))
    total, capacity = float(totals[worst]), found.chip.hbm_bytes
    kinds = {one.name: at(getattr(parts, one.name), worst) for one in fields(parts)}
    risk = _risk(total, capacity, found.case.physics.memory_error)
    return Memory(
        stage=worst,
        total_bytes=total,
        capacity_bytes=capacity,
        headroom_bytes=None if capacity is None else capacity - total,
        risk=risk,
        dominant=max(kinds, key=lambda name: kinds[name]),
        would_fit=_offers(found) if risk == "no" else (),
        **{f"{name}_bytes": sent for name, sent in kinds.items()},
    )


def _offers(found: Findings) -> tuple[str, ...]:
    fabric = found.fabric
    return what_fits(
        found.workload.plan, found.resolved, found.case, found.llm, found.chip,
        smallest_domain(fabric), len(fabric.gpus),
    )  # fmt: skip


def _risk(total: float, capacity: float | None, error: float) -> Risk:
    if capacity is None or total > capacity:
        return "no"
    return "tight" if total * (1 + error) > capacity else "fits"


def unreachable_of(found: Findings) -> Unreachable:
    """Demand without a path, summed over all traffic."""
    routed = found.routed
    pairs = sum(one.load.lost_pairs for one in routed)
    example = next((one.load.example for one in routed if one.load.example), None)
    text = "" if example is None else " to ".join(gpu_name(found.fabric, g) for g in example)
    return Unreachable(pairs, float(sum(one.load.lost for one in routed)), text)


def routing_of(found: Findings) -> RoutingSummary:
    """How paths were picked, and the spread of the step where they were drawn by chance."""
    plan, draws = found.resolved.plan, found.draws
    mode = MODES[plan.routing or "ecmp"]
    base = RoutingSummary(
        mode=mode.name,
        title=mode.title,
        efficiency=found.residual.value,
        efficiency_source=found.residual.source,
    )
    if draws is None:
        return base
    return replace(
        base,
        flows_per_connection=plan.flows_per_connection,
        seeds=len(draws.seconds),
        median_s=draws.median,
        p95_s=draws.p95,
        worst_s=draws.worst,
        classes=draws.classes,
    )


def gpu_name(fabric: Fabric, rank: int) -> str:
    """A GPU in words."""
    vertex = int(fabric.gpus[rank])
    device = fabric.device_names[fabric.vertex_device[vertex]]
    return f"{device} GPU {int(fabric.vertex_local[vertex])}"


_SWITCHES = (
    VertexKind.LEAF, VertexKind.SPINE, VertexKind.CORE, VertexKind.SWITCH,
)  # fmt: skip


def topology_of(found: Findings) -> TopologySummary:
    """Counts of what was analysed; GPUs are None while some hosts have no known type."""
    return replace(_counted(found.fabric), gpus_used=found.resolved.gpus)


@lru_cache(maxsize=1)
def _counted(fabric: Fabric) -> TopologySummary:
    kinds = fabric.vertex_kind
    half = len(fabric.src) // 2
    drawn = fabric.link[:half] < fabric.drawn_links
    return TopologySummary(
        name=fabric.name,
        gpus=None if fabric.unknown_hosts else len(fabric.gpus),
        gpus_used=0,
        servers=len(np.unique(fabric.gpu_server)) + fabric.unknown_hosts,
        switches=int(np.count_nonzero(np.isin(kinds, _SWITCHES))),
        links=fabric.drawn_links,
        cables=int(fabric.cables[:half][drawn].sum()),
    )


def echo(found: Findings) -> dict[str, str | int | float | bool | None]:
    """The workload with every default filled in."""
    plan = found.resolved.plan
    rows: dict[str, str | int | float | bool | None] = {"model": found.llm.id}
    for name in plan.__struct_fields__:
        value = getattr(plan, name)
        if name == "algorithms":
            value = ",".join(f"{c}={a}" for c, a in value.items()) or "auto"
        rows[name] = value
    rows["gpus"] = found.resolved.gpus
    rows["micro_batches"] = found.resolved.micro_batches
    rows["expert_dp"] = found.resolved.expert_dp if found.llm.experts else None
    rows["ep_kind"] = expert_kind(plan) if found.llm.experts else None
    rows["second_copy_ranks"] = found.resolved.secondary or None
    return rows


def subject_of(found: Findings) -> Subject:
    """What the interval is looked up by."""
    slow = any(
        0 < one.shape.network_rate / max(one.shape.nics_per_server, 1) <= SLOW_NIC
        for one in found.routed
        if one.kind in ("shard", "expert_dp")
    )
    return Subject(
        llm=found.llm,
        resolved=found.resolved,
        generation=generation_of(found.chip),
        accelerator=found.chip.id,
        parameters=at(found.case.counts.total),
        bits=BITS[found.resolved.plan.precision],
        slow_network=slow,
    )


def _communications(found: Findings) -> tuple[Communication, ...]:
    gpus = found.resolved.gpus
    tiers = {one.kind: _by_tier(one, gpus) for one in found.routed}
    return tuple(_communication(found, row, tiers[row.routed.kind]) for row in found.timing.rows)


def _by_tier(one: Routed, gpus: int) -> dict[str, float]:
    """Mean bytes a step that one of `gpus` GPUs sends over each tier."""
    return {TIER_NAMES[tier]: sent / gpus for tier, sent in one.upward.items() if sent > 0}


def _communication(found: Findings, row: Timed, tiers: dict[str, float]) -> Communication:
    exchange, one = row.exchange, row.routed
    busy = np.count_nonzero(exchange.calls) / len(exchange.calls)
    groups = round(found.resolved.gpus / exchange.size * (busy if one.kind != "pp" else 1))
    sent = sum((e.calls * e.sent for e in one.exchanges), np.zeros(1)).sum()
    part = float((exchange.calls * exchange.sent).sum() / sent) if sent else 0.0
    return Communication(
        class_=one.class_,
        part=exchange.part,
        op=exchange.op,
        algorithm=row.algorithm,
        groups=groups,
        group_size=exchange.size,
        count=exchange.heaviest,
        bytes_per_gpu=row.sent,
        time_s=row.seconds,
        exposed_s=row.exposed,
        tiers={tier: value * part for tier, value in tiers.items()},
    )


def _warnings(found: Findings, memory: Memory, unreachable: Unreachable) -> tuple[str, ...]:
    out = [*found.fabric.notes, *found.resolved.warnings, *_straddling(found)]
    if unreachable.pairs:
        out.append(
            f"{format_bytes(unreachable.bytes)} a step between {unreachable.pairs} pairs of GPUs "
            f"have no path, for example {unreachable.example}"
        )
    capacity = memory.capacity_bytes
    if capacity is not None and memory.total_bytes > capacity:
        out.append(
            f"stage {memory.stage} needs {format_bytes(memory.total_bytes)}, the accelerator has "
            f"{format_bytes(capacity)}; most of it is {memory.dominant}. "
            f"{_would_fit(memory, len(found.fabric.gpus))}"
        )
    elif capacity is not None and memory.total_bytes > NEARLY_FULL * capacity:
        out.append(
            f"stage {memory.stage} fills {format_percent(memory.total_bytes / capacity)} of memory"
        )
    kinds = accelerators_in(found.fabric)
    if len(kinds) > 1:
        out.append(f"accelerators differ ({', '.join(kinds)}); {found.chip.name} sets the pace")
    if found.catalog.overridden:
        out.append(
            f"a catalogue of your own is in use: {', '.join(sorted(found.catalog.overridden)[:5])}"
        )
    draws = found.draws
    if draws is not None:
        out.append(
            f"paths are picked by a hash: over {len(draws.seconds)} draws a step takes "
            f"{format_seconds(draws.median)} (median), {format_seconds(draws.p95)} (95 %) and "
            f"{format_seconds(draws.worst)} (worst)"
        )
    return tuple(out)


def _would_fit(memory: Memory, gpus: int) -> str:
    if not memory.would_fit:
        return f"No change of up to three options fits {gpus} such GPUs"
    return f"Would fit: {' or '.join(memory.would_fit)}"


@lru_cache(maxsize=2)
def smallest_domain(fabric: Fabric) -> int:
    """GPUs of the smallest scale-up domain."""
    sizes = np.bincount(fabric.gpu_domain - fabric.gpu_domain.min())
    return int(sizes[sizes > 0].min())


def _straddling(found: Findings) -> list[str]:
    """Groups that would fit into a scale-up domain and lie across two."""
    room, plan = smallest_domain(found.fabric), found.resolved.plan
    if not plan.rank_order.startswith("tp"):
        return []
    extent = {"tp": plan.tp, "cp": plan.tp * plan.cp, "ep": plan.ep * found.resolved.etp}
    out = []
    for one in found.routed:
        size = extent.get(one.kind, room + 1)
        if size <= room and one.shape.servers > 1:
            out.append(
                f"{one.class_} groups of {one.shape.ranks} GPUs lie across scale-up domains of "
                f"{room}; a placement file with slots={room // size * size} keeps them inside"
            )
    return out


def _assumptions(found: Findings) -> tuple[Assumption, ...]:
    section, plan = step_section(), found.resolved.plan
    rows = [
        *found.resolved.assumptions,
        Assumption(f"software stack {plan.stack}: {found.resolved.stack.title}", section.fit),
        Assumption(
            "collectives of a step run as rings at 80 % of NVLink and NICs unless an algorithm is "
            "asked for",
            section.source("rings"),
        ),
        Assumption(_routing_words(routing_of(found)), found.residual.source),
        *_host_copy(plan),
        Assumption(f"shape of {found.llm.name}", found.llm.source),
        Assumption(f"figures of {found.chip.name}", found.chip.source),
    ]
    return tuple(rows)


def _host_copy(plan: Plan) -> list[Assumption]:
    if plan.gpudirect:
        return []
    more = format_seconds(host_copy_latency())
    text = (
        "without GPUDirect bytes pass through CPU memory: the bus between GPU and NIC carries them "
        f"twice, and a hop between servers takes {more} longer (a PCIe hop more at either end)"
    )
    return [Assumption(text, "NCCL 2.30.7 tuning.cc (latency of a PCIe hop)")]


def _routing_words(routing: RoutingSummary) -> str:
    text = (
        f"routing {routing.mode}: {routing.title}; links between switches reach "
        f"{format_percent(routing.efficiency)} of their rate, those of NICs what is said above"
    )
    if routing.seeds is None:
        return text
    flows = routing.flows_per_connection
    return f"{text}; {routing.seeds} draws, {flows} flow{'s' * (flows != 1)} a connection"


def classes_of(rows: Sequence[Timed]) -> tuple[str, ...]:
    """Traffic classes in use."""
    return tuple(dict.fromkeys(row.routed.class_ for row in rows))
