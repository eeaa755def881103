"""Where devices stand, by name, and in which order an installer walks past them.

How long a cable between two of them is says `topoedit.layout.routes`.
"""

from __future__ import annotations

from typing import NamedTuple

from topoedit.layout.routes import Berth, Router
from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.model.ports import natural_key


class Place(NamedTuple):
    """Where one device stands.

    Attributes:
        site, building, room, rack: names, "" where there is none.
        unit: lowest rack unit, None if unknown.
        berth: its place on the floor, None if it is in no rack.
        order: rank of the device in the order in which an installer walks.
        where: a number for rack and unit, the same for devices in one place.
    """

    device: Device
    site: str
    building: str
    room: str
    rack: str
    unit: int | None
    berth: Berth | None
    order: int
    where: int


def places(document: Document, router: Router | None = None) -> dict[str, Place]:
    """The place of every device, by id."""
    router = router if router is not None else Router(document)
    chains = {group_id: _chain(document, group_id) for group_id in document.groups}
    found = [_place(document, device, chains, router) for device in document.devices.values()]
    found.sort(key=_walk)
    spots: dict[tuple[object, ...], int] = {}
    return {
        place.device.id: place._replace(
            order=rank, where=spots.setdefault((place.berth, place.rack), len(spots))
        )
        for rank, place in enumerate(found)
    }


def _chain(document: Document, group_id: str) -> dict[str, str]:
    """Kind -> id of the group and of those around it."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    while group_id and group_id not in seen:
        seen.add(group_id)
        group = document.groups.get(group_id)
        if group is None:
            break
        found.setdefault(group.kind, group.id)
        group_id = group.parent
    return found


def _place(
    document: Document, device: Device, chains: dict[str, dict[str, str]], router: Router
) -> Place:
    chain = chains.get(device.group, {})
    groups = document.groups
    berth = router.berth(device)

    def name(kind: str) -> str:
        return groups[chain[kind]].name if kind in chain else ""

    room = groups[berth.rack].room if berth is not None else ""
    return Place(
        device, name("site"), name("building"), groups[room].name if room else name("room"),
        name("rack"), device.unit, berth, 0, 0,
    )  # fmt: skip


def _walk(place: Place) -> tuple[object, ...]:
    """Site, building, room, row, place in the row, rack, then from the lowest unit up."""
    spot = place.berth.spot if place.berth is not None else None
    where = (0, spot.line, spot.x_m) if spot else (1, 0, 0.0)
    return (
        natural_key(place.site), natural_key(place.building), natural_key(place.room), where,
        natural_key(place.rack), place.unit or 0, natural_key(place.device.name), place.device.id,
    )  # fmt: skip
