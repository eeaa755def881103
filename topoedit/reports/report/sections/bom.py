"""What is bought, in short: devices and modules by item, never added up across unlike things."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from topoedit.reports.bom_lines import Bom, Line, RollUp
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Items, Row, Table, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.counts import watts_words
from topoedit.reports.report.doubts import SPLIT
from topoedit.reports.report.words import number
from topoedit.units import UNKNOWN

MOST = 60


def _build(case: Case) -> Iterator[Block]:
    bom = case.bom
    titles = ("Category", "Item", "Part number", ">Quantity", ">Power at most")
    shares = (0.9, 2.4, 1.2, 0.7, 0.9)
    rows = tuple(_items(case, bom))
    hidden = len(rows) - MOST
    more = f"{number(hidden)} more items; `topoedit bom` lists them. " if hidden > 0 else ""
    note = (
        f"{more}Cables have a section of their own. Power is the most that all pieces draw; that "
        "of modules is a part of what the devices around them draw."
    )
    yield Table(columns(*titles, shares=shares), rows[:MOST], note=note)
    yield Table(
        columns("Network", ">In this list"),
        tuple(row(name, state) for name, state in bom.networks.items()),
        title="Networks",
        narrow=True,
    )
    if bom.rollups:
        yield Items(tuple(map(_inside, bom.rollups)), "Inside racks, not bought apart")
    if bom.notes:
        yield Items(bom.notes, "Notes")


def _inside(roll: RollUp) -> str:
    return (
        f"{number(roll.racks)} × {roll.item}: {number(roll.gpus)} GPUs, "
        f"{number(roll.copper_pairs)} NVLink copper pairs, {number(roll.TBps, 1)} TB/s, both "
        "directions of all GPUs added"
    )


def _items(case: Case, bom: Bom) -> Iterator[Row]:
    cables = {cable.sold.category for cable in case.bought.cables}
    devices = _device_watts(case)
    sums: dict[tuple[str, str, str, str], _Sum] = defaultdict(_Sum)
    for line in bom.lines:
        if line.category not in cables:
            sums[line.category, line.item, line.part_number, line.type].add(line)
    for (category, item, part, type_id), found in sums.items():
        module = category == "module"
        watts = found.watts if module else devices.get(type_id)
        doubts = () if module else (*case.doubts.own(type_id), *case.doubts.power(type_id))
        yield row(
            category, item, part or UNKNOWN, number(found.quantity), watts_words(watts),
            doubts=doubts,
        )  # fmt: skip


class _Sum:
    """Pieces of one item and what they draw; None if that is not known for all of them."""

    def __init__(self) -> None:
        self.quantity = 0
        self.watts: float | None = 0.0

    def add(self, line: Line) -> None:
        self.quantity += line.quantity
        known = self.watts is not None and line.watts_each is not None
        self.watts = self.watts + line.quantity * line.watts_each if known else None  # type: ignore[operator]


def _device_watts(case: Case) -> dict[str, float | None]:
    """The most that devices of each type draw together, by the type that is bought."""
    found: dict[str, float | None] = {}
    for one in case.types:
        split = SPLIT.fullmatch(one.type)
        whole = split.group(1) if split is not None else ""
        bought = whole if whole in case.document.catalog.devices else one.type
        before = found.get(bought, 0.0)
        found[bought] = None if before is None or one.watts is None else before + one.watts
    return found


SECTION = Section("bom", "Bill of materials", 120, _build)
