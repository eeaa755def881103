"""No two devices have the same address or hardware identifier."""

from __future__ import annotations

from topoedit.rules._same import shared
from topoedit.rules._words import lacking
from topoedit.rules.base import Outcome, Rule, outcome
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    items = context.devices.items
    problems = [
        *shared(context, lambda d: d.address.strip().lower(), "address", "Change one of them"),
        *shared(context, lambda d: d.guid.strip().lower(), "GUID", "Check the import"),
    ]
    known = sum(bool(d.address or d.guid) for d in items)
    why = lacking(len(items) - known, len(items), "devices", "neither address nor GUID")
    return outcome(problems, known, [why])


RULE = Rule(
    id="duplicate-address",
    title="Addresses and GUIDs are unique",
    severity="error",
    source="RFC 5227 (address conflicts); InfiniBand Architecture Specification (GUIDs are unique)",
    check=_check,
)
