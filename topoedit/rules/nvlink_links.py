"""Every GPU has all its scale-up links, spread evenly over the switches.

Inside a device the type says how many links go to each chip; between drawn trays the cables do.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from topoedit.catalog.types import DeviceType
from topoedit.engine.types import Longs
from topoedit.rules._tables import NVSWITCH, SCALE_UP_ROLE
from topoedit.rules._words import count, some
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    problems: list[Problem] = []
    checked, why = 0, []
    for code, kind in enumerate(context.devices.types):
        rows = np.flatnonzero(context.devices.type == code)
        wanted = _links_per_gpu(context, kind)
        if not kind.gpus or kind.gpus < 2 or kind.inside is None:
            continue
        trays = any(port.role == "scale-up" for port in kind.port_list)
        listed = sum(kind.inside.scaleup.links_per_chip)
        if wanted is None or (not listed and not trays):
            why.append(f"the scale-up links of {kind.name} are not known")
            continue
        checked += len(rows) * kind.gpus
        if listed and listed != wanted:
            text = (
                f"{kind.name}: {listed} scale-up links a GPU over "
                f"{len(kind.inside.scaleup.links_per_chip)} chips, its accelerator has {wanted}"
            )
            problems.append(Problem(context.ids(rows), text, "Correct the type's link map"))
        if trays:
            problems += _drawn(context, kind, rows, wanted * kind.gpus)
    return outcome(problems, checked, why)


def _links_per_gpu(context: Context, kind: DeviceType) -> int | None:
    inside = kind.inside
    accelerator = None if inside is None else context.catalog.accelerators.get(inside.accelerator)
    return None if accelerator is None else accelerator.scaleup_links


def _drawn(context: Context, kind: DeviceType, rows: Longs, wanted: int) -> Iterator[Problem]:
    """Trays with too few scale-up cables, or another number to one switch than to the next."""
    cables, links = context.cables, context.links
    up = links.runs.role[cables.port_a] == SCALE_UP_ROLE
    up &= cables.works & ~links.planned[cables.link]
    a, b = links.a[cables.link[up]], links.b[cables.link[up]]
    switch = context.devices.kind == NVSWITCH
    tray = np.concatenate([a[switch[b]], b[switch[a]]])
    other = np.concatenate([b[switch[b]], a[switch[a]]])
    for row in rows.tolist():
        mine = other[tray == row]
        if not len(mine):
            continue
        switches, each = np.unique(mine, return_counts=True)
        name = context.name(row)
        if len(mine) < wanted:
            text = f"{name} has {len(mine)} of {count(wanted, 'scale-up link')} cabled"
            yield Problem(context.ids([row]), text, "Cable them all")
        elif len(set(each.tolist())) > 1:
            numbers = some([str(n) for n in sorted(set(each.tolist()))], 6)
            text = f"{name} has {numbers} links to its {count(len(switches), 'switch', 'switches')}"
            fix = f"Give each of them {len(mine) // len(switches)}"
            yield Problem(context.ids([row, *switches.tolist()]), text, fix)


RULE = Rule(
    id="nvlink-links",
    title="All scale-up links are there, evenly over the switches",
    severity="error",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX GB200, Network Fabrics, 2025; S. Bekman, "
        "Machine Learning Engineering Open Book - Network hardware (rev. 2026-08-22), 2026, "
        "https://github.com/stas00/ml-engineering/blob/master/network/README.md"
    ),
    check=_check,
)
