"""Two drawings compared as people mean it: elements by id, else by name; cables by id and ports.

Ids of devices and groups may differ between two readings of the same plant, so what refers to them
is translated before it is compared. Cables are told apart in this order: the same two ports is the
same cable (renumbered if its id differs); of the rest, the same id on other ports is a cable that
moved, as long as it still ends at one of its devices (an id that was freed may be given again to
another cable). Links are matched by the cables they hold, then by id, then by the devices they
join.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from topoedit.app.open import Opened
from topoedit.model.diff import PLACE_FIELDS, FieldChange
from topoedit.model.document import Document
from topoedit.model.elements import AnyElement, Device, Group, Link, Ports

PortPair = tuple[tuple[str, str], tuple[str, str]]


class Side(msgspec.Struct, frozen=True):
    """One of the files."""

    file: str
    format: str
    name: str


class Item(msgspec.Struct, frozen=True):
    """An element on one side only; `kind` is a device's role or the sort of element."""

    kind: str
    id: str
    name: str


class Changed(msgspec.Struct, frozen=True):
    """An element on both sides that is not the same.

    Attributes:
        id: its id before.
        id_after: its id after.
        matched_by: id, name, cables or ends.
        fields: what differs, before and after.
    """

    kind: str
    id: str
    id_after: str
    name: str
    matched_by: str
    fields: tuple[FieldChange, ...]


class CableItem(msgspec.Struct, frozen=True):
    """A cable on one side only, with its two ports as `device:port`."""

    id: str
    a: str
    b: str


class CableMove(msgspec.Struct, frozen=True):
    """One cable, by id, in other ports than before."""

    id: str
    a: str
    b: str
    a_after: str
    b_after: str


class CableRename(msgspec.Struct, frozen=True):
    """The same two ports, another id."""

    id: str
    id_after: str
    a: str
    b: str


class Cables(msgspec.Struct, frozen=True):
    """What differs in cables."""

    added: tuple[CableItem, ...] = ()
    removed: tuple[CableItem, ...] = ()
    moved: tuple[CableMove, ...] = ()
    renumbered: tuple[CableRename, ...] = ()


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of `topoedit diff --json`.

    Attributes:
        same: nothing differs, places included.
        counts: kind -> number of added, removed, changed and moved ones; `cable` likewise, with
            renumbered ones.
        changed: elements with other content; moved: those of which only the place differs.
    """

    a: Side
    b: Side
    same: bool
    counts: dict[str, dict[str, int]]
    added: tuple[Item, ...]
    removed: tuple[Item, ...]
    changed: tuple[Changed, ...]
    moved: tuple[Changed, ...]
    cables: Cables
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Match:
    """An element on both sides and how it was recognised."""

    before: AnyElement
    after: AnyElement
    by: str


def compare_files(old: Opened, new: Opened, files: tuple[str, str]) -> Comparison:
    """Compare two drawings that were read from `files`."""
    matches, removed, added = match_elements(old.document, new.document)
    ids = {match.before.id: match.after.id for match in matches}
    changes = [change for match in matches if (change := _change(match, ids)) is not None]
    changed = tuple(change for change in changes if not _only_moved(change))
    moved = tuple(change for change in changes if _only_moved(change))
    cables = compare_cables(old.document, new.document, ids)
    gone, come = tuple(map(_item, removed)), tuple(map(_item, added))
    counts = _counts(
        {"added": come, "removed": gone, "changed": changed, "moved": moved}, cables
    )  # fmt: skip
    sides = [
        Side(file, opened.format, opened.document.settings.name)
        for file, opened in zip(files, (old, new), strict=True)
    ]
    return Comparison(
        a=sides[0],
        b=sides[1],
        same=not counts,
        counts=counts,
        added=come,
        removed=gone,
        changed=changed,
        moved=moved,
        cables=cables,
        warnings=tuple(dict.fromkeys((*old.warnings, *new.warnings))),
    )


def match_elements(
    old: Document, new: Document
) -> tuple[list[Match], list[AnyElement], list[AnyElement]]:
    """Elements on both sides, those only in `old`, those only in `new`."""
    rest_old: dict[str, AnyElement] = {e.id: e for e in old.elements() if not isinstance(e, Link)}
    rest_new: dict[str, AnyElement] = {e.id: e for e in new.elements() if not isinstance(e, Link)}
    matches = list(_pairs(rest_old, rest_new, lambda e: (type(e), e.id), "id"))
    matches += _pairs(rest_old, rest_new, _name_key, "name")
    ids = {match.before.id: match.after.id for match in matches}
    links_old: dict[str, AnyElement] = {i: _translated(e, ids) for i, e in old.links.items()}
    links_new: dict[str, AnyElement] = dict(new.links)
    for same in [i for i, link in links_old.items() if links_new.get(i) == link]:
        matches.append(Match(old.links[same], links_new.pop(same), "id"))
        del links_old[same]
    keys: tuple[tuple[str, Callable[[AnyElement], Hashable]], ...] = (
        ("cables", _all_pairs), ("id", _id_and_ends), ("ends", _ends), ("id", lambda e: e.id),
    )  # fmt: skip
    for by, key in keys:
        found = list(_pairs(links_old, links_new, key, by))
        matches += (Match(old.links[m.before.id], m.after, m.by) for m in found)
    removed = [*rest_old.values(), *(old.links[i] for i in links_old)]
    return matches, removed, [*rest_new.values(), *links_new.values()]


def _pairs(
    old: dict[str, AnyElement], new: dict[str, AnyElement],
    key: Callable[[AnyElement], Hashable], by: str,
) -> Iterator[Match]:  # fmt: skip
    """Matches by a key, taken out of both tables; like keys are paired in order, "" never."""
    table: dict[Hashable, list[AnyElement]] = defaultdict(list)
    for element in new.values():
        table[key(element)].append(element)
    for waiting in table.values():
        waiting.reverse()
    for element in list(old.values()):
        word = key(element)
        others = table.get(word) if word != "" else None
        if others:
            other = others.pop()
            del old[element.id], new[other.id]
            yield Match(element, other, by)


def _name_key(element: AnyElement) -> Hashable:
    name = str(getattr(element, "name", ""))
    return (type(element), name) if name else ""


def _all_pairs(element: AnyElement) -> Hashable:
    return frozenset(port_pairs(element)) if isinstance(element, Link) else ""


def _ends(element: AnyElement) -> Hashable:
    if not isinstance(element, Link):
        return ""
    return (frozenset((element.a.device, element.b.device)), element.network)


def _id_and_ends(element: AnyElement) -> Hashable:
    return (element.id, _ends(element))


def port_pairs(link: Link) -> list[PortPair]:
    """The two ports of each cable of a link, in one order whatever its direction."""
    a, b = link.a.device, link.b.device
    cables = zip(link.a.names, link.b.names, strict=True)
    return [_ordered((a, one), (b, other)) for one, other in cables]


def _ordered(a: tuple[str, str], b: tuple[str, str]) -> PortPair:
    return (a, b) if a <= b else (b, a)


def _translated(element: AnyElement, ids: Mapping[str, str]) -> AnyElement:
    """An old element with the new ids of what it refers to."""
    if isinstance(element, Link):
        one, other = element.a.device, element.b.device
        if ids.get(one, one) == one and ids.get(other, other) == other:
            return element
        a, b = (Ports(ids.get(e.device, e.device), e.ports) for e in (element.a, element.b))
        return replace(element, a=a, b=b)
    if isinstance(element, Device) and ids.get(element.group, element.group) != element.group:
        return replace(element, group=ids[element.group])
    if isinstance(element, Group):
        parent, room = (ids.get(i, i) for i in (element.parent, element.room))
        if (parent, room) != (element.parent, element.room):
            return replace(element, parent=parent, room=room)
    return element


def _change(match: Match, ids: Mapping[str, str]) -> Changed | None:
    before, after = _translated(match.before, ids), match.after
    if before == after:
        return None
    skipped = {"id"}
    if isinstance(before, Link) and isinstance(after, Link):
        before, skipped = _turned(before, after), skipped | {"cables"}
        if set(port_pairs(before)) == set(port_pairs(after)):
            skipped |= {"a", "b"}
    fields = tuple(_fields(before, after, skipped))
    if not fields:
        return None
    item = _item(match.before)
    return Changed(item.kind, match.before.id, after.id, item.name, match.by, fields)


def _turned(before: Link, after: Link) -> Link:
    """The link in the direction of `after`, where it joins the same devices the other way."""
    if before.a.device != after.b.device or before.b.device != after.a.device:
        return before
    if before.a.device == before.b.device:
        return before
    return replace(before, a=before.b, b=before.a, via=tuple(reversed(before.via)))


def _fields(before: AnyElement, after: AnyElement, skipped: set[str]) -> Iterator[FieldChange]:
    for name in dict.fromkeys((*before.__struct_fields__, *after.__struct_fields__)):
        if name in skipped:
            continue
        one, other = getattr(before, name, None), getattr(after, name, None)
        if one != other:
            yield FieldChange(name, one, other)


def _only_moved(change: Changed) -> bool:
    return all(field.field in PLACE_FIELDS for field in change.fields)


def _item(element: AnyElement) -> Item:
    tag = str(element.__struct_config__.tag)
    name = str(getattr(element, "name", ""))
    if isinstance(element, Device):
        return Item(element.kind, element.id, name)
    if isinstance(element, Group):
        return Item(element.kind, element.id, name)
    if isinstance(element, Link):
        return Item("link", element.id, f"{element.a.device} – {element.b.device}")
    return Item(tag, element.id, name)


# -- cables ----------------------------------------------------------------------------------------


def compare_cables(old: Document, new: Document, ids: Mapping[str, str]) -> Cables:
    """Cables added, removed, moved and renumbered; `ids` are new ids of old devices."""
    links = {i: _translated(link, ids) for i, link in old.links.items()}
    alike = {i for i, link in links.items() if new.links.get(i) == link}
    before = dict(_cables(link for i, link in links.items() if i not in alike))
    after = dict(_cables(link for i, link in new.links.items() if i not in alike))
    same = {cable for cable, pair in before.items() if after.get(cable) == pair}
    for cable in same:
        del before[cable], after[cable]
    at = {pair: cable for cable, pair in after.items()}
    names, renumbered = _Names(old, new), []
    for cable, pair in list(before.items()):
        other = at.get(pair)
        if other is not None:
            renumbered.append(CableRename(cable, other, *names.of(pair)))
            del before[cable], after[other]
    moved = [
        CableMove(cable, *names.of(before[cable]), *names.of(after[cable]))
        for cable in before
        if cable in after and _devices(before[cable]) & _devices(after[cable])
    ]
    for move in moved:
        del before[move.id], after[move.id]
    return Cables(
        added=tuple(CableItem(cable, *names.of(pair)) for cable, pair in after.items()),
        removed=tuple(CableItem(cable, *names.of(pair)) for cable, pair in before.items()),
        moved=tuple(moved),
        renumbered=tuple(renumbered),
    )


def _devices(pair: PortPair) -> set[str]:
    return {device for device, _ in pair}


def _cables(links: Iterable[AnyElement]) -> Iterator[tuple[str, PortPair]]:
    for link in links:
        if isinstance(link, Link):
            yield from zip(link.cable_ids, port_pairs(link), strict=True)


class _Names:
    """Names of devices by new id, or by old id where they are gone."""

    def __init__(self, old: Document, new: Document) -> None:
        self._old, self._new = old, new

    def of(self, pair: PortPair) -> tuple[str, str]:
        """Both ports as `device:port`."""
        a, b = (f"{self._name(device)}:{port}" for device, port in pair)
        return a, b

    def _name(self, device_id: str) -> str:
        found = self._new.devices.get(device_id) or self._old.devices.get(device_id)
        return found.name if found is not None else device_id


def _counts(
    lists: Mapping[str, Iterable[Item | Changed]], cables: Cables
) -> dict[str, dict[str, int]]:
    """Kind -> what -> number, kinds in order of name, nothing that is 0."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for what, items in lists.items():
        for item in items:
            found[item.kind][what] += 1
    for what in ("added", "removed", "moved", "renumbered"):
        number = len(getattr(cables, what))
        if number:
            found["cable"][what] = number
    return {kind: dict(found[kind]) for kind in sorted(found)}
