"""Cabling plan of an Ethernet fabric in DOT: Cable Validation Tool and Cumulus Linux PTM.

Form: NVIDIA UFM Cable Validation Tool guide, Dot File, 2025,
https://docs.nvidia.com/networking/display/cablevalidationtool150/dot+file; the edges are those of
`topology.dot` of the Prescriptive Topology Manager (Cumulus Linux user guide, PTM). Switches are
declared with their role, hosts appear in edges only, as there. Both tools compare the names of
ports with those that LLDP reports, which are the operating system's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from topoedit.io.exporters._fabric import End, Wire, left_out, spoken_by, wires
from topoedit.io.formats import Exported, Exporter
from topoedit.model.document import Document
from topoedit.model.ports import natural_key

_ROLES = {"leaf": "leaf", "spine": "spine", "core": "super_spine"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


def write(document: Document) -> Exported:
    """The Ethernet cables of a drawing; those of an unknown fabric are taken as such."""
    kept = [wire for wire in wires(document) if spoken_by(wire, "ethernet")]
    printed = sum(not end.interface for wire in kept for end in (wire.a, wire.b))
    what = "interface names that are not known, for which the printed ones stand"
    return Exported(
        "\n".join(_lines(kept)).encode("utf-8", "replace"),
        left_out(document, kept, "cables that are not Ethernet", (what, printed)),
    )


def _lines(kept: list[Wire]) -> Iterator[str]:
    yield "graph network {"
    switches = {
        end.device.id: end for wire in kept for end in (wire.a, wire.b) if end.is_switch
    }  # fmt: skip
    for end in sorted(switches.values(), key=lambda one: natural_key(one.device.name)):
        name = _quoted(end.device.name)
        yield f"    {name} [ label={name} role={_quoted(_role(end))}{_system(end)} ]"
    yield ""
    for wire in kept:
        yield f"    {_end(wire.b)} -- {_end(wire.a)}"
    yield "}\n"


def _end(end: End) -> str:
    return f"{_quoted(end.device.name)}:{_quoted(end.interface or end.port.name)}"


def _role(end: End) -> str:
    return _ROLES.get(end.device.kind, end.device.kind)


def _system(end: End) -> str:
    """The operating system, where the interface names are those of Cumulus Linux."""
    return ' os="cumulus"' if end.port.os_name.startswith("swp") else ""


def _quoted(text: str) -> str:
    text = _CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


FORMAT = Exporter("ufm-dot", "UFM cable validation and PTM: DOT (Ethernet)", (".dot",), write)
