"""Rack lists: one row a rack with its place, height, power and feeds, from CSV or XLSX.

Columns are known by their heads, in any order and in the words that people use (`COLUMNS` are
ours); a unit in the head (`x (mm)`, `power_w`) is heeded. Of a workbook the first sheet with such
columns is read, and all others with the same. A rack may have several rows that each name one
`device` and its `unit`, or one row with all of them in `devices` as `U1 node-1; U9 node-2`. A row
with no name and something in `blocked` is a cell where no rack may stand. Every bad row is one
line that names row and column, and gives nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import NamedTuple, cast, get_args

from topoedit.errors import BadFileError
from topoedit.io.spreadsheet import Cell, SheetRow, column_letters, read_sheets
from topoedit.model.floor import Airflow, Obstacle
from topoedit.model.indexes import CONTROL, MAX_NAME

COLUMNS = (
    "name", "room", "row", "column", "x_m", "y_m", "units", "power_kw", "feed_a_kw", "feed_b_kw",
    "cooling_kw", "load_kg", "airflow", "devices", "blocked",
)  # fmt: skip
MOST_PROBLEMS = 100
_MOST_SEEN = 12


@dataclass(frozen=True)
class RackRow:
    """One rack, or one blocked cell, as the list gives it; what a list does not say is None.

    Attributes:
        line: number of its (first) row in the file.
        named: the list gives the name; else it is made from the place.
        x, y: as they stand under heads without a unit.
        devices: rack unit, None if not given, and name of devices in it.
    """

    line: int
    name: str = ""
    named: bool = True
    room: str | None = None
    row: str | None = None
    column: int | None = None
    x: float | None = None
    y: float | None = None
    x_m: float | None = None
    y_m: float | None = None
    units: int | None = None
    power_kw: float | None = None
    feed_a_kw: float | None = None
    feed_b_kw: float | None = None
    cooling_kw: float | None = None
    load_kg: float | None = None
    airflow: Airflow | None = None
    blocked: Obstacle | None = None
    devices: tuple[tuple[int | None, str], ...] = ()


@dataclass(frozen=True)
class RackList:
    """What a list holds.

    Attributes:
        racks: named racks, each once; cells: blocked cells.
        problems: one line for each row that cannot be used.
        notes: how it was read, and what in it was left aside.
        bad_rows: how many rows cannot be used, told or not.
    """

    racks: tuple[RackRow, ...] = ()
    cells: tuple[RackRow, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    bad_rows: int = 0


def read_rack_list(path: Path) -> RackList:
    """The racks of a file.

    Raises:
        BadFileError: it cannot be read, or has no column by which a rack could be known.
    """
    return parse_rack_list(read_sheets(path), str(path))


def parse_rack_list(rows: Iterable[SheetRow], where: str = "") -> RackList:
    """The racks of the rows of a table; the first row of each sheet is its head."""
    reader = _Reader(where)
    for row in rows:
        reader.take(row)
    return reader.result()


class _Head(NamedTuple):
    """What a column holds, and how a number in it becomes one of ours."""

    at: int
    field: str
    factor: float
    text: str


@dataclass
class _Reader:
    where: str
    heads: list[_Head] = field(default_factory=list)
    sheet: str | None = None
    known: bool = False
    width: int = 0
    seen: list[str] = field(default_factory=list)
    rows: int = 0
    first: set[str] = field(default_factory=set)
    racks: dict[str, RackRow] = field(default_factory=dict)
    cells: list[RackRow] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def take(self, row: SheetRow) -> None:
        if row.sheet != self.sheet:
            self.sheet = row.sheet
            self._head(row)
        elif self.heads:
            self.rows += 1
            if not row.sheet and len(row.cells) > self.width:  # values may stand under wrong heads
                cells = f"{len(row.cells)} cells, the head has {self.width}"
                self.problems.append(f"row {row.number} has {cells}")
                return
            try:
                self._row(row)
            except ValueError as error:
                self.problems.append(f"{_place(row)}{error}")

    def _head(self, row: SheetRow) -> None:
        found, aside = _heads(row.cells)
        names = {head.field for head in found}
        self.heads, self.width = [], len(row.cells)
        if not names & {"name", "row", "x", "x_m"}:
            self.seen += [_shown(text) for cell in row.cells if (text := str(cell or "").strip())]
            return
        if twice := _twice(row.cells):
            raise BadFileError(
                f"{_place(row)}{twice}", self.where, "Leave one out, or give it another head"
            )
        if self.known and names != self.first:
            self.notes.append(f'sheet "{_shown(row.sheet)}" left aside: it has other columns')
            return
        self.heads, self.known, self.first = found, True, names
        if aside:
            self.notes.append(f"columns left aside: {', '.join(aside)}")

    def _row(self, row: SheetRow) -> None:
        made = _read_row(row, self.heads)
        if made.blocked is not None and not made.name:
            if not made.row or made.column is None:
                raise ValueError("a blocked cell needs a row and a column")
            self.cells.append(made)
            return
        if not made.name:
            made = replace(made, name=_place_name(made), named=False)
        before = self.racks.get(made.name)
        self.racks[made.name] = made if before is None else _joined(before, made)

    def result(self) -> RackList:
        if not self.known:
            heads = ", ".join(self.seen[:_MOST_SEEN]) or "nothing"
            more = f" and {len(self.seen) - _MOST_SEEN} more" if len(self.seen) > _MOST_SEEN else ""
            raise BadFileError(
                f"is no rack list: its heads are {heads}{more}, none of them name, row, x or x_m",
                self.where, f"Give its first row heads such as {', '.join(COLUMNS)}",
            )  # fmt: skip
        if not self.rows:
            self.notes.append("the list has heads and no rows under them")
        racks = _placed(list(self.racks.values()), self.notes)
        problems = self.problems[:MOST_PROBLEMS]
        if len(self.problems) > MOST_PROBLEMS:
            problems.append(f"and {len(self.problems) - MOST_PROBLEMS:,} more bad rows")
        return RackList(
            tuple(racks), tuple(self.cells), tuple(problems), tuple(self.notes), len(self.problems)
        )


# -- heads ---------------------------------------------------------------------------------------

_NAMES: dict[str, str] = {
    "name": "name", "rack": "name", "rackname": "name", "rackid": "name", "cabinet": "name",
    "cabinetname": "name", "room": "room", "hall": "room", "datahall": "room", "roomname": "room",
    "row": "row", "rowname": "row", "rowlabel": "row", "column": "column", "col": "column",
    "position": "column", "number": "column", "x": "x", "y": "y", "units": "units", "u": "units",
    "height": "units", "rackunits": "units", "ru": "units", "uheight": "units", "kw": "power_kw",
    "power": "power_kw", "powerlimit": "power_kw", "budget": "power_kw", "powerbudget": "power_kw",
    "feeda": "feed_a_kw", "afeed": "feed_a_kw", "a": "feed_a_kw", "feedb": "feed_b_kw",
    "bfeed": "feed_b_kw", "b": "feed_b_kw", "cooling": "cooling_kw", "coolinglimit": "cooling_kw",
    "load": "load_kg", "weight": "load_kg", "weightlimit": "load_kg", "maxweight": "load_kg",
    "loadlimit": "load_kg", "airflow": "airflow", "air": "airflow", "devices": "devices",
    "contents": "devices", "device": "device", "equipment": "device", "unit": "unit",
    "deviceunit": "unit", "blocked": "blocked", "obstacle": "blocked",
}  # fmt: skip
_UNITS: dict[str, dict[str, float]] = {
    "x": {"m": 1.0, "cm": 0.01, "mm": 0.001},
    "y": {"m": 1.0, "cm": 0.01, "mm": 0.001},
    "power_kw": {"kw": 1.0, "w": 0.001},
    "feed_a_kw": {"kw": 1.0, "w": 0.001},
    "feed_b_kw": {"kw": 1.0, "w": 0.001},
    "cooling_kw": {"kw": 1.0, "w": 0.001},
    "load_kg": {"kg": 1.0, "t": 1000.0},
    "units": {"u": 1.0},
}


def _heads(cells: Sequence[Cell]) -> tuple[list[_Head], list[str]]:
    """The columns that are known, and the heads of others."""
    found: list[_Head] = []
    aside: list[str] = []
    for index, cell in enumerate(cells):
        text = str(cell or "").strip()
        name, factor = _column(text)
        if name and name not in {head.field for head in found}:
            found.append(_Head(index, name, factor, text))
        elif text:
            aside.append(_shown(text))
    return found, aside


def _twice(cells: Sequence[Cell]) -> str:
    """Says which head of ours stands there twice in the same words; "" if none does."""
    seen: dict[str, int] = {}
    for index, cell in enumerate(cells):
        text = str(cell or "").strip()
        words = " ".join(re.findall("[a-z]+", text.lower()[:80]))
        if not _column(text)[0]:
            continue
        if words in seen:
            first, second = column_letters(seen[words]), column_letters(index)
            return f'the head "{_shown(text)}" stands in columns {first} and {second}'
        seen[words] = index
    return ""


def _column(text: str) -> tuple[str, float]:
    """Field and factor of a head; "" if it is not one of ours.

    >>> _column("Feed A (kW)"), _column("x_mm"), _column("Power [W]")
    (('feed_a_kw', 1.0), ('x_m', 0.001), ('power_kw', 0.001))
    """
    words = re.findall("[a-z]+", text.lower()[:80])
    whole = _NAMES.get("".join(words))
    if whole is not None:
        return whole, 1.0
    name = _NAMES.get("".join(words[:-1]), "") if len(words) > 1 else ""
    factor = _UNITS.get(name, {}).get(words[-1]) if words else None
    if factor is None:
        return "", 1.0
    return (f"{name}_m" if name in ("x", "y") else name), factor


# -- cells ---------------------------------------------------------------------------------------

_LIMITS: dict[str, tuple[float, float]] = {
    "column": (-100_000, 100_000), "x": (-100_000, 100_000), "y": (-100_000, 100_000),
    "x_m": (-100_000, 100_000), "y_m": (-100_000, 100_000), "units": (1, 200), "unit": (1, 200),
    "power_kw": (0, 100_000), "feed_a_kw": (0, 100_000), "feed_b_kw": (0, 100_000),
    "cooling_kw": (0, 100_000), "load_kg": (0, 1_000_000),
}  # fmt: skip
_WHOLE = ("column", "units", "unit")
_TEXT_LIMITS = {"row": 40, "room": MAX_NAME, "name": MAX_NAME, "device": MAX_NAME}
_AIRFLOWS: dict[str, Airflow] = {
    "fronttoback": "front-to-back", "fronttorear": "front-to-back", "f2b": "front-to-back",
    "f2r": "front-to-back", "ftb": "front-to-back", "ftr": "front-to-back",
    "backtofront": "back-to-front", "reartofront": "back-to-front", "b2f": "back-to-front",
    "r2f": "back-to-front", "btf": "back-to-front", "rtf": "back-to-front",
    "sidetoside": "side-to-side", "lefttoright": "side-to-side", "righttoleft": "side-to-side",
    "liquid": "liquid", "dlc": "liquid", "directliquid": "liquid", "water": "liquid",
}  # fmt: skip
_OBSTACLES: dict[str, Obstacle] = {
    "column": "pillar", "pillar": "pillar", "wall": "wall", "crac": "cooling", "crah": "cooling",
    "cdu": "cooling", "cooling": "cooling", "pdu": "power", "ups": "power", "power": "power",
    "door": "door", "keptfree": "kept-free", "free": "kept-free", "blocked": "kept-free",
    "yes": "kept-free", "x": "kept-free", "true": "kept-free",
}  # fmt: skip
_PART = re.compile(r'[^";]*(?:"(?:[^"]|"")*")?[^";]*')
_UNIT = re.compile(r"U(\d{1,3})\s+(?=\S)")


def _read_row(row: SheetRow, heads: Sequence[_Head]) -> RackRow:
    """One row; raises ValueError with column and reason."""
    values: dict[str, object] = {}
    for head in heads:
        cell = row.cells[head.at] if head.at < len(row.cells) else None
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            continue
        try:
            values[head.field] = _value(cell, head)
        except ValueError as error:
            column = column_letters(head.at)
            raise ValueError(f"column {column} ({_shown(head.text)}): {error}") from None
    device, unit = values.pop("device", None), values.pop("unit", None)
    if device is not None:
        inside = cast("tuple[tuple[int | None, str], ...]", values.get("devices", ()))
        values["devices"] = (*inside, (unit, device))
    return RackRow(row.number, **values)  # type: ignore[arg-type]


def _value(cell: Cell, head: _Head) -> object:
    name = head.field
    if name in _LIMITS:
        return _number(cell, head)
    text = _text(cell)
    if name == "airflow":
        return _word(text, _AIRFLOWS, get_args(Airflow)[1:])
    if name == "blocked":
        return _word(text, _OBSTACLES, get_args(Obstacle))
    if name == "devices":
        return _devices(text)
    limit = _TEXT_LIMITS[name]
    if len(text) > limit:
        raise ValueError(f"a text of {len(text):,} letters, at most {limit}")
    if CONTROL.search(text):
        raise ValueError("a line break or control character")
    return text


def _text(cell: Cell) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))  # a spreadsheet makes 7 of the row "7" into 7.0
    return str(cell).strip()


def _number(cell: Cell, head: _Head) -> float | int:
    low, high = _LIMITS[head.field]
    if isinstance(cell, bool):
        raise ValueError(f'"{cell}" is no number')
    if isinstance(cell, str):
        text = cell.strip().replace("\u2212", "-")
        if head.field in ("units", "unit"):
            text = text.upper().removeprefix("U").removesuffix("U").strip()
        if re.fullmatch(r"-?\d+,\d+", text):
            text = text.replace(",", ".")  # as half the world writes it
        if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", text):
            raise ValueError(f'"{_shown(cell)}" is no number')
        cell = float(text)
    if isinstance(cell, int) and abs(cell) > 10**12:
        raise ValueError(f"lies outside {low:,} to {high:,}")
    value = round(float(cell or 0) * head.factor, 9)
    if not low <= value <= high:
        raise ValueError(f"{value:g} lies outside {low:,} to {high:,}")
    if head.field not in _WHOLE:
        return value
    if not value.is_integer():
        raise ValueError(f"{value:g} is no whole number")
    return int(value)


def _word(text: str, words: dict[str, object] | dict[str, Airflow] | dict[str, Obstacle],
          offered: Sequence[str]) -> object:  # fmt: skip
    found = words.get("".join(re.findall("[a-z0-9]+", text.lower()[:80])))
    if found is None:
        raise ValueError(f'"{_shown(text)}" is none of {", ".join(offered)}')
    return found


def _devices(text: str) -> tuple[tuple[int | None, str], ...]:
    """`U1 node-1; U9 node-2` as units and names."""
    found: list[tuple[int | None, str]] = []
    at = 0
    while at < len(text):
        match = _PART.match(text, at)
        end = match.end() if match is not None else at
        if end < len(text) and text[end] != ";":
            raise ValueError(f'"{_shown(text[at:])}" is no list such as U1 node-1; U9 node-2')
        part = text[at:end].strip()
        at = end + 1
        if part:
            found.append(_device(part))
    return tuple(found)


def _device(part: str) -> tuple[int | None, str]:
    unit = _UNIT.match(part)
    name = part[unit.end() :] if unit is not None else part
    if name.startswith('"') and name.endswith('"') and len(name) > 1:
        name = name[1:-1].replace('""', '"')
    if not name.strip() or len(name) > MAX_NAME or CONTROL.search(name):
        raise ValueError(f'"{_shown(name)}" is no name of a device')
    return (int(unit.group(1)) if unit is not None else None), name


def devices_text(devices: Iterable[tuple[int | None, str]]) -> str:
    """The text of a `devices` cell, which `parse_rack_list` reads back."""
    return "; ".join(f"U{u} {_quoted(n)}" if u is not None else _quoted(n) for u, n in devices)


def _quoted(name: str) -> str:
    plain = not re.search(r'[";]|^\s|\s$|^U\d{1,3}\s', name)
    return name if plain else '"' + name.replace('"', '""') + '"'


# -- rows ----------------------------------------------------------------------------------------


def _place(row: SheetRow) -> str:
    sheet = f'sheet "{_shown(row.sheet)}", ' if row.sheet else ""
    return f"{sheet}row {row.number}: "


def _place_name(made: RackRow) -> str:
    """The name of a rack that is known by its place alone, such as `A07`."""
    if not made.row or made.column is None:
        raise ValueError("neither a name nor a row and a column")
    room = f"{made.room}-" if made.room else ""
    return f"{room}{made.row}{made.column:02d}"


def _joined(before: RackRow, made: RackRow) -> RackRow:
    """A rack of several rows: what they say together; raises ValueError where they disagree."""
    values: dict[str, object] = {}
    for each in fields(RackRow):
        if each.name in ("line", "name", "named", "devices"):
            continue
        old, new = getattr(before, each.name), getattr(made, each.name)
        if old is not None and new is not None and old != new:
            raise ValueError(
                f'"{_shown(made.name)}" has {each.name} {new} here and {old} in row {before.line}'
            )
        values[each.name] = old if new is None else new
    return replace(before, devices=(*before.devices, *made.devices), **values)  # type: ignore[arg-type]


def _placed(racks: list[RackRow], notes: list[str]) -> list[RackRow]:
    """Racks with `x` and `y` as metres, or as cells of the grid if all of them are whole."""
    loose = [rack for rack in racks if rack.x is not None or rack.y is not None]
    if not loose:
        return racks
    numbers = [value for rack in loose for value in (rack.x, rack.y) if value is not None]
    cells = all(number.is_integer() for number in numbers)
    if not cells:
        notes.append("x and y are taken as metres")
        return [_with(rack, x_m=rack.x, y_m=rack.y) for rack in racks]
    notes.append("x and y are whole numbers, taken as cells of the grid; metres go by x_m and y_m")
    return [
        _with(
            rack,
            column=None if rack.x is None else int(rack.x),
            row=None if rack.y is None else str(int(rack.y)),
        )
        for rack in racks
    ]


def _with(rack: RackRow, **more: object) -> RackRow:
    """A rack with further values where it has none of its own."""
    wanted = {k: v for k, v in more.items() if v is not None and getattr(rack, k) is None}
    return replace(rack, x=None, y=None, **wanted)  # type: ignore[arg-type]


def _shown(text: str) -> str:
    """A text as a message may quote it: short, on one line."""
    plain = CONTROL.sub(" ", text)
    return plain if len(plain) <= 40 else plain[:39] + "…"
