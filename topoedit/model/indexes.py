"""Indexes over a document's elements, kept up to date by every edit."""

from __future__ import annotations

import re
from collections.abc import Iterable

from topoedit.errors import BadEditError
from topoedit.model.elements import AnyElement, CustomType, Device, Group, Link, Ports, Trunk
from topoedit.model.ports import expand

MAX_NAME = 200
# Line breaks, terminal control, and marks that turn the direction of text round.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def fault_of_name(name: str) -> tuple[str, str] | None:
    """What is wrong with a name and how to mend it; None if nothing is."""
    if len(name) > MAX_NAME:
        over = len(name) - MAX_NAME
        return f"a name of {len(name):,} characters is {over:,} too long", "Shorten it"
    found = CONTROL.search(name)
    if found is None:
        return None
    character, at = found.group(), found.start() + 1
    code = f"U+{ord(character):04X}"
    if character in _BREAKS:
        return f"a name with a line break ({code}, character {at})", "Keep it on one line"
    return f"a name with the control character {code} (character {at})", "Leave that one out"


class Indexes:
    """Look-ups by kind, name, port and cable.

    Adding an element that takes a name, port or cable in use raises BadEditError; the document
    then calls `rebuild` with what it held before.
    """

    def __init__(self) -> None:
        self.devices: dict[str, Device] = {}
        self.links: dict[str, Link] = {}
        self.groups: dict[str, Group] = {}
        self.types: dict[str, CustomType] = {}
        self.names: dict[str, str] = {}
        self.device_links: dict[str, dict[str, None]] = {}
        self.port_links: dict[str, dict[str, str]] = {}
        self.cables: dict[str, str] = {}
        self.trunks: dict[str, Trunk] = {}
        self.patched: dict[str, dict[str, None]] = {}
        self.rear_ports: dict[str, dict[str, str]] = {}
        self.beyond: dict[tuple[str, str], tuple[str, str]] = {}
        self.members: dict[str, dict[str, None]] = {}
        self.subgroups: dict[str, dict[str, None]] = {}
        self.rest: dict[str, AnyElement] = {}
        self.next_cable = 1
        self.forgiving = False

    def rebuild(self, elements: Iterable[AnyElement]) -> None:
        """Start again from these elements; the dictionaries stay the same objects."""
        for table in (
            self.devices, self.links, self.groups, self.types, self.names, self.device_links,
            self.port_links, self.cables, self.members, self.subgroups, self.trunks, self.patched,
            self.rear_ports, self.beyond, self.rest,
        ):  # fmt: skip
            table.clear()
        self.next_cable = 1
        self.forgiving = False
        for element in elements:
            self.add(element)

    def add(self, element: AnyElement) -> None:
        """Index one element."""
        if type(element) is Link:
            self._add_link(element)
        elif isinstance(element, Device):
            self._take_name(element.name, element.id)
            self.devices[element.id] = element
            self.members.setdefault(element.group, {})[element.id] = None
        elif isinstance(element, Group):
            self._take_name(element.name, element.id)
            self.groups[element.id] = element
            self.subgroups.setdefault(element.parent, {})[element.id] = None
        elif isinstance(element, Trunk):
            self._add_trunk(element)
        elif isinstance(element, CustomType):
            self.types[element.id] = element
        else:
            self.rest[element.id] = element

    def remove(self, element: AnyElement) -> None:
        """Forget one element."""
        if isinstance(element, Link):
            self._remove_link(element)
        elif isinstance(element, Device):
            self._free_name(element.name, element.id)
            self.devices.pop(element.id, None)
            self.members.get(element.group, {}).pop(element.id, None)
        elif isinstance(element, Group):
            self._free_name(element.name, element.id)
            self.groups.pop(element.id, None)
            self.subgroups.get(element.parent, {}).pop(element.id, None)
        elif isinstance(element, Trunk):
            self._remove_trunk(element)
        elif isinstance(element, CustomType):
            self.types.pop(element.id, None)
        else:
            self.rest.pop(element.id, None)

    def _take_name(self, name: str, element_id: str) -> None:
        if not name.strip():
            raise BadEditError("a name cannot be empty", element_id, "Give it a name")
        if wrong := fault_of_name(name):
            raise BadEditError(wrong[0], element_id, wrong[1])
        if name in self.names:
            raise BadEditError(f'the name "{name}" is taken', element_id, "Choose another name")
        self.names[name] = element_id

    def _free_name(self, name: str, element_id: str) -> None:
        if self.names.get(name) == element_id:
            del self.names[name]

    def _add_link(self, link: Link) -> None:
        self.links[link.id] = link
        for end in (link.a, link.b):
            device = end.device
            links = self.device_links.get(device)
            if links is None:
                links = self.device_links[device] = {}
            links[link.id] = None
            self._take_ports(link, end)
        if link.through:
            self.add_way(link)
        cables = self.cables
        for cable in expand(link.cables):
            if cable in cables:
                raise BadEditError(f"cable {cable} is already in another link", link.id)
            cables[cable] = link.id
            if cable[:1] == "c" and cable[1:].isdecimal():
                number = int(cable[1:])
                if number >= self.next_cable:
                    self.next_cable = number + 1

    def add_way(self, link: Link) -> None:
        """Index the ports of patch panels that a link runs through."""
        for hop in link.through:
            self.patched.setdefault(hop.device, {})[link.id] = None
            self._take_ports(link, hop)

    def _take_ports(self, link: Link, end: Ports) -> None:
        used = self.port_links.get(end.device)
        if used is None:
            used = self.port_links[end.device] = {}
        for port in expand(end.ports):
            if port in used:
                raise BadEditError(
                    f"two cables in port {end.device}:{port} ({used[port]} and {link.id})",
                    link.id,
                    "Give one of them a free port",
                )
            used[port] = link.id

    def _remove_link(self, link: Link) -> None:
        self.links.pop(link.id, None)
        for end in (link.a, link.b):
            self.device_links.get(end.device, {}).pop(link.id, None)
            used = self.port_links.get(end.device, {})
            for port in end.names:
                if used.get(port) == link.id:
                    del used[port]
        for hop in link.through:
            self.patched.get(hop.device, {}).pop(link.id, None)
            used = self.port_links.get(hop.device, {})
            for port in hop.names:
                if used.get(port) == link.id:
                    del used[port]
        for cable in link.cable_ids:
            if self.cables.get(cable) == link.id:
                del self.cables[cable]

    def _add_trunk(self, trunk: Trunk) -> None:
        self.trunks[trunk.id] = trunk
        for end in (trunk.a, trunk.b):
            used = self.rear_ports.setdefault(end.device, {})
            for port in end.names:
                if port in used:
                    raise BadEditError(
                        f"two trunks behind port {end.device}:{port} ({used[port]} and {trunk.id})",
                        trunk.id,
                        "Give one of them a free port",
                    )
                used[port] = trunk.id
        for near, far in zip(trunk.a.names, trunk.b.names, strict=False):
            self.beyond[trunk.a.device, near] = trunk.b.device, far
            self.beyond[trunk.b.device, far] = trunk.a.device, near

    def _remove_trunk(self, trunk: Trunk) -> None:
        self.trunks.pop(trunk.id, None)
        for end in (trunk.a, trunk.b):
            used = self.rear_ports.get(end.device, {})
            for port in end.names:
                if used.get(port) == trunk.id:
                    del used[port]
                    self.beyond.pop((end.device, port), None)
