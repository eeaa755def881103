"""Arranges a fabric by tiers: cores on top, spines, leaves, and servers below their leaves.

Devices without a container are gathered into units of leaves that share servers; containers are
laid out from the inside, so that none overlaps another. Locked devices stay where they are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from topoedit.catalog.types import Kind
from topoedit.layout.blocks import Block, gridded, single, spread_row, stacked
from topoedit.layout.grid import columns_for
from topoedit.layout.sizes import FAN, GAP, SERVER_WIDTH, SWITCH_WIDTH, size
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices
from topoedit.model.elements import Device
from topoedit.model.ports import natural_key

_TIERS: Mapping[Kind, int] = {
    "router": 0, "ocs": 0, "core": 1, "spine": 2, "leaf": 3, "switch": 3, "nvswitch": 3,
    "panel": 3, "server": 4, "storage": 5, "management": 5,
}  # fmt: skip
_LEAF, _SERVER = 3, 4
_WIDEST_GAP = 148.0
_TIER_GAP = 160.0
_GRID_COLUMNS = 8


def arrange(document: Document) -> MoveDevices:
    """New centres for all devices that are not locked, the drawing's corner at (0, 0)."""
    tiers = tiers_of(document)
    blocks = _Blocks(document, tiers)
    loose = [document.devices[i] for i in document.members("")]
    containers = [(g, blocks.group(g)) for g in _natural_groups(document, "")]
    rows: dict[int, list[Block]] = defaultdict(list)
    units: list[Block] = []
    for group, block in containers:
        top = blocks.highest(group)
        if blocks.holds_servers(group) or top >= _SERVER:
            units.append(block)
        else:
            rows[top].append(block)
    units = [*blocks.units(loose), *units]
    gap = 3 * GAP if any(u.height > 200 for u in units) else GAP
    body = gridded(units, gap)
    for device in _natural(loose):
        if tiers[device.id] < _LEAF:
            rows[tiers[device.id]].append(blocks.device(device))
    width = max(body.width, 600.0)
    lines = [spread_row(rows[tier], width, _WIDEST_GAP) for tier in sorted(rows)]
    whole = stacked([*lines, body], _TIER_GAP)
    return _moves("Arrange by tiers", document, whole)


def _moves(label: str, document: Document, block: Block) -> MoveDevices:
    free = [place for place in block.items if not document.devices[place[0]].locked]
    return MoveDevices(
        label,
        tuple(name for name, _, _ in free),
        tuple(float(x) for _, x, _ in free),
        tuple(float(y) for _, _, y in free),
    )


def tiers_of(document: Document) -> dict[str, int]:
    """The row of every device: 0 at the top, by kind; switches of unknown role by what they join.

    A switch without servers counts as a spine if it joins switches that have some.
    """
    tiers = {d.id: _TIERS[d.kind] for d in document.devices.values()}
    unknown = [d.id for d in document.devices.values() if d.kind == "switch"]
    serving = {i for i in unknown if _SERVER in (tiers[n] for n in _neighbours(document, i))}
    if serving:
        for device in unknown:
            if device not in serving and document.links_of(device):
                tiers[device] = _LEAF - 1
    return tiers


def _neighbours(document: Document, device: str) -> Iterable[str]:
    return (document.links[link].other(device) for link in document.links_of(device))


def _natural(devices: Iterable[Device]) -> list[Device]:
    return sorted(devices, key=lambda device: natural_key(device.name))


def _natural_groups(document: Document, parent: str) -> list[str]:
    groups = (document.groups[i] for i in document.subgroups(parent))
    return [g.id for g in sorted(groups, key=lambda group: natural_key(group.name))]


class _Blocks:
    """Builds the blocks of devices, units and containers of one document."""

    def __init__(self, document: Document, tiers: Mapping[str, int]) -> None:
        self._document = document
        self._tiers = tiers

    def device(self, device: Device) -> Block:
        trays = self._document.device_type(device).trays
        return single(device.id, size(device.kind, trays))

    def highest(self, group: str) -> int:
        """The highest tier in a container."""
        own = [self._tiers[i] for i in self._document.members(group)]
        below = [self.highest(g) for g in self._document.subgroups(group)]
        return min((*own, *below), default=_SERVER)

    def holds_servers(self, group: str) -> bool:
        """Whether any server is inside a container."""
        return any(self._tiers[i] == _SERVER for i in self._document.members(group)) or any(
            self.holds_servers(g) for g in self._document.subgroups(group)
        )

    def group(self, group: str) -> Block:
        """A container: its switches in rows, then inner containers, then its servers."""
        members = _natural(self._document.devices[i] for i in self._document.members(group))
        inner = _natural_groups(self._document, group)
        if self._document.groups[group].kind == "rack":
            return self._rack(members).framed()
        above = [g for g in inner if not self.holds_servers(g)]
        below = [g for g in inner if self.holds_servers(g)]
        body = gridded([self.group(g) for g in below])
        rows: dict[int, list[Block]] = defaultdict(list)
        for name in above:
            rows[self.highest(name)].append(self.group(name))
        for device in members:
            rows[self._tiers[device.id]].append(self.device(device))
        width = max(body.width, SERVER_WIDTH * 4)
        lines = [spread_row(rows[t], width, _WIDEST_GAP) for t in sorted(rows) if t < _SERVER]
        feet = [gridded(rows[t], GAP) for t in sorted(rows) if t >= _SERVER]
        return stacked([*lines, body, *feet], FAN).framed()

    def _rack(self, members: Sequence[Device]) -> Block:
        """A rack: top unit first; switches alone lie in a row, as do those above servers."""
        ordered = sorted(members, key=lambda d: -(d.unit or 0))
        if all(self._tiers[d.id] < _SERVER for d in members):
            return spread_row([self.device(d) for d in members], 16 * 164.0, GAP)
        tops = [self.device(d) for d in ordered if self._tiers[d.id] < _SERVER]
        rest = [self.device(d) for d in reversed(ordered) if self._tiers[d.id] >= _SERVER]
        return stacked([spread_row(tops, SERVER_WIDTH, GAP), stacked(rest, GAP / 2)], FAN)

    def units(self, loose: Sequence[Device]) -> list[Block]:
        """Leaves that share servers, with those servers in a grid below them."""
        leaves = [d for d in _natural(loose) if self._tiers[d.id] == _LEAF]
        others = [d for d in _natural(loose) if self._tiers[d.id] >= _SERVER]
        homes = {d.id: self._homes(d, {leaf.id for leaf in leaves}) for d in others}
        unit_of = _share_servers([leaf.id for leaf in leaves], homes)
        rows: dict[str, list[Device]] = defaultdict(list)
        feet: dict[str, list[Device]] = defaultdict(list)
        for leaf in leaves:
            rows[unit_of[leaf.id]].append(leaf)
        for device in others:
            home = homes[device.id]
            feet[unit_of[home[0]] if home else ""].append(device)
        built = [self._unit(row, feet[unit]) for unit, row in rows.items()]
        return [*built, self._unit([], feet[""])] if feet[""] else built

    def _homes(self, device: Device, leaves: set[str]) -> list[str]:
        """The leaves a server hangs on, that with most cables first."""
        cables: Counter[str] = Counter()
        for link_id in self._document.links_of(device.id):
            link = self._document.links[link_id]
            if link.other(device.id) in leaves:
                cables[link.other(device.id)] += link.count
        return sorted(cables, key=lambda leaf: (-cables[leaf], natural_key(leaf)))

    def _unit(self, leaves: Sequence[Device], servers: Sequence[Device]) -> Block:
        below = [self.device(d) for d in servers]
        if not leaves:
            columns = columns_for(len(below), SERVER_WIDTH, SERVER_WIDTH)
        elif len(leaves) == 1:
            columns = max(1, min(3, len(below)))
        else:
            columns = max(_GRID_COLUMNS, len(leaves))
        grid = gridded(below, GAP, columns)
        wide = max(grid.width, len(leaves) * (SWITCH_WIDTH + GAP))
        row = spread_row([self.device(d) for d in leaves], wide, _WIDEST_GAP)
        return stacked([row, grid], FAN)


def _share_servers(leaves: Sequence[str], homes: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Leaf -> first leaf of its unit; leaves belong together that share half of their servers."""
    shared: Counter[tuple[str, str]] = Counter()
    served: Counter[str] = Counter()
    for home in homes.values():
        served.update(home)
        first = home[0] if home else ""
        shared.update((first, other) for other in home[1:])
    root = {leaf: leaf for leaf in leaves}

    def find(leaf: str) -> str:
        while root[leaf] != leaf:
            root[leaf] = leaf = root[root[leaf]]
        return leaf

    for (a, b), number in sorted(shared.items(), key=lambda pair: -pair[1]):
        if 2 * number >= min(served[a], served[b]):
            root[find(b)] = find(a)
    return {leaf: find(leaf) for leaf in leaves}
