"""New devices, groups and notes at a place of the drawing: the edits of palette and canvas."""

from __future__ import annotations

import math
import re

import numpy as np

from topoedit.catalog.catalog import Catalog
from topoedit.editor.device_words import NAME_STEMS
from topoedit.errors import BadEditError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Device, Group, GroupKind, Note
from topoedit.model.operations import plural
from topoedit.model.plan import choices
from topoedit.render.sizes import size_of

GROUP, NOTE = "group:", "note:"
GAP = 16.0
GRID = 8.0
RINGS = 12
"""Steps in each direction over which a free place is looked for."""
GROUP_SIZE = (240.0, 180.0)
NOTE_TEXT = "Note"


def item_name(catalog: Catalog, type_id: str) -> str:
    """What a palette item is called."""
    if type_id.startswith(GROUP):
        return type_id.removeprefix(GROUP).capitalize()
    return "Note" if type_id == NOTE else catalog.device(type_id).name


def item_size(document: Document, type_id: str) -> tuple[float, float]:
    """Width and height that a new one takes on the drawing."""
    if type_id.startswith(GROUP):
        return GROUP_SIZE
    if type_id == NOTE:
        return 200.0, 80.0
    kind = document.catalog.device(type_id)
    return size_of(kind.kind, kind)


def numbered(document: Document, stem: str, count: int) -> list[str]:
    """The next free names `stem-N`, after the largest number in use."""
    pattern = re.compile(re.escape(stem) + r"-(\d+)")
    last = 0
    names = [d.name for d in document.devices.values()]
    names += [g.name for g in document.groups.values()]
    for name in names:
        match = pattern.fullmatch(name)
        if match is not None and len(match.group(1)) < 10:
            last = max(last, int(match.group(1)))
    return [f"{stem}-{last + n}" for n in range(1, count + 1)]


def places(x: float, y: float, width: float, count: int) -> list[tuple[float, float]]:
    """Centres of `count` things in a row, the first at x, y."""
    return [(x + index * (width + GAP), y) for index in range(count)]


def free_place(document: Document, type_id: str, x: float, y: float) -> tuple[float, float]:
    """The place on the grid nearest to x, y where a new one lies on no device and no note.

    Args:
        document: the drawing.
        type_id: as for `place`.
        x: where its centre should be, canvas units.
        y: the same, downwards.

    Returns:
        The centre; x, y on the grid if everything around is taken.
    """
    width, height = item_size(document, type_id)
    taken = [
        (d.x, d.y, *size_of(d.kind, document.device_type(d))) for d in document.devices.values()
    ]
    taken += [(n.x, n.y, n.width, n.height) for n in document.notes.values()]
    boxes = np.array(taken, dtype=np.float64).reshape(-1, 4)
    first = round(x / GRID) * GRID, round(y / GRID) * GRID
    across, down = (math.ceil((side + GAP) / GRID) * GRID for side in (width, height))
    ring = range(-RINGS, RINGS + 1)
    steps = [(i * across, j * down) for i in ring for j in ring]
    for dx, dy in sorted(steps, key=lambda step: (math.hypot(*step), step[1], step[0])):
        near_x = np.abs(boxes[:, 0] - first[0] - dx) < (boxes[:, 2] + width) / 2
        near_y = np.abs(boxes[:, 1] - first[1] - dy) < (boxes[:, 3] + height) / 2
        if not (near_x & near_y).any():
            return first[0] + dx, first[1] + dy
    return first


def place(
    document: Document, type_id: str, x: float, y: float, count: int = 1, group: str = ""
) -> Edit:
    """The edit that puts new ones in a row from x, y (centre of the first).

    Args:
        document: the drawing.
        type_id: catalogue id, `group:rack` and its like, or `note:`.
        x: centre of the first, canvas units.
        y: centre of all, canvas units.
        count: how many.
        group: id of the group they go into ("" for none).

    Raises:
        BadEditError: the group cannot hold one.
        BadInputError: there is no such type.
    """
    if type_id == NOTE:
        note_id = document.new_id("note")
        return Edit("Add note", put=(Note(id=note_id, text=NOTE_TEXT, x=x, y=y),))
    if type_id.startswith(GROUP):
        return _place_group(document, type_id.removeprefix(GROUP), x, y, group)
    return _place_devices(document, type_id, x, y, count, group)


def _place_group(document: Document, kind: str, x: float, y: float, parent: str) -> Edit:
    known: dict[str, GroupKind] = {word: word for word in choices(GroupKind)}  # type: ignore[misc]
    if kind not in known:
        raise BadEditError(f'there is no kind of group "{kind}"')
    (name,) = numbered(document, kind, 1)
    width, height = GROUP_SIZE
    made = Group(
        id=document.new_id(name),
        name=name,
        kind=known[kind],
        parent=parent,
        x=x,
        y=y,
        width=width,
        height=height,
    )
    return Edit(f"Add {name}", put=(made,))


def _place_devices(
    document: Document, type_id: str, x: float, y: float, count: int, group: str
) -> Edit:
    kind = document.catalog.device(type_id)
    names = numbered(document, NAME_STEMS[kind.kind], count)
    width, _ = size_of(kind.kind, kind)
    made = tuple(
        Device(
            id=document.new_id(name),
            name=name,
            type=kind.id,
            kind=kind.kind,
            group=group,
            x=place_x,
            y=place_y,
            network="storage" if kind.kind == "storage" else "compute",
        )
        for name, (place_x, place_y) in zip(names, places(x, y, width, count), strict=True)
    )
    label = f"Add {names[0]}" if count == 1 else f"Add {plural(count, kind.name)}"
    return Edit(label, put=made)
