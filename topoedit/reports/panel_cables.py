"""What is pulled for links through patch panels: jumpers at both ends, cords, and trunks once.

A jumper joins a module to a panel, a cord two panels. Ports that share a connector of a module
share the jumper there, a splitter. A trunk is one cable however many links run in it, and is
pulled even if none does yet.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from topoedit.catalog.cabling import face_of
from topoedit.catalog.types import Medium
from topoedit.layout.routes import Router, basis_of
from topoedit.model.document import Document
from topoedit.model.elements import Link, Network, Trunk
from topoedit.model.ports import natural_key
from topoedit.model.segments import Piece, medium_of, strands_of
from topoedit.reports.bought import Cable, Lengths, Node, Plug, node
from topoedit.reports.parts import ModulePart
from topoedit.reports.places import Place
from topoedit.reports.ports import Port, PortBook
from topoedit.reports.selling import Shop, Sold, takes_modules


class _Shared(NamedTuple):
    """A jumper of one drawn cable that shares its connector at the module with others."""

    id: str
    drawn: str
    link: Link
    device: Plug
    panel: Plug
    piece: Piece
    medium: Medium
    whole_m: float | None
    lengths: Lengths


class PanelCables:
    """Turns patched links into jumpers and cords, and lists trunks.

    Args:
        document: the drawing.
        shop, ports, router, places: what the purchase of all links uses.
    """

    def __init__(
        self,
        document: Document,
        shop: Shop,
        ports: PortBook,
        router: Router,
        places: dict[str, Place],
    ) -> None:
        self._document, self._shop, self._ports = document, shop, ports
        self._router, self._places = router, places
        self._known: dict[tuple[int, int, float | None], Lengths] = {}
        self._shared: dict[tuple[Node, str], list[_Shared]] = defaultdict(list)

    def jumpers(
        self,
        link: Link,
        medium: Medium,
        index: int,
        ends: tuple[Plug, Plug],
        plugs: tuple[int, int],
        whole_m: float | None,
    ) -> Iterator[Cable]:
        """Jumpers and cords of cable `index` (from 0) that are pulled for it alone.

        Args:
            link: a link that runs through panels.
            medium: its medium.
            index: which of its cables.
            ends: its ports at both ends.
            plugs: for both ends, connectors that the ports of a cage share; 0 for its own.
            whole_m: its length from end to end, which its modules must reach.
        """
        drawn = link.cable_ids[index]
        strands = strands_of(self._document, link, index)
        for number, pieces in enumerate(strands, 1):
            tail = f"/{number}" if len(strands) > 1 else ""
            for piece in pieces:
                if piece.trunk is not None:
                    continue
                side = 0 if piece is pieces[0] else 1 if piece is pieces[-1] else None
                name = f"{drawn}.{piece.number}{tail}"
                yield from self._piece(
                    name, drawn, link, piece, medium, ends, plugs, side, whole_m
                )  # fmt: skip

    def _piece(
        self, name: str, drawn: str, link: Link, piece: Piece, medium: Medium,
        ends: tuple[Plug, Plug], plugs: tuple[int, int], side: int | None, whole_m: float | None,
    ) -> Iterator[Cable]:  # fmt: skip
        a = ends[0] if side == 0 else self._at_panel(piece.a)
        b = ends[1] if side == 1 else self._at_panel(piece.b)
        lengths = self._lengths(a.device, b.device)
        device = None if side is None else (a, b)[side]
        if side is not None and device is not None and plugs[side] and takes_modules(medium):
            panel = b if side == 0 else a
            one = _Shared(name, drawn, link, device, panel, piece, medium, whole_m, lengths)
            self._shared[node(device, plugs[side]), panel.device].append(one)
            return
        sold = self._sold(piece, medium, a, b, device, whole_m, lengths)
        yield Cable(name, (drawn,), link, (a,), (b,), sold, lengths, piece.kind, piece.cord)

    def _sold(
        self, piece: Piece, medium: Medium, a: Plug, b: Plug, device: Plug | None,
        whole_m: float | None, lengths: Lengths,
    ) -> Sold:  # fmt: skip
        kinds = [self._document.device_type(self._document.devices[p.device]) for p in (a, b)]
        if not takes_modules(medium):
            sides = ((a.port, kinds[0]), (b.port, kinds[1]))
            return self._shop.assembly(medium, sides, 1, lengths.need_m)
        return self._shop.jumper(
            medium, self._module(medium, device, whole_m), 1, lengths.need_m, piece.cord
        )

    def _module(
        self, medium: Medium, device: Plug | None, whole_m: float | None
    ) -> ModulePart | None:
        if device is None:
            return None
        kind = self._document.device_type(self._document.devices[device.device])
        if kind.co_packaged_optics:
            return None
        return self._shop.module(medium, device.port, kind, whole_m)

    def _at_panel(self, port: tuple[str, str]) -> Plug:
        device = self._document.devices[port[0]]
        return Plug(device.id, self._ports.port(device, port[1]))

    def _lengths(self, a: str, b: str, given: float | None = None) -> Lengths:
        key = (self._places[a].where, self._places[b].where, given)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._new_lengths(a, b, given)
        return found

    def _new_lengths(self, a: str, b: str, given: float | None) -> Lengths:
        route = self._router.between(self._places[a].berth, self._places[b].berth)
        if route is None:
            return Lengths(given, None, given, basis_of(None, given))
        need = route.need_m if given is None else max(given, route.way_m)
        slack = round(max(0.0, need - route.way_m), 2)
        return Lengths(route.way_m, slack, need, basis_of(route, given))

    def shared_and_trunks(self) -> Iterator[Cable]:
        """The jumpers that several ports share, and every trunk."""
        for alike in self._shared.values():
            yield self._splitter(sorted(alike, key=lambda one: natural_key(one.id)))
        for trunk in self._document.trunks.values():
            yield self._trunk(trunk)

    def _splitter(self, alike: list[_Shared]) -> Cable:
        first = alike[0]
        near = tuple(one.device for one in alike)
        far = tuple(one.panel for one in alike)
        turned = first.piece.a[0] != first.device.device
        module = self._module(first.medium, first.device, first.whole_m)
        ways, cord = len(alike), first.piece.cord
        sold = self._shop.jumper(first.medium, module, ways, first.lengths.need_m, cord)
        a, b = (far, near) if turned else (near, far)
        ids = tuple(one.drawn for one in alike)
        return Cable(first.id, ids, first.link, a, b, sold, first.lengths, "jumper", cord)

    def _trunk(self, trunk: Trunk) -> Cable:
        a, b = (
            Plug(end.device, Port(end.ports, "", "", "", "", 0, 1, listed=False))
            for end in (trunk.a, trunk.b)
        )
        lengths = self._lengths(a.device, b.device, trunk.length_m)
        used = links_in(self._document, trunk)
        drawn = [cable for link, cables in used.items() for cable in cables]
        link = Link(
            id=trunk.id, a=trunk.a, b=trunk.b, cables=trunk.id, medium=trunk.fibre,
            length_m=trunk.length_m, network=_network(self._document, used),
            phase=trunk.phase or _first_phase(self._document, used),
            tags=trunk.tags, label=trunk.label,
        )  # fmt: skip
        sold = self._shop.trunk(trunk, lengths.need_m)
        ids = tuple(sorted(drawn, key=natural_key))
        return Cable(trunk.id, ids, link, (a,), (b,), sold, lengths, "trunk", trunk.polarity)


def links_in(document: Document, trunk: Trunk) -> dict[str, tuple[str, ...]]:
    """Links that run in a trunk and the ids of their cables in it."""
    found: dict[str, dict[str, None]] = {}
    ends = {end.device: end for end in (trunk.a, trunk.b)}
    used = document.ports_in_use(trunk.a.device)
    for link_id in dict.fromkeys(used[port] for port in trunk.a.names if port in used):
        link = document.links[link_id]
        for index, cable in enumerate(link.cable_ids):
            pieces = (p for strand in strands_of(document, link, index) for p in strand)
            if any(p.trunk is trunk and p.a[0] in ends for p in pieces):
                found.setdefault(link_id, {})[cable] = None
    return {link_id: tuple(cables) for link_id, cables in found.items()}


def _network(document: Document, used: dict[str, tuple[str, ...]]) -> Network:
    """The network of most cables in a trunk; compute for an empty one."""
    counts = Counter[Network]()
    for link_id, cables in used.items():
        counts[document.links[link_id].network] += len(cables)
    return counts.most_common(1)[0][0] if counts else "compute"


def _first_phase(document: Document, links: Iterable[str]) -> str:
    """The earliest build phase of links, in natural order; "" if none has one."""
    phases = {document.links[link_id].phase for link_id in links} - {""}
    return min(phases, key=natural_key, default="")


class Fill(NamedTuple):
    """How full a trunk is.

    Attributes:
        ports, used: its ports at each panel, and those that links take.
        fibres, lit: its fibres, and those that carry light; `lit` is None if it is not known how
            many the optics use.
        idle: fibres behind ports in use that carry no light; spare: behind ports that are free.
    """

    trunk: Trunk
    ports: int
    used: int
    fibres: int
    lit: int | None
    idle: int | None
    spare: int


def fill_of(document: Document, trunk: Trunk) -> Fill:
    """How many ports and fibres of a trunk are in use, and how many are left."""
    used = document.ports_in_use(trunk.a.device)
    taken: list[str] = []
    lit: int | None = 0
    cables_in = links_in(document, trunk)
    for port in trunk.a.names:
        link_id = used.get(port)
        if link_id is None or link_id not in cables_in:
            continue
        taken.append(port)
        face = face_of(medium_of(document, document.links[link_id]))
        lit = None if face is None or lit is None else lit + face.fibres
    behind = len(taken) * trunk.fibres_per_port
    idle = None if lit is None else max(0, behind - lit)
    return Fill(
        trunk, trunk.ports, len(taken), trunk.fibres, lit, idle, trunk.fibres - behind
    )  # fmt: skip
