"""What differs between two drawings, element by element and field by field."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from topoedit.model.document import Document
from topoedit.model.elements import AnyElement

PLACE_FIELDS = frozenset({"x", "y", "via", "collapsed", "locked", "width", "height"})


class FieldChange(msgspec.Struct, frozen=True):
    """One field with its old and new value."""

    field: str
    before: object
    after: object


class ElementChange(msgspec.Struct, frozen=True):
    """One element that is in both drawings but not the same; `moved` if only its place differs."""

    id: str
    is_: str = msgspec.field(name="is")
    fields: tuple[FieldChange, ...] = ()
    moved: bool = False


class Difference(msgspec.Struct, frozen=True):
    """Ids only in the new drawing, only in the old one, and changes of those in both."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ElementChange, ...]

    @property
    def is_empty(self) -> bool:
        """True if the drawings hold the same."""
        return not (self.added or self.removed or self.changed)


def diff(old: Document, new: Document) -> Difference:
    """Compare two documents by element ids."""
    before, after = _by_id(old), _by_id(new)
    changes = (_change(before[i], after[i]) for i in before if i in after and before[i] != after[i])
    return Difference(
        added=tuple(i for i in after if i not in before),
        removed=tuple(i for i in before if i not in after),
        changed=tuple(changes),
    )


def _by_id(document: Document) -> Mapping[str, AnyElement]:
    return {element.id: element for element in document.elements()}


def _change(before: AnyElement, after: AnyElement) -> ElementChange:
    names = dict.fromkeys((*before.__struct_fields__, *after.__struct_fields__))
    fields = tuple(
        FieldChange(name, getattr(before, name, None), getattr(after, name, None))
        for name in names
        if getattr(before, name, None) != getattr(after, name, None)
    )
    kind = str(after.__struct_config__.tag)
    only_moved = all(change.field in PLACE_FIELDS for change in fields)
    return ElementChange(after.id, kind, fields, only_moved)
