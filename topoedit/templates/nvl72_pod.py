"""Pods of NVL72 racks; switch counts follow a formula, as the vendor's table is not at hand."""

from __future__ import annotations

import math
from dataclasses import replace

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.templates import options
from topoedit.templates.base import Built, Parameter, Template, Values
from topoedit.templates.builder import Builder
from topoedit.templates.clos import ClosPlan, check_ports
from topoedit.templates.draw import Spec, draw
from topoedit.templates.hardware import Server, Switch
from topoedit.templates.services import add_networks
from topoedit.templates.text import built, count

UNIT_RACKS = 8  # DGX GB200 SuperPOD: 8 racks of 72 GPUs in a unit
FORMULA = (
    "By formula, not from a vendor's table: a unit's leaves have half their ports for NICs, "
    "spines are rounded up until every leaf meets every spine with the same number of cables"
)


def nvl72_plan(values: Values, host: Server, leaf: Switch, spine: Switch, core: Switch) -> ClosPlan:
    """The numbers of a pod: whole runs of NICs of every rack share a leaf.

    Raises:
        BadInputError: a leaf has too few ports, or the tiers do not reach.
    """
    racks = options.servers_wanted(values, host, UNIT_RACKS)
    slots, nics = min(racks, UNIT_RACKS), len(host.ports)
    half = leaf.radix // 2
    leaves = math.ceil(slots * nics / half)
    while leaves < nics and math.ceil(nics / leaves) * slots > half:
        leaves += 1
    down = math.ceil(nics / leaves) * slots
    units = math.ceil(racks / slots)
    base = ClosPlan(
        servers=racks,
        slots=slots,
        nics=nics,
        units=units,
        leaves_per_unit=leaves,
        downlinks=down,
        uplinks=down,
        tiers=2,
        units_per_pod=units,
    )
    done = options.with_switches(base, values, spine, core, options.reserved(values))
    check_ports(done, leaf.radix, spine.radix, core.radix)
    return done


def _notes(plan: ClosPlan, host: Server) -> list[str]:
    notes = [FORMULA]
    run = math.ceil(plan.nics / plan.leaves_per_unit)
    notes.append(
        f"Each leaf of a unit takes the same {count(run, 'NIC')} of every rack, so GPU i of two "
        "racks are one switch apart"
    )
    scale_up = host.type.inside.scaleup if host.type.inside is not None else None
    if scale_up is not None and scale_up.links_per_chip:
        pairs = host.gpus * sum(scale_up.links_per_chip) * NVLINK_PAIRS
        notes.append(
            f"Inside a rack: {count(host.gpus, 'GPU')}, {count(scale_up.chips, 'switch chip')}, "
            f"{count(pairs, 'copper pair')} of NVLink"
        )
    return notes


NVLINK_PAIRS = 4  # differential pairs of one NVLink 5: two lanes each way; 72 x 18 x 4 = 5,184


def _make(values: Values, catalog: Catalog) -> Built:
    host, leaf, spine, core = options.hardware(values, catalog)
    if (host.type.trays or 1) < 2:
        raise BadInputError(f"{host.type.name} is not a rack of trays", "--system")
    plan = nvl72_plan(values, host, leaf, spine, core)
    builder = Builder(catalog)
    grouped = plan.tiers == 2
    drawn = draw(builder, Spec(plan, replace(host, per_rack=1), leaf, spine, core, grouped=grouped))
    notes = _notes(plan, host) + add_networks(builder, drawn, host, values.words("networks"))
    return built(builder, "nvl72-pod", host, drawn, plan, notes)


_SYSTEM = Parameter("system", "device", "rack type, an id of the catalogue", "gb200-nvl72")

TEMPLATE = Template(
    id="nvl72-pod",
    title="NVL72 pod",
    summary="racks of 72 GPUs on one NVLink domain each, 8 to a unit, switch counts by formula",
    parameters=(
        _SYSTEM, options.NODES, options.GPUS, *options.SWITCHES, options.TIERS, options.RADIX,
        options.NETWORK_LIST,
    ),
    checked="Unit of 8 racks: NVIDIA DGX SuperPOD GB200 reference architecture, 2025; "
    "switch counts by formula",
    make=_make,
)  # fmt: skip
