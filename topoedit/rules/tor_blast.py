"""What the loss of one leaf stops, where NICs hang on one leaf each."""

from __future__ import annotations

import numpy as np

from topoedit.rules._tables import NONE, distinct, distinct_pairs
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    hosts, links = context.hosts, context.links
    leaves = distinct(hosts.leaf)
    if not len(leaves) or len(distinct(hosts.server)) < 2:
        return outcome(checked=len(leaves))
    planes = distinct(links.plane[(links.plane != NONE) & context.compute])
    if len(planes) > 1:
        return outcome(checked=len(leaves))
    pairs = distinct_pairs(hosts.leaf, hosts.server)[0]
    servers = np.bincount(pairs, minlength=len(context.devices))[leaves]
    nics = np.bincount(hosts.leaf, minlength=len(context.devices))[leaves]
    worst = int(np.argmax(servers))
    problem = Problem(
        context.ids(leaves),
        f"NICs hang on one leaf each ({count(len(leaves), 'leaf', 'leaves')}): the loss of "
        f"{context.name(int(leaves[worst]))} takes {count(int(nics[worst]), 'NIC')} of "
        f"{count(int(servers[worst]), 'server')} and stops or slows every job on them",
        "Two ports a NIC on two leaves, or two planes, remove the single point",
    )
    return outcome([problem], len(leaves))


RULE = Rule(
    id="tor-blast",
    title="What the loss of one leaf stops",
    severity="info",
    source=(
        "W. Qianliang, Paper notes: Alibaba HPN, 2025; NVIDIA DGX SuperPOD Reference Architecture, "
        "DGX B300 (Spectrum-X), Network Fabrics, 2025"
    ),
    check=_check,
)
