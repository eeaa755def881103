"""A patched link is at least as long as the trunks on its way."""

from __future__ import annotations

from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.panels import trunks_of
from topoedit.rules._judge import Bad, Unknown, Verdict
from topoedit.rules._panels import judge_patched
from topoedit.rules._words import metres
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    return judge_patched(context, _verdict)


def _verdict(document: Document, link: Link) -> Verdict:
    if link.km is not None:
        return None
    if link.length_m is None:
        return Unknown("no length")
    longest = 0.0
    for index in range(link.count):
        trunks = trunks_of(document, link, index)
        if any(trunk.length_m is None for trunk in trunks):
            return Unknown("trunks without a length")
        longest = max(longest, sum(trunk.length_m or 0.0 for trunk in trunks))
    if link.length_m >= longest:
        return None
    return Bad(
        f"is said to be {metres(link.length_m)} long, but its trunks alone take {metres(longest)}",
        "Give the link its whole length, jumpers and trunks, or route it again",
    )


RULE = Rule(
    id="panel-length",
    title="Patched links are as long as their pieces",
    severity="warning",
    source="Definition: the length of a patched link counts from device to device",
    check=_check,
)
