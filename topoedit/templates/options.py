"""Options that several templates share, and what they mean in servers and switches."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from topoedit.catalog.catalog import Catalog
from topoedit.errors import BadInputError
from topoedit.templates.base import Parameter, Values
from topoedit.templates.clos import ClosPlan, cores_for, even_divisor, spines_for
from topoedit.templates.hardware import Server, Switch, server, switch

MAX_SERVERS = 65_536
_EXACT = 1e-9
_NDR_GBPS = 400.0
NETWORKS = ("compute", "storage", "inband", "oob")

SYSTEM = Parameter("system", "device", "server type, an id of the catalogue", "dgx-h100")
NODES = Parameter("nodes", "int", "number of servers", low=1, high=MAX_SERVERS)
GPUS = Parameter("gpus", "int", "number of GPUs instead of servers", low=1, high=8 * MAX_SERVERS)
UNITS = Parameter("units", "int", "number of scalable units instead of servers", low=1, high=64)
LEAF = Parameter(
    "leaf", "device", "leaf switch type (qm9700, or q3400-ra for NICs of more than 400 Gb/s)"
)
SPINE = Parameter("spine", "device", "spine switch type (that of the leaves)")
CORE = Parameter("core", "device", "core switch type (that of the spines)")
LEAVES = Parameter("leaves", "int", "number of leaves, overriding the rule", low=1, high=65_536)
SPINES = Parameter("spines", "int", "number of spines, overriding the rule", low=1, high=65_536)
CORES = Parameter("cores", "int", "number of cores, overriding the rule", low=1, high=65_536)
RADIX = Parameter("radix", "int", "ports used of each switch (all of them)", low=2, high=1024)
TIERS = Parameter("tiers", "int", "switch tiers (as few as reach)", low=1, high=3)
OVERSUBSCRIPTION = Parameter(
    "oversubscription", "float", "down over up capacity of a leaf, 2 for 2:1", 1.0, low=0.1, high=64
)
PER_RACK = Parameter("per_rack", "int", "servers in a rack", low=1, high=40)
NETWORK_LIST = Parameter(
    "networks", "words", "networks to draw, comma-separated", ("compute",), choices=NETWORKS
)
SWITCHES = (LEAF, SPINE, CORE, SPINES, CORES)


def hardware(values: Values, catalog: Catalog) -> tuple[Server, Switch, Switch, Switch]:
    """The server, leaf, spine and core that the options name."""
    host = server(catalog, values.text("system"), values.integer("per_rack"))
    names, radix = values.text("leaf") or usual_leaf(host), values.integer("radix")
    leaf = switch(catalog, names, "--leaf", radix, host.gbps)
    spine_name = values.text("spine") or names
    spine = switch(catalog, spine_name, "--spine", radix, host.gbps)
    core = switch(catalog, values.text("core") or spine_name, "--core", radix, host.gbps)
    return host, leaf, spine, core


def usual_leaf(host: Server) -> str:
    """The leaf for servers that none is named for: Quantum-2, or Quantum-X800 where NICs are XDR.

    So NVIDIA builds them: the DGX SuperPOD Reference Architectures of DGX H100 (RA-11333-001 V11,
    2023) with QM9700 and of DGX B300 (XDR InfiniBand, 2026) with Q3400-RA.
    """
    return "q3400-ra" if host.gbps is not None and host.gbps > _NDR_GBPS else "qm9700"


def servers_wanted(values: Values, host: Server, default: int) -> int:
    """Servers from `--nodes` or `--gpus`.

    Raises:
        BadInputError: both were given, or the GPUs are not whole servers.
    """
    given = [name for name in ("nodes", "gpus", "units") if values.integer(name) is not None]
    if len(given) > 1:
        raise BadInputError(
            "give only one of " + ", ".join(f"--{name}" for name in given), "the size"
        )
    gpus = values.integer("gpus")
    if gpus is None:
        return values.integer("nodes") or default
    if gpus % host.gpus:
        low = gpus // host.gpus * host.gpus
        near = f"{low} or {low + host.gpus}" if low else str(host.gpus)
        raise BadInputError(
            f"{gpus} GPUs are not whole servers of {host.gpus}", "--gpus", f"Give {near}"
        )
    return gpus // host.gpus


def fewest_switches(
    make: Callable[[int], ClosPlan], room: int, ratio: float, down_each: float
) -> ClosPlan:
    """The best plan by servers a unit: ratio exact if it can be, then the fewest switches.

    Args:
        make: a plan for a number of servers a unit; may raise BadInputError.
        room: the most servers a unit can hold; down to three quarters of it are tried.
        ratio: wanted oversubscription.
        down_each: ports of a leaf that each server of the unit takes.

    Raises:
        BadInputError: no size works; that of the largest is raised.
    """
    best: tuple[tuple[bool, int, int], ClosPlan] | None = None
    refused: BadInputError | None = None
    for slots in range(room, max(1, room * 3 // 4) - 1, -1):
        try:
            plan = make(slots)
        except BadInputError as error:
            refused = refused or error
            continue
        inexact = abs(slots * down_each / ratio - plan.uplinks) > _EXACT
        key = (inexact, plan.leaves + plan.spines + plan.cores, -slots)
        if best is None or key < best[0]:
            best = key, plan
    if best is None:
        raise refused or BadInputError("a leaf has no room for a server")
    return best[1]


def reserved(values: Values) -> int:
    """Ports of each switch of the highest tier that stay free for links out of the fabric."""
    return values.integer("reserve") or 0


def with_switches(
    plan: ClosPlan, values: Values, spine: Switch, core: Switch, reserve: int = 0
) -> ClosPlan:
    """The plan with tiers, spines and cores worked out, overrides obeyed.

    `reserve` ports of every switch of the highest tier stay free.

    Raises:
        BadInputError: the wanted tiers do not reach, or an override cannot be spread over pods.
    """
    tiers = values.integer("tiers") or _tiers(plan, spine.radix - reserve)
    for name, least in (("spines", 2), ("cores", 3)):
        if tiers < least and values.integer(name):
            raise BadInputError(
                f"{tiers} switch {'tier has' if tiers == 1 else 'tiers have'} no {name}",
                f"--{name}",
                "Leave it out, or choose a size or --tiers that has them",
            )
    if tiers == 1:
        if plan.leaves > 1:
            raise BadInputError(f"one tier is one leaf, this needs {plan.leaves}", "--tiers")
        return replace(plan, tiers=1)
    if tiers == 2:
        return _two_tiers(plan, values, spine.radix - reserve)
    return _three_tiers(plan, values, spine, core.radix - reserve)


def _tiers(plan: ClosPlan, spine_radix: int) -> int:
    if plan.leaves == 1:
        return 1
    return 2 if plan.leaves <= spine_radix else 3


def _two_tiers(plan: ClosPlan, values: Values, radix: int) -> ClosPlan:
    spines = values.integer("spines") or spines_for(plan.leaves, plan.uplinks, radix)
    return replace(plan, tiers=2, units_per_pod=plan.units, spines_per_pod=spines)


def _three_tiers(plan: ClosPlan, values: Values, spine: Switch, core_radix: int) -> ClosPlan:
    """Pods of as many whole units as half a spine's ports hold, sizes as equal as can be."""
    half = spine.radix // 2
    room = max(1, half // plan.leaves_per_unit)
    if plan.leaves_per_unit > half:
        raise BadInputError(
            f"a unit of {plan.leaves_per_unit} leaves is more than half of {spine.radix} ports",
            mend="Use a spine switch with more ports",
        )
    pods = math.ceil(plan.units / room)
    per_pod = values.integer("units_per_pod") or math.ceil(plan.units / pods)
    pods = math.ceil(plan.units / per_pod)
    leaves = per_pod * plan.leaves_per_unit
    spines = _per_pod(values.integer("spines"), pods, "--spines") or even_divisor(
        plan.uplinks, leaves * plan.uplinks / half
    )
    up = math.ceil(leaves * plan.uplinks / spines)
    cores = values.integer("cores") or cores_for(pods, spines, up, core_radix)
    return replace(
        plan, tiers=3, units_per_pod=per_pod, spines_per_pod=spines, spine_uplinks=up, cores=cores
    )


def _per_pod(total: int | None, pods: int, option: str) -> int:
    if total is None:
        return 0
    if total % pods:
        raise BadInputError(
            f"{total} cannot be shared by {pods} pods", option, f"Give a multiple of {pods}"
        )
    return total // pods
