"""What layers a drawing has, for the panel and the keys; what is shown is never saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from topoedit.catalog.types import DeviceType
from topoedit.model import ports as port_ranges
from topoedit.model.document import Document
from topoedit.model.elements import Device, Link, Network
from topoedit.model.layers import DIMMED, HIDDEN, SHOWN, Key, LayerKind, Layers
from topoedit.model.plan import choices

__all__ = ["DIMMED", "HIDDEN", "SHOWN", "Key", "LayerKind", "Layers", "census", "rails_of"]

Counts = dict[LayerKind, dict[str, int]]
MOST_RAILS = 64


def rails_of(document: Document) -> Callable[[Link], int | None]:
    """A function that tells which rail a link serves: its own word, else that of its ports."""
    judged: dict[tuple[str, str], int | None] = {}

    def of_end(device: str, ports: str) -> int | None:
        drawn = document.device_type(document.devices[device])
        key = (drawn.id, ports)
        if key not in judged:
            judged[key] = _rail_of_ports(drawn, ports)
        return judged[key]

    def of_link(link: Link) -> int | None:
        if link.rail is not None:
            return link.rail
        ends = (of_end(link.a.device, link.a.ports), of_end(link.b.device, link.b.ports))
        return next((rail for rail in ends if rail is not None), None)

    return of_link


def _rail_of_ports(device_type: DeviceType, ports: str) -> int | None:
    known = device_type.port_by_name
    rails = {known[name].rail if name in known else None for name in port_ranges.expand(ports)}
    return rails.pop() if len(rails) == 1 else None


def census(document: Document) -> Counts:
    """Cables by network, rail, plane and phase, and elements by tag."""
    found: dict[LayerKind, Counter[str]] = {
        "network": Counter(), "rail": Counter(), "plane": Counter(), "phase": Counter(),
        "tag": Counter(),
    }  # fmt: skip
    rail_of = rails_of(document)
    for link in document.links.values():
        found["network"][link.network] += link.count
        if (rail := rail_of(link)) is not None:
            found["rail"][str(rail)] += link.count
        _count(found, link)
    for device in document.devices.values():
        _count(found, device)
        if device.kind != "server":
            found["network"][device.network] += 0
    order = [name for name in choices(Network) if name in found["network"]]
    return {
        "network": {name: found["network"][name] for name in order},
        "rail": {name: found["rail"][name] for name in sorted(found["rail"], key=int)[:MOST_RAILS]},
        "plane": {name: found["plane"][name] for name in sorted(found["plane"], key=int)},
        "phase": dict(sorted(found["phase"].items())),
        "tag": dict(sorted(found["tag"].items())),
    }


def _count(found: dict[LayerKind, Counter[str]], element: Device | Link) -> None:
    cables = element.count if isinstance(element, Link) else 0
    if element.plane is not None:
        found["plane"][str(element.plane)] += cables
    if element.phase:
        found["phase"][element.phase] += cables
    found["tag"].update(element.tags)
