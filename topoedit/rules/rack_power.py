"""Racks draw no more than their budget; switches with optics count at their maximum."""

from __future__ import annotations

import numpy as np

from topoedit.rules._power import budget_kw
from topoedit.rules._words import count, lacking
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    devices = context.devices
    racks = devices.group_ids.get("rack", [])
    if not racks:
        return Outcome()
    placed = devices.rack >= 0
    power = budget_kw(context)
    known = ~np.isnan(power)
    size = len(racks)
    total = np.bincount(devices.rack[placed & known], weights=power[placed & known], minlength=size)
    missing = np.bincount(devices.rack[placed & ~known], minlength=size)
    problems, checked, no_budget, vague = [], 0, 0, 0
    for code, rack_id in enumerate(racks):
        rack = context.document.groups[rack_id]
        if rack.power_kw is None:
            no_budget += 1
        elif total[code] > rack.power_kw:
            checked += 1
            least = "at least " if missing[code] else ""
            number = int(np.count_nonzero(devices.rack == code))
            problems.append(
                Problem(
                    (rack_id,),
                    f"{rack.name}: {count(number, 'device')} draw {least}{total[code]:.1f} kW, "
                    f"the rack gives {rack.power_kw:g} kW",
                    f"Take {total[code] - rack.power_kw:.1f} kW out of it, or give it more",
                )
            )
        elif missing[code]:
            vague += 1
        else:
            checked += 1
    why = [
        lacking(no_budget, size, "racks", "no power budget"),
        lacking(vague, size, "racks", "devices whose power is not known"),
    ]
    return outcome(problems, checked, why)


RULE = Rule(
    id="rack-power",
    title="Racks stay within their power",
    severity="error",
    source=(
        "NVIDIA DGX SuperPOD Reference Architecture, DGX H100, RA-11333-001 V11, 2023 (over 40 kW "
        "for four DGX H100); NVIDIA QM97x0 specifications (747 W passive, 1,720 W with active "
        "cables), https://networking-docs.nvidia.com/qm97x0hw/specifications"
    ),
    check=_check,
)
