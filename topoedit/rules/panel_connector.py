"""Connectors at panels fit: kind of connector, polish and kind of fibre."""

from __future__ import annotations

from topoedit.catalog.cabling import Face, face_of
from topoedit.catalog.types import Medium
from topoedit.model.document import Document
from topoedit.model.elements import Link, Trunk
from topoedit.model.panels import per_cable, trunks_of
from topoedit.model.segments import front_of, medium_of
from topoedit.rules._judge import Bad, Unknown, Verdict
from topoedit.rules._panels import judge_patched
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    return judge_patched(context, _verdict)


def _verdict(document: Document, link: Link) -> Verdict:
    medium = medium_of(document, link)
    face = face_of(medium)
    if medium is not None and medium.medium == "copper":
        return _copper(document, link, medium)
    if medium is None or face is None:
        return Unknown("a medium whose connector is not known")
    if face.plugs != per_cable(link):
        return Bad(
            f"{medium.name} ends in {face.plugs} {face.connector} a cable, but takes "
            f"{per_cable(link)} port{'s' if per_cable(link) > 1 else ''} a cable at each panel",
            f"Give each cable {face.plugs} panel ports at each panel",
        )
    for index in range(link.count):
        for trunk in trunks_of(document, link, index):
            fault = _fault(medium, face, trunk)
            if fault:
                return Bad(fault, "Route it over a trunk of the same connector, polish and fibre")
    return None


def _copper(document: Document, link: Link, medium: Medium) -> Verdict:
    """Twisted pair passes through panels, never through the fibres of a trunk."""
    for index in range(link.count):
        for trunk in trunks_of(document, link, index):
            return Bad(
                f"{medium.name} meets {front_of(trunk)} of trunk {trunk.label or trunk.id}",
                "Route it over panel ports without a trunk",
            )
    return None


def _fault(medium: Medium, face: Face, trunk: Trunk) -> str:
    name, front = trunk.label or trunk.id, front_of(trunk)
    if front != face.connector:
        return f"{face.connector} of {medium.name} meets {front} of trunk {name}"
    if face.polish and trunk.polish and face.polish != trunk.polish:
        return f"{face.polish} polish of {medium.name} meets {trunk.polish} of trunk {name}"
    if trunk.fibre and medium.medium in ("smf", "mmf") and medium.medium != trunk.fibre:
        return f"{medium.name} runs on {medium.medium}, but trunk {name} is {trunk.fibre}"
    return ""


RULE = Rule(
    id="panel-connector",
    title="Connectors, polish and fibre fit at patch panels",
    severity="error",
    source="NVIDIA Interconnect Structured Cabling Requirements for NDR/XDR and 400/800G ETH, "
    "MPO/LC Cable Requirements, 2025, "
    "https://docs.nvidia.com/networking/display/intrcnctcabreqndr400eth/mpo/lc+cable+requirements",
    check=_check,
)
