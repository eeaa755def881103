"""The three names of every port, and the cage it shares with others."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from topoedit.catalog.types import DeviceType
from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.model.ports import expand


class Port(NamedTuple):
    """One port of a device.

    Attributes:
        name, cage, lane, os_name: printed name, cage, lane there, and the operating system's name.
        gbps: its rate per direction, None if unknown.
        slot: its place among the ports of the cage, from 0; `shared`: how many share the cage.
        listed: false for a port that the type does not list; it counts as a cage of its own.
    """

    name: str
    cage: str
    lane: str
    os_name: str
    cage_type: str
    slot: int
    shared: int
    gbps: float | None = None
    listed: bool = True


class PortBook:
    """Ports of the devices of a document by their printed names, each type read once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._types: dict[str, dict[str, Port]] = {}
        self._devices: dict[str, dict[str, Port]] = {}
        self._unlisted: dict[str, Port] = {}

    def of(self, device: Device) -> dict[str, Port]:
        """Printed name -> port, of those that the type lists."""
        found = self._devices.get(device.id)
        if found is None:
            found = self._of_type(device)
            if device.ports:
                found = _overridden(found, device)
            self._devices[device.id] = found
        return found

    def port(self, device: Device, name: str) -> Port:
        """One port of a device."""
        found = self.of(device).get(name) or self._unlisted.get(name)
        if found is None:
            found = self._unlisted[name] = Port(name, "", "", "", "", 0, 1, listed=False)
        return found

    def _of_type(self, device: Device) -> dict[str, Port]:
        found = self._types.get(device.type)
        if found is None:
            found = self._types[device.type] = _read(self._document.device_type(device))
        return found


def _read(kind: DeviceType) -> dict[str, Port]:
    sizes = Counter(port.cage for port in kind.port_list if port.cage)
    taken: Counter[str] = Counter()
    found: dict[str, Port] = {}
    for port in kind.port_list:
        slot, shared = (taken[port.cage], sizes[port.cage]) if port.cage else (0, 1)
        taken[port.cage] += 1
        found[port.name] = Port(
            port.name, port.cage, port.lane, port.os_name, port.cage_type, slot, shared, port.gbps
        )
    return found


def _overridden(ports: dict[str, Port], device: Device) -> dict[str, Port]:
    changed = dict(ports)
    for override in device.ports:
        for name in expand(override.names):
            port = changed.get(name)
            if port is None:
                continue
            changed[name] = port._replace(
                os_name=override.os_name or port.os_name,
                cage_type=override.cage_type or port.cage_type,
            )
    return changed
