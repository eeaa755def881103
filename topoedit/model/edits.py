"""Edits: the only way to change a document, plain data that can be journaled and undone."""

from __future__ import annotations

import msgspec

from topoedit.model.elements import AnyElement


class Edit(msgspec.Struct, frozen=True, tag="edit", tag_field="do", omit_defaults=True):
    """Drop some elements by id, then put others: new ones, or new versions of present ones.

    `label` is what the undo menu says, in the imperative: "Delete 4 devices".
    """

    label: str
    put: tuple[AnyElement, ...] = ()
    drop: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if applying it would change nothing."""
        return not self.put and not self.drop


class MoveDevices(msgspec.Struct, frozen=True, tag="move", tag_field="do"):
    """Place devices at new centres; a bulk edit that copies no element."""

    label: str
    ids: tuple[str, ...]
    xs: tuple[float, ...]
    ys: tuple[float, ...]

    @property
    def is_empty(self) -> bool:
        """True if it moves nothing."""
        return not self.ids


AnyEdit = Edit | MoveDevices


class Change(msgspec.Struct, frozen=True):
    """What one applied edit did; listeners get exactly one for each.

    Attributes:
        revision: the document's revision after the edit.
        edit: the edit itself.
        inverse: the edit that takes it back.
        added, changed, removed: ids of elements.
        topology: whether anything that an analysis reads has changed.
    """

    revision: int
    edit: AnyEdit
    inverse: AnyEdit
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    topology: bool = False
