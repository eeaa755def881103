"""Rings about the highest tier: cores or spines in the middle, servers on the outermost ring.

A body's ring is its distance in links from the highest tier; on its ring it stands as near as can
be to the mean direction of its neighbours further in.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from topoedit.layout.bodies import Body, Edges, Point, arrange_bodies
from topoedit.layout.clos import tiers_of
from topoedit.layout.sizes import FAN, GAP
from topoedit.layout.tidy import separate
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices


def arrange(document: Document, ids: Iterable[str] = ()) -> MoveDevices:
    """Devices and containers on rings, container by container.

    Args:
        document: the drawing.
        ids: devices to arrange, all of them if there are none; locked ones stay.
    """
    tiers = tiers_of(document)

    def place(bodies: Sequence[Body], edges: Edges) -> list[Point]:
        highest = [min(tiers[device] for device, _, _ in body.items) for body in bodies]
        return separate(bodies, rings(bodies, edges, highest))

    return arrange_bodies(document, ids, "Arrange in rings", place)


def rings(bodies: Sequence[Body], edges: Edges, tiers: Sequence[int]) -> list[Point]:
    """Centres on rings about (0, 0).

    Args:
        bodies: what to place, in the order in which equals stand.
        edges: cables between them.
        tiers: the tier of each; the least number is the middle.
    """
    if not bodies:
        return []
    near = _neighbours(edges)
    depth = _depths(len(bodies), near, tiers)
    members: dict[int, list[int]] = defaultdict(list)
    for index, ring in enumerate(depth):
        members[ring].append(index)
    angle: dict[int, float] = {}
    centres: dict[int, Point] = {}
    radius = 0.0
    for ring in sorted(members):
        row = _ordered(members[ring], near, angle)
        radius = _radius(bodies, row, radius, first=ring == 0)
        turn = _turn(row, near, angle)
        for place, index in enumerate(row):
            angle[index] = turn + 2 * math.pi * place / len(row)
            # the ring starts at the top
            x, y = math.sin(angle[index]), -math.cos(angle[index])
            centres[index] = (radius * x, radius * y)
        radius += max(_reach(bodies[index]) for index in row) / 2
    return [centres[index] for index in range(len(bodies))]


def _neighbours(edges: Edges) -> Mapping[int, dict[int, float]]:
    near: dict[int, dict[int, float]] = defaultdict(dict)
    for (a, b), cables in edges.items():
        near[a][b] = near[b][a] = cables
    return near


def _depths(count: int, near: Mapping[int, dict[int, float]], tiers: Sequence[int]) -> list[int]:
    """Ring of each body; parts without a link to the middle start rings of their own."""
    depth = [-1] * count
    while True:
        left = [index for index in range(count) if depth[index] < 0]
        if not left:
            return depth
        part = _reached(left[0], near) if max(depth) >= 0 else set(left)
        highest = min(tiers[index] for index in part)
        frontier = [index for index in part if tiers[index] == highest]
        ring = 0 if max(depth) < 0 else 1
        while frontier:
            for index in frontier:
                depth[index] = ring
            ring += 1
            frontier = sorted({n for i in frontier for n in near.get(i, {}) if depth[n] < 0})


def _reached(start: int, near: Mapping[int, dict[int, float]]) -> set[int]:
    found, todo = {start}, [start]
    while todo:
        for other in near.get(todo.pop(), {}):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def _mean_direction(
    index: int, near: Mapping[int, dict[int, float]], angle: Mapping[int, float]
) -> float | None:
    """Mean angle of the placed neighbours, weighted by cables; None if they cancel out."""
    placed = [(angle[n], w) for n, w in near.get(index, {}).items() if n in angle]
    x = sum(w * math.cos(a) for a, w in placed)
    y = sum(w * math.sin(a) for a, w in placed)
    whole = sum(w for _, w in placed)
    if whole == 0 or math.hypot(x, y) < 1e-6 * whole:
        return None
    return math.atan2(y, x) % (2 * math.pi)


def _ordered(
    row: Sequence[int], near: Mapping[int, dict[int, float]], angle: Mapping[int, float]
) -> list[int]:
    wanted = {index: _mean_direction(index, near, angle) for index in row}
    # rounding lets servers of one leaf keep the order of their names
    return sorted(row, key=lambda i: (round(wanted[i] or 0.0, 6), i))


def _turn(
    row: Sequence[int], near: Mapping[int, dict[int, float]], angle: Mapping[int, float]
) -> float:
    """The turn of a ring that brings its bodies nearest to where they would stand."""
    offsets = [
        wanted - 2 * math.pi * place / len(row)
        for place, index in enumerate(row)
        if (wanted := _mean_direction(index, near, angle)) is not None
    ]
    if not offsets:
        return 0.0
    return float(np.angle(np.exp(1j * np.array(offsets)).sum()))


def _reach(body: Body) -> float:
    return math.hypot(body.width, body.height)


def _radius(bodies: Sequence[Body], row: Sequence[int], inside: float, *, first: bool) -> float:
    """Radius of a ring: beyond the one inside it, and long enough for its bodies."""
    widest = max(_reach(bodies[index]) for index in row)
    chord = widest + GAP
    around = chord / (2 * math.sin(math.pi / len(row))) if len(row) > 1 else 0.0
    return around if first else max(around, inside + widest / 2 + FAN)
