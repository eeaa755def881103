"""Rows of a step's timeline: stages with their seconds, passes at the engine's pace, the tail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.engine.pipeline import Order, Pass, Played
from topoedit.engine.step.assemble import Parts, Step
from topoedit.engine.timeline_types import KINDS, PARTS, Columns
from topoedit.engine.types import Floats
from topoedit.engine.windows import at
from topoedit.model.analysis import Breakdown

_MOST_PASSES = 6_000
_AXES = ("tp", "cp", "ep", "pp", "dp", "wan")
_NOTHING = 1e-9
"""Share of the step below which a span is rounding."""


@dataclass(frozen=True)
class StageTime:
    """Seconds of one micro-batch on one stage, by the first six PARTS; weights of the backward."""

    forward: Floats
    backward: Floats
    weights: float

    @property
    def total(self) -> float:
        """Both ways."""
        return float(self.forward.sum() + self.backward.sum())

    def shares(self, wan: frozenset[str]) -> Floats:
        """(3, parts) of the time of each pass."""
        rest = self.backward.copy()
        rest[0] -= self.weights
        only = np.zeros(6)
        only[0] = 1.0
        found = np.zeros((3, len(PARTS)))
        for row, seconds in enumerate((self.forward, rest if self.weights else self.backward)):
            found[row, :6] = seconds / max(float(seconds.sum()), 1e-30)
        found[2, :6] = only
        for axis in wan & frozenset(PARTS):
            column = PARTS.index(axis)
            found[:, -1] += found[:, column]
            found[:, column] = 0.0
        return found


def stage_time(step: Step, number: int, pp: int) -> StageTime:
    """Seconds of a stage by its layers; the last one has the head too."""
    held, kernels = step.stages, step.kernels
    if number == critical_stage(step, pp):
        layers, head = at(step.slowest_layers), at(step.has_head)
    else:
        layers = at(held.last if number == pp - 1 else held.first if not number else held.layers)
        head = 1.0 if number == pp - 1 else 0.0
    back = at(kernels.head.backward)
    calls = at(step.head.tp) / 2
    ahead = np.array([at(step.head.compute) - back, 0, calls, 0, 0, 0])
    behind = np.array([back, 0, calls, 0, 0, 0])
    weights = 0.0
    if pp > 1 and step.case.plan.schedule[0] >= 2:
        weights = layers * at(kernels.linear.wgrad) + head * at(kernels.head.wgrad)
    forward, backward = _values(step.forward), _values(step.backward)
    return StageTime(forward * layers + ahead * head, backward * layers + behind * head, weights)


def _values(parts: Parts) -> Floats:
    return np.array([at(getattr(parts, name)) for name in PARTS[:6]])


def critical_stage(step: Step, pp: int) -> int:
    """The stage that sets the pace: the last one, or the first of the fullest others."""
    if at(step.has_head) or pp == 1:
        return pp - 1
    full = at(step.stages.first) == at(step.slowest_layers)
    return 0 if full or pp == 2 else 1


def stage_names(order: Order, pp: int) -> tuple[str, ...]:
    """What the rows are called; DualPipe holds two stages on a GPU."""
    if order == "dualpipe":
        return tuple(f"stage {n}+{pp - 1 - n}" for n in range(pp))
    return tuple(f"stage {n}" for n in range(pp))


def order_of(schedule: str, vpp: int) -> Order:
    """The order of passes that a plan asks for."""
    if schedule == "1f1b":
        return "interleaved" if vpp > 1 else "1f1b"
    return "afab" if schedule == "afab" else "zb" if schedule == "zb" else "dualpipe"


def batches_drawn(order: Order, stages: int, batches: int, chunks: int) -> int:
    """Micro-batches to draw: all, or as many as show how the pipeline fills, runs and drains."""
    least = 2 * stages if order != "interleaved" else stages
    most = max(_MOST_PASSES // (2 * stages * chunks), least)
    if order == "dualpipe":
        most = min(most, 2 * stages + 8)
    few = min(batches, most)
    if order != "interleaved":
        return few
    return max(few // stages, 1) * stages


def at_pace(played: Played, critical: int, busy: float, bubble: float) -> Played:
    """The same order at the engine's pace: the critical stage works and waits as long as it says.

    One clock for all stages: fast or slow while the critical stage works, and while it waits.
    """
    own = played.stage == critical
    start, end = played.start[own], played.end[own]
    worked = float((end - start).sum())
    waited = played.span - worked
    pace = busy / worked
    idle = bubble / waited if waited > _NOTHING * played.span else 0.0
    marks = np.concatenate(([0.0], np.column_stack((start, end)).ravel(), [played.span]))
    steps = np.diff(marks)
    speeds = np.where(np.arange(len(steps)) % 2 == 0, idle, pace)
    times = np.concatenate(([0.0], np.cumsum(steps * speeds)))
    return Played(
        played.stage, played.kind, played.batch, played.chunk,
        np.interp(played.start, marks, times), np.interp(played.end, marks, times),
    )  # fmt: skip


class Rows:
    """Spans as they are found."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int, int, int, float, float]] = []

    def add(
        self, stage: int, kind: str, start: float, end: float, batch: int = -1, chunk: int = -1
    ) -> None:
        """One span more."""
        self.spans.append((stage, KINDS.index(kind), batch, chunk, start, end))

    def columns(self, whole: float) -> Columns:
        """In the order of stage and start, without what is rounding."""
        table = np.array(self.spans, dtype=np.float64).reshape(-1, 6)
        table = table[table[:, 5] - table[:, 4] > _NOTHING * whole]
        table = table[np.lexsort((table[:, 4], table[:, 0]))]
        stage, kind, batch, chunk = table[:, :4].astype(np.int32).T
        return Columns(stage, kind, batch, chunk, table[:, 4].copy(), table[:, 5].copy())

    def extent(self, kinds: tuple[str, ...]) -> tuple[float, float] | None:
        """From the first start to the last end of spans of some kinds, over all stages."""
        rows = {KINDS.index(kind) for kind in kinds}
        some = [(span[4], span[5]) for span in self.spans if span[1] in rows]
        return (min(s for s, _ in some), max(e for _, e in some)) if some else None


def fill_stage(
    rows: Rows, played: Played, number: int, stage: StageTime, slow: StageTime, pipeline: float,
    transfers: float, pp: int,
) -> None:  # fmt: skip
    """One stage's passes with its waiting between them.

    Exposed transfers lie where the pipeline fills and drains: t seconds a hop, (p-1) hops each
    way; stage s waits s t before its first pass, 2 (p-1-s) t before its first backward pass and
    s t at the end.
    """
    hop = transfers / (2 * (pp - 1)) if pp > 1 else 0.0
    own = np.flatnonzero(played.stage == number)
    lighter = [
        min(1.0, float(mine.sum() / his.sum())) if his.sum() else 1.0
        for mine, his in ((stage.forward, slow.forward), (stage.backward, slow.backward))
    ]
    clock, delay, turned = 0.0, 0.0, False
    if hop * number:
        rows.add(number, "pp", 0.0, hop * number)
        clock = delay = hop * number
    for index in own.tolist():
        kind = Pass(int(played.kind[index]))
        start = float(played.start[index]) + delay
        if start > clock:
            rows.add(number, "idle", clock, start)
        if kind == Pass.BACKWARD and not turned:
            turned, wait = True, 2 * hop * (pp - 1 - number)
            if wait:
                rows.add(number, "pp", start, start + wait)
            start, delay = start + wait, delay + wait
        length = float(played.end[index] - played.start[index])
        clock = start + length * lighter[kind != Pass.FORWARD]
        rows.add(
            number, KINDS[kind], start, clock, int(played.batch[index]), int(played.chunk[index])
        )
    last = pipeline + delay
    if last > clock:
        rows.add(number, "idle", clock, last)
    if hop * number:
        rows.add(number, "pp", last, last + hop * number)


def left_over(
    exposed: Breakdown, slow: StageTime, batches: int, wan: frozenset[str]
) -> dict[str, float]:
    """Exposed seconds of each axis that no pass holds."""
    inside = dict.fromkeys(_AXES, 0.0)
    both = (slow.forward + slow.backward) * batches
    for name, seconds in zip(PARTS[:6], both.tolist(), strict=True):
        if name in inside:
            inside["wan" if name in wan else name] += seconds
    return {axis: max(getattr(exposed, axis) - inside[axis], 0.0) for axis in _AXES}


def add_tail(
    rows: Rows, ready: float, rest: dict[str, float], exposed: Breakdown, late: float, pp: int
) -> dict[str, tuple[float, float]]:
    """What all stages do together after the pipeline; returns when, by name."""
    clock, found = ready, {}
    plan: list[tuple[str, str, float]] = [(axis, axis, rest[axis]) for axis in ("tp", "cp", "ep")]
    plan += [(axis, axis, rest[axis] * (1 - late)) for axis in ("dp", "wan")]
    plan.append(("optimizer", "optimizer", exposed.optimizer))
    plan += [(f"{axis} after", axis, rest[axis] * late) for axis in ("dp", "wan")]
    plan.append(("other", "other", exposed.other))
    for name, kind, seconds in plan:
        found[name] = (clock, clock + seconds)
        for stage in range(pp if seconds > 0 else 0):
            rows.add(stage, kind, clock, clock + seconds)
        clock += seconds
    return found
