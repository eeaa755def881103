"""Which fields the Properties panel shows for each kind of element, as data."""

from __future__ import annotations

from collections.abc import Sequence

from topoedit.catalog.types import Kind
from topoedit.editor.device_words import KIND_WORDS, SECTIONS, type_figure
from topoedit.editor.panels.fields import FieldSpec
from topoedit.editor.panels.floor_fields import TRAYS
from topoedit.editor.picker import Choice
from topoedit.model.document import Document
from topoedit.model.elements import AnyElement, Device, Group, GroupKind, Link, Network, Note
from topoedit.model.floor import Airflow
from topoedit.model.plan import choices
from topoedit.model.ports import natural_key

LEVELS: dict[str, int] = {kind: level for level, kind in enumerate(choices(GroupKind))}

_NETWORK = FieldSpec("network", "Network", "choice")
_PLANE = FieldSpec(
    "plane", "Plane", "whole", tip="Index of its parallel fabric; empty if there is one."
)
_PHASE = FieldSpec("phase", "Phase", "text", tip="Stage of the build it belongs to.")
_TAGS = FieldSpec("tags", "Tags", "tags", tip="Words between commas.")

DEVICE = (
    FieldSpec("name", "Name", "text", single=True),
    FieldSpec("type", "Type", "pick"),
    FieldSpec("kind", "Role", "choice"),
    FieldSpec("group", "Inside", "choice", tip="Rack, pod, room, building or site that holds it."),
    FieldSpec("unit", "Rack unit", "whole", tip="Lowest rack unit it takes.", low=1),
    _NETWORK, _PLANE, _PHASE, _TAGS,
    FieldSpec("locked", "Locked", "check", tip="Cannot be moved."),
    FieldSpec("failed", "Failed", "check", tip="Out of service: carries nothing."),
)  # fmt: skip

LINK = (
    FieldSpec("end_a", "From", "show", single=True),
    FieldSpec("end_b", "To", "show", single=True),
    FieldSpec("through", "Through", "show", single=True, tip="Patch panels on its way."),
    FieldSpec("medium", "Medium", "pick"),
    FieldSpec("gbps", "Rate per cable", "number", "Gb/s", "Per direction."),
    FieldSpec("count", "Cables", "whole", low=1, single=True, tip="Takes and frees ports."),
    FieldSpec("length_m", "Length", "number", "m", "Of one cable."),
    FieldSpec("km", "Distance", "number", "km", "Between sites; the delay follows from it."),
    _NETWORK, _PLANE, _PHASE, _TAGS,
    FieldSpec("failed", "Failed cables", "whole", tip="Cables out of service."),
    FieldSpec("planned", "Planned", "check", tip="Drawn, and not yet built."),
)  # fmt: skip

_GROUP_HEAD = (
    FieldSpec("name", "Name", "text", single=True),
    FieldSpec("kind", "Kind", "choice"),
    FieldSpec("parent", "Inside", "choice"),
)
_GROUP_FOOT = (
    FieldSpec("collapsed", "Collapsed", "check", tip="Shown as one block."),
    FieldSpec("locked", "Locked", "check", tip="Cannot be moved."),
)
_POWER = FieldSpec("power_kw", "Power limit", "number", "kW")
_COOLING = FieldSpec("cooling_kw", "Cooling", "number", "kW", "Heat that is taken away.")
_LOAD = FieldSpec("load_kg", "Weight limit", "number", "kg", "Of what is put into it.")

RACK = (
    *_GROUP_HEAD,
    FieldSpec("room", "Room", "choice", tip="Where it stands, if not in what holds it."),
    FieldSpec("row", "Row", "text", tip="Row on the floor."),
    FieldSpec("column", "Column", "whole", tip="Place in its row."),
    FieldSpec("x_m", "Along the row", "number", "m", "Its middle, where it stands off the grid."),
    FieldSpec("y_m", "Across rows", "number", "m", "Its middle, where it stands off the grid."),
    FieldSpec("units", "Rack units", "whole", low=1),
    _POWER,
    FieldSpec("feed_a_kw", "Feed A", "number", "kW", "The most that this feed gives alone."),
    FieldSpec("feed_b_kw", "Feed B", "number", "kW", "The most that this feed gives alone."),
    _COOLING, _LOAD,
    FieldSpec("airflow", "Airflow", "choice"),
    *_GROUP_FOOT,
)  # fmt: skip

FLOOR = (
    FieldSpec("floor.rack_pitch_m", "Rack pitch", "number", "m", "From rack to rack in a row."),
    FieldSpec("floor.row_pitch_m", "Row pitch", "number", "m", "From row to row."),
    FieldSpec("floor.rows", "Rows", "tags", tip="Labels from the front; empty for letters."),
    FieldSpec("floor.columns", "Columns", "whole", tip="Places in a row.", low=1),
    FieldSpec("floor.tray", "Trays", "choice"),
    FieldSpec("floor.tray_m", "Tray height", "number", "m", "Above the floor, or below it."),
    FieldSpec("floor.cross", "Cross trays", "tags", tip="Columns; empty for everywhere."),
    FieldSpec("floor.slack_share", "Slack", "number", "%", "Share of a cable's way."),
    FieldSpec("floor.slack_m", "Slack at ends", "number", "m", "At each end of a cable."),
    FieldSpec("floor.turns_m", "Turns in racks", "number", "m"),
    FieldSpec("floor.bend_m", "Bend radius", "number", "m", "The smallest allowed."),
    FieldSpec("floor.blocked", "Blocked cells", "tags", tip="Such as B4 pillar, C1-C3 cooling."),
)

ROOM = (*_GROUP_HEAD, _POWER, _COOLING, _LOAD, *FLOOR, *_GROUP_FOOT)
HOLDER = (*_GROUP_HEAD, _POWER, _COOLING, _LOAD, *_GROUP_FOOT)
GROUP = (*_GROUP_HEAD, _POWER, *_GROUP_FOOT)
GROUP_FORMS: dict[GroupKind, tuple[FieldSpec, ...]] = {
    "rack": RACK, "pod": GROUP, "room": ROOM, "building": HOLDER, "site": HOLDER,
}  # fmt: skip

NOTE = (FieldSpec("text", "Text", "long", single=True),)

DRAWING = (
    FieldSpec("name", "Name", "text"),
    FieldSpec("description", "Notes", "long"),
)  # fmt: skip

COMMON = (_NETWORK, _PLANE, _PHASE, _TAGS)


def form_of(elements: Sequence[AnyElement], *, racks: bool = False) -> tuple[FieldSpec, ...]:
    """The fields that all the elements have, or without any those of a drawing (with racks)."""
    if not elements:
        return (*DRAWING, *FLOOR) if racks else DRAWING
    kinds = set(map(type, elements))
    if kinds == {Group}:
        groups = {element.kind for element in elements if isinstance(element, Group)}
        if len(groups) == 1:
            return GROUP_FORMS[groups.pop()]
    if len(kinds) == 1:
        table: dict[type, tuple[FieldSpec, ...]] = {
            Device: DEVICE, Link: LINK, Group: GROUP, Note: NOTE
        }  # fmt: skip
        return table.get(kinds.pop(), ())
    return COMMON if kinds <= {Device, Link} else ()


def read_value(element: AnyElement, name: str) -> object:
    """The value of a property of an element."""
    if isinstance(element, Link) and name in ("end_a", "end_b"):
        end = element.a if name == "end_a" else element.b
        return f"{end.device}:{end.ports}"
    if isinstance(element, Link) and name == "through":
        return " > ".join(f"{hop.device}:{hop.ports}" for hop in element.through) or "no panel"
    return getattr(element, name, None)


def has_racks(document: Document) -> bool:
    """Whether the floor of a drawing is of use."""
    return any(group.kind == "rack" for group in document.groups.values())


def word_choices(
    document: Document, name: str, elements: Sequence[AnyElement]
) -> list[tuple[object, str]]:
    """Values and words of a `choice` field."""
    if name == "kind" and any(isinstance(e, Group) for e in elements):
        return [(word, word.capitalize()) for word in choices(GroupKind)]
    if name == "floor.tray":
        return list(TRAYS)
    if name == "airflow":
        return [(word, word.capitalize() or "Unknown") for word in choices(Airflow)]
    if name == "room":
        rooms = [g for g in document.groups.values() if g.kind == "room"]
        rooms.sort(key=lambda g: natural_key(g.name))
        return [("", "In what holds it"), *((g.id, g.name) for g in rooms)]
    if name == "kind":
        return [(word, KIND_WORDS[word]) for word in choices_of_kind()]
    if name == "network":
        return [(word, word.capitalize()) for word in choices(Network)]
    level = max((LEVELS[e.kind] for e in elements if isinstance(e, Group)), default=-1)
    groups = [g for g in document.groups.values() if LEVELS[g.kind] > level]
    groups.sort(key=lambda g: natural_key(g.name))
    return [("", "No group"), *((g.id, g.name) for g in groups)]


def choices_of_kind() -> tuple[Kind, ...]:
    """All kinds of devices."""
    return tuple(KIND_WORDS)


def pick_choices(document: Document, name: str) -> list[Choice]:
    """Entries of a `pick` field."""
    if name == "medium":
        media = document.catalog.media.values()
        rate = "{:g}G"
        return [
            Choice("", "Unknown"),
            *(Choice(m.id, m.name, rate.format(m.gbps) if m.gbps else "") for m in media),
        ]
    kinds = list(document.catalog.devices.values())
    own = [custom.type for custom in document.types.values()]
    known = {kind.id: kind for kind in (*kinds, *own)}
    return [
        Choice(k.id, k.name, type_figure(k), f"{SECTIONS[k.kind]} {k.vendor}")
        for k in known.values()
    ]
