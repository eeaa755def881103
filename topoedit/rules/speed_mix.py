"""One speed at both ends of a link, and one in each tier of a unit or pod."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from topoedit.engine.types import Ints, Longs
from topoedit.rules._clusters import most_common
from topoedit.rules._judge import Bad, Unknown, Verdict, judge
from topoedit.rules._tables import COMPUTE, NETWORKS
from topoedit.rules._words import count, rate
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    found = judge(context, None, _verdict)
    return outcome((*found.problems, *_tiers(context)), found.checked, found.unchecked)


def _verdict(context: Context, row: int) -> Verdict:
    ends = context.ports(row)
    for one, other in zip(*ends, strict=True):
        if one.gbps is None or other.gbps is None:
            return Unknown("a port of unknown rate")
        if one.gbps != other.gbps:
            slow = min(one.gbps, other.gbps)
            aside = context.links.network[row] != COMPUTE
            return Bad(
                f"{rate(one.gbps)} at one end, {rate(other.gbps)} at the other: runs at "
                f"{rate(slow)}",
                "Split the faster port, or count the tier's oversubscription in Gb/s",
                "info" if aside else None,
            )
    return None


def _tiers(context: Context) -> Iterator[Problem]:
    """Tiers of which some links run at another rate than most."""
    hosts = context.hosts
    host_rows = context.cables.link[hosts.cable]
    yield from _odd(context, "host-leaf tier of the compute network", hosts.unit, host_rows)
    for tier in context.tiers:
        what = f"{tier.name} tier of the {NETWORKS[tier.network]} network"
        yield from _odd(context, what, tier.pod[tier.upper], tier.link)


def _odd(context: Context, what: str, group: Ints, rows: Longs) -> Iterator[Problem]:
    rates = context.links.gbps[rows]
    known = ~np.isnan(rates) & (group >= 0)
    values, code = np.unique(rates[known], return_inverse=True)
    if len(values) < 2:
        return
    group, rows = group[known], rows[known]
    keys, usual, _ = most_common(group, code)
    table = dict(zip(keys.tolist(), usual.tolist(), strict=True))
    expected = np.array([table[key] for key in group.tolist()])
    odd = code != expected
    for key in np.unique(group[odd]).tolist():
        members = np.unique(rows[odd & (group == key)])
        other = sorted({float(values[c]) for c in code[odd & (group == key)].tolist()})
        total = int(np.count_nonzero(group == key))
        yield Problem(
            context.link_ids(members),
            f"{what} mixes speeds: {count(len(members), 'link')} such as "
            f"{context.link_name(int(members[0]))} at {' and '.join(map(rate, other))}, the rest "
            f"of {total} cables at {rate(float(values[table[key]]))}",
            "Keep one speed in a tier, or count its oversubscription in Gb/s",
        )


RULE = Rule(
    id="speed-mix",
    title="One speed at both ends and in each tier",
    severity="warning",
    source=(
        "Jiang et al., MegaScale: Scaling LLM Training to More Than 10,000 GPUs (NSDI), 2024, "
        "https://www.usenix.org/conference/nsdi24/presentation/jiang-ziheng"
    ),
    check=_check,
)
