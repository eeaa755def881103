"""Orthogonal routes of links around devices, as waypoints.

A route leaves its device upright to the edge that faces the other end, and follows the lines that
run `CLEARANCE` beside the boxes (the orthogonal visibility grid of Wybrow, Marriott and Stuckey,
Orthogonal Connector Routing, Graph Drawing 2009). A* finds the way with the least sum of length and
`BEND` for each corner; routes that share a line are then put side by side.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from topoedit.layout.bodies import Point
from topoedit.layout.sizes import size
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Link

Side = Literal["top", "right", "bottom", "left"]
Floats = NDArray[np.float64]
Key = TypeVar("Key")

CLEARANCE = 12.0
BEND = 60.0
LANE = 6.0
_CLOSE = 1.02  # a line beside a box costs so much more than one half-way between the ends
_AROUND = 160.0  # how far beyond its two ends a route may turn out
_MOST_NODES = 250_000
_MOST_STEPS = 60_000
_PITCH, _EDGE = 18.0, 6.0  # ports on one edge of a box, as the picture spreads them
_OUT: Mapping[Side, tuple[float, float]] = {
    "top": (0.0, -1.0), "right": (1.0, 0.0), "bottom": (0.0, 1.0), "left": (-1.0, 0.0),
}  # fmt: skip


@dataclass(frozen=True)
class Exit:
    """Where a link meets its device: a point on an edge of its box."""

    x: float
    y: float
    side: Side

    @property
    def out(self) -> Point:
        """The point straight out, clear of the box."""
        dx, dy = _OUT[self.side]
        return self.x + dx * CLEARANCE, self.y + dy * CLEARANCE


Ends = Mapping[str, tuple[Exit, Exit]]
"""Link id -> where it meets its `a` and its `b` device."""


def route(
    document: Document, ids: Iterable[str], *, again: bool = False, ends: Ends | None = None
) -> Edit:
    """An edit that gives links waypoints around devices.

    A link that cannot be routed, needs no corner or has waypoints already keeps what it has.

    Args:
        document: the drawing.
        ids: links to route; other ids are passed over.
        again: route links with waypoints anew.
        ends: where links meet their devices, as a picture has them; by default spread evenly
            over the edges that face the other ends.
    """
    links = [document.links[i] for i in ids if i in document.links]
    links = [link for link in links if again or not link.via]
    links = [link for link in links if link.a.device != link.b.device]
    boxes = _Boxes(document)
    exits = boxes.exits(links) if ends is None else ends
    found = route_all({i.id: exits[i.id] for i in links if i.id in exits}, boxes.rects)
    changed = []
    for link in links:
        via = tuple((round(x, 1), round(y, 1)) for x, y in found.get(link.id, ())[1:-1])
        if link.id in found and via != link.via:
            changed.append(replace(link, via=via))
    noun = "1 link" if len(changed) == 1 else f"{len(changed)} links"
    return Edit(f"Route {noun} around devices", put=tuple(changed))


def route_all(ends: Mapping[Key, tuple[Exit, Exit]], rects: Floats) -> dict[Key, list[Point]]:
    """Corners of many routes, both ends included, side by side where they share a line.

    Args:
        ends: where each begins and ends; what cannot be routed is left out of the result.
        rects: (n, 4) left, top, right and bottom of all boxes.
    """
    found: dict[Key, list[Point]] = {}
    for key, pair in ends.items():
        path = find_path(*pair, rects)
        if path is not None:
            found[key] = path
    _side_by_side(list(found.values()), rects)
    return found


class _Boxes:
    """The boxes of all devices and where links meet them."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.rects: Floats = np.zeros((len(document.devices), 4))
        self._row: dict[str, int] = {}
        for row, device in enumerate(document.devices.values()):
            width, height = size(device.kind, document.device_type(device).trays)
            x, y = device.x, device.y
            self.rects[row] = x - width / 2, y - height / 2, x + width / 2, y + height / 2
            self._row[device.id] = row

    def exits(self, links: Sequence[Link]) -> Ends:
        """Ends spread evenly over the facing edges, in the order of the devices they lead to."""
        wanted = {link.id for link in links}
        offsets: dict[tuple[str, str], Exit] = {}
        for device in {end.device for link in links for end in (link.a, link.b)}:
            for link_id, found in self._around(device).items():
                if link_id in wanted:
                    offsets[link_id, device] = found
        return {
            link.id: (offsets[link.id, link.a.device], offsets[link.id, link.b.device])
            for link in links
        }

    def _around(self, device: str) -> dict[str, Exit]:
        """Where all links of a device meet it."""
        by_side: dict[Side, list[tuple[float, int, str]]] = defaultdict(list)
        left, top, right, bottom = self.rects[self._row[device]].tolist()
        for number, link_id in enumerate(self._document.links_of(device)):
            other = self.rects[self._row[self._document.links[link_id].other(device)]]
            side = _facing((left, top, right, bottom), other.tolist())
            upright = side in ("top", "bottom")
            far = float(other[0] + other[2]) if upright else float(other[1] + other[3])
            by_side[side].append((far, number, link_id))
        found = {}
        for side, row in by_side.items():
            upright = side in ("top", "bottom")
            length = right - left if upright else bottom - top
            pitch = min(_PITCH, (length - 2 * _EDGE) / len(row))
            for place, (_, _, link_id) in enumerate(sorted(row)):
                shift = (place - (len(row) - 1) / 2) * pitch
                x = (left + right) / 2 + shift if upright else (right if side == "right" else left)
                y = (top if side == "top" else bottom) if upright else (top + bottom) / 2 + shift
                found[link_id] = Exit(x, y, side)
        return found


def _facing(here: Sequence[float], there: Sequence[float]) -> Side:
    """The edge of a box that faces another: above or below wherever there is a gap."""
    if here[1] - there[3] >= 8:
        return "top"
    if there[1] - here[3] >= 8:
        return "bottom"
    return "right" if there[0] + there[2] >= here[0] + here[2] else "left"


def find_path(a: Exit, b: Exit, rects: Floats) -> list[Point] | None:
    """Corners of the way from one exit to another, both included; None if there is none.

    Args:
        a: where it starts.
        b: where it ends.
        rects: (n, 4) left, top, right and bottom of all boxes.
    """
    start, goal = a.out, b.out
    grid = _Grid.around(start, goal, rects)
    if grid is None:
        return None
    steps = grid.search(start, goal, _OUT[a.side], _OUT[b.side])
    if steps is None:
        return None
    return _corners([(a.x, a.y), *steps, (b.x, b.y)])


@dataclass(frozen=True, eq=False)
class _Grid:
    """Lines beside boxes, and which pieces of them a box covers.

    Attributes:
        xs, ys: the lines.
        across: (len(xs) - 1, len(ys)) piece from xs[i] to xs[i + 1] on ys[j] is covered.
        down: (len(xs), len(ys) - 1) piece from ys[j] to ys[j + 1] on xs[i] is covered.
        open_lines: lines half-way between the two ends: of `ys`, of `xs`.
    """

    xs: list[float]
    ys: list[float]
    across: NDArray[np.bool_]
    down: NDArray[np.bool_]
    open_lines: tuple[list[bool], list[bool]]

    @classmethod
    def around(cls, start: Point, goal: Point, rects: Floats) -> _Grid | None:
        """The grid of the boxes near two points; None if that is too fine to search."""
        low = np.minimum(start, goal) - _AROUND
        high = np.maximum(start, goal) + _AROUND
        grown = rects + np.array([-CLEARANCE, -CLEARANCE, CLEARANCE, CLEARANCE])
        near = grown[(grown[:, :2] < high).all(axis=1) & (grown[:, 2:] > low).all(axis=1)]
        middle = np.round([(start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2], 3)
        xs = np.unique(np.round([*near[:, 0], *near[:, 2], start[0], goal[0], middle[0]], 3))
        ys = np.unique(np.round([*near[:, 1], *near[:, 3], start[1], goal[1], middle[1]], 3))
        if len(xs) * len(ys) > _MOST_NODES:
            return None
        across = np.zeros((len(xs) - 1, len(ys)), bool)
        down = np.zeros((len(xs), len(ys) - 1), bool)
        edge = np.round(near, 3)
        first_x, last_x = np.searchsorted(xs, edge[:, 0]), np.searchsorted(xs, edge[:, 2])
        first_y, last_y = np.searchsorted(ys, edge[:, 1]), np.searchsorted(ys, edge[:, 3])
        places = np.stack([first_x, first_y, last_x, last_y], axis=1).tolist()
        for left, top, right, bottom in places:
            across[left:right, top + 1 : bottom] = True
            down[left + 1 : right, top:bottom] = True
        open_lines = ((ys == middle[1]).tolist(), (xs == middle[0]).tolist())
        return cls(xs.tolist(), ys.tolist(), across, down, open_lines)

    def _place(self, point: Point) -> tuple[int, int]:
        x, y = (
            np.searchsorted(self.xs, round(point[0], 3)),
            np.searchsorted(self.ys, round(point[1], 3)),
        )
        return int(x), int(y)

    def search(
        self, start: Point, goal: Point, leaving: Point, arriving: Point
    ) -> list[Point] | None:
        """Points of the cheapest way; `leaving` and `arriving` are the outward directions."""
        first, last = self._place(start), self._place(goal)
        into = (-arriving[0], -arriving[1])
        begin = (*first, int(leaving[0]), int(leaving[1]))
        best: dict[tuple[int, int, int, int], float] = {begin: 0.0}
        came: dict[tuple[int, int, int, int], tuple[int, int, int, int]] = {}
        heap = [(self._rest(first, last), 0.0, begin)]
        for _ in range(_MOST_STEPS):
            if not heap:
                return None
            _, cost, here = heapq.heappop(heap)
            if cost > best[here]:
                continue
            if here[:2] == last and here[2:] == (int(into[0]), int(into[1])):
                return self._back(here, came)
            for there, price in self._next(here, last, into):
                total = cost + price
                if total < best.get(there, np.inf):
                    best[there], came[there] = total, here
                    heapq.heappush(heap, (total + self._rest(there[:2], last), total, there))
        return None

    def _rest(self, here: tuple[int, int], last: tuple[int, int]) -> float:
        """The least that is left to pay."""
        across = abs(self.xs[here[0]] - self.xs[last[0]])
        down = abs(self.ys[here[1]] - self.ys[last[1]])
        return across + down + (BEND if across and down else 0.0)

    def _next(
        self, here: tuple[int, int, int, int], last: tuple[int, int], into: Point
    ) -> Iterable[tuple[tuple[int, int, int, int], float]]:
        x, y, dx, dy = here
        for step_x, step_y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if (step_x, step_y) == (-dx, -dy):
                continue
            to_x, to_y = x + step_x, y + step_y
            if not (0 <= to_x < len(self.xs) and 0 <= to_y < len(self.ys)):
                continue
            covered = self.across[min(x, to_x), y] if step_x else self.down[x, min(y, to_y)]
            if covered:
                continue
            length = abs(self.xs[to_x] - self.xs[x]) + abs(self.ys[to_y] - self.ys[y])
            length *= 1.0 if self.open_lines[int(step_x == 0)][x if step_x == 0 else y] else _CLOSE
            turned = 0.0 if (step_x, step_y) == (dx, dy) else BEND
            yield (to_x, to_y, step_x, step_y), length + turned
        if (x, y) == last and (dx, dy) not in ((int(into[0]), int(into[1])), (-into[0], -into[1])):
            yield (x, y, int(into[0]), int(into[1])), BEND

    def _back(
        self, here: tuple[int, int, int, int],
        came: Mapping[tuple[int, int, int, int], tuple[int, int, int, int]],
    ) -> list[Point]:  # fmt: skip
        points = [(self.xs[here[0]], self.ys[here[1]])]
        while here in came:
            here = came[here]
            points.append((self.xs[here[0]], self.ys[here[1]]))
        return points[::-1]


def _corners(points: Sequence[Point]) -> list[Point]:
    """The points without those on a straight line between their neighbours."""
    kept: list[Point] = []
    for point in points:
        if kept and _close(kept[-1], point):
            continue
        if len(kept) > 1 and _straight(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return kept


def _close(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) < 1e-2 and abs(a[1] - b[1]) < 1e-2


def _straight(a: Point, b: Point, c: Point) -> bool:
    upright = abs(a[0] - b[0]) < 1e-2 and abs(b[0] - c[0]) < 1e-2
    return upright or (abs(a[1] - b[1]) < 1e-2 and abs(b[1] - c[1]) < 1e-2)


def _side_by_side(paths: Sequence[list[Point]], rects: Floats) -> None:
    """Shift pieces between corners that lie on one line and overlap.

    They are `LANE` apart where there is room, else as far as the boxes beside them allow. The first
    and the last piece of a route stay, since they hang on the ports.
    """
    lines: dict[tuple[int, float], list[tuple[float, float, int, int]]] = defaultdict(list)
    for number, path in enumerate(paths):
        for piece in range(1, len(path) - 2):
            (x1, y1), (x2, y2) = path[piece], path[piece + 1]
            axis = 0 if abs(x1 - x2) < 1e-2 else 1
            span = sorted((y1, y2) if axis == 0 else (x1, x2))
            lines[axis, round((x1, y1)[axis], 1)].append((span[0], span[1], number, piece))
    for (axis, line), pieces in sorted(lines.items()):
        lanes = _lanes(pieces)
        middle = max(lanes) / 2
        widest = max(middle, 0.5) * LANE
        low, high = min(p[0] for p in pieces), max(p[1] for p in pieces)
        room = _room(rects, axis, line, widest, (low, high))
        pitch = min(LANE, room / max(middle, 0.5))
        for lane, (_, _, number, piece) in zip(lanes, pieces, strict=True):
            for at in (piece, piece + 1):
                moved = list(paths[number][at])
                moved[axis] += (lane - middle) * pitch
                paths[number][at] = (moved[0], moved[1])


def _room(rects: Floats, axis: int, line: float, wanted: float, span: tuple[float, float]) -> float:
    """How far to either side of a piece of a line no box comes, at most `wanted`."""
    along = (rects[:, 1 - axis] < span[1]) & (rects[:, 3 - axis] > span[0])
    before = line - rects[along, axis + 2]
    after = rects[along, axis] - line
    distance = np.maximum(before, after).min(initial=np.inf)
    return float(min(wanted, max(distance - 2.0, 0.0)))


def _lanes(pieces: Sequence[tuple[float, float, int, int]]) -> list[int]:
    """A lane for each piece of one line, pieces in one lane apart from each other."""
    ends: list[float] = []
    lanes = [0] * len(pieces)
    for index in sorted(range(len(pieces)), key=lambda i: pieces[i]):
        low, high = pieces[index][:2]
        lane = next((n for n, end in enumerate(ends) if end < low - LANE), len(ends))
        if lane == len(ends):
            ends.append(high)
        ends[lane] = high
        lanes[index] = lane
    return lanes
