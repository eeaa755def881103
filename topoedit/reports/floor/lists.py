"""The rack list that goes out, with the columns of the one that comes in, and roll-up tables."""

from __future__ import annotations

from topoedit.io.rack_list import COLUMNS, devices_text
from topoedit.layout.standing import Area
from topoedit.layout.trays import block_columns, block_rows
from topoedit.model.document import Document
from topoedit.reports.floor.rollup import FloorData, Load, RackLoad
from topoedit.reports.floor.sums import Sum, btu_per_hour, tons
from topoedit.reports.tables import Row, Table

_MOST_CELLS = 20_000
SUM_COLUMNS = (
    "level", "name", "racks", "devices", "units_used", "units", "units_known", "power_kw",
    "power_limit_kw", "power_known", "heat_kw", "heat_btu_per_h", "heat_tons", "cooling_limit_kw",
    "weight_kg", "load_limit_kg", "weight_known", "feed_a_kw", "feed_b_kw", "one_feed_lost", "over",
)  # fmt: skip


def rack_table(document: Document, data: FloorData) -> Table:
    """One row a rack, and one a blocked cell; reading it back changes nothing."""
    rows = [_rack(document, rack) for rack in data.racks]
    rows += [row for area in _own_floors(document, data) for row in _blocked(document, area)]
    return Table("Racks", COLUMNS, rows, len(rows))


def _rack(document: Document, rack: RackLoad) -> Row:
    group = rack.group
    area = document.groups.get(rack.area)
    room = area.name if area is not None and area.kind == "room" else None
    inside = devices_text((item.unit, item.name) for item in rack.items)
    return (
        group.name, room, group.row or None, group.column, group.x_m, group.y_m, group.units,
        group.power_kw, group.feed_a_kw, group.feed_b_kw, group.cooling_kw, group.load_kg,
        group.airflow or None, inside or None, None,
    )  # fmt: skip


def _own_floors(document: Document, data: FloorData) -> list[Area]:
    """Rooms with a floor of their own, and one area that shows the floor of the drawing."""
    rooms, others = [], []
    for area in (each.area for each in data.areas):
        group = document.groups.get(area.id)
        if group is None or group.kind != "room":
            others.append(area)
        elif group.floor is not None:
            rooms.append(area)
    return [*rooms, *others[:1]]


def _blocked(document: Document, area: Area) -> list[Row]:
    """One row for each blocked cell of a floor."""
    group = document.groups.get(area.id)
    room = group.name if group is not None and group.kind == "room" else None
    found: list[Row] = []
    for cell in area.floor.blocked:
        first, last = block_rows(area, cell)
        low, high = block_columns(cell)
        for line in area.lines[max(first, 0) : last + 1]:
            for column in range(low, high + 1):
                if len(found) >= _MOST_CELLS:
                    return found
                place = (None, room, line.label, column)
                found.append((*place, *[None] * (len(COLUMNS) - len(place) - 1), cell.what))
    return found


def sum_table(data: FloorData) -> Table:
    """One row a rack, row, room, building and site, and one for the whole."""
    rows = [sum_row(load) for load in data.loads()]
    return Table("Roll-ups", SUM_COLUMNS, rows, len(rows))


def sum_row(load: Load) -> Row:
    """The cells of one roll-up in the order of SUM_COLUMNS; None is unknown."""
    heat = load.power.value
    return (
        load.level, load.name, load.racks, load.devices, _whole(load.units), load.has_units,
        load.units.covers(), _rounded(heat, 3), load.limit_kw, load.power.covers(),
        _rounded(heat, 3), _rounded(None if heat is None else btu_per_hour(heat), 0),
        _rounded(None if heat is None else tons(heat), 2), load.cooling_kw,
        _rounded(load.weight.value, 1), load.load_kg, load.weight.covers(), load.feed_a_kw,
        load.feed_b_kw, _survives(load), "; ".join(load.over) or None,
    )  # fmt: skip


def _whole(units: Sum) -> int | None:
    return None if units.nothing else round(units.total)


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _survives(load: Load) -> str:
    """What becomes of it when one feed is lost."""
    if load.level == "rack":
        words = {"yes": "runs on", "no": "fails", "unknown": "unknown"}
        return words[load.one_feed]
    yes, no, unknown = load.survives
    return f"{yes} of {yes + no + unknown} racks run on, {no} fail, {unknown} unknown"
