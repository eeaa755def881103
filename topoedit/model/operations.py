"""Edits that people ask for: each function reads a document and returns one named edit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from topoedit.errors import BadEditError
from topoedit.model.document import Document
from topoedit.model.edits import Edit, MoveDevices
from topoedit.model.elements import AnyElement, Device, Group, GroupKind, Link, Note, Trunk


def plural(count: int, word: str) -> str:
    """A count with its word: `1 device`, `4 devices`, `2 switches`."""
    if count == 1:
        return f"1 {word}"
    return f"{count} {word}es" if word.endswith(("s", "x", "ch")) else f"{count} {word}s"


def place(device: Device) -> Edit:
    """Add one device."""
    return Edit(f"Add {device.name}", put=(device,))


def move(document: Document, ids: Iterable[str], dx: float, dy: float) -> MoveDevices:
    """Shift devices, and everything inside groups, by dx, dy; locked ones stay."""
    devices = [d for d in with_members(document, ids) if not d.locked]
    return move_to(devices, [(d.x + dx, d.y + dy) for d in devices])


def move_to(devices: Sequence[Device], places: Sequence[tuple[float, float]]) -> MoveDevices:
    """Put each device's centre at its place."""
    label = (
        f"Move {devices[0].name}"
        if len(devices) == 1
        else (f"Move {plural(len(devices), 'device')}")
    )
    return MoveDevices(
        label,
        tuple(device.id for device in devices),
        tuple(float(x) for x, _ in places),
        tuple(float(y) for _, y in places),
    )


def with_members(document: Document, ids: Iterable[str]) -> list[Device]:
    """The devices among `ids` and, for groups among them, every device inside."""
    found: dict[str, Device] = {}
    for element_id in ids:
        element = document.element(element_id)
        if isinstance(element, Device):
            found[element.id] = element
        elif isinstance(element, Group):
            found.update((d.id, d) for d in devices_inside(document, element.id))
    return list(found.values())


def devices_inside(document: Document, group_id: str) -> list[Device]:
    """All devices in a group and in the groups it holds."""
    return [
        document.devices[device_id]
        for holder in (group_id, *groups_inside(document, group_id))
        for device_id in document.members(holder)
    ]


def groups_inside(document: Document, group_id: str) -> list[str]:
    """Ids of all groups that a group holds, at any depth."""
    found: list[str] = []
    pending = list(document.subgroups(group_id))
    while pending:
        holder = pending.pop()
        found.append(holder)
        pending.extend(document.subgroups(holder))
    return found


def delete(document: Document, ids: Collection[str]) -> Edit:
    """Remove elements; links of removed devices and contents of removed groups go with them."""
    gone: dict[str, AnyElement] = {}
    for element_id in ids:
        element = document.element(element_id)
        if element is None or element_id == "document":
            continue
        gone[element_id] = element
        if isinstance(element, Group):
            inner = (document.groups[i] for i in groups_inside(document, element_id))
            gone.update((group.id, group) for group in inner)
    for device in with_members(document, list(gone)):
        gone[device.id] = device
        gone.update((i, document.links[i]) for i in document.links_of(device.id))
        gone.update((i, document.trunks[i]) for i in document.trunks_at(device.id))
    kept: tuple[AnyElement, ...] = (*_roomless(document, gone), *_past_panels(document, gone))
    return Edit(_delete_label(gone.values()), put=kept, drop=tuple(gone))


def _past_panels(document: Document, gone: Collection[str]) -> tuple[Link, ...]:
    """The links that stay and ran through panels that go, on their way without those."""
    ids = dict.fromkeys(i for gone_id in gone for i in document.links_through(gone_id))
    return tuple(
        replace(link, through=tuple(hop for hop in link.through if hop.device not in gone))
        for link in (document.links[i] for i in ids if i not in gone)
    )


def _roomless(document: Document, gone: Collection[str]) -> tuple[Group, ...]:
    """The racks that stay, and stood in a room that goes without being held by it."""
    if not any(i in gone for i, group in document.groups.items() if group.kind == "room"):
        return ()
    return tuple(
        replace(group, room="")
        for group in document.groups.values()
        if group.room and group.room in gone and group.id not in gone
    )


def _delete_label(gone: Collection[AnyElement]) -> str:
    counts = {
        "device": sum(isinstance(e, Device) for e in gone),
        "group": sum(isinstance(e, Group) for e in gone),
        "cable": sum(e.count for e in gone if isinstance(e, Link)),
        "trunk": sum(isinstance(e, Trunk) for e in gone),
        "note": sum(isinstance(e, Note) for e in gone),
    }
    parts = [plural(count, word) for word, count in counts.items() if count]
    if not parts:
        return f"Delete {plural(len(gone), 'element')}"
    return "Delete " + (parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}")


def rename(document: Document, element_id: str, name: str) -> Edit:
    """Give a device or group another name; its id and links stay."""
    element = document.element(element_id)
    if not isinstance(element, Device | Group):
        raise BadEditError("only devices and groups have names", element_id)
    return Edit(f"Rename {element.name} to {name}", put=(replace(element, name=name.strip()),))


def set_fields(
    document: Document, ids: Iterable[str], fields: Mapping[str, object], what: str = ""
) -> Edit:
    """Set the same fields of many elements in one step.

    Elements that lack a field, or have its value already, stay as they are.
    """
    changed: list[AnyElement] = []
    for element_id in ids:
        element = document.element(element_id)
        if element is None:
            raise BadEditError("there is no such element", element_id)
        wanted = {
            name: value
            for name, value in fields.items()
            if name in element.__struct_fields__ and getattr(element, name) != value
        }
        if wanted:
            changed.append(replace(element, **wanted))
    words = what or ", ".join(name.replace("_", " ") for name in fields)
    return Edit(f"Set {words} of {plural(len(changed), 'element')}", put=tuple(changed))


def group(document: Document, ids: Iterable[str], kind: GroupKind, name: str = "") -> Edit:
    """Put devices and groups into a new group, inside the one they share."""
    members = [e for e in map(document.element, ids) if isinstance(e, Device | Group)]
    if not members:
        raise BadEditError("select devices or groups to group")
    new_name = name or document.new_name(f"{kind}-1")
    new_id = document.new_id(new_name)
    shared = {holder_of(element) for element in members}
    parent = shared.pop() if len(shared) == 1 else ""
    holder = Group(id=new_id, name=new_name, kind=kind, parent=parent)
    moved = (_held_by(element, new_id) for element in members)
    return Edit(f"Group {plural(len(members), 'element')} as {new_name}", put=(holder, *moved))


def holder_of(element: Device | Group) -> str:
    """Id of the group that holds a device or group."""
    return element.group if isinstance(element, Device) else element.parent


def _held_by(element: Device | Group, holder: str) -> AnyElement:
    if isinstance(element, Device):
        return replace(element, group=holder)
    return replace(element, parent=holder)


def put_into(document: Document, ids: Iterable[str], holder: str) -> Edit:
    """Move devices and groups into a group ("" takes them out of all)."""
    moved = tuple(
        _held_by(element, holder)
        for element in map(document.element, ids)
        if isinstance(element, Device | Group) and holder_of(element) != holder
    )
    where = document.groups[holder].name if holder else "the drawing"
    return Edit(f"Move {plural(len(moved), 'element')} to {where}", put=moved)


def ungroup(document: Document, group_id: str) -> Edit:
    """Remove a group and leave its members in the one around it."""
    holder = document.groups.get(group_id)
    if holder is None:
        raise BadEditError("there is no such group", group_id)
    members: list[Device | Group] = [document.devices[i] for i in document.members(group_id)]
    members += [document.groups[i] for i in document.subgroups(group_id)]
    freed = {member.id: _held_by(member, holder.parent) for member in members}
    for rack in _roomless(document, (group_id,)):
        here = freed.get(rack.id, rack)
        freed[rack.id] = replace(here, room="") if isinstance(here, Group) else here
    return Edit(f"Ungroup {holder.name}", put=tuple(freed.values()), drop=(group_id,))


def set_collapsed(document: Document, ids: Iterable[str], collapsed: bool) -> Edit:
    """Collapse or expand groups."""
    word = "Collapse" if collapsed else "Expand"
    changed = tuple(
        replace(document.groups[i], collapsed=collapsed)
        for i in ids
        if i in document.groups and document.groups[i].collapsed != collapsed
    )
    label = (
        f"{word} {changed[0].name}"
        if len(changed) == 1
        else (f"{word} {plural(len(changed), 'group')}")
    )
    return Edit(label, put=changed)
