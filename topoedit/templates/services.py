"""The storage, in-band and out-of-band networks, drawn on request below the compute network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from topoedit.catalog.types import Kind, PortRole
from topoedit.errors import BadInputError
from topoedit.model.elements import Network
from topoedit.templates.base import Values
from topoedit.templates.builder import Builder
from topoedit.templates.clos import ClosPlan
from topoedit.templates.draw import Drawn, NicPorts, bank, wire
from topoedit.templates.hardware import Server, Switch, switch
from topoedit.templates.options import with_switches
from topoedit.templates.text import count

_GAP = 64.0


@dataclass(frozen=True)
class Service:
    """How one of these networks is built.

    Attributes:
        key: its word on the command line, and the prefix of its switches' names.
        leaf, spine: switch types by fabric of the compute network ("" for any).
        down, up: share of an access switch's ports that go down, and cables up for each down.
        basis: where this comes from.
    """

    key: str
    name: str
    network: Network
    role: PortRole
    leaf: str
    spine: str
    down: float
    up: float
    basis: str


SERVICES = (
    Service(
        "storage", "stor", "storage", "storage", "qm9700", "qm9700", 0.5, 0.75,
        "4:3 oversubscribed QM9700, after RA-11333 (DGX SuperPOD H100, 2023)",
    ),
    Service(
        "inband", "inband", "in-band", "in-band", "sn4600c", "sn4600c", 0.5, 0.125,
        "SN4600C of RA-11333 (DGX SuperPOD H100, 2023); 8:1 at the access switches is a choice",
    ),
    Service(
        "oob", "oob", "out-of-band", "out-of-band", "sn2201", "sn4600c", 1.0, 0.0,
        "SN2201 as in NVIDIA's designs, two uplinks each to a pair of aggregation switches",
    ),
)  # fmt: skip
_OOB_UPLINKS = 2


def add_networks(
    builder: Builder, drawn: Drawn, host: Server, networks: Sequence[str]
) -> list[str]:
    """Draw the wanted networks below the compute network; what a person should know of each.

    Raises:
        BadInputError: the servers have no ports for one of them.
    """
    wanted = [service for service in SERVICES if service.key in networks]
    return [_add(builder, drawn, host, service) for service in wanted]


def _add(builder: Builder, drawn: Drawn, host: Server, service: Service) -> str:
    ports = [p for p in host.type.port_list if p.role == service.role]
    if not ports:
        raise BadInputError(
            f"{host.type.name} has no {service.network} ports", "--networks", "Leave it out"
        )
    rate = ports[0].gbps
    leaf = switch(builder.catalog, service.leaf, "--networks", None, rate)
    spine = switch(builder.catalog, service.spine, "--networks", None, None)
    if service.network == "out-of-band":
        leaf = _access(leaf)
    plan = _plan(len(ports), service, leaf, spine, len(drawn.servers))
    names = _place(builder, drawn, service, plan, leaf, spine)
    nics = NicPorts(tuple(p.name for p in ports), (None,) * len(ports), rate)
    wire(builder, plan, names, nics, (leaf, spine, spine), service.network)
    above = (
        f" and {count(plan.spines + plan.cores, 'switch', 'switches')} above" if plan.spines else ""
    )
    return (
        f"{service.network.capitalize()} network: "
        f"{count(plan.leaves, 'access switch', 'access switches')}{above}, counted apart; "
        f"{service.basis}"
    )


def _access(found: Switch) -> Switch:
    """All ports of an out-of-band switch: the copper ones first, its fast ones as uplinks."""
    ports = sorted(found.type.port_list, key=lambda port: port.gbps or 0.0)
    return Switch(found.type, tuple(port.name for port in ports), None, found.custom)


def _plan(ports: int, service: Service, leaf: Switch, spine: Switch, servers: int) -> ClosPlan:
    """Its numbers; servers with several ports hang on two access switches."""
    oob = service.network == "out-of-band"
    sides = 1 if oob else min(2, ports)
    room = leaf.radix - 2 * _OOB_UPLINKS if oob else int(leaf.radix * service.down)
    each = math.ceil(ports / sides)
    if each > room:
        raise BadInputError(
            f"{leaf.type.name} has no room for {each} ports of a server", "--networks"
        )
    slots = min(servers, room // each)
    units = math.ceil(servers / slots)
    base = ClosPlan(
        servers=servers,
        slots=slots,
        nics=ports,
        units=units,
        leaves_per_unit=sides,
        downlinks=room,
        uplinks=_OOB_UPLINKS if oob else max(2, int(room * service.up)),
        tiers=2,
        units_per_pod=units,
    )
    done = with_switches(base, Values(), spine, spine)
    if done.tiers == 2 and done.spines_per_pod == 1:
        return replace(done, spines_per_pod=2)
    return done


def _place(
    builder: Builder, drawn: Drawn, service: Service, plan: ClosPlan, leaf: Switch, spine: Switch
) -> Drawn:
    """Racks of switches in a row of the floor of their own; their names."""
    names = Drawn(servers=drawn.servers)
    rows: tuple[tuple[int, list[str], Switch, Kind], ...] = (
        (plan.cores, names.cores, spine, "core"),
        (plan.spines, names.spines, spine, "spine"),
        (plan.leaves, names.leaves, leaf, "leaf"),
    )
    column, y = 0, drawn.height + _GAP
    for number, into, model, kind in rows:
        if not number:
            continue
        into += [f"{service.name}-{kind}-{i + 1}" for i in range(number)]
        builder.carry(model)
        area, before = (0.0, y, max(drawn.width, 1200.0)), len(builder.racks)
        y += _GAP + bank(
            builder, into, model, kind, f"{service.name}-{kind}-rack", "", area,
            (drawn.floor_rows, column), service.network,
        )  # fmt: skip
        column += len(builder.racks) - before
    drawn.height, drawn.floor_rows = y, drawn.floor_rows + 1
    return names
