"""Pipeline schedules played through: which pass of which micro-batch runs when on which stage.

Orders: all forward then all backward; 1F1B and its interleaved form (Narayanan et al. 2021); ZB-H1,
weight gradients put off until the pipeline drains (Qi et al. 2023); DualPipe, micro-batches from
both ends (DeepSeek-V3 report 2024). Every stage is as fast as every other here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import numpy as np

from topoedit.engine.types import Floats, Ints


class Pass(IntEnum):
    """What a stage does with a micro-batch."""

    FORWARD = 0
    BACKWARD = 1
    WEIGHTS = 2  # weight gradients, where a schedule moves them apart from the backward pass


Order = Literal["afab", "1f1b", "interleaved", "zb", "dualpipe"]


@dataclass(frozen=True, slots=True)
class Task:
    """One pass: `chunk` counts model chunks in the order of the layers, over all stages."""

    kind: Pass
    batch: int
    chunk: int


@dataclass(frozen=True, eq=False)
class Played:
    """Passes in the order of their start on each stage; arrays of one length.

    Attributes:
        stage, kind, batch, chunk: of each pass; start, end: seconds.
    """

    stage: Ints
    kind: Ints
    batch: Ints
    chunk: Ints
    start: Floats
    end: Floats

    @property
    def span(self) -> float:
        """Seconds from the first pass to the end of the last."""
        return float(self.end.max(initial=0.0))


def play(
    order: Order, stages: int, batches: int, chunks: int, forward: float, backward: float,
    weights: float = 0.0,
) -> Played:  # fmt: skip
    """Play a schedule.

    Args:
        order: which pass comes next on a stage.
        stages: p.
        batches: micro-batches m.
        chunks: model chunks on each stage (v).
        forward: seconds of a micro-batch on a stage, all its chunks.
        backward: the same, weight gradients included.
        weights: of them, the weight gradients (zb and dualpipe move them).
    """
    seconds = {
        Pass.FORWARD: forward / chunks,
        Pass.BACKWARD: (backward - weights) / chunks,
        Pass.WEIGHTS: weights / chunks,
    }
    if order == "dualpipe":
        return _from_both_ends(stages, batches, seconds)
    lists = [list(_list(order, stages, batches, chunks, stage)) for stage in range(stages)]
    return _by_lists(lists, stages, chunks, seconds)


def _list(order: Order, stages: int, batches: int, chunks: int, stage: int) -> Iterator[Task]:
    """What one stage does, in its order."""
    if order == "interleaved":
        yield from _interleaved(stages, batches, chunks, stage)
    elif order == "zb":
        yield from _zero_bubble(stages, batches, stage)
    elif order == "afab":
        yield from (
            Task(Pass.FORWARD, batch, stage + stages * chunk)
            for chunk in range(chunks)
            for batch in range(batches)
        )
        yield from (
            Task(Pass.BACKWARD, batch, stage + stages * chunk)
            for chunk in reversed(range(chunks))
            for batch in range(batches)
        )
    else:
        yield from _one_each(
            [Task(Pass.FORWARD, batch, stage) for batch in range(batches)],
            [Task(Pass.BACKWARD, batch, stage) for batch in range(batches)],
            stages - 1 - stage,
        )


def _one_each(ahead: list[Task], back: list[Task], warm_up: int) -> Iterator[Task]:
    """Some forward passes, then one forward and one backward by turns, then the rest."""
    first = min(warm_up, len(ahead))
    yield from ahead[:first]
    for number, task in enumerate(back):
        if first + number < len(ahead):
            yield ahead[first + number]
        yield task


def _interleaved(stages: int, batches: int, chunks: int, stage: int) -> Iterator[Task]:
    """Micro-batches in rounds of p through the chunks; batches must be a multiple of p."""

    def at(number: int, *, back: bool) -> Task:
        turn, place = divmod(number, stages * chunks)
        own, batch = divmod(place, stages)
        own = chunks - 1 - own if back else own
        kind = Pass.BACKWARD if back else Pass.FORWARD
        return Task(kind, turn * stages + batch, stage + stages * own)

    every = batches * chunks
    warm_up = (stages - 1 - stage) * 2 + (chunks - 1) * stages
    yield from _one_each(
        [at(n, back=False) for n in range(every)],
        [at(n, back=True) for n in range(every)],
        warm_up,
    )


def _zero_bubble(stages: int, batches: int, stage: int) -> Iterator[Task]:
    """1F1B whose weight gradients lag by the number of the stage and fill its cool-down."""
    ahead = [Task(Pass.FORWARD, batch, stage) for batch in range(batches)]
    back = [Task(Pass.BACKWARD, batch, stage) for batch in range(batches)]
    done = 0
    for task in _one_each(ahead, back, stages - 1 - stage):
        yield task
        if task.kind == Pass.BACKWARD and task.batch >= stage:
            yield Task(Pass.WEIGHTS, done, stage)
            done += 1
    yield from (Task(Pass.WEIGHTS, batch, stage) for batch in range(done, batches))


@dataclass
class _Log:
    """Passes as they are played."""

    rows: list[tuple[int, int, int, int, float, float]]
    ends: dict[Task, float]

    def add(self, stage: int, task: Task, start: float, end: float) -> None:
        self.ends[task] = end
        self.rows.append((stage, int(task.kind), task.batch, task.chunk, start, end))

    def played(self) -> Played:
        table = np.array(self.rows, dtype=np.float64).reshape(-1, 6)
        table = table[np.lexsort((table[:, 4], table[:, 0]))]
        stage, kind, batch, chunk = table[:, :4].astype(np.int32).T
        return Played(stage, kind, batch, chunk, table[:, 4].copy(), table[:, 5].copy())


def _needs(task: Task, last: int) -> Task | None:
    """What must be done before, None for the start of a micro-batch; `last` is the last chunk."""
    if task.kind == Pass.WEIGHTS:
        return Task(Pass.BACKWARD, task.batch, task.chunk)
    if task.kind == Pass.FORWARD:
        return Task(Pass.FORWARD, task.batch, task.chunk - 1) if task.chunk else None
    if task.chunk == last:
        return Task(Pass.FORWARD, task.batch, task.chunk)
    return Task(Pass.BACKWARD, task.batch, task.chunk + 1)


def _by_lists(
    lists: list[list[Task]], stages: int, chunks: int, seconds: dict[Pass, float]
) -> Played:
    """Each stage goes through its list, waiting for what a pass needs."""
    log, last = _Log([], {}), stages * chunks - 1
    place, free = [0] * stages, [0.0] * stages
    moved = True
    while moved:
        moved = False
        for stage, tasks in enumerate(lists):
            while place[stage] < len(tasks):
                task = tasks[place[stage]]
                before = _needs(task, last)
                ready = 0.0 if before is None else log.ends.get(before)
                if ready is None:
                    break
                start = max(ready, free[stage])
                free[stage] = start + seconds[task.kind]
                log.add(stage, task, start, free[stage])
                place[stage] += 1
                moved = True
    return log.played()


class _Queues:
    """What is left to do on one stage of DualPipe: the next micro-batch of each end and pass.

    Chunk d of the micro-batches of one end, chunk p-1-d of the others: numbered from p on.
    """

    def __init__(self, stage: int, stages: int, ends: tuple[range, range]) -> None:
        self.stage, self.stages = stage, stages
        self.free = 0.0
        self._room = {stage: stages - stage, 2 * stages - 1 - stage: stage + 1}
        self._left = {
            (kind, chunk): list(reversed(some))
            for chunk, some in zip((stage, 2 * stages - 1 - stage), ends, strict=True)
            for kind in Pass
        }

    def next(self, ends: dict[Task, float]) -> tuple[float, int, int, int, int, Task] | None:
        """When the stage can begin something, and what; of several passes the backward one."""
        found = []
        for (kind, chunk), left in self._left.items():
            if not left or (kind == Pass.FORWARD and not self._room[chunk]):
                continue
            task = Task(kind, left[-1], chunk)
            ready = self._ready(task, ends)
            if ready is not None:
                start = max(ready, self.free)
                found.append((start, _FIRST[kind], task.batch, chunk, self.stage, task))
        return min(found, default=None)

    def _ready(self, task: Task, ends: dict[Task, float]) -> float | None:
        if task.kind == Pass.FORWARD and task.chunk % self.stages == 0:
            return 0.0
        last = self.stages - 1 if task.chunk < self.stages else 2 * self.stages - 1
        before = _needs(task, last)
        return 0.0 if before is None else ends.get(before)

    def take(self, task: Task, end: float) -> None:
        """Do it."""
        self._left[task.kind, task.chunk].pop()
        self.free = end
        self._room[task.chunk] += {Pass.FORWARD: -1, Pass.BACKWARD: 1, Pass.WEIGHTS: 0}[task.kind]


_FIRST = {Pass.BACKWARD: 0, Pass.FORWARD: 1, Pass.WEIGHTS: 2}


def _from_both_ends(stages: int, batches: int, seconds: dict[Pass, float]) -> Played:
    """Half of the micro-batches from each end, no more under way on a stage than with 1F1B."""
    log, half = _Log([], {}), (batches + 1) // 2
    ends = range(half), range(half, batches)
    queues = [_Queues(stage, stages, ends) for stage in range(stages)]
    choices = [queue.next(log.ends) for queue in queues]
    while waiting := [choice for choice in choices if choice is not None]:
        start, _, _, _, stage, task = min(waiting)
        queues[stage].take(task, start + seconds[task.kind])
        log.add(stage, task, start, queues[stage].free)
        for near in range(max(stage - 1, 0), min(stage + 2, stages)):  # who may wait for it
            choices[near] = queues[near].next(log.ends)
    return log.played()
