"""Cables with plugs join cages as they are sold: whole cage to whole cage, or one cage to several.

A plug of copper or of an active optical cable fills its cage, with all the ports in it. On sale
are straight cables (all ports of a cage to all of another, lane for lane) and splitters (one cage
to several); nothing joins two cages to two others port by port. Fibre between modules does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from topoedit.catalog.types import Medium
from topoedit.engine.compile.domains import components
from topoedit.engine.types import Bools, Ints, Longs
from topoedit.rules._choose import advice, better, is_assembly, mend_medium
from topoedit.rules._judge import Bad, Verdict
from topoedit.rules._tables import alike, distinct, distinct_pairs
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


@dataclass(frozen=True, eq=False)
class _Plugs:
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


def _check(context: Context) -> Outcome:
    plugs = _plugs(context)
    if plugs is None:
        return Outcome()
    return outcome(_problems(context, plugs), len(distinct(plugs.link)))


def _plugs(context: Context) -> _Plugs | None:
    found = context.kept.get("plugs")
    if found is None:
        found = context.kept["plugs"] = _found(context) or False
    return found if isinstance(found, _Plugs) else None


def _found(context: Context) -> _Plugs | None:
    cables, links = context.cables, context.links
    sold = np.array([is_assembly(medium) for medium in links.media], bool)
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
    return _Plugs(row[here], near_code, far_code, others, np.asarray(wrong), group, bad)


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


def _problems(context: Context, plugs: _Plugs) -> Iterator[Problem]:
    """One for each group of cables that share plugs: they can only be mended together."""
    at = np.flatnonzero(plugs.bad)
    at = at[np.lexsort((plugs.link[at], ~plugs.wrong[at], plugs.group[at]))]
    cuts = np.flatnonzero(np.diff(plugs.group[at])) + 1
    for members in np.split(at, cuts) if len(at) else ():
        rows = distinct(plugs.link[members])
        row = int(plugs.link[members[0]])
        bad = _verdict(context, row)
        if isinstance(bad, Bad):
            name = context.link_name(row)
            name = name if len(rows) == 1 else f"{len(rows)} links such as {name}"
            ids = context.link_ids(rows)
            yield Problem(ids, f"{name}: {bad.text}", bad.fix, bad.mendable)


def _verdict(context: Context, row: int) -> Verdict:
    plugs = _plugs(context)
    if plugs is None:
        return None
    first, end = np.searchsorted(plugs.link, [row, row + 1]).tolist()
    medium = context.medium(row)
    if not plugs.bad[first:end].any() or medium is None:
        return None
    at = first + int(np.argmax(plugs.wrong[first:end]))
    near, far = (int(plugs.others[code[at]]) for code in (plugs.near, plugs.far))
    ends = [context.name(int(end[row])) for end in (context.links.a, context.links.b)]
    if near > 1 and far > 1:
        text = (
            f"a plug of {medium.name} fills its cage, but the ports of one cage of {ends[0]} go to "
            f"{count(near, 'cage')} and those of the cage of {ends[1]} to {count(far, 'cage')}: no "
            "such cable is sold"
        )
    else:
        text = (
            f"{medium.name} joins lane to lane, but here port 1 of a cage of {ends[0]} goes to "
            f"port 2 of a cage of {ends[1]}: no such cable is sold"
        )
    chosen = _choose(context, row)
    fix = "Wire all ports of a cage to one cage, or take fibre between modules"
    return Bad(text, advice(chosen, fix), mendable=chosen is not None)


def _choose(context: Context, row: int) -> Medium | None:
    return better(context, row, loose=True)


RULE = Rule(
    id="twin-cable",
    title="Plugs of copper and active cables fill their cages",
    severity="error",
    source=(
        "NVIDIA MCP4Y10-Nxxx product specifications (straight, twin-port to twin-port), 2025, "
        "https://docs.nvidia.com/networking/display/mcp4y10nxxx2x400pub; NVIDIA MCP7Y00-Nxxx "
        "ordering information (splitters, one twin-port cage to two), 2025, "
        "https://docs.nvidia.com/networking/display/mcp7y00nxxx800pub/ordering+information"
    ),
    check=_check,
    mend=mend_medium(_verdict, _choose),
)
