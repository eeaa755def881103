"""Devices, links and cables of a drawing as arrays, made once for all rules.

Codes are small integers; -1 is "none" or "not known". Rates are in Gb/s per direction, lengths in
metres; NaN is unknown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import TypeVar, get_args

import numpy as np
from msgspec.structs import replace

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, Kind, Medium, Port, PortRole
from topoedit.engine.types import Bools, Floats, Ints, Longs
from topoedit.model.document import Document
from topoedit.model.elements import Device, GroupKind, Link, Network
from topoedit.model.ports import expand

KINDS: tuple[Kind, ...] = get_args(Kind)
NETWORKS: tuple[Network, ...] = get_args(Network)
ROLES: tuple[PortRole, ...] = get_args(PortRole)
LEVELS: tuple[GroupKind, ...] = get_args(GroupKind)
SERVER, NVSWITCH, LEAF, SPINE, CORE, SWITCH, ROUTER = range(7)
STORAGE, MANAGEMENT = KINDS.index("storage"), KINDS.index("management")
SCALE_UP_ROLE = ROLES.index("scale-up")
COMPUTE = 0
NONE = -1
Key = TypeVar("Key", bound=Hashable)


def encode(values: Iterable[Key], count: int = -1) -> tuple[Ints, list[Key]]:
    """A code for each value in order of first appearance, and the values; `count` if known."""
    codes: defaultdict[Key, int] = defaultdict()
    codes.default_factory = codes.__len__
    found = np.fromiter(map(codes.__getitem__, values), np.int32, count)
    return found, list(codes)


def distinct(values: Ints | Longs) -> Longs:
    """The distinct values, sorted: much faster than hashing them where there are many."""
    if not len(values):
        return np.zeros(0, np.int64)
    ordered = np.sort(values)
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    return np.asarray(ordered[first], np.int64)


def distinct_pairs(one: Ints | Longs, other: Ints | Longs) -> tuple[Longs, Longs]:
    """The distinct pairs of values from 0 on, sorted by the first, then the second."""
    width = int(other.max(initial=0)) + 1
    code = distinct(one.astype(np.int64) * width + other)
    return code // width, code % width


def alike(*columns: Ints | Longs | Bools | Floats) -> tuple[Longs, Longs]:
    """Rows alike in all columns: the first row of each kind, and the kind of each row."""
    count = len(columns[0])
    if not count:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    code = np.zeros(count, np.int64)
    for column in columns:
        whole = column if column.dtype.kind in "bi" else np.ascontiguousarray(column).view(np.int64)
        lowest, highest = int(whole.min()), int(whole.max())
        width = highest - lowest + 1
        if width > 1_000_000:
            _, part = np.unique(whole, return_inverse=True)
            whole, lowest, width = part, 0, int(part.max()) + 1
        code = code * width + (whole.astype(np.int64) - lowest)
        if code.max() > 2**40:
            code = np.unique(code, return_inverse=True)[1].astype(np.int64)
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    return first, inverse


Column = Ints | Longs | Bools | Floats


def by_kind(rows: Longs, columns: tuple[Column, ...]) -> Iterator[Longs]:
    """The rows that are alike in all columns, kind by kind; a column has a value for each link."""
    first, kind = alike(*(column[rows] for column in columns))
    order = np.argsort(kind, kind="stable")
    ends = np.cumsum(np.bincount(kind, minlength=len(first)))
    for begin, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=False):
        yield rows[order[begin:end]]


@dataclass(frozen=True, eq=False)
class Devices:
    """Devices in the order of the document.

    Attributes:
        type, types: code of each device's type; the types.
        form, forms: code of type and port overrides together; a device of each form.
        kind: index in KINDS; network: index in NETWORKS; plane: its number.
        rack, pod, site: code of the group of that kind around it.
        group_ids: group of each code, by kind.
        gpus: accelerators of its type; -1 unknown.
    """

    items: tuple[Device, ...]
    row: dict[str, int]
    type: Ints
    types: list[DeviceType]
    form: Ints
    forms: list[Device]
    kind: Ints
    network: Ints
    plane: Ints
    rack: Ints
    pod: Ints
    site: Ints
    group_ids: dict[GroupKind, list[str]]
    gpus: Ints
    failed: Bools

    def __len__(self) -> int:
        return len(self.items)

    def by_type(self, value: Callable[[DeviceType], float]) -> Floats:
        """A figure of each device's type."""
        table = np.array([value(kind) for kind in self.types], float)
        return table[self.type] if len(self.items) else np.zeros(0)

    def where(self, test: Callable[[DeviceType], bool]) -> Bools:
        """Devices whose type passes a test."""
        table = np.array([test(kind) for kind in self.types], bool)
        return table[self.type] if len(self.items) else np.zeros(0, bool)


def device_table(document: Document) -> Devices:
    """All devices as arrays."""
    items = tuple(document.devices.values())
    type_code, type_ids = encode([device.type for device in items])
    sample = {device.type: device for device in items}
    types = [document.device_type(sample[name]) for name in type_ids]
    form, keys = encode([(device.type, device.ports) for device in items])
    example = {(device.type, device.ports): device for device in items}
    kinds = {name: index for index, name in enumerate(KINDS)}
    networks = {name: index for index, name in enumerate(NETWORKS)}
    group, group_names = encode([device.group for device in items])
    places = {kind: _holders(document, group_names, kind) for kind in LEVELS}
    return Devices(
        items=items,
        row={device.id: index for index, device in enumerate(items)},
        type=type_code,
        types=types,
        form=form,
        forms=[example[key] for key in keys],
        kind=np.array([kinds[device.kind] for device in items], np.int32),
        network=np.array([networks[device.network] for device in items], np.int32),
        plane=np.array([NONE if d.plane is None else d.plane for d in items], np.int32),
        rack=places["rack"][0][group],
        pod=places["pod"][0][group],
        site=places["site"][0][group],
        group_ids={kind: ids for kind, (_, ids) in places.items()},
        gpus=np.array([_gpus(kind) for kind in types], np.int32)[type_code]
        if items
        else np.zeros(0, np.int32),
        failed=np.array([device.failed for device in items], bool),
    )


def _gpus(kind: DeviceType) -> int:
    return NONE if kind.gpus is None else kind.gpus


def _holders(document: Document, groups: list[str], kind: GroupKind) -> tuple[Ints, list[str]]:
    """Code of the nearest group of a kind around each group, and the ids of the codes."""
    ids: dict[str, int] = {}
    codes = np.full(max(1, len(groups)), NONE, np.int32)
    for index, name in enumerate(groups):
        holder = document.groups.get(name)
        while holder is not None and holder.kind != kind:
            holder = document.groups.get(holder.parent)
        if holder is not None:
            codes[index] = ids.setdefault(holder.id, len(ids))
    return codes, list(ids)


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of ports that links end in, each once for each form of device.

    Attributes:
        first: (runs + 1,) first place of each run in the port arrays.
        ports: the ports, run after run.
        place: index of a port in its type's list; -1 if the type does not list it.
        gbps, role, rail: of each port.
        like: (runs,) code that runs of ports of like rates, roles and cages share.
    """

    first: Longs
    ports: list[Port]
    place: Ints
    gbps: Floats
    role: Ints
    rail: Ints
    like: Ints


def _runs(document: Document, devices: Devices, keys: Iterable[tuple[int, str]]) -> Runs:
    ports: list[Port] = []
    place: list[int] = []
    first = [0]
    like: list[tuple[tuple[float | None, str, str], ...]] = []
    for form, text in keys:
        device = devices.forms[form]
        kind = document.device_type(device)
        changed = {n: o for o in device.ports for n in expand(o.names)} if device.ports else {}
        index = _places(kind)
        run = []
        for name in expand(text):
            port = kind.port_by_name.get(name) or Port(name, gbps=kind.default_gbps)
            if name in changed:
                fields = ("gbps", "role", "cage_type", "rail", "os_name")
                values = {f: getattr(changed[name], f) for f in fields}
                port = replace(port, **{f: v for f, v in values.items() if v not in (None, "")})
            elif port.gbps is None and kind.default_gbps is not None:
                port = replace(port, gbps=kind.default_gbps)
            run.append(port)
            place.append(index.get(name, NONE))
        ports += run
        first.append(len(ports))
        like.append(tuple(dict.fromkeys((p.gbps, p.role, p.cage_type) for p in run)))
    return Runs(
        first=np.array(first, np.int64),
        ports=ports,
        place=np.array(place, np.int32),
        gbps=np.array([port.gbps for port in ports], float),
        role=np.array([ROLES.index(port.role) for port in ports], np.int32),
        rail=np.array([NONE if p.rail is None else p.rail for p in ports], np.int32),
        like=encode(like)[0],
    )


def _places(kind: DeviceType) -> dict[str, int]:
    return {port.name: index for index, port in enumerate(kind.port_list)}


@dataclass(frozen=True, eq=False)
class Links:
    """Links in the order of the document.

    Attributes:
        a, b: rows of the devices at its ends.
        run_a, run_b: runs of ports at its ends, codes of `runs`.
        cables: number of cables; failed: those out of service.
        gbps: rate of a cable as stated.
        metres: length of a cable, or the distance it spans.
        medium, media: code of its medium; None for one the catalogue does not have.
        medium_ids: id of each code ("" for a link that names none).
        protocol, protocols: code of its protocol.
        same_rack: both ends stand in one rack; racks_known: both ends stand in some rack.
    """

    items: tuple[Link, ...]
    a: Ints
    b: Ints
    run_a: Ints
    run_b: Ints
    runs: Runs
    cables: Ints
    failed: Ints
    gbps: Floats
    metres: Floats
    distant: Bools
    medium: Ints
    media: list[Medium | None]
    medium_ids: list[str]
    protocol: Ints
    protocols: list[str]
    network: Ints
    plane: Ints
    planned: Bools
    same_rack: Bools
    racks_known: Bools

    def __len__(self) -> int:
        return len(self.items)

    def with_protocol(self, name: str) -> Bools:
        """Links of one protocol."""
        code = self.protocols.index(name) if name in self.protocols else NONE - 1
        return np.asarray(self.protocol == code)


_DEVICES = (attrgetter("a.device"), attrgetter("b.device"))
_PORTS = (attrgetter("a.ports"), attrgetter("b.ports"))
_FIELDS = attrgetter(
    "medium", "protocol", "network", "gbps", "length_m", "km", "plane", "failed", "planned"
)


def link_table(document: Document, devices: Devices, catalog: Catalog) -> Links:
    """All links as arrays."""
    items = tuple(document.links.values())
    a, b = (_rows(devices, map(end, items), len(items)) for end in _DEVICES)
    texts = chain.from_iterable(map(end, items) for end in _PORTS)
    forms = np.concatenate([devices.form[a], devices.form[b]])
    run, runs = _all_runs(document, devices, forms, texts)
    kind, kinds = encode(map(_FIELDS, items), len(items))
    columns = [*zip(*kinds, strict=True)] if kinds else [()] * 9
    medium, names = encode(columns[0])
    protocol, protocols = encode(columns[1])
    networks = {name: index for index, name in enumerate(NETWORKS)}
    metres, km = np.array(columns[4], float), np.array(columns[5], float)
    rack_a, rack_b = devices.rack[a], devices.rack[b]
    count = len(items)
    return Links(
        items=items,
        a=a,
        b=b,
        run_a=run[:count],
        run_b=run[count:],
        runs=runs,
        cables=np.diff(runs.first)[run[:count]].astype(np.int32),
        failed=np.array(columns[7], np.int32)[kind],
        gbps=np.array(columns[3], float)[kind],
        metres=np.where(np.isnan(metres), km * 1000, metres)[kind],
        distant=~np.isnan(km)[kind],
        medium=medium[kind],
        media=[catalog.media.get(name) for name in names],
        medium_ids=names,
        protocol=protocol[kind],
        protocols=protocols,
        network=np.array([networks[name] for name in columns[2]], np.int32)[kind],
        plane=np.array([NONE if p is None else p for p in columns[6]], np.int32)[kind],
        planned=np.array(columns[8], bool)[kind],
        same_rack=(rack_a == rack_b) & (rack_a != NONE),
        racks_known=(rack_a != NONE) & (rack_b != NONE),
    )


def _rows(devices: Devices, ids: Iterable[str], count: int) -> Ints:
    return np.fromiter(map(devices.row.__getitem__, ids), np.int32, count)


def _all_runs(
    document: Document, devices: Devices, forms: Ints, texts: Iterable[str]
) -> tuple[Ints, Runs]:
    """The run of ports of each end, by the form of its device and its range text."""
    text, names = encode(texts, len(forms))
    code = forms.astype(np.int64) * max(1, len(names)) + text
    used = distinct(code)
    pairs = (
        zip((used // len(names)).tolist(), (used % len(names)).tolist(), strict=True)
        if names
        else ()
    )
    runs = _runs(document, devices, [(form, names[number]) for form, number in pairs])
    return np.searchsorted(used, code).astype(np.int32), runs


@dataclass(frozen=True, eq=False)
class Cables:
    """Single cables.

    Attributes:
        link: row of its link; number: its place there; works: not out of service.
        port_a, port_b: its ports, places in the arrays of `Links.runs`.
        gbps: what it can carry: the least of its stated rate, medium and ports, as far as known.
    """

    link: Longs
    number: Longs
    works: Bools
    port_a: Longs
    port_b: Longs
    gbps: Floats


def cable_table(links: Links) -> Cables:
    """All cables as arrays; of a bundle with failed cables the last ones are taken to be those."""
    count = links.cables.astype(np.int64)
    link = np.repeat(np.arange(len(links), dtype=np.int64), count)
    number = np.arange(len(link)) - np.repeat(np.cumsum(count) - count, count)
    port_a = links.runs.first[links.run_a[link]] + number
    port_b = links.runs.first[links.run_b[link]] + number
    medium = np.array([np.nan if m is None or m.gbps is None else m.gbps for m in links.media])
    stated = links.gbps[link]
    if len(medium):
        stated = np.fmin(stated, medium[links.medium[link]])
    rate = np.fmin(stated, np.fmin(links.runs.gbps[port_a], links.runs.gbps[port_b]))
    working = number < (links.cables - links.failed)[link]
    return Cables(link, number, working, port_a, port_b, rate)
