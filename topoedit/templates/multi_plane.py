"""Multi-plane fat trees: every server's NICs shared out over planes that never meet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as with_fields

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.layout.sizes import GAP, PADDING, size
from topoedit.templates import options
from topoedit.templates.base import Built, Parameter, Template, Values
from topoedit.templates.builder import Builder
from topoedit.templates.clos import ClosPlan, leaf_bundles
from topoedit.templates.draw import SWITCHES_PER_RACK, Drawn, Spec, bank, draw, switch_end
from topoedit.templates.fat_tree import tree_plan
from topoedit.templates.hardware import Server, Switch
from topoedit.templates.services import add_networks
from topoedit.templates.text import built, count

PLANES = Parameter("planes", "int", "parallel fabrics (one for each NIC)", low=1, high=64)
_ABOVE = 160.0


@dataclass(frozen=True)
class PlanePlan:
    """The numbers of a multi-plane fabric.

    Attributes:
        planes: how many fabrics.
        one: the numbers of one plane.
        units: all servers with the leaves of all planes, without what is above them.
    """

    planes: int
    one: ClosPlan
    units: ClosPlan


def plane_plan(values: Values, host: Server, leaf: Switch, spine: Switch) -> PlanePlan:
    """Planes of two tiers, alike; a server has as many NICs in each.

    Raises:
        BadInputError: the NICs cannot be shared out evenly, or two tiers do not reach.
    """
    nics = len(host.ports)
    planes = values.integer("planes") or nics
    if nics % planes:
        fitting = ", ".join(str(n) for n in range(1, nics + 1) if nics % n == 0)
        raise BadInputError(
            f"{nics} NICs cannot be shared by {planes} planes", "--planes", f"Give {fitting}"
        )
    part = replace(host, ports=host.ports[: nics // planes], rails=host.rails[: nics // planes])
    one = tree_plan(_two_tiers(values, part, leaf), part, leaf, spine, spine)
    units = replace(
        one, nics=nics, leaves_per_unit=planes, tiers=1, units_per_pod=one.units,
        spines_per_pod=0, spine_uplinks=0, cores=0,
    )  # fmt: skip
    return PlanePlan(planes, one, units)


def _two_tiers(values: Values, part: Server, leaf: Switch) -> Values:
    """The options with the tiers that are needed: one if a single leaf takes everybody."""
    servers = options.servers_wanted(values, part, 64)
    alone = servers * len(part.ports) <= leaf.radix and values.integer("tiers") != 2
    spines = values.integer("spines")
    if spines is not None:
        planes = values.integer("planes") or 1
        if spines % planes:
            raise BadInputError(
                f"{spines} spines cannot be shared by {planes} planes", "--spines",
                f"Give a multiple of {planes}",
            )  # fmt: skip
    each = None if spines is None else spines // (values.integer("planes") or 1)
    sized = {"tiers": 1 if alone else 2, "spines": each, "nodes": servers, "gpus": None}
    return Values({**values.values, **sized}, values.given)


def _draw(
    builder: Builder, plan: PlanePlan, host: Server, leaf: Switch, spine: Switch
) -> tuple[Drawn, list[list[str]]]:
    """Units of servers and leaves, the spines of each plane in a row of racks above."""
    grouped = plan.one.units > 1
    drawn = draw(builder, Spec(plan.units, host, leaf, spine, spine, grouped=grouped))
    builder.carry(spine)
    if plan.one.tiers == 1:
        return drawn, [[] for _ in range(plan.planes)]
    columns, width = _columns(plan, drawn.width)
    before, top, above, spines = len(builder.racks), 0.0, 0.0, []
    for plane in range(plan.planes):
        column = plane % columns
        top = above if column == 0 else top
        names = [f"plane{plane + 1}-spine-{i + 1}" for i in range(plan.one.spines)]
        area = (column * (width + 2 * GAP) + GAP, top, width)
        floor = (drawn.floor_rows, len(builder.racks) - before)
        rack = f"plane{plane + 1}-spine-rack"
        above = max(above, top + bank(builder, names, spine, "spine", rack, "", area, floor))
        spines.append(names)
    _shift_units(builder, above + _ABOVE)
    drawn.spines = [name for names in spines for name in names]
    drawn.height += above + _ABOVE
    drawn.floor_rows += 1
    return drawn, spines


def _columns(plan: PlanePlan, width: float) -> tuple[int, float]:
    """Planes beside each other over a width, and the width of one."""
    spines = min(plan.one.spines, SWITCHES_PER_RACK)
    least = spines * (size("spine")[0] + GAP) + 2 * PADDING
    columns = max(1, min(plan.planes, int((width + 2 * GAP) // (least + 2 * GAP))))
    columns = math.ceil(plan.planes / math.ceil(plan.planes / columns))
    return columns, max(least, width / columns - 2 * GAP)


def _shift_units(builder: Builder, down: float) -> None:
    """Move everything but the spines down."""
    builder.devices = [
        device if device.kind == "spine" else with_fields(device, y=device.y + down)
        for device in builder.devices
    ]


def _wire(
    builder: Builder, plan: PlanePlan, leaves: Sequence[str], spines: Sequence[Sequence[str]],
    switches: tuple[Switch, Switch],
) -> None:  # fmt: skip
    for plane in range(plan.planes):
        own = leaves[plane :: plan.planes]
        for bundle in leaf_bundles(plan.one):
            builder.link(
                switch_end(own[bundle.lower], switches[0], bundle.lower_port, bundle.cables),
                switch_end(
                    spines[plane][bundle.upper], switches[1], bundle.upper_port, bundle.cables
                ),
            )


def _mark_planes(builder: Builder, leaves: Sequence[str], spines: Sequence[Sequence[str]]) -> None:
    """Put the number of its plane on every switch and link of the compute network."""
    planes = len(spines)
    of = {name: index % planes for index, name in enumerate(leaves)}
    of |= {name: plane for plane, names in enumerate(spines) for name in names}
    builder.devices = [with_fields(d, plane=of[d.id]) if d.id in of else d for d in builder.devices]
    builder.links = [
        with_fields(link, plane=of[link.b.device]) if link.b.device in of else link
        for link in builder.links
    ]


def _notes(plan: PlanePlan, host: Server) -> Iterator[str]:
    each = len(host.ports) // plan.planes
    yield (
        f"{count(plan.planes, 'plane')} of {count(plan.one.leaves, 'leaf', 'leaves')} and "
        f"{count(plan.one.spines, 'spine')} each; every server has {count(each, 'NIC')} in each"
    )
    yield (
        "Planes never meet: traffic between GPUs of two planes crosses the scale-up network, and "
        f"a plane that fails takes 1/{plan.planes} of every server's network"
    )


def _make(values: Values, catalog: Catalog) -> Built:
    host, leaf, spine, _ = options.hardware(values, catalog)
    given = {**values.values, "planes": values.integer("planes") or len(host.ports)}
    plan = plane_plan(Values(given, values.given), host, leaf, spine)
    builder = Builder(catalog)
    drawn, spines = _draw(builder, plan, host, leaf, spine)
    _wire(builder, plan, drawn.leaves, spines, (leaf, spine))
    _mark_planes(builder, drawn.leaves, spines)
    notes = [*_notes(plan, host)]
    notes += add_networks(builder, drawn, host, values.words("networks"))
    return built(builder, "multi-plane", host, drawn, plan.units, notes)


TEMPLATE = Template(
    id="multi-plane",
    title="Multi-plane fat tree",
    summary="parallel two-tier fabrics, the NICs of every server shared out over them",
    parameters=(
        options.SYSTEM, options.NODES, options.GPUS, PLANES, options.LEAF, options.SPINE,
        options.SPINES, options.OVERSUBSCRIPTION, options.RADIX, options.PER_RACK,
        options.NETWORK_LIST,
    ),
    checked="Zhao et al., Insights into DeepSeek-V3, arXiv 2505.09343: 8 planes of 64-port "
    "switches reach 16,384 GPUs in two tiers",
    make=_make,
)  # fmt: skip
