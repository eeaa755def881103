"""Sizing and wiring of folded Clos fabrics as plain numbers: no names, no positions.

Units of leaves, pods of units, groups of cores. Ports count from 0 here; a leaf's first ports go
down to servers, the next ones up. Sizing follows Al-Fares, Loukissas and Vahdat (SIGCOMM 2008)
for radix r: two tiers reach r^2/2 ports, three reach r^3/4; spines are rounded up until every
leaf meets every spine of its pod with the same whole number of cables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from topoedit.errors import BadInputError

Tier = Literal["host-leaf", "leaf-spine", "spine-core"]


@dataclass(frozen=True)
class ClosPlan:
    """The numbers of one fabric.

    Attributes:
        servers: servers in all; unit u holds servers from `first_server(u)`.
        slots: servers that a unit has room for.
        lost_slots: slots of the first unit that something else takes (a fabric manager).
        nics: compute ports of a server.
        units: units in all, each with `leaves_per_unit` leaves.
        downlinks, uplinks: ports of a leaf towards servers and towards spines.
        tiers: 1, 2 or 3.
        units_per_pod: units under one set of spines.
        spines_per_pod: spines of one pod (two tiers: of the whole fabric).
        spine_uplinks: cables from a spine to its cores.
        cores: cores in all.
    """

    servers: int
    slots: int
    nics: int
    units: int
    leaves_per_unit: int
    downlinks: int
    uplinks: int
    tiers: int
    units_per_pod: int
    spines_per_pod: int = 0
    spine_uplinks: int = 0
    cores: int = 0
    lost_slots: int = 0

    @property
    def leaves(self) -> int:
        """Leaves in all."""
        return self.units * self.leaves_per_unit

    @property
    def pods(self) -> int:
        """Pods, the last perhaps with fewer units."""
        return math.ceil(self.units / self.units_per_pod)

    @property
    def spines(self) -> int:
        """Spines in all."""
        return self.pods * self.spines_per_pod

    @property
    def leaves_per_pod(self) -> int:
        """Leaves of a whole pod."""
        return self.units_per_pod * self.leaves_per_unit

    def first_server(self, unit: int) -> int:
        """Index of the first server of a unit."""
        return max(0, unit * self.slots - self.lost_slots) if unit else 0

    def servers_in(self, unit: int) -> int:
        """Servers in a unit; the last may be partly filled."""
        room = self.slots - (self.lost_slots if unit == 0 else 0)
        return max(0, min(room, self.servers - self.first_server(unit)))


class Bundle(NamedTuple):
    """Parallel cables between a lower and an upper device: indices and first ports from 0."""

    tier: Tier
    lower: int
    upper: int
    lower_port: int
    upper_port: int
    cables: int


def spread(index: int, uplinks: int, uppers: int) -> list[tuple[int, int]]:
    """(upper, cables) of lower device `index`: even where it divides, else the rest rotates.

    >>> spread(0, 4, 2), spread(1, 3, 2)
    ([(0, 2), (1, 2)], [(0, 1), (1, 2)])
    """
    base, rest = divmod(uplinks, uppers)
    extra = {(index * uplinks + i) % uppers for i in range(rest)}
    counts = ((upper, base + (upper in extra)) for upper in range(uppers))
    return [(upper, count) for upper, count in counts if count]


def even_divisor(total: int, least: float) -> int:
    """The smallest divisor of `total` that is at least `least`; 0 if there is none.

    >>> even_divisor(32, 12)
    16
    """
    return next((n for n in range(max(1, math.ceil(least)), total + 1) if total % n == 0), 0)


def spines_for(leaves: int, uplinks: int, radix: int) -> int:
    """Spines of two tiers: even from every leaf, and no spine with more ports than it has.

    Raises:
        BadInputError: more leaves than a spine has ports.
    """
    spines = even_divisor(uplinks, leaves * uplinks / radix)
    if not spines or leaves * (uplinks // spines) > radix:
        raise BadInputError(
            f"two tiers end at {radix} leaves, this needs {leaves}",
            mend="Use three tiers, switches with more ports, or fewer servers",
        )
    return spines


def cores_for(pods: int, spines: int, spine_uplinks: int, radix: int) -> int:
    """Cores of three tiers: spine k of every pod meets the same group of cores, evenly.

    Raises:
        BadInputError: more pods than a core has ports.
    """
    group = even_divisor(spine_uplinks, pods * spine_uplinks / radix)
    if not group or pods * (spine_uplinks // group) > radix:
        raise BadInputError(
            f"three tiers end at {radix} pods, this needs {pods}",
            mend="Use switches with more ports or fewer servers",
        )
    return group * spines


def leaf_of_nic(nic: int, nics: int, leaves_per_unit: int) -> int:
    """The leaf of its unit that NIC `nic` of every server plugs into: whole runs of NICs a leaf."""
    return nic * leaves_per_unit // nics


def nics_of_leaf(leaf: int, nics: int, leaves_per_unit: int) -> range:
    """The NICs of each server that plug into a leaf of its unit."""
    first = -(-leaf * nics // leaves_per_unit)
    return range(first, -(-(leaf + 1) * nics // leaves_per_unit))


def host_bundles(plan: ClosPlan) -> Iterator[Bundle]:
    """Cables from servers to leaves, unit by unit and server by server."""
    runs = [
        nics_of_leaf(leaf, plan.nics, plan.leaves_per_unit) for leaf in range(plan.leaves_per_unit)
    ]
    for unit in range(plan.units):
        first, base = plan.first_server(unit), unit * plan.leaves_per_unit
        for slot in range(plan.servers_in(unit)):
            for leaf, run in enumerate(runs):
                count = len(run)
                if count:
                    yield Bundle(
                        "host-leaf", first + slot, base + leaf, run.start, slot * count, count
                    )


def leaf_bundles(plan: ClosPlan) -> Iterator[Bundle]:
    """Cables from leaves to the spines of their pod."""
    if plan.tiers < 2:
        return
    taken = [0] * plan.spines
    for leaf in range(plan.leaves):
        pod, local = divmod(leaf, plan.leaves_per_pod)
        port = plan.downlinks
        for upper, count in spread(local, plan.uplinks, plan.spines_per_pod):
            spine = pod * plan.spines_per_pod + upper
            yield Bundle("leaf-spine", leaf, spine, port, taken[spine], count)
            port += count
            taken[spine] += count


def spine_bundles(plan: ClosPlan, down_ports: int) -> Iterator[Bundle]:
    """Cables from spines to cores; spine k of every pod meets the same cores.

    Core c belongs to group c modulo the spines of a pod, so that groups grow without renumbering.
    """
    if plan.tiers < 3:
        return
    taken = [0] * plan.cores
    group = plan.cores // plan.spines_per_pod if plan.cores % plan.spines_per_pod == 0 else 0
    for spine in range(plan.spines):
        k, port = spine % plan.spines_per_pod, down_ports
        uppers, step, first = (group, plan.spines_per_pod, k) if group else (plan.cores, 1, 0)
        for upper, count in spread(0 if group else spine, plan.spine_uplinks, uppers):
            core = first + upper * step
            yield Bundle("spine-core", spine, core, port, taken[core], count)
            port += count
            taken[core] += count


def spine_down_ports(plan: ClosPlan) -> int:
    """Ports of the fullest spine towards leaves; its uplinks follow them."""
    leaves = min(plan.leaves, plan.leaves_per_pod)
    return 0 if not plan.spines_per_pod else math.ceil(leaves * plan.uplinks / plan.spines_per_pod)


def bundles(plan: ClosPlan) -> Iterator[Bundle]:
    """All cables of a fabric, tier by tier."""
    yield from host_bundles(plan)
    yield from leaf_bundles(plan)
    yield from spine_bundles(plan, spine_down_ports(plan))


def check_ports(plan: ClosPlan, leaf: int, spine: int, core: int) -> None:
    """Refuse a plan that needs more ports than its switches have (`leaf`, `spine`, `core`).

    Raises:
        BadInputError: which tier is short, by how much.
    """
    _check("leaf", plan.downlinks + plan.uplinks * (plan.tiers > 1), leaf, "--leaves")
    down = spine_down_ports(plan)
    if plan.tiers > 1:
        _check("spine", down + plan.spine_uplinks * (plan.tiers > 2), spine, "--spines")
    if plan.tiers > 2:
        _check("core", math.ceil(plan.spines * plan.spine_uplinks / plan.cores), core, "--cores")


def _check(tier: str, needed: int, ports: int, option: str) -> None:
    if needed > ports:
        raise BadInputError(
            f"each {tier} would need {needed} ports and has {ports}",
            option,
            f"Use more of them or a {tier} switch with more ports",
        )


def uneven(plan: ClosPlan) -> str:
    """A sentence about switches that do not get equal cables, "" if all do."""
    rest = plan.uplinks % plan.spines_per_pod if plan.tiers > 1 else 0
    if rest:
        better = even_divisor(plan.uplinks, plan.spines_per_pod)
        return (
            f"{plan.uplinks} uplinks of a leaf do not spread evenly over {plan.spines_per_pod} "
            f"spines; {better} would"
        )
    group, left = divmod(plan.cores, plan.spines_per_pod) if plan.tiers > 2 else (1, 0)
    if left or not group or plan.spine_uplinks % group:
        return f"{plan.spine_uplinks} uplinks of a spine do not spread evenly over its cores"
    return ""
