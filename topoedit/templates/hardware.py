"""Servers and switches as a template sees them: which ports it may use, at which rate."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, PortGroup
from topoedit.errors import BadInputError
from topoedit.model.elements import CustomType

SERVERS_PER_RACK = {"dgx-h100": 4, "dgx-h200": 4, "dgx-b200": 2, "dgx-b300": 4}
"""Published rack densities: RA-11333 (H100: over 40 kW), B200 RA (28.6 kW a rack), B300 RA."""
RACK_UNITS = 48
_FABRIC_ROLES = ("any", "fabric", "compute")
_SPLIT_NAMES = {"swp{n}": "swp{cage}s{lane0}"}
"""What a split turns interface names into: Cumulus Linux user guide, Switch Port Attributes."""


@dataclass(frozen=True)
class Server:
    """A server type: its compute ports in rail order."""

    type: DeviceType
    gpus: int
    ports: tuple[str, ...]
    rails: tuple[int | None, ...]
    gbps: float | None
    per_rack: int


@dataclass(frozen=True)
class Switch:
    """A switch type with the ports that a template may use, perhaps broken out.

    Attributes:
        custom: the broken-out type that the drawing must carry, if any.
    """

    type: DeviceType
    ports: tuple[str, ...]
    gbps: float | None
    custom: CustomType | None = None

    @property
    def radix(self) -> int:
        """Number of usable ports."""
        return len(self.ports)


def server(catalog: Catalog, name: str, per_rack: int | None = None) -> Server:
    """A server type by id, alias or name.

    Raises:
        BadInputError: it is no server, or has no known GPUs or no compute ports.
    """
    found = catalog.device(name)
    ports = tuple(p for p in found.port_list if p.role == "compute")
    if found.kind != "server" or not ports or not found.gpus:
        raise BadInputError(f"{found.name} is not a server with GPUs and compute ports", "--system")
    return Server(
        type=found,
        gpus=found.gpus,
        ports=tuple(p.name for p in ports),
        rails=tuple(p.rail for p in ports),
        gbps=ports[0].gbps,
        per_rack=per_rack or _per_rack(found),
    )


def _per_rack(found: DeviceType) -> int:
    """Published density, else what four 8U servers' room allows."""
    known = SERVERS_PER_RACK.get(found.id)
    if known is not None:
        return known
    return max(1, min(4, int((RACK_UNITS - 8) // (found.rack_units or 8))))


def switch(
    catalog: Catalog, name: str, option: str, radix: int | None, gbps: float | None
) -> Switch:
    """A switch type with `radix` ports, broken out as its catalogue entry allows.

    Without a radix its ports are used whole, or split to `gbps` where the entry lists that split.

    Raises:
        BadInputError: it is no switch or has fewer logical ports than asked for.
    """
    found = catalog.device(name)
    ports = tuple(p for p in found.port_list if p.role in _FABRIC_ROLES)
    if not ports or found.kind in ("server", "storage", "management", "panel"):
        raise BadInputError(f"{found.name} is not a switch with known ports", option)
    rate = max((p.gbps for p in ports if p.gbps is not None), default=None)
    ports = tuple(p for p in ports if p.gbps == rate)
    if radix is None:
        split = _split_to(found, rate, gbps)
        return _broken_out(found, split) if split else _whole(found, ports, rate, len(ports))
    if radix <= len(ports):
        return _whole(found, ports, rate, radix)
    splits = [s for s, count in found.breakouts.items() if count >= radix]
    if not splits:
        limit = max((len(ports), found.logical_ports or 0, *found.breakouts.values()))
        raise BadInputError(
            f"{radix} ports are more than the {limit} logical ports of {found.name}",
            "--radix",
            f"Give at most {limit}",
        )
    best = min(splits, key=lambda s: (found.breakouts[s], s))
    broken = _broken_out(found, best)
    return Switch(broken.type, broken.ports[:radix], broken.gbps, broken.custom)


def _whole(found: DeviceType, ports: tuple[object, ...], rate: float | None, radix: int) -> Switch:
    names = tuple(str(getattr(p, "name", "")) for p in ports[:radix])
    return Switch(found, names, rate)


def _split_to(found: DeviceType, rate: float | None, gbps: float | None) -> str:
    """The split that gives ports of exactly `gbps`, "" if none is needed or listed."""
    if rate is None or gbps is None or rate <= gbps:
        return ""
    return next((s for s in found.breakouts if s.endswith(f"x{gbps:g}")), "")


def _broken_out(found: DeviceType, split: str) -> Switch:
    """The type with every cage split; its ports are numbered on from 1."""
    ways, _, rate = split.partition("x")
    count, first = found.breakouts[split], found.ports[0]
    lanes = max(1, count * first.ports_per_cage // first.count)
    group = PortGroup(
        count=count,
        gbps=float(rate),
        role=first.role,
        cage_type=first.cage_type,
        ports_per_cage=lanes,
        cage_watts=first.cage_watts,
        os_pattern=_SPLIT_NAMES.get(first.os_pattern, ""),
    )
    custom = replace(
        found,
        id=f"{found.id}-{split}",
        name=f"{found.name}, ports split {ways} ways to {rate} Gb/s",
        aliases=(),
        ports=(group,),
        breakouts={},
        logical_ports=count,
        derived=("ports", "logical_ports"),
        unverified=(),
    )
    names = tuple(port.name for port in custom.port_list)
    return Switch(custom, names, group.gbps, CustomType(id=custom.id, type=custom))


def is_split(catalog: Catalog, kind: DeviceType) -> bool:
    """Whether a type is one of the catalogue with its ports split, as `switch` makes it."""
    parent, _, split = kind.id.rpartition("-")
    found = catalog.devices.get(parent)
    if found is None or split not in found.breakouts or not found.ports:
        return False
    return _broken_out(found, split).type == kind


def slower(a: float | None, b: float | None) -> float | None:
    """The rate of a cable between two ports: the slower end's, None if neither is known."""
    known = [rate for rate in (a, b) if rate is not None]
    return min(known, default=None)
