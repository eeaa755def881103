"""A torus of switches: each joined to its two neighbours along every axis, ends wrapped around.

A switch gives up to half of its ports to servers; the others are shared by its neighbours, so that
k = (ports - p) // neighbours cables go to each. Cutting an even axis of length n in half cuts
2 k cables for each line along it (Dally and Towles, Principles and Practices of Interconnection
Networks, 2004, chapter 5).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.layout.sizes import GAP
from topoedit.templates import options
from topoedit.templates.base import Built, Parameter, Template, Values
from topoedit.templates.builder import Builder, padded
from topoedit.templates.draw import RACKS_PER_ROW, Drawn
from topoedit.templates.floor import LENGTH_BASIS
from topoedit.templates.hardware import Server, Switch
from topoedit.templates.services import add_networks
from topoedit.templates.text import cables, count
from topoedit.templates.units import PortCounter, Unit, UnitPlan, draw_unit, plug_servers

SHAPE = Parameter("shape", "text", "switches along each axis, 4x4x2 (as cubic as it gets)")
AXES = Parameter("axes", "int", "axes, where no shape is given", 3, low=1, high=3)
PER_SWITCH = Parameter(
    "per_switch", "int", "servers of a switch (as half of its ports take)", low=1, high=128
)
_MOST_SWITCHES = 16_384

Cell = tuple[int, ...]


@dataclass(frozen=True)
class TorusPlan:
    """The numbers of a torus: its shape, servers of a switch, cables to each neighbour."""

    servers: int
    slots: int
    down: int
    shape: Cell
    each: int

    @property
    def switches(self) -> int:
        """Switches in all."""
        return math.prod(self.shape)

    def cells(self) -> list[Cell]:
        """All places, the first axis fastest."""
        turned = product(*(range(length) for length in reversed(self.shape)))
        return [tuple(reversed(cell)) for cell in turned]


def torus_plan(values: Values, host: Server, switch: Switch) -> TorusPlan:
    """A torus for some servers.

    Raises:
        BadInputError: the shape is none or too small, or a switch has too few ports.
    """
    nics, servers = len(host.ports), options.servers_wanted(values, host, 64)
    slots = values.integer("per_switch") or max(1, switch.radix // 2 // nics)
    shape = _shape(values, math.ceil(servers / slots))
    if math.prod(shape) * slots < servers:
        raise BadInputError(
            f"{'x'.join(map(str, shape))} switches take {math.prod(shape) * slots} servers, "
            f"not {servers}",
            "--shape",
            f"Give {math.ceil(servers / slots)} switches or more",
        )
    around = sum(neighbours(length) for length in shape)
    down = slots * nics
    each = (switch.radix - down) // around if around else 0
    if down > switch.radix or (around and each < 1):
        raise BadInputError(
            f"a switch of {switch.radix} ports has no room for {down} server ports and "
            f"{around} neighbours",
            "--per-switch",
            f"Give at most {max(0, (switch.radix - around) // nics)}, or a switch with more ports",
        )
    return TorusPlan(servers, slots, down, shape, each)


def neighbours(length: int) -> int:
    """Neighbours along an axis of this length: two, one if there are only two, none if alone.

    >>> [neighbours(n) for n in (1, 2, 3, 8)]
    [0, 1, 2, 2]
    """
    return min(2, length - 1)


def _shape(values: Values, switches: int) -> Cell:
    text = values.text("shape")
    if not text:
        return cubic(switches, values.integer("axes") or 3)
    if not re.fullmatch(r"\d{1,5}([x×]\d{1,5}){0,2}", text):
        raise BadInputError(f'"{text}" is no shape', "--shape", "Give 8, 4x4 or 4x4x2")
    shape = tuple(int(length) for length in re.split("[x×]", text))
    if not 0 < math.prod(shape) <= _MOST_SWITCHES:
        raise BadInputError(
            f"{text} is {math.prod(shape)} switches", "--shape", f"Give 1 to {_MOST_SWITCHES}"
        )
    return shape


def cubic(switches: int, axes: int) -> Cell:
    """The shape with the least sum of spare switches and of unevenness, long axes first.

    Unevenness is the longest axis less the shortest.

    >>> cubic(16, 3), cubic(60, 3), cubic(12, 2), cubic(7, 1)
    ((4, 2, 2), (5, 4, 3), (4, 3), (7,))
    """
    best = _cubic(switches, axes)
    return tuple(sorted(best, reverse=True))


def _cubic(switches: int, axes: int) -> Cell:
    if axes == 1:
        return (switches,)
    found: list[tuple[int, Cell]] = []
    for first in range(1, round(switches ** (1 / axes)) + 2):
        rest = _cubic(math.ceil(switches / first), axes - 1)
        shape = (first, *rest)
        spare = math.prod(shape) - switches
        found.append((spare + max(shape) - min(shape), shape))
    return min(found)[1]


def _steps(plan: TorusPlan) -> Iterator[tuple[Cell, Cell]]:
    """Every two joined cells once."""
    for cell in plan.cells():
        for axis, length in enumerate(plan.shape):
            if length == 1 or (length == 2 and cell[axis] == 1):
                continue
            yield cell, (*cell[:axis], (cell[axis] + 1) % length, *cell[axis + 1 :])


def _name(plan: TorusPlan, cell: Cell) -> str:
    return "leaf-" + "-".join(str(place + 1) for place in cell)


def _draw(builder: Builder, plan: TorusPlan, host: Server, switch: Switch) -> Drawn:
    """A layer of the third axis is a pod, layers side by side; in it a grid of switches."""
    builder.carry(switch)
    across, down, layers = (*plan.shape, 1, 1)[:3]
    unit = UnitPlan(host, switch, plan.slots, 1, style="tor", grouped=False)
    shape, gap, drawn = unit.shape, 5 * GAP, Drawn()
    width = across * (shape.width + gap)
    for index, cell in enumerate(plan.cells()):
        column, row, layer = (*cell, 0, 0)[:3]
        pod = f"layer-{layer + 1}" if layers > 1 else ""
        if pod and (column, row) == (0, 0):
            builder.group(pod, "pod")
        first = index * plan.slots
        numbers = range(first + 1, min(plan.servers, first + plan.slots) + 1)
        servers = [padded("node-", number, plan.servers) for number in numbers]
        place = Unit(
            prefix=f"{_name(plan, cell).removeprefix('leaf-')}-",
            parent=pod,
            corner=(
                column * (shape.width + gap) + layer * (width + gap),
                row * (shape.height + gap),
            ),
            floor=_floor(plan, (column, row, layer), unit.racks),
        )
        draw_unit(builder, unit, place, [_name(plan, cell)], servers)
        drawn.leaves.append(_name(plan, cell))
        drawn.servers += servers
    drawn.width = layers * (width + gap) - 2 * gap
    drawn.height = down * (shape.height + gap) - gap
    drawn.floor_rows = down * layers * math.ceil(across * unit.racks / RACKS_PER_ROW)
    return drawn


def _floor(plan: TorusPlan, cell: Cell, racks: int) -> tuple[int, int]:
    """A floor row for each line along the first axis, several if it is long."""
    across, down, _ = (*plan.shape, 1, 1)[:3]
    per_row = max(1, RACKS_PER_ROW // racks)
    rows = math.ceil(across / per_row)
    line = (cell[2] * down + cell[1]) * rows + cell[0] // per_row
    return line, cell[0] % per_row * racks


def _wire(builder: Builder, plan: TorusPlan, host: Server, switch: Switch, drawn: Drawn) -> None:
    for index, leaf in enumerate(drawn.leaves):
        first = index * plan.slots
        plug_servers(builder, host, switch, [leaf], drawn.servers[first : first + plan.slots])
    ports = PortCounter(switch, plan.down)
    for one, other in _steps(plan):
        a, b = _name(plan, one), _name(plan, other)
        builder.link(ports.take(a, plan.each), ports.take(b, plan.each))


def _notes(plan: TorusPlan) -> Iterator[str]:
    shape = "x".join(map(str, plan.shape))
    yield (
        f"{shape} switches, {count(plan.slots, 'server')} and {count(plan.down, 'port')} down "
        f"each, {count(plan.each, 'cable')} to every neighbour"
    )
    longest = max(plan.shape)
    if longest > 1:
        lines = plan.switches // longest
        cut = lines * plan.each * (2 if longest > 2 else 1)
        half = math.ceil(longest / 2) * lines * plan.down
        yield (
            f"Cut in half across its longest axis it has {cut:,} cables for {half:,} server ports, "
            f"{half / cut:.3g}:1"
        )
    spare = plan.switches * plan.slots - plan.servers
    if spare:
        yield f"{count(spare, 'server')} more would fit"


def _make(values: Values, catalog: Catalog) -> Built:
    host, switch, _, _ = options.hardware(values, catalog)
    plan = torus_plan(values, host, switch)
    builder = Builder(catalog)
    drawn = _draw(builder, plan, host, switch)
    _wire(builder, plan, host, switch, drawn)
    total = cables(builder.links)
    notes = [*_notes(plan), *add_networks(builder, drawn, host, values.words("networks"))]
    return Built(
        edit=builder.edit("Draw torus"),
        name=f"torus {host.type.id} {plan.servers}",
        summary=", ".join(
            (
                count(plan.servers * host.gpus, "GPU"), count(plan.servers, "server"),
                count(plan.switches, "switch", "switches"), count(total, "cable"),
            )
        ),
        notes=(*notes, LENGTH_BASIS),
    )  # fmt: skip


TEMPLATE = Template(
    id="torus",
    title="Torus of switches",
    summary="a ring, sheet or cube of switches joined to their neighbours, ends wrapped around",
    parameters=(
        options.SYSTEM, options.NODES, options.GPUS, options.LEAF, SHAPE, AXES, PER_SWITCH,
        options.RADIX, options.PER_RACK, options.NETWORK_LIST,
    ),
    checked="Dally and Towles, Principles and Practices of Interconnection Networks, 2004: "
    "2 n neighbours on n axes, 2 k^(n-1) links across the middle of a k-ary n-cube",
    make=_make,
)  # fmt: skip
