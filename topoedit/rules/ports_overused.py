"""Every port and every lane of a cage carries one cable, and no more are used than there are."""

from __future__ import annotations

from collections import Counter

import numpy as np

from topoedit.catalog.types import DeviceType
from topoedit.model.connect import free_ports
from topoedit.model.elements import Link
from topoedit.rules._words import count
from topoedit.rules.base import Outcome, Problem, Rule, outcome
from topoedit.rules.context import Context
from topoedit.rules.radix_by_sku import ports_in_use


def _check(context: Context) -> Outcome:
    devices = context.devices
    if not len(devices):
        return Outcome()
    problems = [*_shared_ports(context), *_more_than_listed(context), *_shared_lanes(context)]
    listless = devices.where(lambda kind: not kind.ports)
    unknown = int(np.count_nonzero(listless))
    verb = "lists" if unknown == 1 else "list"
    why = f"the types of {count(unknown, 'device')} {verb} no ports" if unknown else ""
    return outcome(problems, len(devices) - unknown, [why.replace("types", "type", unknown == 1)])


def _shared_ports(context: Context) -> list[Problem]:
    """Ports in which the file has a second cable, which the drawing cannot hold."""
    return [
        Problem(
            (one.device, one.kept.id, one.left_out.id),
            f"two cables in port {one.port} of {_name(context, one.device)}: "
            f"{_words(context, one.kept)} and {_words(context, one.left_out)}; "
            f"what follows is without the second, {one.left_out.id}",
            _free_port(context, one.device),
        )
        for one in context.shared
    ]


def _name(context: Context, device: str) -> str:
    found = context.document.devices.get(device)
    return device if found is None else found.name


def _words(context: Context, link: Link) -> str:
    """A link by its id and ends: `link-c1 (leaf-1:33 – spine-1:1)`."""
    ends = (f"{_name(context, end.device)}:{end.ports}" for end in (link.a, link.b))
    return f"{link.id} ({' – '.join(ends)})"


def _free_port(context: Context, device: str) -> str:
    found = context.document.devices.get(device)
    free = () if found is None else free_ports(context.document, found)
    named = f", such as {free[0].name}" if free else ""
    return f"Give one of them a free port{named}"


def _more_than_listed(context: Context) -> list[Problem]:
    """Devices whose type takes any port name, with more ports in use than it lists."""
    devices = context.devices
    listed = devices.by_type(lambda kind: len(kind.port_list) if kind.open_ports else 0)
    used = ports_in_use(context)
    return [
        Problem(
            context.ids([row]),
            f"{context.name(row)}: {used[row]} ports in use, {context.type_of(row).name} has "
            f"{listed[row]:g}",
            "Take a type with more ports, or spread the cables over more devices",
            severity="warning",
        )
        for row in np.flatnonzero((listed > 0) & (used > listed)).tolist()
    ]


def _shared_lanes(context: Context) -> list[Problem]:
    """Ports in use that share a lane of a cage, as a whole port and its split ones do."""
    problems = []
    for code, kind in enumerate(context.devices.types):
        twice = _lanes_listed_twice(kind)
        if not twice:
            continue
        for row in np.flatnonzero(context.devices.type == code).tolist():
            device = context.devices.items[row]
            names = context.document.ports_in_use(device.id)
            used = [kind.port_by_name[name] for name in names if name in kind.port_by_name]
            lanes = Counter((p.cage, p.lane) for p in used if (p.cage, p.lane) in twice)
            for (cage, lane), number in lanes.items():
                if number > 1:
                    at = [p.name for p in used if (p.cage, p.lane) == (cage, lane)]
                    problems.append(
                        Problem(
                            (device.id,),
                            f"{device.name}: ports {' and '.join(at)} are both lane {lane} of "
                            f"cage {cage}, which carries one cable",
                            "Use one of them",
                        )
                    )
    return problems


def _lanes_listed_twice(kind: DeviceType) -> set[tuple[str, str]]:
    lanes = Counter((port.cage, port.lane) for port in kind.port_list if port.lane)
    return {lane for lane, number in lanes.items() if number > 1}


RULE = Rule(
    id="ports-overused",
    title="No port or lane is used twice, none beyond those there are",
    severity="error",
    source="The catalogue's entry of the device type: its ports, cages and lanes",
    check=_check,
)
