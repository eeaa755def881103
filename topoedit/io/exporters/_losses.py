"""What a target format cannot hold, in words."""

from __future__ import annotations

from collections.abc import Collection

from topoedit.model.document import Document
from topoedit.model.elements import Foreign


def losses(document: Document, keeps: Collection[str]) -> tuple[str, ...]:
    """One sentence part for each kind of element that is in the drawing but not in `keeps`."""
    counts = {
        "positions of devices": sum(bool(d.x or d.y) for d in document.devices.values()),
        "devices without a cable": sum(not document.links_of(i) for i in document.devices),
        "types of devices": len(document.devices),
        "ways through patch panels": len(document.patched_links),
        "trunks": len(document.trunks),
        "groups": len(document.groups),
        "notes": len(document.notes),
        "saved workloads": len(document.workloads),
        "accepted findings": len(document.exclusions),
        "device types of its own": len(document.types),
        "elements of a newer version": sum(isinstance(e, Foreign) for e in document.elements()),
    }
    return tuple(f"{what} ({n})" for what, n in counts.items() if n and what not in keeps)
