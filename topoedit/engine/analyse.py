"""`analyse`: from arrays, model and plan to everything a person is shown; the only entry point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import Accelerator, Llm
from topoedit.engine import bottlenecks as narrow
from topoedit.engine.cluster_rates import Measured
from topoedit.engine.draws import settle
from topoedit.engine.edge_index import edge_index
from topoedit.engine.figures import Figures, class_bytes, load_figures
from topoedit.engine.load import Routed, RoutingJob, host_copy_latency, route_all
from topoedit.engine.overlap import beside, crowding
from topoedit.engine.placement import Placement, place
from topoedit.engine.report import Findings, accelerators_in, build_analysis, smallest_domain
from topoedit.engine.routing import Residual, Routes, default_mode, make_router, residual
from topoedit.engine.shape import group_shape
from topoedit.engine.step.assemble import evaluate, make_case
from topoedit.engine.step.constants import (
    ConstantPicker,
    compute_units,
    generation_of,
    part_of,
)
from topoedit.engine.step.kernels import Case
from topoedit.engine.types import Fabric, GroupShape, Longs
from topoedit.engine.windows import Floor, at, time_traffic, with_floor
from topoedit.engine.workload.arrays import Chips, Plans, Shapes, chip_row, pack, shape_row
from topoedit.engine.workload.communication import Exchange, exchanges
from topoedit.engine.workload.memory import recompute_share
from topoedit.engine.workload.resolve import ResolvedPlan, plan_row, resolve_plan
from topoedit.errors import BadPlanError, CancelledError
from topoedit.model.analysis import Analysis
from topoedit.model.plan import Plan, Workload

_DENSE = ("tp", "cp", "pp", "shard", "replica", "secondary")
_EXPERTS = ("ep", "etp", "expert_dp")


@dataclass(frozen=True)
class AnalyseOptions:
    """What an analysis shall do besides.

    Attributes:
        links: list every drawn link in `Analysis.links`.
        order: GPU number of each rank, from a placement file; the plan is fitted to those.
        router: a router made for the fabric; by default one is made and kept for the next call.
    """

    links: bool = False
    order: Longs | None = None
    router: Routes | None = None


@dataclass(frozen=True, eq=False)
class Result:
    """An analysis with its arrays.

    Attributes:
        analysis: the plain record; fabric: what was analysed.
        figures: loads of every directed edge, by class too.
        findings: the stages in between, for `explain`.
    """

    analysis: Analysis
    fabric: Fabric
    figures: Figures
    findings: Findings


def analyse(
    fabric: Fabric,
    llm: Llm,
    workload: Workload,
    catalog: Catalog,
    *,
    options: AnalyseOptions | None = None,
    cancel: Callable[[], bool] | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> Result:
    """Analyse a training step of `llm` with the workload's plan on a fabric.

    Args:
        fabric: the compiled drawing.
        llm: the model that `workload.model` names.
        workload: the plan.
        catalog: for the accelerators.
        options: see `AnalyseOptions`.
        cancel: asked between stages; True stops with CancelledError.
        progress: told the stage in words and a fraction.

    Raises:
        BadPlanError: the plan cannot exist here.
        CancelledError: `cancel` said so.
    """
    chosen = options or AnalyseOptions()
    stage = _Stages(cancel, progress)
    stage("Reading the plan", 0.05)
    subject = prepare(fabric, llm, workload, catalog, chosen)
    stage("Routing the traffic", 0.1)
    routed = _route(subject.job, subject.resolved, subject.case, stage)
    stage("Timing the step", 0.8)
    return timed(subject, routed, links=chosen.links, stage=stage)


def timed(
    subject: Subject,
    routed: list[Routed],
    *,
    links: bool = False,
    stage: Callable[[str, float], None] = lambda words, fraction: None,
) -> Result:
    """The result of a plan whose traffic is routed already, at the pace that `routed` says."""
    figures, findings = _time(subject, routed, stage)
    stage("Writing the result", 0.97)
    analysis = build_analysis(findings, figures, links=links)
    return Result(analysis, subject.job.fabric, figures, findings)


@dataclass(frozen=True, eq=False)
class Subject:
    """What is analysed, ready to be routed."""

    llm: Llm
    workload: Workload
    catalog: Catalog
    chip: Accelerator
    resolved: ResolvedPlan
    case: Case
    job: RoutingJob


def prepare(
    fabric: Fabric, llm: Llm, workload: Workload, catalog: Catalog, options: AnalyseOptions
) -> Subject:
    """Resolve the plan and place it."""
    chip = accelerator_of(fabric, catalog, _gpus_needed(workload))
    gpus = len(fabric.gpus) if options.order is None else len(options.order)
    resolved = resolve_plan(
        workload.plan, llm, gpus, chip=chip, network=fabric.network, domain=smallest_domain(fabric)
    )
    placement = place(resolved, len(fabric.gpus), options.order)
    _check_groups(fabric, placement)
    case = single_case(llm, resolved, chip)
    job = RoutingJob(
        fabric,
        options.router or router_of(fabric, resolved.plan),
        placement,
        resolved.plan,
        case.physics,
        _shapes(fabric, placement, resolved, bool(llm.experts)),
        _residual(resolved.plan),
    )
    return Subject(llm, workload, catalog, chip, resolved, case, job)


def _time(
    subject: Subject, routed: list[Routed], stage: Callable[[str, float], None]
) -> tuple[Figures, Findings]:
    """Time the step, also with each bottleneck twice as fast, and load the links."""
    fabric = subject.job.fabric
    index = edge_index(fabric)
    routed, draws = settle(routed, subject.case)
    found = narrow.candidates(fabric, routed)
    variants = [one.links for one in found]
    crowded = crowding(routed, subject.resolved)
    rates = Measured(routed, subject.case.physics, variants, crowded).rates()
    step = evaluate(subject.case, rates)
    sums = class_bytes(routed, index)
    floor = Floor(sums.total, sums.floor, index)
    timing = time_traffic(step, routed, rates, subject.resolved, floor)
    stage("Loading the links", 0.9)
    figures = load_figures(
        index, routed, sums, timing.exposed.total(), timing.windows, timing.phases,
        beside(routed, subject.resolved, crowded),
    )  # fmt: skip
    seconds = with_floor(step, floor, variants)
    gains = [seconds[0] - faster for faster in seconds[1:]]
    narrowest = narrow.bottlenecks(fabric, figures, found, gains)
    findings = Findings(
        fabric=fabric,
        llm=subject.llm,
        workload=subject.workload,
        catalog=subject.catalog,
        chip=subject.chip,
        resolved=subject.resolved,
        case=subject.case,
        step=step,
        rates=rates,
        timing=timing,
        residual=subject.job.residual,
        draws=None if draws is None else draws.at_least(floor.seconds),
        sums=sums,
        bottlenecks=tuple(record for record, _ in narrowest),
        bottleneck_edges=tuple(edges for _, edges in narrowest),
    )
    return figures, findings


class _Stages:
    """Asks whether to stop and tells how far it is."""

    def __init__(
        self, cancel: Callable[[], bool] | None, progress: Callable[[str, float], None] | None
    ) -> None:
        self._cancel, self._progress = cancel, progress

    def __call__(self, words: str, fraction: float) -> None:
        if self._cancel is not None and self._cancel():
            raise CancelledError("the analysis was stopped")
        if self._progress is not None:
            self._progress(words, fraction)


def router_of(fabric: Fabric, plan: Plan) -> Routes:
    """The router that a plan asks for."""
    mode = plan.routing or default_mode(fabric.network)
    if mode == "hash":
        return _router(fabric, mode, plan.flows_per_connection, plan.seeds)
    return _router(fabric, mode)


@lru_cache(maxsize=2)
def _router(fabric: Fabric, mode: str, *numbers: int) -> Routes:
    """The last two routers are kept, so that a change of plan costs nothing."""
    return make_router(fabric, mode, *numbers)


def _residual(plan: Plan) -> Residual:
    """The share that the plan's routing mode reaches between switches."""
    return residual(plan.routing or "ecmp", plan.flows_per_connection, plan.routing_efficiency)


def accelerator_of(fabric: Fabric, catalog: Catalog, gpus: int) -> Accelerator:
    """The accelerator of the first `gpus` ranks, of several the slowest.

    Raises:
        BadPlanError: there are no GPUs, or the catalogue lacks what the model needs.
    """
    kinds = accelerators_in(fabric)
    names = kinds if len(kinds) < 2 else tuple(sorted(set(fabric.accelerators[: max(gpus, 1)])))
    if not len(fabric.gpus):
        hint = f"{fabric.unknown_hosts} hosts have no server type" if fabric.unknown_hosts else ""
        raise BadPlanError(
            "the drawing has no GPUs to train on" + (f"; {hint}" if hint else ""),
            mend="Give the hosts a server type" if hint else "Place a server",
        )
    chips = [catalog.accelerator(name) for name in names]
    for chip in chips:
        missing = [f for f in ("hbm_gb", "hbm_GBps") if getattr(chip, f) is None]
        if chip.peak_flops("fp16") is None:
            missing.append("bf16_tflops")
        if missing:
            raise BadPlanError(
                f"the catalogue does not know {', '.join(missing)} of {chip.name}",
                mend="Add it to a catalogue of your own",
            )
    return min(chips, key=lambda chip: chip.peak_flops("fp16") or 0.0)


def _gpus_needed(workload: Workload) -> int:
    plan = workload.plan
    return 10**9 if plan.dp is None else plan.tp * plan.cp * plan.pp * plan.dp


def _check_groups(fabric: Fabric, placement: Placement) -> None:
    """A TP group needs one kind of accelerator."""
    if len(accelerators_in(fabric)) < 2:
        return
    names, codes = np.unique(np.array(fabric.accelerators), return_inverse=True)
    kinds = codes[placement.tp]
    mixed = np.flatnonzero((kinds != kinds[:, :1]).any(axis=1))
    if not len(mixed):
        return
    inside = ", ".join(names[np.unique(kinds[mixed[0]])])
    raise BadPlanError(
        f"tensor-parallel group {int(mixed[0])} mixes {inside}",
        "--tp",
        "Choose a TP size that fits into servers of one kind",
    )


def single_case(llm: Llm, resolved: ResolvedPlan, chip: Accelerator) -> Case:
    """One plan as arrays of shape (1,)."""
    generation = generation_of(chip)
    part = part_of(chip)
    peak4 = None if part.fp4_tflops is None else part.fp4_tflops * 1e12
    row = chip_row(chip, compute_units(generation), part.clock, peak4)
    constants = ConstantPicker().pick([(generation, resolved.stack)])
    return make_case(
        pack(Shapes, [shape_row(llm)]),
        pack(Plans, [plan_row(resolved)]),
        pack(Chips, [row]),
        constants,
    )


def _shapes(
    fabric: Fabric, placement: Placement, resolved: ResolvedPlan, experts: bool
) -> dict[str, GroupShape]:
    """Shapes of the groups of more than one rank; without GPUDirect their hops take longer."""
    kinds = {kind: getattr(placement, kind) for kind in (*_DENSE, *(_EXPERTS if experts else ()))}
    shapes = {
        kind: group_shape(fabric, groups) for kind, groups in kinds.items() if groups.shape[1] > 1
    }
    if resolved.plan.gpudirect:
        return shapes
    return {
        kind: replace(shape, hop_latency=shape.hop_latency + host_copy_latency())
        if shape.servers > 1
        else shape
        for kind, shape in shapes.items()
    }


def _route(
    job: RoutingJob, resolved: ResolvedPlan, case: Case, stage: _Stages
) -> list[Routed]:  # fmt: skip
    """The exchanges of the plan and their bytes on every edge."""
    return route_all(
        job,
        step_exchanges(job, resolved, case),
        lambda fraction: stage("Routing the traffic", 0.1 + 0.7 * fraction),
    )


def step_exchanges(job: RoutingJob, resolved: ResolvedPlan, case: Case) -> list[Exchange]:
    """Everything that the ranks of a plan send each other in a step."""
    share = at(recompute_share(case))
    domains = job.shapes["ep"].servers if "ep" in job.shapes else 1
    return exchanges(case, resolved, share, domains)
