"""Output of `ibnetdiscover` (InfiniBand diagnostics), and the `net` files of ibsim.

Nodes are told apart by GUID, never by description; every cable is listed once from each end.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from topoedit.errors import BadFileError
from topoedit.io.formats import NO, SURE, Importer
from topoedit.io.parsed import Adapter, Parsed, ParsedCable, ParsedGroup, ParsedNode
from topoedit.model.operations import plural

MAX_CABLES = 2_000_000

# Gb/s of four lanes as `ibstat` shows them (InfiniBand architecture specification, volume 2).
LANE_GBPS = {
    "SDR": 2.5, "DDR": 5.0, "QDR": 10.0, "FDR10": 10.0, "FDR": 14.0, "EDR": 25.0,
    "HDR": 50.0, "NDR": 100.0, "XDR": 200.0,
}  # fmt: skip

# Model word in a switch's description -> catalogue id.
MODELS = (
    (re.compile(r"M?QM97\d\d", re.IGNORECASE), "qm9700"),
    (re.compile(r"M?QM87\d\d", re.IGNORECASE), "qm8700"),
    (re.compile(r"Q3400(?:-RA)?", re.IGNORECASE), "q3400-ra"),
    (re.compile(r"Q3401(?:-RD)?", re.IGNORECASE), "q3401-rd"),
    (re.compile(r"Q3200(?:-RA)?", re.IGNORECASE), "q3200-ra"),
    (re.compile(r"Q3450(?:-LD)?", re.IGNORECASE), "q3450-ld"),
)

_NODE = re.compile(r'^(Switch|Ca|Hca|Rt)\s+(\d+)\s+"([^"]*)"(.*)$')
_PORT = re.compile(
    r"^\[(\d+)\](?:\s*\[ext \d+\])?\s*(?:\([0-9a-fA-Fx]+\))?\s*"
    r'"([^"]*)"\s*\[(\d+)\](?:\s*\[ext \d+\])?\s*(?:\([0-9a-fA-Fx]+\))?(.*)$'
)
_ATTRIBUTE = re.compile(r"^(vendid|devid|sysimgguid|switchguid|caguid|rtguid)=(\S*)")
_QUOTED = re.compile(r'"([^"]*)"')
_SPEED = re.compile(r"\b(\d{1,2})x\s*(SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR)\b")
_GUID = re.compile(r"[SHR]-([0-9a-fA-F]{1,16})")
_HEX = re.compile(r"[0-9a-f]{16}")
_SWITCH_NAME = re.compile(r"^MF0;(.*?):([^/:]+)/(.*)$")
_ADAPTER = re.compile(
    r"^(.*\S)\s+((?:HCA-|mlx\d+_(?:bond_)?|hfi\d+_|qib|ib[ps]?|roce|irdma|bnxt_re|rdma)\S*?(\d+)?)$"
)
_VENDOR = re.compile(
    r"Mellanox Technologies|\bConnectX|\bInfiniHost|\bMT\d{4,}|\bVoltaire|\bTopspin|\bQLogic", re.I
)
_QUIET = re.compile(
    r"^(?:#.*|Chassis \d+.*|Non-Chassis Nodes.*|Switch(?:es)?:?|\s*)$", re.IGNORECASE
)


@dataclass
class _Node:
    """One block, or a peer that is only named."""

    key: str
    kind: str
    description: str = ""
    system: str = ""
    own_block: bool = False


@dataclass
class _Dump:
    """What the lines say, before anything is concluded."""

    nodes: dict[str, _Node] = field(default_factory=dict)
    cables: dict[tuple[tuple[str, int], tuple[str, int]], float | None] = field(
        default_factory=dict
    )
    peer: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)
    noise: list[int] = field(default_factory=list)
    conflicts: list[int] = field(default_factory=list)
    unequal: int = 0


def sniff(head: str) -> float:
    """Sure when a node line and a port line of the grammar are there."""
    lines = [line.strip() for line in head.splitlines()]
    if not any(_NODE.match(line) for line in lines):
        return NO
    return SURE if any(_PORT.match(line) or _ATTRIBUTE.match(line) for line in lines) else 0.5


def read(text: str, where: str) -> Parsed:
    """The fabric in a dump.

    Raises:
        BadFileError: no cable is in it, or more than can be drawn.
    """
    dump = _scan(text, where)
    if not dump.nodes:
        raise BadFileError("has no switch and no channel adapter", where)
    if not dump.cables:
        raise BadFileError(
            f"names {plural(len(dump.nodes), 'node')} but not one cable",
            where,
            "Run ibnetdiscover where it sees the fabric, and save its whole output",
        )
    aggregation = {key for key, node in dump.nodes.items() if _is_aggregation(node)}
    hosts, adapter_of = _hosts(dump, aggregation)
    switches = tuple(_switch(node) for node in dump.nodes.values() if node.kind in "SR")
    cables = tuple(_cables(dump, aggregation, adapter_of))
    nodes, groups = _chassis(switches, dump)
    return Parsed(
        nodes=(*nodes, *hosts),
        cables=cables,
        groups=groups,
        warnings=tuple(_warnings(dump, aggregation, hosts)),
    )


# -- lines -------------------------------------------------------------------------------------


def _scan(text: str, where: str) -> _Dump:
    dump = _Dump()
    current: _Node | None = None
    system = ""
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if port := _PORT.match(stripped):
            _port_line(dump, current, port, number)
        elif node := _NODE.match(stripped):
            current = _node_line(dump, node, system)
            system = ""
        elif attribute := _ATTRIBUTE.match(stripped):
            if attribute[1] == "sysimgguid":
                system = attribute[2].split("(")[0].lower().removeprefix("0x").lstrip("0")
        elif not stripped:
            current, system = None, ""
        elif not _QUIET.match(stripped):
            dump.noise.append(number)
        if len(dump.cables) > MAX_CABLES:
            raise BadFileError(f"has more than {MAX_CABLES:,} cables, the limit", where)
    return dump


def _key(quoted: str) -> str:
    """GUIDs lose leading zeros in places: the same number is the same node."""
    match = _GUID.fullmatch(quoted)
    return f"{int(match[1], 16):016x}" if match else quoted


def _kind(word: str, quoted: str) -> str:
    """S for a switch, H for a channel adapter, R for a router."""
    if word:
        return {"Switch": "S", "Rt": "R"}.get(word, "H")
    if _GUID.fullmatch(quoted):
        return quoted[0]
    return "S" if quoted.lower().startswith(("s", "leaf", "spine", "core")) else "H"


def _node_line(dump: _Dump, match: re.Match[str], system: str) -> _Node:
    word, _, quoted, rest = match.groups()
    described = _QUOTED.search(rest.partition("#")[2])
    key = _key(quoted)
    node = dump.nodes.setdefault(key, _Node(key, _kind(word, quoted)))
    node.kind, node.own_block = _kind(word, quoted), True
    node.system = system or node.system
    node.description = described[1].strip() if described else node.description
    return node


def _port_line(dump: _Dump, current: _Node | None, match: re.Match[str], number: int) -> None:
    if current is None:
        dump.noise.append(number)
        return
    own, quoted, other, rest = match.groups()
    key = _key(quoted)
    peer = dump.nodes.setdefault(key, _Node(key, _kind("", quoted)))
    comment = rest.partition("#")[2]
    described = _QUOTED.search(comment)
    if described and not peer.own_block:
        peer.description = described[1].strip()
    speed = _SPEED.search(_QUOTED.sub("", comment))
    gbps = int(speed[1]) * LANE_GBPS[speed[2]] if speed else None
    _add_cable(dump, (current.key, int(own)), (key, int(other)), gbps, number)


def _add_cable(
    dump: _Dump, here: tuple[str, int], there: tuple[str, int], gbps: float | None, number: int
) -> None:
    first, second = sorted((here, there))
    if dump.peer.get(here, there) != there or dump.peer.get(there, here) != here or here == there:
        dump.conflicts.append(number)
        return
    dump.peer[here], dump.peer[there] = there, here
    known = dump.cables.get((first, second))
    if known is not None and gbps is not None and known != gbps:
        dump.unequal += 1
    rates = [rate for rate in (known, gbps) if rate is not None]
    dump.cables[first, second] = min(rates, default=None)


# -- nodes -------------------------------------------------------------------------------------


def _is_aggregation(node: _Node) -> bool:
    """SHARP's own adapter inside a switch."""
    return node.kind == "H" and "aggregation node" in node.description.lower()


def _switch(node: _Node) -> ParsedNode:
    match = _SWITCH_NAME.match(node.description)
    name, model = (match[1], match[2]) if match else (node.description, node.description)
    if match and match[3] not in ("", "U1"):
        name = f"{name}/{match[3].removesuffix('/U1')}"
    is_type = next((type_id for pattern, type_id in MODELS if pattern.search(model)), "")
    return ParsedNode(
        key=node.key,
        name=name or node.key,
        kind="router" if node.kind == "R" else "switch",
        model=model,
        type="" if node.kind == "R" else is_type,
        named=bool(name),
        guid=node.key,
    )


def _host_of(node: _Node) -> tuple[str, str, int | None]:
    """Host name, adapter and its index; an empty name if the description holds none."""
    if not node.description and not _HEX.fullmatch(node.key):
        return node.key, "", None  # an ibsim file: the id is the name
    match = _ADAPTER.match(node.description)
    if match and not _VENDOR.search(match[1]):
        index = int(match[3]) if match[3] else None
        if index is not None and match[2].startswith("HCA-"):
            index -= 1
        return match[1], match[2], index
    if _VENDOR.search(node.description) or " " in node.description:
        return "", "", None
    return node.description, "", None


def _hosts(
    dump: _Dump, aggregation: set[str]
) -> tuple[tuple[ParsedNode, ...], dict[tuple[str, int], tuple[str, str]]]:
    """Hosts, and for each adapter port the host's key and the port's name there."""
    ports = defaultdict(set)
    for key, number in dump.peer:
        ports[key].add(number)
    members: dict[str, list[tuple[_Node, str, int | None]]] = defaultdict(list)
    names: dict[str, str] = {}
    taken: set[tuple[str, str]] = set()
    for node in dump.nodes.values():
        if node.kind != "H" or node.key in aggregation:
            continue
        name, device, index = _host_of(node)
        own = f"host {name}" if name and (name, device) not in taken else node.key
        if device:
            taken.add((name, device))
        names[own] = name
        members[own].append((node, device, index))
    hosts, adapter_of = [], {}
    for own, adapters in members.items():
        described = tuple(_adapters(adapters, ports))
        for (node, number), adapter in described:
            adapter_of[node.key, number] = (own, adapter.name)
        hosts.append(
            ParsedNode(
                key=own,
                name=names[own] or adapters[0][0].key,
                kind="server",
                model="" if names[own] else adapters[0][0].description,
                adapters=tuple(adapter for _, adapter in described),
                named=bool(names[own]),
                guid=adapters[0][0].key,
            )
        )
    return tuple(hosts), adapter_of


def _adapters(
    adapters: list[tuple[_Node, str, int | None]], ports: dict[str, set[int]]
) -> Iterator[tuple[tuple[_Node, int], Adapter]]:
    for place, (node, device, index) in enumerate(adapters):
        plain = device or (f"HCA-{place + 1}" if len(adapters) > 1 else "")
        for number in sorted(ports[node.key]):
            suffix = str(number) if not plain else plain if number == 1 else f"{plain}/{number}"
            number_or_place = index if index is not None else (None if device else place)
            yield (node, number), Adapter(suffix, device, number_or_place, number)


def _cables(
    dump: _Dump, aggregation: set[str], adapter_of: dict[tuple[str, int], tuple[str, str]]
) -> Iterator[ParsedCable]:
    for ends, gbps in dump.cables.items():
        if any(key in aggregation for key, _ in ends):
            continue
        (a, a_port), (b, b_port) = (adapter_of.get(end, (end[0], str(end[1]))) for end in ends)
        yield ParsedCable(a, a_port, b, b_port, gbps)


def _chassis(
    switches: tuple[ParsedNode, ...], dump: _Dump
) -> tuple[tuple[ParsedNode, ...], tuple[ParsedGroup, ...]]:
    """Boards with one system image GUID are one chassis: a group of its boards."""
    sizes = Counter(dump.nodes[s.key].system for s in switches if dump.nodes[s.key].system)
    names: dict[str, str] = {}
    placed = []
    for switch in switches:
        system = dump.nodes[switch.key].system
        if sizes[system] < 2:
            placed.append(switch)
            continue
        name = names.setdefault(system, f"chassis {switch.name.split('/')[0]}")
        if list(names.values()).count(name) > 1:
            name = names[system] = f"chassis {system}"
        placed.append(replace(switch, group=name))
    return tuple(placed), tuple(ParsedGroup(name, "rack") for name in names.values())


def _warnings(dump: _Dump, aggregation: set[str], hosts: tuple[ParsedNode, ...]) -> Iterator[str]:
    if aggregation:
        yield (
            f"{plural(len(aggregation), 'aggregation node')} (SHARP, inside the switches) "
            "left out with the links to them: they are no hosts"
        )
    nameless = sum(not host.named for host in hosts)
    if nameless:
        yield (
            f"{plural(nameless, 'adapter')} without the name of a host: each is drawn as a server "
            "of unknown type named by its GUID"
        )
    silent = sum(not node.own_block for node in dump.nodes.values())
    if silent:
        yield f"{plural(silent, 'node')} only named by neighbours: more cables may be there"
    cabled = {key for key, _ in dump.peer}
    unplugged = sum(key not in cabled for key in dump.nodes)
    if unplugged:
        yield f"{plural(unplugged, 'node')} without a cable"
    if dump.unequal:
        yield f"{plural(dump.unequal, 'cable')} of another speed at each end: the lower is taken"
    if dump.conflicts:
        yield (
            f"{plural(len(dump.conflicts), 'port line')} left out that contradict an earlier one, "
            f"the first on line {dump.conflicts[0]}"
        )
    if dump.noise:
        yield f"{plural(len(dump.noise), 'line')} not understood, the first is line {dump.noise[0]}"


FORMAT = Importer(
    id="ibnetdiscover",
    title="InfiniBand fabric (ibnetdiscover)",
    suffixes=(".out", ".ibnetdiscover", ".ibnd", ".topo", ".txt"),
    sniff=sniff,
    read=read,
)
