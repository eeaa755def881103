"""Align and distribute: boxes in, shifts out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """Devices that move together and the box around them."""

    devices: tuple[str, ...]
    left: float
    top: float
    right: float
    bottom: float

    @property
    def centre(self) -> float:
        """Middle from left to right."""
        return (self.left + self.right) / 2

    @property
    def middle(self) -> float:
        """Middle from top to bottom."""
        return (self.top + self.bottom) / 2


_TARGETS: dict[str, Callable[[Sequence[Block]], float]] = {
    "left": lambda blocks: min(b.left for b in blocks),
    "right": lambda blocks: max(b.right for b in blocks),
    "top": lambda blocks: min(b.top for b in blocks),
    "bottom": lambda blocks: max(b.bottom for b in blocks),
    "centre": lambda blocks: (min(b.left for b in blocks) + max(b.right for b in blocks)) / 2,
    "middle": lambda blocks: (min(b.top for b in blocks) + max(b.bottom for b in blocks)) / 2,
}


def aligned(blocks: Sequence[Block], edge: str) -> list[tuple[float, float]]:
    """Shift of each block that brings an edge (or `centre`, `middle`) into one line."""
    if not blocks:
        return []
    target = _TARGETS[edge](blocks)
    across = edge in ("left", "right", "centre")
    shifts = [target - float(getattr(block, edge)) for block in blocks]
    return [(shift, 0.0) if across else (0.0, shift) for shift in shifts]


def distributed(blocks: Sequence[Block], axis: str) -> list[tuple[float, float]]:
    """Shift of each block that makes the gaps along `x` or `y` equal; the outer two stay."""
    if len(blocks) < 3:
        return [(0.0, 0.0) for _ in blocks]
    low, high = ("left", "right") if axis == "x" else ("top", "bottom")
    order = sorted(range(len(blocks)), key=lambda i: (getattr(blocks[i], low), i))
    first, last = blocks[order[0]], blocks[order[-1]]
    sizes = [getattr(b, high) - getattr(b, low) for b in blocks]
    span = getattr(last, high) - getattr(first, low)
    gap = (span - sum(sizes)) / (len(blocks) - 1)
    shifts = [(0.0, 0.0)] * len(blocks)
    at = getattr(first, low)
    for index in order:
        shift = at - getattr(blocks[index], low)
        shifts[index] = (shift, 0.0) if axis == "x" else (0.0, shift)
        at += sizes[index] + gap
    return shifts
