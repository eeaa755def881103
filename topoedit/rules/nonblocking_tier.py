"""Oversubscription of each switch stays within the ratio that was wanted for its tier."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from topoedit.rules._ratios import Ratios, targets, tier_ratios
from topoedit.rules._words import count, lacking, rate
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_ROUNDING = 1.0001
_MOST_TEXTS = 8


def _check(context: Context) -> Outcome:
    wanted, where = targets(context.document)
    problems: list[Problem] = []
    checked, why = 0, []
    for tier in tier_ratios(context):
        target = wanted.get(tier.tier)
        if target is None:
            why.append(f"no oversubscription is stated for the {tier.tier} tier to compare with")
            continue
        known = ~np.isnan(tier.ratio)
        checked += int(known.sum())
        lack = int((~known).sum())
        why.append(
            lacking(lack, len(known), "switches", "a cable of unknown rate, or nothing going up")
        )
        problems += _over(context, tier, target, where)
    return outcome(problems, checked, why)


def _over(context: Context, tier: Ratios, target: float, where: str) -> Iterator[Problem]:
    """One problem for the switches of each ratio above the target."""
    ratio = np.round(tier.ratio, 3)
    over = np.flatnonzero(np.nan_to_num(ratio) > target * _ROUNDING)
    values = np.unique(ratio[over])
    for value in values[::-1][:_MOST_TEXTS].tolist():
        at = over[ratio[over] == value]
        rows = tier.switch[at]
        down, up = float(tier.down[at[0]]), float(tier.up[at[0]])
        yield Problem(
            context.ids(rows),
            f"{count(len(rows), 'switch', 'switches')} such as {context.name(int(rows[0]))}: "
            f"{rate(down)} down over {rate(up)} up is {value:.2f}:1, wanted at most "
            f"{target:g}:1 ({where})",
            f"Add {rate(max(0.0, down / target - up))} of uplinks to each, or hang less on it",
        )
    rest = np.isin(ratio[over], values[::-1][_MOST_TEXTS:])
    if rest.any():
        rows = tier.switch[over[rest]]
        text = f"{count(len(rows), 'more switch', 'more switches')} above {target:g}:1"
        yield Problem(context.ids(rows), text)


RULE = Rule(
    id="nonblocking-tier",
    title="Oversubscription is within the stated target",
    severity="error",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX H100, RA-11333-001 V11, 2023, "
        "https://docs.nvidia.com/dgx-superpod/reference-architecture-scalable-infrastructure-h100/latest/; "  # noqa: E501
        "Jiang et al., MegaScale: Scaling LLM Training to More Than 10,000 GPUs (NSDI), 2024, "
        "https://www.usenix.org/conference/nsdi24/presentation/jiang-ziheng"
    ),
    check=_check,
)
