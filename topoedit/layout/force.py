"""Springs: linked bodies pull, all bodies push (Fruchterman and Reingold, 1991), then tidied.

Bodies of different size push from their edges rather than their centres. The start is drawn with a
fixed seed, so that the same drawing always gives the same picture, and the number of steps falls
with the number of bodies, so that the time is bounded: above `_EXACT` bodies each step samples as
many of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from topoedit.layout.bodies import Body, Edges, Point, arrange_bodies
from topoedit.layout.sizes import FAN
from topoedit.layout.tidy import separate
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_SEED = 7
_EXACT = 600
_WORK = 3e7  # pairs of bodies in all steps
_MOST_STEPS, _FEWEST_STEPS = 300, 25
_GRAVITY = 0.04


def arrange(document: Document, ids: Iterable[str] = ()) -> MoveDevices:
    """Devices and containers as a spring model settles, container by container.

    Args:
        document: the drawing.
        ids: devices to arrange, all of them if there are none; locked ones stay and hold.
    """
    return arrange_bodies(document, ids, "Arrange by springs", place)


def place(bodies: Sequence[Body], edges: Edges) -> list[Point]:
    """Centres after the springs have settled, without overlaps."""
    return separate(bodies, settle(bodies, edges))


def settle(bodies: Sequence[Body], edges: Edges) -> list[Point]:
    """Centres after the springs have settled."""
    count = len(bodies)
    if count < 2:
        return [(body.x, body.y) for body in bodies]
    radius = np.array([math.hypot(b.width, b.height) / 2 for b in bodies])
    spring = float(2 * radius.mean() + FAN)
    fixed = np.array([body.fixed for body in bodies])
    home = np.array([(body.x, body.y) for body in bodies])
    centre = home[fixed].mean(axis=0) if fixed.any() else np.zeros(2)
    random = np.random.default_rng(_SEED)
    at = centre + random.normal(0.0, spring * math.sqrt(count) / 2, (count, 2))
    at[fixed] = home[fixed]
    pairs = np.array(list(edges), np.int64).reshape(-1, 2)
    pull = np.log1p(np.array(list(edges.values()), np.float64))
    pull = pull / pull.max(initial=1.0)
    sample = min(count, _EXACT)
    steps = int(np.clip(_WORK / (count * sample), _FEWEST_STEPS, _MOST_STEPS))
    for step in range(steps):
        force = _push(at, radius, spring, sample, random)
        _pull(force, at, radius, spring, pairs, pull)
        force += _GRAVITY * (centre - at) * spring / 100
        force[fixed] = 0.0
        heat = spring * math.sqrt(count) * 0.2 * (1 - step / steps) ** 1.5
        length = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
        at += force * (np.minimum(length, heat) / length)[:, None]
    return [(float(x), float(y)) for x, y in at]


def _push(
    at: Floats, radius: Floats, spring: float, sample: int, random: np.random.Generator
) -> Floats:
    """Force on each body away from the others, or from a sample of them."""
    count = len(at)
    others = np.arange(count) if sample == count else random.choice(count, sample, replace=False)
    x, y = at[:, 0].astype(np.float32), at[:, 1].astype(np.float32)
    far_x, far_y, size = x[others], y[others], radius.astype(np.float32)
    distance = np.sqrt((x[:, None] - far_x) ** 2 + (y[:, None] - far_y) ** 2)
    np.maximum(distance, np.float32(1e-3), out=distance)
    gap = np.maximum(distance - (size[:, None] + size[others]), np.float32(0.05 * spring))
    strength = np.float32(spring**2) / (gap * distance)
    strength[others, np.arange(len(others))] = 0.0
    whole = strength.sum(axis=1)
    force = np.stack([x * whole - strength @ far_x, y * whole - strength @ far_y], axis=1)
    return force.astype(np.float64) * (count / sample)


def _pull(
    force: Floats, at: Floats, radius: Floats, spring: float, pairs: Ints, pull: Floats
) -> None:
    """Add the force of the links, which hold bodies a spring's length from edge to edge."""
    if not len(pairs):
        return
    a, b = pairs[:, 0], pairs[:, 1]
    apart = at[b] - at[a]
    distance = np.maximum(np.hypot(apart[:, 0], apart[:, 1]), 1e-6)
    gap = np.maximum(distance - radius[a] - radius[b], 0.0)
    moved = apart * (pull * gap**2 / spring / distance)[:, None]
    np.add.at(force, a, moved)
    np.subtract.at(force, b, moved)
