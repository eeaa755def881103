"""What only charts show of an analysis: links by load in each tier, memory of each stage."""

from __future__ import annotations

import numpy as np

from topoedit.app.figure_records import BINS, MEMORY_KINDS, ChartFigures, StageBytes, TierBins
from topoedit.engine.analyse import Result
from topoedit.engine.types import TIER_NAMES
from topoedit.engine.workload.memory import stage_memory


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
        bins = np.where(level <= BINS * (1 + 1e-9), np.minimum(level, BINS - 1), BINS).astype(
            np.int64
        )
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
