"""Several jobs on one fabric: how much longer each step takes than if the job were alone.

While a job sends, the others send too, each as much as it does on average in that time (its bytes
of a step x duration / its step time). They share links by max-min fairness, a collective's flows
advancing together, since a ring is as slow as its slowest member (Bertsekas and Gallager, Data
Networks, section 6.5.2). Longer steps send less often, so step times are found by repetition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import Llm
from topoedit.engine.analyse import AnalyseOptions, Result, Subject, analyse, prepare, timed
from topoedit.engine.load import Bound, Routed
from topoedit.engine.maxmin import concurrent_times
from topoedit.engine.types import TIER_NAMES, EdgeLoad, Fabric, Floats, Longs, Tier
from topoedit.errors import BadPlanError
from topoedit.model.plan import Workload

_ROUNDS = 12
_SETTLED = 1e-4
_MOST_LINKS = 12


@dataclass(frozen=True, eq=False)
class Job:
    """A job: its name, model, plan, and the GPU number of each of its ranks."""

    name: str
    llm: Llm
    workload: Workload
    ranks: Longs


@dataclass(frozen=True, eq=False)
class SharedJob:
    """A job beside the others.

    Attributes:
        job: which; alone: its analysis without the others; shared: with them.
        stretch: by kind of group, how many times as long its traffic takes on the links.
    """

    job: Job
    alone: Result
    shared: Result
    stretch: Mapping[str, float]

    @property
    def slowdown(self) -> float:
        """Step time beside the others over step time alone."""
        return self.shared.analysis.step_time_s / self.alone.analysis.step_time_s


@dataclass(frozen=True, slots=True)
class SharedLink:
    """A direction of a link that several jobs load; utilisation is the sum of theirs."""

    link: str
    from_: str
    to: str
    tier: str
    utilisation: float
    by_job: Mapping[str, float]


def analyse_jobs(
    fabric: Fabric,
    jobs: Sequence[Job],
    catalog: Catalog,
    *,
    cancel: Callable[[], bool] | None = None,
) -> tuple[SharedJob, ...]:
    """Every job alone, and beside the others.

    Raises:
        BadPlanError: two jobs use a GPU, or a plan that cannot exist.
        CancelledError: `cancel` said so.
    """
    _check(fabric, jobs)
    subjects, alone = [], []
    for job in jobs:
        options = AnalyseOptions(order=job.ranks)
        try:
            subjects.append(prepare(fabric, job.llm, job.workload, catalog, options))
        except BadPlanError as error:
            where = f"job {job.name}: {error.where}".removesuffix(": ")
            raise BadPlanError(error.what, where, error.mend) from None
        alone.append(
            analyse(fabric, job.llm, job.workload, catalog, options=options, cancel=cancel)
        )
    return _settled(jobs, subjects, alone)


def _check(fabric: Fabric, jobs: Sequence[Job]) -> None:
    owner = np.full(len(fabric.gpus), -1, np.int64)
    for number, job in enumerate(jobs):
        taken = owner[job.ranks]
        if (taken >= 0).any():
            rank = int(job.ranks[np.argmax(taken >= 0)])
            raise BadPlanError(
                f"jobs {jobs[int(owner[rank])].name} and {job.name} both use GPU {rank}",
                "--jobs",
                "Give each its own ranks",
            )
        owner[job.ranks] = number


def _settled(
    jobs: Sequence[Job], subjects: Sequence[Subject], alone: Sequence[Result]
) -> tuple[SharedJob, ...]:
    """Repeat until no step time changes; steps only grow, so this ends."""
    shared, stretches = list(alone), [dict[str, float]() for _ in jobs]
    for _ in range(_ROUNDS):
        before = [result.analysis.step_time_s for result in shared]
        rates = [
            result.figures.total / seconds for result, seconds in zip(alone, before, strict=True)
        ]
        for number, subject in enumerate(subjects):
            others = [rate for other, rate in enumerate(rates) if other != number]
            known = stretches[number]
            slower = [
                _beside(one, others, known.get(one.kind, 1.0))
                for one in alone[number].findings.routed
            ]
            stretches[number] = {one.kind: factor for one, factor in slower}
            shared[number] = timed(subject, [one for one, _ in slower])
        after = [result.analysis.step_time_s for result in shared]
        if max(abs(b / a - 1) for a, b in zip(before, after, strict=True)) < _SETTLED:
            break
    rows = zip(jobs, alone, shared, stretches, strict=True)
    return tuple(SharedJob(*row) for row in rows)


def _beside(one: Routed, others: Sequence[Floats], known: float) -> tuple[Routed, float]:
    """Traffic at the pace that other jobs leave it, and how many times as long it takes.

    Args:
        one: the traffic when alone.
        others: (E,) mean bytes/s of each other job.
        known: how many times as long it took in the round before.
    """
    limit = one.network or one.limit
    factor = _stretch(limit, others, limit.seconds * known)
    load = replace(one.load, spread=None)  # the draw is settled
    if factor == 1:
        return replace(one, load=load), 1.0
    slower = replace(
        limit,
        seconds=limit.seconds * factor,
        tops={tier: top * factor for tier, top in limit.tops.items()},
    )
    if one.network is not None:
        return replace(one, load=load, network=slower), factor
    return replace(one, load=load, limit=slower), factor


def _stretch(limit: Bound, others: Sequence[Floats], lasting: float) -> float:
    """How many times as long the traffic of `limit`, `lasting` so long, takes beside the others."""
    if not limit.seconds:
        return 1.0
    counts = np.zeros(len(Tier), bool)
    counts[list(limit.tops)] = True
    slow = np.ones(len(Tier))
    slow[list(limit.factors)] = list(limit.factors.values())
    meets = np.zeros(len(limit.load), bool)
    for rate in others:
        meets |= rate > 0
    meets &= limit.load > 0
    edges = np.flatnonzero(meets)
    tiers = limit.index.tier[edges]
    edges, tiers = edges[counts[tiers]], tiers[counts[tiers]]
    pace = limit.index.plain[edges] * slow[tiers]
    edges, pace = edges[pace > 0], pace[pace > 0]
    if not len(edges):
        return 1.0
    seconds = limit.seconds
    loads = [limit.load[edges], *(rate[edges] * lasting for rate in others)]
    # one more edge stands for the fullest of all its own links, which the others may not use
    own = [np.append(row, seconds if number == 0 else 0.0) for number, row in enumerate(loads)]
    room = np.append(1.0 / pace, 1.0)
    times = concurrent_times([EdgeLoad(row, float(row.sum())) for row in own], room)
    return max(1.0, float(times[0]) / seconds)


def shared_links(fabric: Fabric, jobs: Sequence[SharedJob]) -> tuple[SharedLink, ...]:
    """The directions of links that more than one job loads, fullest first."""
    used = np.array([one.shared.figures.utilisation for one in jobs])
    used = np.nan_to_num(used)
    total = used.sum(axis=0)
    several = np.flatnonzero((used > 0).sum(axis=0) > 1)
    order = several[np.argsort(-total[several], kind="stable")][:_MOST_LINKS]
    names = fabric.device_names
    return tuple(
        SharedLink(
            link=fabric.link_ids[int(fabric.link[edge])],
            from_=names[int(fabric.vertex_device[fabric.src[edge]])],
            to=names[int(fabric.vertex_device[fabric.dst[edge]])],
            tier=TIER_NAMES[int(fabric.tier[edge])],
            utilisation=float(total[edge]),
            by_job={
                one.job.name: float(share)
                for one, share in zip(jobs, used[:, edge], strict=True)
                if share > 0
            },
        )
        for edge in order.tolist()
    )
