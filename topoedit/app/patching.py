"""Routing links through patch panels: which ports and trunks they take, and how long they become.

The panels are named in the order of the way. Between two panels that trunks join a link takes the
next free port of a trunk whose connector, polish and fibres suit it; between others, free ports
without a trunk and a cord. A link runs the panels backwards where that way is shorter for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from msgspec.structs import replace

from topoedit.catalog.cabling import MOST_PANELS, Face, face_of, load_cabling
from topoedit.errors import BadEditError
from topoedit.layout.routes import Router
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import (
    AnyElement,
    Device,
    FibreKind,
    Link,
    Polarity,
    Polish,
    Ports,
    Trunk,
)
from topoedit.model.operations import plural
from topoedit.model.panels import MOST_HOPS
from topoedit.model.ports import collapse
from topoedit.model.segments import front_of, medium_of
from topoedit.reports.selling import runs_through_panels, takes_modules

MOST_PORTS = 10_000
_Port = tuple[str, str]


@dataclass(frozen=True)
class NewTrunks:
    """Trunks to add where those that are there are full.

    Attributes:
        connector: plug of the trunk.
        ports: ports of one trunk at each panel.
        fibres: fibres of one trunk; None for a full connector behind each port.
        polarity: method of TIA-568; NVIDIA's cabling is of method B.
        polish: `APC` or `UPC`, "" for that of the links.
        length_m: None to go by where the panels stand.
    """

    connector: str = "MPO-12"
    ports: int = 12
    fibres: int | None = None
    polarity: Polarity = "B"
    polish: Polish = ""
    length_m: float | None = None


@dataclass(frozen=True)
class Patched:
    """Links routed through panels, as one edit.

    Attributes:
        links, cables: how many were routed.
        trunks: ids of new trunks.
        notes: what could not be worked out, one sentence each.
    """

    edit: Edit
    links: int
    cables: int
    trunks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def patch(
    document: Document,
    links: Iterable[str],
    panels: Sequence[str],
    *,
    new_trunks: NewTrunks | None = None,
    ports_per_cable: int | None = None,
    max_panels: int | None = None,
) -> Patched:
    """Route links through panels; those that run through others are routed anew.

    Args:
        document: the drawing.
        links: ids of the links.
        panels: ids of the panels, in the order of the way.
        new_trunks: trunks to add between the panels where none is free.
        ports_per_cable: ports that each cable takes at a panel; None for one a connector.
        max_panels: allow so many panels in a link of this drawing.

    Raises:
        BadEditError: a link cannot run through panels, there are too many of them, or ports or
            fibres are lacking.
    """
    chosen = [_link(document, link_id) for link_id in dict.fromkeys(links)]
    way = [_panel(document, panel) for panel in panels]
    if not chosen or not way:
        raise BadEditError("name links and panels", mend="Choose at least one of each")
    limit = _limit(document, max_panels)
    if len(way) > min(limit, MOST_HOPS):
        raise BadEditError(
            f"{len(way)} panels are more than the {limit} that a link may run through",
            mend="Choose fewer panels, or raise the limit",
        )
    return _Patcher(document, chosen, new_trunks, ports_per_cable).run(way, max_panels)


def _limit(document: Document, wanted: int | None) -> int:
    if wanted is not None:
        return wanted
    own = document.settings.max_panels
    return MOST_PANELS if own is None else own


def unpatch(document: Document, links: Iterable[str]) -> Edit:
    """Let links run straight again; their lengths stay as they are."""
    found = (_link(document, link_id) for link_id in dict.fromkeys(links))
    changed = tuple(replace(link, through=()) for link in found if link.through)
    return Edit(f"Route {plural(len(changed), 'link')} past the panels", put=changed)


def _link(document: Document, link_id: str) -> Link:
    link = document.links.get(link_id)
    if link is None:
        raise BadEditError("there is no such link", link_id)
    return link


def _panel(document: Document, panel_id: str) -> Device:
    device = document.devices.get(panel_id)
    if device is None or device.kind != "panel":
        raise BadEditError("there is no such patch panel", panel_id)
    return device


@dataclass
class _Patcher:
    """Takes ports one after the other; nothing is changed before the edit is applied."""

    document: Document
    links: list[Link]
    new_trunks: NewTrunks | None
    ports_per_cable: int | None
    taken: dict[str, set[str]] = field(default_factory=dict)
    added: list[Trunk] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    between: dict[frozenset[str], list[Trunk]] = field(default_factory=dict)
    full: set[str] = field(default_factory=set)

    def run(self, way: list[Device], max_panels: int | None) -> Patched:
        self._claim()
        router = Router(self.document)
        put: list[AnyElement] = []
        unknown = 0
        for link in self.links:
            turned = _is_turned(self.document, router, link, way)
            patched = self._patched(link, way[::-1] if turned else way)
            length = self._length(router, patched)
            unknown += length is None
            put.append(patched if length is None else replace(patched, length_m=length))
        settings = self.document.settings
        if max_panels is not None and max_panels != settings.max_panels:
            put.append(replace(settings, max_panels=max_panels))
        if unknown:
            self.notes.append(
                f"Links whose length does not follow from where devices and panels stand, kept "
                f"as it was: {unknown}"
            )
        cables = sum(link.count for link in self.links)
        label = f"Route {plural(len(self.links), 'link')} through {plural(len(way), 'panel')}"
        edit = Edit(label, put=(*self.added, *put))
        ids = tuple(trunk.id for trunk in self.added)
        return Patched(edit, len(self.links), cables, ids, tuple(self.notes))

    def _claim(self) -> None:
        """What other links hold; ports of links that are routed anew are free."""
        ours = {link.id for link in self.links}
        for device in self.document.devices.values():
            if device.kind == "panel":
                used = self.document.ports_in_use(device.id).items()
                self.taken[device.id] = {port for port, link in used if link not in ours}
        for link in self.links:  # ends at panels stay
            for end in (link.a, link.b):
                if end.device in self.taken:
                    self.taken[end.device].update(end.names)

    def _patched(self, link: Link, way: list[Device]) -> Link:
        medium = medium_of(self.document, link)
        if medium is not None and not runs_through_panels(medium):
            raise BadEditError(
                f"{medium.name} has its plugs attached and runs through no panel", link.id,
                "Give the link optics first",
            )  # fmt: skip
        face = face_of(medium)
        each = self.ports_per_cable or (face.plugs if face is not None else 1)
        hops: list[list[str]] = [[] for _ in way]
        light = medium is None or takes_modules(medium)
        for _ in range(link.count * each):
            for number, port in self._strand(link, face, way, light=light):
                hops[number].append(port)
        through = tuple(
            Ports(panel.id, collapse(ports)) for panel, ports in zip(way, hops, strict=True)
        )
        return replace(link, through=through)

    def _strand(
        self, link: Link, face: Face | None, way: list[Device], *, light: bool
    ) -> Iterator[tuple[int, str]]:
        """A port at each panel of the way; only `light` runs in the fibres of trunks."""
        number = 0
        while number < len(way):
            here = way[number]
            there = way[number + 1] if number + 1 < len(way) else None
            if light and there is not None and there.id != here.id and self._joined(here, there):
                pair = self._trunk_ports(link, face, here, there)
                yield from ((number, pair[0]), (number + 1, pair[1]))
                number += 2
                continue
            yield number, self._plain_port(here)
            number += 1

    def _joined(self, here: Device, there: Device) -> bool:
        return self.new_trunks is not None or bool(self._trunks(here, there))

    def _trunks(self, here: Device, there: Device) -> list[Trunk]:
        """The trunks between two panels that are not cut."""
        key = frozenset((here.id, there.id))
        found = self.between.get(key)
        if found is None:
            trunks = (self.document.trunks[i] for i in self.document.trunks_at(here.id))
            found = self.between[key] = [
                t for t in trunks if {t.a.device, t.b.device} == key and not t.failed
            ]
        return found

    def _trunk_ports(
        self, link: Link, face: Face | None, here: Device, there: Device
    ) -> tuple[str, str]:
        kind = _fibre_kind(self.document, link)
        trunks = self._trunks(here, there)
        fitting = [trunk for trunk in trunks if _suits(trunk, face, kind)]
        pair = next((p for trunk in fitting if (p := self._free_pair(trunk, here, there))), None)
        if pair is None and self.new_trunks is not None:
            trunk = self._add_trunk(self.new_trunks, face, kind, (here, there))
            pair = self._free_pair(trunk, here, there)
        if pair is None:
            ports = sum(trunk.ports for trunk in fitting)
            why = (
                f"all {plural(ports, 'port')} of the trunks between them are taken"
                if fitting
                else f"none of {plural(len(trunks), 'trunk')} there suits {link.medium or 'it'}"
            )
            raise BadEditError(
                f"no free fibres from {here.name} to {there.name}: {why}", link.id,
                "Add a trunk, or choose other panels",
            )  # fmt: skip
        self.taken[here.id].add(pair[0])
        self.taken[there.id].add(pair[1])
        return pair

    def _free_pair(self, trunk: Trunk, here: Device, there: Device) -> tuple[str, str] | None:
        if trunk.id in self.full:
            return None
        near, far = trunk.end_at(here.id).names, trunk.end_at(there.id).names
        for a, b in zip(near, far, strict=True):
            if a not in self.taken[here.id] and b not in self.taken[there.id]:
                return a, b
        self.full.add(trunk.id)
        return None

    def _add_trunk(
        self, wanted: NewTrunks, face: Face | None, kind: FibreKind, ends: tuple[Device, Device]
    ) -> Trunk:
        connector = load_cabling().connector(wanted.connector)
        if connector is None:
            raise BadEditError(f'"{wanted.connector}" is no connector of trunks')
        if not 1 <= wanted.ports <= MOST_PORTS:
            raise BadEditError(f"a trunk of {wanted.ports} ports is not possible")
        fibres = wanted.ports * connector.fibres if wanted.fibres is None else wanted.fibres
        ports = [collapse(self._rear_ports(panel, wanted.ports)) for panel in ends]
        polish: Polish = "UPC" if face is not None and face.polish == "UPC" else ""
        if face is not None and face.polish == "APC":
            polish = "APC"
        trunk = Trunk(
            id=self._trunk_id(),
            a=Ports(ends[0].id, ports[0]),
            b=Ports(ends[1].id, ports[1]),
            fibres=fibres,
            fibre=kind,
            connector=wanted.connector,
            polish=wanted.polish or polish,
            polarity=wanted.polarity,
            length_m=wanted.length_m,
        )
        if fibres % wanted.ports:
            raise BadEditError(f"{fibres} fibres cannot be shared evenly by {wanted.ports} ports")
        if not _suits(trunk, face, kind):
            raise BadEditError(
                f"a trunk of {trunk.fibres_per_port} fibres and {front_of(trunk)} fronts a port "
                f"does not suit {face.connector if face else 'the links'}",
                mend="Choose another connector or more fibres",
            )
        self.added.append(trunk)
        self._trunks(*ends).append(trunk)
        return trunk

    def _trunk_id(self) -> str:
        ids = {trunk.id for trunk in self.added}
        number = 1
        while f"trunk-{number}" in self.document or f"trunk-{number}" in ids:
            number += 1
        return f"trunk-{number}"

    def _rear_ports(self, panel: Device, count: int) -> list[str]:
        """The next ports of a panel that nothing uses, front or rear."""
        found: list[str] = []
        for port in self._unused(panel):
            found.append(port)
            if len(found) == count:
                return found
        raise BadEditError(
            f"{panel.name} has {plural(len(found), 'free port')} for a trunk of {count}",
            panel.id,
            "Choose another panel or a smaller trunk",
        )

    def _plain_port(self, panel: Device) -> str:
        port = next(self._unused(panel), None)
        if port is None:
            raise BadEditError(
                f"{panel.name} has no free port without a trunk", panel.id, "Choose another panel"
            )
        self.taken[panel.id].add(port)
        return port

    def _unused(self, panel: Device) -> Iterator[str]:
        kind = self.document.device_type(panel)
        rear = set(self.document.rear_ports(panel.id))
        for trunk in self.added:
            rear.update(name for end in (trunk.a, trunk.b) if end.device == panel.id
                        for name in end.names)  # fmt: skip
        taken = self.taken[panel.id] | rear
        listed = [port.name for port in kind.port_list]
        numbers = (str(n) for n in range(1, MOST_PORTS + 1)) if kind.open_ports else ()
        return (name for name in dict.fromkeys((*listed, *numbers)) if name not in taken)

    def _length(self, router: Router, link: Link) -> float | None:
        """The whole way with slack: jumpers, cords and trunks of its longest cable."""
        devices = self.document.devices
        stops = [link.a.device, *(hop.device for hop in link.through), link.b.device]
        total = 0.0
        for number, (one, other) in enumerate(pairwise(stops)):
            trunks = self._trunks_in(link, number)
            route = router.route(devices[one], devices[other])
            lengths = [t.length_m if t is not None else None for t in trunks]
            routed = None if route is None else route.need_m
            known = [routed if metres is None else metres for metres in lengths]
            if any(metres is None for metres in known):
                return None
            total += max(metres for metres in known if metres is not None)
        return round(total, 2)

    def _trunks_in(self, link: Link, gap: int) -> set[Trunk | None]:
        """The trunks of a link between two stops; None among them where there is a cord."""
        if not 0 < gap < len(link.through):
            return {None}
        here, there = link.through[gap - 1], link.through[gap]
        behind = dict(self.document.rear_ports(here.device))
        trunks = {**self.document.trunks, **{trunk.id: trunk for trunk in self.added}}
        for trunk in self.added:
            for end in (trunk.a, trunk.b):
                if end.device == here.device:
                    behind.update(dict.fromkeys(end.names, trunk.id))
        found = {trunks.get(behind.get(port, "")) for port in here.names}
        ends = {here.device, there.device}
        return {t if t is not None and {t.a.device, t.b.device} == ends else None for t in found}


def _suits(trunk: Trunk, face: Face | None, kind: FibreKind) -> bool:
    """Whether a cable can run in a trunk; what is not known stands in no way."""
    if kind and trunk.fibre and kind != trunk.fibre:
        return False
    if face is None:
        return True
    polished = not face.polish or not trunk.polish or face.polish == trunk.polish
    return (
        polished
        and front_of(trunk) == face.connector
        and trunk.fibres_per_port >= face.fibres
    )  # fmt: skip


def _fibre_kind(document: Document, link: Link) -> FibreKind:
    medium = medium_of(document, link)
    if medium is None:
        return ""
    return "smf" if medium.medium == "smf" else "mmf" if medium.medium == "mmf" else ""


def _is_turned(document: Document, router: Router, link: Link, way: list[Device]) -> bool:
    """Whether the last panel of the way is the one near the `a` end."""
    a, b = document.devices[link.a.device], document.devices[link.b.device]
    straight = _near(router, a, way[0]) + _near(router, way[-1], b)
    turned = _near(router, a, way[-1]) + _near(router, way[0], b)
    return turned < straight


def _near(router: Router, a: Device, b: Device) -> float:
    """Metres between two devices; where they are not known, 0 in one rack and far else."""
    route = router.route(a, b)
    if route is not None:
        return route.way_m
    return 0.0 if a.group and a.group == b.group else 1e6
