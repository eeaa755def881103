"""Rail-only: one switch for each rail and nothing above; rails meet inside the servers."""

from __future__ import annotations

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.templates import options
from topoedit.templates.base import Built, Template, Values
from topoedit.templates.builder import Builder
from topoedit.templates.clos import ClosPlan
from topoedit.templates.draw import Spec, draw
from topoedit.templates.hardware import Server, Switch
from topoedit.templates.services import add_networks
from topoedit.templates.text import built, count


def rail_only_plan(values: Values, host: Server, leaf: Switch) -> ClosPlan:
    """The numbers of a rail-only fabric: as many switches as NICs, a port for each server.

    Raises:
        BadInputError: more servers than a switch has ports, or no scale-up between the rails.
    """
    nics = len(host.ports)
    servers = options.servers_wanted(values, host, 32)
    inside = host.type.inside
    if nics > 1 and (inside is None or inside.scaleup.kind == "none"):
        raise BadInputError(
            f"{host.type.name} has no scale-up network to join its rails", "--system",
            "Use rail-optimized",
        )  # fmt: skip
    if servers > leaf.radix:
        raise BadInputError(
            f"a rail of {servers} servers needs {servers} ports, {leaf.type.name} has {leaf.radix}",
            "--nodes",
            f"Give at most {leaf.radix}, a switch with more ports, or use rail-optimized",
        )
    return ClosPlan(
        servers=servers, slots=servers, nics=nics, units=1, leaves_per_unit=nics,
        downlinks=servers, uplinks=0, tiers=1, units_per_pod=1,
    )  # fmt: skip


def _make(values: Values, catalog: Catalog) -> Built:
    host, leaf, _, _ = options.hardware(values, catalog)
    plan = rail_only_plan(values, host, leaf)
    builder = Builder(catalog)
    drawn = draw(builder, Spec(plan, host, leaf, leaf, leaf))
    free = leaf.radix - plan.servers
    notes = [
        f"NIC i of all {count(plan.servers, 'server')} plugs into leaf i; no cable joins two rails",
        "Traffic to another rail crosses the scale-up network first; with PXN off it has no path",
        f"{count(free, 'port')} of each switch free: room for as many servers more"
        if free
        else "Every port is taken: the next server needs switches with more ports or a spine",
    ]
    notes += add_networks(builder, drawn, host, values.words("networks"))
    return built(builder, "rail-only", host, drawn, plan, notes)


TEMPLATE = Template(
    id="rail-only",
    title="Rail-only pod",
    summary="one switch for each NIC index and no spine, rails joined inside the servers",
    parameters=(
        options.SYSTEM, options.NODES, options.GPUS, options.LEAF, options.RADIX,
        options.PER_RACK, options.NETWORK_LIST,
    ),
    checked="Wang et al., Rail-only: A Low-Cost High-Performance Network for Training LLMs with "
    "Trillion Parameters, arXiv 2307.12169: a rail of k-port switches without spines",
    make=_make,
)  # fmt: skip
