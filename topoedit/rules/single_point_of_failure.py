"""No switch, router or single cable whose loss cuts GPUs off the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from topoedit.engine.types import Bools, Longs
from topoedit.rules._graph import Cut, cuts
from topoedit.rules._tables import SERVER
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_SINGLE = 4


def _check(context: Context) -> Outcome:
    devices = context.devices
    gpus = np.where(devices.kind == SERVER, np.maximum(devices.gpus, 0), 0).astype(np.int64)
    servers = devices.kind == SERVER
    unknown = int(np.count_nonzero(servers & (devices.gpus < 0)))
    if np.count_nonzero(gpus) < 2:
        return Outcome()
    a, b, weight = _merged(*context.switch_pairs, servers, gpus)
    found, pairs = cuts(len(devices), a, b, weight)
    switches = [cut for cut in found if not servers[cut.device]]
    problems = [*_switches(context, switches), *_cables(context, pairs)]
    why = f"the GPUs of {count(unknown, 'server')} are unknown, so their loss counts as none"
    return outcome(problems, int(np.count_nonzero(context.is_switch)), [why * bool(unknown)])


def _merged(a: Longs, b: Longs, servers: Bools, gpus: Longs) -> tuple[Longs, Longs, Longs]:
    """Pairs and GPUs with one server for all that hang on the same two or more switches.

    What falls apart without a switch is the same, for each of them keeps another switch.
    """
    server = np.where(servers[a], a, b)
    other = np.where(servers[a], b, a)
    up = servers[server] & ~servers[other]
    mark = np.random.default_rng(1).integers(0, 2**62, len(servers))
    degree = np.bincount(server[up], minlength=len(servers))
    total = np.zeros(len(servers), np.int64)
    np.add.at(total, server[up], mark[other[up]])  # wraps round; only equality counts
    rows = np.flatnonzero(
        servers & (degree > 1) & (np.bincount(server[~up], minlength=len(servers)) == 0)
    )
    _, first, alike = np.unique(total[rows], return_index=True, return_inverse=True)
    stands_for = np.arange(len(servers))
    stands_for[rows] = rows[first[alike]]
    weight = np.bincount(stands_for, weights=gpus, minlength=len(servers)).astype(np.int64)
    kept = (stands_for[a] == a) & (stands_for[b] == b)
    return a[kept], b[kept], weight


def _switches(context: Context, found: list[Cut]) -> Iterator[Problem]:
    """Those that cut off equally many GPUs together if there are many."""
    fix = "Connect the servers, or the site, over a second switch"
    for weight in sorted({cut.weight for cut in found}, reverse=True):
        rows = [cut.device for cut in found if cut.weight == weight]
        cost = f"{count(weight, 'GPU')} off the others"
        if len(rows) > _SINGLE:
            text = f"the loss of any of {len(rows)} switches ({context.names(rows)}) cuts {cost}"
            yield Problem(context.ids(rows), text, fix)
            continue
        for row in rows:
            text = f"the loss of {context.name(row)} cuts {cost}"
            yield Problem(context.ids([row]), text, fix)


def _cables(context: Context, pairs: list[Cut]) -> Iterator[Problem]:
    """Single cables between switches that are the only way between GPUs."""
    links = context.links
    between = [cut for cut in pairs if context.is_switch[[cut.device, cut.other]].all()]
    for cut in between[:200]:
        ends = (cut.device, cut.other)
        at = np.flatnonzero(np.isin(links.a, ends) & np.isin(links.b, ends) & context.compute)
        if int((links.cables - links.failed)[at].sum()) == 1:
            row = int(at[0])
            yield Problem(
                context.link_ids([row]),
                f"{context.link_name(row)}: one cable is the only way to "
                f"{count(cut.weight, 'GPU')}",
                "Add a second cable, on another route",
            )


RULE = Rule(
    id="single-point-of-failure",
    title="No switch or cable whose loss cuts GPUs off",
    severity="warning",
    source=(
        "Hopcroft, Tarjan, Algorithm 447: Efficient Algorithms for Graph Manipulation (cut "
        "vertices), CACM 16, 1973"
    ),
    check=_check,
)
