"""Along a patched link transmitters face receivers: one method of TIA-568, and one that suits."""

from __future__ import annotations

from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.segments import polarity_fault, strands_of
from topoedit.rules._judge import Bad, Unknown, Verdict
from topoedit.rules._panels import judge_patched
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    return judge_patched(context, _verdict)


def _verdict(document: Document, link: Link) -> Verdict:
    known = True
    for index in range(link.count):
        for pieces in strands_of(document, link, index):
            fault = polarity_fault(document, link, pieces)
            if fault:
                return Bad(fault, "Keep to one method; B suits both duplex and parallel optics")
            known = known and fault is not None
    return None if known else Unknown("no trunks whose polarity is known")


RULE = Rule(
    id="polarity",
    title="One polarity method, and one that suits the optics",
    severity="error",
    source="ANSI/TIA-568.3-D, methods A, B and C; NVIDIA Interconnect Structured Cabling "
    "Requirements (type B for MPO), 2025, "
    "https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth/mpo/lc+cable+requirements",
    check=_check,
)
