"""The shape of a line: straight, a curve that leaves its devices upright, or a manual route."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topoedit.render.anchors import BOTTOM, LEFT, RIGHT, TOP
from topoedit.render.scene import DiagramScene

Point = tuple[float, float]
Cubic = tuple[Point, Point, Point, Point]
Points = NDArray[np.float64]

TANGENT = 0.45
"""Length of a curve's tangents as a share of its span."""
_OUT: dict[int, Point] = {TOP: (0, -1), BOTTOM: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}
_SAMPLES = 49


def cubic(x1: float, y1: float, x2: float, y2: float, side_a: int, side_b: int) -> Cubic:
    """The curve from one edge to another, square to both."""
    out_a, out_b = _OUT[side_a], _OUT[side_b]
    vertical = side_a in (TOP, BOTTOM)
    span = abs(y2 - y1) if vertical else abs(x2 - x1)
    reach = TANGENT * span
    return (
        (x1, y1),
        (x1 + out_a[0] * reach, y1 + out_a[1] * reach),
        (x2 + out_b[0] * reach, y2 + out_b[1] * reach),
        (x2, y2),
    )


def split(curve: Cubic) -> tuple[Cubic, Cubic]:
    """The two halves of a curve (de Casteljau), the second one running back from its end."""
    p0, p1, p2, p3 = curve
    p01, p12, p23 = _middle(p0, p1), _middle(p1, p2), _middle(p2, p3)
    p012, p123 = _middle(p01, p12), _middle(p12, p23)
    centre = _middle(p012, p123)
    return (p0, p01, p012, centre), (p3, p23, p123, centre)


def _middle(p: Point, q: Point) -> Point:
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2


def sample_cubic(curve: Cubic, count: int = _SAMPLES) -> Points:
    """Points along a curve, shape (count, 2)."""
    t = np.linspace(0, 1, count)[:, None]
    p0, p1, p2, p3 = (np.array(p) for p in curve)
    points: Points = (
        (1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t**2 * p2 + t**3 * p3
    )
    return points


def halves_of_route(points: Sequence[Point]) -> tuple[list[Point], list[Point]]:
    """A route cut at half its length: from its start to there, and from its end to there."""
    route = np.array(points, dtype=np.float64)
    steps = np.hypot(*np.diff(route, axis=0).T)
    reached = np.concatenate(([0.0], np.cumsum(steps)))
    half = reached[-1] / 2
    leg = int(np.clip(np.searchsorted(reached, half) - 1, 0, len(steps) - 1))
    share = (half - reached[leg]) / steps[leg] if steps[leg] else 0.0
    cut = route[leg] + share * (route[leg + 1] - route[leg])
    middle = (float(cut[0]), float(cut[1]))
    return [*points[: leg + 1], middle], [*reversed(points[leg + 1 :]), middle]


def route_of(scene: DiagramScene, stroke: int) -> list[Point] | None:
    """All points of a manual route with its ends; None for a line without one."""
    bends = scene.bends(stroke)
    if not bends:
        return None
    x1, y1, x2, y2 = scene.strokes.seg[stroke].tolist()
    return [(x1, y1), *bends, (x2, y2)]


def curve_of(scene: DiagramScene, stroke: int) -> Cubic:
    """The curve of a line."""
    strokes = scene.strokes
    x1, y1, x2, y2 = strokes.seg[stroke].tolist()
    return cubic(x1, y1, x2, y2, int(strokes.side_a[stroke]), int(strokes.side_b[stroke]))


def sample_stroke(scene: DiagramScene, stroke: int, curved: bool, count: int = _SAMPLES) -> Points:
    """Points along a line as it is drawn; `count` of them on a curve."""
    route = route_of(scene, stroke)
    if route is not None:
        return np.array(route, dtype=np.float64)
    if curved:
        return sample_cubic(curve_of(scene, stroke), count)
    ends: Points = scene.strokes.seg[stroke].reshape(2, 2)
    return ends


def middle_of(scene: DiagramScene, stroke: int, curved: bool) -> Point:
    """The point at half the length of a line, where its label stands."""
    route = route_of(scene, stroke)
    if route is not None:
        return halves_of_route(route)[0][-1]
    if curved:
        return split(curve_of(scene, stroke))[0][3]
    x1, y1, x2, y2 = scene.strokes.seg[stroke].tolist()
    return (x1 + x2) / 2, (y1 + y2) / 2
