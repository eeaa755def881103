"""Step and repeat: a selection in columns and rows, names numbered on, wiring repeated."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from topoedit.errors import BadEditError
from topoedit.model.clipboard import copy, instantiate
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement
from topoedit.model.naming import Reservation
from topoedit.model.operations import plural

MAX_COPIES = 100_000


class Array(msgspec.Struct, frozen=True):
    """Columns x rows copies (the original is the first), at a pitch in canvas units.

    `wiring` repeats links to devices outside the selection on their next free ports.
    """

    columns: int = 2
    rows: int = 1
    pitch_x: float = 124.0
    pitch_y: float = 148.0
    wiring: bool = True

    @property
    def copies(self) -> int:
        """Number of new copies."""
        return self.columns * self.rows - 1


def repeat(document: Document, ids: Iterable[str], array: Array) -> Edit:
    """The edit that adds the copies of `array`, row by row.

    Raises:
        BadEditError: nothing is selected, or the array is empty or larger than 100,000 devices.
    """
    clip = copy(document, ids)
    size = len(clip.devices) + len(clip.notes)
    if not size:
        raise BadEditError("select devices or notes to repeat")
    if array.columns < 1 or array.rows < 1 or array.copies < 1:
        raise BadEditError("an array needs at least two places", mend="Set columns or rows")
    if array.copies * size > MAX_COPIES:
        raise BadEditError(
            f"{array.copies * size} new devices are more than {MAX_COPIES} in one step"
        )
    reservation = Reservation(document)
    elements: list[AnyElement] = []
    for place in range(1, array.columns * array.rows):
        row, column = divmod(place, array.columns)
        elements += instantiate(
            clip, column * array.pitch_x, row * array.pitch_y, reservation, outer=array.wiring
        )
    return Edit(f"Repeat {plural(size, 'device')} {array.copies} times", put=tuple(elements))
