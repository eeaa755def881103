"""Placing the racks of a rack list in a drawing: one edit that places, makes and fills racks.

Racks are known by their names, or else by their place. Racks and rooms that are missing are made.
A rack goes into its room together with the pod that holds it; where a pod has racks in two rooms
the rack alone says where it stands. Blank cells leave what the drawing has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from topoedit.io.rack_list import RackList, RackRow
from topoedit.layout.clashes import clash_words, clashes
from topoedit.layout.standing import standing
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import AnyElement, Device, Group, Settings
from topoedit.model.floor import DEFAULT, Blocked
from topoedit.model.operations import plural

_FIELDS = (
    "row", "column", "x_m", "y_m", "units", "power_kw", "feed_a_kw", "feed_b_kw", "cooling_kw",
    "load_kg", "airflow",
)  # fmt: skip
_ON_GRID_M = 0.01
_MOST_CLASHES = 10
_STEP_X, _STEP_Y, _GAP = 220.0, 140.0, 160.0


@dataclass(frozen=True)
class PlacedRacks:
    """What comes of a rack list.

    Attributes:
        edit: one step that places everything that can be placed.
        made, moved, same: racks that are new, that change, and that stay as they are.
        rooms: rooms that are new.
        devices: devices that go into a rack or to another unit.
        problems: rows that cannot be placed, one line each.
        notes: what else a person should know.
        bad_rows: how many rows cannot be placed, told or not.
    """

    edit: Edit
    made: int = 0
    moved: int = 0
    same: int = 0
    rooms: int = 0
    devices: int = 0
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    bad_rows: int = 0

    @property
    def summary(self) -> str:
        """What happens, on one line."""
        parts = [
            f"{plural(self.made, 'new rack')}", f"{plural(self.moved, 'rack')} changed",
            f"{self.same} as before",
        ]  # fmt: skip
        parts += [plural(self.rooms, "new room")] if self.rooms else []
        parts += [f"{plural(self.devices, 'device')} placed"] if self.devices else []
        return ", ".join(parts)


def place_racks(document: Document, found: RackList) -> PlacedRacks:
    """Place the racks of a list; the document is as it was until the edit is applied."""
    return _Placing(document).run(found)


_Places = Mapping[tuple[str, int], list[tuple[str, str]]]


@dataclass
class _Placing:
    document: Document
    groups: dict[str, Group] = field(default_factory=dict)
    devices: dict[str, Device] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    new_racks: list[str] = field(default_factory=list)
    rooms: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    blocked: dict[str, list[Blocked]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stands = standing(self.document)

    def run(self, found: RackList) -> PlacedRacks:
        places = self._places()
        wanted: dict[str, str] = {}
        for row in found.racks:
            room = self._room(row)
            rack = self._rack(row, room, places) if room is not None else None
            if rack is None:
                continue
            self.listed.append(rack)
            if room:
                wanted[rack] = room
            self._fill(row, rack)
        self._move_in(wanted)
        self._block(found.cells)
        self._lay_out()
        return self._result(found)

    # -- look-ups ------------------------------------------------------------------------------

    def _group(self, group_id: str) -> Group | None:
        return self.groups.get(group_id) or self.document.groups.get(group_id)

    def _named(self, name: str) -> Group | Device | None:
        own = self.names.get(name)
        return self.groups[own] if own is not None else self.document.named(name)

    def _add(self, group: Group) -> str:
        """Keep a new group under an id that nothing has."""
        new_id = self.document.new_id(group.name, self.ids)
        self.ids.add(new_id)
        self.names[group.name] = new_id
        self.groups[new_id] = replace(group, id=new_id)
        return new_id

    def _places(self) -> dict[tuple[str, int], list[tuple[str, str]]]:
        """Row and column -> areas and racks there, of racks on a grid."""
        stands = self.stands
        found: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
        for rack in self.document.groups.values():
            if rack.kind == "rack" and rack.row and rack.column is not None:
                found[rack.row, rack.column].append((stands.area_of[rack.id], rack.id))
        return found

    # -- one row -------------------------------------------------------------------------------

    def _room(self, row: RackRow) -> str | None:
        """Id of the room of a row, made if it is not there; "" for none, None if impossible."""
        if row.room is None:
            return ""
        known = self._named(row.room)
        if known is None:
            made = self._add(Group(id="", name=row.room, kind="room", parent=self._home()))
            self.rooms.append(made)
            return made
        if isinstance(known, Group) and known.kind == "room":
            return known.id
        self.problems.append(f'row {row.line}: "{row.room}" is a {_what(known)}, not a room')
        return None

    def _home(self) -> str:
        """The building, or else the site, of a drawing that has only one."""
        for kind in ("building", "site"):
            found = [g.id for g in self.document.groups.values() if g.kind == kind]
            if found:
                return found[0] if len(found) == 1 else ""
        return ""

    def _rack(self, row: RackRow, room: str, places: _Places) -> str | None:
        """Id of the rack of a row with its figures set; None if its name is another thing's."""
        known = self._named(row.name)
        if not row.named and row.row and row.column is not None:
            here = places.get((row.row, row.column), [])
            there = [rack for area, rack in here if not room or area == room]
            known = self._group(there[0]) if len(there) == 1 else known
        if known is not None and not (isinstance(known, Group) and known.kind == "rack"):
            self.problems.append(f'row {row.line}: "{row.name}" is a {_what(known)}, not a rack')
            return None
        values: dict[str, object] = {f: v for f in _FIELDS if (v := getattr(row, f)) is not None}
        if known is None:
            made = self._add(Group(id="", name=row.name, kind="rack", **values))  # type: ignore[arg-type]
            self.new_racks.append(made)
            return made
        values = {**self._outdated(known, row), **values}
        changed = replace(known, **values)
        if changed != known:
            self.groups[known.id] = changed
        return known.id

    def _outdated(self, rack: Group, row: RackRow) -> dict[str, object]:
        """What of the old place of a rack a new one in metres, or on the grid, makes untrue."""
        area = self.stands.areas.get(self.stands.area_of.get(rack.id, "-"))
        found: dict[str, object] = {}
        if row.x_m is not None and row.column is None and rack.column is not None:
            on_grid = area is not None and abs(area.x_of(rack.column) - row.x_m) < _ON_GRID_M
            found |= {} if on_grid else {"column": None}
        elif row.column is not None and row.x_m is None and row.column != rack.column:
            found["x_m"] = None
        if row.y_m is not None and row.row is None and rack.row:
            spot = self.stands.spots.get(rack.id)
            on_row = spot is not None and abs(spot.y_m - row.y_m) < _ON_GRID_M
            found |= {} if on_row else {"row": ""}
        elif row.row is not None and row.y_m is None and row.row != rack.row:
            found["y_m"] = None
        return found

    def _fill(self, row: RackRow, rack: str) -> None:
        for unit, name in row.devices:
            known = self.document.named(name)
            if not isinstance(known, Device):
                self.problems.append(
                    f'row {row.line}: there is no device "{name}" to put into {row.name}'
                )
                continue
            if known.id in self.devices:
                self.problems.append(f'row {row.line}: "{name}" is listed in two places')
                continue
            self.devices[known.id] = replace(
                known, group=rack, unit=known.unit if unit is None else unit
            )

    # -- rooms ---------------------------------------------------------------------------------

    def _move_in(self, wanted: Mapping[str, str]) -> None:
        """Put racks into their rooms, whole pods where all their racks go to one."""
        pods: dict[str, set[str]] = defaultdict(set)
        for rack in self.document.groups.values():
            if rack.kind == "rack" and self._pod_of(rack):
                pods[self._pod_of(rack)].add(wanted.get(rack.id) or self._room_of(rack))
        for rack_id, room in wanted.items():
            rack = self._known(rack_id)
            if self._room_of(rack) == room:
                continue
            pod = self._pod_of(rack)
            if pod and pods[pod] == {room}:
                self.groups[pod] = replace(self._known(pod), parent=room)
                rack = replace(rack, room="")
            elif pod:
                rack = replace(rack, room=room)
            else:
                rack = replace(rack, parent=room, room="")
            self.groups[rack_id] = rack

    def _known(self, group_id: str) -> Group:
        return self.groups.get(group_id) or self.document.groups[group_id]

    def _pod_of(self, rack: Group) -> str:
        holder = self._group(rack.parent)
        return holder.id if holder is not None and holder.kind == "pod" else ""

    def _room_of(self, rack: Group) -> str:
        """The room in which a rack stands by now."""
        if rack.room:
            return rack.room
        at: Group | None = rack
        while at is not None and at.kind != "room":
            at = self._group(at.parent)
        return at.id if at is not None else ""

    def _block(self, cells: Iterable[RackRow]) -> None:
        """Add blocked cells to their rooms, or to the floor of the drawing."""
        found: dict[str, list[Blocked]] = defaultdict(list)
        for cell in cells:
            in_room = self._room(cell)
            if in_room is not None and cell.blocked is not None and cell.column is not None:
                found[in_room].append(
                    Blocked(row=cell.row or "", column=cell.column, what=cell.blocked)
                )
        self.blocked = found
        for room_id, new in found.items():
            if room_id:
                room = self._known(room_id)
                floor = room.floor or self.document.settings.floor or DEFAULT
                blocked = tuple(dict.fromkeys((*floor.blocked, *new)))
                self.groups[room_id] = replace(room, floor=replace(floor, blocked=blocked))

    def _settings(self) -> tuple[AnyElement, ...]:
        new = self.blocked.get("")
        if not new:
            return ()
        settings = self.document.settings
        floor = settings.floor or DEFAULT
        blocked = tuple(dict.fromkeys((*floor.blocked, *new)))
        changed = replace(settings, floor=replace(floor, blocked=blocked))
        return () if changed == settings else (changed,)

    # -- the drawing ---------------------------------------------------------------------------

    def _lay_out(self) -> None:
        """Put new empty racks beside the drawing, in rows as on the floor."""
        devices = self.document.devices.values()
        left = max((d.x for d in devices), default=0.0) + 2 * _GAP
        top = min((d.y for d in devices), default=0.0)
        filled = {device.group for device in self.devices.values()}
        rows: dict[str, int] = {}
        seats: dict[str, int] = defaultdict(int)
        for rack_id in self.new_racks:
            rack = self.groups[rack_id]
            if rack_id in filled:
                continue
            key = f"{rack.room or rack.parent}/{rack.row}"
            line = rows.setdefault(key, len(rows))
            at = left + seats[key] * _STEP_X, top + line * (_STEP_Y + _GAP / 2)
            seats[key] += 1
            self.groups[rack_id] = replace(rack, x=at[0], y=at[1])

    def _clashes(self) -> list[str]:
        """Says which racks of the list now stand in the place of another, in metres."""
        groups = {**self.document.groups, **self.groups}
        listed = {*self.listed}
        stands = standing(_Placed(groups, self.document.settings))
        told = [
            clash_words(stands, clash, groups[clash.one], groups[clash.other])
            for clash in clashes(stands)
            if listed & {clash.one, clash.other}
        ]
        if len(told) > _MOST_CLASHES:
            told[_MOST_CLASHES:] = [f"and {len(told) - _MOST_CLASHES:,} more such pairs of racks"]
        return told

    def _result(self, found: RackList) -> PlacedRacks:
        document = self.document
        groups = [g for i, g in self.groups.items() if g != document.groups.get(i)]
        devices = [d for i, d in self.devices.items() if d != document.devices[i]]
        order = {kind: n for n, kind in enumerate(("site", "building", "room", "pod", "rack"))}
        groups.sort(key=lambda group: order[group.kind])
        touched = {group.id for group in groups if group.kind == "rack"} - {*self.new_racks}
        notes = list(found.notes)
        if any(d.group != document.devices[d.id].group for d in devices):
            notes.append("devices that changed racks stay where they are drawn; arrange them anew")
        put = (*self._settings(), *groups, *devices)
        notes += self._clashes()
        return PlacedRacks(
            edit=Edit(f"Place {plural(len(found.racks), 'rack')}", put=put),
            made=len(self.new_racks),
            moved=len(touched),
            same=len({*self.listed} - touched - {*self.new_racks}),
            rooms=len(self.rooms),
            devices=len(devices),
            problems=tuple(self.problems),
            bad_rows=len(self.problems),
            notes=tuple(notes),
        )


@dataclass(frozen=True)
class _Placed:
    """The groups as they are to become, with the settings as they are."""

    groups: Mapping[str, Group]
    settings: Settings


def _what(known: Group | Device) -> str:
    return known.kind if isinstance(known, Group) else "device"
