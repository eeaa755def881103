"""What plugs into a port fits its cage, and scale-up ports meet only scale-up ports."""

from __future__ import annotations

from topoedit.catalog.types import Medium, Port
from topoedit.model.connect import misfit
from topoedit.rules._choose import advice, better, mend_medium
from topoedit.rules._judge import Bad, Unknown, Verdict, judge
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context

_TWISTED_PAIR = "RJ45"


def _check(context: Context) -> Outcome:
    return judge(context, None, _verdict)


def _verdict(context: Context, row: int) -> Verdict:
    one, other = context.ports(row)
    for a, b in zip(one, other, strict=True):
        if "scale-up" in (a.role, b.role) and misfit(a, b):
            return Bad(
                f"joins a scale-up port to a network port ({a.name} and {b.name}): carries 0 B/s",
                "Join scale-up ports to scale-up ports, NICs to switches",
            )
    medium = context.medium(row)
    if medium is None:
        return Unknown("no medium that is known")
    found = [_misfit(medium, port) for port in (*one, *other)]
    texts = [text for text in found if text]
    if texts:
        chosen = better(context, row)
        fix = advice(chosen, "Take a medium for that cage, or another port")
        return Bad(texts[0], fix, mendable=chosen is not None)
    if not any(port.cage_type for port in (*one, *other)):
        return Unknown("ports whose cages are not known")
    return None


def _misfit(medium: Medium, port: Port) -> str:
    if not port.cage_type:
        return ""
    twisted = medium.connector == _TWISTED_PAIR
    if twisted == (port.cage_type == _TWISTED_PAIR):
        return ""
    return f"{medium.name} does not fit port {port.name}, which is {port.cage_type}"


RULE = Rule(
    id="wrong-cage",
    title="Cables fit the cages they are plugged into",
    severity="error",
    source=(
        "The catalogue's cages and connectors; an RJ45 socket takes twisted pair alone "
        "(IEEE 802.3ab, 1999)"
    ),
    check=_check,
    mend=mend_medium(_verdict, better),
)
