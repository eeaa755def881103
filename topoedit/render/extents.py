"""How far a drawing, or a part of it, reaches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from topoedit.model.layers import HIDDEN
from topoedit.render.facts import note_box
from topoedit.render.grouping import Box
from topoedit.render.tables import Bools

if TYPE_CHECKING:
    from topoedit.render.scene import DiagramScene

EMPTY_BOUNDS: Box = (0.0, 0.0, 800.0, 500.0)


def bounds(scene: DiagramScene, ids: Iterable[str] | None = None) -> Box:
    """The box around everything, or around some elements; a default for an empty drawing."""
    if ids is not None:
        boxes = [box for i in ids if (box := _extent(scene, i)) is not None]
    else:
        boxes = [note_box(note) for note in scene.notes.values()]
        shown = _shown_nodes(scene)
        if shown.any():
            left, top, right, bottom = scene.rects[:, shown]
            boxes.append(
                (float(left.min()), float(top.min()), float(right.max()), float(bottom.max()))
            )
    if not boxes:
        return EMPTY_BOUNDS
    left_, top_, right_, bottom_ = zip(*boxes, strict=True)
    return min(left_), min(top_), max(right_), max(bottom_)


def _shown_nodes(scene: DiagramScene) -> Bools:
    """Nodes that no layer hides, whether a closed group holds them or not."""
    groups = np.array([not g.empty for g in scene.grouping.groups], dtype=np.bool_)
    return np.concatenate((scene.states.device != HIDDEN, groups))


def _extent(scene: DiagramScene, element_id: str) -> Box | None:
    row = scene.links.row.get(element_id)
    if row is None:
        return scene.rect_of(element_id)
    ends = scene.rects[:, scene.grouping.node[[scene.links.a[row], scene.links.b[row]]]]
    left, top, right, bottom = ends
    return float(left.min()), float(top.min()), float(right.max()), float(bottom.max())
