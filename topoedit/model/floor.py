"""The floor of a room: its grid of racks, what stands in the way, and the trays for cables.

The figures that a floor starts with: racks 0.6 m wide, rows 3 m apart (1.2 m racks and a 1.8 m mean
of hot and cold aisle), trays overhead at 2.6 m, racks on a plinth of 0.1 m; slack of 10 % and of
0.5 m at each end; inside a rack 0.5 m for both turns of a cable. One rack unit is 44.45 mm
(EIA-310).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Obstacle = Literal["pillar", "wall", "cooling", "power", "door", "kept-free"]
Tray = Literal["overhead", "underfloor"]
Airflow = Literal["", "front-to-back", "back-to-front", "side-to-side", "liquid"]

UNIT_M = 0.04445
STOPS_TRAYS: frozenset[Obstacle] = frozenset(("pillar", "wall", "cooling"))
"""Obstacles that reach from the floor to the ceiling: no tray passes through them."""

Metres = Annotated[float, msgspec.Meta(ge=0, le=1000)]
Pitch = Annotated[float, msgspec.Meta(gt=0, le=100)]
Share = Annotated[float, msgspec.Meta(ge=0, le=10)]
Place = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]
Word = Annotated[str, msgspec.Meta(max_length=40)]


class Blocked(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Cells of the grid where no rack may stand.

    Attributes:
        row, column: the cell.
        to_row, to_column: the far corner of a block of cells ("" and None for one cell).
        what: what is there; a pillar, wall or cooling unit stops trays as well.
    """

    row: Word
    column: Place
    to_row: Word = ""
    to_column: Place | None = None
    what: Obstacle = "kept-free"


class Floor(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How racks stand in a room and how cables run between them.

    Attributes:
        rack_pitch_m: from rack to rack in a row; row_pitch_m: from row to row.
        rows: labels of the rows from the front; empty for letters (or numbers from 1).
        columns: places in a row, None if only those in use are known.
        tray: where cables run; tray_m: height of the trays above the floor, or depth below it.
        plinth_m: height of unit 1 above the floor.
        cross: columns over which a tray crosses the rows; empty for trays across everywhere.
        slack_share: slack as a share of the way; slack_m: further slack at each end.
        turns_m: what the turns of a cable take inside a rack.
        bend_m: smallest bend radius; a cable in a rack has room for two half circles of it.
        entry_row, entry_column: where cables come into the room; unset for its first place.
        blocked: cells where no rack may stand.
    """

    rack_pitch_m: Pitch = 0.6
    row_pitch_m: Pitch = 3.0
    rows: Annotated[tuple[Word, ...], msgspec.Meta(max_length=10_000)] = ()
    columns: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    tray: Tray = "overhead"
    tray_m: Metres = 2.6
    plinth_m: Metres = 0.1
    cross: Annotated[tuple[Place, ...], msgspec.Meta(max_length=10_000)] = ()
    slack_share: Share = 0.1
    slack_m: Metres = 0.5
    turns_m: Metres = 0.5
    bend_m: Metres = 0.0
    entry_row: Word = ""
    entry_column: Place | None = None
    blocked: Annotated[tuple[Blocked, ...], msgspec.Meta(max_length=10_000)] = ()


class Way(msgspec.Struct, frozen=True, omit_defaults=True):
    """The length of cable between the entries of two rooms, or of two buildings' rooms.

    Attributes:
        a, b: ids of two rooms, buildings or sites.
        metres: from tray to tray.
    """

    a: str
    b: str
    metres: Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]


DEFAULT = Floor()
