"""The two ports of a NIC go to two leaves of one rail, which have no link between them.

Two ports belong to one NIC when their
names differ only in a last part (`nic3/1` and `nic3/2`, `nic3p0` and `nic3p1`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from topoedit.engine.types import Longs
from topoedit.rules._tables import distinct, distinct_pairs, encode
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_PORT_OF_NIC = re.compile(r"(.+?)[/p._-]\d+")


def _check(context: Context) -> Outcome:
    hosts = context.hosts
    code, cards = encode([_nic(port.name) for port in context.links.runs.ports])
    named = np.array([bool(name) for name in cards], bool)
    if not len(hosts.cable) or not named.any():
        return Outcome()
    nic = code[hosts.port]
    at = np.flatnonzero(named[nic])
    key = hosts.server[at].astype(np.int64) * len(cards) + nic[at]
    nics, cables = np.unique(key, return_counts=True)
    twins = nics[cables > 1]
    ends = distinct_pairs(key, hosts.leaf[at])
    homes = np.unique(ends[0], return_counts=True)[1][cables > 1]
    if not (homes > 1).any():
        return outcome()
    problems = [
        *_one_leaf(context, twins[homes == 1], cards),
        *_peers(context, ends, twins[homes > 1]),
    ]
    return outcome(problems, len(twins))


def _nic(port: str) -> str:
    match = _PORT_OF_NIC.fullmatch(port)
    return match.group(1) if match else ""


def _one_leaf(context: Context, nics: Longs, cards: list[str]) -> Iterator[Problem]:
    hosts = context.hosts
    for key in nics.tolist():
        server, card = key // len(cards), cards[key % len(cards)]
        at = next(
            i
            for i in np.flatnonzero(hosts.server == server).tolist()
            if _nic(context.links.runs.ports[int(hosts.port[i])].name) == card
        )
        leaf = int(hosts.leaf[at])
        yield Problem(
            context.ids([server, leaf]),
            f"both ports of {card} of {context.name(server)} go to {context.name(leaf)}: its loss "
            "cuts the NIC off, though others are on two leaves",
            "Move one of the ports to the other leaf of the pair",
        )


def _peers(context: Context, ends: tuple[Longs, Longs], nics: Longs) -> Iterator[Problem]:
    """Links between the two leaves of a pair."""
    mine = np.isin(ends[0], nics)
    leaf = ends[1][mine]
    near = ends[0][mine][1:] == ends[0][mine][:-1]
    count_all = len(context.devices)
    pairs = distinct(leaf[:-1][near] * count_all + leaf[1:][near])
    links = context.links
    low, high = np.minimum(links.a, links.b), np.maximum(links.a, links.b)
    code = low.astype(np.int64) * count_all + high
    rows = np.flatnonzero(np.isin(code, pairs) & context.compute)
    for row in rows.tolist():
        a, b = context.name(int(links.a[row])), context.name(int(links.b[row]))
        yield Problem(
            (context.link(row).id,),
            f"{count(int(links.cables[row]), 'cable')} between {a} and {b}, the two leaves of one "
            "dual-homed rail: stacked leaves fail together",
            "Remove the peer link; the NICs choose the leaf",
        )


RULE = Rule(
    id="dual-tor",
    title="Two ports of a NIC go to two leaves that are not stacked",
    severity="error",
    source=(
        "W. Qianliang, Paper notes: Alibaba HPN, 2025, "
        "https://wuql20.bearblog.dev/paper-notes-alibaba-hpn-a-data-center-network-for-large-language-model-training"
    ),
    check=_check,
)
