"""Several jobs on one drawing, from a file that lists them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from topoedit.app.collective import parse_ranks
from topoedit.app.placement_file import read_placement
from topoedit.app.plans import plan_words, read_workload, yaml_of
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.models import resolve_model
from topoedit.engine.compile import compile_fabric
from topoedit.engine.jobs import Job, SharedJob, analyse_jobs, shared_links
from topoedit.engine.types import Fabric, Longs
from topoedit.errors import BadInputError
from topoedit.model.analysis import Assumption, Breakdown, Interval, Risk, Unreachable
from topoedit.model.document import Document

MOST_JOBS = 64
_EXAMPLE = "For example `- {name: a, model: llama3-8b, ranks: 0-31, tp: 8}` under `jobs:`"
_SHARING = (
    "while a job sends, each other job sends what it does on average in that time; jobs share "
    "links by max-min fairness, and a collective is as slow as its slowest member"
)


class JobAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One job: its step beside the others and alone.

    `stretch` is, by kind of group, how many times as long its traffic takes on the links.
    """

    name: str
    model: str
    gpus: int
    step_time_s: float
    alone_s: float
    slowdown: float
    interval: Interval
    breakdown_s: Breakdown
    stretch: dict[str, float]
    risk: Risk
    unreachable: Unreachable


class SharedLinkRow(msgspec.Struct, frozen=True):
    """A direction of a link that several jobs load, as shares of its capacity."""

    link: str
    from_: str = msgspec.field(name="from")
    to: str
    tier: str
    utilisation: float
    by_job: dict[str, float]


class JobsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of `topoedit analyze --jobs --json`."""

    jobs: tuple[JobAnswer, ...]
    links: tuple[SharedLinkRow, ...]
    warnings: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()


def analyse_jobs_file(document: Document, path: Path) -> JobsAnswer:
    """Analyse the jobs that a YAML file lists.

    The file holds `jobs:`, a list of tables: `name`, `model`, `ranks` (as `--ranks`; or
    `placement`, a file) and the options of a plan, underscored or with hyphens.

    Raises:
        BadInputError: the file cannot be read, a job is not complete or uses GPUs of another.
        BadPlanError: a plan that cannot exist; the line names the job.
    """
    fabric = compile_fabric(document)
    jobs = read_jobs(path, fabric, document.catalog)
    found = analyse_jobs(fabric, jobs, document.catalog)
    warnings = [f"{one.job.name}: {t}" for one in found for t in one.shared.analysis.warnings]
    return JobsAnswer(
        jobs=tuple(_answer(one) for one in found),
        links=tuple(
            SharedLinkRow(x.link, x.from_, x.to, x.tier, x.utilisation, dict(x.by_job))
            for x in shared_links(fabric, found)
        ),
        warnings=tuple(dict.fromkeys(warnings)),
        assumptions=(Assumption(_SHARING, "Bertsekas and Gallager, Data Networks, 6.5.2"),),
    )


def _answer(one: SharedJob) -> JobAnswer:
    record, alone = one.shared.analysis, one.alone.analysis
    return JobAnswer(
        name=one.job.name,
        model=one.job.llm.id,
        gpus=record.topology.gpus_used,
        step_time_s=record.step_time_s,
        alone_s=alone.step_time_s,
        slowdown=one.slowdown,
        interval=record.interval,
        breakdown_s=record.breakdown_s,
        stretch={kind: factor for kind, factor in one.stretch.items() if factor > 1},
        risk=record.memory.risk,
        unreachable=record.unreachable,
    )


def read_jobs(path: Path, fabric: Fabric, catalog: Catalog) -> list[Job]:
    """The jobs of a file; see `analyse_jobs_file`."""
    data = yaml_of(path)
    rows = data.get("jobs") if isinstance(data, dict) else None
    if not isinstance(rows, list) or not rows:
        raise BadInputError("lists no jobs", str(path), _EXAMPLE)
    if len(rows) > MOST_JOBS:
        raise BadInputError(f"lists {len(rows)} jobs, at most {MOST_JOBS} can be", str(path))
    jobs = [_job(number, row, path, fabric, catalog) for number, row in enumerate(rows, 1)]
    names = [job.name for job in jobs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInputError(f'names the job "{twice}" twice', str(path))
    return jobs


def _job(number: int, row: object, path: Path, fabric: Fabric, catalog: Catalog) -> Job:
    where = f"{path}: job {number}"
    if not isinstance(row, dict) or not all(isinstance(key, str) for key in row):
        raise BadInputError("is no table", where, _EXAMPLE)
    given = plan_words(row)
    name = str(given.pop("name", f"job-{number}"))
    ranks = given.pop("ranks", None)
    workload = read_workload(given)
    model = workload.model
    near = path.parent / model
    llm = resolve_model(str(near) if near.is_file() else model, catalog)
    return Job(name, llm, workload, _ranks(ranks, workload.plan.placement, where, path, fabric))


def _ranks(given: object, placement: str, where: str, path: Path, fabric: Fabric) -> Longs:
    if placement:
        file = path.parent / placement
        return read_placement(file if file.is_file() else Path(placement), fabric)
    if given is None:
        raise BadInputError("does not say on which GPUs it runs", where, "Add `ranks: 0-31`")
    if isinstance(given, list):
        return parse_ranks(",".join(str(part) for part in given), len(fabric.gpus))
    ranks = parse_ranks(str(given), len(fabric.gpus))
    return np.asarray(ranks, dtype=np.int64)
