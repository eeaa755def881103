"""The links that one rank's groups use: their own traffic routed alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from topoedit.engine.analyse import Subject, step_exchanges
from topoedit.engine.load import RoutingJob, route_all
from topoedit.engine.types import Floats, Longs
from topoedit.engine.windows import AXIS_OF
from topoedit.engine.workload.communication import Exchange


def group_bytes(subject: Subject, axis: str, gpu: int) -> Floats:
    """Bytes a step that the groups of one GPU put on every directed edge.

    Args:
        subject: a plan laid on a fabric.
        axis: `tp`, `cp`, `ep`, `pp` or `dp`; gradients run in all groups that share weights.
        gpu: number of the GPU.
    """
    job = subject.job
    every = step_exchanges(job, subject.resolved, subject.case)
    total = np.zeros(len(job.fabric.src))
    for kind in dict.fromkeys(one.groups for one in every if AXIS_OF[one.groups] == axis):
        alone = _alone(job, kind, gpu, [one for one in every if one.groups == kind])
        if alone is not None:
            (routed,) = route_all(*alone, lambda _: None)
            total += routed.load.bytes
    return total


def _alone(
    job: RoutingJob, kind: str, gpu: int, some: list[Exchange]
) -> tuple[RoutingJob, list[Exchange]] | None:
    """The job with the GPU's group as the only one of its kind, on a pipeline of its own stage."""
    groups: Longs = getattr(job.placement, kind)
    row = int(np.flatnonzero((groups == gpu).any(axis=1))[0])
    fields = {kind: groups[[row]]}
    if kind != "pp":
        stage = int(job.placement.stage_of(groups)[row])
        some = [replace(one, calls=one.calls[[stage]]) for one in some if one.calls[stage] > 0]
        fields["grid"] = job.placement.grid[[stage]]
    if not some:
        return None
    return replace(job, placement=replace(job.placement, **fields)), some
