"""A module draws no more than its cage gives."""

from __future__ import annotations

import numpy as np

from topoedit.rules._cages import cable_ends
from topoedit.rules._tables import alike
from topoedit.rules._words import count, lacking
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    ends, links = cable_ends(context), context.links
    if not len(ends.link):
        return Outcome()
    power = context.medium_figure(lambda m: m.power_w_end)[ends.link]
    no_limit, no_power = np.isnan(ends.watts), np.isnan(power)
    over = np.flatnonzero(power > ends.watts)
    problems = []
    types = context.devices.type[ends.device[over]]
    first, kind = alike(types, links.medium[ends.link[over]], ends.watts[over])
    for index, at in enumerate(first.tolist()):
        members = over[kind == index]
        row, device = int(ends.link[members[0]]), int(ends.device[members[0]])
        medium = context.medium(row)
        name = "" if medium is None else medium.name
        problems.append(
            Problem(
                context.link_ids(np.unique(ends.link[members])),
                f"{count(len(members), 'port')} such as one of {context.name(device)}: {name} "
                f"draws {power[members[0]]:g} W, the cage of {context.type_of(device).name} gives "
                f"{ends.watts[over[at]]:g} W",
                f"Take optics of at most {ends.watts[over[at]]:g} W, or a switch with more "
                "power for each cage",
            )
        )
    total = len(ends.link)
    why = [
        lacking(int(no_limit.sum()), total, "cable ends", "a cage of unknown power"),
        lacking(int((no_power & ~no_limit).sum()), total, "cable ends", "optics of unknown power"),
    ]
    return outcome(problems, total - int((no_limit | no_power).sum()), why)


RULE = Rule(
    id="cage-power",
    title="Modules draw no more than their cages give",
    severity="error",
    source=(
        "NVIDIA QM97XX 1U NDR 400Gb/s InfiniBand Switch Systems User Manual, Interfaces, 2025, "
        "https://docs.nvidia.com/networking/display/QM97X0PUB/Interfaces; NVIDIA SN5000 "
        "(Spectrum-4) Hardware User Manual, Data Interfaces, 2026, "
        "https://docs.nvidia.com/networking/display/sn5000/data+interfaces"
    ),
    check=_check,
)
