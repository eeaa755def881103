"""Every leaf reaches every spine of its pod, every spine every core of its group, equally.

A pod is a set of spines that most of its leaves share. The number of cables that most pairs have is
what every pair should have; a whole tier whose uplinks do not divide is reported once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from topoedit.engine.types import Ints, Longs
from topoedit.errors import BadEditError
from topoedit.model.connect import Cabling, connect
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.rules._tables import NETWORKS
from topoedit.rules._words import count, some
from topoedit.rules.base import Finding, Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context, Tier

_FEW = 4
_SHARE = 0.1
_SHOWN = 100


@dataclass(frozen=True, eq=False)
class _Pod:
    """Working cables between the lower and upper devices of one pod.

    Attributes:
        lower, upper: rows of the devices; cables: (lower, upper) number of cables.
    """

    lower: Ints
    upper: Ints
    cables: Longs


def _check(context: Context) -> Outcome:
    problems: list[Problem] = []
    checked = 0
    for tier in context.tiers:
        for pod in _pods(context, tier):
            checked += pod.cables.size
            problems += _judge(context, tier, pod)
        problems += _strays(context, tier)
    return outcome(problems, checked)


def _pods(context: Context, tier: Tier) -> Iterator[_Pod]:
    """The pods of a tier; links that leave their pod are left out."""
    links = context.links
    works = (links.cables - links.failed)[tier.link]
    own = tier.low_pod[tier.lower] == tier.pod[tier.upper]
    key = np.where(own, tier.low_pod[tier.lower], -1)
    order = np.argsort(key, kind="stable")
    order = order[key[order] >= 0]
    cuts = np.flatnonzero(np.diff(key[order])) + 1
    for rows in np.split(order, cuts) if len(order) else ():
        lower, low = np.unique(tier.lower[rows], return_inverse=True)
        upper, up = np.unique(tier.upper[rows], return_inverse=True)
        size = len(lower) * len(upper)
        cables = np.bincount(low * len(upper) + up, weights=works[rows], minlength=size)
        yield _Pod(lower, upper, cables.astype(np.int64).reshape(len(lower), len(upper)))


def _judge(context: Context, tier: Tier, pod: _Pod) -> list[Problem]:
    values, times = np.unique(pod.cables, return_counts=True)
    if len(values) == 1:
        return [] if values[0] else [_dead(context, tier, pod)]
    usual = int(values[np.argmax(times)])
    totals, number = np.unique(pod.cables.sum(axis=1), return_counts=True)
    uplinks = int(totals[np.argmax(number)])
    odd = np.argwhere(pod.cables != usual)
    whole = uplinks % len(pod.upper) == 0
    if whole and len(odd) <= max(_FEW, _SHARE * pod.cables.size):
        pairs = [_pair(context, tier, pod, at, usual) for at in odd[:_SHOWN].tolist()]
        if len(odd) > _SHOWN:
            rows = np.unique(pod.upper[odd[_SHOWN:, 1]])
            text = f"{len(odd) - _SHOWN} more pairs have another number of cables than {usual}"
            pairs.append(Problem(context.ids(rows), text))
        return pairs
    return [_whole_pod(context, tier, pod, values, uplinks)]


def _dead(context: Context, tier: Tier, pod: _Pod) -> Problem:
    return Problem(
        context.ids(pod.upper),
        f"none of the cables between {context.names(pod.lower)} and {context.names(pod.upper)} "
        f"works: 0 for each of {pod.cables.size} pairs of the {tier.name} tier",
        "Put them back into service",
    )


def _pair(context: Context, tier: Tier, pod: _Pod, at: list[int], usual: int) -> Problem:
    lower, upper = int(pod.lower[at[0]]), int(pod.upper[at[1]])
    found = int(pod.cables[at[0], at[1]])
    drawn = _links_between(context, tier, lower, upper)
    names = context.name(lower), context.name(upper)
    broken = int(context.links.failed[drawn].sum())
    out = f", {broken} more out of service" if broken else ""
    return Problem(
        (*context.ids([lower, upper]), *context.link_ids(drawn)),
        f"{names[0]} has {count(found, 'working cable')} to {names[1]}{out}; most pairs of its "
        f"{tier.name} tier have {usual}",
        f"Give {names[0]} and {names[1]} {count(usual, 'cable')}",
        mendable=found < usual and not broken,
    )


def _links_between(context: Context, tier: Tier, lower: int, upper: int) -> Longs:
    return np.asarray(tier.link[(tier.lower == lower) & (tier.upper == upper)])


def _whole_pod(context: Context, tier: Tier, pod: _Pod, values: Longs, uplinks: int) -> Problem:
    lowers, uppers = len(pod.lower), len(pod.upper)
    low, high = tier.name.split("-")
    low_words = count(lowers, low, "leaves" if low == "leaf" else f"{low}s")
    numbers = " or ".join(str(v) for v in values[:6].tolist())
    text = (
        f"{NETWORKS[tier.network]} network: {low_words} and {count(uppers, high)} have {numbers} "
        "cables a pair"
    )
    better = next((n for n in range(uppers, uplinks + 1) if uplinks % n == 0), 0)
    if uplinks % uppers and better:
        text += f": {uplinks} uplinks over {uppers} {high}s are not a whole number each"
        fix = f"Take {better} {high}s, {uplinks // better} cables each"
    else:
        fix = f"Give every pair {max(1, uplinks // uppers)} cables"
    return Problem(context.ids(pod.upper), text, fix)


def _strays(context: Context, tier: Tier) -> list[Problem]:
    """Links to a spine of another pod."""
    away = np.flatnonzero(tier.low_pod[tier.lower] != tier.pod[tier.upper])
    if not len(away):
        return []
    rows = tier.link[away]
    names = some([context.link_name(int(row)) for row in rows[:4]] + [""] * (len(rows) - 4))
    high = tier.name.split("-")[1]
    return [
        Problem(
            context.link_ids(rows),
            f"{count(len(rows), 'link')} of the {tier.name} tier end at a {high} of another pod: "
            f"{names}",
            f"End them at {high}s of their own pod",
        )
    ]


def _mend(document: Document, finding: Finding) -> Edit | None:
    """Add the cables that a pair lacks, like those of its neighbours."""
    lower, upper = (document.devices.get(name) for name in finding.elements[:2])
    if lower is None or upper is None:
        return None
    alike = (document.links[i] for i in document.links_of(lower.id))
    pattern = next(
        (x for x in alike if document.devices[x.other(lower.id)].kind == upper.kind), None
    )
    lacking = _lacking(Context(document), lower.id, upper.id)
    if pattern is None or lacking < 1:
        return None
    cabling = Cabling(
        gbps=pattern.gbps, medium=pattern.medium, length_m=pattern.length_m,
        network=pattern.network, plane=pattern.plane,
    )  # fmt: skip
    try:
        return connect(document, lower.id, upper.id, cables=lacking, cabling=cabling)
    except BadEditError:
        return None


def _lacking(context: Context, lower_id: str, upper_id: str) -> int:
    """How many cables a pair has fewer than most pairs of its pod."""
    lower, upper = context.devices.row[lower_id], context.devices.row[upper_id]
    for tier in context.tiers:
        for pod in _pods(context, tier):
            if lower in pod.lower and upper in pod.upper:
                values, times = np.unique(pod.cables, return_counts=True)
                own = pod.cables[pod.lower == lower][0, pod.upper == upper]
                return int(values[np.argmax(times)] - own[0])
    return 0


RULE = Rule(
    id="even-spread",
    title="Equal whole number of cables from every leaf to every spine, every spine to every core",
    severity="error",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX H100, RA-11333-001 V11, 2023 (derived), "
        "https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-h100/latest/"
    ),
    check=_check,
    mend=_mend,
)
