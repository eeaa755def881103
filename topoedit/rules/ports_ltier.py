"""No more endpoints than the tiers of a network can serve at the ratio that is wanted.

L tiers of switches of radix k serve 2 (k/2)^L endpoints without oversubscription: k^2/2 with two
tiers, k^3/4 with three. A ratio r of down to up, wanted for a tier, leaves r/(1 + r) of the ports
of its lower switches for what is below, where 1:1 leaves a half: k^L times these shares. Ports are
counted at the rate of an endpoint, so that split ports and planes multiply the radix by themselves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from topoedit.engine.compile.domains import components
from topoedit.engine.types import Floats, Ints
from topoedit.rules._ratios import targets
from topoedit.rules._tables import CORE, LEAF, SPINE, distinct
from topoedit.rules._words import lacking, rate
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import TIERS, Context
from topoedit.units import format_number

_DATA = ("any", "fabric", "compute")


def _check(context: Context) -> Outcome:
    hosts, devices = context.hosts, context.devices
    if not len(hosts.cable):
        return Outcome()
    part = _parts(context)[hosts.leaf]
    gbps = context.cables.gbps[hosts.cable]
    known = ~np.isnan(gbps)
    why = lacking(int((~known).sum()), len(gbps), "host cables", "no known rate")
    ports = devices.by_type(
        lambda kind: sum(p.gbps or 0.0 for p in kind.port_list if p.role in _DATA) or math.nan
    )
    problems: list[Problem] = []
    judged = 0
    for label in distinct(part[known]).tolist():
        mine = known & (part == label)
        judged += int(mine.sum())
        problems += _judge(context, _parts(context) == label, gbps[mine], ports)
    return outcome(problems, judged, [why])


def _parts(context: Context) -> Ints:
    """The network that each switch belongs to; servers join none of them."""
    found = context.kept.get("switch parts")
    if isinstance(found, np.ndarray):
        return found
    a, b = context.switch_pairs
    kind = context.devices.kind
    between = (kind[a] >= LEAF) & (kind[a] <= CORE) & (kind[b] >= LEAF) & (kind[b] <= CORE)
    ends = (a[between].astype(np.int32), b[between].astype(np.int32))
    label = components(len(context.devices), *ends)
    label[(kind < LEAF) | (kind > CORE)] = -1
    context.kept["switch parts"] = label
    return label


def _judge(context: Context, inside: np.ndarray, gbps: Floats, ports: Floats) -> Iterator[Problem]:
    rows = np.flatnonzero(inside)
    kinds = context.devices.kind[rows]
    levels = [level for level in (LEAF, SPINE, CORE) if (kinds == level).any()]
    radix_gbps = float(np.nanmax(ports[rows], initial=0.0))
    each = float(np.median(gbps))
    if levels[:2] != [LEAF, SPINE] or not radix_gbps or not each:
        return
    wanted, where = targets(context.document)
    ratios = [wanted.get(name, 1.0) for name, _, _ in TIERS[: len(levels) - 1]]
    shares = math.prod(ratio / (1 + ratio) for ratio in ratios)
    radix, tiers = int(radix_gbps / each + 1e-9), len(levels)
    most, endpoints = math.floor(radix**tiers * shares + 1e-9), round(float(gbps.sum()) / each)
    if endpoints <= most:
        return
    at = "1:1" if not wanted else " and ".join(f"{r:g}:1" for r in ratios) + f" ({where})"
    needed = math.ceil((endpoints / shares) ** (1 / tiers) - 1e-9)
    yield Problem(
        context.ids(rows[kinds == levels[-1]]),
        f"{format_number(endpoints)} endpoints of {rate(each)} on {tiers} tiers of switches with "
        f"{radix} such ports: {format_number(most)} is the most at {at}",
        f"Take switches of {needed} ports, add a tier or planes, or state a higher ratio",
    )


RULE = Rule(
    id="ports-ltier",
    title="No more endpoints than the tiers can serve",
    severity="warning",
    source=(
        "Al-Fares, Loukissas, Vahdat, A Scalable, Commodity Data Center Network Architecture "
        "(SIGCOMM), 2008, https://dl.acm.org/doi/10.1145/1402958.1402967; SemiAnalysis, CPO "
        "article: max hosts = 2(k/2)^L, 2026, https://newsletter.semianalysis.com"
    ),
    check=_check,
)
