"""Words for one end of a path: `node-01/gpu3`, `rank:17`, `node-01:nic3`, a device, a glob."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property

import numpy as np

from topoedit.engine.compile.blocks import Block, make_block
from topoedit.engine.compile.layout import stray_ports
from topoedit.engine.trace import End
from topoedit.engine.types import Fabric, Longs, VertexKind
from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.elements import Device

_PART = re.compile(r"(?P<device>.+)/(?P<part>gpu|nic)(?P<number>\d{1,6})")
_RANK = re.compile(r"rank:(\d{1,9})")
_EXAMPLES = 3


@dataclass(frozen=True)
class Endpoint:
    """One end of a path.

    Attributes:
        label: how it is called in the answer: `node-01/gpu3`, `node-01:nic3`, `leaf-1`.
        end: its vertex.
        device: id of its device.
        port: port by which the path shall leave or arrive, "" for any.
        notes: what was assumed in reading it.
    """

    label: str
    end: End
    device: str
    port: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Places:
    """A document beside its fabric: devices to vertices, ports to vertices.

    `order` is the GPU number of each rank where a placement file says so.
    """

    document: Document
    fabric: Fabric
    order: Longs | None = None
    _blocks: dict[str, Block] = field(default_factory=dict)

    @cached_property
    def row(self) -> dict[str, int]:
        """Device id -> row in the fabric."""
        return {device: row for row, device in enumerate(self.fabric.device_ids)}

    @cached_property
    def rank(self) -> dict[int, int]:
        """GPU vertex -> rank."""
        return {vertex: rank for rank, vertex in enumerate(self.fabric.gpus.tolist())}

    def vertices(self, device: str) -> list[int]:
        """Vertices of a device in the order of its block."""
        found: list[int] = np.flatnonzero(self.fabric.vertex_device == self.row[device]).tolist()
        return found

    def block(self, device_id: str) -> Block:
        """What a device became in the fabric."""
        found = self._blocks.get(device_id)
        if found is None:
            device = self.document.devices[device_id]
            found = self._blocks[device_id] = make_block(
                self.document.catalog, self.document.device_type(device), device,
                stray_ports(self.document, (device,)).get(device_id, ()),
            )  # fmt: skip
        return found

    def device_of(self, vertex: int) -> Device:
        """The device of a vertex."""
        row = int(self.fabric.vertex_device[vertex])
        return self.document.devices[self.fabric.device_ids[row]]

    def port_vertex(self, device: str, port: str) -> int:
        """The vertex behind a port."""
        block = self.block(device)
        return self.vertices(device)[block.ports.get(port, block.other).vertex]

    def label(self, vertex: int) -> str:
        """`node-01/gpu3`, `node-01/nic3`, `leaf-1`."""
        device, kind = self.device_of(vertex).name, VertexKind(int(self.fabric.vertex_kind[vertex]))
        local = int(self.fabric.vertex_local[vertex])
        if kind == VertexKind.GPU:
            return f"{device}/gpu{local}"
        if kind == VertexKind.NIC:
            return f"{device}/nic{local}"
        inner = kind == VertexKind.SCALE_UP and self.device_of(vertex).kind == "server"
        return f"{device}/scale-up" if inner else device

    def end(self, vertex: int) -> End:
        """A vertex as an end of a trace."""
        rank = self.rank.get(vertex, -1)
        if self.fabric.vertex_kind[vertex] != VertexKind.NIC:
            return End(vertex, rank)
        half = len(self.fabric.src) // 2
        bus = np.flatnonzero(self.fabric.dst[:half] == vertex)
        gpus = (self.rank.get(int(self.fabric.src[edge]), -1) for edge in bus.tolist())
        return End(vertex, owner=next((gpu for gpu in gpus if gpu >= 0), -1))


def find_endpoint(places: Places, text: str) -> Endpoint:
    """What a text means; a glob must mean one thing.

    Raises:
        BadInputError: nothing or several things are called that, or it is not in the fabric.
    """
    words = text.strip()
    found = _RANK.fullmatch(words)
    if found is not None:
        return _rank(places, int(found[1]))
    exact = _named(places, words)
    if exact is not None:
        return _device(places, exact)
    part = _PART.fullmatch(words)
    if part is not None:
        device = _one(places, part["device"])
        return _part(places, device, part["part"], int(part["number"]))
    head, colon, port = words.rpartition(":")
    if colon and head and (_named(places, head) or not _matches(places, words)):
        return _port(places, _one(places, head), port)
    return _device(places, _one(places, words))


def _rank(places: Places, rank: int) -> Endpoint:
    gpus = places.fabric.gpus
    gpus = gpus if places.order is None else gpus[places.order]
    if rank >= len(gpus):
        mend = f"Ranks go from 0 to {len(gpus) - 1}" if len(gpus) else "It has no known GPUs"
        raise BadInputError(f"there is no rank {rank}", mend=mend)
    vertex = int(gpus[rank])
    return Endpoint(places.label(vertex), places.end(vertex), places.device_of(vertex).id)


def _named(places: Places, name: str) -> Device | None:
    document = places.document
    found = document.named(name)
    return found if isinstance(found, Device) else document.devices.get(name)


def _matches(places: Places, pattern: str) -> list[Device]:
    devices = places.document.devices.values()
    return [d for d in devices if fnmatchcase(d.name, pattern) or fnmatchcase(d.id, pattern)]


def _one(places: Places, name: str) -> Device:
    """The one device that a name, id or glob means."""
    exact = _named(places, name)
    if exact is not None:
        return exact
    found = _matches(places, name)
    if len(found) == 1:
        return found[0]
    if not found:
        known = [d.name for d in places.document.devices.values()]
        near = difflib.get_close_matches(name, known, n=_EXAMPLES, cutoff=0.5)
        hint = f"Nearest: {', '.join(near)}" if near else "For example node-01/gpu3 or rank:17"
        raise BadInputError(f'nothing is called "{name}"', mend=hint)
    shown = ", ".join(sorted(d.name for d in found)[:_EXAMPLES])
    raise BadInputError(
        f'"{name}" means {len(found)} devices ({shown}, …)', mend="Name one of them"
    )


def _part(places: Places, device: Device, part: str, number: int) -> Endpoint:
    _check_row(places, device)
    kind = VertexKind.GPU if part == "gpu" else VertexKind.NIC
    fabric = places.fabric
    fitting = [v for v in places.vertices(device.id) if fabric.vertex_kind[v] == kind]
    if number >= len(fitting):
        has = f"It has {part}0 to {part}{len(fitting) - 1}" if fitting else f"It has no {part}s"
        raise BadInputError(f"{device.name} has no {part}{number}", mend=has)
    vertex = fitting[number]
    if part == "gpu" and vertex not in places.rank:
        raise BadInputError(f"{device.name} is out of service", mend="Put it into service first")
    return Endpoint(places.label(vertex), places.end(vertex), device.id)


def _port(places: Places, device: Device, port: str) -> Endpoint:
    _check_row(places, device)
    kind = places.document.device_type(device)
    used = places.document.ports_in_use(device.id)
    name = next(_port_names(places, device, port), port)
    if name not in kind.port_by_name and name not in used:
        near = difflib.get_close_matches(port, [*kind.port_by_name, *used], n=_EXAMPLES, cutoff=0.4)
        hint = f"Nearest: {', '.join(near)}" if near else ""
        raise BadInputError(f"{device.name} has no port {port}", mend=hint)
    end = places.end(places.port_vertex(device.id, name))
    if end.rank >= 0:
        raise BadInputError(
            f"{device.name}:{name} is not in the compute network", mend="Name a compute port"
        )
    is_nic = places.fabric.vertex_kind[end.vertex] == VertexKind.NIC
    return Endpoint(f"{device.name}:{name}", end, device.id, "" if is_nic else name)


def _port_names(places: Places, device: Device, word: str) -> Iterator[str]:
    """Printed names of the ports called so by any of their three names, printed ones first."""
    ports = places.document.device_type(device).port_list
    yield from (p.name for p in ports if p.name == word)
    yield from (p.name for p in ports if p.os_name == word)
    lanes = (p for p in ports if word in (p.cage, f"{p.cage}/{p.lane}"))
    yield from (p.name for p in lanes)


def _device(places: Places, device: Device) -> Endpoint:
    """A switch, or of a server its first GPU."""
    _check_row(places, device)
    vertices = places.vertices(device.id)
    first = vertices[0]
    gpus = places.block(device.id).gpus
    if gpus and first not in places.rank:
        raise BadInputError(f"{device.name} is out of service", mend="Put it into service first")
    notes: tuple[str, ...] = ()
    if gpus > 1:
        notes = (
            f"{device.name} has {gpus} GPUs, its first was taken; {device.name}/gpu1 names another",
        )
    return Endpoint(places.label(first), places.end(first), device.id, notes=notes)


def _check_row(places: Places, device: Device) -> None:
    if device.id not in places.row or not places.vertices(device.id):
        raise BadInputError(f"{device.name} is not in the compute network")
