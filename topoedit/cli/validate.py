"""`topoedit validate`: published measurements against what the engine says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Annotated, get_args

import typer

from topoedit.app.validate.records import (
    Agreement,
    CollectiveErrors,
    Coverage,
    LeaveOut,
    LeftOut,
    MemoryErrors,
    RowResult,
    SourceErrors,
    StepErrors,
    Validation,
)
from topoedit.app.validate.run import validate as run_validation
from topoedit.cli._output import note, print_json, print_table
from topoedit.units import UNKNOWN

_SOURCE_WIDTH = 70
_WORST = 10

Group = Enum("Group", {name: name for name in get_args(LeaveOut)}, type=str)  # type: ignore[misc]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("validate")(validate)


def validate(
    rows: Annotated[
        Path | None,
        typer.Option("--rows", metavar="FILE.csv", help="Your table of training steps."),
    ] = None,
    collectives: Annotated[
        Path | None,
        typer.Option("--collectives", metavar="FILE.csv", help="Your table of collective calls."),
    ] = None,
    leave_out: Annotated[
        Group | None,
        typer.Option("--leave-out", help="Refit without each of these in turn (a minute or two)."),
    ] = None,
    drawn: Annotated[
        bool,
        typer.Option(
            "--drawn", help="Draw and route every row's cluster instead of the closed form."
        ),
    ] = False,
    fit: Annotated[
        Path | None,
        typer.Option(
            "--fit", metavar="FOLDER", help="Refit the constants; write them to FOLDER (minutes)."
        ),
    ] = None,
    all_rows: Annotated[
        bool, typer.Option("--all", help="List every row, not only the worst.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object with every row.")
    ] = False,
) -> int:
    """Compare the engine with published measurements: the product's own table, or yours.

    Without files, the published rows that the product ships.
    """
    if fit is not None:
        return _refit(rows, fit)
    group: LeaveOut | None = None
    if leave_out is not None:
        group = next(name for name in get_args(LeaveOut) if name == leave_out.value)
        note(f"refitting without each {group} in turn")
    found = run_validation(rows, collectives, group, drawn=drawn)
    if as_json:
        print_json(found)
    else:
        _print(found, all_rows)
    return 0


def _refit(rows: Path | None, folder: Path) -> int:
    from topoedit.app.validate.calibrate import write_calibration
    from topoedit.cli._targets import check_files

    files = (folder / name for name in ("constants.yaml", "left_out.csv"))
    check_files((("--fit", path) for path in files), [("--rows", rows)])
    note("fitting, resampling and leaving out every source")
    for path in write_calibration(rows, folder):
        typer.echo(path)
    return 0


def _print(found: Validation, all_rows: bool) -> None:
    summary = found.summary
    for errors in (summary.step_time, *summary.trend.values()):
        _print_steps(errors)
    if summary.memory.n or summary.memory.apart:
        _print_memory(summary.memory)
    if summary.collectives.n:
        _print_collectives(summary.collectives)
    if summary.coverage:
        _print_coverage(summary.coverage)
    if summary.leave_out is not None:
        _print_left_out(summary.leave_out)
    if summary.drawn is not None:
        _print_drawn(summary.drawn)
    _print_rows(found.rows, all_rows)


def _print_drawn(drawn: Agreement) -> None:
    typer.echo(
        f"Drawn and routed: {drawn.n} clusters; from the closed form of a symmetric cluster "
        f"{_percent(drawn.median_abs_difference)} in the median, "
        f"{_percent(drawn.worst_abs_difference)} at most\n"
    )


def _percent(value: float | None, sign: bool = False) -> str:
    if value is None:
        return UNKNOWN
    return f"{100 * value:+.1f} %" if sign else f"{100 * value:.2f} %"


def _print_steps(errors: StepErrors) -> None:
    if not errors.n:
        return
    typer.echo(
        f"Step time, {errors.rows}: {errors.n} rows ({errors.skipped} skipped), "
        f"mean error {_percent(errors.mean_abs_error)}, "
        f"median {_percent(errors.median_abs_error)}, "
        f"90 % within {_percent(errors.p90_abs_error)}, bias {_percent(errors.bias, True)}, "
        f"per doubling of GPUs {_percent(errors.slope_per_doubling, True)}"
    )
    _print_groups("source", errors.by_source)


def _print_groups(what: str, groups: Mapping[str, SourceErrors]) -> None:
    print_table(
        (what, "rows", "mean", "median", "bias", "worst"),
        (
            (
                name[:_SOURCE_WIDTH], one.n, _percent(one.mean_abs_error),
                _percent(one.median_abs_error), _percent(one.bias, True),
                _percent(one.worst_error, True),
            )
            for name, one in groups.items()
        ),
    )  # fmt: skip
    typer.echo()


def _print_memory(memory: MemoryErrors) -> None:
    typer.echo(
        f"Peak memory: {memory.n} rows, mean error {_percent(memory.mean_abs_error)}, "
        f"worst {_percent(memory.worst_abs_error)}"
    )
    if memory.apart:
        apart = ", ".join(f"{name} {_percent(e, True)}" for name, e in memory.apart.items())
        typer.echo(f"  apart, their plan not published whole: {apart}")
    typer.echo()


def _print_collectives(errors: CollectiveErrors) -> None:
    typer.echo(f"Collectives: {errors.n} rows ({errors.skipped} skipped)")
    sizes = {"small": "below 1 MiB", "middle": "1 to 64 MiB", "large": "64 MiB and more"}
    print_table(
        ("size", "rows", "median", "90 % within", "worst"),
        (
            (
                sizes[name], one.n, _percent(one.median_abs_error), _percent(one.p90_abs_error),
                _percent(one.worst_abs_error),
            )
            for name, one in errors.by_size.items()
        ),
    )  # fmt: skip
    typer.echo()
    _print_groups("set-up", errors.by_setup)


def _print_coverage(coverage: Mapping[str, Coverage]) -> None:
    typer.echo("80 % intervals, on rows whose source no fit has seen")
    print_table(
        ("kind", "rows", "inside"),
        ((name, one.n, _percent(one.share)) for name, one in coverage.items()),
    )
    typer.echo()


def _print_left_out(found: LeftOut) -> None:
    typer.echo(f"Left out, one {found.by} at a time")
    if found.step_time is not None:
        _print_steps(found.step_time)
    for errors in found.trend.values():
        _print_steps(errors)
    if found.collectives is not None:
        _print_collectives(found.collectives)
    if found.coverage:
        _print_coverage(found.coverage)


def _print_rows(rows: Iterable[RowResult], all_rows: bool) -> None:
    listed = list(rows)
    skipped = [row for row in listed if row.skipped]
    counted = [row for row in listed if not row.skipped]
    if not all_rows:
        counted = sorted(counted, key=lambda row: -abs(row.error or 0))[:_WORST]
    typer.echo("Rows" if all_rows else f"The {len(counted)} rows that are furthest off")
    print_table(
        ("row", "what", "predicted", "published", "error"),
        (
            (row.id, row.kind, _amount(row, row.predicted), _amount(row, row.published),
             _percent(row.error, True))
            for row in counted
        ),
    )  # fmt: skip
    if skipped:
        typer.echo(f"\nSkipped ({len(skipped)})")
        print_table(("row", "why"), ((row.id, row.skipped) for row in skipped))


def _amount(row: RowResult, value: float | None) -> str:
    if value is None:
        return UNKNOWN
    return f"{value / 2**30:.2f} GiB" if row.kind == "memory" else _seconds(value)


def _seconds(value: float) -> str:
    return f"{value:.3f} s" if value >= 0.1 else f"{value * 1e6:.1f} us"
