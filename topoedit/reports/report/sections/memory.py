"""Memory of one GPU on the fullest stage against what it has."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.model.analysis import Memory
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import (
    Block,
    Callout,
    Cell,
    Items,
    Row,
    Stack,
    Table,
    columns,
    row,
)
from topoedit.reports.report.case import Case
from topoedit.reports.report.words import memory_slices
from topoedit.units import UNKNOWN, format_bytes, format_percent


def _build(case: Case) -> Iterator[Block]:
    if case.analysis is None:
        return
    memory = case.analysis.memory
    if memory.risk == "no":
        yield Callout("error", verdict(memory))
    elif memory.risk == "tight":
        yield Callout("warning", verdict(memory))
    capacity = memory.capacity_bytes
    note = f"{format_bytes(memory.total_bytes)} of {format_bytes(capacity)}"
    whole = max(memory.total_bytes, capacity or 0.0)
    yield Stack(f"Stage {memory.stage}, the fullest", note, memory_slices(memory), whole, capacity)
    columns_ = columns("Part", ">Bytes", ">Of the GPU")
    yield Table(columns_, tuple(_lines(case, memory)), note=_NOTE, narrow=True)
    if memory.would_fit:
        yield Items(memory.would_fit, "Plans that would fit")


_NOTE = "The GPU's memory is its marketed GB times 2^30 bytes, what its driver reports within 1 %."


def verdict(memory: Memory) -> str:
    """Whether it fits, in one line."""
    if memory.headroom_bytes is None:
        return "The memory of this GPU is not known."
    gap = format_bytes(abs(memory.headroom_bytes))
    if memory.risk == "no":
        return f"Does not fit: {gap} too much on stage {memory.stage}, the fullest."
    if memory.risk == "tight":
        return f"Tight: {gap} free on stage {memory.stage}, less than the model's error."
    return f"Fits: {gap} free on stage {memory.stage}, the fullest."


def _lines(case: Case, memory: Memory) -> Iterator[Row]:
    capacity, doubts = memory.capacity_bytes, case.doubts.memory

    def share(value: float) -> str:
        return UNKNOWN if not capacity else format_percent(value / capacity, 1)

    for part in memory_slices(memory):
        yield row(Cell(part.name, color=part.color), part.text, share(part.value), doubts=doubts)
    total = memory.total_bytes
    yield row("Together", format_bytes(total), share(total), doubts=doubts, strong=True)


SECTION = Section("memory", "Memory", 90, _build)
