"""All automatic arrangements by id, as a menu, a palette or a command offers them.

Each takes a drawing and ids of devices (none for all) and returns one undoable edit; locked devices
stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from topoedit.errors import BadInputError
from topoedit.layout import clos, force, grid, rack, radial, tidy
from topoedit.layout.bodies import Body, Edges, Point, arrange_bodies
from topoedit.layout.sizes import GAP
from topoedit.model.document import Document
from topoedit.model.edits import MoveDevices
from topoedit.model.operations import devices_inside

_GRID_ASPECT = 2.0

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
    """All by tiers, or the chosen devices as a drawing of their own, about their middle."""
    if not ids or len(set(ids)) == len(document.devices):
        return clos.arrange(document)
    return _about_middle(document, clos.arrange(_part(document, set(ids))))


def _part(document: Document, chosen: set[str]) -> Document:
    """The chosen devices with the links between them and the containers they fill."""
    whole = {g for g in document.groups if _fills(document, g, chosen)}
    groups = [
        group if group.parent in whole else replace(group, parent="")
        for group in (document.groups[g] for g in whole)
    ]
    devices = [
        device if device.group in whole else replace(device, group="")
        for device in (document.devices[i] for i in sorted(chosen))
    ]
    links = [
        link
        for link in document.links.values()
        if link.a.device in chosen and link.b.device in chosen
    ]
    return Document(document.catalog, (*document.types.values(), *groups, *devices, *links))


def _fills(document: Document, group: str, chosen: set[str]) -> bool:
    held = [device.id for device in devices_inside(document, group)]
    return bool(held) and chosen.issuperset(held)


def _about_middle(document: Document, edit: MoveDevices) -> MoveDevices:
    """The moves shifted so that the middle of all stays where it was."""
    if edit.is_empty:
        return edit
    shifts = []
    for new, old in (
        (edit.xs, [document.devices[i].x for i in edit.ids]),
        (edit.ys, [document.devices[i].y for i in edit.ids]),
    ):
        shifts.append(round((min(old) + max(old) - min(new) - max(new)) / 2, 1))
    xs = tuple(x + shifts[0] for x in edit.xs)
    return MoveDevices(edit.label, edit.ids, xs, tuple(y + shifts[1] for y in edit.ys))


def _rack(document: Document, ids: Collection[str]) -> MoveDevices:
    """Racks that hold a chosen device, as a whole."""
    racks = {document.devices[i].group for i in ids}
    known = [g for g in racks if g in document.groups and document.groups[g].kind == "rack"]
    if ids and not known:
        return MoveDevices("Arrange racks", (), (), ())
    return rack.arrange(document, sorted(known))


def _grid(document: Document, ids: Collection[str]) -> MoveDevices:
    """Devices of one container from where they are; else container by container."""
    if ids and len({document.devices[i].group for i in ids}) == 1:
        return grid.arrange(document, ids)
    return arrange_bodies(document, ids, "Arrange in a grid", _in_cells)


def _in_cells(bodies: Sequence[Body], edges: Edges) -> list[Point]:
    """Equal cells row by row, in the order of the bodies."""
    del edges
    if not bodies:
        return []
    width = max(body.width for body in bodies) + GAP
    height = max(body.height for body in bodies) + GAP
    columns = grid.columns_for(len(bodies), width, height, _GRID_ASPECT)
    places = grid.cells(len(bodies), columns)
    return tidy.separate(bodies, [(column * width, row * height) for row, column in places])


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
