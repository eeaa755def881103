"""What of a drawing's texts this computer cannot show; Qt is asked only where it may matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from topoedit.model.document import Document

_OWN_FONTS = (".pdf", ".png")
"""Files that hold shapes of letters; SVG and HTML leave those to whoever shows them."""


def missing_glyphs(
    document: Document, files: Iterable[Path], extra: Iterable[str] = ()
) -> tuple[str, ...]:
    """One sentence if files that were written have boxes in place of some characters.

    Args:
        document: whose names and notes are in them.
        files: what was written.
        extra: further texts in them.
    """
    if not any(path.suffix.lower() in _OWN_FONTS for path in files):
        return ()
    strange = [text for text in (*_texts(document), *extra) if not text.isascii()]
    if not strange:
        return ()
    from topoedit.render.glyphs import glyph_notes

    return glyph_notes(strange)


def _texts(document: Document) -> Iterator[str]:
    yield document.settings.name
    yield from (device.name for device in document.devices.values())
    yield from (group.name for group in document.groups.values())
    yield from (note.text for note in document.notes.values())
