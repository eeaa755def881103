"""Point-to-point workbook of UFM's Cable Validation Tool, versions 1.4 to 1.6.

Columns: NVIDIA UFM Cable Validation Tool guide, P2P File, 2025,
https://docs.nvidia.com/networking/display/cablevalidationtool150/p2p+file. The tool finds columns
by their heads; `Cable-ID`, which it does not ask for, stands last. Ports, as the guide names them:
an InfiniBand switch `17/1` (cage and lane; a number alone where a cage has one port), NVOS `sw1p1`,
Ethernet `swp1s0`, an InfiniBand host its port number, which the HCA mapping file turns into
`mlx5_0` (format `ufm-hca`), an Ethernet host its interface, else `rail1` for its first rail.
"""

from __future__ import annotations

from collections.abc import Sequence

from topoedit.io.exporters._fabric import End, Protocol, Wire, left_out, place_of, wires
from topoedit.io.formats import Exported, Exporter
from topoedit.io.workbook import Cell, Table, xlsx_bytes
from topoedit.model.document import Document

COLUMNS = (
    "A-Rack", "A-U", "A-Node Name", "A-Type", "A-Port",
    "Z-Rack", "Z-RU", "Z-Node Name", "Z-Type", "Z-Port", "Cable-ID",
)  # fmt: skip
_SHEETS = {"ib": "InfiniBand", "nvos": "XDR", "ethernet": "Ethernet", "unknown": "Unknown fabric"}


def write(document: Document) -> Exported:
    """All cables of a drawing, a sheet for each kind of fabric."""
    kept = wires(document)
    return Exported(
        xlsx_bytes(tables(document, kept)),
        left_out(
            document,
            kept,
            "cables at patch panels and optical switches",
            ("node GUIDs", sum(bool(device.guid) for device in document.devices.values())),
            ("adapter names, which go into the format ufm-hca", _named_adapters(kept)),
        ),
    )


def tables(document: Document, kept: Sequence[Wire]) -> list[Table]:
    """The sheets of the workbook; an empty one where there is no cable."""
    racks = {
        device.id: (place_of(document, device).get("rack"), device.unit)
        for device in document.devices.values()
    }
    sheets: dict[str, list[tuple[Cell, ...]]] = {}
    for wire in kept:
        row = (*_end(wire.a, wire, racks), *_end(wire.b, wire, racks), wire.id)
        sheets.setdefault(_sheet(wire), []).append(row)
    return [
        Table(name, COLUMNS, sheets[name], len(sheets[name]))
        for name in _SHEETS.values()
        if name in sheets
    ] or [Table(_SHEETS["ib"], COLUMNS, (), 0)]


def _sheet(wire: Wire) -> str:
    switch = next((end for end in (wire.b, wire.a) if end.is_switch), None)
    nvos = wire.protocol == "ib" and switch is not None and switch.port.os_name.startswith("sw")
    return _SHEETS["nvos" if nvos else wire.protocol]


def _end(end: End, wire: Wire, racks: dict[str, tuple[str | None, int | None]]) -> tuple[Cell, ...]:
    rack, unit = racks[end.device.id]
    role = "Switch" if end.is_switch else "Host"
    return rack, unit, end.device.name, role, port(end, wire.protocol)


def port(end: End, protocol: Protocol) -> Cell:
    """The name of a port in the words of the guide; a number where it is nothing else."""
    if end.is_switch:
        return _number(switch_port(end))
    if protocol != "ethernet" and end.number:
        return end.number
    if end.interface or end.port.rail is None:
        return end.interface or end.port.name
    return f"rail{end.port.rail + 1}"


def switch_port(end: End) -> str:
    """`17/1` at a Quantum-2, `sw1p1` under NVOS, `swp1s0` under Cumulus Linux, else as printed."""
    if end.port.os_name and not end.port.os_name.upper().startswith("IB"):
        return end.port.os_name
    return end.cage_and_lane


def _number(text: str) -> Cell:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text


def _named_adapters(kept: list[Wire]) -> int:
    return sum(
        not end.is_switch and bool(end.port.os_name) for wire in kept for end in (wire.a, wire.b)
    )


FORMAT = Exporter("ufm-p2p", "UFM cable validation 1.4 to 1.6: P2P workbook", (".xlsx",), write)
