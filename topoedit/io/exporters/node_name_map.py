"""Node name map of the InfiniBand diagnostics and of OpenSM: GUID and name of every node.

Form: infiniband-diags, manual page `ibnetdiscover(8)`, section on node name maps: a line
`0x` + 16 hexadecimal digits and the name in quotes. With it the tools report the names of the
drawing, so that a discovered fabric can be laid beside it.
"""

from __future__ import annotations

import re

from topoedit.io.formats import Exported, Exporter
from topoedit.model.document import Document
from topoedit.model.ports import natural_key

_GUID = re.compile(r"(?:0x)?([0-9a-fA-F]{1,16})")
_UNQUOTABLE = re.compile(r'["\x00-\x1f\x7f]')


def write(document: Document) -> Exported:
    """The devices that have a GUID."""
    known: dict[int, str] = {}
    for device in sorted(document.devices.values(), key=lambda one: natural_key(one.name)):
        guid = _GUID.fullmatch(device.guid)
        if guid:
            known.setdefault(int(guid[1], 16), device.name)
    lines = [f'0x{guid:016x} "{_UNQUOTABLE.sub(" ", name)}"\n' for guid, name in known.items()]
    without = len(document.devices) - len(known)
    counts = {"devices without a GUID": without, "links": len(document.links)}
    return Exported(
        "".join(lines).encode("utf-8", "replace"),
        tuple(f"{what} ({n})" for what, n in counts.items() if n),
    )


FORMAT = Exporter("ib-node-names", "InfiniBand node name map", (".node-name-map",), write)
