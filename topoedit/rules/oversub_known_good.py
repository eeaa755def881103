"""The oversubscription of each tier beside the ratios that known clusters run."""

from __future__ import annotations

import math

from topoedit.rules._ratios import Ratios, tier_ratios
from topoedit.rules._words import count, rate
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_KNOWN = {
    "leaf-spine": "1:1 (SuperPOD, MegaScale, OCI), 1.07:1 (HPN)",
    "spine-core": "1:1 (SuperPOD, OCI), 7:1 (Meta), 15:1 (HPN)",
}
_FULL = 1.07
"""Up to HPN's 1.067:1 nobody calls a tier oversubscribed."""


def _check(context: Context) -> Outcome:
    tiers = tier_ratios(context)
    unknown = [t.tier for t in tiers if math.isnan(t.whole)]
    problems = [_problem(context, t) for t in tiers if t.whole > _FULL]
    why = [f"the {name} tier has cables of unknown rate, or none that works" for name in unknown]
    return outcome(problems, len(tiers) - len(unknown), why)


def _problem(context: Context, tier: Ratios) -> Problem:
    low = tier.tier.split("-")[0]
    switches = count(len(tier.switch), low, "leaves" if low == "leaf" else f"{low}s")
    return Problem(
        context.ids(tier.switch),
        f"{tier.tier} tier: {rate(float(tier.down.sum()))} down over {rate(float(tier.up.sum()))} "
        f"up of {switches} is {tier.whole:.2f}:1; known clusters run {_KNOWN[tier.tier]}",
        "Compare step times at 1:1 and at this ratio before buying",
    )


RULE = Rule(
    id="oversub-known-good",
    title="Oversubscription beside that of known clusters",
    severity="info",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX H100, RA-11333-001 V11, 2023; BestHub, "
        "Design and Architecture of Multi-Million GPU Clusters, 2024; G. Lockwood, Meta's H100 "
        "clusters (citing Llama 3 and Meta papers), 2024, https://glennklockwood.com"
    ),
    check=_check,
)
