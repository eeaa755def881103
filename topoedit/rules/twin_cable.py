"""Cables with plugs join cages as they are sold: whole cage to whole cage, or one cage to several.

Nothing on sale joins two cages to two others port by port (`_plugs`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from topoedit.catalog.types import Medium
from topoedit.rules._choose import advice, better, mend_medium
from topoedit.rules._judge import Bad, Verdict
from topoedit.rules._plugs import Plugs, plugs_of
from topoedit.rules._tables import distinct
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    plugs = plugs_of(context)
    if plugs is None:
        return Outcome()
    return outcome(_problems(context, plugs), len(distinct(plugs.link)))


def _problems(context: Context, plugs: Plugs) -> Iterator[Problem]:
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
    plugs = plugs_of(context)
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
