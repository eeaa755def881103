"""A partly filled unit still has its full set of leaves."""

from __future__ import annotations

import numpy as np

from topoedit.rules._tables import distinct_pairs
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    hosts = context.hosts
    known = hosts.unit >= 0
    leaves = distinct_pairs(hosts.unit[known], hosts.leaf[known])
    units, number = np.unique(leaves[0], return_counts=True)
    if len(units) < 2:
        return outcome(checked=len(units))
    times = np.bincount(number)
    usual = int(np.flatnonzero(times == times.max())[-1])
    problems = []
    for unit in units[number < usual].tolist():
        rows = leaves[1][leaves[0] == unit]
        servers = len(np.unique(hosts.server[hosts.unit == unit]))
        problems.append(
            Problem(
                context.ids(rows),
                f"the unit of {context.names(rows)} has {count(len(rows), 'leaf', 'leaves')} for "
                f"{count(servers, 'server')}, the other units have {usual}",
                "Build the whole set of leaves and leave ports dark",
            )
        )
    share = len(problems) / len(units)
    if share > 0.5:
        return outcome(unchecked=["units have no usual number of leaves"])
    return outcome(problems, len(units))


RULE = Rule(
    id="full-su-cabling",
    title="Partly filled units have their full set of leaves",
    severity="warning",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX H100, RA-11333-001 V11, 2023; NVIDIA DGX "
        "SuperPOD Reference Architecture, DGX GB200, Network Fabrics, 2025"
    ),
    check=_check,
)
