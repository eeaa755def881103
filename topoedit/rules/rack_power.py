"""Racks draw no more than their budget; switches with optics count at their maximum."""

from __future__ import annotations

from topoedit.rules._floor import Held, judge_limits, power_of, racks_held
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    held = racks_held(context, power_of(context))
    words = ("racks", "no power budget", "devices whose power is not known")
    return judge_limits(held, lambda rack: rack.power_kw, _say, words)


def _say(rack: Held, budget: float) -> Problem:
    verb = "draws" if rack.devices == 1 else "draw"
    return Problem(
        (rack.group.id,),
        f"{rack.group.name}: {count(rack.devices, 'device')} {verb} {rack.least}{rack.total:.1f} kW"
        f", the rack gives {budget:g} kW",
        f"Take {rack.total - budget:.1f} kW out of it, or give it more",
    )


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
