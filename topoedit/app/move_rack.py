"""Moving one rack over the floor: where it may go, and the edit that puts it there."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from topoedit.errors import BadEditError
from topoedit.layout.standing import Area, Standing, row_label, standing
from topoedit.layout.trays import block_columns, block_rows
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.floor import Blocked


class Cell(NamedTuple):
    """A place of a grid: the label of its row, its column, and its middle in metres."""

    row: str
    column: int
    x_m: float
    y_m: float


def cell_at(area: Area, x_m: float, y_m: float) -> Cell:
    """The cell nearest to a place on a floor.

    Rows are those in use and, where rows go by letters, those between and behind them.
    """
    pitch, rows = area.floor.rack_pitch_m, area.floor.row_pitch_m
    column = round(x_m / pitch + 0.5)
    if area.floor.columns is not None:
        column = min(max(column, 1), area.floor.columns)
    labelled = [line for line in area.lines if line.label]
    near = min(labelled, key=lambda line: abs(line.y_m - y_m), default=None)
    by_letter = all(
        line.index is not None and line.label == row_label(line.index) for line in labelled
    )
    if near is None or (by_letter and not area.floor.rows and abs(near.y_m - y_m) > rows / 2):
        number = max(0, round(y_m / rows))
        return Cell(row_label(number), column, area.x_of(column), number * rows)
    return Cell(near.label, column, area.x_of(column), near.y_m)


def move_rack(document: Document, rack_id: str, cell: Cell, stands: Standing | None = None) -> Edit:
    """Put a rack on a cell of the floor where it stands.

    Raises:
        BadEditError: there is no such rack, or the cell is taken or blocked.
    """
    rack = document.groups.get(rack_id)
    if rack is None or rack.kind != "rack":
        raise BadEditError("there is no such rack", rack_id)
    stands = stands if stands is not None else standing(document)
    area = stands.areas[stands.area_of[rack_id]]
    place = f"{cell.row}{cell.column:02d}"
    blocked = _blocked(area, cell)
    if blocked is not None:
        raise BadEditError(f"{place} is blocked ({blocked.what.replace('-', ' ')})", rack.name)
    for other in area.racks:
        spot = stands.spots.get(other)
        if other == rack_id or spot is None:
            continue
        near = abs(spot.x_m - cell.x_m) < area.floor.rack_pitch_m / 2
        if near and abs(spot.y_m - cell.y_m) < area.floor.row_pitch_m / 4:
            raise BadEditError(f"{document.groups[other].name} stands at {place}", rack.name)
    moved = replace(rack, row=cell.row, column=cell.column, x_m=None, y_m=None)
    label = f"Move {rack.name} to {place}"
    return Edit(label, put=() if moved == rack else (moved,))


def _blocked(area: Area, cell: Cell) -> Blocked | None:
    line = area.line_of(cell.row)
    for block in area.floor.blocked:
        first, last = block_rows(area, block)
        low, high = block_columns(block)
        if line is not None and first <= line <= last and low <= cell.column <= high:
            return block
    return None
