"""Small things that a scene knows beside its arrays."""

from __future__ import annotations

from dataclasses import dataclass

from topoedit.model.elements import Note
from topoedit.render.grouping import Box


@dataclass(frozen=True)
class Facts:
    """What an analysis says about every GPU alike, for the figures on servers.

    Attributes:
        memory_bytes: memory in use on the fullest GPU; None if nothing was analysed.
        memory_share: that as a share of its capacity.
    """

    memory_bytes: float | None = None
    memory_share: float | None = None


def note_box(note: Note) -> Box:
    """The box of a note; its position is its centre, like a device's."""
    w, h = note.width / 2, note.height / 2
    return note.x - w, note.y - h, note.x + w, note.y + h


def no_load(_: str) -> float | None:
    """No inner link has a load."""
    return None
