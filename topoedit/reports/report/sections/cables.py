"""Physical cables by part and ordered length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from topoedit.reports.modules import Cable
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Doubt, Row, Table, Text, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.words import number, some
from topoedit.reports.selling import Sold
from topoedit.units import UNKNOWN

MOST = 60


def _build(case: Case) -> Iterator[Block]:
    cables = case.bought.cables
    if not cables:
        return
    unknown = sum(1 for cable in cables if cable.lengths.need_m is None)
    words = f"{some(len(cables), 'physical cable')} on {some(len(case.document.links), 'link')}."
    if unknown:
        words += f" The length of {number(unknown)} is not known."
    yield Text(words)
    titles = ("Category", "Item", "Part number", ">Ordered", ">Cables", ">Ordered together")
    rows = tuple(_lines(case, cables))
    hidden = len(rows) - MOST
    more = f"{number(hidden)} more; `topoedit cables` lists every cable. " if hidden > 0 else ""
    note = f"{more}Ordered length: the shortest on sale that covers the way and its slack."
    shares = (0.8, 2.2, 1.2, 0.7, 0.7, 1.0)
    yield Table(columns(*titles, shares=shares), rows[:MOST], note=note)
    networks = Counter(cable.link.network for cable in cables)
    yield Table(
        columns("Network", ">Cables"),
        tuple(row(name, number(count)) for name, count in sorted(networks.items())),
        title="By network",
        narrow=True,
    )


def _lines(case: Case, cables: list[Cable]) -> Iterator[Row]:
    counts = Counter(cable.sold for cable in cables)
    ordered = sorted(counts, key=lambda s: (s.category, s.item, s.ordered_m or 0.0, s.part_number))
    for sold in ordered:
        count, each = counts[sold], sold.ordered_m
        yield row(
            sold.category,
            sold.item,
            sold.part_number or UNKNOWN,
            UNKNOWN if each is None else f"{each:g} m",
            number(count),
            UNKNOWN if each is None else f"{number(each * count)} m",
            doubts=(*_unsure(sold), *case.doubts.reach(sold.medium)),
        )


def _unsure(sold: Sold) -> Iterator[Doubt]:
    if sold.unverified and sold.part_number:
        yield Doubt("unverified", f"{sold.item}: lengths on sale", sold.source)


SECTION = Section("cables", "Cables", 130, _build)
