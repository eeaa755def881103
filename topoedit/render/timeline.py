"""A training step on a time axis: a row a pipeline stage, a lane a traffic class, ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from topoedit.engine.timeline_types import KINDS, PARTS, Phase, Timeline
from topoedit.render.bars import HATCH, draw_hatch
from topoedit.render.ink import Ink

LABELS = 68.0
"""Width of the names at the left."""
LANE, AXIS = 11.0, 20.0
_GAP, _INDENT = 6.0, 6.0
_TIGHT = 4.0
"""Below so many pixels a span, a row is painted pixel by pixel."""
_TICK = 88.0
_PARTS_FROM, _NUMBERS_FROM, _HATCH_FROM = 8.0, 22.0, 6.0
_CLASSES = ("TP", "CP", "EP", "PP", "DP", "KV", "WAN")
COLORS = {
    "forward": "breakdown.recompute", "backward": "breakdown.compute",
    "weights": "memory.activations", "idle": HATCH, "optimizer": "breakdown.optimizer",
    "other": "breakdown.other",
} | {name.lower(): f"traffic.{name}" for name in _CLASSES}  # fmt: skip
"""Token of each kind of span and each part of a pass."""
WORDS = {
    "forward": "Forward", "backward": "Backward", "weights": "Weight gradients", "idle": "Bubble",
    "optimizer": "Optimizer", "other": "Other",
} | {name.lower(): f"{name} exposed" for name in _CLASSES}  # fmt: skip


@dataclass(frozen=True)
class TimeWindow:
    """The part of a step that is shown, and where.

    Attributes:
        start, end: seconds; x, width: pixels.
    """

    start: float
    end: float
    x: float
    width: float

    def to_x(self, seconds: float) -> float:
        """Where a moment is."""
        return self.x + (seconds - self.start) / (self.end - self.start) * self.width

    def to_seconds(self, x: float) -> float:
        """The moment at a pixel."""
        return self.start + (x - self.x) / self.width * (self.end - self.start)

    @property
    def per_pixel(self) -> float:
        """Seconds a pixel."""
        return (self.end - self.start) / self.width


def classes_of(made: Timeline) -> tuple[str, ...]:
    """Traffic classes of a step in their usual order."""
    found = {phase.class_ for phase in made.phases}
    return tuple(name for name in _CLASSES if name in found)


def least_height(made: Timeline) -> float:
    """Pixels that the rows need at least, ticks included."""
    return 4.0 * len(made.stages) + _lanes_height(made) + AXIS


def _lanes_height(made: Timeline) -> float:
    return LANE * len(classes_of(made)) + _GAP


def pitch_of(made: Timeline, height: float) -> float:
    """Height of a row in a chart of so many pixels."""
    room = height - AXIS - _lanes_height(made)
    return float(min(max(room / max(len(made.stages), 1), 4.0), 18.0))


def paint_timeline(
    ink: Ink, made: Timeline, window: TimeWindow, y: float, height: float,
    lit: frozenset[str] | None = None,
) -> None:  # fmt: skip
    """Rows, lanes and ticks.

    Args:
        ink: where to draw.
        made: the step.
        window: which part.
        y: top.
        height: room.
        lit: classes whose lanes stand out, None for all.
    """
    pitch = pitch_of(made, height)
    bar = pitch - (3 if pitch >= 9 else 1)
    every = math.ceil(12 / pitch)
    foot = y + pitch * len(made.stages) + _lanes_height(made)
    _paint_ticks(ink, window, y, foot)
    for stage, name in enumerate(made.stages):
        top = y + stage * pitch
        if stage % every == 0:
            weight, color = (
                (600, "text.primary") if stage == made.critical else (400, "text.secondary")
            )
            ink.text(
                _INDENT, top + bar / 2 - 8, name, 11 if pitch >= 12 else 10, weight, color,
                width=LABELS - 6 - _INDENT,
            )  # fmt: skip
        ink.box(window.x, top, window.width, bar, "surface.input")
        _paint_row(ink, made, stage, window, top, bar)
    top = y + pitch * len(made.stages) + _GAP
    for name in classes_of(made):
        dim = lit is not None and name not in lit
        _paint_lane(ink, made, name, window, top, dim=dim)
        top += LANE


def _visible(made: Timeline, stage: int, window: TimeWindow) -> tuple[int, int]:
    """First span of a stage in the window and the one behind the last."""
    spans = made.spans
    first, last = np.searchsorted(spans.stage, [stage, stage + 1])
    low = first + np.searchsorted(spans.end[first:last], window.start, side="right")
    high = first + np.searchsorted(spans.start[first:last], window.end, side="left")
    return int(low), int(high)


def _paint_row(
    ink: Ink, made: Timeline, stage: int, window: TimeWindow, y: float, bar: float
) -> None:
    low, high = _visible(made, stage, window)
    if high - low > window.width / _TIGHT:
        _paint_pixels(ink, made, low, high, window, y, bar)
        return
    spans, colors = made.spans, {kind: ink.color(_solid(kind)) for kind in KINDS}
    for row in range(low, high):
        x0 = max(window.to_x(float(spans.start[row])), window.x)
        x1 = min(window.to_x(float(spans.end[row])), window.x + window.width)
        wide = x1 - x0
        kind = KINDS[spans.kind[row]]
        shown = max(wide - (1 if wide > 3 else 0), 0.75)
        if kind == "idle":
            if wide > _HATCH_FROM:
                draw_hatch(ink, x0, y, shown, bar)
            else:
                ink.painter.fillRect(QRectF(x0, y, shown, bar), colors["idle"])
            continue
        ink.painter.fillRect(QRectF(x0, y, shown, bar), colors[kind])
        if kind in KINDS[:3] and shown >= _PARTS_FROM:
            _paint_parts(ink, made, stage, int(spans.kind[row]), x0, y, shown, bar)
            if shown >= _NUMBERS_FROM and bar >= 12:
                _paint_number(ink, int(spans.batch[row]), x0, y, shown, bar)


def _paint_parts(
    ink: Ink, made: Timeline, stage: int, kind: int, x: float, y: float, wide: float, bar: float
) -> None:
    """What a pass waits for, at its end."""
    right = x + wide
    for part, share in zip(PARTS, made.shares[stage, kind].tolist(), strict=True):
        if part in ("compute", "recompute") or share * wide < 0.4:
            continue
        piece = max(share * wide, 1.0)
        right -= piece
        ink.painter.fillRect(QRectF(right, y, piece, bar), ink.color(COLORS[part]))


def _paint_number(ink: Ink, batch: int, x: float, y: float, wide: float, bar: float) -> None:
    text = str(batch)
    if ink.width_of(text, 10, 500) + 10 <= wide * 0.8:
        ink.text(x + 4, y, text, 10, 500, "surface.input", height=bar, width=wide)


def _paint_pixels(
    ink: Ink, made: Timeline, low: int, high: int, window: TimeWindow, y: float, bar: float
) -> None:
    """A row of spans thinner than pixels: each pixel has the colour of what is in its middle."""
    ratio = ink.painter.device().devicePixelRatio()
    count = max(round(window.width * ratio), 1)
    times = window.start + (np.arange(count) + 0.5) / count * (window.end - window.start)
    spans = made.spans
    row = low + np.searchsorted(spans.start[low:high], times, side="right") - 1
    row = np.clip(row, low, high - 1)
    table = np.array([ink.color(_solid(kind)).rgb() for kind in KINDS], np.uint32)
    pixels = np.ascontiguousarray(table[spans.kind[row]])
    image = QImage(pixels.tobytes(), count, 1, 4 * count, QImage.Format.Format_RGB32)
    ink.painter.drawImage(QRectF(window.x, y, window.width, bar), image, QRectF(image.rect()))


def _solid(kind: str) -> str:
    """Colour of a kind where there is no room for a pattern."""
    return "breakdown.bubble" if COLORS[kind] == HATCH else COLORS[kind]


def _paint_lane(
    ink: Ink, made: Timeline, name: str, window: TimeWindow, y: float, *, dim: bool
) -> None:
    """When a class runs: pale where compute hides it, solid for the share that is waited for."""
    bar = LANE - 4
    color = "text.disabled" if dim else "text.secondary"
    ink.text(_INDENT, y + bar / 2 - 8, name, 10, 500, color, width=LABELS - 6)
    ink.box(window.x, y, window.width, bar, "surface.input")
    pale = ink.color(f"traffic.{name}", 0.22 if dim else 0.42)
    solid = ink.color(f"traffic.{name}", 0.45 if dim else 1.0)
    some = [phase for phase in made.phases if phase.class_ == name]
    for phase in some:
        for x0, wide, _ in _pieces(phase, window):
            ink.painter.fillRect(QRectF(x0, y, wide, bar), ink.color("surface.input"))
            ink.painter.fillRect(QRectF(x0, y, wide, bar), pale)
    for phase in some:
        for x0, wide, share in _pieces(phase, window):
            high = bar * share
            if high >= 0.5:
                ink.painter.fillRect(QRectF(x0, y + bar - high, wide, high), solid)


def _pieces(phase: Phase, window: TimeWindow) -> list[tuple[float, float, float]]:
    """Left end, width and exposed share of a phase's spans in view."""
    found = []
    for (start, end), share in zip(phase.spans, phase.bare, strict=True):
        x0 = max(window.to_x(start), window.x)
        x1 = min(window.to_x(end), window.x + window.width)
        if x1 > window.x and x0 < window.x + window.width:
            found.append((x0, max(x1 - x0, 1.0), share))
    return found


def ticks(window: TimeWindow) -> tuple[float, ...]:
    """Round moments at least 88 pixels apart."""
    rough = window.per_pixel * _TICK
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * f for f in (1, 2, 5, 10) if power * f >= rough * (1 - 1e-9))
    first = math.ceil(window.start / step - 1e-9)
    last = math.floor(window.end / step + 1e-9)
    return tuple(number * step for number in range(first, last + 1))


def tick_words(seconds: float, step: float) -> str:
    """A moment on the axis: `0 s`, `2.5 s`, `1250 ms`."""
    if step >= 0.1:
        return f"{seconds:.{0 if step >= 1 else 1}f} s"
    if step >= 1e-4:
        return f"{seconds * 1e3:.{0 if step >= 1e-3 else 1}f} ms"
    return f"{seconds * 1e6:.{0 if step >= 1e-6 else 1}f} µs"


def _paint_ticks(ink: Ink, window: TimeWindow, y: float, foot: float) -> None:
    found = ticks(window)
    step = found[1] - found[0] if len(found) > 1 else window.end - window.start
    for seconds in found:
        x = round(window.to_x(seconds))
        ink.painter.fillRect(QRectF(x, y, 1, foot - y + 3), ink.color("border.subtle"))
        words = tick_words(seconds, step)
        half = ink.width_of(words, 10) / 2
        middle = min(max(x, window.x + half), window.x + window.width - half)
        ink.text(middle, foot + 3, words, 10, 400, "text.tertiary", "center")
