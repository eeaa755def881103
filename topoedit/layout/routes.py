"""How long a cable between two devices is, and on what the length rests.

A cable goes up from its port to the tray (or down under the floor), along rows and across them by
the shortest way (`layout.trays`), and down to the other port; then comes slack. Inside a rack it
is the height between the ports and the turns. The same way both ways round. What is not known, a
rack without a place or a way between two rooms, gives no length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from topoedit.layout.standing import Area, Spot, Standing, standing
from topoedit.layout.trays import Run, Trays
from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.model.floor import UNIT_M, Floor
from topoedit.units import format_number


class Berth(NamedTuple):
    """Where one device is.

    Attributes:
        rack: id of its rack.
        spot: where the rack stands, None if unknown.
        unit: lowest rack unit, None if unknown: then heights count from the bottom of the rack.
    """

    rack: str
    spot: Spot | None
    unit: int | None


@dataclass(frozen=True, eq=False)
class Rules:
    """What a floor says of every cable, with the words for it."""

    floor: Floor
    first: str
    last: str
    tail: str

    @classmethod
    def of(cls, floor: Floor) -> Rules:
        """The rules of a floor."""
        first, last = ("down", "up") if floor.tray == "underfloor" else ("up", "down")
        tail = f" + {floor.slack_share * 100:g} %" if floor.slack_share else ""
        tail += f" + slack {floor.slack_m:g} m at each end" if floor.slack_m else ""
        return cls(floor, first, last, tail)


class Route(NamedTuple):
    """The way of a cable, metres.

    Attributes:
        up_m, down_m: from the ports to the trays; for a cable in one rack, `up_m` is the height
            between the ports and `turns_m` what its turns take.
        along_m, across_m: along rows and across them.
        between_m: between two rooms.
        way_m: all that, to 0.1 m.
        need_m: with slack, rounded up to a whole metre (in a rack to half a metre).
        rules: of the floor whose trays it takes.
        vague: the rack unit of an end is not known.
    """

    up_m: float
    along_m: float
    across_m: float
    between_m: float
    down_m: float
    turns_m: float
    way_m: float
    need_m: float
    rules: Rules
    vague: bool = False

    @property
    def least_m(self) -> float:
        """Metres that no cable can do without: no slack, unknown rack units the nearest."""
        return self.way_m - (self.up_m + self.down_m if self.vague else 0.0)

    @property
    def basis(self) -> str:
        """What the length is made of, in words."""
        return basis_of(self)


class _Leg(NamedTuple):
    """From a port to a tray: the height, and whether the rack unit was not known."""

    height_m: float
    vague: bool


class Router:
    """Works out lengths in one drawing as it is now.

    Args:
        document: the drawing.
        stands: where its racks stand, if known already.
    """

    def __init__(self, document: Document, stands: Standing | None = None) -> None:
        self._document = document
        self.standing = stands if stands is not None else standing(document)
        self._racks: dict[str, str] = {}
        self._trays: dict[str, Trays] = {}
        self._runs: dict[tuple[Spot, Spot], Run | None] = {}
        self._routes: dict[tuple[Run, int | None, int | None, str], Route] = {}
        self._rules = {i: Rules.of(area.floor) for i, area in self.standing.areas.items()}
        self._legs: dict[tuple[str, int | None], _Leg] = {}
        self._ways = {
            frozenset((way.a, way.b)): way.metres for way in document.settings.ways
        }  # the last of several

    def berth(self, device: Device) -> Berth | None:
        """Where a device is; None if it is in no rack."""
        rack = self._rack_of(device.group)
        return Berth(rack, self.standing.spots.get(rack), device.unit) if rack else None

    def _rack_of(self, group_id: str) -> str:
        found = self._racks.get(group_id)
        if found is None:
            group = self._document.groups.get(group_id)
            is_rack = group is not None and group.kind == "rack"
            found = self._racks[group_id] = group_id if is_rack else ""
        return found

    def route(self, a: Device, b: Device) -> Route | None:
        """The way of a cable from device to device; None if it is not known."""
        return self.between(self.berth(a), self.berth(b))

    def between(self, a: Berth | None, b: Berth | None) -> Route | None:
        """The way of a cable between two places; None if it is not known.

        Like ways are one and the same object.
        """
        if a is None or b is None:
            return None
        if a.rack == b.rack:
            return self._inside(a, b)
        if a.spot is None or b.spot is None:
            return None
        if a.spot.area != b.spot.area:
            return self._between_rooms(a, b, a.spot, b.spot)
        run = self._run(a.spot, b.spot)
        if run is None:
            return None
        return _routed(run, 0.0, self._leg(a.spot, a.unit), self._leg(b.spot, b.unit),
                       self._rules[a.spot.area])  # fmt: skip

    def _leg(self, spot: Spot, unit: int | None) -> _Leg:
        key = (spot.area, unit)
        found = self._legs.get(key)
        if found is None:
            floor = self.standing.areas[spot.area].floor
            port = floor.plinth_m + (unit or 1) * UNIT_M
            height = floor.tray_m - port if floor.tray == "overhead" else port + floor.tray_m
            found = self._legs[key] = _Leg(abs(height), unit is None)
        return found

    def _inside(self, a: Berth, b: Berth) -> Route | None:
        """A cable in one rack; without a place of the rack both units must be known."""
        if a.spot is None and (a.unit is None or b.unit is None):
            return None
        rules = self._rules[self.standing.area_of[a.rack]]
        height = abs((a.unit or 1) - (b.unit or 1)) * UNIT_M
        turns = max(rules.floor.turns_m, 2 * math.pi * rules.floor.bend_m)
        way = height + turns
        return Route(
            height, 0.0, 0.0, 0.0, 0.0, turns, round(way, 1), _up(2 * way) / 2, rules,
            a.unit is None or b.unit is None,
        )  # fmt: skip

    def _run(self, a: Spot, b: Spot) -> Run | None:
        key = (a, b) if a <= b else (b, a)
        if key not in self._runs:
            self._runs[key] = self._trays_of(a.area).between(*key)
        return self._runs[key]

    def _trays_of(self, area_id: str) -> Trays:
        found = self._trays.get(area_id)
        if found is None:
            area = self.standing.areas[area_id]
            spots = [s for rack in area.racks if (s := self.standing.spots.get(rack)) is not None]
            entry = _entry(area)
            spots += [entry] if entry is not None else []
            found = self._trays[area_id] = Trays(area, spots)
        return found

    def _between_rooms(self, a: Berth, b: Berth, here: Spot, there: Spot) -> Route | None:
        """Over the stated way between the entries of two rooms; None if none is stated."""
        one, other = self.standing.areas[here.area], self.standing.areas[there.area]
        metres = self._way(one, other)
        doors = _entry(one), _entry(other)
        if metres is None or doors[0] is None or doors[1] is None:
            return None
        first, last = self._run(here, doors[0]), self._run(there, doors[1])
        if first is None or last is None:
            return None
        run = Run(first.along_m + last.along_m, first.across_m + last.across_m)
        up, down = self._leg(here, a.unit), self._leg(there, b.unit)
        return _routed(run, metres, up, down, self._rules[one.id])

    def _way(self, one: Area, other: Area) -> float | None:
        """The stated way between two rooms, or else between what is around them."""
        for a in one.around:
            for b in other.around:
                metres = self._ways.get(frozenset((a, b)))
                if metres is not None and a != b:
                    return metres
        return None


def _entry(area: Area) -> Spot | None:
    """Where cables come into a room."""
    line = area.line_of(area.floor.entry_row) if area.floor.entry_row else 0
    if line is None or line >= len(area.lines):
        return None
    column = 1 if area.floor.entry_column is None else area.floor.entry_column
    return Spot(area.id, line, area.x_of(column), area.lines[line].y_m)


def _routed(run: Run, between_m: float, up: _Leg, down: _Leg, rules: Rules) -> Route:
    floor = rules.floor
    way = run.along_m + run.across_m + between_m + up.height_m + down.height_m
    need = _up(way * (1 + floor.slack_share) + 2 * floor.slack_m)
    return Route(
        up.height_m, run.along_m, run.across_m, between_m, down.height_m, 0.0, round(way, 1), need,
        rules, up.vague or down.vague,
    )  # fmt: skip


def _up(metres: float) -> float:
    """Rounded up to a whole number, rounding errors apart."""
    return float(math.ceil(round(metres, 6)))


GIVEN = "given"


def basis_of(route: Route | None, given_m: float | None = None) -> str:
    """On what a length rests, in words.

    A length that the drawing gives is said to be given, with the way beside it if that is known;
    "" if nothing is known.
    """
    if route is None:
        return "" if given_m is None else GIVEN
    words = _words(route)
    return f"routed: {words}" if given_m is None else f"{GIVEN}; the way is {words}"


def _words(route: Route) -> str:
    if route.turns_m:
        vague = _VAGUE if route.vague else ""
        up, turns = _tenths((route.up_m, route.turns_m), route.way_m)
        return f"{up:.1f} m in the rack + {turns:.1f} m for turns{vague}"
    up, along, across, between, down = _tenths(
        (route.up_m, route.along_m, route.across_m, route.between_m, route.down_m), route.way_m
    )
    return _parts(up, along, across, between, down, route.rules, route.vague)


def _tenths(parts: tuple[float, ...], total: float) -> tuple[float, ...]:
    """Parts in tenths of a metre that add up to the total shown (largest remainders)."""
    exact = [round(part * 10, 6) for part in parts]
    whole = [math.floor(part) for part in exact]
    lacking = round(total * 10) - sum(whole)
    if not 0 <= lacking <= len(parts):
        return tuple(round(part, 1) for part in parts)
    order = sorted(range(len(parts)), key=lambda n: (whole[n] - exact[n], -exact[n]))
    for n in order[:lacking]:
        whole[n] += 1
    return tuple(part / 10 for part in whole)


@lru_cache(maxsize=65536)
def _parts(
    up: float, along: float, across: float, between: float, down: float, rules: Rules, vague: bool
) -> str:
    parts = [f"{up:.1f} m {rules.first}"]
    parts += [f"{along:.1f} m along rows"] if along else []
    parts += [f"{across:.1f} m across"] if across else []
    decimals = 0 if between.is_integer() else 1
    parts += [f"{format_number(between, decimals)} m between rooms"] if between else []
    parts += [f"{down:.1f} m {rules.last}"]
    return " + ".join(parts) + rules.tail + (_VAGUE if vague else "")


_VAGUE = "; rack unit unknown, from the bottom"
