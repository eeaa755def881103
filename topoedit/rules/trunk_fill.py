"""A trunk has as many fibres behind each port as the cable there uses."""

from __future__ import annotations

from topoedit.catalog.cabling import face_of
from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.panels import trunks_of
from topoedit.model.segments import medium_of
from topoedit.rules._judge import Bad, Unknown, Verdict
from topoedit.rules._panels import judge_patched
from topoedit.rules.base import Outcome, Rule
from topoedit.rules.context import Context


def _check(context: Context) -> Outcome:
    return judge_patched(context, _verdict)


def _verdict(document: Document, link: Link) -> Verdict:
    medium = medium_of(document, link)
    face = face_of(medium)
    if medium is None or face is None:
        return Unknown("a medium whose fibres are not known")
    for index in range(link.count):
        for trunk in trunks_of(document, link, index):
            if trunk.fibres_per_port < face.fibres:
                return Bad(
                    f"{medium.name} uses {face.fibres} fibres a connector, but trunk "
                    f"{trunk.label or trunk.id} has {trunk.fibres_per_port} a port",
                    "Take a trunk with more fibres a port",
                )
    return None


RULE = Rule(
    id="trunk-fill",
    title="Trunks have the fibres that their links use",
    severity="error",
    source="NVIDIA Cable Management Guidelines and FAQ, 2023 (fibres of each transceiver), "
    "https://docs.nvidia.com/networking/display/cablemanagfaq/cable+and+connector+definitions",
    check=_check,
)
