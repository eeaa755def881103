"""A link is no faster than its ports and its medium."""

from __future__ import annotations

from msgspec.structs import replace

from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.rules._judge import Bad, Unknown, Verdict, judge
from topoedit.rules._words import count, rate
from topoedit.rules.base import Finding, Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    return judge(context, None, _verdict)


def _verdict(context: Context, row: int) -> Verdict:
    stated, medium = context.link(row).gbps, context.medium(row)
    rates = [port.gbps for end in context.ports(row) for port in end]
    ports = min((r for r in rates if r is not None), default=None)
    if stated is not None and ports is not None and stated > ports:
        slow = _slow_end(context, row, ports)
        text = f"drawn at {rate(stated)}, but {slow} takes {rate(ports)}"
        fix = f"Set its rate to {rate(ports)}, or choose a faster port"
        return Bad(text, fix, mendable=True)
    wanted = stated if stated is not None else ports
    if wanted is None and (medium is None or medium.gbps is None):
        return Unknown("no rate, neither stated nor of a port or medium")
    if wanted is None:
        return None
    if medium is not None and medium.gbps is not None and medium.gbps < wanted:
        text = f"drawn for {rate(wanted)}, but {medium.name} carries {rate(medium.gbps)}"
        return Bad(text, f"Take a medium for {rate(wanted)}", None if stated else "warning")
    return None


def _mend(document: Document, finding: Finding) -> Edit | None:
    """State the rate that the ports take."""
    context, wanted = Context(document), set(finding.elements)
    put = []
    for row, link in enumerate(context.links.items):
        if link.id not in wanted or link.gbps is None:
            continue
        rates = [port.gbps for end in context.ports(row) for port in end if port.gbps is not None]
        if rates and link.gbps > min(rates):
            put.append(replace(link, gbps=min(rates)))
    if not put:
        return None
    return Edit(f"Set the rate of {count(len(put), 'link')}", put=tuple(put))


def _slow_end(context: Context, row: int, gbps: float) -> str:
    links = context.links
    for end, device in zip(context.ports(row), (links.a[row], links.b[row]), strict=True):
        for port in end:
            if port.gbps == gbps:
                return f"port {port.name} of {context.name(int(device))}"
    return "a port"


RULE = Rule(
    id="port-speed",
    title="No link is faster than its ports and medium",
    severity="error",
    source="The catalogue's entries of device types and media: a link runs at its slowest part",
    check=_check,
    mend=_mend,
)
