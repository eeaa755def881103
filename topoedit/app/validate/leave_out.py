"""How well rows are predicted whose source, set-up or release no fit has seen."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from topoedit.app.validate.collectives import CollectiveTable, collective_errors
from topoedit.app.validate.fit import fit_rows, leave_out
from topoedit.app.validate.records import Coverage, LeaveOut, LeftOut, StepErrors
from topoedit.app.validate.statistics import step_errors
from topoedit.app.validate.steps import (
    StepTable,
    inside,
    interval_kind,
    read_steps,
    selections,
)
from topoedit.engine.collectives.constants import constant_set
from topoedit.engine.collectives.fit import leave_one_out
from topoedit.engine.published.step_rows import StepRow, shipped_steps
from topoedit.engine.types import Floats
from topoedit.paths import resources


def release_of(row: StepRow) -> str:
    """The release that a row was published with: one recipe at one tag or date is one source."""
    return row.source


def left_out(by: LeaveOut, steps: StepTable, collectives: CollectiveTable) -> LeftOut:
    """Refit without each group in turn and predict it.

    `source` and `release` regard training steps (`release` those of models with experts),
    `setup` collectives. Priors and the choice of open fields are frozen beforehand.

    Raises:
        BadInputError: scipy is not installed.
    """
    if by == "setup":
        return _setups(collectives)
    return _releases(steps) if by == "release" else _sources(steps)


def _setups(table: CollectiveTable) -> LeftOut:
    places = table.counted()
    rows = [table.rows[i] for i in places]
    found = leave_one_out(rows, constant_set("fitted"), constant_set("nccl-2.30.7"))
    errors = np.expm1(np.array([found[row.id] for row in rows]))
    return LeftOut(by="setup", collectives=collective_errors(rows, errors, len(table.skipped)))


def _sources(table: StepTable) -> LeftOut:
    chosen = selections(table)
    rows = [table.rows[i] for places in chosen.values() for i in places]
    if not rows:
        return LeftOut(by="source")
    found = leave_out(rows, lambda row: row.source, _shipped_rows())
    complete = [table.rows[i] for i in chosen["complete"]]
    return LeftOut(
        by="source",
        step_time=_errors("complete rows, their source left out", complete, found),
        coverage=coverage(rows, found),
    )


def _shipped_rows() -> list[StepRow]:
    """The complete rows that the shipped constants rest on; others are predicted by them."""
    return fit_rows(read_steps(shipped_steps()).rows)


def _errors(what: str, rows: Sequence[StepRow], seconds: Mapping[str, float]) -> StepErrors:
    errors = np.array([seconds[row.id] / row.measured - 1 for row in rows])
    gpus = np.array([row.gpus for row in rows])
    return step_errors(what, errors, gpus, [row.source for row in rows], 0)


def coverage(rows: Sequence[StepRow], seconds: Mapping[str, float]) -> dict[str, Coverage]:
    """The share of published times within the 80 % interval, for each kind of row and for all."""
    known = [row for row in rows if row.id in seconds]
    if not known:
        return {}
    found = inside(known, np.array([seconds[row.id] for row in known]))
    kinds = np.array([interval_kind(row) for row in known])
    out = {kind: _coverage(found[kinds == kind]) for kind in sorted(set(kinds.tolist()))}
    return out | {"all": _coverage(found)}


def _coverage(found: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Coverage:
    return Coverage(len(found), int(found.sum()), float(found.mean()))


def _releases(table: StepTable) -> LeftOut:
    """MoE rows that no fit has seen, by release; then with one factor for each release.

    The factor of a release is fitted on its other rows: the median of measured / predicted.
    """
    chosen = selections(table)
    rows = [table.rows[i] for i in chosen["moe"]]
    if not rows:
        return LeftOut(by="release")
    errors = table.errors[chosen["moe"]]
    seconds = {row.id: float(row.measured * (1 + e)) for row, e in zip(rows, errors, strict=True)}
    names = [release_of(row) for row in rows]
    corrected = _with_factors(errors, names)
    adjusted = {
        row.id: float(row.measured * (1 + e)) for row, e in zip(rows, corrected, strict=True)
    }
    return LeftOut(
        by="release",
        trend={
            "moe": _errors("rows with experts, never fitted", rows, seconds),
            "moe_with_factor": _errors(
                "the same times a factor fitted on the other rows of their release", rows, adjusted
            ),
        },
        releases={
            name: {
                "n": float(names.count(name)),
                "mean_abs_error": _mean(errors, names, name),
                "with_factor": _mean(corrected, names, name),
            }
            for name in dict.fromkeys(names)
        },
    )


def _mean(errors: Floats, names: Sequence[str], name: str) -> float:
    return float(np.abs(errors[[one == name for one in names]]).mean())


def _with_factors(errors: Floats, names: Sequence[str]) -> Floats:
    """(n,) errors with each prediction times its release's factor from the other rows."""
    logs = np.log1p(errors)
    out = np.empty_like(errors)
    for i, name in enumerate(names):
        others = [j for j, one in enumerate(names) if one == name and j != i]
        shift = float(np.median(logs[others])) if others else 0.0
        out[i] = np.expm1(logs[i] - shift)
    return out


@lru_cache(maxsize=1)
def recorded() -> Mapping[str, float]:
    """Seconds predicted by the fit that left a row's source out, as recorded with the constants."""
    path = resources() / "validation" / "left_out.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {row["id"]: float(row["predicted_s"]) for row in csv.DictReader(file)}
