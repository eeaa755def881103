"""A line close up: one stroke a direction with its arrow, and the halo of a selected one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtGui import QPainterPath

from topoedit.render.curves import Points, sample_stroke
from topoedit.render.ink import Ink
from topoedit.render.loadscale import DOWN, NO_DATA
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import number
from topoedit.render.view import View

_DASH: Mapping[int, tuple[float, ...]] = {NO_DATA: (1.0, 4.0), DOWN: (2.0, 3.0)}
"""Lines without data are dots, lines that carry nothing for good are wider ones."""


def stroke_pixels(scene: DiagramScene, view: View, stroke: int, curved: bool) -> Points:
    """Points along a line in pixels."""
    x1, y1, x2, y2 = scene.strokes.seg[stroke].tolist()
    length = (abs(x2 - x1) + abs(y2 - y1)) * view.scale
    count = int(min(max(length / 8, 17), 240))  # a corner every 8 pixels is not seen
    points = sample_stroke(scene, stroke, curved, count)
    scaled: Points = (points - (view.x, view.y)) * view.scale
    return scaled


def point_along(points: Points, share: float) -> tuple[float, float]:
    """The point at a share of the length of a polyline."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    reached = np.concatenate(([0.0], np.cumsum(steps)))
    at = share * float(reached[-1])
    x, y = (float(np.interp(at, reached, points[:, axis])) for axis in (0, 1))
    return x, y


def polyline(points: Points) -> QPainterPath:
    """A path through points."""
    path = QPainterPath()
    path.moveTo(*points[0].tolist())
    for x, y in points[1:].tolist():
        path.lineTo(x, y)
    return path


def shifted(points: Points, distance: float) -> Points:
    """A polyline moved sideways: to the left of its direction for a positive distance."""
    along = np.gradient(points, axis=0) if len(points) > 2 else np.diff(points, axis=0)[[0, 0]]
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    normal = np.column_stack((along[:, 1], -along[:, 0])) / length[:, None]
    moved: Points = points + distance * normal
    return moved


def draw_two_way(ink: Ink, scene: DiagramScene, view: View, stroke: int, curved: bool) -> None:
    """Both directions of a line, each with an arrow, in the colours of their loads."""
    points = stroke_pixels(scene, view, stroke, curved)
    width = min(float(scene.strokes.width[stroke]), 3.0)
    apart = (number("link.flow_pitch") + width) / 2
    codes = (int(scene.strokes.forward[stroke]), int(scene.strokes.backward[stroke]))
    for code, side, line in zip(codes, (-1, 1), (points, points), strict=True):
        color = ink.theme.load_color(code)
        path = shifted(line, side * apart)
        ink.path(polyline(path), color, width, _DASH.get(code, ()))
        if code == DOWN:
            continue
        ink.polygon(_arrow(path if side < 0 else path[::-1]), color)


def draw_plain(ink: Ink, scene: DiagramScene, view: View, stroke: int, curved: bool) -> None:
    """A line as one stroke in the colour of its higher load."""
    code = max(int(scene.strokes.forward[stroke]), int(scene.strokes.backward[stroke]))
    path = polyline(stroke_pixels(scene, view, stroke, curved))
    ink.path(
        path, ink.theme.load_color(code), float(scene.strokes.width[stroke]), _DASH.get(code, ())
    )


def _arrow(points: Points, share: float = 0.8) -> list[tuple[float, float]]:
    """A triangle that points along a polyline, at a share of its length."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    reached = np.r_[0.0, np.cumsum(steps)]
    at = share * reached[-1]
    leg = int(np.clip(np.searchsorted(reached, at) - 1, 0, len(steps) - 1))
    along = (points[leg + 1] - points[leg]) / max(steps[leg], 1e-9)
    tip = points[leg] + along * (at - reached[leg] + 4)
    back, side = tip - 8 * along, 4.5 * np.array([along[1], -along[0]])
    return [tuple(p) for p in (tip, back + side, back - side)]


def draw_halo(ink: Ink, scene: DiagramScene, view: View, stroke: int, curved: bool) -> None:
    """The halo of a selected line: 3 pixels of accent beyond a gap of 2."""
    path = polyline(stroke_pixels(scene, view, stroke, curved))
    width = float(scene.strokes.width[stroke])
    ink.path(path, ink.theme.color("selection.stroke", 0.42), width + 9, round_=True)
    ink.path(path, "canvas.bg", width + 3, round_=True)
