"""What only charts show of an analysis: links by load in each tier, memory of each stage."""

from __future__ import annotations

import msgspec
import numpy as np

from topoedit.engine.analyse import Result
from topoedit.engine.types import TIER_NAMES
from topoedit.engine.workload.memory import stage_memory

BINS = 10
"""Bins of 10 % demand; one more holds what is above 100 %."""
MEMORY_KINDS = ("parameters", "gradients", "optimizer", "activations", "buffers", "context")


class TierBins(msgspec.Struct, frozen=True):
    """Directed links of a tier by demand.

    Attributes:
        counts: links at 0 to 10 %, 10 to 20 % … 90 to 100 %, above 100 %.
        idle: of the first, those that carry nothing; unknown: links whose rate is not known.
        failed: links that can carry nothing.
    """

    tier: str
    counts: tuple[int, ...]
    idle: int = 0
    unknown: int = 0
    failed: int = 0


class StageBytes(msgspec.Struct, frozen=True):
    """Bytes of each of MEMORY_KINDS on one GPU of a pipeline stage."""

    stage: int
    kinds: tuple[float, ...]


class ChartFigures(msgspec.Struct, frozen=True):
    """Both; the capacity of a GPU in bytes is None where it is not known."""

    tiers: tuple[TierBins, ...]
    stages: tuple[StageBytes, ...]
    capacity_bytes: float | None


def chart_figures(result: Result) -> ChartFigures:
    """The figures of one result."""
    return ChartFigures(
        tier_bins(result), stage_bytes(result), result.analysis.memory.capacity_bytes
    )


def tier_bins(result: Result) -> tuple[TierBins, ...]:
    """Directed links of each tier by demand, in the order of tiers."""
    fabric, demand = result.fabric, result.figures.demand
    made = []
    for number in np.unique(fabric.tier).tolist():
        here = fabric.tier == number
        capacity, wanted = fabric.capacity[here], demand[here]
        unknown, failed = np.isnan(capacity), capacity == 0
        works = ~(unknown | failed)
        level = np.clip(wanted[works] * BINS, 0, None)
        # 100 % itself is full, not over
        bins = np.where(level <= BINS * (1 + 1e-9), np.minimum(level, BINS - 1), BINS).astype(np.int64)
        made.append(
            TierBins(
                TIER_NAMES[number],
                tuple(np.bincount(bins, minlength=BINS + 1).tolist()),
                int((wanted[works] == 0).sum()),
                int(unknown.sum()),
                int(failed.sum()),
            )
        )
    return tuple(made)


def stage_bytes(result: Result) -> tuple[StageBytes, ...]:
    """Memory of one GPU of every pipeline stage; formulas: `engine.workload.memory`."""
    found = result.findings
    stages = np.arange(found.resolved.plan.pp, dtype=np.float64)
    parts = stage_memory(found.case, stages, found.step.share)
    rows = [np.broadcast_to(getattr(parts, name), stages.shape) for name in MEMORY_KINDS]
    return tuple(
        StageBytes(stage, tuple(float(row[stage]) for row in rows)) for stage in range(len(stages))
    )
