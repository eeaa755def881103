"""What floor plan and elevations show of the roll-ups: words, colours and places.

The painting itself is in `topoedit.render.floor`; only `picture_bytes` loads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from topoedit.errors import BadInputError
from topoedit.layout.standing import Area
from topoedit.layout.trays import block_columns, block_rows, columns_of
from topoedit.model.floor import Obstacle
from topoedit.model.ports import natural_key
from topoedit.render.floor.data import (
    Box,
    Key,
    PlanCell,
    PlanRack,
    PlanRoom,
    PlanRow,
    RackFace,
    RowFaces,
    Tone,
)
from topoedit.reports.floor.rollup import (
    AreaLoad,
    FloorData,
    Load,
    RackLoad,
    RowLoad,
    power_sentences,
)
from topoedit.reports.floor.sums import (
    BASIS_WORDS,
    btu_per_hour,
    kilograms,
    kilowatts,
    plural,
    tons,
)
from topoedit.reports.tables import Cancel, Progress
from topoedit.units import UNKNOWN, format_number, format_percent

if TYPE_CHECKING:
    from topoedit.render.floor.sheets import Sheet

By = Literal["power", "units", "cooling", "phase"]
BYS: tuple[By, ...] = ("power", "units", "cooling", "phase")
_DEPTH_M = 1.2
_MOST_COLUMNS = 2000
_MOST_RACKS = 20_000
_BLOCKED: dict[Obstacle, str] = {
    "pillar": "Pillar", "wall": "Wall", "cooling": "Cooling", "power": "Power", "door": "Door",
    "kept-free": "Kept free",
}  # fmt: skip
_LEGENDS: dict[By, str] = {
    "power": "Power as a share of the rack's budget",
    "units": "Rack units in use, as a share of the rack's",
    "cooling": "Heat as a share of what is taken away from the rack",
    "phase": "Build phase of what is in the rack",
}


def rooms_of(data: FloorData, room: str = "") -> tuple[AreaLoad, ...]:
    """The areas to show: all, or the one with a name or id.

    Raises:
        BadInputError: there is no such room; the message lists those there are.
    """
    if not room:
        return data.areas
    found = tuple(a for a in data.areas if room in (a.area.id, a.area.name, a.load.name))
    if found:
        return found
    names = [area.load.name for area in data.areas]
    raise BadInputError(
        f'there is no room "{room}"', "--room", f"There are: {', '.join(names[:20])}" if names
        else "The drawing has no racks",
    )  # fmt: skip


# -- plan ----------------------------------------------------------------------------------------


def plan_of(
    area: AreaLoad, data: FloorData, by: By = "power", pue: float | None = None
) -> PlanRoom:
    """The plan of one room."""
    room, floor = area.area, area.area.floor
    racks = [rack for row in area.rows for rack in row.racks]
    most = max((_size(rack.load, by) or 0.0 for rack in racks), default=0.0)
    shown = tuple(_plan_rack(rack, data, by, most) for rack in racks)
    spots = [data.standing.spots[rack.group.id] for rack in racks]
    low, high = columns_of(room, spots)
    if high - low >= _MOST_COLUMNS:
        low, high = low, low + _MOST_COLUMNS - 1
    half = floor.rack_pitch_m / 2
    left = min([room.x_of(low) - half, *(spot.x_m - half for spot in spots)])
    right = max([room.x_of(high) + half, *(spot.x_m + half for spot in spots)])
    return PlanRoom(
        title=f"Floor plan · {area.load.name}",
        lines=head_lines(area.load, data, pue),
        pitch_m=floor.rack_pitch_m,
        depth_m=min(_DEPTH_M, 0.8 * floor.row_pitch_m),
        left_m=left,
        right_m=right,
        rows=_plan_rows(area),
        columns=tuple((n, room.x_of(n)) for n in range(low, high + 1)) if _on_grid(racks) else (),
        racks=shown,
        cells=_cells(room),
        crossings_m=tuple(room.x_of(c) for c in floor.cross) or None,
        tray=floor.tray,
        legend=_LEGENDS[by],
        ramp=any(rack.tone == "share" for rack in shown),
        keys=_keys(shown, data, by),
        notes=_floor_notes(room),
        loose=tuple(rack.load.name for rack in area.loose),
        id=room.id,
    )


def _keys(racks: Sequence[PlanRack], data: FloorData, by: By) -> tuple[Key, ...]:
    """What greys stand for."""
    tones = {rack.tone for rack in racks}
    if by == "phase":
        phases = phases_of(data)
        found = [Key("shade", _phase_share(phases, p), p or "no phase") for p in phases]
        return (*found, Key("none", 0.0, "several phases"))
    keys = [Key("shade", 1.0, "no limit given: the darker, the more")] if "shade" in tones else []
    keys += [Key("none", 0.0, "empty or not known")] if "none" in tones else []
    return tuple(keys)


def phases_of(data: FloorData) -> tuple[str, ...]:
    """All build phases, in natural order."""
    return tuple(sorted(data.total.phases, key=natural_key))


def _phase_share(phases: Sequence[str], phase: str) -> float:
    return phases.index(phase) / max(1, len(phases) - 1) if phase in phases else 0.0


def _on_grid(racks: Sequence[RackLoad]) -> bool:
    return any(rack.column is not None for rack in racks) or not racks


def _plan_rows(area: AreaLoad) -> tuple[PlanRow, ...]:
    loads = {row.label or row.load.name: row.load for row in area.rows}
    found = []
    for line in area.area.lines:
        load = loads.get(line.label or f"Row at {line.y_m:g} m")
        lines = () if load is None else row_lines(load)
        found.append(PlanRow(line.label, line.y_m, lines))
    return tuple(found)


def row_lines(load: Load) -> tuple[str, ...]:
    """Roll-up of a row in a few words."""
    words = [f"{load.name}: {_kw(load)}", _units(load)]
    heat = load.power.value
    if heat is not None:
        words.append(f"{tons(heat):.1f} tons of refrigeration")
    if load.weight.value:
        words.append(_kg(load))
    return tuple(words)


def _plan_rack(rack: RackLoad, data: FloorData, by: By, most: float) -> PlanRack:
    spot = data.standing.spots[rack.group.id]
    tone, share, number = _figure(rack.load, data, by, most)
    lines = [_kw(rack.load), _units(rack.load)]
    return PlanRack(
        rack.group.id, rack.load.name, spot.x_m, spot.y_m, place_of(rack), tone, share, number,
        tuple(line for line in lines if line and line != number), bool(rack.load.over),
    )  # fmt: skip


def place_of(rack: RackLoad) -> str:
    """Row and column of a rack, such as `A07`; "" if it has none."""
    if not rack.row or rack.column is None:
        return rack.row
    return f"{rack.row}{rack.column:02d}" if len(rack.row) < 3 else f"{rack.row} {rack.column}"


def _figure(load: Load, data: FloorData, by: By, most: float) -> tuple[Tone, float, str]:
    """Tone, share and number of a rack."""
    if by == "phase":
        words = ", ".join(phase or "no phase" for phase in load.phases) or "empty"
        grey = _phase_share(phases_of(data), load.phases[0]) if load.phases else 0.0
        return "shade" if len(load.phases) == 1 else "none", grey, words
    shares = {"power": load.share, "units": load.units_share, "cooling": load.cooling_share}
    share = shares[by]
    if share is not None:
        least = "" if (load.units if by == "units" else load.power).complete else "≥ "
        return "share", share, f"{least}{format_percent(share)}"
    size = _size(load, by)
    if size is None or not load.devices:
        return "none", 0.0, UNKNOWN if load.devices else "empty"
    words = f"{size:.0f} U" if by == "units" else _kw(load)
    return "shade", size / most if most else 0.0, words


def _size(load: Load, by: By) -> float | None:
    if by == "phase":
        return None
    return load.units.value if by == "units" else load.power.value


def _kw(load: Load) -> str:
    if not load.devices:
        return ""
    least = "" if load.power.complete or load.power.nothing else "≥ "
    return f"{least}{kilowatts(load.power.value)}"


def _kg(load: Load) -> str:
    least = "" if load.weight.complete else "≥ "
    return f"{least}{kilograms(load.weight.value)}"


def _units(load: Load) -> str:
    used = UNKNOWN if load.units.nothing else format_number(load.units.total)
    return f"{used}/{UNKNOWN if load.has_units is None else format_number(load.has_units)} U"


def _cells(area: Area) -> tuple[PlanCell, ...]:
    floor = area.floor
    half, depth = floor.rack_pitch_m / 2, min(_DEPTH_M, 0.8 * floor.row_pitch_m) / 2
    found = []
    for cell in floor.blocked[:5000]:
        first, last = block_rows(area, cell)
        low, high = block_columns(cell)
        if first >= 0:
            found.append(
                PlanCell(
                    area.x_of(low) - half, area.lines[first].y_m - depth, area.x_of(high) + half,
                    area.lines[last].y_m + depth, _BLOCKED[cell.what],
                )
            )  # fmt: skip
    return tuple(found)


def _floor_notes(area: Area) -> tuple[str, ...]:
    floor = area.floor
    height = "above" if floor.tray == "overhead" else "below"
    where = "everywhere" if not floor.cross else f"at columns {', '.join(map(str, floor.cross))}"
    slack = f"{floor.slack_share * 100:g} % and {floor.slack_m:g} m at each end"
    words = (
        f"Racks every {floor.rack_pitch_m:g} m, rows every {floor.row_pitch_m:g} m. Trays "
        f"{floor.tray}, {floor.tray_m:g} m {height} the floor, along every row (dashed) and "
        f"across {where}. Slack of cables {slack}."
    )
    return (words,)


def head_lines(load: Load, data: FloorData, pue: float | None = None) -> tuple[str, ...]:
    """What a room or row comes to, and what that covers."""
    lines = [*power_sentences(load, data.basis)]
    heat = load.power.value
    if heat is not None and load.devices:
        least = "" if load.power.complete else "at least "
        lines.append(
            f"Heat, as IT power: {least}{kilowatts(heat)} = {format_number(btu_per_hour(heat))} "
            f"BTU/h = {tons(heat):.1f} tons of refrigeration"
            + (f" · facility {kilowatts(heat * pue)} at the given PUE of {pue:g}" if pue else "")
        )
    racks = f"{format_number(load.racks)} {plural('rack', load.racks)}"
    parts = [racks, f"{_units(load)} in use"]
    if load.units.of and not load.units.complete:
        parts[-1] += f", known for {load.units.covers()}"
    if load.weight.value:
        parts.append(f"{_kg(load)} of devices, known for {load.weight.covers()}")
    yes, no, unknown = load.survives
    if yes or no:
        parts.append(f"with one feed lost {yes} racks run on, {no} fail, {unknown} not known")
    lines.append(" · ".join(parts))
    return (*lines, *(f"{load.name} {text}" for text in load.over))


# -- elevations ----------------------------------------------------------------------------------


def faces_of(area: AreaLoad, row: RowLoad | None, data: FloorData, by: By = "power") -> RowFaces:
    """The elevation of a row, or with None of the racks that stand at none."""
    racks = row.racks if row is not None else area.loose
    most = max((_size(rack.load, by) or 0.0 for rack in racks), default=0.0)
    faces = tuple(_face(rack, data, by, most) for rack in racks)
    room = area.load.name
    if row is None:
        return RowFaces(
            f"Rack elevations · {room} · without a place", ("Seen from the front",), faces
        )
    lines = (
        f"Seen from the front. {head_lines(row.load, data)[0]}",
        *head_lines(row.load, data)[1:],
    )
    return RowFaces(f"Rack elevations · {room} · {row.load.name}", lines, faces)


def _face(rack: RackLoad, data: FloorData, by: By, most: float) -> RackFace:
    tone, share, number = _figure(rack.load, data, by, most)
    units = rack.group.units
    placed = [item for item in rack.items if item.unit is not None and item.height]
    tops = [item.unit + item.height - 1 for item in placed if item.unit and item.height]
    height = units if units is not None else max(tops, default=1)
    taken: set[int] = set()
    boxes = []
    for item in placed:
        spaces = set(range(item.unit or 0, (item.unit or 0) + (item.height or 1)))
        figure = "" if item.power_kw is None else f"{item.power_kw:.2f} kW"
        boxes.append(
            Box(item.name, item.kind, item.unit or 0, item.height or 1, figure,
                clash=bool(spaces & taken))
        )  # fmt: skip
        taken |= spaces
    loose = tuple(item.name for item in rack.items if item.unit is None or not item.height)
    lines = _face_lines(rack.load, number, "" if units is not None else "height not known")
    return RackFace(
        rack.group.id, rack.load.name, place_of(rack), height, tuple(boxes), lines,
        rack.load.over, rack.group.airflow, loose, tone, share,
    )  # fmt: skip


def _face_lines(load: Load, number: str, height: str) -> tuple[str, ...]:
    budget = "" if load.limit_kw is None else f" of {kilowatts(load.limit_kw)}"
    power = f"{_kw(load) or UNKNOWN}{budget}"
    if "%" in number:
        power += f" ({number})"
    words = [power, " · ".join(p for p in (f"{_units(load)} in use", height) if p)]
    if load.weight.value:
        bears = "" if load.load_kg is None else f" of {kilograms(load.load_kg)}"
        words.append(f"{_kg(load)}{bears}")
    feeds = (load.feed_a_kw, load.feed_b_kw)
    if any(feed is not None for feed in feeds):
        a, b = (UNKNOWN if feed is None else kilowatts(feed) for feed in feeds)
        words.append(f"Feed A {a}, feed B {b}")
        says = {"yes": "One feed alone carries it", "no": "One feed alone does not carry it"}
        words += [says[load.one_feed]] if load.one_feed in says else []
    return tuple(words)


# -- files ---------------------------------------------------------------------------------------


def sheets_of(
    data: FloorData, *, elevations: bool = False, room: str = "", by: By = "power",
    pue: float | None = None,
) -> list[Sheet]:  # fmt: skip
    """The sheets of a picture: a plan for each room, or an elevation for each row.

    Raises:
        BadInputError: there is no such room, nothing to show, or far too much of it.
    """
    from topoedit.render.floor.elevation import row_sheet
    from topoedit.render.floor.plan import plan_sheet

    areas = rooms_of(data, room)
    racks = sum(area.load.racks for area in areas)
    if not racks and not any(area.area.floor.blocked for area in areas):
        raise BadInputError("there are no racks to show", mend="Group devices into racks first")
    if racks > _MOST_RACKS:
        raise BadInputError(
            f"{format_number(racks)} racks are too many for one picture", "--room", "Name a room"
        )
    if not elevations:
        return [plan_sheet(plan_of(area, data, by, pue)) for area in areas]
    rows: list[RowFaces] = []
    for area in areas:
        rows += [faces_of(area, row, data, by) for row in area.rows]
        rows += [faces_of(area, None, data, by)] if area.loose else []
    if not rows:
        raise BadInputError("there are no racks to show", mend="Group devices into racks first")
    return [row_sheet(row) for row in rows]


def picture_bytes(
    data: FloorData, kind: Literal["svg", "png", "pdf"], *, elevations: bool = False,
    room: str = "", by: By = "power", theme: str = "light", scale: float = 1.0,
    pue: float | None = None, progress: Progress | None = None, cancel: Cancel | None = None,
) -> bytes:  # fmt: skip
    """The bytes of a floor plan, or of rack elevations (in a PDF one page a row).

    Raises:
        CancelledError: `cancel` said so.
        BadInputError: nothing to show, a wrong theme or scale, or a picture too large to use.
    """
    from topoedit.render.export import ensure_gui
    from topoedit.render.floor.sheets import SheetOptions, check_scale, sheets_bytes
    from topoedit.render.theme import Theme

    Theme.load(theme)
    check_scale(scale)
    ensure_gui()
    sheets = sheets_of(data, elevations=elevations, room=room, by=by, pue=pue)
    what = "Rack elevations" if elevations else "Floor plan"
    title = f"{what} · {data.name}"
    options = SheetOptions(theme, scale, title, progress=progress, cancel=cancel)
    return sheets_bytes(sheets, kind, options)


def basis_note(data: FloorData) -> str:
    """Of which kind the power is, in words."""
    return BASIS_WORDS[data.basis]
