"""In a full mesh of GPUs a pair has only its own link: small groups get only their share."""

from __future__ import annotations

import numpy as np

from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    plan = context.plan
    if plan is None:
        return Outcome()
    tp, problems, checked = plan.placement.tp.shape[1], [], 0
    for code, kind in enumerate(context.devices.types):
        scaleup = None if kind.inside is None else kind.inside.scaleup
        if scaleup is None or scaleup.kind != "mesh" or not kind.gpus:
            continue
        rows = np.flatnonzero(context.devices.type == code)
        checked += len(rows)
        pair = scaleup.GBps_per_pair_dir
        if pair is None or not 1 < tp < kind.gpus:
            continue
        problems.append(
            Problem(
                context.ids(rows[:64]),
                f"TP {tp} in {count(len(rows), 'server')} of {kind.gpus} GPUs in a full mesh: "
                f"{(tp - 1) * pair:g} GB/s a GPU per direction of {(kind.gpus - 1) * pair:g}",
                f"Take TP {kind.gpus}, which uses every link",
            )
        )
    return outcome(problems, checked)


RULE = Rule(
    id="mesh-p2p",
    title="Small groups in a full mesh get a share of its links",
    severity="info",
    source=(
        "S. Bekman, Machine Learning Engineering Open Book - Network hardware (rev. 2026-08-22), "
        "2026, https://github.com/stas00/ml-engineering/blob/master/network/README.md"
    ),
    check=_check,
    needs=("workload",),
)
