"""What must hold of links through patch panels and of the trunks between panels."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from topoedit.errors import BadEditError
from topoedit.model.elements import Device, Link, Ports, Trunk
from topoedit.model.ports import collapse
from topoedit.model.ports import count as count_ports

if TYPE_CHECKING:
    from topoedit.model.document import Document

MOST_HOPS = 16
MOST_FIBRES = 10_000


def per_cable(link: Link) -> int:
    """Panel ports that each cable of a link takes at a panel; 0 if it runs through none.

    A cable has several where it ends in several connectors (an 800G port on two MPO-12).
    """
    return count_ports(link.through[0].ports) // link.count if link.through else 0


def hops_of(link: Link, index: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """For cable `index` (from 0) of a link, each panel on its way with the ports it takes there."""
    each = per_cable(link)
    return tuple((hop.device, hop.names[index * each : (index + 1) * each]) for hop in link.through)


def through_of(link: Link, indexes: Iterable[int]) -> tuple[Ports, ...]:
    """The way through panels of some cables of a link (from 0), for a link of those alone."""
    if not link.through:
        return ()
    kept, each = list(indexes), per_cable(link)
    return tuple(
        Ports(
            hop.device,
            collapse(port for i in kept for port in hop.names[i * each : (i + 1) * each]),
        )
        for hop in link.through
    )


def trunk_between(
    document: Document, here: tuple[str, str], there: tuple[str, str]
) -> Trunk | None:
    """The trunk that joins a port of one panel to one of another, each (panel, port); or None."""
    if document.beyond(*here) != there:
        return None
    return document.trunks[document.rear_ports(here[0])[here[1]]]


def trunks_of(document: Document, link: Link, index: int) -> tuple[Trunk, ...]:
    """The trunks that cable `index` of a link runs in, in the order of its way."""
    hops = hops_of(link, index)
    found: dict[str, Trunk] = {}
    for (panel, ports), (other, ports_there) in pairwise(hops):
        for port, port_there in zip(ports, ports_there, strict=True):
            trunk = trunk_between(document, (panel, port), (other, port_there))
            if trunk is not None:
                found[trunk.id] = trunk
    return tuple(found.values())


def cut_cables(document: Document) -> dict[str, frozenset[int]]:
    """Links with cables that run through a failed panel or trunk, and which ones, from 0."""
    found: dict[str, frozenset[int]] = {}
    if not document.patched_links:
        return found
    for device in document.devices.values():
        if device.failed:
            for link_id in document.links_through(device.id):
                found[link_id] = frozenset(range(document.links[link_id].count))
    touched: dict[str, None] = {}
    for trunk in document.trunks.values():
        if trunk.failed:
            used = document.ports_in_use(trunk.a.device)
            touched.update((used[port], None) for port in trunk.a.names if port in used)
    for link_id in touched:
        link = document.links[link_id]
        cut = {
            index
            for index in range(link.count)
            if any(trunk.failed for trunk in trunks_of(document, link, index))
        }
        if cut:
            found[link_id] = found.get(link_id, frozenset()) | cut
    return found


def check_through(document: Document, link: Link) -> None:
    """A link runs through ports of panels, at each the same whole number of ports a cable.

    Raises:
        BadEditError: it does not.
    """
    if len(link.through) > MOST_HOPS:
        raise BadEditError(f"a link runs through at most {MOST_HOPS} panels", link.id)
    counts = {count_ports(hop.ports) for hop in link.through}
    if len(counts) != 1 or not (total := counts.pop()) or total % link.count:
        raise BadEditError(
            f"{link.count} cables but {', '.join(str(count_ports(h.ports)) for h in link.through)} "
            "ports at the panels on the way",
            link.id,
            "Give each cable one port at every panel, or the same whole number of ports",
        )
    for hop in link.through:
        _check_ports(document, link.id, hop, "runs through")


def check_trunk(document: Document, trunk: Trunk) -> None:
    """A trunk joins as many ports of two panels, with an equal number of fibres for each.

    Raises:
        BadEditError: it does not.
    """
    a, b = count_ports(trunk.a.ports), count_ports(trunk.b.ports)
    if a != b or not a:
        raise BadEditError(
            f"a trunk of {a} ports at one panel and {b} at the other", trunk.id,
            "Name as many ports at both ends",
        )  # fmt: skip
    if trunk.a.device == trunk.b.device:
        raise BadEditError("a trunk joins two panels", trunk.id, "Choose another panel")
    if not 0 < trunk.fibres <= MOST_FIBRES or trunk.fibres % a:
        raise BadEditError(
            f"{trunk.fibres} fibres cannot be shared evenly by {a} ports", trunk.id,
            f"Give a multiple of {a}, at most {MOST_FIBRES:,}",
        )  # fmt: skip
    if trunk.length_m is not None and not 0 <= trunk.length_m < 1e9:
        raise BadEditError(f"the length {trunk.length_m} is not possible", trunk.id)
    if not 0 <= trunk.splices <= 1000:
        raise BadEditError(f"{trunk.splices} splices are not possible", trunk.id)
    for end in (trunk.a, trunk.b):
        _check_ports(document, trunk.id, end, "ends at")


def check_panel(document: Document, device: Device) -> None:
    """A device that links run through, or trunks end at, is a panel and has the ports they use.

    Raises:
        BadEditError: it is none, or lacks a port.
    """
    through, rear = document.links_through(device.id), document.rear_ports(device.id)
    if not through and not rear:
        return
    if device.kind != "panel":
        raise BadEditError(
            f"{device.name} is no patch panel, but links or trunks use it as one",
            device.id,
            "Route them another way first",
        )
    kind = document.device_type(device)
    missing = (
        () if kind.open_ports else tuple(port for port in rear if port not in kind.port_by_name)
    )
    if missing:
        raise BadEditError(
            f'{kind.name} has no port "{missing[0]}", which {rear[missing[0]]} uses', device.id
        )


def check_no_longer_used(document: Document, device: Device) -> None:
    """A device that goes has neither trunks nor links through it.

    Raises:
        BadEditError: it has.
    """
    users = (*document.links_through(device.id), *document.trunks_at(device.id))
    if users:
        raise BadEditError(
            f"{device.name} still has {users[0]} in it", device.id,
            "Route the links another way and remove the trunks in the same edit",
        )  # fmt: skip


def _check_ports(document: Document, element_id: str, end: Ports, verb: str) -> None:
    device = document.devices.get(end.device)
    if device is None:
        raise BadEditError(f'it {verb} "{end.device}", which does not exist', element_id)
    if device.kind != "panel":
        raise BadEditError(
            f"it {verb} {device.name}, which is no patch panel", element_id, "Choose a panel"
        )
    kind = document.device_type(device)
    if kind.open_ports:
        return
    unknown = next((name for name in end.names if name not in kind.port_by_name), None)
    if unknown is not None:
        raise BadEditError(f'{device.name} has no port "{unknown}"', element_id)
