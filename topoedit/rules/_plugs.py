"""Which cages the plugs of cables join, and which of those joints no cable on sale makes.

A plug of copper or of an active optical cable fills its cage, with all the ports in it. On sale
are straight cables (all ports of a cage to all of another, lane for lane) and splitters (one cage
to several); nothing joins two cages to two others port by port. Fibre between modules does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topoedit.catalog.types import Medium
from topoedit.engine.compile.domains import components
from topoedit.engine.types import Bools, Ints, Longs
from topoedit.rules._tables import alike, distinct_pairs
from topoedit.rules.context import Context

_ASSEMBLIES = ("copper", "fibre")


def is_assembly(medium: Medium | None) -> bool:
    """Whether a medium is a cable with plugs at both ends, not fibre between modules."""
    return medium is not None and medium.medium in _ASSEMBLIES


@dataclass(frozen=True, eq=False)
class Plugs:
    """Cables with plugs in shared cages.

    Attributes:
        link: row of the link, rising; near, far: code of the cage, or port, at both ends.
        others: for every code, how many cages or ports at the other ends of its cables.
        wrong: those that no cable on sale can be; group: of cables that share plugs; bad: in a
            group that has a wrong one, whose other cables cannot stay as they are either.
    """

    link: Longs
    near: Ints
    far: Ints
    others: Longs
    wrong: Bools
    group: Ints
    bad: Bools


def plugs_of(context: Context, *, every: bool = False) -> Plugs | None:
    """The cables with plugs in shared cages, None if there are none.

    Args:
        context: the drawing.
        every: all cables, as if fibre had plugs too: where other cables could be taken.
    """
    key = "plugs of all" if every else "plugs"
    found = context.kept.get(key)
    if found is None:
        found = context.kept[key] = _found(context, every) or False
    return found if isinstance(found, Plugs) else None


def runs_crosswise(context: Context, row: int) -> bool:
    """Whether no cable with plugs could be taken for a link, its cages being as they are."""
    plugs = plugs_of(context, every=True)
    if plugs is None:
        return False
    first, end = np.searchsorted(plugs.link, [row, row + 1]).tolist()
    return bool(plugs.bad[first:end].any())


def _found(context: Context, every: bool) -> Plugs | None:
    cables, links = context.cables, context.links
    sold = np.array([every or is_assembly(medium) for medium in links.media], bool)
    if not sold.any():
        return None
    whole = sold[links.medium] & ~links.planned
    cable = np.flatnonzero(whole[cables.link])
    row = cables.link[cable]
    cage_a, slot_a, shared_a = _cages(context, links.a[row], cables.port_a[cable])
    cage_b, slot_b, shared_b = _cages(context, links.b[row], cables.port_b[cable])
    here = np.flatnonzero((shared_a > 1) | (shared_b > 1))
    if not len(here):
        return None
    width = int(max(cage_a.max(), cage_b.max())) + 1
    near = links.a[row[here]].astype(np.int64) * width + cage_a[here]
    far = links.b[row[here]].astype(np.int64) * width + cage_b[here]
    names, code = np.unique(np.concatenate([near, far]), return_inverse=True)
    near_code, far_code = code[: len(here)].astype(np.int32), code[len(here) :].astype(np.int32)
    both = (np.concatenate([near_code, far_code]), np.concatenate([far_code, near_code]))
    others = np.bincount(distinct_pairs(*both)[0], minlength=len(names))
    first, kind = alike(np.minimum(near_code, far_code), np.maximum(near_code, far_code))
    strands = np.bincount(kind, minlength=len(first))[kind]
    swapped = (strands > 1) & (shared_a == shared_b)[here] & (slot_a != slot_b)[here]
    wrong = (others[near_code] > 1) & (others[far_code] > 1) | (near_code == far_code) | swapped
    group = components(len(names), near_code, far_code)[near_code]
    bad = np.bincount(group, weights=wrong, minlength=len(names))[group] > 0
    return Plugs(row[here], near_code, far_code, others, np.asarray(wrong), group, bad)


def _cages(context: Context, device: Ints, port: Longs) -> tuple[Longs, Longs, Longs]:
    """Code of the cage within its device, place in it, and how many ports share it.

    A port that no type lists counts as a cage of its own, of codes above all others.
    """
    places: list[int] = []
    slots: list[int] = []
    shared: list[int] = []
    first = [0]
    for kind in context.devices.types:
        codes: dict[str, int] = {}
        mine = [codes.setdefault(p.cage or p.name, len(codes)) for p in kind.port_list]
        sizes = np.bincount(mine, minlength=1)
        seen: dict[int, int] = {}
        for code in mine:
            places.append(code)
            slots.append(seen.get(code, 0))
            seen[code] = seen.get(code, 0) + 1
            shared.append(int(sizes[code]))
        first.append(len(places))
    place = context.links.runs.place[port]
    listed = place >= 0
    at = np.array(first)[context.devices.type[device]] + np.maximum(place, 0)
    table = np.array([[*places, 0], [*slots, 0], [*shared, 1]], np.int64)
    at = np.where(listed, at, len(places))
    stray = len(places) + port
    return np.where(listed, table[0, at], stray), table[1, at], table[2, at]
