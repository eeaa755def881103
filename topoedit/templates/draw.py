"""Draws a Clos plan: groups, racks, devices with places and rack units, links with lengths."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from topoedit.catalog.types import Kind
from topoedit.layout.grid import centred, columns_for
from topoedit.layout.sizes import GAP, MARGIN, PADDING, SWITCH_HEIGHT, size
from topoedit.model.elements import Network
from topoedit.templates.builder import Builder, End, padded
from topoedit.templates.clos import ClosPlan, bundles
from topoedit.templates.hardware import RACK_UNITS, Server, Switch
from topoedit.templates.shapes import Point, Style, UnitShape, unit_shape

RACKS_PER_ROW = 16
SWITCHES_PER_RACK = 16
_ROW_HEIGHT = SWITCH_HEIGHT + 2 * MARGIN
_TIER_GAP = 160.0
_STRETCH = 1.1  # a pod grows by so much to keep its spines in one row
_WIDEST_PITCH = 296.0  # spines stand at most so far apart: two columns of leaves


@dataclass(frozen=True)
class Spec:
    """A plan with the hardware it is built of and how it is named.

    Attributes:
        style: leaves in a rack of their own in each unit, or on top of the servers' rack.
        grouped: each unit is a pod of its own (only with two tiers).
        numbered: names of unit parts carry the unit's number even if there is only one.
    """

    plan: ClosPlan
    server: Server
    leaf: Switch
    spine: Switch
    core: Switch
    style: Style = "row"
    grouped: bool = False
    numbered: bool = False


@dataclass(frozen=True)
class NicPorts:
    """The ports of each server in one network, their rails and rate."""

    names: tuple[str, ...]
    rails: tuple[int | None, ...]
    gbps: float | None


@dataclass
class Drawn:
    """What was drawn, for what a template adds to it.

    Attributes:
        free_slots: rack, centre and rack unit of slots that hold no server, by (unit, slot).
        width, height: extent of the drawing from (0, 0).
        floor_rows: rows of the floor in use.
    """

    servers: list[str] = field(default_factory=list)
    leaves: list[str] = field(default_factory=list)
    spines: list[str] = field(default_factory=list)
    cores: list[str] = field(default_factory=list)
    free_slots: dict[tuple[int, int], tuple[str, Point, int]] = field(default_factory=dict)
    width: float = 0.0
    height: float = 0.0
    floor_rows: int = 0


@dataclass(frozen=True)
class _Pod:
    """Sizes that all pods share, on the drawing and on the floor."""

    shape: UnitShape
    columns: int
    width: float
    height: float
    units_top: float
    unit_racks: int
    units_per_row: int
    floor_rows: int
    floor_columns: int


def draw(builder: Builder, spec: Spec) -> Drawn:
    """Draw everything of a plan into a builder."""
    for switch in (spec.leaf, spec.spine, spec.core):
        builder.carry(switch)
    drawn, pod, plan = Drawn(), _pod(spec), spec.plan
    across = columns_for(plan.pods, pod.width, pod.height)
    down = math.ceil(plan.pods / across)
    core_rack = min(SWITCHES_PER_RACK, _per_rack(spec.core))
    sheet = across * (pod.width + 2 * GAP) - 2 * GAP
    core_rows = _bank_rows(plan.cores if plan.tiers > 2 else 0, core_rack, sheet, "core")
    top = core_rows * (_ROW_HEIGHT + GAP) + (_TIER_GAP if core_rows else 0.0)
    for index in range(plan.pods):
        row, column = divmod(index, across)
        floor = (row * pod.floor_rows + (row >= down // 2 and plan.tiers > 2), column)
        origin = (column * (pod.width + 2 * GAP), top + row * (pod.height + 2 * GAP))
        _draw_pod(builder, spec, drawn, pod, index, origin, floor)
    if plan.tiers > 2:
        where = (down // 2 * pod.floor_rows, 0)
        names = [f"core-{i + 1}" for i in range(plan.cores)]
        bank(builder, names, spec.core, "core", "core-rack", "", (0.0, 0.0, sheet), where)
        drawn.cores = names
    drawn.width, drawn.height = sheet, top + down * (pod.height + 2 * GAP) - 2 * GAP
    drawn.floor_rows = down * pod.floor_rows + (plan.tiers > 2)
    host = NicPorts(spec.server.ports, spec.server.rails, spec.server.gbps)
    wire(builder, plan, drawn, host, (spec.leaf, spec.spine, spec.core))
    return drawn


def _pod(spec: Spec) -> _Pod:
    plan = spec.plan
    shape = unit_shape(
        plan.slots, spec.server.per_rack, plan.leaves_per_unit, spec.style, spec.grouped,
        size("server", spec.server.type.trays),
    )  # fmt: skip
    units = min(plan.units, plan.units_per_pod)
    gap = 2 * GAP if spec.grouped else GAP
    columns = columns_for(units, shape.width + gap, shape.height + gap)
    frame = plan.tiers > 2
    inner = columns * (shape.width + gap) - gap
    per_rack = min(SWITCHES_PER_RACK, _per_rack(spec.spine))
    spines = plan.spines_per_pod if plan.tiers > 1 else 0
    inner = max(inner, _bank_width(min(spines, per_rack), "spine"))
    one_row = _row_width(spines, per_rack, "spine")
    inner = one_row if inner < one_row <= inner * _STRETCH else inner
    rows = _bank_rows(spines, per_rack, inner, "spine")
    edge = MARGIN if frame else 0.0
    top = edge + rows * (_ROW_HEIGHT + GAP) + (_TIER_GAP if rows else 0.0)
    height = top + math.ceil(units / columns) * (shape.height + gap) - gap + edge
    racks = shape.racks + (_net_racks(spec) if spec.style == "row" else 0)
    per_row = max(1, RACKS_PER_ROW // racks)
    return _Pod(
        shape=shape,
        columns=columns,
        width=inner + (2 * PADDING if frame else 0.0),
        height=height,
        units_top=top,
        unit_racks=racks,
        units_per_row=per_row,
        floor_rows=math.ceil(units / per_row) + (1 if spines else 0),
        floor_columns=max(min(per_row, units) * racks, math.ceil(spines / per_rack)) + 2,
    )


def _per_rack(switch: Switch) -> int:
    """Switches that a rack has room for, two units left for cable guides."""
    return max(1, (RACK_UNITS - 2) // int(switch.type.rack_units or 1))


def _net_racks(spec: Spec) -> int:
    return math.ceil(spec.plan.leaves_per_unit / _per_rack(spec.leaf))


def _bank_width(count: int, kind: Kind) -> float:
    """Width of a rack of `count` switches drawn in a row."""
    wide = size(kind)[0]
    return count * wide + max(0, count - 1) * _pitch_gap(kind) + 2 * PADDING


def _row_width(count: int, per_rack: int, kind: Kind) -> float:
    """Width of all racks of `count` switches side by side."""
    racks = math.ceil(count / per_rack)
    return racks * (_bank_width(min(per_rack, count), kind) + GAP) - GAP


def _pitch_gap(kind: Kind) -> float:
    return GAP / 4 if kind in ("spine", "core") else GAP


def _banks_across(per_rack: int, width: float, kind: Kind) -> int:
    return max(1, int((width + GAP) // (_bank_width(per_rack, kind) + GAP)))


def _bank_rows(count: int, per_rack: int, width: float, kind: Kind) -> int:
    """Rows of racks that `count` switches need in a sheet of that width."""
    if not count:
        return 0
    racks = math.ceil(count / per_rack)
    return math.ceil(racks / _banks_across(min(per_rack, count), width, kind))


def bank(
    builder: Builder, names: Sequence[str], switch: Switch, kind: Kind, rack: str, parent: str,
    area: tuple[float, float, float], floor: tuple[int, int], network: Network = "compute",
) -> float:  # fmt: skip
    """Racks of switches, each drawn as one row, from a place on the floor on; the height used.

    `area` is left, top and width on the drawing.
    """
    per_rack = min(SWITCHES_PER_RACK, _per_rack(switch))
    racks = math.ceil(len(names) / per_rack)
    across = _banks_across(min(per_rack, len(names)), area[2], kind)
    across = math.ceil(racks / math.ceil(racks / across))
    wide, members = size(kind)[0], min(per_rack, len(names))
    room = (area[2] + GAP) / across - GAP - 2 * PADDING - wide
    pitch = max(wide + _pitch_gap(kind), min(room // max(1, members - 1), _WIDEST_PITCH))
    step = (members - 1) * pitch + wide + 2 * PADDING + GAP
    for index in range(racks):
        members_here = names[index * per_rack : (index + 1) * per_rack]
        row, column = divmod(index, across)
        in_row = min(across, racks - row * across)
        centre = centred(in_row, step, area[0] + area[2] / 2)[column]
        y = area[1] + row * (_ROW_HEIGHT + GAP) + MARGIN + SWITCH_HEIGHT / 2
        name = builder.rack(
            rack if racks == 1 else f"{rack}-{index + 1}", floor[0], floor[1] + index, parent
        )
        for seat, (member, x) in enumerate(
            zip(members_here, centred(len(members_here), pitch, centre), strict=True)
        ):
            unit = _top_unit(switch, seat)
            builder.device(member, switch.type, kind, name, (x, y), unit, network)
    return math.ceil(racks / across) * (_ROW_HEIGHT + GAP)


def _top_unit(switch: Switch, seat: int) -> int:
    """Lowest unit of the switch `seat` from the top of a rack."""
    return max(1, RACK_UNITS - 1 - (seat + 1) * int(switch.type.rack_units or 1))


def _draw_pod(
    builder: Builder, spec: Spec, drawn: Drawn, pod: _Pod, index: int, origin: Point,
    floor: tuple[int, int],
) -> None:  # fmt: skip
    plan = spec.plan
    framed = plan.tiers > 2
    parent = builder.group(f"pod{index + 1}", "pod") if framed else ""
    first_row, first_column = floor[0], floor[1] * pod.floor_columns
    side, edge = (PADDING, MARGIN) if framed else (0.0, 0.0)
    spine_row = (pod.floor_rows - 1) // 2 if plan.tiers > 1 else pod.floor_rows
    if plan.tiers > 1:
        prefix = f"pod{index + 1}-" if framed else ""
        names = [f"{prefix}spine-{i + 1}" for i in range(plan.spines_per_pod)]
        area = (origin[0] + side, origin[1] + edge, pod.width - 2 * side)
        where = (first_row + spine_row, first_column)
        bank(builder, names, spec.spine, "spine", f"{prefix}spine-rack", parent, area, where)
        drawn.spines += names
    gap = 2 * GAP if spec.grouped else GAP
    units = range(index * plan.units_per_pod, min(plan.units, (index + 1) * plan.units_per_pod))
    across = min(pod.columns, len(units))
    left = origin[0] + (pod.width - across * (pod.shape.width + gap) + gap) / 2
    for local, unit in enumerate(units):
        row, column = divmod(local, pod.columns)
        corner = (
            left + column * (pod.shape.width + gap),
            origin[1] + pod.units_top + row * (pod.shape.height + gap),
        )
        floor_row, floor_column = divmod(local, pod.units_per_row)
        place = (
            first_row + floor_row + (floor_row >= spine_row),
            first_column + floor_column * pod.unit_racks,
        )
        _draw_unit(builder, spec, drawn, pod.shape, unit, parent, corner, place)


def _draw_unit(
    builder: Builder, spec: Spec, drawn: Drawn, shape: UnitShape, unit: int, parent: str,
    corner: Point, place: tuple[int, int],
) -> None:  # fmt: skip
    plan = spec.plan
    holder = builder.group(f"su{unit + 1}", "pod", parent) if spec.grouped else parent
    prefix = f"su{unit + 1}-" if spec.numbered or (plan.units > 1 and spec.style == "row") else ""
    net = _net_racks(spec) if spec.style == "row" else 0
    racks = list(_server_racks(builder, spec, shape, unit, prefix, holder, place, net))
    if spec.style == "row":
        middle = place[1] + shape.racks // 2
        names = (
            [f"{prefix}leaf-rack"]
            if net == 1
            else [f"{prefix}leaf-rack-{j + 1}" for j in range(net)]
        )
        holders = [builder.rack(n, place[0], middle + j, holder) for j, n in enumerate(names)]
    else:
        holders = racks[:1]
    per_rack = _per_rack(spec.leaf)
    for index, centre in enumerate(shape.leaves):
        name = f"{prefix}leaf-{index + 1}" if prefix else f"leaf-{len(drawn.leaves) + 1}"
        at, seat = _shift(centre, corner), index % per_rack
        rack = holders[index // per_rack]
        drawn.leaves.append(
            builder.device(name, spec.leaf.type, "leaf", rack, at, _top_unit(spec.leaf, seat))
        )
    _draw_servers(builder, spec, drawn, shape, unit, racks, corner)


def _server_racks(
    builder: Builder, spec: Spec, shape: UnitShape, unit: int, prefix: str, holder: str,
    place: tuple[int, int], net: int,
) -> Iterator[str]:  # fmt: skip
    """Racks of a unit; those of its leaves stand in the middle of the row."""
    half = shape.racks // 2
    seats = spec.plan.servers_in(unit) + (spec.plan.lost_slots if unit == 0 else 0)
    used = max(1, math.ceil(seats / shape.per_rack))
    for index in range(used):
        column = place[1] + index + (net if index >= half else 0)
        number = index + 1 if prefix or spec.style == "row" else unit * shape.racks + index + 1
        yield builder.rack(f"{prefix}rack-{number}", place[0], column, holder)


def _draw_servers(
    builder: Builder, spec: Spec, drawn: Drawn, shape: UnitShape, unit: int,
    racks: Sequence[str], corner: Point,
) -> None:  # fmt: skip
    plan = spec.plan
    height = int(spec.server.type.rack_units or 1)
    first, count = plan.first_server(unit), plan.servers_in(unit)
    lost = plan.lost_slots if unit == 0 else 0
    for slot in range(count + lost):
        rack, at = racks[slot // shape.per_rack], _shift(shape.slots[slot], corner)
        rack_unit = 1 + (slot % shape.per_rack) * height
        if slot >= count:
            drawn.free_slots[unit, slot] = (rack, at, rack_unit)
            continue
        name = padded("node-", first + slot + 1, plan.servers)
        drawn.servers.append(builder.device(name, spec.server.type, "server", rack, at, rack_unit))


def _shift(point: Point, by: Point) -> Point:
    return point[0] + by[0], point[1] + by[1]


def wire(
    builder: Builder, plan: ClosPlan, names: Drawn, ports: NicPorts,
    switches: tuple[Switch, Switch, Switch], network: Network = "compute",
) -> None:  # fmt: skip
    """Draw all cables of a plan between named devices; `switches` are leaf, spine and core."""
    leaf, spine, core = switches
    for bundle in bundles(plan):
        if bundle.tier == "host-leaf":
            nics = slice(bundle.lower_port, bundle.lower_port + bundle.cables)
            lower = End(names.servers[bundle.lower], ports.names[nics], ports.gbps)
            upper = switch_end(names.leaves[bundle.upper], leaf, bundle.upper_port, bundle.cables)
            rails = set(ports.rails[nics])
            builder.link(lower, upper, rails.pop() if len(rails) == 1 else None, network)
            continue
        leafward = bundle.tier == "leaf-spine"
        low_switch, high_switch = (leaf, spine) if leafward else (spine, core)
        low = (names.leaves if leafward else names.spines)[bundle.lower]
        high = (names.spines if leafward else names.cores)[bundle.upper]
        builder.link(
            switch_end(low, low_switch, bundle.lower_port, bundle.cables),
            switch_end(high, high_switch, bundle.upper_port, bundle.cables),
            network=network,
        )


def switch_end(name: str, switch: Switch, first: int, cables: int) -> End:
    """`cables` ports of a switch from port index `first` on."""
    ports = switch.ports[first : first + cables]
    return End(name, ports, switch.type.port_by_name[ports[0]].gbps, switch.type.fabric)
