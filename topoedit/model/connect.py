"""Joining devices by cables: which ports are free, which pairs fit and why not, the edit."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from topoedit.catalog.types import Port
from topoedit.errors import BadEditError
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import Device, Link, Network, Ports
from topoedit.model.operations import plural
from topoedit.model.ports import collapse, expand

_TIER = {"server": 0, "nvswitch": 1, "leaf": 1, "switch": 1, "spine": 2, "core": 3, "router": 4}
_ROLE_NETWORK: dict[str, Network] = {
    "storage": "storage", "in-band": "in-band", "out-of-band": "out-of-band",
}  # fmt: skip
OPEN_PORTS_LIMIT = 1024


class Cabling(msgspec.Struct, frozen=True, kw_only=True):
    """What to say of new cables; None leaves it to the ports."""

    gbps: float | None = None
    medium: str = ""
    length_m: float | None = None
    km: float | None = None
    network: Network | None = None
    plane: int | None = None
    phase: str = ""


def port_of(document: Document, device: Device, name: str) -> Port:
    """A port of a device with the device's own overrides."""
    kind = document.device_type(device)
    port = kind.port_by_name.get(name) or Port(name, gbps=kind.default_gbps)
    for override in device.ports:
        if name in expand(override.names):
            fields = {
                field: getattr(override, field)
                for field in ("gbps", "role", "cage_type", "rail", "os_name")
                if getattr(override, field) not in (None, "")
            }
            port = replace(port, **fields)
    return port


def port_names(document: Document, device: Device) -> tuple[str, ...]:
    """Every port name of a device; for open ports those in use and as many free ones."""
    kind = document.device_type(device)
    if not kind.open_ports:
        return tuple(port.name for port in kind.port_list)
    named = [name for override in device.ports for name in expand(override.names)]
    used = list(document.ports_in_use(device.id))
    known = dict.fromkeys([*named, *used, *(port.name for port in kind.port_list)])
    numbers = (str(number) for number in range(1, OPEN_PORTS_LIMIT + 1))
    spare = [name for name in numbers if name not in known]
    return (*known, *spare[: max(64, len(known))])


def free_ports(document: Document, device: Device, towards: Device | None = None) -> list[Port]:
    """Ports without a cable, in the order a person would fill them.

    A switch gives its lower ports to hosts and its upper half to switches above it.
    """
    used = document.ports_in_use(device.id)
    names = port_names(document, device)
    free = [port_of(document, device, name) for name in names if name not in used]
    if towards is None or device.kind == "server" or document.device_type(device).open_ports:
        return free
    if _TIER.get(towards.kind, 0) <= _TIER.get(device.kind, 0):
        return free
    half = len(names) // 2
    upper = set(names[half:])
    return [p for p in free if p.name in upper] + [p for p in free if p.name not in upper]


def misfit(a: Port, b: Port) -> str:
    """Why two ports cannot be joined; "" if they can.

    >>> misfit(Port("1", role="scale-up"), Port("nic0", role="compute"))
    'a scale-up port takes no network cable'
    """
    roles = {a.role, b.role}
    if "scale-up" in roles and roles - {"scale-up", "any"}:
        return "a scale-up port takes no network cable"
    special = roles & set(_ROLE_NETWORK)
    if len(special) > 1 or (special and "compute" in roles):
        return f"{a.role} and {b.role} ports are of different networks"
    return ""


def why_not(document: Document, a: Device, b: Device) -> str:
    """Why no cable can join two devices; "" if one can."""
    if a.id == b.id:
        return "a link needs two devices"
    free_a, free_b = free_ports(document, a, b), free_ports(document, b, a)
    for device, free in ((a, free_a), (b, free_b)):
        if not free:
            return f"{device.name} has no free port"
    pair = best_pair(free_a, free_b)
    return "" if pair else misfit(free_a[0], free_b[0])


def best_pair(free_a: Sequence[Port], free_b: Sequence[Port]) -> tuple[Port, Port] | None:
    """The first two ports that fit, of the same rate if there are such."""
    fallback = None
    kinds_seen: set[tuple[object, ...]] = set()
    for a in free_a:
        key = (a.role, a.gbps)
        if key in kinds_seen:
            continue
        kinds_seen.add(key)
        for b in free_b:
            if misfit(a, b):
                continue
            if a.gbps == b.gbps or a.gbps is None or b.gbps is None:
                return a, b
            fallback = fallback or (a, b)
    return fallback


def connect(
    document: Document,
    a_id: str,
    b_id: str,
    *,
    cables: int = 1,
    ports: tuple[str, str] = ("", ""),
    cabling: Cabling | None = None,
) -> Edit:
    """Join two devices by cables; ports left out are chosen.

    Raises:
        BadEditError: too few free ports, or the ports do not fit.
    """
    a, b = _device(document, a_id), _device(document, b_id)
    ends = choose_ports(document, a, b, cables, ports)
    link = new_link(document, (a, b), ends, cabling or Cabling())
    return Edit(f"Connect {a.name} and {b.name} ({plural(len(ends), 'cable')})", put=(link,))


def _device(document: Document, device_id: str) -> Device:
    device = document.devices.get(device_id)
    if device is None:
        raise BadEditError("there is no such device", device_id)
    return device


def choose_ports(
    document: Document, a: Device, b: Device, cables: int, ports: tuple[str, str]
) -> list[tuple[Port, Port]]:
    """The port pairs for `cables` cables, given ones first."""
    given_a = [port_of(document, a, n) for n in expand(ports[0])] or free_ports(document, a, b)
    given_b = [port_of(document, b, n) for n in expand(ports[1])] or free_ports(document, b, a)
    if ports[0] and ports[1]:
        cables = len(given_a)
    pairs: list[tuple[Port, Port]] = []
    while len(pairs) < cables:
        pair = best_pair(given_a, given_b)
        if pair is None:
            reason = misfit(given_a[0], given_b[0]) if given_a and given_b else "no free port left"
            raise BadEditError(
                f"{len(pairs)} of {cables} cables fit between {a.name} and {b.name}: {reason}",
                mend="Choose other ports",
            )
        pairs.append(pair)
        given_a.remove(pair[0])
        given_b.remove(pair[1])
    return pairs


def slower(a: Port, b: Port) -> float | None:
    """The rate a cable between two ports runs at: the slower end's, None if neither is known."""
    rates = [port.gbps for port in (a, b) if port.gbps is not None]
    return min(rates) if rates else None


def new_link(
    document: Document,
    devices: tuple[Device, Device],
    pairs: Sequence[tuple[Port, Port]],
    cabling: Cabling,
    skip: int = 0,
) -> Link:
    """A link over the given port pairs, with new cable ids after `skip` others."""
    a, b = devices
    first_a, first_b = pairs[0]
    rails = {port.rail for pair in pairs for port in pair if port.rail is not None}
    cables = document.new_cables(len(pairs), skip)
    return Link(
        id=document.new_id(f"link-{expand(cables)[0]}"),
        a=Ports(a.id, collapse(pair[0].name for pair in pairs)),
        b=Ports(b.id, collapse(pair[1].name for pair in pairs)),
        cables=cables,
        medium=cabling.medium,
        gbps=cabling.gbps if cabling.gbps is not None else slower(first_a, first_b),
        length_m=cabling.length_m,
        km=cabling.km,
        network=cabling.network or network_of(document, devices, (first_a, first_b)),
        plane=cabling.plane,
        rail=rails.pop() if len(rails) == 1 else None,
        phase=cabling.phase,
    )


def network_of(
    document: Document, devices: tuple[Device, Device], ports: tuple[Port, Port]
) -> Network:
    """The network a new link belongs to: its ports' role, else its devices' network."""
    for port in ports:
        if port.role in _ROLE_NETWORK:
            return _ROLE_NETWORK[port.role]
    for device in devices:
        if device.network != "compute" and device.kind != "server":
            return device.network
    return "compute"
