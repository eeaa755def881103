"""Whether a bundle of copper can be bought: a plug fills its cage, with all the ports in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from topoedit.catalog.types import DeviceType

CageOf = dict[str, tuple[str, int]]


class Cages(NamedTuple):
    """The shared cages of a type: port -> cage and place in it; cage -> number of its ports."""

    of: CageOf
    sizes: dict[str, int]


def cages(kind: DeviceType) -> Cages:
    """The cages that several ports of a type share."""
    members: dict[str, list[str]] = defaultdict(list)
    for port in kind.port_list:
        if port.cage:
            members[port.cage].append(port.name)
    shared = {cage: names for cage, names in members.items() if len(names) > 1}
    places = {name: (cage, n) for cage, names in shared.items() for n, name in enumerate(names)}
    return Cages(places, {cage: len(names) for cage, names in shared.items()})


def is_straight(a: Sequence[str], b: Sequence[str], of_a: Cages, of_b: Cages) -> bool:
    """Whether copper assemblies join port i of `a` to port i of `b`, for all of them.

    A plug carries every port of its cage and leads them to one cage, lane by lane, or as a
    splitter to cages of fewer ports. Ports joined otherwise are for optics, whose fibres part.
    """
    return _leads(a, b, of_a, of_b) and _leads(b, a, of_b, of_a)


def _leads(near: Sequence[str], far: Sequence[str], of_near: Cages, of_far: Cages) -> bool:
    ends: dict[str, list[tuple[int, str, int, int]]] = defaultdict(list)
    for one, other in zip(near, far, strict=True):
        place = of_near.of.get(one)
        if place is None:
            continue
        cage, lane = of_far.of.get(other, (f"port {other}", 0))
        ends[place[0]].append((place[1], cage, lane, of_far.sizes.get(cage, 1)))
    for cage, found in ends.items():
        size = of_near.sizes[cage]
        if len(found) != size:
            return False
        larger = max(ports for *_, ports in found)
        if larger >= size and len({name for _, name, *_ in found}) > 1:
            return False
        if larger == size and any(here != there for here, _, there, _ in found):
            return False
    return True
