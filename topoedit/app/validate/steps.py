"""Published training steps against the step model: rows, their errors and their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from topoedit.app.validate.records import Bounds, RowResult, StepErrors
from topoedit.app.validate.statistics import step_errors
from topoedit.catalog.load import load_catalog
from topoedit.engine.published.names import Names
from topoedit.engine.published.predict import Predicted, prepare, resolved
from topoedit.engine.published.step_rows import NEEDED, TIMES, Skipped, StepRow, step_row
from topoedit.engine.published.table import read_table
from topoedit.engine.step.constants import ConstantPicker, IntervalKind, step_section
from topoedit.engine.types import Bools, Floats

FEWEST_ROWS = 8
SLOW_NIC = 25e9
COMPLETE = "calibrate"


@dataclass(frozen=True)
class StepTable:
    """A table of published steps: what can be computed, what cannot, and the prediction."""

    rows: tuple[StepRow, ...]
    skipped: tuple[Skipped, ...]
    predicted: Predicted | None

    @property
    def errors(self) -> Floats:
        """(n,) predicted over published, less one."""
        if self.predicted is None:
            return np.zeros(0)
        return self.predicted.seconds / self.measured - 1

    @property
    def measured(self) -> Floats:
        """(n,) published seconds."""
        return np.array([row.measured for row in self.rows])


def read_steps(path: Path) -> StepTable:
    """Read a table and predict its rows.

    Raises:
        BadFileError: it is no such table.
    """
    names = Names(load_catalog())
    read = [step_row(row, names) for row in read_table(path, NEEDED, TIMES)]
    rows = resolved([one for one in read if isinstance(one, StepRow)])
    skipped = tuple(one for one in read if isinstance(one, Skipped))
    predicted = prepare(rows).predict(ConstantPicker()) if rows else None
    return StepTable(tuple(rows), skipped, predicted)


def interval_kind(row: StepRow) -> str:
    """The kind of rows whose errors give this row's interval."""
    if row.experts:
        return "moe"
    if float(row.numbers["zero"]) >= 2 and float(row.numbers["nic"]) <= SLOW_NIC and _spans(row):
        return "fsdp-slow-network"
    return f"dense-{row.generation}"


def _spans(row: StepRow) -> bool:
    return row.gpus > float(row.numbers["domain"])


def chosen_interval(kind: str) -> IntervalKind:
    """The interval of a kind; the widest where the kind has fewer than eight rows."""
    kinds = step_section().intervals
    found = kinds.get(kind)
    if found is not None and found.rows >= FEWEST_ROWS:
        return found
    return max(kinds.values(), key=lambda one: math.log(one.high / one.low))


def bounds(row: StepRow, seconds: float) -> Bounds:
    """The 80 % interval of a predicted step time."""
    chosen = chosen_interval(interval_kind(row))
    return Bounds(seconds * chosen.low, seconds * chosen.high, chosen.basis, chosen.rows)


def inside(rows: Sequence[StepRow], seconds: Floats) -> Bools:
    """(n,) the published time lies in the interval of the predicted one."""
    found = [chosen_interval(interval_kind(row)) for row in rows]
    low = np.array([one.low for one in found]) * seconds
    high = np.array([one.high for one in found]) * seconds
    measured = np.array([row.measured for row in rows])
    return (low <= measured) & (measured <= high)


def step_results(table: StepTable) -> list[RowResult]:
    """Every row of the table, in two kinds: its time, and its memory where published."""
    skipped = [
        RowResult(id=one.id, source=one.source, kind="step_time", skipped=one.reason, role=one.role)
        for one in table.skipped
    ]
    if table.predicted is None:
        return skipped
    pairs = zip(
        table.rows, table.predicted.seconds.tolist(), table.predicted.memory.tolist(), strict=True
    )
    out: list[RowResult] = []
    for row, seconds, memory in pairs:
        out.append(_time(row, seconds))
        if row.memory is not None:
            out.append(_memory(row, memory))
    return out + skipped


def _time(row: StepRow, seconds: float) -> RowResult:
    return RowResult(
        id=row.id,
        source=row.source,
        kind="step_time",
        predicted=seconds,
        published=row.measured,
        error=seconds / row.measured - 1,
        skipped=row.left_out or None,
        role=row.role,
        interval=bounds(row, seconds),
        assumptions=row.notes,
    )


def _memory(row: StepRow, total: float) -> RowResult:
    published = row.memory or math.nan
    return RowResult(
        id=row.id,
        source=row.source,
        kind="memory",
        predicted=total,
        published=published,
        error=total / published - 1,
        role=row.role,
        assumptions=row.notes,
    )


def summarise(what: str, table: StepTable, chosen: Sequence[int], skipped: int) -> StepErrors:
    """The figures of some rows of a table."""
    places = list(chosen)
    gpus = np.array([table.rows[i].gpus for i in places])
    return step_errors(
        what, table.errors[places], gpus, [table.rows[i].source for i in places], skipped
    )


def selections(table: StepTable) -> Mapping[str, list[int]]:
    """Places of the complete rows, and of dense and MoE rows that lack part of their plan.

    A table without roles has complete rows only.
    """
    counted = [i for i, row in enumerate(table.rows) if not row.left_out]
    complete = [i for i in counted if table.rows[i].role == COMPLETE]
    if not complete:
        return {"complete": counted, "dense": [], "moe": []}
    rest = [i for i in counted if table.rows[i].role != COMPLETE]
    return {
        "complete": complete,
        "dense": [i for i in rest if not table.rows[i].experts],
        "moe": [i for i in rest if table.rows[i].experts],
    }
