"""Rail-optimised pods: NIC i of every server of a unit plugs into leaf i of that unit."""

from __future__ import annotations

import math

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.templates import options
from topoedit.templates.base import Built, Template, Values
from topoedit.templates.builder import Builder
from topoedit.templates.clos import ClosPlan, check_ports
from topoedit.templates.draw import Spec, draw
from topoedit.templates.hardware import Server, Switch
from topoedit.templates.services import add_networks
from topoedit.templates.text import built


def rail_plan(
    values: Values, host: Server, leaf: Switch, spine: Switch, core: Switch, default: int = 32
) -> ClosPlan:
    """The numbers of a rail-optimised fabric, units as large as a leaf allows.

    Raises:
        BadInputError: the leaves given are not equal for all units and NICs.
    """
    nics, ratio = len(host.ports), values.number("oversubscription", 1.0)
    servers = options.servers_wanted(values, host, default)
    room = max(1, int(leaf.radix * ratio / (1 + ratio) + 1e-9))
    wanted = values.integer("leaves")
    per_unit, size = (nics, 0) if wanted is None else _with_leaves(wanted, servers, nics, room)

    def make(slots: int) -> ClosPlan:
        down = slots * nics // per_unit
        base = ClosPlan(
            servers=servers,
            slots=slots,
            nics=nics,
            units=math.ceil(servers / slots),
            leaves_per_unit=per_unit,
            downlinks=down,
            uplinks=max(1, math.ceil(down / ratio - 1e-9)),
            tiers=2,
            units_per_pod=math.ceil(servers / slots),
        )
        done = options.with_switches(base, values, spine, core, options.reserved(values))
        check_ports(done, leaf.radix, spine.radix, core.radix)
        return done

    if size or servers <= room:
        return make(size or servers)
    return options.fewest_switches(make, room, ratio, nics / per_unit)


def _with_leaves(wanted: int, servers: int, nics: int, room: int) -> tuple[int, int]:
    """Leaves a unit and servers a unit for a total of leaves."""
    for per_unit in range(min(nics, wanted), 0, -1):
        if nics % per_unit or wanted % per_unit or (per_unit == 1 and wanted > 1):
            continue
        slots = math.ceil(servers / (wanted // per_unit))
        if slots * nics // per_unit <= room and math.ceil(servers / slots) * per_unit == wanted:
            return per_unit, slots
    raise BadInputError(
        f"{wanted} leaves cannot take {servers} servers of {nics} ports evenly",
        "--leaves",
        f"Give a divisor or a multiple of {nics} with room for {servers * nics} cables",
    )


def _make(values: Values, catalog: Catalog) -> Built:
    host, leaf, spine, core = options.hardware(values, catalog)
    plan = rail_plan(values, host, leaf, spine, core)
    builder = Builder(catalog)
    grouped = plan.units > 1 and plan.tiers == 2
    drawn = draw(builder, Spec(plan, host, leaf, spine, core, grouped=grouped))
    notes = [
        f"NIC i of every server of a unit plugs into the same leaf: {plan.slots} servers share one"
    ]
    if plan.spines == 1:
        notes.append("A single spine: its loss parts the fabric; --spines 2 avoids that")
    notes += add_networks(builder, drawn, host, values.words("networks"))
    return built(builder, "rail-optimized", host, drawn, plan, notes)


TEMPLATE = Template(
    id="rail-optimized",
    title="Rail-optimised pod",
    summary="one leaf for each NIC index of a unit, spines above",
    parameters=(
        options.SYSTEM, options.NODES, options.GPUS, *options.SWITCHES, options.LEAVES,
        options.TIERS, options.OVERSUBSCRIPTION, options.RADIX, options.PER_RACK,
        options.NETWORK_LIST,
    ),
    checked="Rail rule of the NVIDIA DGX SuperPOD H100 reference architecture RA-11333, 2023",
    make=_make,
)  # fmt: skip
