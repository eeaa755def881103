"""A box has as many logical ports as its maker gives it, whatever its lanes would allow."""

from __future__ import annotations

import numpy as np

from topoedit.engine.types import Longs
from topoedit.rules._words import count, lacking
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def ports_in_use(context: Context) -> Longs:
    """Number of ports of each device that have a cable."""
    cables, links = context.cables, context.links
    ends = np.concatenate([links.a[cables.link], links.b[cables.link]])
    return np.bincount(ends, minlength=len(context.devices))


def _check(context: Context) -> Outcome:
    devices = context.devices
    if not len(devices):
        return Outcome()
    limit = devices.by_type(
        lambda kind: np.nan if kind.logical_ports is None else kind.logical_ports
    )
    used = ports_in_use(context)
    known = ~np.isnan(limit)
    problems = [
        Problem(
            context.ids([row]),
            f"{context.name(row)}: {count(int(used[row]), 'port')} in use, {limit[row]:g} is the "
            f"most that {context.type_of(row).name} offers, however they are split",
            "Spread the cables over more boxes, or take a box with more logical ports",
        )
        for row in np.flatnonzero(known & (used > np.nan_to_num(limit))).tolist()
    ]
    switches = context.is_switch
    unknown = int(np.count_nonzero(switches & ~known))
    why = lacking(unknown, int(np.count_nonzero(switches)), "switches", "no known port limit")
    return outcome(problems, int(np.count_nonzero(known)), [why])


RULE = Rule(
    id="radix-by-sku",
    title="No more ports in use than the box offers",
    severity="error",
    source=(
        "SONiC sonic-net/sonic-buildimage platform files, commit 086b03bd, 2026, "
        "https://github.com/sonic-net/sonic-buildimage/tree/master/device; NVIDIA SN5000 "
        "(Spectrum-4) Hardware User Manual, Data Interfaces, 2026, "
        "https://docs.nvidia.com/networking/display/sn5000/data+interfaces"
    ),
    check=_check,
)
