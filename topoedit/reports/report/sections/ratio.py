"""What oversubscription between leaf and spine costs: the step at other ratios than the drawn."""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.engine.types import Tier
from topoedit.errors import CancelledError, TopoeditError
from topoedit.model.analysis import Analysis
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Cell, Row, Table, Text, columns, row
from topoedit.reports.report.case import Again, Case
from topoedit.reports.report.variants import with_tier_scaled
from topoedit.reports.report.words import (
    change_words,
    network_seconds,
    number,
    range_words,
    ratio_words,
)
from topoedit.units import UNKNOWN, format_percent, format_seconds

_TARGETS = (1.0, 2.0, 4.0)
_NEAR = 0.02


def _build(case: Case) -> Iterator[Block]:
    drawn = next((t for t in case.tiers if t.tier == "leaf-spine"), None)
    again, analysis = case.tools.again, case.analysis
    if drawn is None or drawn.oversubscription is None or again is None or analysis is None:
        return
    ratio = drawn.oversubscription
    yield Text(
        f"As drawn, {number(ratio, 2)} units can come from below a leaf for each that can go on "
        "to the spines. The other lines are the same drawing and plan, analysed again with the "
        "capacity of every link between leaf and spine multiplied so that the ratio of the whole "
        "tier is the one named."
    )
    titles = (
        "Leaf to spine", ">Ratio", ">Step time", ">80 % interval", ">Change",
        ">Communication exposed", "Highest demand, leaf-spine",
    )  # fmt: skip
    rows = [_line(case, "as drawn", ratio, analysis, analysis)]
    others = [target for target in _TARGETS if abs(target / ratio - 1) > _NEAR][:2]
    for done, target in enumerate(others):
        case.told(f"Analysing {target:g} : 1", done / len(others))
        rows.append(_other(case, again, analysis, ratio, target))
    note = (
        "Change against the drawing; the interval is that of each prediction alone. Only what "
        "crosses the spines is slower: while its demand stays under 100 % compute can hide it."
    )
    shares = (0.8, 0.6, 0.8, 1.2, 1.2, 1.1, 1.2)
    yield Table(columns(*titles, shares=shares), tuple(rows), note=note)


def _other(case: Case, again: Again, drawn: Analysis, ratio: float, target: float) -> Row:
    try:
        scaled = with_tier_scaled(case.fabric, Tier.LEAF_SPINE, ratio / target)
        found = again(scaled).analysis
    except CancelledError:
        raise
    except TopoeditError as error:
        return row(f"at {target:g} : 1", ratio_words(target), *[UNKNOWN] * 4, error.line)
    return _line(case, f"at {target:g} : 1", target, found, drawn)


def _line(case: Case, words: str, ratio: float, found: Analysis, drawn: Analysis) -> Row:
    same = found is drawn
    demand = max((t.max_demand for t in found.tiers if t.tier == "leaf-spine"), default=0.0)
    return row(
        words,
        ratio_words(ratio),
        format_seconds(found.step_time_s),
        range_words(found.interval),
        UNKNOWN if same else change_words(drawn.step_time_s, found.step_time_s),
        format_seconds(network_seconds(found.breakdown_s)),
        Cell(format_percent(demand, 1), load=demand),
        doubts=case.doubts.step,
        strong=same,
    )


SECTION = Section("oversubscription", "Cost of oversubscription", 60, _build)
