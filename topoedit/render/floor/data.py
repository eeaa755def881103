"""What floor plans and rack elevations show: plain data, metres and words, no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from topoedit.catalog.types import Kind

Tone = Literal["share", "shade", "none"]
"""Coloured by a share of a limit, shaded grey by its size, or not known."""


@dataclass(frozen=True)
class PlanRack:
    """A rack on a floor plan.

    Attributes:
        x_m, y_m: its centre.
        place: row and column, such as `A07`.
        tone, share: how it is coloured; the share of the limit, or of the largest for a shade.
        number: the figure that the colour stands for; lines: further ones.
        over: it is over a limit.
    """

    id: str
    name: str
    x_m: float
    y_m: float
    place: str
    tone: Tone
    share: float
    number: str
    lines: tuple[str, ...] = ()
    over: bool = False


@dataclass(frozen=True)
class Key:
    """One colour of a legend and what it stands for."""

    tone: Tone
    share: float
    words: str


@dataclass(frozen=True)
class PlanRow:
    """A row of a plan: its letter, where it lies, and its roll-up."""

    label: str
    y_m: float
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlanCell:
    """Cells that are blocked, from edge to edge, metres."""

    left_m: float
    top_m: float
    right_m: float
    bottom_m: float
    text: str


@dataclass(frozen=True)
class PlanRoom:
    """The plan of one room.

    Attributes:
        title, lines: head of the sheet.
        pitch_m: width of a rack's place; depth_m: depth of a rack.
        left_m, right_m: extent of the grid along the rows.
        columns: number of a column and the middle of it.
        crossings_m: where trays cross the rows; None for everywhere.
        legend: what the colours stand for; ramp: shares are in use; keys: further colours.
        notes: small print.
        loose: names of racks whose place is not known.
    """

    title: str
    lines: tuple[str, ...]
    pitch_m: float
    depth_m: float
    left_m: float
    right_m: float
    rows: tuple[PlanRow, ...]
    columns: tuple[tuple[int, float], ...]
    racks: tuple[PlanRack, ...]
    cells: tuple[PlanCell, ...] = ()
    crossings_m: tuple[float, ...] | None = None
    tray: str = "overhead"
    legend: str = ""
    ramp: bool = True
    keys: tuple[Key, ...] = ()
    notes: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    id: str = ""


@dataclass(frozen=True)
class Box:
    """A device in an elevation: its lowest unit and height, and a figure."""

    name: str
    kind: Kind
    unit: int
    height: int
    figure: str = ""
    clash: bool = False


@dataclass(frozen=True)
class RackFace:
    """A rack seen from its front.

    Attributes:
        place: row and column.
        units: its height.
        lines: figures under it; over: what is above a limit.
        airflow: in words, "" if unknown.
        loose: names of devices whose unit or height is not known.
        tone, share: as on the plan.
    """

    id: str
    name: str
    place: str
    units: int
    boxes: tuple[Box, ...]
    lines: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    airflow: str = ""
    loose: tuple[str, ...] = ()
    tone: Tone = "none"
    share: float = 0.0


@dataclass(frozen=True)
class RowFaces:
    """The racks of a row side by side."""

    title: str
    lines: tuple[str, ...]
    racks: tuple[RackFace, ...] = ()
