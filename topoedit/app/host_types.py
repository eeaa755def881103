"""Giving imported hosts a server type, and their adapters the ports of that type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.types import DeviceType, Port
from topoedit.errors import BadInputError
from topoedit.io.parsed import Adapter, ParsedNode
from topoedit.model.ports import natural_key

_OPTION = "--server-type"
_HOST_ROLES = ("storage", "in-band", "any")


@dataclass(frozen=True)
class TypeRule:
    """Hosts whose name fits the pattern (or, without one, that have a name) are of this type."""

    pattern: str
    type: DeviceType

    def fits(self, host: ParsedNode) -> bool:
        """Whether a host falls under this rule."""
        if not self.pattern:
            return host.named
        return fnmatchcase(host.name.lower(), self.pattern.lower())


def parse_rules(texts: Iterable[str], catalog: Catalog) -> tuple[TypeRule, ...]:
    """Rules from texts such as `dgx*=dgx-h100` or `dgx-h100`; the first that fits wins.

    Raises:
        BadInputError: a type is unknown, no server or missing.
    """
    return tuple(_rule(text, catalog) for text in texts)


def _rule(text: str, catalog: Catalog) -> TypeRule:
    pattern, _, name = text.rpartition("=")
    if not name.strip():
        raise BadInputError(f'"{text}" names no type', _OPTION, "Write PATTERN=TYPE or TYPE")
    try:
        found = catalog.device(name.strip())
    except BadInputError as error:
        raise BadInputError(error.what, _OPTION, error.mend) from None
    if found.kind != "server":
        raise BadInputError(f"{found.id} is a {found.kind}, not a server", _OPTION)
    return TypeRule(pattern.strip(), found)


@dataclass(frozen=True)
class HostPorts:
    """The type of each host that has one, the port of each of its adapters, and what went wrong."""

    types: Mapping[str, DeviceType]
    ports: Mapping[tuple[str, str], Port]
    warnings: tuple[str, ...]


def assign(hosts: Sequence[ParsedNode], rules: Sequence[TypeRule]) -> HostPorts:
    """Types by rule, and ports by the index of the adapters.

    Adapters of all hosts under one type are ranked together, so that one missing adapter does not
    shift the rails of its host: `HCA-1, HCA-2, HCA-6` beside hosts with `HCA-5` too are NICs 0, 1
    and 3. What lies beyond the compute NICs goes to the type's storage and other ports.
    """
    types: dict[str, DeviceType] = {}
    ports: dict[tuple[str, str], Port] = {}
    warnings: list[str] = []
    by_type: dict[str, list[ParsedNode]] = defaultdict(list)
    for rule in rules:
        fitting = [host for host in hosts if rule.fits(host)]
        if not fitting:
            warnings.append(_no_match(rule, hosts))
        for host in fitting:
            if host.key not in types:
                types[host.key] = rule.type
                by_type[rule.type.id].append(host)
    for members in by_type.values():
        kind = types[members[0].key]
        for host, mapped in _map_ports(members, kind):
            if mapped is None:
                warnings.append(_too_many(host, kind))
                del types[host.key]
            else:
                ports.update(((host.key, name), port) for name, port in mapped.items())
    return HostPorts(types, ports, tuple(warnings))


def _no_match(rule: TypeRule, hosts: Sequence[ParsedNode]) -> str:
    named = [host.name for host in hosts if host.named]
    example = f'; a host is called "{named[0]}"' if named else "; no host has a name"
    return f'no host fits the pattern "{rule.pattern}" of {rule.type.id}{example}'


def _too_many(host: ParsedNode, kind: DeviceType) -> str:
    return (
        f"{host.name} has {len(host.adapters)} network ports, more than {kind.name}; "
        "it stays of unknown type"
    )


Slot = tuple[int, tuple[tuple[int, int | str], ...], int]


def _slot(adapter: Adapter) -> Slot:
    """Sort key of an adapter port: by index, then by name."""
    index = adapter.index if adapter.index is not None else 1 << 30
    return index, () if adapter.index is not None else natural_key(adapter.device), adapter.port


def _map_ports(
    hosts: Sequence[ParsedNode], kind: DeviceType
) -> Iterable[tuple[ParsedNode, dict[str, Port] | None]]:
    compute = [port for port in kind.port_list if port.role == "compute"]
    others = [p for role in _HOST_ROLES for p in kind.port_list if p.role == role]
    available = [*compute, *others]
    together = sorted({_slot(adapter) for host in hosts for adapter in host.adapters})
    most = max((len(host.adapters) for host in hosts), default=0)
    shared = len(together) <= (len(compute) if most <= len(compute) else len(available))
    ranks = {slot: rank for rank, slot in enumerate(together)}
    for host in hosts:
        ordered = sorted(host.adapters, key=_slot)
        if kind.open_ports and not available:
            yield host, {a.name: Port(a.name) for a in ordered}
            continue
        if len(ordered) > len(available):
            yield host, None
            continue
        yield (
            host,
            {
                adapter.name: available[ranks[_slot(adapter)] if shared else rank]
                for rank, adapter in enumerate(ordered)
            },
        )
