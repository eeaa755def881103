"""Roll-ups of racks, rows, rooms, buildings and sites: units, power, feeds, heat and weight."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil, isnan
from typing import Literal

from topoedit.catalog.types import Kind
from topoedit.layout.standing import Area, Standing, standing
from topoedit.model.document import Document
from topoedit.model.elements import Device, Group
from topoedit.model.ports import natural_key
from topoedit.reports.floor.sums import IT_WORDS, Basis, Sum, kilowatts
from topoedit.rules._power import budget_kw, typical_kw
from topoedit.rules.context import Context

Level = Literal["rack", "row", "room", "building", "site", "drawing"]
Verdict = Literal["yes", "no", "unknown"]

_WORDS: dict[Kind, str] = {
    "server": "server", "nvswitch": "NVSwitch", "leaf": "switch", "spine": "switch",
    "core": "switch", "switch": "switch", "router": "router", "ocs": "optical switch",
    "storage": "storage device", "management": "management device", "panel": "panel",
}  # fmt: skip


@dataclass(frozen=True)
class Item:
    """One device in a rack.

    Attributes:
        unit: lowest rack unit; height: units it takes; power_kw, weight_kg; None if unknown.
    """

    id: str
    name: str
    kind: Kind
    type: str
    phase: str
    unit: int | None
    height: int | None
    power_kw: float | None
    weight_kg: float | None


@dataclass(frozen=True)
class Load:
    """What stands in a rack, row, room, building, site or the whole drawing.

    Attributes:
        id: of the group, "" for a row and for the drawing.
        racks: number of racks; devices: of devices.
        units: units in use; has_units: units that its racks have, None if not known of all.
        power: IT power, kW; limit_kw: the most that it may draw; cooling_kw: heat taken away.
        feed_a_kw, feed_b_kw: the most of each feed.
        weight: kg of the devices; load_kg: the most allowed.
        survives: whether either feed alone carries a rack; for others how many racks of those
            with two known feeds: (yes, no, unknown).
        over: what is above its limit, one sentence each.
        phases: build phases of the devices.
    """

    level: Level
    id: str
    name: str
    racks: int = 0
    devices: int = 0
    units: Sum = field(default_factory=Sum)
    has_units: int | None = None
    power: Sum = field(default_factory=Sum)
    limit_kw: float | None = None
    cooling_kw: float | None = None
    feed_a_kw: float | None = None
    feed_b_kw: float | None = None
    weight: Sum = field(default_factory=Sum)
    load_kg: float | None = None
    survives: tuple[int, int, int] = (0, 0, 0)
    over: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()

    @property
    def share(self) -> float | None:
        """Power over its limit; None if either is not known."""
        return _ratio(self.power, self.limit_kw)

    @property
    def units_share(self) -> float | None:
        """Units in use over those there are."""
        return _ratio(self.units, self.has_units)

    @property
    def cooling_share(self) -> float | None:
        """Heat over what is taken away."""
        return _ratio(self.power, self.cooling_kw)

    @property
    def one_feed(self) -> Verdict:
        """Whether a rack runs on when either feed is lost."""
        return _VERDICTS.get(self.survives, "unknown")


_LEVELS: dict[str, Level] = {"room": "room", "building": "building", "site": "site"}
_VERDICTS: dict[tuple[int, int, int], Verdict] = {(1, 0, 0): "yes", (0, 1, 0): "no"}


@dataclass(frozen=True)
class RackLoad:
    """A rack with what is in it and where it stands.

    Attributes:
        row: label of its row, "" if it stands at none; column: its place there.
        placed: its place on the floor is known.
    """

    group: Group
    area: str
    row: str
    column: int | None
    placed: bool
    items: tuple[Item, ...]
    load: Load


@dataclass(frozen=True)
class RowLoad:
    """A row of racks, in the order in which they stand."""

    area: str
    label: str
    racks: tuple[RackLoad, ...]
    load: Load


@dataclass(frozen=True)
class AreaLoad:
    """A room, or what is taken for one (`layout.standing.Area`)."""

    area: Area
    rows: tuple[RowLoad, ...]
    loose: tuple[RackLoad, ...]
    load: Load


@dataclass(frozen=True)
class FloorData:
    """Everything that floor plan, elevations and roll-ups show.

    Attributes:
        areas: rooms and what is taken for one; holders: buildings and sites.
        unracked: devices that stand in no rack.
        basis: whether power is the maximum or the typical one.
    """

    areas: tuple[AreaLoad, ...]
    holders: tuple[Load, ...]
    total: Load
    unracked: tuple[Item, ...]
    basis: Basis
    standing: Standing
    name: str = ""

    @property
    def racks(self) -> tuple[RackLoad, ...]:
        """All racks: room by room, row by row, those without a place last."""
        return tuple(
            rack
            for area in self.areas
            for rack in (*(r for row in area.rows for r in row.racks), *area.loose)
        )

    def loads(self) -> tuple[Load, ...]:
        """All roll-ups, the largest last."""
        found: list[Load] = []
        for area in self.areas:
            for row in area.rows:
                found += [rack.load for rack in row.racks]
                found.append(row.load)
            found += [rack.load for rack in area.loose]
            if area.load.level == "room":
                found.append(area.load)
        return (*found, *self.holders, self.total)

    def power_words(self, load: Load | None = None) -> str:
        """Power and what it covers in two sentences, for example of the whole drawing."""
        return power_words(load or self.total, self.basis)


def power_words(load: Load, basis: Basis) -> str:
    """Power, and of what it is the sum, in two sentences; see `power_sentences`."""
    return " ".join(power_sentences(load, basis))


def power_sentences(load: Load, basis: Basis) -> tuple[str, ...]:
    """Power and for how many devices it is known; then of which kind it is, modules or not.

    `Power is known for all 127 servers and 41 of 56 switches: at least 1.36 MW.`
    """
    if not load.devices:
        return ("There are no devices.",)
    known = f"Power is known for {load.power.covers()}"
    if load.power.nothing:
        return (f"{known}.",)
    kw = kilowatts(load.power.total)
    words = {"maximum": f"{kw} at most", "typical": f"typically {kw}"}[basis]
    return f"{known}: {words if load.power.complete else f'at least {kw}'}.", IT_WORDS[basis]


def floor_data(document: Document, basis: Basis = "maximum") -> FloorData:
    """Sum up a drawing.

    Args:
        document: the drawing.
        basis: `maximum` takes the most that devices draw (a switch without optics its typical
            figure, which is for that); `typical` the typical figures alone.
    """
    stands = standing(document)
    items, unracked = _items(document, basis)
    areas = tuple(
        _area(document, area, stands, items)
        for area in sorted(stands.areas.values(), key=lambda a: (natural_key(a.name), a.id))
    )
    holders = tuple(
        _holder(document, group, areas, unracked)
        for kind in ("building", "site")
        for group in sorted(document.groups.values(), key=lambda g: natural_key(g.name))
        if group.kind == kind
    )
    loads = [rack.load for area in areas for rack in _racks_of(area)]
    name = document.settings.name
    total = _summed("drawing", "", name or "Drawing", loads, [i for i, _ in unracked])
    loose = tuple(item for item, _ in unracked)
    return FloorData(areas, holders, total, loose, basis, stands, name)


def _items(
    document: Document, basis: Basis
) -> tuple[dict[str, list[Item]], list[tuple[Item, str]]]:
    """Devices by rack, and those in none with the group that holds them."""
    context = Context(document)
    power = budget_kw(context) if basis == "maximum" else typical_kw(context)
    racked: dict[str, list[Item]] = {}
    others: list[tuple[Item, str]] = []
    for device, kw in zip(context.devices.items, power.tolist(), strict=True):
        item = _item(document, device, None if isnan(kw) else kw)
        holder = document.groups.get(device.group)
        if holder is not None and holder.kind == "rack":
            racked.setdefault(holder.id, []).append(item)
        else:
            others.append((item, device.group))
    for found in racked.values():
        found.sort(key=lambda i: (i.unit or 0, natural_key(i.name)))
    return racked, others


def _item(document: Document, device: Device, power_kw: float | None) -> Item:
    kind = document.device_type(device)
    height = None if kind.rack_units is None else ceil(kind.rack_units)
    return Item(
        device.id, device.name, device.kind, kind.name, device.phase, device.unit, height,
        power_kw, kind.weight_kg,
    )  # fmt: skip


# -- areas ---------------------------------------------------------------------------------------


def _area(
    document: Document, area: Area, stands: Standing, items: dict[str, list[Item]]
) -> AreaLoad:
    rows: dict[int, list[RackLoad]] = {}
    loose: list[RackLoad] = []
    for rack_id in area.racks:
        rack = _rack(document.groups[rack_id], area, stands, items.get(rack_id, []))
        spot = stands.spots.get(rack_id)
        (loose if spot is None else rows.setdefault(spot.line, [])).append(rack)
    lines = []
    for number, racks in sorted(rows.items()):
        racks.sort(key=lambda rack: (stands.spots[rack.group.id].x_m, natural_key(rack.load.name)))
        label = area.lines[number].label
        name = f"Row {label}" if label else f"Row at {area.lines[number].y_m:g} m"
        load = _summed("row", "", name, [rack.load for rack in racks])
        lines.append(RowLoad(area.id, label, tuple(racks), load))
    group = document.groups.get(area.id)
    level = _LEVELS.get(group.kind if group is not None else "", "drawing")
    loads = [rack.load for line in lines for rack in line.racks] + [r.load for r in loose]
    own = any(each.kind == "room" for each in document.groups.values())
    name = area.name or ("Racks in no room" if own else document.settings.name or "Drawing")
    load = _summed(level, area.id, name, loads)
    return AreaLoad(area, tuple(lines), tuple(loose), _limited(load, group))


def _racks_of(area: AreaLoad) -> list[RackLoad]:
    return [*(rack for row in area.rows for rack in row.racks), *area.loose]


def _rack(group: Group, area: Area, stands: Standing, items: list[Item]) -> RackLoad:
    spot = stands.spots.get(group.id)
    row = area.lines[spot.line].label if spot is not None else group.row
    load = Load(
        level="rack", id=group.id, name=group.name, racks=1, devices=len(items),
        units=_sum(items, [item.height for item in items]), has_units=group.units,
        power=_sum(items, [item.power_kw for item in items]),
        weight=_sum(items, [item.weight_kg for item in items]),
        phases=tuple(dict.fromkeys(item.phase for item in items)),
    )  # fmt: skip
    load = _limited(load, group)
    return RackLoad(group, area.id, row, group.column, spot is not None, tuple(items), load)


def _sum(items: Iterable[Item], values: list[int | None] | list[float | None]) -> Sum:
    known: dict[str, int] = {}
    of: dict[str, int] = {}
    total = 0.0
    for item, value in zip(items, values, strict=True):
        word = _WORDS[item.kind]
        of[word] = of.get(word, 0) + 1
        known[word] = known.get(word, 0) + (value is not None)
        total += value or 0.0
    return Sum(total, known, of)


def _summed(
    level: Level, group_id: str, name: str, loads: list[Load], loose: Iterable[Item] = ()
) -> Load:
    """Racks together, and devices in none."""
    from functools import reduce

    items = list(loose)
    power = _sum(items, [item.power_kw for item in items])
    weight = _sum(items, [item.weight_kg for item in items])
    units = [load.has_units for load in loads]
    verdicts = [load.survives for load in loads]
    phases = [item.phase for item in items] + [p for load in loads for p in load.phases]
    return Load(
        level=level, id=group_id, name=name, racks=len(loads),
        devices=sum(load.devices for load in loads) + len(items),
        units=reduce(Sum.plus, (load.units for load in loads), Sum()),
        has_units=None if None in units else sum(u for u in units if u is not None),
        power=reduce(Sum.plus, (load.power for load in loads), power),
        weight=reduce(Sum.plus, (load.weight for load in loads), weight),
        survives=(sum(v[0] for v in verdicts), sum(v[1] for v in verdicts),
                  sum(v[2] for v in verdicts)),
        phases=tuple(dict.fromkeys(phases)),
    )  # fmt: skip


def _limited(load: Load, group: Group | None) -> Load:
    """The load with the limits of its group, and what is over them."""
    from dataclasses import replace

    if group is None:
        return load
    made = replace(
        load, limit_kw=group.power_kw, cooling_kw=group.cooling_kw, feed_a_kw=group.feed_a_kw,
        feed_b_kw=group.feed_b_kw, load_kg=group.load_kg,
    )  # fmt: skip
    if load.level == "rack":
        verdict = _one_feed(load.power, group)
        made = replace(made, survives=tuple(int(verdict == v) for v in ("yes", "no", "unknown")))  # type: ignore[arg-type]
    return replace(made, over=tuple(_over(made)))


def _one_feed(power: Sum, group: Group) -> Verdict:
    """Whether either of two feeds carries the rack alone."""
    if group.feed_a_kw is None or group.feed_b_kw is None or power.nothing:
        return "unknown"
    if power.total > min(group.feed_a_kw, group.feed_b_kw) + 1e-9:
        return "no"
    return "yes" if power.complete else "unknown"


def _over(load: Load) -> Iterable[str]:
    least = "" if load.power.complete else "at least "
    drawn = f"{least}{kilowatts(load.power.total)}"
    if load.limit_kw is not None and load.power.total > load.limit_kw + 1e-9:
        yield f"draws {drawn}, its budget is {kilowatts(load.limit_kw)}"
    if load.cooling_kw is not None and load.power.total > load.cooling_kw + 1e-9:
        yield f"gives off {drawn}, its cooling takes {kilowatts(load.cooling_kw)}"
    feeds = load.feed_a_kw, load.feed_b_kw
    if None not in feeds and load.power.total > sum(f or 0.0 for f in feeds) + 1e-9:
        yield f"draws {drawn}, both feeds give {kilowatts(sum(f or 0.0 for f in feeds))}"
    if load.has_units is not None and load.units.total > load.has_units:
        yield f"needs {load.units.total:.0f} U, it has {load.has_units} U"
    if load.load_kg is not None and load.weight.total > load.load_kg + 1e-9:
        more = "" if load.weight.complete else "at least "
        yield f"holds {more}{load.weight.total:,.0f} kg, it bears {load.load_kg:,.0f} kg"


def _holder(
    document: Document, group: Group, areas: tuple[AreaLoad, ...], loose: list[tuple[Item, str]]
) -> Load:
    """A building or site with all racks whose room, or who themselves, are in it."""
    racks = [
        rack
        for area in areas
        for rack in _racks_of(area)
        if group.id in area.area.around
        or (not area.area.is_room and _inside(document, rack.group.id, group.id))
    ]
    items = [item for item, holder in loose if _inside(document, holder, group.id)]
    level: Level = "building" if group.kind == "building" else "site"
    made = _summed(level, group.id, group.name, [rack.load for rack in racks], items)
    return _limited(made, group)


def _inside(document: Document, group_id: str, holder: str) -> bool:
    at = document.groups.get(group_id)
    while at is not None and at.id != holder:
        at = document.groups.get(at.parent)
    return at is not None


def _ratio(one: Sum, limit: float | None) -> float | None:
    if limit is None or one.nothing or limit <= 0:
        return None
    return one.total / limit
