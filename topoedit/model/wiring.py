"""Wiring by pattern: `leaf*` x `spine*`, or servers to leaves by rail, with a port plan."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from topoedit.catalog.types import Port
from topoedit.errors import BadEditError
from topoedit.model.connect import Cabling, free_ports, misfit, port_of, slower
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Device, Group, Link, Ports
from topoedit.model.naming import Reservation
from topoedit.model.operations import devices_inside, plural
from topoedit.model.ports import collapse, expand, natural_key

Scheme = Literal["mesh", "rail", "pairs"]


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """What to join.

    Attributes:
        a, b: globs, names or ids of devices and groups, comma-separated.
        scheme: `mesh` joins every a with every b; `rail` joins port i of every a with the i-th b
            (round again if there are fewer); `pairs` joins the i-th a with the i-th b.
        cables: cables for each pair (for each rail port with `rail`).
        ports_a, ports_b: ranges to take ports from; "" takes free ones in order.
    """

    a: str
    b: str
    scheme: Scheme = "mesh"
    cables: int = 1
    ports_a: str = ""
    ports_b: str = ""
    cabling: Cabling = Cabling()


class PlannedLink(msgspec.Struct, frozen=True):
    """One row of a port plan."""

    a: str
    ports_a: tuple[Port, ...]
    b: str
    ports_b: tuple[Port, ...]


def match_devices(document: Document, patterns: str) -> list[Device]:
    """Devices that a comma-separated list of names, ids, globs or groups means, natural order.

    Raises:
        BadEditError: a part of the list matches nothing.
    """
    found: dict[str, Device] = {}
    for part in filter(None, (piece.strip() for piece in patterns.split(","))):
        matched = list(_match_one(document, part))
        if not matched:
            raise BadEditError(f'no device or group is called "{part}"')
        found.update((device.id, device) for device in matched)
    return sorted(found.values(), key=lambda device: natural_key(device.name))


def _match_one(document: Document, part: str) -> Iterable[Device]:
    element = document.element(part) or document.named(part)
    if isinstance(element, Device):
        return [element]
    if isinstance(element, Group):
        return devices_inside(document, element.id)
    return [d for d in document.devices.values() if fnmatch.fnmatchcase(d.name, part)]


class _Supply:
    """Free ports of devices, handed out in order."""

    def __init__(self, document: Document, ranges: str, towards: Sequence[Device]) -> None:
        self._document = document
        self._names = expand(ranges)
        self._towards = towards[0] if towards else None
        self._left: dict[str, list[Port]] = {}

    def ports(self, device: Device) -> list[Port]:
        """Ports of a device still to be had."""
        if device.id not in self._left:
            self._left[device.id] = self._fresh(device)
        return self._left[device.id]

    def _fresh(self, device: Device) -> list[Port]:
        if not self._names:
            return free_ports(self._document, device, self._towards)
        used = self._document.ports_in_use(device.id)
        kind = self._document.device_type(device)
        for name in self._names:
            if not kind.open_ports and name not in kind.port_by_name:
                raise BadEditError(f'{device.name} has no port "{name}"')
        return [port_of(self._document, device, n) for n in self._names if n not in used]

    def take(self, device: Device, count: int, fits: Port | None, rail: int | None) -> list[Port]:
        """Remove and return up to `count` ports that fit."""
        ports = self.ports(device)
        chosen = [
            port
            for port in ports
            if (fits is None or not misfit(port, fits)) and (rail is None or port.rail == rail)
        ][:count]
        for port in chosen:
            ports.remove(port)
        return chosen


def plan(document: Document, pattern: Pattern) -> list[PlannedLink]:
    """The port plan of a pattern, nothing changed yet.

    Raises:
        BadEditError: a pattern matches nothing, sides overlap, or ports run out (which, and how
            many are missing).
    """
    side_a, side_b = match_devices(document, pattern.a), match_devices(document, pattern.b)
    if not side_a or not side_b:
        raise BadEditError("name the devices of both sides")
    both = {d.id for d in side_a} & {d.id for d in side_b}
    if both:
        raise BadEditError("a device is on both sides of the pattern", sorted(both)[0])
    if pattern.cables < 1:
        raise BadEditError("a pattern needs at least one cable for each pair")
    supply_a = _Supply(document, pattern.ports_a, side_b)
    supply_b = _Supply(document, pattern.ports_b, side_a)
    if pattern.scheme == "rail":
        return _rails(side_a, side_b, pattern.cables, supply_a, supply_b)
    if pattern.scheme == "pairs" and len(side_a) != len(side_b):
        raise BadEditError(f"pairs need equal sides: {len(side_a)} and {len(side_b)} devices")
    pairs = (
        zip(side_a, side_b, strict=True)
        if pattern.scheme == "pairs"
        else ((a, b) for a in side_a for b in side_b)
    )
    return [_join(a, b, pattern.cables, None, supply_a, supply_b) for a, b in pairs]


def _rails(
    side_a: Sequence[Device], side_b: Sequence[Device], cables: int, supply_a: _Supply,
    supply_b: _Supply,
) -> list[PlannedLink]:  # fmt: skip
    rows = []
    for a in side_a:
        rails = sorted({port.rail for port in supply_a.ports(a) if port.rail is not None})
        if not rails:
            raise BadEditError(f"{a.name} has no free rail port", mend="Use the mesh scheme")
        for rail in rails:
            b = side_b[rail % len(side_b)]
            rows.append(_join(a, b, cables, rail, supply_a, supply_b))
    return rows


def _join(
    a: Device, b: Device, count: int, rail: int | None, supply_a: _Supply, supply_b: _Supply
) -> PlannedLink:
    ports_a = supply_a.take(a, count, None, rail)
    ports_b = supply_b.take(b, count, ports_a[0] if ports_a else None, None)
    for device, ports in ((a, ports_a), (b, ports_b)):
        if len(ports) < count:
            raise BadEditError(
                f"{device.name} has {len(ports)} free ports of the {count} that "
                f"{a.name} to {b.name} needs"
            )
    return PlannedLink(a.id, tuple(ports_a), b.id, tuple(ports_b))


def wire(document: Document, pattern: Pattern) -> Edit:
    """The edit that draws a pattern's port plan."""
    reservation = Reservation(document)
    links = [_link(row, pattern.cabling, reservation) for row in plan(document, pattern)]
    cables = sum(link.count for link in links)
    return Edit(f"Wire {pattern.a} to {pattern.b} ({plural(cables, 'cable')})", put=tuple(links))


def _link(row: PlannedLink, cabling: Cabling, reservation: Reservation) -> Link:
    cables = reservation.new_cables(len(row.ports_a))
    rails = {p.rail for p in (*row.ports_a, *row.ports_b) if p.rail is not None}
    rate = cabling.gbps if cabling.gbps is not None else slower(row.ports_a[0], row.ports_b[0])
    return Link(
        id=reservation.new_id(f"link-{expand(cables)[0]}"),
        a=Ports(row.a, collapse(port.name for port in row.ports_a)),
        b=Ports(row.b, collapse(port.name for port in row.ports_b)),
        cables=cables,
        medium=cabling.medium,
        gbps=rate,
        length_m=cabling.length_m,
        km=cabling.km,
        network=cabling.network or "compute",
        plane=cabling.plane,
        rail=rails.pop() if len(rails) == 1 else None,
        phase=cabling.phase,
    )
