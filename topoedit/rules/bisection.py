"""Bisection bandwidth: what half the servers can send to the other half at once."""

from __future__ import annotations

import math

import numpy as np

from topoedit.rules._ratios import host_rate, tier_ratios
from topoedit.rules._words import rate
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_FULL = 0.999


def _check(context: Context) -> Outcome:
    tiers, hosts = tier_ratios(context), host_rate(context)
    if not tiers:
        return outcome(unchecked=["no tier of leaves and spines to halve"] * bool(hosts))
    if math.isnan(hosts) or any(math.isnan(tier.whole) for tier in tiers):
        return outcome(
            unchecked=[
                "some cables of the compute network have no known rate, or none of a tier works"
            ]
        )
    up, name = min((float(tier.up.sum()), tier.tier) for tier in tiers)
    spines = int(np.unique(np.concatenate([tier.switch for tier in tiers])).size)
    if up >= hosts * _FULL:
        return outcome(checked=spines)
    switches = next(tier.switch for tier in tiers if tier.tier == name)
    problem = Problem(
        context.ids(switches),
        f"bisection {rate(up / 2)} of {rate(hosts / 2)} that the servers could send "
        f"({up / hosts:.0%} of full): the {name} tier is the narrowest",
        f"Add {rate(hosts - up)} to the {name} tier for full bisection",
    )
    return outcome([problem], spines)


RULE = Rule(
    id="bisection",
    title="Full bisection bandwidth",
    severity="info",
    source=(
        "Al-Fares, Loukissas, Vahdat, A Scalable, Commodity Data Center Network Architecture "
        "(SIGCOMM), 2008, https://dl.acm.org/doi/10.1145/1402958.1402967"
    ),
    check=_check,
)
