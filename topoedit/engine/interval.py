"""The 80 % interval of a predicted step time: how wrong the model was on sources it had not seen.

Intervals by kind come from leave-one-source-out errors of published rows (`calibration.yaml`,
`step.intervals`); a kind with fewer than eight rows takes the widest interval of all.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import lru_cache

from topoedit.catalog.types import Llm
from topoedit.engine.step.constants import IntervalKind, step_section
from topoedit.engine.workload.resolve import ResolvedPlan
from topoedit.model.analysis import Interval
from topoedit.paths import resources

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
    path = resources() / "validation" / "steps.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(_row(row) for row in csv.DictReader(file) if row["role"] == "calibrate")


def _row(row: dict[str, str]) -> Measured:
    return Measured(
        id=row["id"],
        model=row["model"],
        source=row["source"],
        generation=row["generation"],
        accelerator=row["accelerator"],
        gpus=float(row["gpus"]),
        parameters=float(row["parameters_b"]) * 1e9,
        moe=float(row["experts"] or 0) > 0,
        seq=float(row["seq_len"]),
        bits=float(row["bits"]),
        stack=row["stack"],
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
    if plan.zero >= 2 and subject.slow_network:  # noqa: PLR2004
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
    nearest = min(measured_rows(), key=lambda row: _distance(subject, row))
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


def _distance(subject: Subject, row: Measured) -> float:
    """Logarithms of sizes, and one for every kind of thing that differs."""
    resolved = subject.resolved
    return (
        abs(math.log2(resolved.gpus / row.gpus)) * 0.3
        + abs(math.log2(subject.parameters / row.parameters)) * 0.5
        + abs(math.log2(resolved.seq_len / row.seq)) * 0.3
        + 2.0 * (subject.generation != row.generation)
        + 0.5 * (subject.accelerator != row.accelerator)
        + 3.0 * (bool(subject.llm.experts) != row.moe)
        + 1.0 * (subject.bits != row.bits)
        + 1.0 * (resolved.plan.stack != row.stack.partition("@")[0])
    )


def _extrapolated(subject: Subject) -> tuple[str, ...]:
    """What lies outside the measured range."""
    rows = measured_rows()
    out = []
    gpus = [row.gpus for row in rows]
    if not min(gpus) <= subject.resolved.gpus <= max(gpus):
        out.append(
            f"{subject.resolved.gpus} GPUs; measured rows have {min(gpus):g} to {max(gpus):g}"
        )
    if subject.accelerator not in {row.accelerator for row in rows}:
        known = subject.generation in {row.generation for row in rows}
        hint = "only its generation" if known else "nor its generation; constants of Hopper"
        out.append(f"accelerator {subject.accelerator} was not measured, {hint}")
    seqs = [row.seq for row in rows]
    if not min(seqs) <= subject.resolved.seq_len <= max(seqs):
        out.append(f"sequence of {subject.resolved.seq_len}; measured up to {max(seqs):g}")
    if subject.resolved.plan.schedule in ("zb", "dualpipe"):
        out.append(f"schedule {subject.resolved.plan.schedule} was not measured")
    return tuple(out)
