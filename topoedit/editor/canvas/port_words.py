"""A port in words, for cards and chips."""

from __future__ import annotations

from topoedit.catalog.types import Port
from topoedit.model.connect import port_of
from topoedit.model.document import Document


def port_words(document: Document, device_id: str, name: str) -> str:
    """A port in one line: `node-1:nic3 · 400 Gb/s · rail 3 · OSFP · free`."""
    device = document.devices[device_id]
    port = port_of(document, device, name)
    used = name in document.ports_in_use(device_id)
    return " · ".join((f"{device.name}:{name}", *port_facts(port), "used" if used else "free"))


def port_facts(port: Port) -> tuple[str, ...]:
    """Rate, rail and cage of a port, as far as they are known."""
    rate = "rate –" if port.gbps is None else f"{port.gbps:g} Gb/s"
    rail = "" if port.rail is None else f"rail {port.rail}"
    return tuple(filter(None, (rate, rail, port.cage_type or "")))
