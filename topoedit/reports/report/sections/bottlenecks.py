"""Classes of links that slow the step, what they cost and why."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.model.analysis import RoutingSummary
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Cell, Row, Table, Text, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.words import ends_words, number
from topoedit.units import format_percent, format_seconds

MOST = 20
_NOTE = (
    "A bottleneck is a class of equivalent links, ×N directions. Demand is bytes over capacity × "
    "the time in which they may hide; above 100 % the step must grow. The cost is the step time "
    "gained if the whole class were twice as fast; one link of a symmetric class gains nothing."
)


def _build(case: Case) -> Iterator[Block]:
    analysis = case.analysis
    if analysis is None:
        return
    if not analysis.bottlenecks:
        yield Text("No link slows this step.")
        return
    titles = ("Links (example)", ">×", "Demand", ">Slows the step by", ">One link by", "Why")
    shares = (1.6, 0.5, 1.1, 1.0, 0.8, 3.0)
    rows = tuple(_lines(case))
    yield Table(columns(*titles, shares=shares), rows[:MOST], note=_NOTE)
    if analysis.routing is not None and analysis.routing.seeds is not None:
        yield _hashed(analysis.routing)


def _lines(case: Case) -> Iterator[Row]:
    if case.analysis is None:
        return
    for one in case.analysis.bottlenecks:
        yield row(
            ends_words(one),
            number(one.links),
            Cell(format_percent(one.demand), load=one.demand),
            format_seconds(one.cost_s) if one.cost_s > 0 else "nothing",
            format_seconds(one.cost_one_s) if one.cost_one_s > 0 else "nothing",
            one.why,
            doubts=case.doubts.step,
        )


def _hashed(routing: RoutingSummary) -> Text:
    return Text(
        f"Random hash over {number(routing.seeds)} seeds: a step takes "
        f"{format_seconds(routing.median_s)} (median), {format_seconds(routing.p95_s)} (95th "
        f"percentile), {format_seconds(routing.worst_s)} (worst). One draw names no cable."
    )


SECTION = Section("bottlenecks", "Bottlenecks", 80, _build)
