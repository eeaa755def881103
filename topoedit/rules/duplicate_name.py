"""Names differ by more than capitals, blanks, dots and hyphens."""

from __future__ import annotations

from topoedit.model.elements import Device
from topoedit.rules._same import shared
from topoedit.rules.base import Outcome, Rule, outcome
from topoedit.rules.context import Context


def _folded(device: Device) -> str:
    return device.name.lower().replace("_", "-").replace(".", "-").replace(" ", "-")


def _check(context: Context) -> Outcome:
    fix = "Give them names that nobody mixes up on a label"
    problems = shared(context, _folded, "name", fix)
    return outcome(problems, len(context.devices))


RULE = Rule(
    id="duplicate-name",
    title="Names cannot be mixed up",
    severity="warning",
    source="RFC 4343 (names of hosts ignore case)",
    check=_check,
)
