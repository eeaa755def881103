"""Cables by the names that a built fabric reports: what validation files are made of.

A port has three names: the printed one (`33`), cage and lane (`17/1`) and the operating system's
(`IB1/17/1`, `mlx5_0`). Each file wants one of them; here they are brought together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from msgspec.structs import replace

from topoedit.catalog.types import DeviceType, Port
from topoedit.io.exporters._losses import losses
from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.model.ports import expand, natural_key

Protocol = Literal["ib", "ethernet", "unknown"]
INFINIBAND, ETHERNET, UNKNOWN = "ib", "ethernet", "unknown"
_SWITCHES = ("switch", "leaf", "spine", "core", "router", "nvswitch")
_PASSIVE = ("panel", "ocs")
_FABRICS = {"InfiniBand": INFINIBAND, "Ethernet": ETHERNET}
_BLANK = re.compile(r"[\s\x00-\x1f\x7f]+")
_ADAPTER = re.compile(r"(?:mlx\d+_|HCA-)", re.IGNORECASE)
_FIELDS = ("gbps", "role", "cage_type", "rail", "os_name")


class End(NamedTuple):
    """One end of a cable.

    Attributes:
        number: of a host, which of its network ports this is, from 1; 0 for a switch.
    """

    device: Device
    kind: DeviceType
    port: Port
    number: int

    @property
    def is_switch(self) -> bool:
        return self.device.kind in _SWITCHES

    @property
    def hca(self) -> str:
        """The adapter's name; where unknown, what the Cable Validation Tool takes for port n.

        That is `mlx5_0` for port 1, `mlx5_1` for port 2 (its guide, Optional Files, HCA mapping).
        """
        return self.port.os_name or f"mlx5_{self.number - 1}"

    @property
    def interface(self) -> str:
        """The operating system's network interface; "" if it is not known (`mlx5_0` is none)."""
        return "" if _ADAPTER.match(self.port.os_name) else self.port.os_name

    @property
    def cage_and_lane(self) -> str:
        """`17/1` for a port that shares its cage, else the printed name."""
        return f"{self.port.cage}/{self.port.lane}" if self.port.lane else self.port.name


class Wire(NamedTuple):
    """One drawn cable; the lower end, a host if there is one, comes first."""

    id: str
    a: End
    b: End
    protocol: Protocol
    gbps: float | None


def wires(document: Document) -> list[Wire]:
    """Every drawn cable between devices that report their neighbours, in the order of cable ids.

    Cables at patch panels and optical switches, which report nothing, are left out.
    """
    book = _PortNames(document)
    found: list[Wire] = []
    for link in document.links.values():
        a, b = document.devices[link.a.device], document.devices[link.b.device]
        if a.kind in _PASSIVE or b.kind in _PASSIVE:
            continue
        protocol = _protocol(document, (a, b), link.protocol)
        ends = zip(link.cable_ids, link.a.names, link.b.names, strict=True)
        for cable, here, there in ends:
            near, far = book.end(a, here), book.end(b, there)
            if near.is_switch and not far.is_switch:
                near, far = far, near
            found.append(Wire(cable, near, far, protocol, link.gbps))
    found.sort(key=lambda wire: natural_key(wire.id))
    return found


def left_out(
    document: Document, kept: Iterable[Wire], others: str, *further: tuple[str, int]
) -> tuple[str, ...]:
    """What a validation file cannot hold, in words.

    Args:
        document: the drawing.
        kept: the cables that are in the file.
        others: what the drawn cables that are not in it are.
        further: more of it, with counts.
    """
    number = sum(1 for _ in kept)
    drawn = sum(link.count for link in document.links.values())
    lengths = sum(link.count for link in document.links.values() if link.length_m is not None)
    own = ((others, drawn - number), ("lengths and media of cables", lengths), *further)
    counted = tuple(f"{what} ({n})" for what, n in own if n)
    return (*counted, *losses(document, keeps=("groups",)))


def one_word(names: Iterable[str]) -> dict[str, str]:
    """Name -> the name without blanks, still different for each.

    >>> one_word(["leaf 1", "leaf_1"])
    {'leaf 1': 'leaf_1.2', 'leaf_1': 'leaf_1'}
    """
    known = dict.fromkeys(names)
    taken = {name for name in known if name and not _BLANK.search(name)}
    found: dict[str, str] = {}
    for name in known:
        made = word(name)
        if made != name:
            stem, number = made, 1
            while made in taken:
                number += 1
                made = f"{stem}.{number}"
            taken.add(made)
        found[name] = made
    return found


def word(text: str) -> str:
    """A text without blanks, for names that need not stay different."""
    return _BLANK.sub("_", text) or "_"


def spoken_by(wire: Wire, protocol: Protocol) -> bool:
    """Whether a cable belongs into a file of this protocol; one of an unknown fabric may."""
    return wire.protocol in (protocol, UNKNOWN)


def place_of(document: Document, device: Device) -> dict[str, str]:
    """Kind of group -> name, of the groups around a device, the innermost of each kind."""
    found: dict[str, str] = {}
    group_id, steps = device.group, 0
    while group_id in document.groups and steps < 64:
        group = document.groups[group_id]
        found.setdefault(group.kind, group.name)
        group_id, steps = group.parent, steps + 1
    return found


def _protocol(document: Document, ends: tuple[Device, Device], said: str) -> Protocol:
    """By what the link says, then by its switches, then by GUIDs that a fabric gave."""
    if said.startswith("roce") or said in ("internet", "ethernet"):
        return "ethernet"
    ordered = sorted(ends, key=lambda device: device.kind not in _SWITCHES)
    fabrics = [_FABRICS.get(document.device_type(device).fabric) for device in ordered]
    known = next((fabric for fabric in fabrics if fabric), None)
    if known == INFINIBAND or (known is None and any(device.guid for device in ends)):
        return "ib"
    return "ethernet" if known else "unknown"


class _PortNames:
    """Ports by printed name with the overrides of their device; each type is read once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._ports: dict[str, dict[str, Port]] = {}
        self._numbers: dict[str, dict[str, int]] = {}

    def end(self, device: Device, name: str) -> End:
        kind = self._document.device_type(device)
        port = self._ports_of(device, kind).get(name) or Port(name)
        number = 0 if device.kind in _SWITCHES else self._numbers_of(device, kind).get(name, 0)
        return End(device, kind, port, number)

    def _ports_of(self, device: Device, kind: DeviceType) -> dict[str, Port]:
        if not device.ports:
            return kind.port_by_name
        found = self._ports.get(device.id)
        if found is None:
            found = self._ports[device.id] = dict(kind.port_by_name)
            for name, changes in _overrides(device):
                found[name] = replace(found.get(name) or Port(name), **changes)
        return found

    def _numbers_of(self, device: Device, kind: DeviceType) -> dict[str, int]:
        """Network ports of a host in the order of its type, then those that only the drawing has.

        Ports of the management controller are no adapters and have no number.
        """
        key = device.id if kind.open_ports else f"type {kind.id}"
        found = self._numbers.get(key)
        if found is None:
            names = [port.name for port in kind.port_list if port.role != "out-of-band"]
            if kind.open_ports:
                used = sorted(self._document.ports_in_use(device.id), key=natural_key)
                names += [name for name in used if name not in kind.port_by_name]
            found = self._numbers[key] = {name: n for n, name in enumerate(names, 1)}
        return found


def _overrides(device: Device) -> Iterator[tuple[str, dict[str, object]]]:
    for override in device.ports:
        changes = {
            field: value
            for field in _FIELDS
            if (value := getattr(override, field)) not in (None, "")
        }
        for name in expand(override.names):
            yield name, changes


def unknown_adapters(found: Iterable[Wire]) -> int:
    """Ends at hosts whose adapter is not known by name."""
    return sum(
        not end.is_switch and not end.port.os_name for wire in found for end in (wire.a, wire.b)
    )


def adapters(found: Iterable[Wire]) -> tuple[dict[int, str], int]:
    """Port number of a host -> adapter, and how many host ports have another one than that.

    Where hosts differ, the name that most of them have counts.
    """
    votes: dict[int, Counter[str]] = {}
    for wire in found:
        for end in (wire.a, wire.b):
            if end.number:
                votes.setdefault(end.number, Counter())[end.hca] += 1
    chosen = {number: counts.most_common(1)[0] for number, counts in sorted(votes.items())}
    unlike = sum(counts.total() - chosen[number][1] for number, counts in votes.items())
    return {number: name for number, (name, _) in chosen.items()}, unlike
