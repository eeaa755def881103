"""Devices and links of a document as columns: what the picture needs and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress, count

import numpy as np
from numpy.typing import NDArray

from topoedit.catalog.types import DeviceType, Kind
from topoedit.model import ports as port_ranges
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link, Network
from topoedit.render.layer_codes import LayerCodes
from topoedit.render.sizes import size_of

NETWORKS: tuple[Network, ...] = ("compute", "storage", "in-band", "out-of-band")

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]


MOST_COLUMNS = 16
"""A device with more rail ports than these does not keep a column for each (an NVL72 rack)."""


def rail_columns(device_type: DeviceType) -> tuple[str, ...]:
    """Names of the ports that stand over the GPUs of a server, one a column; () for none."""
    names = tuple(port.name for port in device_type.port_list if port.rail is not None)
    return names if len(names) <= MOST_COLUMNS else ()


@dataclass
class DeviceTable:
    """One row a device; `x` and `y` are centres.

    Attributes:
        ids: device ids in row order; `row` is the way back.
        rails: number of rail columns, 0 for a device without them.
        failed: out of service.
        locked: kept in its place.
        layer: number of its layers in `layer_codes`; None until `by_layer` is first called.
    """

    ids: list[str] = field(default_factory=list)
    row: dict[str, int] = field(default_factory=dict)
    x: Floats = field(default_factory=lambda: np.zeros(0))
    y: Floats = field(default_factory=lambda: np.zeros(0))
    w: Floats = field(default_factory=lambda: np.zeros(0))
    h: Floats = field(default_factory=lambda: np.zeros(0))
    rails: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    gpus: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    failed: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    locked: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    layer: Ints | None = None
    layer_codes: LayerCodes[Device] = field(default_factory=LayerCodes[Device])

    def __len__(self) -> int:
        return len(self.ids)

    def keep(self, kept: Bools) -> None:
        """Drop the rows where `kept` is false."""
        before, self.ids = self.ids, list(compress(self.ids, kept.tolist()))
        for name in ("x", "y", "w", "h", "rails", "gpus", "failed", "locked"):
            setattr(self, name, getattr(self, name)[kept])
        self.layer = None if self.layer is None else self.layer[kept]
        _renumber(self.row, before, self.ids, kept)

    def by_layer(self, document: Document) -> tuple[Ints, LayerCodes[Device]]:
        """The number of the layers of each row, and what the numbers stand for."""
        if self.layer is None:
            self.layer = self.layer_codes.take([document.devices[i] for i in self.ids])
        return self.layer, self.layer_codes

    def extend(self, document: Document, devices: Sequence[Device]) -> None:
        """Append rows."""
        self.row.update(zip((d.id for d in devices), count(len(self.ids))))
        self.ids.extend(d.id for d in devices)
        if self.layer is not None:
            self.layer = np.concatenate((self.layer, self.layer_codes.take(devices)))
        rows = _device_columns(document, devices)
        for name, values in rows.items():
            setattr(self, name, np.concatenate((getattr(self, name), values)))

    def put(self, document: Document, devices: Sequence[Device]) -> None:
        """Write new versions of devices that have a row."""
        at = [self.row[d.id] for d in devices]
        for name, values in _device_columns(document, devices).items():
            getattr(self, name)[at] = values
        if self.layer is not None:
            self.layer[at] = self.layer_codes.take(devices)


def _device_columns(
    document: Document, devices: Sequence[Device]
) -> dict[str, NDArray[np.generic]]:
    shapes: dict[tuple[str, Kind], tuple[float, float, int, int]] = {}
    looks = []
    for device in devices:
        key = (device.type, device.kind)
        look = shapes.get(key)
        if look is None:
            kind_type = document.device_type(device)
            rails = len(rail_columns(kind_type)) if device.kind == "server" else 0
            gpus = kind_type.gpus
            look = (*size_of(device.kind, kind_type), rails, -1 if gpus is None else gpus)
            shapes[key] = look
        looks.append(look)
    table = np.array(looks, dtype=np.float64).reshape(len(devices), 4)
    return {
        "x": np.array([d.x for d in devices], dtype=np.float64),
        "y": np.array([d.y for d in devices], dtype=np.float64),
        "w": table[:, 0].copy(),
        "h": table[:, 1].copy(),
        "rails": table[:, 2].astype(np.int32),
        "gpus": table[:, 3].astype(np.int32),
        "failed": np.array([d.failed for d in devices], dtype=np.bool_),
        "locked": np.array([d.locked for d in devices], dtype=np.bool_),
    }


@dataclass
class LinkTable:
    """One row a link; `a` and `b` are rows of the device table.

    Attributes:
        count: cables in the bundle.
        net: index into `NETWORKS`.
        down: every cable failed.
        column_a, column_b: index of the rail column at that end, -1 for an end without one.
        order_a, order_b: number of the first port at that end, to keep port order on an edge.
        rail: the rail that all its cables serve, -1 for none or several.
        wan: a link between sites.
        gbps: what one cable carries per direction, NaN if nobody says: the least of what the link,
            its medium and its two ports say.
        layer: number of its layers in `layer_codes`; None until `by_layer` is first called.
    """

    ids: list[str] = field(default_factory=list)
    row: dict[str, int] = field(default_factory=dict)
    a: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    b: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    count: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    net: Bytes = field(default_factory=lambda: np.zeros(0, np.uint8))
    down: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    planned: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    wan: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    column_a: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    column_b: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    order_a: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    order_b: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    rail: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    gbps: Floats = field(default_factory=lambda: np.zeros(0))
    layer: Ints | None = None
    layer_codes: LayerCodes[Link] = field(default_factory=LayerCodes[Link])

    COLUMNS = (
        "a", "b", "count", "net", "down", "planned", "wan",
        "column_a", "column_b", "order_a", "order_b", "rail", "gbps",
    )  # fmt: skip

    def __len__(self) -> int:
        return len(self.ids)

    def keep(self, kept: Bools) -> None:
        """Drop the rows where `kept` is false."""
        before, self.ids = self.ids, list(compress(self.ids, kept.tolist()))
        for name in self.COLUMNS:
            setattr(self, name, getattr(self, name)[kept])
        self.layer = None if self.layer is None else self.layer[kept]
        _renumber(self.row, before, self.ids, kept)

    def by_layer(self, document: Document) -> tuple[Ints, LayerCodes[Link]]:
        """The number of the layers of each row, and what the numbers stand for."""
        if self.layer is None:
            links = [document.links[i] for i in self.ids]
            self.layer = self.layer_codes.take(links, self.rail.tolist())
        return self.layer, self.layer_codes

    def extend(self, document: Document, devices: DeviceTable, links: Sequence[Link]) -> None:
        """Append rows."""
        self.row.update(zip((link.id for link in links), count(len(self.ids))))
        self.ids.extend(link.id for link in links)
        columns = link_columns(document, devices, links)
        if self.layer is not None:
            new = self.layer_codes.take(links, columns["rail"].tolist())
            self.layer = np.concatenate((self.layer, new))
        for name, values in columns.items():
            setattr(self, name, np.concatenate((getattr(self, name), values)))

    def put(self, document: Document, devices: DeviceTable, links: Sequence[Link]) -> None:
        """Write new versions of links that have a row."""
        at = [self.row[link.id] for link in links]
        columns = link_columns(document, devices, links)
        for name, values in columns.items():
            getattr(self, name)[at] = values
        if self.layer is not None:
            self.layer[at] = self.layer_codes.take(links, columns["rail"].tolist())

    def remap_devices(self, old_to_new: Ints) -> None:
        """Follow a renumbering of the device rows."""
        self.a, self.b = old_to_new[self.a], old_to_new[self.b]


def _renumber(row: dict[str, int], before: Sequence[str], ids: Sequence[str], kept: Bools) -> None:
    """Follow a loss of rows; those before the first one lost keep their numbers."""
    lost = np.flatnonzero(~kept)
    if not len(lost):
        return
    for place in lost.tolist():
        del row[before[place]]
    first = int(lost[0])
    row.update(zip(ids[first:], range(first, len(ids)), strict=True))


def link_columns(
    document: Document, devices: DeviceTable, links: Sequence[Link]
) -> dict[str, NDArray[np.generic]]:
    """The columns of some links; whole-column comprehensions, for there may be 300,000."""
    row = devices.row
    ends_a, ends_b = [link.a for link in links], [link.b for link in links]
    a = np.array([row[e.device] for e in ends_a], dtype=np.int32)
    b = np.array([row[e.device] for e in ends_b], dtype=np.int32)
    names, code_a, code_b = _intern([e.ports for e in ends_a], [e.ports for e in ends_b])
    counts = np.array([port_ranges.count(name) for name in names], dtype=np.int32)
    count = counts[code_a] if len(links) else np.zeros(0, np.int32)
    codes = {name: code for code, name in enumerate(NETWORKS)}
    failed = np.array([link.failed for link in links], dtype=np.int32)
    types, code_of = _types_at(document, devices, np.unique(np.concatenate((a, b))))
    column_a, order_a, rail_a = _port_places(types, code_of[a], names, code_a)
    column_b, order_b, rail_b = _port_places(types, code_of[b], names, code_b)
    stated = np.array([-1 if e.rail is None else e.rail for e in links], dtype=np.int32)
    return {
        "a": a, "b": b, "count": count,
        "net": np.array([codes[link.network] for link in links], dtype=np.uint8),
        "down": failed >= np.maximum(count, 1),
        "planned": np.array([link.planned for link in links], dtype=np.bool_),
        "wan": np.array([link.km is not None for link in links], dtype=np.bool_),
        "column_a": column_a, "column_b": column_b,
        "order_a": order_a, "order_b": order_b,
        "rail": np.where(stated >= 0, stated, np.maximum(rail_a, rail_b)),
        "gbps": _least_rates(
            _said_rates(document, links),
            _port_rates(types, code_of[a], names, code_a),
            _port_rates(types, code_of[b], names, code_b),
        ),
    }  # fmt: skip


def _intern(*columns: Sequence[str]) -> tuple[list[str], Ints, Ints]:
    """The distinct texts of two columns and, for each row, the index of its text."""
    known: dict[str, int] = {}
    coded = [
        np.array([known.setdefault(text, len(known)) for text in column], dtype=np.int32)
        for column in columns
    ]
    return list(known), coded[0], coded[1]


def _types_at(
    document: Document, devices: DeviceTable, rows: Ints
) -> tuple[list[DeviceType], Ints]:
    """The distinct types of some devices and, by device row, the index of its type."""
    drawn = document.devices
    known: dict[str, int] = {}
    found: dict[str, Device] = {}
    code_of = np.zeros(len(devices), np.int32)
    for row in rows.tolist():
        device = drawn[devices.ids[row]]
        found.setdefault(device.type, device)
        code_of[row] = known.setdefault(device.type, len(known))
    return [document.device_type(found[name]) for name in known], code_of


def _port_places(
    types: Sequence[DeviceType], type_code: Ints, names: Sequence[str], name_code: Ints
) -> tuple[Ints, Ints, Ints]:
    """Column (-1 for none), port number and rail (-1 for none) at one end of each link."""
    if not len(name_code):
        none = np.zeros(0, np.int32)
        return none, none, none
    pair = type_code.astype(np.int64) * len(names) + name_code
    distinct, inverse = np.unique(pair, return_inverse=True)
    found = [_place(types[key // len(names)], names[key % len(names)]) for key in distinct.tolist()]
    columns, orders, rails = np.array(found, np.int32).T
    return columns[inverse], orders[inverse], rails[inverse]


def _said_rates(document: Document, links: Sequence[Link]) -> Floats:
    """Rates of links by themselves and their media, NaN for none."""
    media = document.catalog.media
    of_medium = {
        name: float("nan") if (known := media.get(name)) is None or not known.gbps else known.gbps
        for name in {link.medium for link in links}
    }
    nothing = float("nan")
    own = np.array([nothing if e.gbps is None else e.gbps for e in links], dtype=np.float64)
    medium = np.array([of_medium[e.medium] for e in links], dtype=np.float64)
    return np.fmin(own, medium)


def _port_rates(
    types: Sequence[DeviceType], type_code: Ints, names: Sequence[str], name_code: Ints
) -> Floats:
    """Rate of the first port at one end of each link, NaN if its type does not say."""
    if not len(name_code):
        return np.zeros(0)
    pair = type_code.astype(np.int64) * len(names) + name_code
    distinct, inverse = np.unique(pair, return_inverse=True)
    found = [_rate(types[key // len(names)], names[key % len(names)]) for key in distinct.tolist()]
    return np.array(found, dtype=np.float64)[inverse]


def _rate(device_type: DeviceType, text: str) -> float:
    names = port_ranges.expand(text)
    port = device_type.port_by_name.get(names[0]) if names else None
    return float("nan") if port is None or not port.gbps else float(port.gbps)


def _least_rates(*rates: Floats) -> Floats:
    least = rates[0]
    for more in rates[1:]:
        least = np.fmin(least, more)
    return least


def _place(device_type: DeviceType, text: str) -> tuple[int, int, int]:
    ports = port_ranges.expand(text)
    if not ports:
        return -1, 0, -1
    first = ports[0]
    columns = rail_columns(device_type) if device_type.kind == "server" else ()
    digits = "".join(c for c in first if c.isdecimal())
    known = device_type.port_by_name
    rails = {known[name].rail if name in known else None for name in ports}
    rail = rails.pop() if len(rails) == 1 else None
    return (
        columns.index(first) if first in columns else -1,
        int(digits[-6:]) if digits else 0,
        -1 if rail is None else rail,
    )
