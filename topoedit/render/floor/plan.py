"""The plan of a room to scale: rows with letters, columns with numbers, racks with figures."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from topoedit.render.floor.common import (
    LINE,
    MARGIN,
    draw_head,
    draw_legend,
    fill_of,
    folded,
    hatch,
    head_height,
    text_on,
)
from topoedit.render.floor.data import PlanCell, PlanRack, PlanRoom, PlanRow
from topoedit.render.floor.sheets import Sheet
from topoedit.render.ink import Ink

_RACK_WIDTH = 68.0  # pixels of a rack's place
_GUTTER = 56.0  # left of the racks, for the letters of rows
_SUMS = 190.0  # right of them, for their roll-ups
_NUMBERS = 28.0  # above and below, for the numbers of columns
_LEGEND = 58.0
_NARROWEST = 760.0
_WIDEST_TEXT = 1100.0
_SCALES = (0.5, 1, 2, 5, 10, 20, 50)


@dataclass(frozen=True)
class PlanView:
    """Where the metres of a room are on its sheet."""

    room: PlanRoom
    scale: float
    left: float
    top: float
    width: float
    height: float
    head: tuple[str, ...]
    notes: tuple[str, ...]

    def x(self, metres: float) -> float:
        """Pixels from the left of the sheet."""
        return self.left + (metres - self.room.left_m) * self.scale

    def y(self, metres: float) -> float:
        """Pixels from the top of the sheet."""
        return self.top + metres * self.scale

    def box(self, rack: PlanRack) -> QRectF:
        """The box of a rack."""
        w = self.room.pitch_m * self.scale
        h = self.room.depth_m * self.scale
        x, y = self.x(rack.x_m) - w / 2, self.y(rack.y_m) - h / 2
        return QRectF(round(x) + 1, round(y), round(w) - 2, round(h))

    def rack_at(self, x: float, y: float) -> PlanRack | None:
        """The rack under a point of the sheet."""
        return next((r for r in self.room.racks if self.box(r).contains(x, y)), None)

    def metres(self, x: float, y: float) -> tuple[float, float]:
        """The place on the floor under a point of the sheet."""
        return self.room.left_m + (x - self.left) / self.scale, (y - self.top) / self.scale


def plan_view(room: PlanRoom) -> PlanView:
    """Lay out the sheet of a room."""
    scale = _RACK_WIDTH / room.pitch_m
    half = room.depth_m / 2
    middles = [row.y_m for row in room.rows] + [rack.y_m for rack in room.racks]
    edges = [edge for cell in room.cells for edge in (cell.top_m, cell.bottom_m)]
    low = min((*(y - half for y in middles), *edges), default=-half)
    high = max((*(y + half for y in middles), *edges), default=half)
    wide = (room.right_m - room.left_m) * scale
    width = max(_NARROWEST, MARGIN * 2 + _GUTTER + wide + _SUMS)
    text = min(width - 2 * MARGIN, _WIDEST_TEXT)
    head, notes = folded(room.lines, text), folded(room.notes, text, 11)
    if room.loose:
        notes += folded([f"Without a place on the floor: {', '.join(room.loose)}"], text, 11)
    top = head_height(head) + _NUMBERS - low * scale + 6
    bottom = top + high * scale + _NUMBERS
    height = bottom + 16 + _LEGEND + len(notes) * LINE + MARGIN
    return PlanView(room, scale, MARGIN + _GUTTER, top, width, height, head, notes)


def plan_sheet(room: PlanRoom) -> Sheet:
    """The sheet of a room."""
    view = plan_view(room)
    return Sheet(view.width, view.height, lambda ink: paint_plan(ink, view))


def paint_plan(ink: Ink, view: PlanView) -> None:
    """Paint a room from the top left corner of its sheet."""
    room = view.room
    draw_head(ink, room.title, view.head, view.width)
    _columns(ink, view)
    for cell in room.cells:
        _cell(ink, view, cell)
    _trays(ink, view)
    for row in room.rows:
        _row(ink, view, row)
    for rack in room.racks:
        _rack(ink, view, rack)
    for rack in room.racks:
        if rack.over:
            _mark(ink, view.box(rack))
    _foot(ink, view)


def _extent(view: PlanView) -> tuple[float, float]:
    """Top and bottom of the racks' field."""
    half = view.room.depth_m / 2
    ys = [row.y_m for row in view.room.rows] + [rack.y_m for rack in view.room.racks] or [0.0]
    return view.y(min(ys) - half), view.y(max(ys) + half)


def _columns(ink: Ink, view: PlanView) -> None:
    top, bottom = _extent(view)
    for number, middle in view.room.columns:
        for y in (top - 22, bottom + 6):
            ink.text(view.x(middle), y, f"{number:02d}", 11, 500, "text.tertiary", "center")


def _trays(ink: Ink, view: PlanView) -> None:
    """Trays as dashed lines: along every row, and where some are named, across."""
    room = view.room
    left, right = view.x(room.left_m), view.x(room.right_m)
    half = room.depth_m / 2
    for row in room.rows:
        y = view.y(row.y_m + half) + 5
        ink.line(left, y, right, y, "border.strong", 1.0, (6, 4))
    if room.crossings_m and room.rows:
        top, bottom = view.y(room.rows[0].y_m + half) + 5, view.y(room.rows[-1].y_m + half) + 5
        for metres in room.crossings_m:
            ink.line(view.x(metres), top, view.x(metres), bottom, "border.strong", 1.0, (6, 4))


def _row(ink: Ink, view: PlanView, row: PlanRow) -> None:
    y = view.y(row.y_m)
    left, right = view.x(view.room.left_m), view.x(view.room.right_m)
    if row.label:
        ink.text(left - 30, y - 14, row.label, 20, 600, "text.secondary", "center", 44, 28)
    top = y - len(row.lines) * LINE / 2
    for index, line in enumerate(row.lines):
        weight, color = (600, "text.primary") if index == 0 else (400, "text.secondary")
        ink.text(right + 16, top + index * LINE, line, 11, weight, color, width=_SUMS - 16)


def _cell(ink: Ink, view: PlanView, cell: PlanCell) -> None:
    x, y = view.x(cell.left_m) + 1, view.y(cell.top_m)
    w, h = view.x(cell.right_m) - x - 1, view.y(cell.bottom_m) - y
    ink.box(x, y, w, h, "canvas.device_inner", "canvas.device_border")
    hatch(ink, x + 1, y + 1, w - 2, h - 2)
    plate = min(w - 6, ink.width_of(cell.text, 10, 500) + 8)
    ink.box(x + (w - plate) / 2, y + h / 2 - 8, plate, 16, "canvas.page", None, 3)
    ink.text(x + w / 2, y + h / 2 - 8, cell.text, 10, 500, "text.secondary", "center", plate - 4)


def _rack(ink: Ink, view: PlanView, rack: PlanRack) -> None:
    box = view.box(rack)
    x, y, w, h = box.x(), box.y(), box.width(), box.height()
    ground = fill_of(ink, rack.tone, rack.share)
    dash = () if rack.tone != "none" else (3, 2)
    edge = "severity.error" if rack.over else "canvas.device_border"
    ink.box(x, y, w, h, ground, edge, 3, 2.0 if rack.over else 1.0, dash)
    color = text_on(ink, ground)
    room = w - 8
    names = wrapped(ink, rack.name, room, 10, 600)
    for index, line in enumerate(names):
        ink.text(x + w / 2, y + 5 + index * 13, line, 10, 600, color, "center", room, 13, "middle")
    _figures(ink, rack, (x, y, w, h), color)


def _figures(
    ink: Ink, rack: PlanRack, box: tuple[float, float, float, float], color: QColor
) -> None:
    """The number in the middle, further lines at the foot."""
    x, y, w, h = box
    middle = x + w / 2
    ink.text(middle, y + h / 2 - 9, rack.number, 14, 600, color, "center", w - 4, 18)
    room = int((h / 2 - 14) // 13)
    lines = rack.lines[:room]
    for index, line in enumerate(lines):
        at = y + h - 5 - (len(lines) - index) * 13
        ink.text(middle, at, line, 10, 400, color, "center", w - 4, 13)


def _mark(ink: Ink, box: QRectF) -> None:
    """The mark of a rack that is over a limit, on its corner and over its neighbour."""
    ink.disc(box.right() - 3, box.y() + 3, 9, "canvas.page")
    ink.icon("error", box.right() - 11, box.y() - 5, 16, "severity.error")


def wrapped(ink: Ink, name: str, width: float, px: int, weight: int) -> tuple[str, ...]:
    """A name on one line, or on two that part at a hyphen, dot or space."""
    if ink.width_of(name, px, weight) <= width:
        return (name,)
    best: tuple[float, tuple[str, str]] | None = None
    for match in re.finditer(r"[-_. /]", name):
        parts = name[: match.end()], name[match.end() :]
        wide = max(ink.width_of(part, px, weight) for part in parts)
        if parts[1] and (best is None or wide < best[0]):
            best = (wide, parts)
    return (name,) if best is None else best[1]


def _foot(ink: Ink, view: PlanView) -> None:
    room = view.room
    _, bottom = _extent(view)
    y = max(bottom + _NUMBERS, *(view.y(cell.bottom_m) for cell in room.cells), 0.0) + 16
    ink.rule(MARGIN, round(y), view.width - 2 * MARGIN, "border.subtle")
    draw_legend(ink, MARGIN, y + 10, room.legend, room.keys, ramp=room.ramp)
    _scale_bar(ink, view, y + 14)
    y += 10 + _LEGEND
    for note in view.notes:
        ink.text(MARGIN, y, note, 11, 400, "text.secondary", width=view.width - 2 * MARGIN)
        y += LINE


def _scale_bar(ink: Ink, view: PlanView, y: float) -> None:
    metres = max((m for m in _SCALES if m * view.scale <= 150), default=_SCALES[0])
    wide, right = metres * view.scale, view.width - MARGIN
    ink.line(right - wide, y + 20, right, y + 20, "text.secondary", 1.5)
    for x in (right - wide, right):
        ink.line(x, y + 16, x, y + 24, "text.secondary", 1.5)
    ink.text(right, y, f"{metres:g} m, to scale", 10, 400, "text.tertiary", "right")
