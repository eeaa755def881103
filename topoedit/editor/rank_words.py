"""Ranks and their coordinates in words."""

from __future__ import annotations

from topoedit.engine.rank_map import RankMap
from topoedit.engine.types import Ints
from topoedit.units import format_number


def rank_words(ranks: Ints) -> str:
    """`rank 17`, `ranks 16–23`, or their number where they are not in a row."""
    low, high = int(ranks.min()), int(ranks.max())
    if low == high:
        return f"rank {format_number(low)}"
    if high - low + 1 == len(ranks):
        return f"ranks {format_number(low)}–{format_number(high)}"
    return f"{format_number(len(ranks))} ranks from {format_number(low)} to {format_number(high)}"


def place_words(found: RankMap, ranks: Ints) -> str:
    """Coordinates of one rank, or the span of those of several: `TP 0–7, DP 3, PP 1`."""
    both = [found.places(int(rank)) for rank in ranks[:512]]
    parts = []
    for axis in both[0]:
        low, high = min(p[axis] for p in both), max(p[axis] for p in both)
        parts.append(f"{axis} {low}" if low == high else f"{axis} {low}–{high}")
    return ", ".join(parts) or "no parallel axis"
