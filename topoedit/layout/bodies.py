"""Bodies: devices and whole containers as boxes that an arrangement moves, container by container.

A container is arranged inside first and then moved as one box, so that it stays contiguous. Racks
keep their inside, and so does a container with a locked device, which stays where it is.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from topoedit.layout.sizes import MARGIN, PADDING, size
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices
from topoedit.model.ports import natural_key

Point = tuple[float, float]
Edges = Mapping[tuple[int, int], float]
"""Cables between every two bodies that have some; (i, j) with i < j."""


@dataclass(frozen=True)
class Body:
    """A device or a container.

    Attributes:
        id: its id.
        x, y: its centre.
        width, height: its extent, frame and room for the title included.
        items: devices in it with their offsets from the centre.
        fixed: it stays where it is.
    """

    id: str
    x: float
    y: float
    width: float
    height: float
    items: tuple[tuple[str, float, float], ...]
    fixed: bool = False

    def at(self, x: float, y: float) -> Body:
        """The same with another centre."""
        return replace(self, x=x, y=y)


_STILL = 1.0  # units by which all may differ from an arrangement that is there already

Place = Callable[[Sequence[Body], Edges], Sequence[Point]]
"""New centres for some bodies from their sizes and the cables between them."""


def arrange_bodies(document: Document, ids: Iterable[str], label: str, place: Place) -> MoveDevices:
    """Arrange devices container by container; the middle of the whole stays where it was.

    Args:
        document: the drawing.
        ids: devices to arrange, all of them if there are none; a container moves as a whole if
            all its devices are among them.
        label: what the undo menu says.
        place: the arrangement of one container's bodies.
    """
    nest = _Nest(document, ids, place)
    top = nest.arranged("", nest.top)
    moves: dict[str, Point] = {}
    for body in _recentred(nest.top, top):
        for device, dx, dy in () if body.fixed else body.items:
            moves[device] = (round(body.x + dx, 1), round(body.y + dy, 1))
    if all(math.dist(at, _centre(document, i)) < _STILL for i, at in moves.items()):
        return MoveDevices(label, (), (), ())
    changed = [i for i, at in moves.items() if at != _centre(document, i)]
    return MoveDevices(
        label,
        tuple(changed),
        tuple(moves[i][0] for i in changed),
        tuple(moves[i][1] for i in changed),
    )


def _centre(document: Document, device: str) -> Point:
    return document.devices[device].x, document.devices[device].y


def extent(bodies: Iterable[Body]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of some bodies; there must be one."""
    boxes = [
        (b.x - b.width / 2, b.y - b.height / 2, b.x + b.width / 2, b.y + b.height / 2)
        for b in bodies
    ]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _recentred(before: Sequence[Body], after: Sequence[Body]) -> Sequence[Body]:
    """Put the middle of the whole back, unless something is fixed."""
    if not after or any(body.fixed for body in after):
        return after
    old, new = extent(before), extent(after)
    dx, dy = ((old[i] + old[i + 2] - new[i] - new[i + 2]) / 2 for i in (0, 1))
    return [body.at(body.x + dx, body.y + dy) for body in after]


class _Nest:
    """The bodies of a drawing and the cables between those of one container."""

    def __init__(self, document: Document, ids: Iterable[str], place: Place) -> None:
        self._document, self._place = document, place
        chosen = set(ids) or set(document.devices)
        self._whole = {g for g in document.groups if self._covered(g, chosen)}
        outer = [g for g in self._whole if document.groups[g].parent not in self._whole]
        loose = [i for i in chosen if document.devices[i].group not in self._whole]
        self._cables = self._count_cables(chosen)
        bodies = [*(self._group(g) for g in outer), *(self._device(i) for i in loose)]
        self.top = self._sorted(bodies)

    def _covered(self, group: str, chosen: set[str]) -> bool:
        """Whether a container holds devices and all of them are chosen."""
        held = self._held(group)
        return bool(held) and chosen.issuperset(held)

    def _held(self, group: str) -> list[str]:
        found = list(self._document.members(group))
        for inner in self._document.subgroups(group):
            found += self._held(inner)
        return found

    def _sorted(self, bodies: Iterable[Body]) -> list[Body]:
        return sorted(bodies, key=lambda body: (natural_key(self._name(body.id)), body.id))

    def _name(self, body: str) -> str:
        device = self._document.devices.get(body)
        return self._document.groups[body].name if device is None else device.name

    def _chain(self, device: str) -> list[str]:
        """The bodies that hold a device from the outermost in, then itself."""
        chain, group = [device], self._document.devices[device].group
        while group in self._whole:
            chain.append(group)
            group = self._document.groups[group].parent
        return chain[::-1]

    def _count_cables(self, chosen: set[str]) -> dict[str, dict[tuple[str, str], int]]:
        """Container -> two bodies in it -> cables between them."""
        chains = {device: self._chain(device) for device in chosen}
        found: dict[str, dict[tuple[str, str], int]] = defaultdict(lambda: defaultdict(int))
        for link in self._document.links.values():
            a, b = chains.get(link.a.device), chains.get(link.b.device)
            if a is None or b is None or link.a.device == link.b.device:
                continue
            at = next(i for i, (one, other) in enumerate(zip(a, b, strict=False)) if one != other)
            found[a[at - 1] if at else ""][a[at], b[at]] += link.count
        return found

    def arranged(self, parent: str, bodies: Sequence[Body]) -> list[Body]:
        """The bodies of one container at their new places."""
        if len(bodies) < 2 and parent:
            return list(bodies)
        row = {body.id: index for index, body in enumerate(bodies)}
        edges: dict[tuple[int, int], float] = defaultdict(float)
        for (a, b), cables in self._cables.get(parent, {}).items():
            low, high = sorted((row[a], row[b]))
            edges[low, high] += cables
        places = self._place(bodies, edges)
        return [
            body if body.fixed else body.at(*place)
            for body, place in zip(bodies, places, strict=True)
        ]

    def _device(self, device_id: str) -> Body:
        device = self._document.devices[device_id]
        width, height = size(device.kind, self._document.device_type(device).trays)
        items = ((device_id, 0.0, 0.0),)
        return Body(device_id, device.x, device.y, width, height, items, device.locked)

    def _group(self, group: str) -> Body:
        """A container, its inside arranged unless it keeps it."""
        children = self._children(group)
        fixed = any(child.fixed for child in children) or self._document.groups[group].locked
        if not fixed and self._document.groups[group].kind != "rack":
            children = self.arranged(group, children)
        stands = _framed(group, self._rigid(group), fixed)
        return stands if fixed else _framed(group, children, fixed).at(stands.x, stands.y)

    def _children(self, group: str) -> list[Body]:
        inner = [self._group(g) for g in self._document.subgroups(group) if g in self._whole]
        return self._sorted(
            [*inner, *(self._device(i) for i in self._document.members(group))]
        )  # fmt: skip

    def _rigid(self, group: str) -> list[Body]:
        """What is inside a container, as it stands."""
        inner = [g for g in self._document.subgroups(group) if g in self._whole]
        return [
            *(_framed(g, self._rigid(g), fixed=True) for g in inner),
            *(self._device(i) for i in self._document.members(group)),
        ]


def _framed(group: str, children: Sequence[Body], fixed: bool) -> Body:
    left, top, right, bottom = extent(children)
    x, y = (left + right) / 2, (top + bottom) / 2
    items = tuple(
        (device, child.x + dx - x, child.y + dy - y)
        for child in children
        for device, dx, dy in child.items
    )
    width, height = right - left + 2 * PADDING, bottom - top + 2 * MARGIN
    return Body(group, x, y, width, height, items, fixed)
