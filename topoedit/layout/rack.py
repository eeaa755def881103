"""Arranges racks as elevations: the highest unit on top, racks in rows as on the floor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from topoedit.layout.blocks import Block, beside, single, stacked
from topoedit.layout.sizes import GAP, size
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices
from topoedit.model.elements import Group
from topoedit.model.ports import natural_key


def arrange(document: Document, racks: Iterable[str] = ()) -> MoveDevices:
    """New centres for the devices of some racks (all by default); locked devices stay.

    Racks of one floor row stand side by side by column, rows below one another.
    """
    wanted = [document.groups[i] for i in racks] or list(document.groups.values())
    rows: dict[str, list[Group]] = defaultdict(list)
    for group in wanted:
        if group.kind == "rack":
            rows[group.row].append(group)
    lines = [
        beside([_elevation(document, rack).framed() for rack in sorted(rows[row], key=_place)])
        for row in sorted(rows, key=natural_key)
    ]
    placed = stacked(lines, 2 * GAP).items
    free = [place for place in placed if not document.devices[place[0]].locked]
    return MoveDevices(
        "Arrange racks",
        tuple(name for name, _, _ in free),
        tuple(x for _, x, _ in free),
        tuple(y for _, _, y in free),
    )


def _place(rack: Group) -> tuple[int, tuple[tuple[int, int | str], ...]]:
    return rack.column or 0, natural_key(rack.name)


def _elevation(document: Document, rack: Group) -> Block:
    devices = [document.devices[i] for i in document.members(rack.id)]
    devices.sort(key=lambda d: (-(d.unit or 0), natural_key(d.name)))
    return stacked(
        [single(d.id, size(d.kind, document.device_type(d).trays)) for d in devices], GAP / 2
    )
