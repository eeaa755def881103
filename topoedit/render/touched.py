"""What an edit means for the picture: nothing at all, only words, or other shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topoedit.model.document import Document
from topoedit.model.edits import Change, MoveDevices
from topoedit.model.elements import (
    AnyElement,
    Device,
    Exclusion,
    Group,
    Link,
    Note,
    SavedWorkload,
    Settings,
)
from topoedit.render.tables import DeviceTable, LinkTable

_UNSEEN = (SavedWorkload, Exclusion, Settings)
_WORDS: Mapping[type[AnyElement], tuple[str, ...]] = {
    Device: ("name", "unit", "address", "guid", "extra"),
    Link: ("length_m", "label", "protocol", "extra"),
    Group: (
        "name", "row", "column", "units", "power_kw", "locked", "room", "x_m", "y_m",
        "feed_a_kw", "feed_b_kw", "cooling_kw", "load_kg", "airflow", "floor", "extra",
    ),
}  # fmt: skip
"""Fields that are read when an element is painted, and that shape nothing before."""


def only_words(document: Document, change: Change) -> bool:
    """Whether a change leaves the place, shape and colour of everything but notes as they are.

    Renaming a device, editing a note or a plan: in a drawing of 300,000 links it must not cost
    what deleting a rack does.
    """
    if isinstance(change.edit, MoveDevices) or isinstance(change.inverse, MoveDevices):
        return False
    before = {e.id: e for e in change.inverse.put}
    touched = (*change.added, *change.changed, *change.removed)
    return all(_is_wording(before.get(i), document.element(i)) for i in touched)


def _is_wording(before: AnyElement | None, after: AnyElement | None) -> bool:
    if all(e is None or isinstance(e, (*_UNSEEN, Note)) for e in (before, after)):
        return True
    if before is None or after is None or type(before) is not type(after):
        return False
    words = _WORDS.get(type(after))
    if words is None:
        return False
    return all(
        name in words or getattr(before, name) == getattr(after, name)
        for name in after.__struct_fields__
    )


def changed_kind(put: Sequence[object], devices: DeviceTable, links: LinkTable) -> list[str]:
    """Ids that were a device or link and are something else now."""
    return [
        e.id
        for e in put
        if isinstance(e, Group | Note) and (e.id in devices.row or e.id in links.row)
    ]
