"""Where racks stand: the rooms of a drawing, their rows, and every rack's place in metres."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from topoedit.model import floor as floors
from topoedit.model.elements import Group, Settings
from topoedit.model.floor import Floor
from topoedit.model.ports import natural_key

_LETTERS = re.compile("[A-Z]{1,2}")
_MOST_NUMBER = 10_000


class Grounds(Protocol):
    """What places follow from: a document, or its groups as they are to become."""

    @property
    def groups(self) -> Mapping[str, Group]:
        """The groups by id."""
        ...

    @property
    def settings(self) -> Settings:
        """The settings of the drawing."""
        ...


class Spot(NamedTuple):
    """The place of a rack.

    Attributes:
        area: id of its room, else of its building or site, "" for the drawing.
        line: row of trays that it stands at, from 0.
        x_m, y_m: its centre, along the rows and across them.
    """

    area: str
    line: int
    x_m: float
    y_m: float


@dataclass(frozen=True)
class Line:
    """A row of racks and the tray along it.

    Attributes:
        label: name of the row, "" for racks that stand at no named row.
        index: its number on the grid, None where it lies off it.
    """

    label: str
    index: int | None
    y_m: float


@dataclass(frozen=True)
class Area:
    """A room, or what is taken for one: all racks of a building, site or drawing in no room.

    Attributes:
        id, name: of the group; "" for the drawing itself.
        around: ids of the groups around it, the nearest first, its own at the head.
        lines: rows of trays in the order in which they lie.
        racks: ids of its racks, those without a place too.
        is_room: it is a room, not what is taken for one.
    """

    id: str
    name: str
    around: tuple[str, ...]
    floor: Floor
    lines: tuple[Line, ...]
    racks: tuple[str, ...]
    is_room: bool = False

    def line_of(self, label: str) -> int | None:
        """Number of the row with this label."""
        return next((n for n, line in enumerate(self.lines) if line.label == label), None)

    def x_of(self, column: int) -> float:
        """Middle of a column of the grid, metres."""
        return (column - 0.5) * self.floor.rack_pitch_m


@dataclass(frozen=True)
class Standing:
    """All areas and places of racks of a drawing.

    Attributes:
        areas: by id; spots: rack id -> place, only of racks whose place is known.
        area_of: rack id -> id of its area.
    """

    areas: Mapping[str, Area]
    spots: Mapping[str, Spot]
    area_of: Mapping[str, str]


def row_label(row: int) -> str:
    """The letter of a row from 0: A to Z, then AA.

    >>> row_label(0), row_label(27)
    ('A', 'AB')
    """
    head, tail = divmod(row, 26)
    return (row_label(head - 1) if head else "") + chr(ord("A") + tail)


def letters_index(label: str) -> int:
    """The row of a letter, the inverse of `row_label`.

    >>> letters_index("AB")
    27
    """
    index = 0
    for letter in label:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


def row_numbers(labels: Iterable[str], floor: Floor) -> dict[str, int]:
    """Number of each row from 0.

    The rows that the floor lists come as listed, others behind them. Without a list, letters and
    numbers say it themselves if all rows have one; else the rows lie in the order of their names.
    """
    names = set(labels) - {""}
    if floor.rows:
        known = {label: number for number, label in enumerate(floor.rows) if label}
        rest = sorted(names - known.keys(), key=natural_key)
        return known | {label: len(floor.rows) + n for n, label in enumerate(rest)}
    if all(_LETTERS.fullmatch(name.upper()) for name in names):
        return {name: letters_index(name.upper()) for name in names}
    if all(name.isdecimal() and len(name) < 6 for name in names):
        numbers = {name: int(name) for name in names}
        if max(numbers.values()) <= _MOST_NUMBER and len(set(numbers.values())) == len(numbers):
            low = min(1, *numbers.values())
            return {name: number - low for name, number in numbers.items()}
    return {label: number for number, label in enumerate(sorted(names, key=natural_key))}


def standing(document: Grounds) -> Standing:
    """Where everything stands."""
    around = {group.id: chain(document, group.id) for group in document.groups.values()}
    racks: dict[str, list[Group]] = defaultdict(list)
    for group in document.groups.values():
        if group.kind == "rack":
            racks[_area_id(document, group, around[group.id])].append(group)
        elif group.kind == "room":
            racks.setdefault(group.id, [])
    areas: dict[str, Area] = {}
    spots: dict[str, Spot] = {}
    area_of: dict[str, str] = {}
    for area_id, members in racks.items():
        area, places = _area(document, area_id, around.get(area_id, ()), members)
        areas[area_id] = area
        spots |= places
        area_of |= dict.fromkeys(area.racks, area_id)
    return Standing(areas, spots, area_of)


def chain(document: Grounds, group_id: str) -> tuple[str, ...]:
    """Ids of a group and of those around it, itself first."""
    found: list[str] = []
    while group_id and group_id not in found:
        group = document.groups.get(group_id)
        if group is None:
            break
        found.append(group_id)
        group_id = group.parent
    return tuple(found)


def _area_id(document: Grounds, rack: Group, around: tuple[str, ...]) -> str:
    """The room of a rack, else the building or the site around it."""
    if rack.room in document.groups:
        return rack.room
    by_kind = {document.groups[i].kind: i for i in reversed(around)}
    return by_kind.get("room") or by_kind.get("building") or by_kind.get("site") or ""


def _area(
    document: Grounds, area_id: str, around: tuple[str, ...], racks: list[Group]
) -> tuple[Area, dict[str, Spot]]:
    group = document.groups.get(area_id)
    own = group.floor if group is not None else None
    floor = own or document.settings.floor or floors.DEFAULT
    racks = sorted(racks, key=lambda rack: (natural_key(rack.name), rack.id))
    lines = _lines(floor, racks)
    of_row = {line.label: number for number, line in enumerate(lines) if line.label}
    of_y = {line.y_m: number for number, line in enumerate(lines) if not line.label}
    spots: dict[str, Spot] = {}
    for rack in racks:
        line = of_row.get(rack.row) if rack.row else of_y.get(_y(rack))
        x = rack.x_m
        if x is None and rack.column is not None:
            x = (rack.column - 0.5) * floor.rack_pitch_m
        if line is not None and x is not None:
            y = lines[line].y_m if rack.y_m is None else rack.y_m
            spots[rack.id] = Spot(area_id, line, x, y)
    name = group.name if group is not None else ""
    ids = tuple(rack.id for rack in racks)
    is_room = group is not None and group.kind == "room"
    return Area(area_id, name, around, floor, lines, ids, is_room), spots


def _y(rack: Group) -> float:
    return float("nan") if rack.y_m is None else round(rack.y_m, 3)


def _lines(floor: Floor, racks: list[Group]) -> tuple[Line, ...]:
    """Rows in use, listed or with blocked cells; a row lies at the mean of its racks' `y_m`."""
    labels = {rack.row for rack in racks} | {b.row for b in floor.blocked}
    labels |= {b.to_row for b in floor.blocked if b.to_row}
    numbers = row_numbers(labels, floor)
    given: dict[str, list[float]] = defaultdict(list)
    for rack in racks:
        if rack.row and rack.y_m is not None:
            given[rack.row].append(rack.y_m)
    lines = []
    for label, number in numbers.items():
        ys = given.get(label)
        y = sum(ys) / len(ys) if ys else number * floor.row_pitch_m
        lines.append(Line(label, number, y))
    loose = {_y(rack) for rack in racks if not rack.row and rack.y_m is not None}
    lines += [Line("", None, y) for y in loose]
    return tuple(sorted(lines, key=lambda line: (line.y_m, line.label)))
