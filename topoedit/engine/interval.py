"""The 80 % interval of a predicted step time: how wrong the model was on sources it had not seen.

Intervals by kind come from leave-one-source-out errors of published rows (`calibration.yaml`,
`step.intervals`); a kind with fewer than eight rows takes the widest interval of all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from topoedit.catalog.load import load_catalog
from topoedit.catalog.types import Llm
from topoedit.engine.published.names import Names
from topoedit.engine.published.step_rows import NEEDED, TIMES, StepRow, shipped_steps, step_row
from topoedit.engine.published.table import read_table
from topoedit.engine.step.constants import IntervalKind, step_section
from topoedit.engine.types import Floats
from topoedit.engine.workload.arrays import Shapes, pack
from topoedit.engine.workload.params import count
from topoedit.engine.workload.resolve import ResolvedPlan
from topoedit.model.analysis import Interval

FEWEST_ROWS = 8
SLOW_NIC = 25e9  # bytes/s: 200 Gb/s and less count as slow under sharded data parallelism


@dataclass(frozen=True, slots=True)
class Measured:
    """What is compared between a plan and a published row."""

    id: str
    model: str
    source: str
    generation: str
    accelerator: str
    gpus: float
    parameters: float
    moe: bool
    seq: float
    bits: float
    stack: str


@lru_cache(maxsize=1)
def measured_rows() -> tuple[Measured, ...]:
    """The published rows that the constants rest on."""
    names = Names(load_catalog(user=False))
    table = read_table(shipped_steps(), NEEDED, TIMES)
    read = [step_row(row, names) for row in table if row.text("role") == "calibrate"]
    rows = [row for row in read if isinstance(row, StepRow)]
    parameters = count(pack(Shapes, [row.numbers for row in rows])).total.tolist()
    return tuple(_row(row, total) for row, total in zip(rows, parameters, strict=True))


def _row(row: StepRow, parameters: float) -> Measured:
    return Measured(
        id=row.id,
        model=row.model,
        source=row.source,
        generation=row.generation,
        accelerator=row.accelerator,
        gpus=row.gpus,
        parameters=parameters,
        moe=row.experts,
        seq=float(row.numbers["seq"]),
        bits=float(row.numbers["bits"]),
        stack=row.stack_name,
    )


@dataclass(frozen=True, slots=True)
class Subject:
    """The plan whose time is predicted."""

    llm: Llm
    resolved: ResolvedPlan
    generation: str
    accelerator: str
    parameters: float
    bits: int
    slow_network: bool


def kind_of(subject: Subject) -> str:
    """The kind of rows that a plan belongs to."""
    plan = subject.resolved.plan
    if subject.llm.experts:
        return "moe"
    if plan.zero >= 2 and subject.slow_network:
        return "fsdp-slow-network"
    if subject.generation in ("ampere", "hopper", "blackwell"):
        return f"dense-{subject.generation}"
    return "other"


def interval(subject: Subject, seconds: float) -> Interval:
    """The interval of `seconds`, what it rests on, and where it leaves the measured range."""
    kinds = step_section().intervals
    found = kinds.get(kind_of(subject))
    widest = max(kinds.values(), key=lambda kind: math.log(kind.high / kind.low))
    chosen = found if found is not None and found.rows >= FEWEST_ROWS else widest
    nearest = measured_rows()[int(np.argmin(_distances(subject)))]
    return Interval(
        low_s=seconds * chosen.low,
        high_s=seconds * chosen.high,
        basis=_basis(chosen, found),
        rows=chosen.rows,
        nearest=_describe(nearest),
        extrapolated=_extrapolated(subject),
    )


def _basis(chosen: IntervalKind, found: IntervalKind | None) -> str:
    if chosen is found:
        return chosen.basis
    return f"{chosen.basis} (the widest: too few rows like this plan)"


def _describe(row: Measured) -> str:
    return f"{row.id}: {row.model} on {row.gpus:g} {row.accelerator}, {row.stack}, {row.source}"


@lru_cache(maxsize=1)
def _sizes() -> Floats:
    """(3, rows) logarithms of GPUs, parameters and sequence of the measured rows."""
    return np.log2([[row.gpus, row.parameters, row.seq] for row in measured_rows()]).T


@lru_cache(maxsize=1)
def _words() -> dict[str, NDArray[np.generic]]:
    """What else is compared, as arrays over the measured rows."""
    rows = measured_rows()
    columns: dict[str, NDArray[np.generic]] = {
        name: np.array([getattr(row, name) for row in rows])
        for name in ("generation", "accelerator", "moe", "bits")
    }
    columns["stack"] = np.array([row.stack.partition("@")[0] for row in rows])
    return columns


def _distances(subject: Subject) -> Floats:
    """Of every row: logarithms of sizes, and something for every kind of thing that differs."""
    resolved, rows = subject.resolved, _words()
    gpus, parameters, seq = _sizes()
    return np.asarray(
        np.abs(math.log2(resolved.gpus) - gpus) * 0.3
        + np.abs(math.log2(subject.parameters) - parameters) * 0.5
        + np.abs(math.log2(resolved.seq_len) - seq) * 0.3
        + 2.0 * (rows["generation"] != subject.generation)
        + 0.5 * (rows["accelerator"] != subject.accelerator)
        + 3.0 * (rows["moe"] != bool(subject.llm.experts))
        + 1.0 * (rows["bits"] != subject.bits)
        + 1.0 * (rows["stack"] != resolved.plan.stack)
    )


@dataclass(frozen=True, slots=True)
class _Range:
    """What the measured rows cover."""

    gpus: tuple[float, float]
    longest: float
    accelerators: frozenset[str]
    generations: frozenset[str]


@lru_cache(maxsize=1)
def _range() -> _Range:
    rows = measured_rows()
    gpus = [row.gpus for row in rows]
    return _Range(
        (min(gpus), max(gpus)),
        max(row.seq for row in rows),
        frozenset(row.accelerator for row in rows),
        frozenset(row.generation for row in rows),
    )


def _extrapolated(subject: Subject) -> tuple[str, ...]:
    """What lies outside the measured range."""
    covered, resolved, out = _range(), subject.resolved, []
    fewest, most = covered.gpus
    if not fewest <= resolved.gpus <= most:
        out.append(f"{resolved.gpus} GPUs; measured rows have {fewest:g} to {most:g}")
    if subject.accelerator not in covered.accelerators:
        known = subject.generation in covered.generations
        hint = "only its generation" if known else "nor its generation: constants of Hopper"
        out.append(f"accelerator {subject.accelerator} was not measured, {hint}")
    if resolved.seq_len > covered.longest:
        out.append(f"sequence of {resolved.seq_len}; measured up to {covered.longest:g}")
    if resolved.plan.schedule in ("zb", "dualpipe"):
        out.append(f"schedule {resolved.plan.schedule} was not measured")
    return tuple(out)
