"""Switches with co-packaged optics take fibre directly: no copper, no active cable, no module."""

from __future__ import annotations

import numpy as np

from topoedit.catalog.types import Medium
from topoedit.rules._choose import advice, better, choice, mend_medium
from topoedit.rules._judge import Bad, Unknown, Verdict, judge, shape
from topoedit.rules._plugs import is_assembly
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    optics = context.devices.where(lambda kind: kind.co_packaged_optics)
    links = context.links
    rows = np.flatnonzero(optics[links.a] | optics[links.b])
    return judge(context, rows, _verdict, (*shape(context), *choice(context)))


def _verdict(context: Context, row: int) -> Verdict:
    medium = context.medium(row)
    if medium is None:
        return Unknown("no medium that is known")
    if not is_assembly(medium):
        return None
    links = context.links
    ends = (int(links.a[row]), int(links.b[row]))
    switch = next(end for end in ends if context.type_of(end).co_packaged_optics)
    chosen = _choose(context, row)
    return Bad(
        f"{medium.name} cannot be plugged into {context.name(switch)}, whose "
        f"{len(context.type_of(switch).port_list)} ports are fibre connectors",
        advice(chosen, "Take single-mode fibre with a module at the other end only"),
        mendable=chosen is not None,
    )


def _choose(context: Context, row: int) -> Medium | None:
    return better(context, row, loose=True)


RULE = Rule(
    id="cpo-no-module",
    title="Co-packaged optics take fibre alone",
    severity="error",
    source="Public BOM audit note on Q3450-LD/Q3400-RA (public GitHub file), 2026",
    check=_check,
    mend=mend_medium(_verdict, _choose),
)
