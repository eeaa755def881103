"""Racks, pods, buildings and sites on the drawing: their boxes, and what a collapsed one hides."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from topoedit.model.document import Document
from topoedit.model.elements import Group
from topoedit.render.anchors import Rects
from topoedit.render.tables import Bools, DeviceTable, Floats, Ints, LinkTable
from topoedit.render.theme import number

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in canvas units."""

EMPTY_SIZE = (200.0, 120.0)
"""A group without members and without a size of its own."""


@dataclass
class GroupBox:
    """A group as it is drawn.

    Attributes:
        depth: 0 for a group at the top.
        hidden: inside a collapsed group.
        foot: its title stands at the bottom, because its links enter from above.
        header: height of the title's strip in canvas units.
        gpus: GPUs inside, None if the number of some device is unknown.
        devices: rows of the devices directly in it.
        children: indexes of the groups directly in it.
        opened: shown open whatever was collapsed, for a complete picture.
        empty: everything in it is hidden by layers, so that it is not drawn either.
    """

    id: str
    group: Group
    parent: int
    depth: int
    box: Box = (0.0, 0.0, 0.0, 0.0)
    hidden: bool = False
    foot: bool = False
    header: float = 32.0
    gpus: int | None = 0
    servers: int = 0
    switches: int = 0
    devices: list[int] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    closed: bool = False
    opened: bool = False
    empty: bool = False

    @property
    def collapsed(self) -> bool:
        """Drawn as one tile: collapsed by a person, or `closed` because the view is far away."""
        return (self.closed or self.group.collapsed) and not self.opened


@dataclass
class Grouping:
    """The groups of a document in an order in which a parent comes before its children.

    Attributes:
        groups: what is drawn of each.
        row: group id -> index.
        of_device: for each device row the group directly around it, -1 for none.
        node: for each device row the node drawn for it: the device itself, or (device count +
            index) of the outermost collapsed group around it.
    """

    groups: list[GroupBox]
    row: dict[str, int]
    of_device: Ints
    node: Ints

    @property
    def any_collapsed(self) -> bool:
        """Whether anything is hidden."""
        return any(g.collapsed for g in self.groups)


def build_grouping(document: Document, devices: DeviceTable) -> Grouping:
    """Groups with members and visibility; `place_groups` gives them their boxes."""
    groups: list[GroupBox] = []
    row: dict[str, int] = {}
    pending = [(group_id, -1, 0) for group_id in document.subgroups("")]
    while pending:
        group_id, parent, depth = pending.pop(0)
        index = len(groups)
        groups.append(GroupBox(group_id, document.groups[group_id], parent, depth))
        row[group_id] = index
        if parent >= 0:
            groups[parent].children.append(index)
        pending.extend((child, index, depth + 1) for child in document.subgroups(group_id))
    of_device = _innermost(document, devices, row)
    _count_members(document, devices, groups, of_device)
    _roll_up(groups)
    return Grouping(groups, row, of_device, _visible_nodes(groups, of_device))


def _innermost(document: Document, devices: DeviceTable, row: dict[str, int]) -> Ints:
    """For each device row the group directly around it, -1 for none."""
    drawn = document.devices
    return np.array([row.get(drawn[i].group, -1) for i in devices.ids], dtype=np.int32)


def _count_members(
    document: Document, devices: DeviceTable, groups: list[GroupBox], of_device: Ints
) -> None:
    drawn = document.devices
    kinds = [drawn[i].kind for i in devices.ids]
    servers = np.array([kind == "server" for kind in kinds], dtype=np.bool_)
    switches = np.array([kind in _SWITCHES for kind in kinds], dtype=np.bool_)
    held = of_device >= 0
    order, starts = by_group(of_device, len(groups))
    rows = order.tolist()

    def count(chosen: Bools | Ints) -> list[int]:
        weights = np.asarray(chosen, np.float64)[held]
        found = np.bincount(of_device[held], weights, len(groups))
        return [int(n) for n in found.tolist()]

    unknown, gpus = count(devices.gpus < 0), count(np.maximum(devices.gpus, 0))
    columns = zip(groups, unknown, gpus, count(servers), count(switches), strict=True)
    for index, (group, unclear, total, hosts, boxes) in enumerate(columns):
        group.devices = rows[starts[index] : starts[index + 1]]
        group.gpus = None if unclear else total
        group.servers, group.switches = hosts, boxes


def by_group(of_device: Ints, count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows of devices sorted by group, and where those of each group begin."""
    order = np.argsort(of_device, kind="stable")
    return order, np.searchsorted(of_device[order], np.arange(count + 1))


_SWITCHES = ("leaf", "spine", "core", "switch", "router", "management", "ocs")


def _roll_up(groups: list[GroupBox]) -> None:
    for group in reversed(groups):
        if group.parent < 0:
            continue
        parent = groups[group.parent]
        parent.servers += group.servers
        parent.switches += group.switches
        known = parent.gpus is not None and group.gpus is not None
        parent.gpus = (parent.gpus or 0) + (group.gpus or 0) if known else None


def _visible_nodes(groups: list[GroupBox], of_device: Ints) -> Ints:
    count = len(of_device)
    shown = np.full(len(groups) + 1, -1, np.int32)
    for index, group in enumerate(groups):
        above = shown[group.parent] if group.parent >= 0 else -1
        group.hidden = above >= 0
        if above >= 0:
            shown[index] = above
        elif group.collapsed:
            shown[index] = count + index
    node = shown[of_device]
    return np.where(node >= 0, node, np.arange(count, dtype=np.int32)).astype(np.int32)


def closed_from_afar(grouping: Grouping) -> Grouping:
    """The same groups with every outermost pod, and every rack outside a pod, as one tile."""
    groups: list[GroupBox] = []
    for group in grouping.groups:
        inside = group.parent >= 0 and groups[group.parent].closed
        closes = group.group.kind in ("rack", "pod") and bool(group.devices or group.children)
        found = GroupBox(**vars(group))  # several times as fast as `replace`
        found.closed, found.hidden = inside or closes, False
        groups.append(found)
    node = _visible_nodes(groups, grouping.of_device)
    return Grouping(groups, grouping.row, grouping.of_device, node)


def all_open(grouping: Grouping) -> Grouping:
    """The same groups with nothing collapsed."""
    groups = [replace(group, closed=False, opened=True, hidden=False) for group in grouping.groups]
    return Grouping(
        groups, grouping.row, grouping.of_device, _visible_nodes(groups, grouping.of_device)
    )


def place_groups(grouping: Grouping, rects: Rects) -> None:
    """Give every group the box round its members: pad 12, and 32 for the title.

    Rooms, buildings and sites are looked at from far away: their title takes 4 % of their width.

    A size stored with the group is the least it takes. A collapsed group keeps the place that it
    takes when open, so that collapsing moves nothing else.
    """
    pad, header = number("glyph.group_pad"), number("glyph.group_header")
    direct = _device_boxes(grouping, rects)
    for group, own in zip(reversed(grouping.groups), reversed(direct), strict=True):
        boxes = [grouping.groups[child].box for child in group.children]
        if group.devices:
            boxes.append(own)
        if boxes:
            lefts, tops, rights, bottoms = zip(*boxes, strict=True)
            left, top, right, bottom = min(lefts), min(tops), max(rights), max(bottoms)
            group.header = header
            if group.group.kind in ("room", "building", "site"):
                group.header = max(header, min(0.04 * (right - left), 0.12 * (bottom - top)))
            above, below = (pad, group.header) if group.foot else (group.header, pad)
            found = (left - pad, top - above, right + pad, bottom + below)
            group.box = _at_least(group.group, found)
        else:
            group.box = _empty_box(group.group)


def _device_boxes(grouping: Grouping, rects: Rects) -> list[Box]:
    """The box of the devices directly in each group; anything for a group without them."""
    count = len(grouping.groups)
    order, starts = by_group(grouping.of_device, count)
    full = np.flatnonzero(starts[1:] > starts[:-1])
    boxes = np.zeros((4, count))
    if len(full):
        inside = rects[:, order[starts[0] :]]
        begin = starts[full] - starts[0]
        boxes[:2, full] = np.minimum.reduceat(inside[:2], begin, axis=1)
        boxes[2:, full] = np.maximum.reduceat(inside[2:], begin, axis=1)
    return [(left, top, right, bottom) for left, top, right, bottom in boxes.T.tolist()]


def _empty_box(group: Group) -> Box:
    x, y = group.x or 0.0, group.y or 0.0
    w, h = group.width or EMPTY_SIZE[0], group.height or EMPTY_SIZE[1]
    return (x - w / 2, y - h / 2, x + w / 2, y + h / 2)


def _at_least(group: Group, box: Box) -> Box:
    if group.x is None or group.y is None or group.width is None or group.height is None:
        return box
    own = _empty_box(group)
    return (
        min(box[0], own[0]),
        min(box[1], own[1]),
        max(box[2], own[2]),
        max(box[3], own[3]),
    )


def choose_title_edges(grouping: Grouping, links: LinkTable, devices: DeviceTable) -> None:
    """Put each title at the edge that fewer links cross: at the top, or at the foot."""
    count = len(grouping.groups)
    if not count or not len(links):
        return
    parents = np.array([g.parent for g in grouping.groups] + [-1], np.int32)
    depths = np.array([g.depth for g in grouping.groups] + [-1], np.int32)
    balance = np.zeros(count + 1)
    here, there = grouping.of_device[links.a], grouping.of_device[links.b]
    dy = devices.y[links.b] - devices.y[links.a]
    for depth in range(int(depths.max()), -1, -1):
        apart = here != there
        leaves, enters = apart & (depths[here] == depth), apart & (depths[there] == depth)
        balance += _tally(here, dy, leaves, count) + _tally(there, -dy, enters, count)
        here, there = np.where(leaves, parents[here], here), np.where(enters, parents[there], there)
    for index, group in enumerate(grouping.groups):
        group.foot = bool(balance[index] < 0)


def _tally(group: Ints, dy: Floats, mask: Bools, count: int) -> Floats:
    """Links that cross each group's edge downwards less those that cross it upwards."""
    signs: Floats = np.sign(dy[mask])
    return np.bincount(group[mask], signs, count + 1).astype(np.float64)


def subtree(grouping: Grouping, index: int) -> list[int]:
    """A group and all groups inside it."""
    found = [index]
    for at in found:
        found.extend(grouping.groups[at].children)
    return found


def devices_inside(grouping: Grouping, index: int) -> list[int]:
    """Rows of all devices in a group, at any depth."""
    return [row for at in subtree(grouping, index) for row in grouping.groups[at].devices]
