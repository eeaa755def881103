"""One training step on a time axis: what every pipeline stage does, and when traffic runs.

Nothing is estimated anew: the seconds are those of `engine.step` and `engine.windows`, laid out in
the order of the plan's schedule. The critical stage's row adds up to the step, kind by kind.
"""

from __future__ import annotations

import numpy as np

from topoedit.engine.pipeline import play
from topoedit.engine.report import Findings
from topoedit.engine.timeline_phases import after_update, pace, phases
from topoedit.engine.timeline_rows import (
    Rows,
    add_tail,
    at_pace,
    batches_drawn,
    critical_stage,
    fill_stage,
    left_over,
    order_of,
    stage_names,
    stage_time,
)
from topoedit.engine.timeline_types import Timeline
from topoedit.engine.windows import AXIS_OF, at


def timeline(found: Findings) -> Timeline:
    """The step of an analysis on a time axis."""
    step, exposed = found.step, found.timing.exposed
    plan, batches = found.resolved.plan, found.resolved.micro_batches
    stages = [stage_time(step, number, plan.pp) for number in range(plan.pp)]
    critical = critical_stage(step, plan.pp)
    order = order_of(plan.schedule, plan.vpp)
    chunks = plan.vpp if order in ("interleaved", "afab") else 1
    drawn = batches_drawn(order, plan.pp, batches, chunks)
    slow = stages[critical]
    played = play(
        order, plan.pp, drawn, chunks, slow.forward.sum(), slow.backward.sum(), slow.weights
    )
    busy = slow.total * batches
    played = at_pace(played, critical, busy, at(step.bubble))
    pipeline = busy + at(step.bubble)
    wan = frozenset(AXIS_OF[one.kind] for one in found.routed if one.class_ == "WAN")
    rest = left_over(exposed, slow, batches, wan)
    rows = Rows()
    for number, stage in enumerate(stages):
        fill_stage(rows, played, number, stage, slow, pipeline, rest["pp"], plan.pp)
    ready = pipeline + rest.pop("pp")
    tail = add_tail(rows, ready, rest, exposed, after_update(found), plan.pp)
    return Timeline(
        step_time=exposed.total(),
        critical=critical,
        schedule=order,
        stages=stage_names(order, plan.pp),
        batches=batches,
        drawn=drawn,
        chunks=chunks,
        spans=rows.columns(exposed.total()),
        shares=np.stack([stage.shares(wan) for stage in stages]),
        phases=phases(found, ready, tail, rows),
        pace=pace(found),
    )
