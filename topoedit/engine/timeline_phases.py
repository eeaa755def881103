"""Communication on the time axis of a step: which exchange runs in which window."""

from __future__ import annotations

from topoedit.engine.overlap import overlapping
from topoedit.engine.report import Findings
from topoedit.engine.timeline_rows import Rows
from topoedit.engine.timeline_types import KINDS, Pace, Phase
from topoedit.engine.windows import AXIS_OF, Timed, at
from topoedit.engine.workload.communication import REGATHER


def after_update(found: Findings) -> float:
    """Of the exposed gradient traffic, the share that gathers parameters after the update."""
    rows = [row for row in found.timing.rows if AXIS_OF[row.routed.kind] == "dp"]
    total = sum(row.exposed for row in rows)
    late = sum(row.exposed for row in rows if is_late(found, row))
    return late / total if total else 0.0


def is_late(found: Findings, row: Timed) -> bool:
    """Whether it gathers what the optimiser has updated."""
    return found.resolved.plan.zero < 2 and row.exchange.op == "all_gather"


_OPS = {
    "all_reduce": "all-reduce",
    "all_gather": "all-gather",
    "reduce_scatter": "reduce-scatter",
    "all_to_all": "dispatch and combine",
    "send_recv": "send",
}


_EVERYWHERE = ("", "layers", "embedding", "head")
"""Parts of a model that need no name beside the operation."""


def phases(
    found: Findings, ready: float, tail: dict[str, tuple[float, float]], rows: Rows
) -> tuple[Phase, ...]:
    """All communication; `ready` is the end of the pipeline.

    Exchanges that run in the same windows and are called the same are one phase.
    """
    clocks = {name: start for name, (start, _) in tail.items()}
    made: dict[tuple[object, ...], Phase] = {}
    for row in found.timing.rows:
        spans = tuple(span for span in _spans(found, row, ready, clocks, rows) if span[1] > span[0])
        title = _title(row)
        if not spans:
            continue
        before = made.get((title, spans))
        seconds = row.seconds + (before.seconds if before else 0.0)
        exposed = row.exposed + (before.exposed if before else 0.0)
        inside = 0.0 if _once(found, row) else exposed / seconds
        bare = tuple(1.0 if start >= ready else inside for start, _ in spans)
        made[title, spans] = Phase(title, row.routed.class_, seconds, exposed, spans, bare)
    return tuple(sorted(made.values(), key=lambda one: (one.spans[-1][0], one.spans[0][0])))


def _title(row: Timed) -> str:
    words = f"{row.routed.class_} {_OPS.get(row.exchange.op, row.exchange.op)}"
    part = row.exchange.part
    if part == REGATHER:
        return f"{row.routed.class_} {REGATHER}"
    return words if part in _EVERYWHERE or row.exchange.op == "all_to_all" else f"{words}, {part}"


def _once(found: Findings, row: Timed) -> bool:
    """Whether it runs once a step, not in every micro-batch."""
    kind = row.routed.kind
    return AXIS_OF[kind] == "dp" and (found.resolved.plan.zero < 2 or kind == "replica")


def _spans(
    found: Findings, row: Timed, ready: float, clocks: dict[str, float], rows: Rows
) -> tuple[tuple[float, float], ...]:
    """When some traffic may run; `clocks` move on with each exposed part of the gradients."""
    kind, part = row.routed.kind, row.exchange.part
    if _once(found, row):
        place = "wan" if row.routed.class_ == "WAN" else "dp"
        hidden = min(max(row.seconds - row.exposed, 0.0), ready)
        late = is_late(found, row)
        name = f"{place} after" if late else place
        start = clocks[name]
        clocks[name] = start + row.exposed
        if late:
            return ((0.0, hidden), (start, start + row.exposed))
        return ((ready - hidden, ready), (start, start + row.exposed))
    extent = rows.extent(_passes(kind, part))
    return () if extent is None else (extent,)


def _passes(kind: str, part: str) -> tuple[str, ...]:
    """The passes under which traffic of every micro-batch runs."""
    if kind == "pp":
        return ("forward",) if part == "activations" else ("backward", "weights")
    return ("backward",) if part == REGATHER else KINDS[:3]


def pace(found: Findings) -> Pace:
    """As `phase_share` counts it (`topoedit.engine.figures`)."""
    crowded = at(found.rates.crowding)
    data = {row.routed.class_ for row in found.timing.rows if AXIS_OF[row.routed.kind] == "dp"}
    made = {}
    for name, top in zip(found.sums.classes, found.sums.busiest, strict=True):
        seconds = max(found.timing.phases.get(name, 0.0), top)
        if seconds:
            made[name] = seconds * (crowded if name in data else 1.0)
    share = overlapping(found.resolved) if crowded > 1 else 0.0
    return Pace(made, tuple(name for name in made if name in data), share)
