"""Painting notes: tinted paper with text, never links."""

from __future__ import annotations

from topoedit.model.elements import Note
from topoedit.render.ink import Ink
from topoedit.render.scene import note_box
from topoedit.render.theme import number
from topoedit.render.view import View

_LINE = 18.0


def draw_note(ink: Ink, note: Note, view: View) -> None:
    """The first line of a note is its heading."""
    left, top, right, bottom = note_box(note)
    x0, y0, x1, y1 = view.box
    if right < x0 or left > x1 or bottom < y0 or top > y1:
        return
    x, y = (round(v) for v in view.to_pixels(left, top))
    w, h = round((right - left) * view.scale), round((bottom - top) * view.scale)
    ink.box(x, y, w, h, "severity.warning_bg", "canvas.group_border", number("radius.device"))
    if w < 48 or h < 20:
        return
    at = y + min(10.0, (h - 16) / 2)
    heading = True
    for paragraph in note.text.split("\n"):
        for line in wrapped(ink, paragraph, w - 24, 600 if heading else 400):
            if at + 16 > y + h:
                return
            color = "canvas.label" if heading else "canvas.label_sub"
            ink.text(x + 12, at, line, 11, 600 if heading else 400, color, width=w - 20)
            at += _LINE
        heading = False


def wrapped(ink: Ink, text: str, width: float, weight: int) -> list[str]:
    """A paragraph in lines that fit; a word longer than a line stays whole."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and ink.width_of(longer, 11, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines or [""]
