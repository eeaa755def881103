"""All automatic arrangements by id, as a menu, a palette or a command offers them.

Each takes a drawing and ids of devices (none for all) and returns one undoable edit; locked devices
stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from topoedit.errors import BadInputError
from topoedit.layout import clos, force, grid, rack, radial, tidy
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices

Arrange = Callable[[Document, Collection[str]], MoveDevices]


@dataclass(frozen=True)
class Layout:
    """One arrangement.

    Attributes:
        id: its word, for example `radial`.
        title: what a menu says.
        summary: one sentence on what it does.
        arrange: makes the edit; an empty collection means all devices.
    """

    id: str
    title: str
    summary: str
    arrange: Arrange


def _clos(document: Document, ids: Collection[str]) -> MoveDevices:
    return _only(clos.arrange(document), ids)


def _rack(document: Document, ids: Collection[str]) -> MoveDevices:
    """Racks that hold a chosen device, as a whole."""
    racks = {document.devices[i].group for i in ids}
    known = [g for g in racks if g in document.groups and document.groups[g].kind == "rack"]
    if ids and not known:
        return MoveDevices("Arrange racks", (), (), ())
    return rack.arrange(document, sorted(known))


def _grid(document: Document, ids: Collection[str]) -> MoveDevices:
    return grid.arrange(document, ids or document.devices)


def _only(edit: MoveDevices, ids: Collection[str]) -> MoveDevices:
    """The moves of the chosen devices, their middle kept where it is in the edit."""
    if not ids:
        return edit
    chosen = set(ids)
    kept = [row for row in zip(edit.ids, edit.xs, edit.ys, strict=True) if row[0] in chosen]
    return MoveDevices(
        edit.label,
        tuple(name for name, _, _ in kept),
        tuple(x for _, x, _ in kept),
        tuple(y for _, _, y in kept),
    )


LAYOUTS: Mapping[str, Layout] = {
    layout.id: layout
    for layout in (
        Layout("clos", "By tiers", "Cores above spines above leaves above servers", _clos),
        Layout("rack", "Rack elevations", "Racks in rows, units from top to bottom", _rack),
        Layout("grid", "Grid", "Devices in rows and columns by name", _grid),
        Layout(
            "radial", "Rings", "The highest tier in the middle, servers outside", radial.arrange
        ),
        Layout("force", "Springs", "Linked devices near one another", force.arrange),
        Layout("tidy", "Tidy up", "Overlaps removed, all else as it is", tidy.arrange),
    )
}


def layout(layout_id: str) -> Layout:
    """The arrangement of this id.

    Raises:
        BadInputError: there is none.
    """
    found = LAYOUTS.get(layout_id)
    if found is None:
        raise BadInputError(
            f'there is no arrangement "{layout_id}"', mend=f"One of: {', '.join(LAYOUTS)}"
        )
    return found
