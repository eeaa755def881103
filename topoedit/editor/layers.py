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

__all__ = [
    "DIMMED",
    "HIDDEN",
    "SHOWN",
    "Key",
    "LayerKind",
    "Layers",
    "census",
    "filter_words",
    "rails_of",
]

Counts = dict[LayerKind, dict[str, int]]
MOST_RAILS = 64


def filter_words(layers: Layers) -> str:
    """What is not shown as usual: "Rail 0 only · 2 layers hidden"; "" while all is shown."""
    words = []
    if layers.solo is not None:
        kind, name = layers.solo
        words.append(
            f"{name.capitalize()} only" if kind == "network" else f"{kind.capitalize()} {name} only"
        )
    for keys, state in ((layers.hidden, "hidden"), (layers.dimmed, "dimmed")):
        if keys:
            words.append(f"{len(keys)} layer{'' if len(keys) == 1 else 's'} {state}")
    return " · ".join(words)


def rails_of(document: Document) -> Callable[[Link], int | None]:
    """A function that tells which rail a link serves: its own word, else that of its ports."""
    judged: dict[tuple[str, str], int | None] = {}
    devices = document.devices

    def of_end(device: str, ports: str) -> int | None:
        drawn = devices[device]
        key = (drawn.type, ports)
        if key not in judged:
            judged[key] = _rail_of_ports(document.device_type(drawn), ports)
        return judged[key]

    def of_link(link: Link) -> int | None:
        if link.rail is not None:
            return link.rail
        rail = of_end(link.a.device, link.a.ports)
        return rail if rail is not None else of_end(link.b.device, link.b.ports)

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
    networks, rails = found["network"], found["rail"]
    for link in document.links.values():
        cables = link.count
        networks[link.network] += cables
        if (rail := rail_of(link)) is not None:
            rails[str(rail)] += cables
        if link.plane is not None or link.phase or link.tags:
            _count(found, link, cables)
    for device in document.devices.values():
        _count(found, device, 0)
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


def _count(found: dict[LayerKind, Counter[str]], element: Device | Link, cables: int) -> None:
    if element.plane is not None:
        found["plane"][str(element.plane)] += cables
    if element.phase:
        found["phase"][element.phase] += cables
    found["tag"].update(element.tags)
