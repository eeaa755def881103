"""Painting very many crossing lines at the cost of those that can be seen.

Where thousands of lines cross a pixel, only the hottest shows: the rest is time lost. Here lines
are taken from the hottest down, in layers, each under the ones before; a line that finds all its
pixels covered by hotter lines, or by lines of its own colour, is left out. Nothing hot is ever
left out for something colder, and a line in the open always stays. The picture differs from the
one with all lines in a few pixels of the thickest fog.

A line is asked at a few places, a long one at more; so what is left out may have shown at most
a few pixels between them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from topoedit.render.dots import draw_dots, stamp_dots
from topoedit.render.links import Job, LinePalette, batches_of_code, mixed_halves
from topoedit.render.loadscale import CODES, DOWN, NO_DATA, Codes
from topoedit.render.strokes import Strokes
from topoedit.render.tables import Floats, Ints
from topoedit.render.view import View

CROWD_PIXELS = 4e6
"""From so many pixels of line on, it pays to ask which of them show."""
_LAYER = 1.2  # pixels of line in a layer for each pixel of the picture
_LEAST, _MOST = 2_000, 6_000  # lines asked in one step
_PLACES = ((0.0, 3), (24.0, 8), (160.0, 20))  # at how many places a line of so many pixels is asked
_SHORT = 3  # a line asked at no more places is painted whole
_BAND = 128  # rows of an image merged in one step
_LINE_COST = 40.0  # pixels that a line costs beside its length
_PREPARED = 40_000
_BLUE = 0 if sys.byteorder == "little" else 3  # byte of a pixel
_RIM = 3  # pixels around the map of what is covered

_Coords = NDArray[np.float32]
_Map = NDArray[np.uint8]
_START = np.array([0.0, 0.0, 0.5], np.float32)
_SHARE = np.array([1.0, 0.5, 0.5], np.float32)


@dataclass
class Tally:
    """What a picture took: for tests and benchmarks.

    Attributes:
        lines: half-lines, or whole ones of one colour, that meet the view.
        painted: those painted.
        pixels: their length in pixels.
        layers: images laid under each other.
        asked: most lines asked in one step.
    """

    lines: int = 0
    painted: int = 0
    pixels: float = 0.0
    layers: int = 0
    asked: int = 0


def crowd_jobs(
    strokes: Strokes, view: View, rows: Ints, palette: LinePalette, ratio: float = 1.0,
    tally: Tally | None = None,
) -> Iterator[Job]:  # fmt: skip
    """Painting of some straight lines in small jobs; all but the last few paint nothing yet.

    Unlike other jobs, the work is done while the next job is asked for, on images of its own.

    Args:
        strokes: the lines of the drawing.
        view: the picture.
        rows: the lines to paint.
        palette: their colours and widths.
        ratio: device pixels a pixel of the view.
        tally: filled in while painting.
    """
    crowd = _Crowd(strokes, view, palette, ratio, tally or Tally())
    for _ in crowd.paint(rows):
        yield _nothing
    yield from crowd.copy_jobs()


def _nothing(_: QPainter) -> None:
    """The work was done before."""


@lru_cache(maxsize=4)
def shuffled(count: int) -> NDArray[np.int32]:
    """Numbers below `count` in an order that is random but always the same.

    Neighbouring lines are alike; taken in this order, each layer is a fair sample of all.
    """
    order = np.random.default_rng(20).permutation(count).astype(np.int32)
    order.flags.writeable = False
    return order


@dataclass
class _Layer:
    """Lines that were found to show, until there are enough for a layer."""

    lines: list[_Coords] = field(default_factory=list)
    owners: list[Ints] = field(default_factory=list)
    codes: list[Codes] = field(default_factory=list)
    pixels: float = 0.0


class _Sheet:
    """An image of one layer on which every colour is a number, the hottest the highest.

    The rasteriser works row by row: a steep line costs many times what a flat one costs. So steep
    lines are painted on a sheet of their own with both axes exchanged.
    """

    def __init__(self, width: int, height: int, ratio: float) -> None:
        self.image = QImage(width, height, QImage.Format.Format_RGB32)
        self.image.fill(0)
        self.numbers: _Map = np.frombuffer(self.image.bits(), np.uint8).reshape(height, -1, 4)[
            :, :, _BLUE
        ]
        self.image.setDevicePixelRatio(ratio)
        self.ratio = ratio

    def dots_job(self, lines: Floats, color: QColor) -> Job:
        """Dots along lines, written straight into the image."""
        if self.ratio != round(self.ratio):
            return lambda painter: draw_dots(painter, lines, color)
        return lambda _: stamp_dots(self.numbers, lines, color.blue(), round(self.ratio))


class _Crowd:
    def __init__(
        self, strokes: Strokes, view: View, palette: LinePalette, ratio: float, tally: Tally
    ) -> None:
        self.strokes, self.view, self.tally = strokes, view, tally
        self.numbered, self.colors = _numbered(palette)
        self.ratio = ratio
        self.width, self.height = round(view.width * ratio), round(view.height * ratio)
        self.above: _Map = np.zeros((self.height + 2 * _RIM, self.width + 2 * _RIM), np.uint8)
        self.taken = self.above
        self.waiting = _Layer()
        self.layer_pixels = _LAYER * self.width * self.height

    # -- steps -------------------------------------------------------------------------------

    def paint(self, rows: Ints) -> Iterator[None]:
        """All steps of a millisecond or two."""
        order = shuffled(len(self.strokes))
        yield
        wanted = np.zeros(len(order), np.bool_)
        wanted[rows] = True
        rows = order[wanted[order]]
        yield
        self.flat = _Sheet(self.width, self.height, self.ratio)
        yield
        self.steep = _Sheet(self.height, self.width, self.ratio)
        yield
        yield from self._place_ends()
        parts = []
        for start in range(0, len(rows), _PREPARED):
            parts.append(mixed_halves(self.strokes, rows[start : start + _PREPARED]))
            yield
        if not parts:
            return
        owner, side, code = (np.concatenate(column) for column in zip(*parts, strict=True))
        yield
        hot_first = np.argsort(np.uint8(CODES) - code, kind="stable")
        yield
        start, size = 0, _LEAST
        while start < len(hot_first):
            part = hot_first[start : start + size]
            before = self.waiting.pixels
            self._ask(owner[part], side[part], code[part])
            start += size
            found = self.waiting.pixels - before
            size = int(np.clip(size * self.layer_pixels / max(found, 1.0), _LEAST, _MOST))
            yield
            if self.waiting.pixels >= self.layer_pixels:
                yield from self._paint_layer()
        yield from self._paint_layer()

    def _place_ends(self) -> Iterator[None]:
        """Start and extent of all lines in device pixels: rows x, y, dx, dy; shape (4, n)."""
        seg, scale = self.strokes.seg, self.view.scale * self.ratio
        self.ends = np.empty((4, len(seg)), np.float32)
        for row, origin in enumerate((self.view.x, self.view.y)):
            self.ends[row] = (seg[:, row] - origin) * scale
            yield
            self.ends[row + 2] = (seg[:, row + 2] - seg[:, row]) * scale
            yield

    def copy_jobs(self) -> Iterator[Job]:
        """Lay the finished picture over what was painted before, in bands."""
        step = max(1, round(_BAND / self.ratio))
        for top in range(0, round(self.view.height), step):
            yield self._copy_job(top, step)

    def _copy_job(self, top: int, step: int) -> Job:
        def paint(painter: QPainter) -> None:
            first, last = (_RIM + round(y * self.ratio) for y in (top, top + step))
            band = self.above[first : min(last, self.height + _RIM), _RIM:-_RIM]
            pixels = self.colors.take(band)
            image = QImage(
                pixels.data, pixels.shape[1], pixels.shape[0], 4 * pixels.shape[1],
                QImage.Format.Format_ARGB32_Premultiplied,
            )  # fmt: skip
            image.setDevicePixelRatio(self.ratio)
            painter.drawImage(QPointF(0, top), image)

        return paint

    # -- which lines show --------------------------------------------------------------------

    def _ask(self, owner: Ints, side: Codes, code: Codes) -> None:
        spans = _spans(self.ends, owner, side, self.width, self.height)
        meets = np.flatnonzero(spans.length >= 0)
        self.tally.lines += len(meets)
        self.tally.asked = max(self.tally.asked, len(owner))
        if not self.tally.layers:
            self._keep(spans, meets, owner, code, None)
            return
        length = spans.length[meets]
        ends = (*(least for least, _ in _PLACES[1:]), np.inf)
        for (least, count), most in zip(_PLACES, ends, strict=True):
            rows = meets[(length >= least) & (length < most)]
            first, last = self._uncovered(spans, rows, owner, count)
            shows = last >= 0
            seen = None
            if count > _SHORT:
                gaps = np.stack((first[shows] - 1, last[shows] + 2)).astype(np.float32)
                seen = gaps / np.float32(count)
            self._keep(spans, rows[shows], owner, code, seen)

    def _uncovered(
        self, spans: _Spans, at: NDArray[np.intp], owner: Ints, count: int
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """First and last of so many places along each line that are not covered yet, -1 if none."""
        step_x, step_y = (way[at] / np.float32(count) for way in (spans.dx, spans.dy))
        begin = _jitter(owner[at])
        x, y = spans.x[at] + begin * step_x + _RIM, spans.y[at] + begin * step_y + _RIM
        above, wide = self.taken.ravel(), np.int32(self.above.shape[1])
        first = np.full(len(at), -1, np.int8)
        last = first.copy()
        for k in range(count):
            place = y.astype(np.int32)
            place *= wide
            place += x.astype(np.int32)
            free = above.take(place, mode="clip") == 0
            last[free] = k
            first[free & (first < 0)] = k
            x += step_x
            y += step_y
        return first, last

    def _keep(
        self, spans: _Spans, at: NDArray[np.intp], owner: Ints, code: Codes,
        seen: _Coords | None,
    ) -> None:  # fmt: skip
        """Put lines aside for the next layer, a long one from its first to its last gap."""
        if not len(at):
            return
        x, y, dx, dy = spans.x[at], spans.y[at], spans.dx[at], spans.dy[at]
        length = spans.length[at]
        if seen is not None:
            whole = code[at] == DOWN  # its dots begin at its end
            begin: _Coords = np.maximum(seen[0], np.float32(0))
            end: _Coords = np.minimum(seen[1], np.float32(1))
            begin[whole], end[whole] = 0, 1
            x, y = x + begin * dx, y + begin * dy
            dx, dy, length = (value * (end - begin) for value in (dx, dy, length))
        pixels = float(length.sum()) + _LINE_COST * len(at)
        self.waiting.lines.append(np.stack((x, y, x + dx, y + dy), axis=1))
        self.waiting.owners.append(owner[at])
        self.waiting.codes.append(code[at])
        self.waiting.pixels += pixels
        self.tally.painted += len(at)
        self.tally.pixels += pixels

    # -- layers ------------------------------------------------------------------------------

    def _paint_layer(self) -> Iterator[None]:
        waiting, self.waiting = self.waiting, _Layer()
        if not waiting.owners:
            return
        lines = np.concatenate(waiting.lines).astype(np.float64) / self.ratio
        owners, codes = np.concatenate(waiting.owners), np.concatenate(waiting.codes)
        steep = np.abs(lines[:, 3] - lines[:, 1]) > np.abs(lines[:, 2] - lines[:, 0])
        for sheet, rows in ((self.flat, ~steep), (self.steep, steep)):
            part = lines[rows] if sheet is self.flat else lines[rows][:, (1, 0, 3, 2)]
            yield from self._paint_sheet(sheet, part, owners[rows], codes[rows])
        self.tally.layers += 1
        turned = np.ascontiguousarray(self.steep.numbers).T
        yield
        inner = self.above[_RIM:-_RIM, _RIM:-_RIM]
        for top in range(0, self.height, _BAND):
            # Older layers stay on the sheets; they are hotter, and lie above already.
            band = inner[top : top + _BAND]
            layer = np.maximum(self.flat.numbers[top : top + _BAND], turned[top : top + _BAND])
            np.copyto(band, layer, where=band == 0)
            yield
        self.taken = self.above
        if (codes == NO_DATA).any():
            yield from self._spread_dots()

    def _spread_dots(self) -> Iterator[None]:
        """Count what lies within two pixels of a dot as taken: more dots there say no more."""
        wide = self.above.copy()
        for by in (1, 2):
            wide[:, by:] |= self.above[:, :-by]
            wide[:, :-by] |= self.above[:, by:]
        yield
        high = wide.copy()
        for by in (1, 2):
            high[by:] |= wide[:-by]
            high[:-by] |= wide[by:]
        self.taken = high
        yield

    def _paint_sheet(
        self, sheet: _Sheet, lines: Floats, owners: Ints, codes: Codes
    ) -> Iterator[None]:
        with QPainter(sheet.image) as painter:
            for code in np.unique(codes).tolist():
                rows = np.flatnonzero(codes == code)
                jobs = batches_of_code(
                    self.strokes, lines[rows], owners[rows], code, self.numbered, sheet.dots_job
                )
                for job in jobs:
                    job(painter)
                    yield


def _numbered(palette: LinePalette) -> tuple[LinePalette, NDArray[np.uint32]]:
    """A palette of numbers in place of colours, from cold to hot, and the colour of each."""
    *colors, down = palette.colors
    ranked = [palette.plain, palette.planned, *colors, palette.core, down]
    numbers = [QColor.fromRgb(0, 0, rank + 1) for rank in range(len(ranked))]
    plain, planned, *codes, core, last = numbers
    table = np.array([0, *(color.rgba() for color in ranked)], np.uint32)
    mode = replace(palette.mode, smooth=False)
    return LinePalette((*codes, last), plain, planned, core, mode), table


def _jitter(owner: Ints) -> _Coords:
    """A number from 0 to 1 for each line, as good as random and always the same."""
    mixed = owner.astype(np.uint32) * np.uint32(2654435761)
    mixed >>= np.uint32(8)
    share: _Coords = mixed.astype(np.float32) / np.float32(1 << 24)
    return share


@dataclass(frozen=True)
class _Spans:
    """The parts of lines inside the picture, in device pixels.

    Attributes:
        x, y: where they begin; dx, dy: to their end.
        length: of the part, below 0 for a line that misses the picture.
    """

    x: _Coords
    y: _Coords
    dx: _Coords
    dy: _Coords
    length: _Coords


def _spans(ends: _Coords, owner: Ints, side: Codes, width: int, height: int) -> _Spans:
    """Lines and halves of lines cut to the picture (Liang and Barsky)."""
    x, y, dx, dy = (column.take(owner) for column in ends)
    start, share = _START.take(side), _SHARE.take(side)
    x += start * dx
    y += start * dy
    dx *= share
    dy *= share
    first, last = np.zeros(len(x), np.float32), np.ones(len(x), np.float32)
    for at, way, size in ((x, dx, width), (y, dy, height)):
        steep = np.where(np.abs(way) < 1e-6, np.float32(1e-6), way)
        one, other = (-2 - at) / steep, (np.float32(size + 2) - at) / steep
        np.maximum(first, np.minimum(one, other), out=first)
        np.minimum(last, np.maximum(one, other), out=last)
    x += first * dx
    y += first * dy
    last -= first
    dx *= last
    dy *= last
    length = np.where(last >= 0, np.hypot(dx, dy), np.float32(-1))
    return _Spans(x, y, dx, dy, length)
