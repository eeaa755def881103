"""Names and figures on plates, and the choice of which lines get one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from topoedit.render.ink import Color, Ink
from topoedit.render.theme import number

MOST_LABELS = 40
"""More plates than these are never shown at once."""
_CELL = 16.0


@dataclass(frozen=True)
class Plate:
    """A label that wants to be shown.

    Attributes:
        x, y: where its middle should be, in pixels.
        text: what it says.
        priority: higher ones are placed first.
        edge: colour of its border.
    """

    x: float
    y: float
    text: str
    priority: float = 0.0
    edge: Color = "canvas.group_border"
    px: int = 10


def plate_rect(ink: Ink, plate: Plate) -> QRectF:
    """The box of a plate."""
    height = number("glyph.plate_h") + (2 if plate.px > 10 else 0)
    width = ink.width_of(plate.text, plate.px, 600) + 2 * number("glyph.plate_pad")
    return QRectF(round(plate.x - width / 2), round(plate.y - height / 2), round(width), height)


def draw_plate(ink: Ink, plate: Plate) -> QRectF:
    """Draw a plate over whatever is there."""
    rect = plate_rect(ink, plate)
    if ink.log is not None:
        ink.log.cover(rect)
    ink.box(
        rect.x(), rect.y(), rect.width(), rect.height(), "canvas.label_plate", plate.edge,
        number("radius.chip"),
    )  # fmt: skip
    ink.text(
        rect.center().x(), rect.y(), plate.text, plate.px, 600, "canvas.label", "center",
        height=rect.height(),
    )  # fmt: skip
    return rect


class UsedCells:
    """A grid of the parts of the window that hold a label already."""

    def __init__(self) -> None:
        self._cells: set[tuple[int, int]] = set()

    def take(self, rect: QRectF) -> bool:
        """Claim a box; false if another label is there."""
        cells = _cells_of(rect)
        if cells & self._cells:
            return False
        self._cells |= cells
        return True

    def cover(self, rect: QRectF) -> None:
        """Keep labels off a box, whether something else is there already or not."""
        self._cells |= _cells_of(rect)


def _cells_of(rect: QRectF) -> set[tuple[int, int]]:
    return {
        (column, row)
        for column in range(int(rect.left() // _CELL), int(rect.right() // _CELL) + 1)
        for row in range(int(rect.top() // _CELL), int(rect.bottom() // _CELL) + 1)
    }


def choose_plates(
    ink: Ink, plates: Iterable[Plate], taken: Iterable[QRectF] = (), most: int = MOST_LABELS
) -> list[Plate]:
    """The plates that can be shown together: by priority, none over another or over `taken`."""
    used = UsedCells()
    for rect in taken:
        used.cover(rect)
    chosen: list[Plate] = []
    for plate in sorted(plates, key=lambda p: -p.priority):
        if len(chosen) >= most:
            break
        if used.take(plate_rect(ink, plate)):
            chosen.append(plate)
    return chosen
