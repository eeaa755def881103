"""Fibre Channel carries storage alone: it is no way between GPUs."""

from __future__ import annotations

import numpy as np

from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.operations import set_fields
from topoedit.rules._repeat import repeated
from topoedit.rules.base import Finding, Outcome, Rule, outcome
from topoedit.rules.context import Context

PROTOCOL = "fibre-channel"


def _check(context: Context) -> Outcome:
    links = context.links
    mine = links.with_protocol(PROTOCOL)
    text = "Fibre Channel in the compute network: it never carries traffic between GPUs"
    fix = "Make it a link of the storage network"
    rows = np.flatnonzero(mine & context.compute)
    return outcome(repeated(context, rows, text, fix, mendable=True), int(mine.sum()))


def _mend(document: Document, finding: Finding) -> Edit:
    return set_fields(document, finding.elements, {"network": "storage"}, "the storage network")


RULE = Rule(
    id="fibre-channel-path",
    title="No Fibre Channel between GPUs",
    severity="warning",
    source="INCITS T11 Fibre Channel, a storage network: no collective library runs on it",
    check=_check,
    mend=_mend,
)
