"""Where a step's time goes, and what is sent in it."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.model.analysis import Analysis
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Cell, Row, Stack, Table, Text, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.words import interval_words, number, step_slices
from topoedit.units import format_bytes, format_percent, format_seconds


def step_stack(analysis: Analysis) -> Stack:
    """The bar of exposed seconds."""
    note = f"exposed seconds, sum {format_seconds(analysis.step_time_s)}"
    return Stack("Where the step goes", note, step_slices(analysis.breakdown_s))


def _build(case: Case) -> Iterator[Block]:
    analysis = case.analysis
    if analysis is None:
        return
    yield Text(
        f"A step takes {format_seconds(analysis.step_time_s)} "
        f"({interval_words(analysis.interval)})."
    )
    yield step_stack(analysis)
    yield Table(columns("Part", ">Exposed", ">Share"), tuple(_parts(case, analysis)), narrow=True)
    if analysis.communication:
        titles = (
            "Class", "Part", "Operation", "Algorithm", ">Groups", ">Calls", ">Bytes a GPU",
            ">Time", ">Exposed",
        )  # fmt: skip
        rows = tuple(_sent(case, analysis))
        shares = (0.5, 1.0, 1.2, 0.9, 0.9, 0.6, 1.0, 0.8, 0.8)
        note = "Bytes that one GPU sends in a step; exposed is what no compute hides."
        yield Table(columns(*titles, shares=shares), rows, "Communication of a step", note)


def _parts(case: Case, analysis: Analysis) -> Iterator[Row]:
    for part in step_slices(analysis.breakdown_s):
        share = format_percent(part.value / analysis.step_time_s, 1)
        name = Cell(part.name, color=part.color)
        yield row(name, part.text, share, doubts=case.doubts.step)
    total = format_seconds(analysis.step_time_s)
    yield row("Step", total, format_percent(1.0, 1), doubts=case.doubts.step, strong=True)


def _sent(case: Case, analysis: Analysis) -> Iterator[Row]:
    for one in analysis.communication:
        yield row(
            Cell(one.class_, color=f"traffic.{one.class_}"),
            one.part,
            one.op.replace("_", " "),
            one.algorithm,
            f"{number(one.groups)} × {number(one.group_size)}",
            number(one.count),
            format_bytes(one.bytes_per_gpu),
            format_seconds(one.time_s),
            format_seconds(one.exposed_s),
            doubts=case.doubts.step,
        )


SECTION = Section("step", "Step time", 50, _build)
