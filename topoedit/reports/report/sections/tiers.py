"""The tiers of the compute network: links, capacity, oversubscription, bisection."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.engine.compile.summary import TierSummary
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Doubts, Row, Table, columns, row
from topoedit.reports.report.case import Case
from topoedit.reports.report.words import capacity_words, number, ratio_words
from topoedit.units import UNKNOWN, format_percent

_HALVED = ("leaf-spine", "spine-core")
NOTE = (
    "Capacity is the sum of the working cables, per direction. Oversubscription is the capacity of "
    "the tier below over that of this tier; between sites, the largest of any site. Bisection is "
    "half the tier's capacity, in brackets its share of half of what the servers can send "
    "(Al-Fares, Loukissas, Vahdat, A Scalable, Commodity Data Center Network Architecture, 2008)."
)


def _build(case: Case) -> Iterator[Block]:
    if case.tiers:
        yield tier_table(case)


def tier_table(case: Case) -> Table:
    """One line a tier."""
    titles = (
        "Tier", ">Switches", ">Links", ">Cables", ">Capacity", ">Oversubscription", ">Bisection",
    )  # fmt: skip
    rows = tuple(_line(case, tier) for tier in case.tiers)
    return Table(columns(*titles, shares=(1.1, 0.8, 0.7, 0.7, 0.9, 1.2, 1.3)), rows, note=NOTE)


def _line(case: Case, tier: TierSummary) -> Row:
    return row(
        tier.tier,
        number(tier.switches),
        number(tier.links),
        number(tier.cables),
        capacity_words(tier.capacity_GBps),
        ratio_words(tier.oversubscription),
        _bisection(case, tier),
        doubts=_doubts(case, tier.tier),
    )


def _bisection(case: Case, tier: TierSummary) -> str:
    hosts = next((t.capacity_GBps for t in case.tiers if t.tier == "host-leaf"), None)
    if tier.tier not in _HALVED or tier.capacity_GBps is None:
        return UNKNOWN
    half = capacity_words(tier.capacity_GBps / 2)
    if not hosts:
        return half
    return f"{half} ({format_percent(min(1.0, tier.capacity_GBps / hosts))})"


def _doubts(case: Case, tier: str) -> Doubts:
    if tier == "scale-up":
        return case.doubts.servers
    if tier == "host-leaf":
        return (*case.doubts.servers, *case.doubts.network)
    return case.doubts.network


SECTION = Section("tiers", "Tiers of the compute network", 30, _build)
