"""What must hold in every document; checked for what an edit touches, before anyone sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from topoedit.catalog.types import DeviceType
from topoedit.errors import BadEditError, BadInputError
from topoedit.model import panels
from topoedit.model.elements import (
    AnyElement,
    CustomType,
    Device,
    Group,
    Link,
    Ports,
    Settings,
    Trunk,
)
from topoedit.model.ports import expand

if TYPE_CHECKING:
    from topoedit.model.document import Document
    from topoedit.model.edits import Edit

_GROUP_LEVEL = {"rack": 0, "pod": 1, "room": 2, "building": 3, "site": 4}


def check(document: Document, edit: Edit, old: Mapping[str, AnyElement]) -> None:
    """Check everything that `edit`, already applied, may have broken.

    Raises:
        BadEditError: an invariant does not hold.
    """
    for element in edit.put:
        before = old.get(element.id)
        if before is not None and type(before) is not type(element):
            raise BadEditError("an element cannot become one of another kind", element.id)
        check_element(document, element)
    for element_id in edit.drop:
        _check_gone(document, old[element_id])


def check_element(document: Document, element: AnyElement) -> None:
    """Check one element that an edit, already applied, put there.

    Raises:
        BadEditError: an invariant does not hold.
    """
    if not element.id:
        raise BadEditError("an element has no id")
    if type(element) is Link:
        check_link(document, element)
    elif isinstance(element, Device):
        check_device(document, element)
    elif isinstance(element, Group):
        check_group(document, element)
    elif isinstance(element, Trunk):
        panels.check_trunk(document, element)
    elif isinstance(element, CustomType):
        _check_type(document, element)
    elif (element.id == "document") is not isinstance(element, Settings):
        raise BadEditError("the id `document` belongs to the settings", element.id)


def check_device(document: Document, device: Device) -> None:
    """A device has a known type, an existing group, a finite place, and keeps its used ports."""
    kind = check_placed(document, device)
    panels.check_panel(document, device)
    if kind.open_ports:
        return
    known = kind.port_by_name
    for port, link in document.ports_in_use(device.id).items():
        if port not in known:
            raise BadEditError(
                f'{kind.name} has no port "{port}", which {link} uses',
                device.id,
                f"Remove the link or use another port: {_port_summary(kind.port_list)}",
            )


def check_placed(document: Document, device: Device) -> DeviceType:
    """A device has a known type, which is the result, an existing group and a finite place."""
    if device.group and device.group not in document.groups:
        raise BadEditError(f'there is no group "{device.group}"', device.id)
    if not (abs(device.x) < 1e9 and abs(device.y) < 1e9):
        raise BadEditError("the position is not a number on the drawing", device.id)
    try:
        kind = document.device_type(device)
    except BadInputError as error:
        raise BadEditError(error.what, device.id, error.mend) from None
    return kind


def check_link(document: Document, link: Link) -> None:
    """A link joins existing ports, one cable for each pair, none to itself."""
    count = link.count
    if not count:
        raise BadEditError("a link needs at least one cable", link.id)
    _check_end(document, link, link.a, count)
    _check_end(document, link, link.b, count)
    if link.through:
        panels.check_through(document, link)
    if not 0 <= link.failed <= count:
        raise BadEditError(f"{link.failed} failed cables of {count}", link.id)
    _check_figure(link, link.gbps, "rate")
    _check_figure(link, link.length_m, "length")
    _check_figure(link, link.km, "distance")


def _check_figure(link: Link, value: float | None, what: str) -> None:
    if value is not None and not 0 <= value < 1e9:
        raise BadEditError(f"the {what} {value} is not possible", link.id)


def _check_end(document: Document, link: Link, end: Ports, count: int) -> None:
    device = document.devices.get(end.device)
    if device is None:
        raise BadEditError(f'the link ends at "{end.device}", which does not exist', link.id)
    names = expand(end.ports)
    if len(names) != count:
        raise BadEditError(
            f"{count} cables but {len(names)} ports at {device.name}",
            link.id,
            "Give each cable one port at both ends",
        )
    kind = document.device_type(device)
    if kind.open_ports:
        return
    known = kind.port_by_name
    for name in names:
        if name not in known:
            raise BadEditError(
                f'the link ends at port "{name}" of {device.name}, which {kind.name} lacks',
                link.id,
                f"Ports there: {_port_summary(kind.port_list)}",
            )


def _port_summary(ports: tuple[object, ...]) -> str:
    names = [getattr(port, "name", "") for port in ports]
    return "none" if not names else f"{names[0]} to {names[-1]}"


def check_group(document: Document, group: Group) -> None:
    """A group's parents exist, are of a higher kind, and form no circle."""
    seen, parent = {group.id}, group.parent
    level = _GROUP_LEVEL[group.kind]
    while parent:
        if parent in seen:
            raise BadEditError("a group cannot hold itself", group.id)
        holder = document.groups.get(parent)
        if holder is None:
            raise BadEditError(f'there is no group "{parent}"', group.id)
        if _GROUP_LEVEL[holder.kind] <= level:
            raise BadEditError(f"a {holder.kind} cannot hold a {group.kind}", group.id)
        seen.add(parent)
        level, parent = _GROUP_LEVEL[holder.kind], holder.parent
    _check_place(document, group)


def may_hold(holder: Group, held: Group) -> bool:
    """Whether a group of one kind can stand in one of the other: a rack in a pod, not otherwise."""
    return _GROUP_LEVEL[holder.kind] > _GROUP_LEVEL[held.kind]


def _check_place(document: Document, group: Group) -> None:
    """A rack's room is one, and its figures are possible."""
    room = document.groups.get(group.room) if group.room else None
    if group.room and (room is None or room.kind != "room"):
        raise BadEditError(f'there is no room "{group.room}"', group.id)
    for name in ("x_m", "y_m"):
        value = getattr(group, name)
        if value is not None and not abs(value) < 1e6:
            raise BadEditError(f"{name} {value} is no place on a floor", group.id)
    for name in ("power_kw", "feed_a_kw", "feed_b_kw", "cooling_kw", "load_kg"):
        value = getattr(group, name)
        if value is not None and not 0 <= value < 1e9:
            raise BadEditError(f"a {name} of {value} is not possible", group.id)


def _check_type(document: Document, custom: CustomType) -> None:
    if custom.id != custom.type.id:
        raise BadEditError("a custom type's id must be that of its type", custom.id)
    for device in document.devices.values():
        if device.type == custom.id:
            check_device(document, device)


def _check_gone(document: Document, element: AnyElement) -> None:
    if element.id in document:
        return
    if isinstance(element, Device) and document.links_of(element.id):
        raise BadEditError(
            f"{element.name} still has links", element.id, "Remove them in the same edit"
        )
    if isinstance(element, Device):
        panels.check_no_longer_used(document, element)
    if isinstance(element, Group) and (
        document.members(element.id) or document.subgroups(element.id)
    ):
        raise BadEditError(f"{element.name} is not empty", element.id)
    if isinstance(element, Group) and element.kind == "room":
        _check_room_left(document, element)
    if isinstance(element, CustomType):
        _check_types_left(document, element.id)


def _check_types_left(document: Document, type_id: str) -> None:
    if type_id in document.catalog.devices:
        return
    for device in document.devices.values():
        if device.type == type_id:
            raise BadEditError(f"{device.name} is of the type that would go", type_id)


def _check_room_left(document: Document, room: Group) -> None:
    for group in document.groups.values():
        if group.room == room.id:
            raise BadEditError(
                f"{group.name} stands in {room.name}", room.id, "Move it out in the same edit"
            )
