"""Properties of a floor, which a room or the drawing holds: their values, words and edits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast, get_args

from msgspec.structs import replace

from topoedit.errors import BadEditError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, Group, Settings
from topoedit.model.floor import DEFAULT, Blocked, Floor, Obstacle, Tray

PREFIX = "floor."
_PERCENT = ("slack_share",)
_CELL = re.compile(
    r"(?P<row>[A-Za-z]{1,2}|[^:-]{1,40}:)\s*(?P<column>-?\d{1,5})"
    r"(?:\s*-\s*(?P<to_row>[A-Za-z]{1,2}|[^:-]{1,40}:)\s*(?P<to_column>-?\d{1,5}))?"
    r"(?:\s+(?P<what>[a-z-]+))?"
)


def floor_value(document: Document, element: AnyElement, name: str) -> object:
    """A value of the floor of a room or of the drawing, as a field shows it."""
    own = element.floor if isinstance(element, Group | Settings) else None
    floor = own or document.settings.floor or DEFAULT
    field = name.removeprefix(PREFIX)
    value: object = getattr(floor, field)
    if field in _PERCENT:
        return round(cast("float", value) * 100, 6)
    if field == "blocked":
        return tuple(blocked_text(cell) for cell in floor.blocked)
    return tuple(map(str, cast("tuple[int, ...]", value))) if field == "cross" else value


def set_floor(
    document: Document, elements: Sequence[AnyElement], name: str, value: object, words: str
) -> Edit:
    """Set one property of the floors of rooms, or of the drawing if there are none.

    Raises:
        BadEditError: the value makes no sense.
    """
    field = name.removeprefix(PREFIX)
    made = _value(field, value)
    holders: Sequence[AnyElement] = elements or (document.settings,)
    changed: list[AnyElement] = []
    for holder in holders:
        if not isinstance(holder, Group | Settings):
            continue
        floor = holder.floor or document.settings.floor or DEFAULT
        new: Floor = replace(floor, **{field: made})
        if new != holder.floor:
            changed.append(replace(holder, floor=new))
    what = elements[0].name if len(elements) == 1 and isinstance(elements[0], Group) else (
        f"{len(elements)} rooms" if elements else "the drawing"
    )  # fmt: skip
    return Edit(f"Set {words.lower()} of {what}", put=tuple(changed))


def _value(field: str, value: object) -> object:
    if field == "blocked":
        return tuple(read_blocked(text) for text in cast("tuple[str, ...]", value))
    if field == "cross":
        return tuple(_column(text) for text in cast("tuple[str, ...]", value))
    if field == "columns":
        return value
    if value is None:
        return getattr(DEFAULT, field)
    if field in _PERCENT:
        value = cast("float", value) / 100
    if isinstance(value, float | int) and not isinstance(value, bool):
        pitch = field.endswith("pitch_m")
        low, high = (0.1, 100.0) if pitch else (0.0, 10.0 if field in _PERCENT else 1000.0)
        if not low <= value <= high:
            unit = "%" if field in _PERCENT else "m"
            factor = 100 if field in _PERCENT else 1
            raise BadEditError(f"enter {low * factor:g} to {high * factor:g} {unit}")
    return value


def _column(text: str) -> int:
    if not re.fullmatch(r"\d{1,5}", text):
        raise BadEditError(f'"{text[:40]}" is no column', mend="Enter numbers such as 1, 9")
    return int(text)


def blocked_text(cell: Blocked) -> str:
    """A block of cells in words: `B4 pillar`, `7:1-8:3 cooling`."""
    text = _place(cell.row, cell.column)
    if cell.to_row or cell.to_column is not None:
        column = cell.column if cell.to_column is None else cell.to_column
        text += f"-{_place(cell.to_row or cell.row, column)}"
    return f"{text} {cell.what}"


def _place(row: str, column: int) -> str:
    return f"{row}{column}" if re.fullmatch("[A-Za-z]{1,2}", row) else f"{row}:{column}"


def read_blocked(text: str) -> Blocked:
    """A block of cells from its words.

    Raises:
        BadEditError: they name none.
    """
    match = _CELL.fullmatch(text.strip())
    what = match["what"] or "kept-free" if match is not None else ""
    if match is None or what not in get_args(Obstacle):
        kinds = ", ".join(get_args(Obstacle))
        raise BadEditError(
            f'"{text[:40]}" is no blocked cell',
            mend=f"Enter such as B4 pillar or C1-C3 wall; there are {kinds}",
        )
    to_row, to_column = match["to_row"], match["to_column"]
    return Blocked(
        row=match["row"].removesuffix(":").strip(),
        column=int(match["column"]),
        to_row=to_row.removesuffix(":").strip() if to_row else "",
        to_column=int(to_column) if to_column else None,
        what=cast("Obstacle", what),
    )


TRAYS: tuple[tuple[Tray, str], ...] = (("overhead", "Overhead"), ("underfloor", "Under the floor"))
