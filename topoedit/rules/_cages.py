"""Ends of cables in the cages of devices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.catalog.types import DeviceType
from topoedit.engine.types import Floats, Ints, Longs
from topoedit.rules.context import Context


@dataclass(frozen=True, eq=False)
class Ends:
    """Both ends of every cable that sits in a cage its type lists.

    Attributes:
        link: row of the link; device: row of the device; cage: code of the cage in its type.
        watts: the most a module there may draw; NaN if unknown.
        shared: number of ports of that cage.
    """

    link: Longs
    device: Ints
    cage: Ints
    watts: Floats
    shared: Ints


def cable_ends(context: Context) -> Ends:
    """The ends of all cables."""
    cables, links, devices = context.cables, context.links, context.devices
    link = np.concatenate([cables.link, cables.link])
    device = np.concatenate([links.a[cables.link], links.b[cables.link]])
    place = links.runs.place[np.concatenate([cables.port_a, cables.port_b])]
    cages, watts, shared, first = _by_type(devices.types)
    listed = place >= 0
    link, device = link[listed], device[listed]
    at = first[devices.type[device]] + place[listed]
    return Ends(link, device, cages[at], watts[at], shared[at])


def _by_type(types: list[DeviceType]) -> tuple[Ints, Floats, Ints, Longs]:
    """Cage code, module watts and ports of the cage for each port of each type, in one run."""
    cages: list[int] = []
    watts: list[float] = []
    shared: list[int] = []
    first = [0]
    for kind in types:
        codes: dict[str, int] = {}
        names = [codes.setdefault(port.cage, len(codes)) for port in kind.port_list]
        size = np.bincount(names, minlength=1)
        cages += names
        shared += [int(size[code]) for code in names]
        for group in kind.ports:
            limit = np.nan if group.cage_watts is None else group.cage_watts
            watts += [limit] * group.count
        first.append(len(cages))
    return (
        np.array(cages, np.int32), np.array(watts, float), np.array(shared, np.int32),
        np.array(first, np.int64),
    )  # fmt: skip
