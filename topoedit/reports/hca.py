"""Which adapter of a server is which: printed name, cage and lane, the operating system's name.

One row for each network port of each server with the GPU it hangs on, its rail, and the leaf's
port at the other end of its cable. PCIe addresses are those that the drawing gives, else unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from topoedit.catalog.types import DeviceType
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link
from topoedit.model.ports import expand, natural_key
from topoedit.reports.places import Place
from topoedit.reports.ports import PortBook
from topoedit.reports.tables import Cell

HCA_COLUMNS = (
    "server", "site", "rack", "unit", "gpu", "port", "cage", "lane", "os_name", "pcie", "rail",
    "network", "gbps", "leaf", "leaf_port", "leaf_cage", "leaf_lane", "leaf_os_name", "cable",
)  # fmt: skip
Row = tuple[Cell, ...]
_Known = tuple[Mapping[str, Place], PortBook]


class _Listed(NamedTuple):
    """A network port that a type lists, and the GPU it hangs on."""

    name: str
    gpu: int | None
    rail: int | None
    role: str


def hca_rows(document: Document, places: Mapping[str, Place], ports: PortBook) -> Iterator[Row]:
    """One row for each network port of each server, in walking order and the order of ports.

    Args:
        document: the drawing.
        places: where its devices stand, by id.
        ports: their ports; a `Purchase` has both.
    """
    types: dict[str, tuple[_Listed, ...]] = {}
    for place in sorted(places.values(), key=lambda one: one.order):
        device = place.device
        if device.kind != "server":
            continue
        listed = types.get(device.type)
        if listed is None:
            listed = types[device.type] = _listed(document.device_type(device))
        head = (device.name, place.site, place.rack, place.unit)
        for port in _of_device(document, device, listed):
            yield (*head, *_row(document, (places, ports), device, port))


def _listed(kind: DeviceType) -> tuple[_Listed, ...]:
    gpus = kind.inside.nic_gpu if kind.inside is not None else ()
    hung = iter(gpus)
    found = []
    for port in kind.port_list:
        if port.role != "scale-up":
            gpu = next(hung, -1) if port.role == "compute" else -1
            found.append(_Listed(port.name, gpu if gpu >= 0 else None, port.rail, port.role))
    return tuple(found)


def _of_device(
    document: Document, device: Device, listed: tuple[_Listed, ...]
) -> Iterator[_Listed]:
    """The listed ports, and those in use that the type does not list."""
    yield from listed
    kind = document.device_type(device)
    if kind.open_ports:
        known = kind.port_by_name
        used = (name for name in document.ports_in_use(device.id) if name not in known)
        yield from (_Listed(name, None, None, "") for name in sorted(used, key=natural_key))


def _row(document: Document, known: _Known, device: Device, port: _Listed) -> Row:
    book = known[1].port(device, port.name)
    link = document.links.get(document.ports_in_use(device.id).get(port.name, ""))
    network = link.network if link is not None else _network(port.role)
    return (
        port.gpu, book.name, book.cage or book.name, book.lane, book.os_name,
        _address(device, port.name) if device.ports else None,
        _rail(device, port.name, port.rail) if device.ports else port.rail, network, book.gbps,
        *_far(known, link, device.id, port.name),
    )  # fmt: skip


def _address(device: Device, name: str) -> str | None:
    """PCIe address of a port's adapter; None if the drawing does not give it."""
    found = (o.pcie for o in device.ports if o.pcie and name in expand(o.names))
    return next(found, None)


def _rail(device: Device, name: str, rail: int | None) -> int | None:
    for override in device.ports:
        if override.rail is not None and name in expand(override.names):
            return override.rail
    return rail


def _network(role: str) -> str:
    return role if role in ("compute", "storage", "in-band", "out-of-band") else ""


def _far(known: _Known, link: Link | None, device_id: str, name: str) -> Row:
    """The port at the other end of a link, and the cable."""
    if link is None:
        return (None,) * 6
    near, far = (link.a, link.b) if link.a.device == device_id else (link.b, link.a)
    if name not in near.names:  # a link from a device to itself
        near, far = far, near
    index = near.names.index(name)
    place = known[0][far.device]
    port = known[1].port(place.device, far.names[index])
    return (
        place.device.name, port.name, port.cage or port.name, port.lane, port.os_name,
        link.cable_ids[index],
    )  # fmt: skip
