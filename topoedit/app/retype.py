"""Giving drawn hosts of unknown type a server type: their ports become those of the type."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from topoedit.app.host_types import TypeRule, assign
from topoedit.catalog.types import DeviceType, Port
from topoedit.errors import BadEditError
from topoedit.io.parsed import Adapter, ParsedNode
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Device, Link, Network, PortOverride, Ports
from topoedit.model.operations import plural
from topoedit.model.panels import through_of
from topoedit.model.ports import collapse, natural_key

_NUMBERED = re.compile(r"(.*?)(\d+)(?:/(\d+))?")
_NETWORKS: dict[str, Network] = {"storage": "storage", "in-band": "in-band"}
_Ends = Mapping[tuple[str, str], Port]


def needs_mapping(document: Document, devices: Sequence[Device], kind: DeviceType) -> bool:
    """Whether the type lacks ports that cables of these devices use.

    Only devices whose own type has any port that a cable names can be given others: what such a
    port was called is all that is known of it.
    """
    if kind.kind != "server" or kind.open_ports:
        return False
    return any(
        document.device_type(device).open_ports
        and not document.ports_in_use(device.id).keys() <= kind.port_by_name.keys()
        for device in devices
    )


def retype(document: Document, devices: Sequence[Device], kind: DeviceType) -> Edit:
    """One step that gives hosts a type and moves their cables to its ports by index.

    Adapters of all these hosts are ranked together, as an import with a server type does.

    Raises:
        BadEditError: a host has more ports in use than the type.
    """
    hosts = [_as_parsed(document, device) for device in devices]
    found = assign(hosts, (TypeRule("*", kind),))
    missing = next((d for d in devices if d.id not in found.types), None)
    if missing is not None:
        used = len(document.ports_in_use(missing.id))
        raise BadEditError(
            f"{kind.name} has too few network ports for the {used} in use",
            missing.name,
            "Choose another type",
        )
    changed = tuple(_typed(device, kind, found.ports, document) for device in devices)
    ids = dict.fromkeys(link for device in devices for link in document.links_of(device.id))
    links: list[Link] = []
    for link_id in ids:
        links.extend(_moved(document, document.links[link_id], found.ports, links))
    what = devices[0].name if len(devices) == 1 else plural(len(devices), "device")
    return Edit(f"Set type of {what} to {kind.name}", put=(*changed, *links))


def _as_parsed(document: Document, device: Device) -> ParsedNode:
    ports = sorted(document.ports_in_use(device.id), key=natural_key)
    return ParsedNode(
        key=device.id,
        name=device.name,
        kind="server",
        adapters=tuple(_adapter(name) for name in ports),
    )


def _adapter(name: str) -> Adapter:
    """`HCA-5/2` is port 2 of the adapter with number 5; a name without a number has no index."""
    match = _NUMBERED.fullmatch(name)
    if match is None:
        return Adapter(name, name)
    stem, number, port = match.groups()
    return Adapter(name, f"{stem}{number}" if stem else "", int(number), int(port or 1))


def _typed(device: Device, kind: DeviceType, ports: _Ends, document: Document) -> Device:
    """The device with its type; what its system calls a port is kept beside the port's name."""
    overrides = [
        PortOverride(names=port.name, os_name=name)
        for name in document.ports_in_use(device.id)
        if (port := ports[device.id, name]).name != name and not name.isdecimal()
    ]
    return replace(
        device,
        type=kind.id,
        kind=kind.kind,
        ports=tuple(sorted(overrides, key=lambda o: natural_key(o.names))),
    )


class _Kind(NamedTuple):
    network: Network
    rail: int | None


def _moved(document: Document, link: Link, ports: _Ends, others: Sequence[Link]) -> Sequence[Link]:
    """A link on its new ports; cables that now are of different rails become links of their own."""
    parts: dict[_Kind, list[tuple[str, str, str, int]]] = defaultdict(list)
    cables = zip(link.a.names, link.b.names, link.cable_ids, strict=True)
    for index, (a, b, cable) in enumerate(cables):
        names, network, rail = [], link.network, link.rail
        for end, name in ((link.a, a), (link.b, b)):
            port = ports.get((end.device, name))
            names.append(name if port is None else port.name)
            if port is not None:
                network = _NETWORKS.get(port.role, network)
                rail = port.rail if port.rail is not None else rail
        parts[_Kind(network, rail)].append((names[0], names[1], cable, index))
    taken = [other.id for other in others]
    made: list[Link] = []
    failed = link.failed
    for kind, rows in parts.items():
        lost, failed = min(failed, len(rows)), max(0, failed - len(rows))
        made.append(
            replace(
                link,
                id=link.id if not made else document.new_id(f"link-{rows[0][2]}", taken),
                a=Ports(link.a.device, collapse(row[0] for row in rows)),
                b=Ports(link.b.device, collapse(row[1] for row in rows)),
                cables=collapse(row[2] for row in rows),
                network=kind.network,
                rail=kind.rail,
                failed=lost,
                through=through_of(link, (row[3] for row in rows)),
            )
        )
        taken.append(made[-1].id)
    return made
