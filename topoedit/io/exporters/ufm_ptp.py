"""Unified point-to-point workbook of UFM's Cable Validation Tool, from version 1.7.

Sheet `Links`: NVIDIA UFM Cable Validation Tool guide 1.7.1, P2P File, 2025,
https://docs.nvidia.com/networking/display/cablevalidationtool171/p2p+file. Hosts are named by
their network interface there, and an InfiniBand host needs a server profile that maps it to its
RDMA name. The heads of the sheets `Nodes`, `DC Floor Layout` and `Server Profile` are those of a
public converter that writes the same workbook
(https://docs.nvidia.com/networking/display/cablevalidationtool171/ has them as pictures only);
the order of columns is free. What a drawing does not know stays blank.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from topoedit.io.exporters._fabric import End, Wire, left_out, place_of, wires
from topoedit.io.exporters.ufm_p2p import switch_port
from topoedit.io.formats import Exported, Exporter
from topoedit.io.workbook import Cell, Table, xlsx_bytes
from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.model.ports import expand, natural_key

NODES = (
    "FabricId", "Rack", "Unit", "TrayIndex", "NodeName", "NodeType", "NodeOs", "NodeModel",
    "ServerProfile", "Managed", "CredentialProfile", "IP",
)  # fmt: skip
LAYOUT = ("FabricId", "DataHall", "ScalableUnit", "Rack", "RackType", "RackGroup")
LINKS = (
    "A-Node", "A-Port", "Z-Node", "Z-Port", "Protocol", "Shuffle-ID", "A-Connector",
    "A-MPO-Connector", "Z-Connector", "Z-MPO-Connector", "A-Module-PN", "Z-Module-PN", "Source-Ref",
)  # fmt: skip
PROFILES = (
    "ServerProfile", "PhysicalPort", "RDMAName", "CustomNICName", "NICOSName", "PCIAddress",
)  # fmt: skip
_Row = tuple[Cell, ...]


def write(document: Document) -> Exported:
    """All cables whose fabric is known; `Source-Ref` counts them in the order of their ids."""
    kept = [wire for wire in wires(document) if wire.protocol != "unknown"]
    return Exported(
        xlsx_bytes(tables(document, kept)),
        left_out(
            document,
            kept,
            "cables of no known fabric, at patch panels or optical switches",
            ("cable ids", len(kept)),
            ("node GUIDs", sum(bool(device.guid) for device in document.devices.values())),
            ("adapters whose RDMA name is not known, left blank", _nameless(kept)),
        ),
    )


def tables(document: Document, kept: Sequence[Wire]) -> list[Table]:
    """The four sheets of the workbook."""
    ends = {end.device.id: end for wire in kept for end in (wire.a, wire.b)}
    named = sorted(ends.values(), key=lambda end: natural_key(end.device.name))
    hosts = {
        end.device.id
        for wire in kept
        if wire.protocol == "ib"
        for end in (wire.a, wire.b)
        if not end.is_switch
    }
    links = [_link(wire, number) for number, wire in enumerate(kept, 1)]
    return [
        _table("Nodes", NODES, [_node(document, end, end.device.id in hosts) for end in named]),
        _table("DC Floor Layout", LAYOUT, _layout(document, (end.device for end in named))),
        _table("Links", LINKS, links),
        _table("Server Profile", PROFILES, _profiles(kept)),
    ]


def _table(name: str, columns: tuple[str, ...], rows: list[_Row]) -> Table:
    return Table(name, columns, rows, len(rows))


def _link(wire: Wire, number: int) -> _Row:
    ends = (wire.a.device.name, _port(wire.a), wire.b.device.name, _port(wire.b))
    return (*ends, wire.protocol, *(None,) * 7, number)


def _port(end: End) -> str:
    """A switch as in the older workbook; a host by its interface, else by the printed name."""
    return switch_port(end) if end.is_switch else end.interface or end.port.name


def _node(document: Document, end: End, profiled: bool) -> _Row:
    device = end.device
    place = place_of(document, device)
    kind, system = ("switch", _system(end)) if end.is_switch else ("host", "linux")
    profile = _profile(end) if profiled else None
    managed = "yes" if end.is_switch else "no"
    return (
        place.get("site"), place.get("rack"), device.unit, None, device.name, kind, system,
        end.kind.id, profile, managed, None, device.address or None,
    )  # fmt: skip


def _system(end: End) -> str | None:
    """The operating system that the names of its ports give away."""
    name = end.port.os_name
    known = {"swp": "cumulus", "sw": "nvos", "IB": "mlnx-os"}
    return next((system for head, system in known.items() if name.startswith(head)), None)


def _layout(document: Document, devices: Iterable[Device]) -> list[_Row]:
    racks: dict[tuple[str, ...], bool] = {}
    for device in devices:
        place = place_of(document, device)
        if "rack" not in place:
            continue
        names = tuple(place.get(kind, "") for kind in ("site", "building", "pod", "rack"))
        racks[names] = racks.get(names, False) or device.kind == "server"
    ordered = sorted(racks, key=lambda names: [natural_key(name) for name in names])
    return [(*names, "GPURack" if racks[names] else "NetworkRack", None) for names in ordered]


def _profile(end: End) -> str:
    """One profile a type; a device with names of its own has one of its own."""
    return f"{end.kind.id}:{end.device.name}" if end.device.ports else end.kind.id


def _profiles(kept: Iterable[Wire]) -> list[_Row]:
    found: dict[tuple[str, str], _Row] = {}
    for wire in kept:
        if wire.protocol != "ib":
            continue
        for end in (wire.a, wire.b):
            if end.is_switch:
                continue
            rdma = end.port.os_name if not end.interface else ""
            pcie = next(
                (o.pcie for o in end.device.ports if o.pcie and end.port.name in expand(o.names)),
                None,
            )
            row = (_profile(end), _port(end), rdma or None, None, end.interface or None, pcie)
            found[_profile(end), _port(end)] = row
    return [found[key] for key in sorted(found, key=lambda key: [natural_key(k) for k in key])]


def _nameless(kept: Iterable[Wire]) -> int:
    return sum(
        not end.is_switch and (bool(end.interface) or not end.port.os_name)
        for wire in kept
        if wire.protocol == "ib"
        for end in (wire.a, wire.b)
    )


FORMAT = Exporter("ufm-ptp", "UFM cable validation from 1.7: PTP workbook", (".xlsx",), write)
