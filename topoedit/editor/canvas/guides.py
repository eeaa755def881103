"""Alignment guides and equal gaps as they are painted, with their distances."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from topoedit.editor.canvas.gaps import Gaps
from topoedit.editor.canvas.gestures.base import Surface
from topoedit.editor.canvas.snapping import Guide
from topoedit.render.ink import Ink
from topoedit.render.view import View

TICK = 4.0
HEIGHT, PAD = 16.0, 4.0
COLOR = "canvas.guide"


def boxes_in_view(surface: Surface, without: Iterable[str] = ()) -> NDArray[np.float64]:
    """Boxes of visible devices but for some: left, top, right, bottom, shape (4, n)."""
    scene = surface.scene
    left, top, right, bottom = surface.view.box
    boxes = scene.rects[:, : len(scene.devices)]
    near = (boxes[0] <= right) & (boxes[2] >= left) & (boxes[1] <= bottom) & (boxes[3] >= top)
    near &= scene.shown_devices()
    near[[scene.devices.row[device] for device in without]] = False
    found: NDArray[np.float64] = boxes[:, near]
    return found


def paint_guides(ink: Ink, view: View, guides: Iterable[Guide], gaps: Iterable[Gaps] = ()) -> None:
    """Lines one pixel wide; the distance to the aligned neighbour, the width of equal gaps."""
    for guide in guides:
        _paint_line(ink, view, guide.vertical, guide.at, guide.start, guide.end)
        if guide.distance is not None:
            _paint_words(ink, view, guide.vertical, guide.at, guide.middle, guide.distance)
    for gap in gaps:
        for start, end in gap.spans:
            _paint_line(ink, view, gap.vertical, gap.at, start, end)
            for tick in (start, end):
                _paint_tick(ink, view, gap.vertical, gap.at, tick)
            _paint_words(ink, view, gap.vertical, gap.at, (start + end) / 2, gap.width)


def _paint_line(ink: Ink, view: View, vertical: bool, at: float, start: float, end: float) -> None:
    if vertical:
        (x, y1), y2 = view.to_pixels(at, start), view.to_pixels(at, end)[1]
        ink.line(round(x) + 0.5, y1, round(x) + 0.5, y2, COLOR)
    else:
        (x1, y), x2 = view.to_pixels(start, at), view.to_pixels(end, at)[0]
        ink.line(x1, round(y) + 0.5, x2, round(y) + 0.5, COLOR)


def _paint_tick(ink: Ink, view: View, vertical: bool, at: float, along: float) -> None:
    if vertical:
        x, y = view.to_pixels(at, along)
        ink.line(x - TICK, round(y) + 0.5, x + TICK, round(y) + 0.5, COLOR)
    else:
        x, y = view.to_pixels(along, at)
        ink.line(round(x) + 0.5, y - TICK, round(x) + 0.5, y + TICK, COLOR)


def _paint_words(
    ink: Ink, view: View, vertical: bool, at: float, along: float, distance: float
) -> None:
    """The distance on a plate in the middle of a line."""
    x, y = view.to_pixels(at, along) if vertical else view.to_pixels(along, at)
    text = f"{distance:.0f}"
    wide = ink.width_of(text, 10, 600) + 2 * PAD
    plate = QRectF(x - wide / 2, y - HEIGHT / 2, wide, HEIGHT)
    if not QRectF(0, 0, view.width, view.height).contains(plate):
        return
    ink.box(plate.x(), plate.y(), wide, HEIGHT, "canvas.bg", COLOR, 3)
    ink.text(x, plate.y(), text, 10, 600, COLOR, "center", height=HEIGHT)
