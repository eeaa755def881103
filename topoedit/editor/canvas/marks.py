"""Marks of findings on the drawing: which one is under the pointer, where that of an element is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topoedit.editor.canvas.overlay import overlay_of
from topoedit.render.overlay import MarkPlace, finding_marks
from topoedit.render.two_way import point_along, stroke_pixels

if TYPE_CHECKING:
    from topoedit.editor.canvas.stage import Stage


def _places(stage: Stage) -> list[MarkPlace]:
    scene = stage.scene.for_scale(stage.view.scale)
    return list(finding_marks(scene, stage.view, overlay_of(stage)))


def mark_under(stage: Stage, px: float, py: float) -> str:
    """The element whose mark is at a pixel, "" for none."""
    if not stage.session.rules.marks:
        return ""
    held = [place for place in _places(stage) if place.holds(px, py)]
    nearest = min(held, key=lambda p: abs(p.x - px) + abs(p.y - py), default=None)
    return "" if nearest is None else nearest.element


def mark_of(stage: Stage, element: str) -> tuple[float, float] | None:
    """Where the mark of an element is or would be, in pixels; None for one that is not drawn."""
    for place in _places(stage):
        if place.element == element:
            return place.x, place.y
    scene, view = stage.scene.for_scale(stage.view.scale), stage.view
    box = scene.rect_of(element)
    if box is not None:
        return view.to_pixels(box[2], box[1])
    row = scene.links.row.get(element)
    stroke = -1 if row is None else int(scene.strokes.of_link[row])
    if stroke < 0:
        return None
    return point_along(stroke_pixels(scene, view, stroke, curved=False), 0.5)
