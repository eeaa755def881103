"""The floor as JSON: roll-ups from the whole down to each rack with what is in it."""

from __future__ import annotations

from topoedit.reports.floor.lists import SUM_COLUMNS, sum_row
from topoedit.reports.floor.pictures import basis_note, place_of, rooms_of
from topoedit.reports.floor.rollup import AreaLoad, FloorData, Item, Load, RackLoad
from topoedit.reports.floor.sums import kilowatts

JsonObject = dict[str, object]


def floor_json(data: FloorData, room: str = "", pue: float | None = None) -> JsonObject:
    """Everything, or one room of it.

    Raises:
        BadInputError: there is no such room.
    """
    total = data.total.power.value
    return {
        "name": data.name,
        "power": {
            "basis": data.basis,
            "means": basis_note(data),
            "words": data.power_words(),
            "it_kw": total,
            "at_least": not data.total.power.complete,
            "pue": pue,
            "facility_kw": None if pue is None or total is None else round(total * pue, 3),
        },
        "total": _load(data.total),
        "buildings": [_load(load) for load in data.holders if load.level == "building"],
        "sites": [_load(load) for load in data.holders if load.level == "site"],
        "rooms": [_area(area, data) for area in rooms_of(data, room)],
        "unracked": [_item(item) for item in data.unracked],
    }


def _load(load: Load) -> JsonObject:
    made: JsonObject = dict(zip(SUM_COLUMNS, sum_row(load), strict=True))
    made |= {
        "over": list(load.over),
        "phases": [phase for phase in load.phases if phase],
        "power_at_least": not load.power.complete,
        "power_words": kilowatts(load.power.value),
        "share": load.share,
        "one_feed_lost": {
            "runs_on": load.survives[0], "fails": load.survives[1], "unknown": load.survives[2],
        },
    }  # fmt: skip
    return made


def _area(area: AreaLoad, data: FloorData) -> JsonObject:
    return {
        **_load(area.load),
        "id": area.area.id,
        "floor": area.area.floor,
        "rows": [
            {**_load(row.load), "row": row.label, "rack_list": [_rack(r, data) for r in row.racks]}
            for row in area.rows
        ],
        "without_place": [_rack(rack, data) for rack in area.loose],
    }


def _rack(rack: RackLoad, data: FloorData) -> JsonObject:
    spot = data.standing.spots.get(rack.group.id)
    return {
        **_load(rack.load),
        "id": rack.group.id,
        "place": place_of(rack),
        "row": rack.row,
        "column": rack.column,
        "x_m": None if spot is None else round(spot.x_m, 4),
        "y_m": None if spot is None else round(spot.y_m, 4),
        "airflow": rack.group.airflow,
        "contents": [_item(item) for item in rack.items],
    }


def _item(item: Item) -> JsonObject:
    return {
        "name": item.name, "kind": item.kind, "type": item.type, "unit": item.unit,
        "height_u": item.height, "power_kw": item.power_kw, "weight_kg": item.weight_kg,
        "phase": item.phase,
    }  # fmt: skip
