"""Rack elevations: the racks of a row from the front, units numbered on both sides."""

from __future__ import annotations

from topoedit.render.floor.common import (
    LINE,
    MARGIN,
    draw_head,
    fill_of,
    folded,
    head_height,
    text_on,
)
from topoedit.render.floor.data import Box, RackFace, RowFaces
from topoedit.render.floor.plan import wrapped
from topoedit.render.floor.sheets import Sheet
from topoedit.render.ink import Ink
from topoedit.render.sizes import ICONS

UNIT = 16.0
_WIDTH = 212.0  # of a rack between its unit numbers
_NUMBERS = 26.0  # of a column of unit numbers
_GAP = 28.0
_HEAD = 62.0  # name and place of a rack
_AIR = 30.0
_STEP = _WIDTH + 2 * _NUMBERS + _GAP
_NARROWEST = 560.0
_WIDEST_TEXT = 1100.0


def row_sheet(row: RowFaces) -> Sheet:
    """The sheet of a row."""
    highest = max((rack.units for rack in row.racks), default=0)
    lines = max((_lines(rack) for rack in row.racks), default=0)
    width = max(_NARROWEST, 2 * MARGIN + len(row.racks) * _STEP - _GAP)
    body = _HEAD + highest * UNIT + 12 + _AIR + lines * LINE
    head = folded(row.lines, min(width - 2 * MARGIN, _WIDEST_TEXT))
    height = head_height(head) + body + 12 + MARGIN
    return Sheet(width, height, lambda ink: paint_row(ink, row, head, width))


def _lines(rack: RackFace) -> int:
    return len(rack.lines) + sum(map(len, _warnings(rack))) + (1 if rack.loose else 0)


def _warnings(rack: RackFace) -> list[tuple[str, ...]]:
    """What is over a limit, each in lines that fit under the rack."""
    return [folded([text], _WIDTH - 18, 11) for text in rack.over]


def paint_row(ink: Ink, row: RowFaces, head: tuple[str, ...], width: float) -> None:
    """Paint a row; all racks stand on one line."""
    top = draw_head(ink, row.title, head, width)
    highest = max((rack.units for rack in row.racks), default=0)
    floor = top + _HEAD + highest * UNIT
    for index, rack in enumerate(row.racks):
        _rack(ink, rack, MARGIN + index * _STEP, floor)
    if row.racks:
        ink.rule(MARGIN, round(floor + 10), width - 2 * MARGIN, "border.strong")


def _rack(ink: Ink, rack: RackFace, left: float, floor: float) -> None:
    x = left + _NUMBERS
    top = floor - rack.units * UNIT
    _name(ink, rack, x, top)
    edge = "severity.error" if rack.over else "border.strong"
    ink.box(x - 4, top - 6, _WIDTH + 8, rack.units * UNIT + 16, "canvas.device_inner", edge, 4,
            2.0 if rack.over else 1.0)  # fmt: skip
    for unit in range(1, rack.units + 1):
        y = floor - unit * UNIT
        ink.box(x, y, _WIDTH, UNIT, "canvas.page", "border.subtle")
        for at, align in ((left + _NUMBERS - 8, "right"), (x + _WIDTH + 8, "left")):
            ink.text(at, y, str(unit), 10, 400, "text.tertiary", align)  # type: ignore[arg-type]
    for box in rack.boxes:
        _device(ink, rack, box, x, floor)
    _foot(ink, rack, x, floor + 14)


def _name(ink: Ink, rack: RackFace, x: float, top: float) -> None:
    """Place and name above a rack, with a tab in the colour of its share."""
    y = top - _HEAD + 8
    ground = fill_of(ink, rack.tone, rack.share)
    place = rack.place or "–"
    wide = ink.width_of(place, 14, 600) + 16
    ink.box(x - 4, y, wide, 22, ground, "canvas.device_border", 3)
    ink.text(x - 4 + wide / 2, y, place, 14, 600, text_on(ink, ground), "center", height=22)
    names = wrapped(ink, rack.name, _WIDTH - wide - 8, 12, 600)
    for index, line in enumerate(names[:2]):
        ink.text(x + wide + 4, y + 3 + index * 15 - (6 if names[1:] else 0), line, 12, 600,
                 width=_WIDTH - wide - 4, elide="middle")  # fmt: skip


def _device(ink: Ink, rack: RackFace, box: Box, x: float, floor: float) -> None:
    """A device at its units; one that clashes stands in the right half with a red edge."""
    y, h = floor - (box.unit + box.height - 1) * UNIT, box.height * UNIT
    left, w = (x + _WIDTH / 2, _WIDTH / 2) if box.clash else (x, _WIDTH)
    out = box.clash or box.unit < 1 or box.unit + box.height - 1 > rack.units
    edge = "severity.error" if out else "canvas.device_border"
    ink.box(left, y, w, h, "canvas.device_fill", edge, 2, 2.0 if out else 1.0)
    middle = y + h / 2
    ink.icon(ICONS[box.kind], left + 5, middle - 6, 12, "text.secondary")
    figure = box.figure if w > 120 else ""
    end = left + w - 6
    if figure:
        end -= ink.width_of(figure, 10) + 8
        ink.text(left + w - 6, middle - 8, figure, 10, 400, "text.secondary", "right")
    ink.text(left + 22, middle - 8, box.name, 10, 600, width=end - left - 24, elide="middle")


def _foot(ink: Ink, rack: RackFace, x: float, y: float) -> None:
    """The air at the front, then figures, then what is over and what has no place."""
    _air(ink, rack, x, y)
    y += _AIR
    for line in rack.lines:
        ink.text(x, y, line, 11, 400, "text.secondary", width=_WIDTH)
        y += LINE
    for lines in _warnings(rack):
        ink.icon("error", x, y + 1, 14, "severity.error")
        for line in lines:
            ink.text(x + 18, y, line, 11, 500, "severity.error", width=_WIDTH - 16)
            y += LINE
    if rack.loose:
        words = f"No unit: {', '.join(rack.loose)}"
        ink.text(x, y, words, 11, 500, "severity.warning", width=_WIDTH)


def _air(ink: Ink, rack: RackFace, x: float, y: float) -> None:
    """An arrow into the front or out of it."""
    if not rack.airflow:
        ink.text(x, y + 4, "Airflow not known", 10, 400, "text.tertiary")
        return
    if rack.airflow in ("front-to-back", "back-to-front"):
        inward = rack.airflow == "front-to-back"
        tip, tail = (y + 2, y + 18) if inward else (y + 18, y + 2)
        ink.line(x + 8, tip, x + 8, tail, "accent.base", 2.0)
        side = 5 if inward else -5
        ink.polygon([(x + 8, tip - side), (x + 3, tip + side), (x + 13, tip + side)], "accent.base")
        words = "Air in at the front" if inward else "Air out at the front"
        ink.text(x + 22, y + 2, words, 10, 400, "text.secondary")
        return
    other = {"side-to-side": "Air from side to side", "liquid": "Cooled by liquid"}
    ink.text(x, y + 2, other.get(rack.airflow, rack.airflow), 10, 400, "text.secondary")
