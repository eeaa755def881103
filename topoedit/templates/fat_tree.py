"""Two- and three-tier fat trees by radix and oversubscription; a server hangs on one leaf."""

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
from topoedit.templates.text import built, count

_EXACT = 1e-9


def tree_plan(
    values: Values, host: Server, leaf: Switch, spine: Switch, core: Switch, default: int = 64
) -> ClosPlan:
    """The numbers of a fat tree: all ports of a server go to one leaf.

    Raises:
        BadInputError: a server has more ports than a leaf can take, or the tiers do not reach.
    """
    nics, ratio = len(host.ports), values.number("oversubscription", 1.0)
    servers = options.servers_wanted(values, host, default)
    tiers = values.integer("tiers")
    if tiers == 1:
        room = leaf.radix // nics
    else:
        room = int(leaf.radix * ratio / (1 + ratio) + _EXACT) // nics
    wanted = values.integer("leaves")
    if room < 1:
        raise BadInputError(
            f"a leaf of {leaf.radix} ports has no room for a server of {nics} and its uplinks",
            "--leaf",
        )

    def make(slots: int) -> ClosPlan:
        units, down = wanted or math.ceil(servers / slots), slots * nics
        base = ClosPlan(
            servers=servers,
            slots=slots,
            nics=nics,
            units=units,
            leaves_per_unit=1,
            downlinks=down,
            uplinks=max(1, math.ceil(down / ratio - _EXACT)),
            tiers=2,
            units_per_pod=units,
        )
        done = options.with_switches(base, values, spine, core, options.reserved(values))
        check_ports(done, leaf.radix, spine.radix, core.radix)
        return done

    if wanted is not None:
        if wanted > servers:
            raise BadInputError(f"{servers} servers cannot fill {wanted} leaves", "--leaves")
        return make(math.ceil(servers / wanted))
    if servers <= room or tiers == 1:
        return make(servers)
    return options.fewest_switches(make, room, ratio, nics)


def _notes(plan: ClosPlan, leaf: Switch) -> list[str]:
    ratio = plan.downlinks / plan.uplinks
    notes = [f"Up to {count(plan.slots, 'server')} on a leaf"]
    if plan.tiers > 1:
        notes.append(
            f"A leaf has {plan.downlinks} ports down and {plan.uplinks} up, {ratio:g}:1, "
            f"of the {leaf.radix} it could use"
        )
    if plan.spines == 1:
        notes.append("A single spine: its loss parts the fabric; --spines 2 avoids that")
    return notes


def _make(values: Values, catalog: Catalog) -> Built:
    host, leaf, spine, core = options.hardware(values, catalog)
    plan = tree_plan(values, host, leaf, spine, core)
    builder = Builder(catalog)
    drawn = draw(builder, Spec(plan, host, leaf, spine, core, style="tor"))
    notes = _notes(plan, leaf)
    notes += add_networks(builder, drawn, host, values.words("networks"))
    return built(builder, "fat-tree", host, drawn, plan, notes)


TEMPLATE = Template(
    id="fat-tree",
    title="Fat tree",
    summary="two or three tiers by radix and oversubscription, each server on one leaf",
    parameters=(
        options.SYSTEM, options.NODES, options.GPUS, *options.SWITCHES, options.LEAVES,
        options.TIERS, options.OVERSUBSCRIPTION, options.RADIX, options.PER_RACK,
        options.NETWORK_LIST,
    ),
    checked="Al-Fares, Loukissas, Vahdat, A Scalable, Commodity Data Center Network Architecture, "
    "SIGCOMM 2008: radix k reaches k^2/2 ports in two tiers and k^3/4 in three",
    make=_make,
)  # fmt: skip
