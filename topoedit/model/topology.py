"""Which fields an analysis reads: a change of any other never runs the engine again."""

from __future__ import annotations

from collections.abc import Mapping

from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, CustomType, Device, Group, Link, Settings, Trunk

GROUP_PLACE = ("row", "column", "x_m", "y_m", "room", "floor")
SETTINGS_PLACE = ("floor", "ways")
"""What the length of a cable that is not drawn follows from (`layout.routes`)."""

_READ: dict[type, tuple[str, ...]] = {
    Device: ("name", "type", "kind", "group", "network", "plane", "ports", "failed", "unit"),
    Link: (
        "a", "b", "cables", "medium", "gbps", "length_m", "km", "network", "plane", "rail",
        "failed", "planned", "protocol", "through",
    ),
    Trunk: ("a", "b", "failed"),
    Group: ("name", "kind", "parent", *GROUP_PLACE),
    CustomType: ("type",),
    Settings: SETTINGS_PLACE,
}  # fmt: skip


def topology_differs(old: Mapping[str, AnyElement], edit: Edit) -> bool:
    """Whether an edit that replaced `old` changed anything that an analysis reads."""
    if any(type(old[i]) in _READ for i in edit.drop):
        return True
    return any(_differs(old.get(element.id), element) for element in edit.put)


def _differs(before: AnyElement | None, after: AnyElement) -> bool:
    fields = _READ.get(type(after))
    if before is None or type(before) is not type(after):
        return fields is not None or (before is not None and type(before) in _READ)
    if fields is None:
        return False
    return any(getattr(before, name) != getattr(after, name) for name in fields)
