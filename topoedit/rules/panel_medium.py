"""Only fibre and twisted pair run through patch panels: other cables have their plugs attached."""

from __future__ import annotations

from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.segments import medium_of
from topoedit.rules._judge import Bad, Unknown, Verdict
from topoedit.rules._panels import judge_patched
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    return judge_patched(context, _verdict)


def _verdict(document: Document, link: Link) -> Verdict:
    medium = medium_of(document, link)
    if medium is None:
        return Unknown("no medium that is known")
    attached = medium.medium == "fibre" or (
        medium.medium == "copper" and not medium.id.startswith("cat")
    )
    if not attached:
        return None
    return Bad(
        f"{medium.name} has its plugs attached and cannot run through {len(link.through)} "
        f"patch panel{'s' if len(link.through) > 1 else ''}",
        "Take optics with detachable fibre, or route it past the panels",
    )


RULE = Rule(
    id="panel-medium",
    title="What runs through patch panels has detachable connectors",
    severity="error",
    source="Definition: DAC, ACC, AEC and AOC are sold as one piece with both plugs",
    check=_check,
)
