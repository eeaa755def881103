"""Devices in the order of the fabric's rows: blocks, first vertices, racks and sites."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from topoedit.engine.compile.blocks import Block, compute_port_names, make_block
from topoedit.engine.types import Bools, Bytes8, Floats, Ints, VertexKind
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link
from topoedit.model.ports import expand, natural_key

LEVELS = ("site", "building", "pod", "rack")
PlaceKey = tuple[tuple[tuple[int, int | str], ...], ...]


@dataclass(frozen=True, eq=False)
class Places:
    """Where devices are: group ids and ordering keys, memoised per group.

    Attributes:
        sites: names of the sites in natural order; "" (no site) comes first when in use.
    """

    site: tuple[str, ...]
    rack: tuple[str, ...]
    keys: tuple[PlaceKey, ...]
    sites: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Layout:
    """All devices of a document, sorted by id, with their blocks.

    Attributes:
        row: device id -> row.
        block_of: (devices,) index into `blocks`.
        base: (devices + 1,) first vertex of each device.
        site: (devices,) number of its site.
        failed: (devices,) taken out of service.
    """

    devices: tuple[Device, ...]
    row: dict[str, int]
    blocks: tuple[Block, ...]
    block_of: Ints
    base: Ints
    places: Places
    site: Ints
    failed: Bools

    def vertex_arrays(self) -> tuple[Bytes8, Ints, Ints, Floats]:
        """Kind, device row, local number and port-to-port delay of every vertex."""
        count = int(self.base[-1])
        kind, number = np.empty(count, np.uint8), np.empty(count, np.int32)
        sizes = np.diff(self.base)
        device = np.repeat(np.arange(len(self.devices), dtype=np.int32), sizes)
        delay = np.zeros(count)
        for index, block in enumerate(self.blocks):
            rows = np.flatnonzero(self.block_of == index)
            at = self.base[rows, None] + np.arange(block.size)
            kind[at], number[at], delay[at] = block.kinds, block.numbers, block.latency
        return kind, device, number, delay


def make_layout(document: Document, only: Iterable[str] | None = None) -> Layout:
    """Sort the devices and give each its block; like devices share one.

    Args:
        document: the drawing.
        only: ids of the devices to take, all by default; their first vertices are then those of
            a drawing without the others.
    """
    chosen = document.devices.values() if only is None else (document.devices[i] for i in only)
    devices = tuple(sorted(chosen, key=lambda device: device.id))
    keys: dict[object, int] = {}
    blocks: list[Block] = []
    block_of = np.empty(len(devices), np.int32)
    strays = stray_ports(document, devices)
    for row, device in enumerate(devices):
        extra = strays.get(device.id, ())
        key = (device.type, device.kind, device.ports, device.failed, extra)
        index = keys.setdefault(key, len(blocks))
        if index == len(blocks):
            kind = document.device_type(device)
            blocks.append(make_block(document.catalog, kind, device, extra))
        block_of[row] = index
    sizes = np.array([block.size for block in blocks], np.int32)
    failed = np.array([block.failed for block in blocks], bool)
    places = find_places(document, devices)
    numbers = {name: index for index, name in enumerate(places.sites)}
    return Layout(
        devices=devices,
        row={device.id: row for row, device in enumerate(devices)},
        blocks=tuple(blocks),
        block_of=block_of,
        base=np.concatenate([[0], np.cumsum(sizes[block_of])]).astype(np.int32),
        places=places,
        site=np.array([numbers[name] for name in places.site], np.int32),
        failed=failed[block_of] if len(blocks) else np.zeros(0, bool),
    )


def stray_ports(document: Document, devices: Iterable[Device]) -> dict[str, tuple[str, ...]]:
    """Ports of GPU servers of an open type that compute links use and the type does not list."""
    found: dict[str, tuple[str, ...]] = {}
    devices = tuple(devices)
    types = {device.type: device for device in devices}
    kinds = {name: document.device_type(device) for name, device in types.items()}
    open_types = {name for name, kind in kinds.items() if kind.open_ports and kind.gpus}
    if not open_types:
        return found
    for device in devices:
        if device.kind != "server" or device.type not in open_types:
            continue
        kind = kinds[device.type]
        known = compute_port_names(kind) | kind.port_by_name.keys()
        names = _linked_ports(document, device.id)
        extra = sorted(names - known, key=natural_key)
        if extra:
            found[device.id] = tuple(extra)
    return found


def _linked_ports(document: Document, device_id: str) -> set[str]:
    links = (document.links[i] for i in document.links_of(device_id))
    return {
        name
        for link in links
        if in_compute_path(link)
        for name in expand(link.end_at(device_id).ports)
    }


def in_compute_path(link: Link) -> bool:
    """Whether a link belongs to the network that an analysis loads."""
    storage_only = link.protocol == "fibre-channel"
    return link.network == "compute" and not link.planned and not storage_only


def find_places(document: Document, devices: Iterable[Device]) -> Places:
    """Site, rack and ordering key of each device."""
    memo: dict[str, tuple[str, str, PlaceKey]] = {}
    site, rack, keys = [], [], []
    for device in devices:
        place = memo.get(device.group)
        if place is None:
            place = memo[device.group] = _place(document, device.group)
        site.append(place[0])
        rack.append(place[1])
        keys.append(place[2])
    sites = sorted(set(site), key=lambda name: (natural_key(name), name))
    return Places(tuple(site), tuple(rack), tuple(keys), tuple(sites))


def _place(document: Document, group_id: str) -> tuple[str, str, PlaceKey]:
    """Site name, rack id and ordering key of a group."""
    names = dict.fromkeys(LEVELS, "")
    rack = ""
    group = document.groups.get(group_id)
    while group is not None:
        names[group.kind] = group.name
        rack = group.id if group.kind == "rack" else rack
        group = document.groups.get(group.parent)
    return names["site"], rack, tuple(natural_key(names[level]) for level in LEVELS)


def rank_rows(layout: Layout) -> list[int]:
    """Rows of the working GPU servers in rank order: site, building, pod, rack, device name."""
    rows = [
        row
        for row, index in enumerate(layout.block_of.tolist())
        if layout.blocks[index].gpus and not layout.blocks[index].failed
    ]
    keys, devices = layout.places.keys, layout.devices
    return sorted(rows, key=lambda row: (keys[row], natural_key(devices[row].name)))


def vertex_is_switch(kind: Bytes8) -> Bools:
    """Which vertex kinds forward traffic of the data network."""
    return np.asarray((kind >= VertexKind.LEAF) & (kind <= VertexKind.ROUTER))
