"""Names differ by more than capitals, blanks, dots and hyphens."""

from __future__ import annotations

from itertools import count

from msgspec.structs import replace

from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Device
from topoedit.rules._same import shared
from topoedit.rules._words import count as plural
from topoedit.rules.base import Finding, Outcome, Rule, outcome
from topoedit.rules.context import Context


def _folded(device: Device) -> str:
    return device.name.lower().replace("_", "-").replace(".", "-").replace(" ", "-")


def _check(context: Context) -> Outcome:
    fix = "Give them names that nobody mixes up on a label"
    problems = shared(context, _folded, "name", fix, mendable=True)
    return outcome(problems, len(context.devices))


def _mend(document: Document, finding: Finding) -> Edit | None:
    """Number all but the first."""
    devices = [document.devices[i] for i in finding.elements if i in document.devices]
    taken = {_folded(device) for device in document.devices.values()}
    seen: set[str] = set()
    put = []
    for device in devices:
        if _folded(device) not in seen:
            seen.add(_folded(device))
            continue
        named = (replace(device, name=f"{device.name}-{number}") for number in count(2))
        renamed = next(one for one in named if _folded(one) not in taken)
        taken.add(_folded(renamed))
        put.append(renamed)
    if not put:
        return None
    return Edit(f"Rename {plural(len(put), 'device')}", put=tuple(put))


RULE = Rule(
    id="duplicate-name",
    title="Names cannot be mixed up",
    severity="warning",
    source="RFC 4343 (names of hosts ignore case)",
    check=_check,
    mend=_mend,
)
