"""RoCE v1 stays in one broadcast domain: no router, no routed fabric, no line between sites."""

from __future__ import annotations

import numpy as np

from topoedit.engine.types import Bools
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.operations import set_fields
from topoedit.rules._repeat import repeated
from topoedit.rules._tables import CORE, LEAF, ROUTER, SPINE
from topoedit.rules.base import Finding, Outcome, Rule, outcome
from topoedit.rules.context import Context

PROTOCOL, MENDED = "roce-v1", "roce-v2"


def _check(context: Context) -> Outcome:
    links = context.links
    mine = links.with_protocol(PROTOCOL) & ~links.planned
    if not mine.any():
        return Outcome()
    routed = _routed(context)
    kind = context.devices.kind
    through = np.zeros(len(kind), bool)
    through[links.a[routed]] = through[links.b[routed]] = True
    through &= context.is_switch
    at_router = through[links.a] | through[links.b]
    bad = mine & (routed | at_router)
    direct = np.flatnonzero(bad & routed)
    beyond = np.flatnonzero(bad & ~routed)
    fix = "Use RoCE v2 (UDP 4791), which is routed"
    problems = [
        *repeated(
            context, direct, "RoCE v1 is not routable, and this link is routed", fix, mendable=True
        ),
        *repeated(
            context, beyond, "RoCE v1 is not routable, and its switch routes onwards to others",
            fix, mendable=True,
        ),
    ]  # fmt: skip
    return outcome(problems, int(mine.sum()))


def _routed(context: Context) -> Bools:
    """Links between routed parts: at a router, between tiers of switches, between sites."""
    links, kind = context.links, context.devices.kind
    low, high = np.minimum(kind[links.a], kind[links.b]), np.maximum(kind[links.a], kind[links.b])
    tiers = (low >= LEAF) & (high <= CORE) & (high >= SPINE)
    site = context.devices.site
    apart = links.distant | (site[links.a] != site[links.b])
    return np.asarray((tiers | (high == ROUTER) | apart) & ~links.planned)


def _mend(document: Document, finding: Finding) -> Edit:
    return set_fields(document, finding.elements, {"protocol": MENDED}, "RoCE v2")


RULE = Rule(
    id="roce-v1-routed",
    title="RoCE v1 crosses nothing that routes",
    severity="error",
    source=(
        "InfiniBand Architecture Specification, Annex A16 (RoCE, link layer only) and Annex A17 "
        "(RoCE v2, UDP port 4791)"
    ),
    check=_check,
    mend=_mend,
)
