"""NVIDIA DGX SuperPOD of H100 or B200: units of 32 servers and 8 leaves, one leaf a rail."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.templates import options
from topoedit.templates.base import Built, Template, Values
from topoedit.templates.builder import Builder, End
from topoedit.templates.clos import ClosPlan, bundles, check_ports
from topoedit.templates.draw import Drawn, Spec, draw
from topoedit.templates.hardware import Server, Switch
from topoedit.templates.services import add_networks
from topoedit.templates.text import built, count

UNIT_SERVERS, UNIT_LEAVES = 32, 8
MAX_UNITS, TWO_TIER_UNITS, POD_UNITS = 64, 8, 4
RADIX = 64
MANAGER = "ufm-appliance"
MANAGER_PORTS = 4  # RA-11333: 1,020 cables to leaves for 127 servers of 8 ports


@dataclass(frozen=True)
class Reference:
    """A published table: document, and units -> (servers, leaves, spines, cores).

    `whole` holds rows that leave no place for a fabric manager.
    """

    document: str
    rows: Mapping[int, tuple[int, int, int, int]]
    manager: bool
    whole: Mapping[int, tuple[int, int, int, int]] = field(default_factory=dict)


_H100 = Reference(
    "NVIDIA DGX SuperPOD reference architecture, DGX H100, RA-11333-001 V11, 2023",
    {1: (31, 8, 4, 0), 2: (63, 16, 8, 0), 3: (95, 24, 16, 0), 4: (127, 32, 16, 0)},
    manager=True,
    whole={
        8: (256, 64, 32, 0), 16: (512, 128, 128, 64), 32: (1024, 256, 256, 128),
        64: (2048, 512, 512, 256),
    },
)  # fmt: skip
_B200 = Reference(
    "NVIDIA DGX SuperPOD reference architecture, DGX B200, 2025",
    {
        2: (64, 16, 8, 0), 4: (128, 32, 16, 0), 8: (256, 64, 32, 0), 16: (512, 128, 128, 64),
        32: (1024, 256, 256, 128), 64: (2048, 512, 512, 256),
    },
    manager=False,
)  # fmt: skip
REFERENCES: Mapping[str, Reference] = {"dgx-h100": _H100, "dgx-h200": _H100, "dgx-b200": _B200}


def plan_units(values: Values, host: Server) -> tuple[int, int, Reference]:
    """Units, servers and the reference of a SuperPOD.

    Raises:
        BadInputError: the system has no SuperPOD table, or the size is out of range.
    """
    reference = REFERENCES.get(host.type.id)
    if reference is None:
        raise BadInputError(
            f"there is no SuperPOD table for {host.type.name}",
            "--system",
            f"Use {', '.join(REFERENCES)}, or the template rail-optimized",
        )
    lost = int(reference.manager)
    units = values.integer("units")
    sized = options.servers_wanted(values, host, 4 * UNIT_SERVERS - lost)
    if units is not None:
        sized = units * UNIT_SERVERS - lost
    units = math.ceil((sized + lost) / UNIT_SERVERS)
    if units > MAX_UNITS:
        raise _too_large(values, host, sized, MAX_UNITS * UNIT_SERVERS - lost)
    return units, sized, reference


def _too_large(values: Values, host: Server, servers: int, most: int) -> BadInputError:
    """The refusal in the words of the option that was given."""
    gpus, units = values.integer("gpus"), values.integer("units")
    option, count, what, limit = "--nodes", servers, "servers", most
    if units is not None:
        option, count, what, limit = "--units", units, "units", MAX_UNITS
    elif gpus is not None:
        option, count, what, limit = "--gpus", gpus, "GPUs", most * host.gpus
    return BadInputError(
        f"{count:,} {what} are too many, a SuperPOD ends at {MAX_UNITS} units: {most:,} servers of "
        f"{host.gpus} GPUs", option, f"Give at most {limit}",
    )  # fmt: skip


def plan(values: Values, host: Server, leaf: Switch, spine: Switch, core: Switch) -> ClosPlan:
    """The numbers of a SuperPOD: two tiers up to 8 units, then pods of 4 units with 32 spines."""
    units, servers, reference = plan_units(values, host)
    for name, switch in (("leaf", leaf), ("spine", spine), ("core", core)):
        if switch.radix < RADIX:
            raise BadInputError(
                f"{switch.type.name} has {switch.radix} ports, a SuperPOD {name} needs {RADIX}",
                f"--{name}",
            )
    tiers = 2 if units <= TWO_TIER_UNITS else 3
    base = ClosPlan(
        servers=servers,
        slots=UNIT_SERVERS,
        nics=len(host.ports),
        units=units,
        leaves_per_unit=UNIT_LEAVES,
        downlinks=UNIT_SERVERS,
        uplinks=RADIX - UNIT_SERVERS,
        tiers=tiers,
        units_per_pod=units,
        lost_slots=int(reference.manager),
    )
    sizing = Values({**values.values, "tiers": tiers, "units_per_pod": POD_UNITS})
    full = base if tiers == 2 else replace(base, units_per_pod=POD_UNITS)
    cut = [Switch(s.type, s.ports[:RADIX], s.gbps, s.custom) for s in (leaf, spine, core)]
    done = options.with_switches(full, sizing, cut[1], cut[2])
    check_ports(done, leaf.radix, spine.radix, core.radix)
    return done


def next_unit_cost(params: Mapping[str, object], catalog: Catalog) -> Mapping[str, int]:
    """What one unit more costs, by comparing both wirings cable by cable.

    Returns:
        `units` after the step, `leaves`, `spines`, `cores` and `switches` to add, `new_cables`
        and `moved_cables`, installed ones that end somewhere else afterwards; empty at 64 units.
    """
    values = TEMPLATE.read(params)
    host, leaf, spine, core = options.hardware(values, catalog)
    now = plan(values, host, leaf, spine, core)
    if now.units >= MAX_UNITS:
        return {}
    keep = {k: v for k, v in values.values.items() if k not in ("nodes", "gpus", "spines", "cores")}
    full, grown = (
        plan(Values({**keep, "units": n}), host, leaf, spine, core)
        for n in (now.units, now.units + 1)
    )
    before, after = _wiring(full), _wiring(grown)
    kept = sum(min(number, after[pair]) for pair, number in before.items())
    moved = before.total() - kept
    added = {
        "leaves": grown.leaves - full.leaves,
        "spines": grown.spines - full.spines,
        "cores": grown.cores - full.cores,
    }
    return {
        "units": grown.units,
        **added,
        "switches": sum(added.values()),
        "new_cables": after.total() - before.total(),
        "moved_cables": moved,
    }


def _wiring(plan: ClosPlan) -> Counter[tuple[str, int, int]]:
    """Cables between each pair of devices."""
    pairs: Counter[tuple[str, int, int]] = Counter()
    for bundle in bundles(plan):
        pairs[bundle.tier, bundle.lower, bundle.upper] += bundle.cables
    return pairs


def _manager(builder: Builder, drawn: Drawn, leaf: Switch, catalog: Catalog) -> str:
    """Draw the fabric manager in the slot it takes, on the first leaves; says where."""
    (slot, (rack, at, unit)), kind = next(iter(drawn.free_slots.items())), catalog.device(MANAGER)
    ports = [port for port in kind.port_list if port.role in ("compute", "any")]
    port = leaf.ports[slot[1]]
    appliances = math.ceil(MANAGER_PORTS / len(ports))
    for index in range(appliances):
        name = f"ufm-{index + 1}"
        spread = (index - (appliances - 1) / 2) * 60.0
        builder.device(name, kind, kind.kind, rack, (at[0], at[1] + spread), unit + 2 * index)
        for j, own in enumerate(ports[: MANAGER_PORTS - index * len(ports)]):
            up = drawn.leaves[index * len(ports) + j]
            builder.link(
                End(name, [own.name], own.gbps), End(up, [port], leaf.gbps, leaf.type.fabric)
            )
    return (
        f"The fabric manager ({kind.name}, {count(appliances, 'appliance')}) takes the place of "
        f"one server in {rack} and port {port} of {drawn.leaves[0]} to "
        f"{drawn.leaves[MANAGER_PORTS - 1]}"
    )


def _checked(reference: Reference, plan: ClosPlan) -> str:
    row, switches = reference.rows.get(plan.units), (plan.leaves, plan.spines, plan.cores)
    whole = reference.whole.get(plan.units)
    if whole is not None and whole[1:] == switches:
        return (
            f"Leaves, spines and cores agree with the row of {count(plan.units, 'unit')} in "
            f"{reference.document}; it prints {whole[0]:,} servers and no fabric manager"
        )
    if row is None:
        listed = ", ".join(str(units) for units in reference.rows)
        return f"No row for {count(plan.units, 'unit')} in {reference.document} (it lists {listed})"
    if row == (plan.servers, *switches):
        return f"Agrees with the row of {count(plan.units, 'unit')} in {reference.document}"
    return (
        f"The row of {count(plan.units, 'unit')} in {reference.document} has {row[0]} servers, "
        f"{row[1]} leaves, {row[2]} spines and {row[3]} cores"
    )


def _next(cost: Mapping[str, int]) -> str:
    if not cost:
        return f"A SuperPOD ends at {MAX_UNITS} units"
    parts = [
        count(cost[key], one, many)
        for key, one, many in (
            ("leaves", "leaf", "leaves"), ("spines", "spine", "spines"), ("cores", "core", "cores"),
        )
        if cost[key]
    ]  # fmt: skip
    return (
        f"Unit {cost['units']} would add {count(cost['switches'], 'switch', 'switches')} "
        f"({', '.join(parts)}) and {count(cost['new_cables'], 'cable')}; "
        f"{count(cost['moved_cables'], 'installed cable') if cost['moved_cables'] else 'none'} "
        "would move"
    )


def _make(values: Values, catalog: Catalog) -> Built:
    host, leaf, spine, core = options.hardware(values, catalog)
    numbers = plan(values, host, leaf, spine, core)
    _, _, reference = plan_units(values, host)
    builder = Builder(catalog)
    spec = Spec(numbers, host, leaf, spine, core, grouped=numbers.tiers == 2, numbered=True)
    drawn = draw(builder, spec)
    notes = [_checked(reference, numbers)]
    if reference.manager:
        notes.append(_manager(builder, drawn, leaf, catalog))
        if numbers.servers == (numbers.units - 1) * UNIT_SERVERS:
            notes.append("One server less would save a unit: the fabric manager takes its place")
    else:
        notes.append(
            "The table shows no port for the fabric manager and every leaf is full: give it a "
            "server's place or ports outside this fabric"
        )
    if numbers.servers < numbers.units * UNIT_SERVERS - numbers.lost_slots:
        notes.append("The last unit is partly filled; its leaves and their uplinks are whole")
    notes.append(_next(next_unit_cost({k: values.values[k] for k in values.given}, catalog)))
    notes += add_networks(builder, drawn, host, values.words("networks"))
    return built(builder, "superpod", host, drawn, numbers, notes)


TEMPLATE = Template(
    id="superpod",
    title="NVIDIA SuperPOD",
    summary="1 to 64 units of 32 DGX H100, H200 or B200, rail-optimised, non-blocking",
    parameters=(
        options.SYSTEM, options.UNITS, options.NODES, options.GPUS, *options.SWITCHES,
        options.NETWORK_LIST,
    ),
    checked=f"{_H100.document}; {_B200.document}",
    make=_make,
)  # fmt: skip
