"""Fewer leaves than NICs is legal when every leaf gets the same number of NICs of a server."""

from __future__ import annotations

import numpy as np

from topoedit.rules._tables import alike, distinct_pairs
from topoedit.rules._words import count, some
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_SHOWN = 64


def _check(context: Context) -> Outcome:
    """Compare the cables that a server has to each of its leaves; other leaves count for nothing.

    A server that a cable is missing of, or moved, is another rule's (`rail-wiring`): what most
    servers of a type do is judged here.
    """
    hosts, devices = context.hosts, context.devices
    if not len(hosts.server):
        return Outcome()
    server, leaf = distinct_pairs(hosts.server, hosts.leaf)
    width = int(hosts.leaf.max()) + 1
    key = hosts.server.astype(np.int64) * width + hosts.leaf
    each = np.bincount(np.searchsorted(server * width + leaf, key), minlength=len(server))
    first = np.flatnonzero(np.concatenate([[True], server[1:] != server[:-1]]))
    least, most = np.minimum.reduceat(each, first), np.maximum.reduceat(each, first)
    leaves = np.diff(np.append(first, len(server)))
    rows = server[first]
    problems = []
    samples, kind = alike(devices.type[rows], least, most, leaves)
    sizes = np.bincount(kind, minlength=len(samples))
    of_type = np.bincount(devices.type[rows], minlength=len(devices.types))
    for index, at in enumerate(samples.tolist()):
        usual = sizes[index] * 2 > of_type[devices.type[rows[at]]]
        if least[at] == most[at] or not usual:
            continue
        members = rows[kind == index]
        numbers = sorted(each[first[at] : first[at] + leaves[at]].tolist(), reverse=True)
        nics = sum(numbers)
        problems.append(
            Problem(
                context.ids(members[:_SHOWN]),
                f"{count(len(members), 'server')} such as {context.name(int(members[0]))}: "
                f"{count(nics, 'NIC cable')} over {leaves[at]} leaves are "
                f"{some([str(n) for n in numbers], 8)}, not the same number each",
                f"Use {_divisor(nics, int(leaves[at]))} leaves, or one for each NIC",
            )
        )
    return outcome(problems, len(rows))


def _divisor(nics: int, leaves: int) -> int:
    """The next lower number of leaves that divides the NICs."""
    return next(n for n in range(leaves, 0, -1) if nics % n == 0)


RULE = Rule(
    id="rail-exceptions",
    title="Rails are grouped evenly: as many NICs of a server on each of its leaves",
    severity="warning",
    source=(
        "InferenceX GPU specs table (public GitHub file), 2026, https://inferencex.semianalysis.com"
    ),
    check=_check,
)
