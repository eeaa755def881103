"""How loaded the links are: heat maps and histograms by tier."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.engine.types import TIER_NAMES, Tier
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Cell, Histogram, Row, Table, Text, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.loads import drawn_edges, heat_map, load_bins
from topoedit.reports.report.words import number, ratio_words
from topoedit.units import format_bytes, format_percent

_MAPS = (
    (Tier.HOST_LEAF, "Links of servers: server by NIC"),
    (Tier.LEAF_SPINE, "Links between leaf and spine"),
    (Tier.SPINE_CORE, "Links between spine and core"),
)
_TIERS = (Tier.HOST_LEAF, Tier.LEAF_SPINE, Tier.SPINE_CORE, Tier.BETWEEN_SITES)
WORDS = (
    "Demand is the bytes of a step over capacity × the time in which they may hide under compute; "
    "above 100 % the step must grow. Utilisation is bytes over capacity × step time and never "
    "passes 100 %. All figures are per direction."
)


def _build(case: Case) -> Iterator[Block]:
    result = case.result
    if result is None:
        return
    yield Text(WORDS)
    titles = ("Tier", ">Directions", ">Bytes a step", ">Mean utilisation", ">Highest utilisation",
              "Highest demand", ">Oversubscription")  # fmt: skip
    rows = tuple(_tiers(case))
    yield Table(columns(*titles, shares=(0.9, 0.8, 0.9, 1.1, 1.2, 1.3, 1.1)), rows)
    for tier, title in _MAPS:
        found = heat_map(result, tier, title)
        if found is not None:
            yield found
    for tier in _TIERS:
        edges = drawn_edges(result.fabric, tier)
        if edges.any():
            bins = load_bins(result.figures.demand[edges])
            count = sum(one.count for one in bins)
            title = f"Demand of {TIER_NAMES[tier]} links"
            yield Histogram(title, f"{number(count)} directions, demand in %", bins)


def _tiers(case: Case) -> Iterator[Row]:
    if case.analysis is None:
        return
    for one in case.analysis.tiers:
        yield row(
            one.tier,
            number(one.links),
            format_bytes(one.bytes),
            format_percent(one.mean_utilisation, 1),
            format_percent(one.max_utilisation, 1),
            Cell(format_percent(one.max_demand, 1), load=one.max_demand),
            ratio_words(one.oversubscription),
            doubts=case.doubts.step,
        )


SECTION = Section("loads", "Link loads", 70, _build)
