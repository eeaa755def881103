"""Copying parts of a drawing: inner links come along, names and cables are new at the paste."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from topoedit.errors import BadEditError, BadInputError
from topoedit.model.connect import free_ports, misfit, port_of
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import (
    AnyElement,
    CustomType,
    Device,
    Group,
    Link,
    Note,
    Ports,
    Trunk,
)
from topoedit.model.invariants import may_hold
from topoedit.model.naming import Reservation
from topoedit.model.operations import groups_inside, plural, with_members
from topoedit.model.ports import collapse

MAX_CLIP_BYTES = 64 * 2**20


class Clip(msgspec.Struct, frozen=True, tag="topoedit-clip", tag_field="format"):
    """Copied elements; `outer` are links of which one end was copied."""

    devices: tuple[Device, ...] = ()
    groups: tuple[Group, ...] = ()
    links: tuple[Link, ...] = ()
    outer: tuple[Link, ...] = ()
    notes: tuple[Note, ...] = ()
    types: tuple[CustomType, ...] = ()
    trunks: tuple[Trunk, ...] = ()

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the copied devices and notes."""
        xs = [d.x for d in self.devices] + [n.x for n in self.notes]
        ys = [d.y for d in self.devices] + [n.y for n in self.notes]
        return ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2) if xs else (0.0, 0.0)


def copy(document: Document, ids: Iterable[str]) -> Clip:
    """Copy elements; groups bring their members, devices the links between them."""
    wanted = list(ids)
    devices = {device.id: device for device in with_members(document, wanted)}
    groups = {i for i in wanted if i in document.groups}
    for holder in tuple(groups):
        groups.update(groups_inside(document, holder))
    touching = dict.fromkeys(i for device in devices for i in document.links_of(device))
    links = [document.links[i] for i in touching]
    inner = tuple(k for k in links if k.a.device in devices and k.b.device in devices)
    outer = tuple(k for k in links if (k.a.device in devices) != (k.b.device in devices))
    used_types = {device.type for device in devices.values()}
    return Clip(
        devices=tuple(devices.values()),
        groups=tuple(document.groups[i] for i in sorted(groups)),
        links=inner,
        outer=outer,
        notes=tuple(n for n in map(document.element, wanted) if isinstance(n, Note)),
        types=tuple(t for t in document.types.values() if t.id in used_types),
        trunks=tuple(
            trunk
            for trunk in document.trunks.values()
            if trunk.a.device in devices and trunk.b.device in devices
        ),
    )


def to_text(clip: Clip) -> str:
    """The clip as JSON text for the system clipboard."""
    return msgspec.json.encode(clip).decode()


def from_text(text: str) -> Clip:
    """The clip in a clipboard text.

    Raises:
        BadInputError: the text is something else; nothing can be pasted from it.
    """
    if len(text) > MAX_CLIP_BYTES:
        raise BadInputError("the clipboard text is too large to paste")
    try:
        clip = msgspec.json.decode(text, type=Clip)
    except (msgspec.DecodeError, RecursionError):
        raise BadInputError(
            "the clipboard holds nothing that topoedit can paste",
            mend="Copy devices in topoedit first",
        ) from None
    _check_ends(clip)
    return clip


def _check_ends(clip: Clip) -> None:
    """What joins devices must join devices of the clip; text of others may say anything."""
    ids = {device.id for device in clip.devices}
    joins: tuple[Link | Trunk, ...] = (*clip.links, *clip.trunks)
    loose = any(join.a.device not in ids or join.b.device not in ids for join in joins)
    if loose or any(link.a.device in ids and link.b.device in ids for link in clip.outer):
        raise BadInputError("the clipboard holds links without their devices")


def placed_in(document: Document, clip: Clip, group_id: str) -> Clip:
    """The clip for a place in a group ("" for none): what came without its own group joins this.

    A group joins the nearest one around that place that may hold it.
    """
    copied = {group.id for group in clip.groups}
    devices = tuple(d if d.group in copied else replace(d, group=group_id) for d in clip.devices)
    groups = tuple(
        g if g.parent in copied else replace(g, parent=_holder(document, g, group_id))
        for g in clip.groups
    )
    return replace(clip, devices=devices, groups=groups)


def _holder(document: Document, group: Group, place: str) -> str:
    around = document.groups.get(place)
    while around is not None and not may_hold(around, group):
        around = document.groups.get(around.parent)
    return "" if around is None else around.id


def paste(document: Document, clip: Clip, dx: float, dy: float, *, outer: bool = False) -> Edit:
    """Put a copy of a clip at an offset; with `outer` its links to the rest are repeated too."""
    reservation = Reservation(document)
    types = tuple(t for t in clip.types if document.element(t.id) is None)
    elements = instantiate(clip, dx, dy, reservation, outer=outer)
    what = plural(len(clip.devices), "device") if clip.devices else plural(len(elements), "element")
    return Edit(f"Paste {what}", put=(*types, *elements))


def instantiate(
    clip: Clip, dx: float, dy: float, reservation: Reservation, *, outer: bool
) -> list[AnyElement]:
    """New elements for one copy; `reservation` keeps several copies of an edit apart."""
    names = {group.id: reservation.next_name(group.name) for group in clip.groups}
    ids = {old: reservation.new_id(name) for old, name in names.items()}
    elements: list[AnyElement] = [
        replace(_copied_group(group, ids, dx, dy, reservation.document), name=names[group.id])
        for group in clip.groups
    ]
    for device in clip.devices:
        copied = _copied_device(device, ids, dx, dy, reservation)
        ids[device.id] = copied.id
        elements.append(copied)
    elements.extend(
        replace(note, id=reservation.new_id(note.id), x=note.x + dx, y=note.y + dy)
        for note in clip.notes
    )
    elements.extend(
        replace(
            trunk,
            id=reservation.new_id(trunk.id),
            a=Ports(ids[trunk.a.device], trunk.a.ports),
            b=Ports(ids[trunk.b.device], trunk.b.ports),
            failed=False,
        )
        for trunk in clip.trunks
    )
    elements.extend(_copied_link(link, ids, reservation) for link in clip.links)
    if outer:
        repeated = (_repeated(link, ids, reservation) for link in clip.outer)
        elements.extend(link for link in repeated if link is not None)
    return elements


def _copied_group(
    group: Group, ids: Mapping[str, str], dx: float, dy: float, document: Document
) -> Group:
    parent = ids.get(group.parent) or (group.parent if group.parent in document.groups else "")
    room = document.groups.get(group.room)
    kept = group.room if room is not None and room.kind == "room" else ""
    return replace(
        group,
        id=ids[group.id],
        parent=parent,
        room=ids.get(group.room) or kept,
        x=None if group.x is None else group.x + dx,
        y=None if group.y is None else group.y + dy,
    )


def _copied_device(
    device: Device, ids: Mapping[str, str], dx: float, dy: float, reservation: Reservation
) -> Device:
    name = reservation.next_name(device.name)
    groups = reservation.document.groups
    holder = ids.get(device.group) or (device.group if device.group in groups else "")
    unit = device.unit if device.group in ids else None
    return replace(
        device, id=reservation.new_id(name), name=name, group=holder, unit=unit,
        x=device.x + dx, y=device.y + dy, guid="", address="", locked=False,
    )  # fmt: skip


def _copied_link(link: Link, ids: Mapping[str, str], reservation: Reservation) -> Link:
    cables = reservation.new_cables(link.count)
    return replace(
        link,
        id=reservation.new_id(f"link-{cables.split('-')[0]}"),
        a=Ports(ids[link.a.device], link.a.ports),
        b=Ports(ids[link.b.device], link.b.ports),
        cables=cables,
        via=(),
        failed=0,
        through=_copied_hops(link, ids),
    )


def _copied_hops(link: Link, ids: Mapping[str, str]) -> tuple[Ports, ...]:
    """The way through copied panels; straight where a panel was not copied along."""
    if any(hop.device not in ids for hop in link.through):
        return ()
    return tuple(Ports(ids[hop.device], hop.ports) for hop in link.through)


def _repeated(link: Link, ids: Mapping[str, str], reservation: Reservation) -> Link | None:
    """The same link from the copy to the old far device's next free ports; None if it is full."""
    near, far = (link.a, link.b) if link.a.device in ids else (link.b, link.a)
    far_device = reservation.document.devices.get(far.device)
    if far_device is None:
        return None
    ports = _next_ports(reservation, far_device, far.names)
    if len(ports) < link.count:
        return None
    reservation.take(far.device, ports)
    new_near, new_far = Ports(ids[near.device], near.ports), Ports(far.device, collapse(ports))
    a, b = (new_near, new_far) if near is link.a else (new_far, new_near)
    cables = reservation.new_cables(link.count)
    new_id = reservation.new_id(f"link-{cables.split('-')[0]}")
    return replace(link, id=new_id, a=a, b=b, cables=cables, via=(), failed=0, through=())


def _next_ports(reservation: Reservation, device: Device, like: Sequence[str]) -> list[str]:
    document = reservation.document
    model = port_of(document, device, like[0])
    free = [
        port
        for port in free_ports(document, device)
        if reservation.is_free(device.id, port.name)
        and not misfit(port, model)
        and port.gbps == model.gbps
    ]
    return [port.name for port in free[: len(like)]]


def duplicate(document: Document, ids: Iterable[str], dx: float, dy: float) -> Edit:
    """Copy and paste in one step, beside the original."""
    clip = copy(document, ids)
    if not (clip.devices or clip.notes or clip.groups):
        raise BadEditError("select something to duplicate")
    edit = paste(document, clip, dx, dy)
    return replace(edit, label=edit.label.replace("Paste", "Duplicate", 1))
