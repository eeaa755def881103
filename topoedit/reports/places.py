"""Where devices stand: site, building, rack, unit, and the way a cable takes between two.

Lengths rest on the floor of `topoedit.templates.floor`: rack rows and columns, trays overhead.
"""

from __future__ import annotations

from typing import NamedTuple

from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.model.ports import natural_key
from topoedit.templates import floor


class Place(NamedTuple):
    """Where one device stands.

    Attributes:
        site, building, pod, rack: names, "" where there is none.
        unit: lowest rack unit, None if unknown.
        floor: what row and column count within: the ids of site and building.
        spot: row, column and unit on that floor, None if unknown.
        order: rank of the device in the order in which an installer walks.
        where: a number for rack and spot, the same for devices in one place.
    """

    device: Device
    site: str
    building: str
    rack: str
    unit: int | None
    floor: tuple[str, str]
    spot: floor.Spot | None
    order: int
    where: int


def places(document: Document) -> dict[str, Place]:
    """The place of every device, by id."""
    chains = {group_id: _chain(document, group_id) for group_id in document.groups}
    found = [_place(document, device, chains) for device in document.devices.values()]
    found.sort(key=_walk)
    spots: dict[tuple[object, ...], int] = {}
    return {
        place.device.id: place._replace(
            order=rank, where=spots.setdefault((place.floor, place.spot, place.rack), len(spots))
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


def _place(document: Document, device: Device, chains: dict[str, dict[str, str]]) -> Place:
    chain = chains.get(device.group, {})
    groups = document.groups

    def name(kind: str) -> str:
        return groups[chain[kind]].name if kind in chain else ""

    rack = groups.get(chain.get("rack", ""))
    spot = None
    if rack is not None and rack.row and rack.column is not None:
        spot = floor.Spot(floor.row_index(rack.row), rack.column, device.unit or 1)
    around = (chain.get("site", ""), chain.get("building", ""))
    return Place(
        device, name("site"), name("building"), name("rack"), device.unit, around, spot, 0, 0
    )


def _walk(place: Place) -> tuple[object, ...]:
    """Site, building, row, column, rack, then from the lowest unit up."""
    spot = place.spot
    where = (0, spot.row, spot.column) if spot else (1, 0, 0)
    return (
        natural_key(place.site), natural_key(place.building), where, natural_key(place.rack),
        place.unit or 0, natural_key(place.device.name), place.device.id,
    )  # fmt: skip


def routed_m(a: Place, b: Place) -> float | None:
    """Length of the way from device to device without slack, metres to 0.1; None if unknown.

    Inside a rack the height between the two and 0.5 m for both turns; else up to the tray, along
    it and down again (`floor.length_m` before its slack).
    """
    if a.spot is None or b.spot is None or a.floor != b.floor:
        return None
    if a.spot[:2] == b.spot[:2] and a.rack == b.rack:
        return round(abs(a.spot.unit - b.spot.unit) * floor.UNIT_M + 0.5, 1)
    across = (
        abs(a.spot.row - b.spot.row) * floor.ROW_PITCH_M
        + abs(a.spot.column - b.spot.column) * floor.RACK_WIDTH_M
    )
    up = 2 * (floor.TRAY_M - floor.PLINTH_M) - (a.spot.unit + b.spot.unit) * floor.UNIT_M
    return round(across + up, 1)


def with_slack_m(a: Place, b: Place) -> float | None:
    """Length with the usual slack, as the templates reckon it; None if unknown."""
    if a.spot is None or b.spot is None or a.floor != b.floor:
        return None
    return floor.length_m(a.spot, b.spot)
