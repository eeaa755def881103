"""How many servers a stripe of rail leaves takes when as much goes up as down."""

from __future__ import annotations

import math

import numpy as np

from topoedit.rules._tables import alike, distinct, distinct_pairs
from topoedit.rules._words import count, rate
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_DATA = ("any", "fabric", "compute")
_ROUNDING = 1.0001


def _check(context: Context) -> Outcome:
    """Judge the leaves of rails: those with cables upwards whose servers use several leaves."""
    hosts, devices = context.hosts, context.devices
    uppers = [tier.lower for tier in context.tiers if tier.network == 0]
    if not len(hosts.cable) or not uppers:
        return Outcome()
    climbs = np.zeros(len(devices), bool)
    climbs[np.concatenate(uppers)] = True
    server, leaf = distinct_pairs(hosts.server, hosts.leaf)
    railed = np.bincount(server, minlength=len(devices)) > 1
    leaves = distinct(leaf[railed[server] & climbs[leaf]])
    down = np.bincount(
        hosts.leaf, weights=context.cables.gbps[hosts.cable], minlength=len(devices)
    )[leaves]
    ports = devices.by_type(
        lambda kind: sum(p.gbps or 0.0 for p in kind.port_list if p.role in _DATA) or math.nan
    )[leaves]
    servers = np.bincount(leaf, minlength=len(devices))[leaves]
    known = ~np.isnan(down + ports)
    over = np.flatnonzero(known & (np.nan_to_num(down) > np.nan_to_num(ports) / 2 * _ROUNDING))
    problems = []
    first, kind = alike(devices.type[leaves[over]], servers[over], down[over])
    for index, at in enumerate(first.tolist()):
        members = over[kind == index]
        row, number = int(leaves[members[0]]), int(servers[over[at]])
        most = int(number * float(ports[over[at]]) / 2 / float(down[over[at]]))
        gpus = _gpus(context, row)
        problems.append(
            Problem(
                context.ids(leaves[members]),
                f"{count(len(members), 'leaf', 'leaves')} such as {context.name(row)}: "
                f"{count(number, 'server')} bring {rate(float(down[over[at]]))} to "
                f"{rate(float(ports[over[at]]))} of ports; a stripe at 1:1 takes "
                f"{count(most, 'server')}" + (f", {most * gpus} GPUs" if gpus else ""),
                f"Begin another stripe after {count(most, 'server')}, or accept the ratio",
            )
        )
    return outcome(problems, int(known.sum()))


def _gpus(context: Context, leaf: int) -> int:
    """GPUs of one server at a leaf; 0 if unknown."""
    hosts = context.hosts
    server = int(hosts.server[np.flatnonzero(hosts.leaf == leaf)[0]])
    return max(0, int(context.devices.gpus[server]))


RULE = Rule(
    id="stripe-size",
    title="Servers of a stripe of rail leaves at 1:1",
    severity="info",
    source=(
        "Juniper JVD AI backend notes (public GitHub files), 2025, "
        "https://www.juniper.net/documentation/us/en/software/jvd/jvd-ai-dc-inference-apstra-amd/frontend_fabric_topology.html"
    ),
    check=_check,
)
