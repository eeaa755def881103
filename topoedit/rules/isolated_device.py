"""Every device has a cable."""

from __future__ import annotations

import numpy as np

from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context

_SINGLE = 16


def _check(context: Context) -> Outcome:
    devices, links = context.devices, context.links
    if len(devices) < 2:
        return outcome(checked=len(devices))
    degree = np.bincount(np.concatenate([links.a, links.b]), minlength=len(devices))
    bare = np.array(
        [row for row in np.flatnonzero(degree == 0).tolist() if not _patches(context, row)]
    )
    fix = "Connect it, or remove it from the drawing"
    if len(bare) > _SINGLE:
        text = f"{count(len(bare), 'device')} ({context.names(bare)}) have no cable"
        return outcome([Problem(context.ids(bare), text, fix)], len(devices))
    problems = [
        Problem(context.ids([row]), f"{context.name(row)} has no cable", fix)
        for row in bare.tolist()
    ]
    return outcome(problems, len(devices))


def _patches(context: Context, row: int) -> bool:
    """Whether links run through a device, or trunks end behind it."""
    device = context.devices.items[row]
    document = context.document
    return device.kind == "panel" and bool(
        document.links_through(device.id) or document.trunks_at(device.id)
    )


RULE = Rule(
    id="isolated-device",
    title="Every device has a cable",
    severity="warning",
    source="Definition: a device without a cable takes no part in any network",
    check=_check,
)
