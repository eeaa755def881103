"""Which adapter of a server is which: printed name, cage and lane, the operating system's name.

One row for each network port of each server with the GPU it hangs on, its rail, and the leaf's
port at the other end of its cable. PCIe addresses are those that the drawing gives, else unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from topoedit.model.document import Document
from topoedit.model.elements import Device, Link
from topoedit.model.ports import expand
from topoedit.reports.bought import Purchase
from topoedit.reports.tables import Cell

HCA_COLUMNS = (
    "server", "site", "rack", "unit", "gpu", "port", "cage", "lane", "os_name", "pcie", "rail",
    "network", "gbps", "leaf", "leaf_port", "leaf_cage", "leaf_lane", "leaf_os_name", "cable",
)  # fmt: skip
Row = tuple[Cell, ...]


def hca_rows(document: Document, bought: Purchase) -> Iterator[Row]:
    """One row for each network port of each server, in walking order and the order of ports."""
    for place in sorted(bought.places.values(), key=lambda one: one.order):
        if place.device.kind == "server":
            head = (place.device.name, place.site, place.rack, place.unit)
            for row in _ports(document, bought, place.device):
                yield (*head, *row)


def _ports(document: Document, bought: Purchase, device: Device) -> Iterator[Row]:
    kind = document.device_type(device)
    gpus = kind.inside.nic_gpu if kind.inside is not None else ()
    addresses = {
        name: override.pcie
        for override in device.ports
        if override.pcie
        for name in expand(override.names)
    }
    used = document.ports_in_use(device.id)
    compute = 0
    listed = {port.name: port for port in kind.port_list if port.role != "scale-up"}
    for name in dict.fromkeys((*listed, *used)):
        port = listed.get(name)
        gpu: int | None = None
        if port is not None and port.role == "compute":
            gpu = gpus[compute] if compute < len(gpus) and gpus[compute] >= 0 else None
            compute += 1
        elif name not in listed and name in kind.port_by_name:
            continue  # a scale-up port
        book = bought.ports.port(device, name)
        link = document.links.get(used.get(name, ""))
        network = link.network if link is not None else _network(port.role if port else "")
        yield (
            gpu, book.name, book.cage or book.name, book.lane, book.os_name,
            addresses.get(name), _rail(device, name, port.rail if port else None), network,
            book.gbps, *_far(bought, link, device.id, name),
        )  # fmt: skip


def _rail(device: Device, name: str, rail: int | None) -> int | None:
    for override in device.ports:
        if override.rail is not None and name in expand(override.names):
            return override.rail
    return rail


def _network(role: str) -> str:
    return role if role in ("compute", "storage", "in-band", "out-of-band") else ""


def _far(bought: Purchase, link: Link | None, device_id: str, name: str) -> Row:
    """The port at the other end of a link, and the cable."""
    if link is None:
        return (None,) * 6
    near = link.end_at(device_id)
    index = near.names.index(name) if name in near.names else -1
    if index < 0:
        near = link.b
        index = near.names.index(name)
    far = link.b if near is link.a else link.a
    place = bought.places[far.device]
    port = bought.ports.port(place.device, far.names[index])
    return (
        place.device.name, port.name, port.cage or port.name, port.lane, port.os_name,
        link.cable_ids[index],
    )  # fmt: skip
