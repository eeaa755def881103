"""Racks, power, cooling and weight, with what each sum covers."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.reports.floor.rollup import Load, floor_data
from topoedit.reports.floor.sums import Sum, kilograms, kilowatts
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Column, Items, Row, Table, Text, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.words import number
from topoedit.units import UNKNOWN

MOST_SUMS, MOST_RACKS, MOST_OVER = 24, 16, 20
_SHARES = (1.8, 0.6, 1.0, 1.0, 1.0, 0.9, 0.9)
_NOTE = "All of the power becomes heat. A sum that begins with ≥ leaves out what is not known."


def _build(case: Case) -> Iterator[Block]:
    if not case.document.devices:
        return
    case.told("Summing up racks")
    data = floor_data(case.document)
    yield Text(data.power_words())
    larger = [load for load in reversed(data.loads()) if load.level not in ("rack", "row")]
    sums = [*larger, *(load for load in data.loads() if load.level == "row")]
    hidden = len(sums) - MOST_SUMS
    more = f" {number(hidden)} more; `topoedit floor` lists them." if hidden > 0 else ""
    yield Table(_columns("Where"), tuple(map(_line, sums[:MOST_SUMS])), note=f"{_NOTE}{more}")
    racks = sorted((rack.load for rack in data.racks), key=lambda load: -load.power.total)
    if racks:
        title = "Racks" if len(racks) <= MOST_RACKS else "The racks that draw most"
        yield Table(_columns("Rack"), tuple(map(_line, racks[:MOST_RACKS])), title=title)
    over = [f"{load.name}: {text}" for load in data.loads() for text in load.over]
    if over:
        yield Items(tuple(over[:MOST_OVER]), f"Over their limits: {number(len(over))}")


def _columns(first: str) -> tuple[Column, ...]:
    titles = (first, ">Racks", ">Power", ">Limit", ">Cooling", ">Units", ">Weight")
    return columns(*titles, shares=_SHARES)


def _line(load: Load) -> Row:
    has = UNKNOWN if load.has_units is None else number(load.has_units)
    used = UNKNOWN if load.units.nothing else number(load.units.total)
    return row(
        load.name,
        number(load.racks),
        _at_least(load.power, kilowatts(load.power.value)),
        kilowatts(load.limit_kw),
        kilowatts(load.cooling_kw),
        f"{used} of {has}",
        _at_least(load.weight, kilograms(load.weight.value)),
        strong=load.level == "drawing",
    )


def _at_least(found: Sum, words: str) -> str:
    return words if found.complete or found.nothing else f"≥ {words}"


SECTION = Section("floor", "Floor, power and cooling", 140, _build)
