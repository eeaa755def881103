"""A trunk behind a panel's port leads to the port of the panel that the link goes on to."""

from __future__ import annotations

from itertools import pairwise

from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.panels import hops_of, trunk_between
from topoedit.rules._judge import Bad, Verdict
from topoedit.rules._panels import judge_patched, port_name
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    return judge_patched(context, _verdict)


def _verdict(document: Document, link: Link) -> Verdict:
    for index in range(link.count):
        hops = hops_of(link, index)
        for strand in range(len(hops[0][1])):
            fault = _fault(document, [(panel, names[strand]) for panel, names in hops])
            if fault:
                return Bad(fault, "Route the link again, or move the trunk to the ports it uses")
    return None


def _fault(document: Document, way: list[tuple[str, str]]) -> str:
    """Where a port on the way has a trunk behind it that the link does not take."""
    taken: set[str] = set()
    for here, there in pairwise(way):
        trunk = trunk_between(document, here, there)
        if trunk is not None:
            taken.add(trunk.id)
    for port in way:
        behind = document.rear_ports(port[0]).get(port[1])
        if behind is not None and behind not in taken:
            trunk = document.trunks[behind]
            far = document.beyond(*port) or port
            return (
                f"trunk {trunk.label or trunk.id} behind {port_name(document, port)} leads to "
                f"{port_name(document, far)}, where the link does not go on"
            )
    return ""


RULE = Rule(
    id="panel-path",
    title="Trunks lead to the panel ports that links go on from",
    severity="error",
    source="Definition: the rear of a panel port is joined to the far end of its trunk alone",
    check=_check,
)
