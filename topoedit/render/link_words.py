"""What plates on lines say."""

from __future__ import annotations

import numpy as np

from topoedit.render.loadscale import DOWN, NO_DATA
from topoedit.render.scene import DiagramScene
from topoedit.render.tables import Bools, Ints
from topoedit.units import format_number, format_percent

LONGEST_LABEL = 40
MOST_LABELLED = 1500
"""Among more visible lines than these nobody looks for what is written on one."""


def worst_load(scene: DiagramScene, stroke: int) -> float:
    """The higher load of both directions of a line, -1 if neither is known."""
    return max((load for load in scene.stroke_load(stroke) if load == load), default=-1.0)


def stroke_label(scene: DiagramScene, stroke: int) -> str:
    """What the plate of a line says: its label, its worst load and how many cables it is."""
    load = worst_load(scene, stroke)
    code = scene.strokes.worst_of(stroke)
    parts = ["failed"] if code == DOWN else [] if load < 0 else [format_percent(load)]
    if code == NO_DATA and _is_unknown(scene, stroke):
        parts = ["rate unknown"]
    if label := link_label(scene, stroke):
        parts.insert(0, label)
    count = int(scene.strokes.count[stroke])
    if count > 1:
        parts.append(f"×{format_number(count)}")
    return " · ".join(parts)


def _is_unknown(scene: DiagramScene, stroke: int) -> bool:
    return bool(np.isnan(scene.links.gbps[scene.links_at(stroke)]).any())


def link_label(scene: DiagramScene, stroke: int) -> str:
    """What a person has written on the link of a line; "" for a line of several links."""
    if scene.strokes.links[stroke] != 1:
        return ""
    text = scene.document.links[scene.links.ids[int(scene.strokes.link[stroke])]].label
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…"


def labelled(scene: DiagramScene, rows: Ints) -> Bools:
    """Lines on whose link a person has written something."""
    if len(rows) > MOST_LABELLED:
        return np.zeros(len(rows), np.bool_)
    return np.array([bool(link_label(scene, row)) for row in rows.tolist()], dtype=np.bool_)


def both_ways(scene: DiagramScene, stroke: int) -> str:
    """Both loads of a line, each with an arrow that points where the traffic goes."""
    x1, y1, x2, y2 = scene.strokes.seg[stroke].tolist()
    upright = abs(y2 - y1) >= abs(x2 - x1)
    ahead = y2 < y1 if upright else x2 < x1
    first, second = ("↑", "↓") if upright else ("←", "→")
    forward, backward = scene.stroke_load(stroke)
    one, other = (forward, backward) if ahead else (backward, forward)
    return f"{first} {format_percent(one)}  {second} {format_percent(other)}"
