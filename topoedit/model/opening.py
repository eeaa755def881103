"""Indexing a whole drawing at once: what opening a file does for hundreds of thousands of links.

Every invariant is checked, but by columns: that no port or cable is taken twice shows in the sizes
of the look-ups at the end. Where anything is wrong, or merely unusual, the drawing is left to the
careful way, one element at a time, which knows how to say what is wrong and where.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from topoedit.model import invariants
from topoedit.model.elements import (
    AnyElement,
    CustomType,
    Device,
    Exclusion,
    Foreign,
    Group,
    Link,
    Note,
    SavedWorkload,
    Settings,
    Trunk,
)
from topoedit.model.indexes import CONTROL, MAX_NAME, Indexes
from topoedit.model.ports import count, expand

if TYPE_CHECKING:
    from topoedit.catalog.types import DeviceType
    from topoedit.model.document import Document

MOST_NAMES = 2_000_000
"""Cables of a drawing that is spelled out at once."""
MOST_PORTS = 100_000
"""Ports that one end of a link may name here."""
_OTHERS = (Group, CustomType, Note, SavedWorkload, Exclusion, Foreign, Settings)


class UnusualError(Exception):
    """The drawing is not plainly right: look at its elements one by one."""


class _Ends(dict[str, tuple[str, ...]]):
    """Range text -> port names, each of them a port of one device type."""

    def __init__(self, kind: DeviceType) -> None:
        super().__init__()
        self._known = None if kind.open_ports else kind.port_by_name

    def __missing__(self, text: str) -> tuple[str, ...]:
        if count(text) > MOST_PORTS:
            raise UnusualError
        names = expand(text)
        if self._known is not None and not all(map(self._known.__contains__, names)):
            raise UnusualError
        self[text] = names
        return names


def index(document: Document, indexes: Indexes, elements: Sequence[AnyElement], most: int) -> None:
    """Fill the indexes of an empty document; `most` is the number of cables it may hold.

    Raises:
        UnusualError, BadEditError, BadInputError: something may be wrong; the indexes are then of
            no use and must be emptied.
    """
    kinds: dict[type, list[AnyElement]] = defaultdict(list)
    for element in elements:
        kinds[type(element)].append(element)
    links = [e for e in kinds.pop(Link, ()) if isinstance(e, Link)]
    devices = [e for e in kinds.pop(Device, ()) if isinstance(e, Device)]
    for element in (e for some in kinds.values() for e in some):
        if isinstance(element, Trunk):
            most -= max(count(element.a.ports), count(element.b.ports))
            _within(most)
        elif not isinstance(element, _OTHERS):
            raise UnusualError
        indexes.add(element)
    _add_devices(indexes, devices)
    _add_links(document, indexes, links, most)
    for element in (e for some in kinds.values() for e in some):
        if not isinstance(element, CustomType):
            invariants.check_element(document, element)
        elif element.id != element.type.id:
            raise UnusualError
    for device in devices:
        invariants.check_placed(document, device)
    if indexes.patched or indexes.rear_ports:
        _check_panels(document, indexes, links, devices)


def _within(left: int) -> None:
    if left < 0:
        raise UnusualError


def _add_devices(indexes: Indexes, devices: list[Device]) -> None:
    names = [device.name for device in devices]
    if names and (
        not all(map(str.strip, names))
        or max(map(len, names)) > MAX_NAME
        or CONTROL.search(" ".join(names))
    ):
        raise UnusualError
    ids = [device.id for device in devices]
    before = len(indexes.names)
    indexes.names.update(zip(names, ids, strict=True))
    if len(indexes.names) != before + len(names):
        raise UnusualError
    indexes.devices.update(zip(ids, devices, strict=True))
    members = indexes.members
    for device in devices:
        members.setdefault(device.group, {})[device.id] = None


def _add_links(document: Document, indexes: Indexes, links: list[Link], most: int) -> None:
    indexes.links.update((link.id, link) for link in links)
    taken = _Taken(document, indexes)
    cables, total, highest = indexes.cables, 0, 0
    for link in links:
        link_id, a, b, text = link.id, link.a, link.b, link.cables
        names = taken.end(a.device, a.ports, link_id)
        far = taken.end(b.device, b.ports, link_id)
        size = len(names)
        if size != len(far) or not size:
            raise UnusualError
        total += size
        if size == 1 and "-" not in text and "," not in text and "'" not in text and text:
            cables[text] = link_id
            last = text
        else:
            if count(text) != size or total > most:
                raise UnusualError
            own = expand(text)
            cables.update(dict.fromkeys(own, link_id))
            last = own[-1]
            if "," in text:
                last = max((c for c in own if c[:1] == "c"), key=_number, default="")
        if last[:1] == "c" and (number := last[1:]).isdecimal() and int(number) > highest:
            highest = int(number)
        if link.failed and not 0 <= link.failed <= size:
            raise UnusualError
    indexes.next_cable = highest + 1
    _within(most - total)
    taken.check()
    if len(cables) != total:
        raise UnusualError
    _check_figures(links)
    _add_ways(indexes, [link for link in links if link.through], most - total)


def _number(cable: str) -> int:
    return int(cable[1:]) if cable[1:].isdecimal() else 0


class _Taken:
    """Ports that links end at, entered into the look-ups of a document."""

    def __init__(self, document: Document, indexes: Indexes) -> None:
        self._document, self._indexes = document, indexes
        self._ends: dict[str, tuple[_Ends, dict[str, str], dict[str, None]]] = {}
        self._of_kind: dict[str, _Ends] = {}
        self._total = 0

    def end(self, device: str, text: str, link: str) -> tuple[str, ...]:
        """Enter one end of a link; returns the names of its ports."""
        here = self._ends.get(device)
        if here is None:
            here = self._new(device)
        ends, ports, links = here
        names = ends[text]
        links[link] = None
        size = len(names)
        self._total += size
        if size == 1:
            ports[names[0]] = link
        else:
            ports.update(dict.fromkeys(names, link))
        return names

    def _new(self, device_id: str) -> tuple[_Ends, dict[str, str], dict[str, None]]:
        document = self._document
        device = document.devices.get(device_id)
        if device is None:
            raise UnusualError
        ends = self._of_kind.get(device.type)
        if ends is None:
            ends = self._of_kind[device.type] = _Ends(document.device_type(device))
        indexes = self._indexes
        ports = indexes.port_links[device_id] = {}
        links = indexes.device_links[device_id] = {}
        here = self._ends[device_id] = (ends, ports, links)
        return here

    def check(self) -> None:
        """Every port holds one cable."""
        if sum(len(ports) for _, ports, _ in self._ends.values()) != self._total:
            raise UnusualError


def _check_figures(links: Iterable[Link]) -> None:
    figures = {link.gbps for link in links}
    figures.update(link.length_m for link in links)
    figures.update(link.km for link in links)
    figures.discard(None)
    if not all(value is None or 0 <= value < 1e9 for value in figures):
        raise UnusualError


def _add_ways(indexes: Indexes, links: list[Link], most: int) -> None:
    for link in links:
        most -= sum(count(hop.ports) for hop in link.through)
        _within(most)
        indexes.add_way(link)


def _check_panels(
    document: Document, indexes: Indexes, links: Iterable[Link], devices: Iterable[Device]
) -> None:
    for link in links:
        if link.through:
            invariants.check_link(document, link)
    panels = {*indexes.patched, *indexes.rear_ports}
    for device in devices:
        if device.id in panels:
            invariants.check_device(document, device)
