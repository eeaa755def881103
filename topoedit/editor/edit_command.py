"""The one undo command: an edit and its inverse as plain data."""

from __future__ import annotations

import zlib

from PySide6.QtGui import QUndoCommand

from topoedit.model.document import Document
from topoedit.model.edits import AnyEdit, MoveDevices


class EditCommand(QUndoCommand):
    """An edit that has been applied; undo applies its inverse, redo the edit again.

    Args:
        document: what it changes.
        edit: the edit, already applied.
        inverse: what `Document.apply` returned for it.
        merge: key under which it may join the command before it ("" for never).
    """

    def __init__(
        self, document: Document, edit: AnyEdit, inverse: AnyEdit, merge: str = ""
    ) -> None:
        super().__init__(edit.label)
        self.document, self.edit, self.inverse, self.merge = document, edit, inverse, merge
        self._done = True

    def id(self) -> int:
        """The merge key as the positive number Qt wants, -1 for none."""
        return zlib.crc32(self.merge.encode()) & 0x7FFFFFFF if self.merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over a later edit of the same elements; the first inverse still takes both back."""
        if not isinstance(other, EditCommand) or other.merge != self.merge:
            return False
        if _touched(self.edit) != _touched(other.edit) or _touched(self.edit) is None:
            return False
        self.edit = other.edit
        self.setText(other.text())
        return True

    def redo(self) -> None:
        """Apply the edit, unless it has just been applied."""
        if not self._done:
            self.inverse = self.document.apply(self.edit)
        self._done = True

    def undo(self) -> None:
        """Apply the inverse."""
        self.document.apply(self.inverse)
        self._done = False


def _touched(edit: AnyEdit) -> frozenset[str] | None:
    """Ids an edit puts; None if it also drops some, since such edits never merge."""
    if isinstance(edit, MoveDevices):
        return frozenset(edit.ids)
    if not edit.drop:
        return frozenset(element.id for element in edit.put)
    return None
