"""From what an importer read to the elements of a drawing: names, types, ports, roles, bundles."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from topoedit.app.host_types import HostPorts, TypeRule, assign
from topoedit.app.roles import infer_roles
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, Kind
from topoedit.io.parsed import Parsed, ParsedCable, ParsedNode
from topoedit.model.elements import (
    AnyElement,
    Device,
    Group,
    Link,
    Network,
    PortOverride,
    Ports,
    Settings,
)
from topoedit.model.indexes import CONTROL, MAX_NAME
from topoedit.model.operations import plural
from topoedit.model.ports import collapse, natural_key

GENERIC = {
    "server": "unknown-server", "router": "generic-router", "storage": "generic-storage",
    "management": "generic-management", "panel": "generic-panel", "ocs": "generic-ocs",
}  # fmt: skip
GENERIC_SWITCH = "generic-switch"
_NETWORKS: dict[str, Network] = {"storage": "storage", "in-band": "in-band"}
_EXAMPLES = 3
_TIER = {"server": 0, "storage": 0, "leaf": 1, "switch": 2, "spine": 3, "core": 4, "router": 5}


@dataclass(frozen=True)
class Assembled:
    """The elements of an imported drawing, and what a person should know about them."""

    elements: tuple[AnyElement, ...]
    warnings: tuple[str, ...]


def assemble(parsed: Parsed, catalog: Catalog, rules: Sequence[TypeRule] = ()) -> Assembled:
    """Build the elements; nodes without a type of the catalogue become generic ones.

    Raises:
        BadInputError: the catalogue lacks a generic type that is needed.
    """
    hosts = assign([node for node in parsed.nodes if node.kind == "server"], rules)
    types, type_warnings = _types(parsed, catalog, hosts)
    names = _names(parsed)
    roles = infer_roles(
        {node.key: node.kind for node in parsed.nodes},
        ((cable.a, cable.b, 1) for cable in parsed.cables),
    )
    devices = tuple(
        _device(node, names[node.key], types[node.key], roles.get(node.key, node.kind), hosts)
        for node in parsed.nodes
    )
    group_ids = {group.name: group.name for group in parsed.groups}
    groups = tuple(
        Group(id=g.name, name=g.name, kind=g.kind, parent=group_ids.get(g.parent, ""))
        for g in parsed.groups
    )
    kinds = {device.id: device.kind for device in devices}
    links = tuple(_links(parsed.cables, names, kinds, hosts))
    return Assembled(
        (Settings(name=parsed.name), *groups, *devices, *links),
        (*parsed.warnings, *hosts.warnings, *type_warnings, *_speed_warning(parsed.cables)),
    )


def plain_name(text: str) -> str:
    """A name without what a drawing's names may not hold: control characters, great length."""
    return " ".join(CONTROL.sub(" ", text).split())[: MAX_NAME - 30]


def _names(parsed: Parsed) -> dict[str, str]:
    """A unique name for every node; like-named ones get the end of their key."""
    wanted = {node.key: plain_name(node.name) or node.key for node in parsed.nodes}
    groups = [group.name for group in parsed.groups]
    counts = Counter([*wanted.values(), *groups])
    taken = {*groups, "document"}
    names = {}
    for key, name in wanted.items():
        candidates = [name] if counts[name] == 1 else [f"{name} {key[-6:]}"]
        candidates += [f"{name} {key}", *(f"{name} {key} {n}" for n in range(2, len(wanted) + 3))]
        names[key] = next(candidate for candidate in candidates if candidate not in taken)
        taken.add(names[key])
    return names


def _types(
    parsed: Parsed, catalog: Catalog, hosts: HostPorts
) -> tuple[dict[str, DeviceType], list[str]]:
    used: dict[str, set[str]] = defaultdict(set)
    for cable in parsed.cables:
        used[cable.a].add(cable.a_port)
        used[cable.b].add(cable.b_port)
    types, odd = {}, []
    unknown: Counter[str] = Counter()
    for node in parsed.nodes:
        generic = catalog.device(GENERIC.get(node.kind, GENERIC_SWITCH))
        found = hosts.types.get(node.key) or catalog.devices.get(node.type)
        if found is not None and node.key not in hosts.types:
            if not found.open_ports and not used[node.key] <= found.port_by_name.keys():
                odd.append(f"{node.name} uses ports that {found.name} lacks; it is drawn generic")
                found = None
        elif found is None and node.kind != "server":
            unknown[node.model] += 1
        types[node.key] = found or generic
    return types, [*_brief(odd), *_unknown_models(unknown)]


def _brief(texts: Sequence[str]) -> list[str]:
    more = len(texts) - _EXAMPLES
    return [*texts[:_EXAMPLES], *([f"the same of {more} more"] if more > 0 else [])]


def _unknown_models(unknown: Counter[str]) -> Iterator[str]:
    models = sorted(model for model in unknown if model)
    if models:
        more = f" and {len(models) - _EXAMPLES} more" if len(models) > _EXAMPLES else ""
        count = plural(sum(unknown[model] for model in models), "device")
        quoted = ", ".join(f'"{model}"' for model in models[:_EXAMPLES])
        yield f"{count} of unknown model ({quoted}{more}) drawn as generic"


def _device(
    node: ParsedNode, name: str, kind_of: DeviceType, kind: Kind, hosts: HostPorts
) -> Device:
    x, y = node.position or (0.0, 0.0)
    overrides = []
    for adapter in sorted(node.adapters, key=lambda a: natural_key(a.name)):
        port = hosts.ports.get((node.key, adapter.name))
        if port is not None and adapter.device and port.name != adapter.name:
            overrides.append(PortOverride(names=port.name, os_name=adapter.name))
    return Device(
        id=name,
        name=name,
        type=kind_of.id,
        kind=kind,
        group=node.group,
        x=x,
        y=y,
        guid=node.guid,
        tags=node.tags,
        ports=tuple(sorted(overrides, key=lambda o: natural_key(o.names))),
    )


class _Bundle(NamedTuple):
    """What the cables of one link share."""

    a: str
    b: str
    network: Network
    rail: int | None
    gbps: float | None
    medium: str
    length_m: float | None


def _links(
    cables: Sequence[ParsedCable],
    names: Mapping[str, str],
    kinds: Mapping[str, Kind],
    hosts: HostPorts,
) -> Iterator[Link]:
    """Cables between the same two devices with the same properties are one link."""
    bundles: dict[_Bundle, list[tuple[str, str]]] = defaultdict(list)
    for cable in cables:
        bundle, ports = _placed(cable, names, kinds, hosts)
        bundles[bundle].append(ports)
    first = 1
    for bundle in sorted(bundles, key=lambda bundle: _bundle_key(bundle, kinds)):
        pairs = sorted(bundles[bundle], key=lambda pair: tuple(map(natural_key, pair)))
        ids = [f"c{number}" for number in range(first, first + len(pairs))]
        first += len(pairs)
        yield Link(
            id=f"link-{ids[0]}",
            a=Ports(bundle.a, collapse(a for a, _ in pairs)),
            b=Ports(bundle.b, collapse(b for _, b in pairs)),
            cables=collapse(ids),
            gbps=bundle.gbps,
            network=bundle.network,
            rail=bundle.rail,
            medium=bundle.medium,
            length_m=bundle.length_m,
        )


def _bundle_key(bundle: _Bundle, kinds: Mapping[str, Kind]) -> tuple[object, ...]:
    """Links in order of tier, then of the names of their ends."""
    return (
        _TIER.get(kinds[bundle.a], 9),
        natural_key(bundle.a),
        natural_key(bundle.b),
        *((value is not None, str(value)) for value in bundle[2:]),
    )


def _placed(
    cable: ParsedCable, names: Mapping[str, str], kinds: Mapping[str, Kind], hosts: HostPorts
) -> tuple[_Bundle, tuple[str, str]]:
    """The bundle of a cable, the end of the lower tier first, and its two ports."""
    rail: int | None = None
    network: Network = cable.network
    ends = []
    for key, name in ((cable.a, cable.a_port), (cable.b, cable.b_port)):
        port = hosts.ports.get((key, name))
        if port is not None:
            rail = port.rail if port.rail is not None else rail
            network = _NETWORKS.get(port.role, network)
        device = names[key]
        rank = (_TIER.get(kinds[device], 9), natural_key(device), natural_key(name))
        ends.append((rank, device, port.name if port is not None else name))
    (_, a, a_port), (_, b, b_port) = sorted(ends)
    bundle = _Bundle(a, b, network, rail, cable.gbps, cable.medium, cable.length_m)
    return bundle, (a_port, b_port)


def _speed_warning(cables: Sequence[ParsedCable]) -> Iterator[str]:
    silent = sum(cable.gbps is None for cable in cables)
    if silent:
        yield f"{plural(silent, 'cable')} of unknown speed"
