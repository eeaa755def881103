"""How sure the predictions are: the interval, and errors against published figures."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.model.analysis import Analysis
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Callout, Row, Table, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.words import number
from topoedit.units import UNKNOWN, format_percent, format_seconds

_NOTE = (
    "Errors are predicted over published, less 1, on published figures; `topoedit validate` "
    "recomputes them and lists every row with its source."
)


def _build(case: Case) -> Iterator[Block]:
    if case.analysis is not None:
        yield from _interval(case, case.analysis)
    titles = ("Prediction", ">Rows", ">Median error", ">90th percentile", ">Bias")
    lines = tuple(
        row(one.what, number(one.rows), *map(_share, (one.median, one.p90, one.bias)))
        for one in case.errors
    )
    note = f"{_NOTE} {_division(case)}" if case.analysis is not None else _NOTE
    yield Table(columns(*titles, shares=(2.0, 0.6, 1.0, 1.0, 0.8)), lines,
                title="Errors against published figures", note=note)  # fmt: skip


def _division(case: Case) -> str:
    """Why the rows of the interval are none of the counts in the table."""
    steps = sum(one.rows for one in case.errors if one.what.startswith("Step time"))
    return (
        f"The {number(steps)} published steps are told apart here by whether the constants were "
        "fitted on them, and for the interval by kind of model and accelerator."
    )


def _interval(case: Case, analysis: Analysis) -> Iterator[Block]:
    interval = analysis.interval
    if interval.extrapolated:
        yield Callout("warning", "Outside the measured range", "; ".join(interval.extrapolated))
    yield Table(columns("Step time", "", shares=(1.0, 3.0)), tuple(_lines(case, analysis)))


def _lines(case: Case, analysis: Analysis) -> Iterator[Row]:
    one, doubts = analysis.interval, case.doubts.step
    yield row("Predicted", format_seconds(analysis.step_time_s), doubts=doubts)
    low, high = format_seconds(one.low_s), format_seconds(one.high_s)
    yield row("80 % interval", f"{low} to {high}", doubts=doubts)
    steps = sum(found.rows for found in case.errors if found.what.startswith("Step time"))
    yield row("Rests on", f"{number(one.rows)} of {number(steps)} published steps: {one.basis}")
    yield row("Nearest published step", one.nearest or UNKNOWN)


def _share(value: float | None) -> str:
    return format_percent(value, 1)


SECTION = Section("validation", "Interval and validation error", 160, _build)
