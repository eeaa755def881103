"""Rank placement on the canvas: the groups of the rank picked, and rank numbers close up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from topoedit.editor.rank_words import place_words, rank_words
from topoedit.render.gpu_cells import gpu_at
from topoedit.render.ink import Ink
from topoedit.render.rank_marks import (
    RankMarks,
    devices_inside_view,
    paint_marks,
    paint_rank_numbers,
)
from topoedit.render.scene import DiagramScene
from topoedit.render.view import View
from topoedit.units import format_number

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage
    from topoedit.editor.rank_state import RankState

NOTHING = RankMarks()


def paint_ranks(ink: Ink, scene: DiagramScene, view: View, state: RankState) -> None:
    """Numbers of the ranks close up, and what is lit."""
    found = state.map
    if found is None:
        return
    shown = devices_inside_view(scene, view)
    if shown:
        paint_rank_numbers(ink, scene, view, {device: found.ranks_on(device) for device in shown})
    paint_marks(ink, scene, view, state.marks)


def rank_lines(stage: Stage, device: str) -> tuple[str, ...]:
    """What the card of a device says of its ranks: of the GPU under the pointer, or of all."""
    found = stage.session.ranks.map
    ranks = [] if found is None else found.ranks_on(device).tolist()
    used = np.array([rank for rank in ranks if rank >= 0], np.int32)
    if found is None or not ranks:
        return ()
    index = gpu_at(stage.scene, stage.view, device, stage.pointer.x(), stage.pointer.y())
    if index is not None and index < len(ranks):
        if ranks[index] < 0:
            return (f"GPU {index}: idle in this plan",)
        one = np.array([ranks[index]], np.int32)
        return (f"GPU {index}: {rank_words(one)}", place_words(found, one))
    if not len(used):
        return ("No rank of this plan",)
    return (rank_words(used).capitalize(), place_words(found, used))


def marks_of(state: RankState) -> RankMarks:
    """What a rank and the groups chosen light up."""
    found, rank = state.map, state.rank
    if found is None or rank is None:
        return NOTHING
    devices: dict[str, tuple[str, ...]] = {}
    cells: dict[str, dict[int, tuple[str, ...]]] = {}
    for name, ranks in state.lit.items():
        rows = found.rows_of(ranks)
        devices[name] = tuple(found.devices[row] for row in dict.fromkeys(rows.tolist()))
        local = found.gpu_of_rank[ranks] - found.first[rows]
        for row, index in zip(rows.tolist(), local.tolist(), strict=True):
            here = cells.setdefault(found.devices[row], {})
            here[index] = (*here.get(index, ()), name)
    return RankMarks(
        devices,
        cells,
        found.device_of(rank),
        f"Rank {format_number(rank)}",
        state.links,
        state.group,
    )
