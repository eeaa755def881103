"""Records of what is bought for links: cables with their plugs and lengths, and modules."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from topoedit.catalog.types import Medium
from topoedit.layout.routes import Route, basis_of
from topoedit.model.elements import Link
from topoedit.model.ports import natural_key
from topoedit.reports.parts import ModulePart
from topoedit.reports.places import Place
from topoedit.reports.ports import Port, PortBook
from topoedit.reports.selling import Sold


class Plug(NamedTuple):
    """One port of a device that a cable is plugged into."""

    device: str
    port: Port


class Lengths(NamedTuple):
    """Metres of one link: the way, the slack on it, both together; None where unknown.

    `basis` says what they rest on: "given", or the parts of the way.
    """

    routed_m: float | None
    slack_m: float | None
    need_m: float | None
    basis: str = ""


class Cable(NamedTuple):
    """One physical cable.

    Attributes:
        id: id of the first drawn cable in it; with `/1`, `/2` where a drawn cable needs several.
        drawn: ids of the drawn cables that it carries.
        link: the link of the first of them.
        a, b: ports at both ends; several for a twin-port plug or the ends of a splitter.
        kind: `jumper`, `cord` or `trunk` where it is part of a patched link, else "".
        cord: type of a jumper or cord, or polarity method of a trunk; "" if not known.
    """

    id: str
    drawn: tuple[str, ...]
    link: Link
    a: tuple[Plug, ...]
    b: tuple[Plug, ...]
    sold: Sold
    lengths: Lengths
    kind: str = ""
    cord: str = ""


class Module(NamedTuple):
    """One pluggable module in a cage; `part` None if no part of that kind is known."""

    device: str
    cage: str
    medium: Medium
    part: ModulePart | None
    watts: float | None
    link: Link


@dataclass(frozen=True)
class Purchase:
    """Everything that is bought for the links of a drawing.

    Attributes:
        notes: what had to be assumed or does not fit, one sentence each.
    """

    cables: list[Cable]
    modules: list[Module]
    places: dict[str, Place]
    ports: PortBook
    notes: tuple[str, ...]


def lengths_of(link: Link, route: Route | None) -> Lengths:
    """Way, slack and need of a link.

    The drawn length is what a cable must have; the part of it beyond the way between the racks is
    slack. Without a drawn length, the way with the usual slack is taken.
    """
    if link.km is not None:
        return Lengths(None, None, None)
    given = link.length_m
    basis = basis_of(route, given)
    if route is None:
        return Lengths(given, None, given, basis)
    way, need = route.way_m, route.need_m if given is None else given
    return Lengths(way, round(max(0.0, need - way), 2), max(need, way), basis)


Node = tuple[str, str]


class Strand(NamedTuple):
    """A drawn cable that shares a connector or a plug with others; `near` and `far` name them."""

    id: str
    link: Link
    a: Plug
    b: Plug
    medium: Medium
    lengths: Lengths
    near: Node
    far: Node


def node(plug: Plug, plugs: int) -> Node:
    """The connector or plug that a port lies on, of `plugs` in its cage; 0 for one of its own."""
    port = plug.port
    if plugs == 0 or not port.cage:
        return plug.device, port.name
    return plug.device, f"{port.cage}#{port.slot * plugs // port.shared}"


def crossed(group: list[Strand]) -> bool:
    """Whether a straight cable would have to swap lanes: port 1 to 2 and 2 to 1 of like cages."""
    if len({strand.near for strand in group}) != len({strand.far for strand in group}):
        return False
    return any(
        strand.a.port.shared == strand.b.port.shared and strand.a.port.slot != strand.b.port.slot
        for strand in group
        if len(group) > 1
    )


def groups(strands: list[Strand]) -> list[list[Strand]]:
    """Strands that hang together by their plugs, each group in the order of cable ids."""
    root: dict[Node, Node] = {}

    def top(key: Node) -> Node:
        while root.setdefault(key, key) != key:
            root[key] = root[root[key]]
            key = root[key]
        return key

    for strand in strands:
        root[top(strand.near)] = top(strand.far)
    found: dict[Node, list[Strand]] = defaultdict(list)
    for strand in strands:
        found[top(strand.near)].append(strand)
    return [
        sorted(group, key=lambda s: natural_key(s.id)) if len(group) > 1 else group
        for group in found.values()
    ]
