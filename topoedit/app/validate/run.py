"""The use case behind `topoedit validate`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from msgspec.structs import replace

from topoedit.app.validate.collectives import (
    CollectiveTable,
    collective_errors,
    collective_results,
    read_collectives,
)
from topoedit.app.validate.leave_out import coverage, left_out, recorded
from topoedit.app.validate.records import (
    Agreement,
    Coverage,
    LeaveOut,
    MemoryErrors,
    Summary,
    Validation,
)
from topoedit.app.validate.steps import (
    COMPLETE,
    StepTable,
    read_steps,
    selections,
    step_results,
    summarise,
)
from topoedit.engine.collectives.published import published_rows
from topoedit.engine.published.step_rows import shipped_steps

_NOTHING = StepTable((), (), None)
_NO_COLLECTIVES = CollectiveTable((), (), np.zeros(0))


def validate(
    steps: Path | None = None,
    collectives: Path | None = None,
    leave: LeaveOut | None = None,
    *,
    drawn: bool = False,
) -> Validation:
    """Compare published figures with what the engine says.

    Args:
        steps: a table of training steps.
        collectives: a table of collective calls. With neither table, those that the product ships.
        leave: refit without each source, set-up or release in turn as well.
        drawn: draw the cluster of every training step and take the rates from routing its traffic,
            not from the closed form of a symmetric cluster.

    Raises:
        BadFileError: a file is no such table.
        BadInputError: a refit is asked for and scipy is not installed.
    """
    own = steps is None and collectives is None
    step_table = read_steps(steps or shipped_steps()) if own or steps else _NOTHING
    calls = (
        read_collectives(collectives or published_rows()) if own or collectives else _NO_COLLECTIVES
    )
    agreement: Agreement | None = None
    if drawn:
        from topoedit.app.validate.drawn import with_drawn_rates

        step_table, agreement = with_drawn_rates(step_table)
    summary = _summary(step_table, calls, leave)
    return Validation(
        rows=(*step_results(step_table), *collective_results(calls)),
        summary=replace(summary, drawn=agreement),
    )


def _summary(table: StepTable, calls: CollectiveTable, leave: LeaveOut | None) -> Summary:
    chosen = selections(table)
    counted = calls.counted()
    roles = any(row.role == COMPLETE for row in table.rows)
    out = [one.role for one in table.skipped] + [row.role for row in table.rows if row.left_out]
    skipped = len([role for role in out if role == COMPLETE or not roles])
    what = "complete rows" if roles else "all rows"
    return Summary(
        step_time=summarise(what, table, chosen["complete"], skipped),
        trend={
            "dense": summarise("dense, never fitted", table, chosen["dense"], 0),
            "moe": summarise("with experts, never fitted", table, chosen["moe"], 0),
        },
        memory=_memory(table),
        collectives=collective_errors(
            [calls.rows[i] for i in counted],
            calls.errors[counted],
            len(calls.skipped) + len(calls.rows) - len(counted),
        ),
        coverage=_coverage(table),
        leave_out=left_out(leave, table, calls) if leave else None,
    )


def _coverage(table: StepTable) -> dict[str, Coverage]:
    """On rows of the fit as predicted without their source; other rows were never in it."""
    if table.predicted is None:
        return {}
    pairs = zip(table.rows, table.predicted.seconds.tolist(), strict=True)
    seconds = {row.id: recorded().get(row.id, now) for row, now in pairs if not row.left_out}
    return coverage([row for row in table.rows if not row.left_out], seconds)


def _memory(table: StepTable) -> MemoryErrors:
    """Errors of peak memory of rows whose plan is published whole; the others apart."""
    known: list[float] = []
    apart: dict[str, float] = {}
    without = 0
    totals = [] if table.predicted is None else table.predicted.memory.tolist()
    for row, total in zip(table.rows, totals, strict=True):
        if row.memory is None:
            without += 1
        elif "recompute" in row.inferred or row.role not in ("", COMPLETE):
            apart[row.id] = total / row.memory - 1
        else:
            known.append(total / row.memory - 1)
    size = np.abs(known)
    some = len(known) > 0
    return MemoryErrors(
        n=len(known),
        skipped=without + len(table.skipped),
        mean_abs_error=float(size.mean()) if some else None,
        median_abs_error=float(np.median(size)) if some else None,
        p90_abs_error=float(np.quantile(size, 0.9)) if some else None,
        worst_abs_error=float(size.max()) if some else None,
        bias=float(np.mean(known)) if some else None,
        apart=apart,
    )
