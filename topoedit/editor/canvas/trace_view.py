"""The paths of a trace over the picture: the one in front bright, the others in outline."""

from __future__ import annotations

import numpy as np

from topoedit.editor.trace_state import TraceState
from topoedit.render import links
from topoedit.render.ink import Ink
from topoedit.render.scene import DiagramScene
from topoedit.render.two_way import polyline, stroke_pixels
from topoedit.render.view import Level, View

MOST = 600
"""Lines lit; a path through more equal links than that shows the first ones."""
FRONT, OTHERS = 3.0, 1.5
VEIL = 0.55


def paint_trace(ink: Ink, scene: DiagramScene, view: View, trace: TraceState) -> None:
    """Light up the links of a trace; everything else recedes."""
    if trace.answer is None:
        return
    scene = scene.for_scale(view.scale)
    front, others = _strokes(scene, trace.front_links), _strokes(scene, trace.other_links)
    if not front and not others:
        return
    ink.painter.setOpacity(VEIL)
    ink.box(0, 0, view.width, view.height, "canvas.bg")
    ink.painter.setOpacity(1.0)
    near = view.level >= Level.NEAR
    curved = near and links.is_curved(view, len(links.visible_strokes(scene, view)))
    lit = set(front)
    for strokes, color, extra in (
        ([s for s in others if s not in lit], "selection.halo", OTHERS),
        (front, "accent.base", FRONT),
    ):
        for stroke in strokes[:MOST]:
            path = polyline(stroke_pixels(scene, view, stroke, curved))
            ink.path(path, color, extra, round_=True)
    _paint_ends(ink, scene, view, [*front, *others][:MOST])


def _strokes(scene: DiagramScene, ids: tuple[str, ...]) -> list[int]:
    """Lines that stand for links, in their order, each once."""
    rows = (scene.links.row[i] for i in ids if i in scene.links.row)
    return list(dict.fromkeys(s for r in rows if (s := int(scene.strokes.of_link[r])) >= 0))


def _paint_ends(ink: Ink, scene: DiagramScene, view: View, strokes: list[int]) -> None:
    """A ring around every device that a path goes through."""
    nodes = np.unique(np.concatenate((scene.strokes.a[strokes], scene.strokes.b[strokes])))
    for node in nodes.tolist():
        left, top, right, bottom = scene.rects[:, scene.shown_node(node)].tolist()
        x, y = view.to_pixels(left, top)
        wide, high = (right - left) * view.scale, (bottom - top) * view.scale
        ink.box(x - 2, y - 2, wide + 4, high + 4, None, "accent.base", 5, 1.5)
