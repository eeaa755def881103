"""Dragonfly: groups of switches that all meet, every two groups joined by global cables.

Kim, Dally, Scott and Abts, Technology-Driven, Highly-Scalable Dragonfly Topology (ISCA 2008):
a switch has p ports to servers, a - 1 to the others of its group of a, and h to other groups;
balanced is a = 2p = 2h, and at most a h + 1 groups fit. A cluster below that size has spare ports:
here they become parallel cables, as many as go to every neighbour alike.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.layout.grid import columns_for
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

GROUPS = Parameter("groups", "int", "number of groups (as square as it gets)", low=1, high=4096)
LEAVES = Parameter("leaves", "int", "switches of each group", low=1, high=1024)
_RING = 24  # groups up to which they stand around an empty middle


@dataclass(frozen=True)
class DragonflyPlan:
    """The numbers of a dragonfly.

    Attributes:
        servers: servers in all; slots: servers of one switch.
        down: ports of a switch to its servers (p).
        leaves: switches of a group (a); groups: number of groups (g).
        local: cables between every two switches of a group.
        ports_up: ports of a switch towards other groups (h).
        between: cables between every two groups.
    """

    servers: int
    slots: int
    down: int
    leaves: int
    groups: int
    local: int
    ports_up: int
    between: int

    @property
    def per_group(self) -> int:
        """Servers of a whole group."""
        return self.slots * self.leaves


def dragonfly_plan(values: Values, host: Server, switch: Switch) -> DragonflyPlan:
    """A dragonfly for some servers, by the balanced rule.

    Raises:
        BadInputError: a switch has too few ports for one server, or for so many groups.
    """
    nics = len(host.ports)
    servers = options.servers_wanted(values, host, 64)
    slots = max(1, (switch.radix + 1) // 4 // nics)
    down = slots * nics
    up = min(down, (switch.radix - down) // 2)
    if up < 1:
        raise BadInputError(
            f"a switch of {switch.radix} ports has no room for a server of {nics} and for cables "
            "to other switches",
            "--leaf",
            "Use a switch with more ports",
        )
    beside = min(2 * down, switch.radix - down - up)
    leaves, groups = _group_size(values, math.ceil(servers / slots), beside, up, slots)
    local = beside // (leaves - 1) if leaves > 1 else 0
    between = leaves * up // (groups - 1) if groups > 1 else 0
    if leaves * groups * slots < servers:
        raise BadInputError(
            f"{groups} groups of {leaves} switches take {leaves * groups * slots} servers, "
            f"not {servers}",
            "--groups",
            f"Give {math.ceil(servers / slots / leaves)} groups",
        )
    return DragonflyPlan(servers, slots, down, leaves, groups, local, up, between)


def _group_size(values: Values, switches: int, beside: int, up: int, slots: int) -> tuple[int, int]:
    """Switches of a group and groups: about as many of both, no switch for nothing if it can be."""
    leaves, groups = values.integer("leaves"), values.integer("groups")
    if leaves is None and groups is not None:
        leaves = math.ceil(switches / groups)
    if leaves is not None:
        found = (leaves, groups or math.ceil(switches / leaves))
        _check(found, beside, up)
        return found
    fitting = [
        (size, math.ceil(switches / size))
        for size in range(1, min(beside + 1, switches) + 1)
        if math.ceil(switches / size) <= size * up + 1
    ]
    if not fitting:
        most = (beside + 1) * ((beside + 1) * up + 1) * slots
        raise BadInputError(
            f"a dragonfly of these switches ends at {most:,} servers", "--nodes",
            "Use a switch with more ports",
        )  # fmt: skip
    return min(fitting, key=lambda f: (f[0] * f[1] - switches > f[0] // 4, abs(f[1] - f[0]), f[0]))


def _check(found: tuple[int, int], beside: int, up: int) -> None:
    leaves, groups = found
    if leaves - 1 > beside:
        raise BadInputError(
            f"a switch has {beside} ports to others of its group, {leaves} switches need "
            f"{leaves - 1}",
            "--leaves",
            f"Give at most {beside + 1}",
        )
    if groups - 1 > leaves * up:
        raise BadInputError(
            f"a group has {leaves * up} ports to other groups, {groups} groups need {groups - 1}",
            "--groups",
            f"Give at most {leaves * up + 1}",
        )


def global_cables(plan: DragonflyPlan) -> Iterator[tuple[int, int, int, int, int]]:
    """(group, switch, group, switch, cables) of every two switches that are joined across groups.

    Copy c of the cables from group i to the d-th group after it leaves by switch
    (c (g - 1) + d) mod a, which loads the switches of a group alike.
    """
    others = plan.groups - 1
    for one in range(plan.groups):
        for other in range(one + 1, plan.groups):
            pairs: Counter[tuple[int, int]] = Counter()
            for copy in range(plan.between):
                here = copy * others + (other - one - 1)
                there = copy * others + (one - other - 1) % plan.groups
                pairs[here % plan.leaves, there % plan.leaves] += 1
            for (a, b), number in sorted(pairs.items()):
                yield one, a, other, b, number


def _corners(plan: DragonflyPlan, width: float, height: float) -> list[tuple[int, int]]:
    """(column, row) of each group: around an empty middle if there are few, else in a grid."""
    groups = plan.groups
    if groups < 5 or groups > _RING:
        columns = columns_for(groups, width, height, 2.0)
        return [(i % columns, i // columns) for i in range(groups)]
    sides = [(groups - across * 2 + 1) // 2 for across in range(2, groups)]
    columns = next(
        across
        for across, rows in enumerate(sides, 2)
        if across * width >= 1.4 * (max(0, rows) + 2) * height or rows <= 1
    )
    down = max(1, math.ceil((groups - 2 * columns) / 2))
    around = [(c, 0) for c in range(columns)]
    around += [(columns - 1, r + 1) for r in range(down)]
    around += [(c, down + 1) for c in reversed(range(columns))]
    around += [(0, down - r) for r in range(down)]
    return around[:groups]


def _draw(builder: Builder, plan: DragonflyPlan, host: Server, switch: Switch) -> Drawn:
    builder.carry(switch)
    unit = UnitPlan(host, switch, plan.per_group, plan.leaves)
    shape, gap = unit.shape, 6 * GAP
    corners = _corners(plan, shape.width + gap, shape.height + gap)
    last_row = max(row for _, row in corners)
    per_row, drawn = max(1, RACKS_PER_ROW // unit.racks), Drawn()
    for group, (column, row) in enumerate(corners):
        name = f"group-{group + 1}"
        builder.group(name, "pod")
        leaves = [f"g{group + 1}-leaf-{i + 1}" for i in range(plan.leaves)]
        first = group * plan.per_group
        numbers = range(first + 1, min(plan.servers, first + plan.per_group) + 1)
        servers = [padded("node-", number, plan.servers) for number in numbers]
        place = Unit(
            prefix=f"g{group + 1}-",
            parent=name,
            corner=(column * (shape.width + gap), row * (shape.height + gap)),
            floor=(group // per_row, group % per_row * unit.racks),
            upside_down=row == 0 and last_row > 0,
        )
        draw_unit(builder, unit, place, leaves, servers)
        drawn.leaves += leaves
        drawn.servers += servers
    drawn.width = (max(c for c, _ in corners) + 1) * (shape.width + gap) - gap
    drawn.height = (last_row + 1) * (shape.height + gap) - gap
    drawn.floor_rows = math.ceil(plan.groups / per_row)
    return drawn


def _wire(
    builder: Builder, plan: DragonflyPlan, host: Server, switch: Switch, drawn: Drawn
) -> None:
    for index, leaf in enumerate(drawn.leaves):
        first = index * plan.slots
        plug_servers(builder, host, switch, [leaf], drawn.servers[first : first + plan.slots])
    ports = PortCounter(switch, plan.down)
    for group in range(plan.groups):
        own = drawn.leaves[group * plan.leaves : (group + 1) * plan.leaves]
        for i, one in enumerate(own):
            for other in own[i + 1 :]:
                builder.link(ports.take(one, plan.local), ports.take(other, plan.local))
    for one_group, a, other_group, b, number in global_cables(plan):
        one = drawn.leaves[one_group * plan.leaves + a]
        other = drawn.leaves[other_group * plan.leaves + b]
        builder.link(ports.take(one, number), ports.take(other, number))


def _notes(plan: DragonflyPlan) -> Iterator[str]:
    yield (
        f"{count(plan.groups, 'group')} of {count(plan.leaves, 'switch', 'switches')}, "
        f"{count(plan.slots, 'server')} on a switch; {count(plan.local, 'cable')} between two "
        f"switches of a group, {count(plan.between, 'cable')} between two groups"
    )
    if plan.groups > 1:
        out = plan.between * (plan.groups - 1)
        ratio = plan.leaves * plan.down / out
        yield f"A group has {plan.leaves * plan.down} ports down and {out} out, {ratio:.3g}:1"
    yield "Loads are those of shortest paths; detours over a third group are not counted"


def _make(values: Values, catalog: Catalog) -> Built:
    host, switch, _, _ = options.hardware(values, catalog)
    plan = dragonfly_plan(values, host, switch)
    builder = Builder(catalog)
    drawn = _draw(builder, plan, host, switch)
    _wire(builder, plan, host, switch, drawn)
    total = cables(builder.links)
    notes = [*_notes(plan), *add_networks(builder, drawn, host, values.words("networks"))]
    return Built(
        edit=builder.edit("Draw dragonfly"),
        name=f"dragonfly {host.type.id} {plan.servers}",
        summary=", ".join(
            (
                count(plan.servers * host.gpus, "GPU"), count(plan.servers, "server"),
                count(len(drawn.leaves), "switch", "switches"), count(plan.groups, "group"),
                count(total, "cable"),
            )
        ),
        notes=(*notes, LENGTH_BASIS),
    )  # fmt: skip


TEMPLATE = Template(
    id="dragonfly",
    title="Dragonfly",
    summary="groups of fully meshed switches, every two groups joined",
    parameters=(
        options.SYSTEM, options.NODES, options.GPUS, options.LEAF, LEAVES, GROUPS, options.RADIX,
        options.PER_RACK, options.NETWORK_LIST,
    ),
    checked="Kim, Dally, Scott, Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, "
    "ISCA 2008: balanced at a = 2p = 2h, up to a h + 1 groups",
    make=_make,
)  # fmt: skip
