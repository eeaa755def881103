"""What would make a plan fit into memory: the smallest changes of it that do.

Every change is made whole by `resolve_plan` and weighed by the memory formulas of the step, so that
what is offered can exist on the same GPUs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
from msgspec.structs import replace as changed

from topoedit.catalog.types import Accelerator, Llm
from topoedit.engine.step.kernels import Case
from topoedit.engine.workload.arrays import Plans, pack
from topoedit.engine.workload.memory import recompute_share, stage_memory
from topoedit.engine.workload.resolve import ResolvedPlan, plan_row, resolve_plan
from topoedit.errors import BadPlanError
from topoedit.model.plan import Plan

MOST_OFFERS = 3
_AXES = ("tp", "ep", "cp", "pp")
_MOST_TRIED = 150
_STATE_BYTES = 16.0
"""Parameter, gradient and optimiser state of a parameter, which sharding spreads over all GPUs at
best (Rajbhandari 2019, ZeRO)."""
Change = dict[str, object]


def what_fits(
    plan: Plan,
    resolved: ResolvedPlan,
    case: Case,
    llm: Llm,
    chip: Accelerator,
    room: int,
    gpus: int,
) -> tuple[str, ...]:
    """Options that make the plan fit: single changes, else pairs, else threes; the smallest.

    Args:
        plan: as chosen.
        resolved: the same made whole; its global batch is kept.
        case: the same as arrays.
        llm: the model.
        chip: the accelerator, its memory known.
        room: GPUs of a scale-up domain, which TP does not leave.
        gpus: GPUs of the drawing.
    """
    capacity = chip.hbm_bytes
    if capacity is None or _STATE_BYTES * float(case.counts.total[0]) / gpus > capacity:
        return ()
    base = changed(plan, dp=None, global_batch=resolved.global_batch)
    single = list(_changes(base, llm, room))
    pairs = [{**a, **b} for a, b in combinations(single, 2) if not a.keys() & b.keys()]
    triples = [{**a, **b} for a in pairs for b in single if not a.keys() & b.keys()]
    for some in (single, pairs, triples):
        fits: list[Change] = []
        for change in some[:_MOST_TRIED]:
            covered = any(one.keys() <= change.keys() for one in fits)
            if not covered and _total(base, change, case, llm, chip, gpus, room) <= capacity:
                fits.append(change)
            if len(fits) == MOST_OFFERS:
                break
        if fits:
            return tuple(_words(change) for change in fits)
    return ()


def _changes(plan: Plan, llm: Llm, room: int) -> Iterator[Change]:
    """Single changes, those that cost least time first."""
    if plan.zero < 1:
        yield {"zero": 1}
    if plan.micro_batch > 1:
        yield {"micro_batch": 1}
    if plan.recompute == "none":
        yield {"recompute": "selective"}
    limits = {"tp": room, "ep": llm.experts or 1, "cp": 16, "pp": llm.layers}
    for axis in _AXES:
        size = 2 * getattr(plan, axis)
        while size <= limits[axis]:
            yield {axis: size}
            size *= 2
    if plan.zero < 3:
        yield {"zero": 3}
    if plan.recompute != "full":
        yield {"recompute": "full"}


def _total(
    base: Plan, change: Change, case: Case, llm: Llm, chip: Accelerator, gpus: int, room: int
) -> float:
    """Bytes of the fullest stage with a change; infinite where such a plan cannot exist."""
    try:
        resolved = resolve_plan(changed(base, **change), llm, gpus, chip=chip, domain=room)
    except BadPlanError:
        return np.inf
    case = replace(case, plan=pack(Plans, [plan_row(resolved)]))
    stages = np.arange(resolved.plan.pp, dtype=np.float64)
    return float(np.max(stage_memory(case, stages, recompute_share(case)).total))


def _words(change: Change) -> str:
    return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in change.items())
