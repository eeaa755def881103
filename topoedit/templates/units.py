"""One unit of switches with servers below, for fabrics that are no folded Clos."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from topoedit.layout.sizes import size
from topoedit.templates.builder import Builder, End
from topoedit.templates.draw import switch_end
from topoedit.templates.hardware import RACK_UNITS, Server, Switch
from topoedit.templates.shapes import SMALL_UNIT, Point, Style, UnitShape, unit_shape


@dataclass(frozen=True)
class Unit:
    """What a unit is called and where it stands.

    Attributes:
        prefix: begins the names of its racks.
        parent: group that holds its racks, "" for none.
        corner: its top left corner on the drawing.
        floor: row and first column of its racks on the floor.
        upside_down: switches below the servers.
    """

    prefix: str
    parent: str
    corner: Point
    floor: tuple[int, int]
    upside_down: bool = False


@dataclass(frozen=True)
class UnitPlan:
    """What all units of a fabric share: `slots` servers under `switches` switches.

    A single switch on top of a single rack has its servers side by side below it.
    """

    host: Server
    switch: Switch
    slots: int
    switches: int
    style: Style = "row"
    grouped: bool = True

    @property
    def shape(self) -> UnitShape:
        """Extent and places."""
        box = size("server", self.host.type.trays)
        alone = self.switches == 1 and self.slots <= min(self.host.per_rack, SMALL_UNIT)
        style: Style = "row" if alone else self.style
        return unit_shape(self.slots, self.host.per_rack, self.switches, style, self.grouped, box)

    @property
    def per_rack(self) -> int:
        """Switches that one rack holds, two units left for cable guides."""
        return max(1, (RACK_UNITS - 2) // int(self.switch.type.rack_units or 1))

    @property
    def net_racks(self) -> int:
        """Racks of switches alone."""
        return math.ceil(self.switches / self.per_rack) if self.style == "row" else 0

    @property
    def racks(self) -> int:
        """Racks of a unit."""
        return self.shape.racks + self.net_racks


def draw_unit(
    builder: Builder, plan: UnitPlan, unit: Unit, switches: Sequence[str], servers: Sequence[str]
) -> None:
    """Draw racks, switches and servers of one unit; the last may hold fewer servers."""
    shape = plan.shape
    per_rack = shape.per_rack
    used = max(1, math.ceil(len(servers) / per_rack))
    half = used // 2
    racks = [
        builder.rack(
            _rack_name(unit, index, used), unit.floor[0],
            unit.floor[1] + index + (plan.net_racks if index >= half else 0), unit.parent,
        )
        for index in range(used)
    ]  # fmt: skip
    nets = [
        builder.rack(
            f"{unit.prefix}leaf-rack"
            if plan.net_racks == 1
            else f"{unit.prefix}leaf-rack-{index + 1}",
            unit.floor[0], unit.floor[1] + half + index, unit.parent,
        )
        for index in range(plan.net_racks)
    ]  # fmt: skip
    holders, height = nets or racks, int(plan.switch.type.rack_units or 1)
    for index, name in enumerate(switches):
        rack, seat = divmod(index, plan.per_rack)
        top = max(1, RACK_UNITS - 1 - (seat + 1) * height)
        at = _place(shape, unit, shape.leaves[index])
        builder.device(name, plan.switch.type, "leaf", holders[rack], at, top)
    height = int(plan.host.type.rack_units or 1)
    for slot, name in enumerate(servers):
        rack, seat = divmod(slot, per_rack)
        at = _place(shape, unit, shape.slots[slot])
        builder.device(name, plan.host.type, "server", racks[rack], at, 1 + seat * height)


def _rack_name(unit: Unit, index: int, used: int) -> str:
    return f"{unit.prefix}rack" if used == 1 else f"{unit.prefix}rack-{index + 1}"


def _place(shape: UnitShape, unit: Unit, point: Point) -> Point:
    y = shape.height - point[1] if unit.upside_down else point[1]
    return unit.corner[0] + point[0], unit.corner[1] + y


def plug_servers(
    builder: Builder, host: Server, switch: Switch, switches: Sequence[str], servers: Sequence[str]
) -> None:
    """All ports of server i into switch i // (servers a switch), from its first port on."""
    ports = len(host.ports)
    each = math.ceil(len(servers) / len(switches)) if servers else 1
    for index, name in enumerate(servers):
        which, seat = divmod(index, each)
        builder.link(
            End(name, host.ports, host.gbps),
            switch_end(switches[which], switch, seat * ports, ports),
        )


@dataclass
class PortCounter:
    """Hands out the ports of switches in order, each once."""

    switch: Switch
    first: int
    _next: dict[str, int] | None = None

    def take(self, name: str, cables: int) -> End:
        """The next `cables` ports of a switch, from `first` on."""
        taken = self._next if self._next is not None else {}
        self._next = taken
        at = taken.get(name, self.first)
        taken[name] = at + cables
        return switch_end(name, self.switch, at, cables)
