"""Blocks of placed devices: rectangles put beside, above and inside one another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from topoedit.layout.grid import columns_for
from topoedit.layout.sizes import GAP, HEADER, PADDING

Placed = tuple[str, float, float]


@dataclass(frozen=True)
class Block:
    """Devices with centres measured from the block's top left corner."""

    width: float = 0.0
    height: float = 0.0
    items: tuple[Placed, ...] = ()

    def moved(self, dx: float, dy: float) -> tuple[Placed, ...]:
        """The devices with their centres shifted."""
        return tuple((name, x + dx, y + dy) for name, x, y in self.items)

    def framed(self) -> Block:
        """The same with room for a container's frame and its header above or below."""
        return Block(
            self.width + 2 * PADDING,
            self.height + 2 * (PADDING + HEADER),
            self.moved(PADDING, PADDING + HEADER),
        )


def single(name: str, size: tuple[float, float]) -> Block:
    """One device."""
    return Block(size[0], size[1], ((name, size[0] / 2, size[1] / 2),))


def beside(blocks: Sequence[Block], gap: float = GAP) -> Block:
    """Blocks in a row, tops in line.

    >>> beside([single("a", (10, 4)), single("b", (10, 8))], 2).width
    22.0
    """
    items: list[Placed] = []
    x = 0.0
    for block in blocks:
        items += block.moved(x, 0.0)
        x += block.width + gap
    return Block(max(0.0, x - gap), max((b.height for b in blocks), default=0.0), tuple(items))


def stacked(blocks: Sequence[Block], gap: float = GAP) -> Block:
    """Blocks below one another, centred; empty ones take no room."""
    present = [block for block in blocks if block.items]
    width = max((block.width for block in present), default=0.0)
    items: list[Placed] = []
    y = 0.0
    for block in present:
        items += block.moved((width - block.width) / 2, y)
        y += block.height + gap
    return Block(width, max(0.0, y - gap), tuple(items))


def gridded(blocks: Sequence[Block], gap: float = GAP, columns: int = 0) -> Block:
    """Blocks in rows of `columns`, by default as many as make a wide sheet."""
    if not blocks:
        return Block()
    if not columns:
        width = max(block.width for block in blocks) + gap
        height = sum(block.height for block in blocks) / len(blocks) + gap
        columns = columns_for(len(blocks), width, height)
    rows = [blocks[start : start + columns] for start in range(0, len(blocks), columns)]
    lines = [beside(row, gap) for row in rows]
    width = max(line.width for line in lines)
    items: list[Placed] = []
    y = 0.0
    for line in lines:
        items += line.moved(0.0, y)
        y += line.height + gap
    return Block(width, y - gap, tuple(items))


def spread_row(blocks: Sequence[Block], width: float, widest: float) -> Block:
    """Blocks in a row over `width`, their gaps at most `widest`, in several rows if too many."""
    if not blocks:
        return Block()
    each = max(block.width for block in blocks)
    per_row = max(1, min(len(blocks), int((width + GAP) // (each + GAP))))
    lines = math.ceil(len(blocks) / per_row)
    per_row = math.ceil(len(blocks) / lines)
    spare = (width - per_row * each) / max(1, per_row - 1)
    return (
        gridded(blocks, max(GAP, min(spare, widest)), per_row)
        if lines == 1
        else stacked(
            [
                beside(blocks[i : i + per_row], max(GAP, min(spare, widest)))
                for i in range(0, len(blocks), per_row)
            ],
            3 * GAP,
        )
    )
