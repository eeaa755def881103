"""What one lost device or link does: analysed again with a plan, cut points without one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from topoedit.engine.analyse import Result
from topoedit.engine.types import Bools, Fabric, Tier, VertexKind
from topoedit.errors import CancelledError, TopoeditError
from topoedit.model.analysis import Analysis
from topoedit.model.ports import natural_key
from topoedit.reports.report.base import Section
from topoedit.reports.report.blocks import Block, Cell, Row, Table, Text, columns, row
from topoedit.reports.report.case import Again, Case
from topoedit.reports.report.variants import (
    devices_of_kind,
    edges_of_device,
    edges_of_link,
    without_edges,
)
from topoedit.reports.report.words import change_words, first_few, number, range_words
from topoedit.units import UNKNOWN, format_bytes, format_percent, format_seconds

RULE = "single-point-of-failure"
ASSUMPTION = (
    "Assumed: traffic is rerouted before the transport gives up, and the plan stays as it is. "
    "If it is not, the job stops and starts again from its last checkpoint. Of like devices the "
    "one whose links are fullest is lost."
)
_KINDS = ((VertexKind.CORE, "core switch"), (VertexKind.SPINE, "spine"), (VertexKind.LEAF, "leaf"))


@dataclass(frozen=True)
class _Loss:
    """Something that is lost: in words, and its edges."""

    words: str
    name: str
    edges: Bools


def _build(case: Case) -> Iterator[Block]:
    if case.result is not None and case.tools.again is not None:
        yield from _with_plan(case, case.result, case.tools.again)
    yield from _cut_points(case, with_plan=case.result is not None)


def _with_plan(case: Case, result: Result, again: Again) -> Iterator[Block]:
    losses = list(_losses(result))
    if not losses:
        return
    yield Text(ASSUMPTION)
    rows = []
    for done, loss in enumerate(losses):
        case.told(f"Losing {loss.name}", done / len(losses))
        rows.append(_line(case, result.analysis, loss, again))
    titles = ("Lost", "Which", ">Step time", ">80 % interval", ">Change", "The job")
    yield Table(columns(*titles, shares=(0.9, 1.2, 0.8, 1.2, 1.2, 2.0)), tuple(rows))


def _losses(result: Result) -> Iterator[_Loss]:
    fabric, total = result.fabric, np.nan_to_num(result.figures.demand)
    for kind, words in _KINDS:
        rows = devices_of_kind(fabric, kind)
        if rows:
            row_ = _fullest(fabric, rows, total)
            yield _Loss(f"one {words}", fabric.device_names[row_], edges_of_device(fabric, row_))
    between = (fabric.tier == Tier.LEAF_SPINE) | (fabric.tier == Tier.SPINE_CORE)
    for where, chosen in (
        ("busiest link between switches", between),
        ("busiest link of a server", fabric.tier == Tier.HOST_LEAF),
        ("busiest link between sites", fabric.tier == Tier.BETWEEN_SITES),
    ):
        usable = chosen & (fabric.capacity > 0) & (fabric.link < fabric.drawn_links)
        if usable.any():
            edge = int(np.argmax(np.where(usable, total, -1.0)))
            yield _Loss(where, _link_words(fabric, edge), edges_of_link(fabric, fabric.link[edge]))


def _fullest(fabric: Fabric, rows: list[int], demand: np.ndarray) -> int:
    """The device with the fullest link; of equals the first by name."""
    most = np.zeros(len(fabric.device_ids))
    for end in (fabric.src, fabric.dst):
        np.maximum.at(most, fabric.vertex_device[end], demand)
    top = max(most[rows])
    alike = [r for r in rows if most[r] >= top * (1 - 1e-9)]
    return min(alike, key=lambda r: natural_key(fabric.device_names[r]))


def _link_words(fabric: Fabric, edge: int) -> str:
    ends = (fabric.vertex_device[fabric.src[edge]], fabric.vertex_device[fabric.dst[edge]])
    cables = int(fabric.cables[edge])
    many = f", {number(cables)} cables" if cables > 1 else ""
    return " → ".join(fabric.device_names[end] for end in ends) + many


def _line(case: Case, before: Analysis, loss: _Loss, again: Again) -> Row:
    try:
        after = again(without_edges(case.fabric, loss.edges)).analysis
    except CancelledError:
        raise
    except TopoeditError as error:
        return row(loss.words, loss.name, *[UNKNOWN] * 3, Cell(error.line, severity="error"))
    doubts = case.doubts.step
    if after.unreachable.pairs:
        stop = after.unreachable
        text = (
            f"stops: {number(stop.pairs)} pairs of GPUs cannot reach each other, "
            f"{format_bytes(stop.bytes)} a step"
        )
        cells = (UNKNOWN, UNKNOWN, UNKNOWN, Cell(text, severity="error"))
        return row(loss.words, loss.name, *cells, doubts=doubts)
    share = before.step_time_s / after.step_time_s
    slower = share < 1 - 1e-9
    pace = f"goes on at {format_percent(share, 1)} of its pace" if slower else "goes on as before"
    return row(
        loss.words,
        loss.name,
        format_seconds(after.step_time_s),
        range_words(after.interval),
        change_words(before.step_time_s, after.step_time_s),
        Cell(pace, severity="warning" if slower else "ok"),
        doubts=doubts,
    )


def _cut_points(case: Case, *, with_plan: bool) -> Iterator[Block]:
    """Single points of failure, as the design rules find them."""
    found = [one for one in case.rules.violations if one.rule == RULE]
    count = case.rules.checked.get(RULE, 0)
    if not with_plan:
        yield Text(
            "Without a plan no step time can be worked out for a loss; these are the devices and "
            "cables whose loss cuts GPUs off the others. Assumed: whatever is still joined by "
            "some path goes on."
        )
    if not found:
        sure = f"none, {number(count)} switches and cables looked at" if count else "not checked"
        yield Text(f"Single points of failure: {sure}.")
        return
    rows = tuple(
        row(Cell(one.message, severity=one.severity), one.fix,
            first_few([case.names.get(i, i) for i in one.elements], 3))
        for one in found[:20]
    )  # fmt: skip
    titles = columns("What is lost", "Fix", "Where", shares=(2.0, 1.6, 1.0))
    yield Table(titles, rows, title="Single points of failure")


SECTION = Section("failures", "Failures", 110, _build)
