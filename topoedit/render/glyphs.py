"""Characters that no font of this computer can show: they become boxes on paper and in pixels."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QFontMetricsF

from topoedit.render.export import ensure_gui
from topoedit.render.theme import font

_SHOWN = 5


def without_glyph(texts: Iterable[str]) -> str:
    """The different characters that neither Inter nor any font that Qt falls back to has."""
    used: set[str] = set()
    for text in texts:
        if not text.isascii():
            used.update(text)
    strange = sorted(c for c in used if not c.isascii() and c.isprintable())
    if not strange:
        return ""
    ensure_gui()
    metrics = QFontMetricsF(font("body"))
    return "".join(c for c in strange if not metrics.inFontUcs4(ord(c)))


def glyph_notes(texts: Iterable[str]) -> tuple[str, ...]:
    """One sentence on characters that become boxes, none if all can be shown."""
    missing = without_glyph(texts)
    if not missing:
        return ()
    some = ", ".join(missing[:_SHOWN])
    if len(missing) == 1:
        words = f"1 character has no glyph on this computer and becomes a box: {missing}"
    else:
        introduced = "for example " if len(missing) > _SHOWN else ""
        words = (
            f"{len(missing)} characters have no glyph on this computer and become boxes: "
            f"{introduced}{some}"
        )
    return (f"{words}. Install a font that has them",)


__all__ = ["glyph_notes", "without_glyph"]
