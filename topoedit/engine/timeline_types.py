"""What a step's timeline is made of: arrays and plain records, light to import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoedit.engine.types import Floats, Ints

KINDS = (
    "forward", "backward", "weights", "idle", "tp", "cp", "ep", "pp", "dp", "wan", "optimizer",
    "other",
)  # fmt: skip
"""What a span of a stage's row is; the first three are passes of a micro-batch."""
PARTS = ("compute", "recompute", "tp", "cp", "ep", "dp", "wan")
"""What the seconds of a pass are spent on."""
Numbers = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Phase:
    """One kind of communication and when it runs.

    Attributes:
        title: in words; class_: traffic class.
        seconds: a step on the busiest stage; exposed: of them, what the step waits for.
        spans: start and end of each time it may run, in seconds.
        bare: for each of them, the share that the step waits for.
    """

    title: str
    class_: str
    seconds: float
    exposed: float
    spans: tuple[tuple[float, float], ...]
    bare: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pace:
    """How traffic loads a link while it runs.

    Attributes:
        seconds: traffic class -> seconds in which it sends what it sends a step.
        gradients: classes beside which others run; beside: share of the others that does.
    """

    seconds: dict[str, float]
    gradients: tuple[str, ...] = ()
    beside: float = 0.0

    def share(self, name: str, by_class: Mapping[str, Numbers], slowness: Numbers) -> Numbers:
        """Share of the rate of some links that a class takes while it runs, at most 1.

        Args:
            name: the class.
            by_class: bytes a step of every class on each link.
            slowness: seconds a byte of each link.
        """
        sent = by_class[name]
        seconds = self.seconds.get(name, 0.0)
        if not seconds:
            return sent * 0
        taken = sent
        if self.beside and name in self.gradients:
            for other, bytes_ in by_class.items():
                if other not in self.gradients:
                    taken = taken + np.minimum(bytes_ * self.beside, sent)
        return np.minimum(taken * slowness / seconds, 1)


@dataclass(frozen=True, eq=False)
class Columns:
    """Spans: (S,) arrays; `kind` is a row of KINDS, `batch` and `chunk` are -1 outside passes."""

    stage: Ints
    kind: Ints
    batch: Ints
    chunk: Ints
    start: Floats
    end: Floats


@dataclass(frozen=True, eq=False)
class Timeline:
    """A step.

    Attributes:
        step_time: seconds; critical: number of the stage that sets the pace.
        schedule: its name; stages: what each row is called.
        batches: micro-batches of a step; drawn: how many of them the passes show, each longer.
        chunks: model chunks on a stage.
        spans: what the stages do, by stage and start.
        shares: (stages, 3, parts) of the time of a pass, by PARTS.
        phases: communication, in the order in which it begins.
        pace: how the phases load links.
    """

    step_time: float
    critical: int
    schedule: str
    stages: tuple[str, ...]
    batches: int
    drawn: int
    chunks: int
    spans: Columns
    shares: Floats
    phases: tuple[Phase, ...]
    pace: Pace

    def seconds_of(self, stage: int, kind: str) -> float:
        """Seconds of one kind on one stage."""
        spans = self.spans
        some = (spans.stage == stage) & (spans.kind == KINDS.index(kind))
        return float((spans.end - spans.start)[some].sum())

    def part_seconds(self, stage: int, part: str) -> float:
        """Seconds inside passes that one stage spends on a part."""
        seconds = [self.seconds_of(stage, kind) for kind in KINDS[:3]]
        return float(np.dot(seconds, self.shares[stage, :, PARTS.index(part)]))
