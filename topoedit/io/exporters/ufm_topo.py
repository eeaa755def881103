"""Topology file of ibdiagnet and of UFM's Cable Validation Tool (IBDM `.topo`).

Grammar: ibutils manual page `ibdm-topo-file(1)`: a line `SYSTEM-TYPE SYSTEM-NAME`, then lines
`PORT -> TYPE NAME PORT` until an empty one; the arrow may tell lanes and the rate of each
(`-4x-100G->`). Names of ports and systems are those of the example in NVIDIA's UFM Cable
Validation Tool guide, Topo File, 2025,
https://docs.nvidia.com/networking/display/cablevalidationtool150/topo+file: `P62` at a
switch `MQM9700`, `mlx5_0/P1` at a host `HCA_mlx5_3`. The guide does not say what that last
number counts; here it is the InfiniBand ports of the host that are in the drawing. A cable between
switches is listed from both, one to a host only from the switch, as there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from topoedit.io.exporters._fabric import End, Wire, left_out, one_word, spoken_by, wires, word
from topoedit.io.exporters._fabric import unknown_adapters as unnamed
from topoedit.io.formats import Exported, Exporter
from topoedit.model.document import Document
from topoedit.model.ports import natural_key

# Gb/s of one lane, SDR to XDR (InfiniBand architecture specification, volume 2).
_LANES = (2.5, 5.0, 10.0, 14.0, 25.0, 50.0, 100.0, 200.0)


def write(document: Document) -> Exported:
    """The InfiniBand cables of a drawing; those of an unknown fabric are taken as such."""
    kept = [wire for wire in wires(document) if spoken_by(wire, "ib")]
    systems = {end.device.id: end for wire in kept for end in (wire.a, wire.b)}
    words = one_word(end.device.name for end in systems.values())
    arrows = [arrow(wire) for wire in kept]
    text = "".join(_sections(kept, arrows, words))
    return Exported(
        text.encode("utf-8", "replace"),
        left_out(
            document,
            kept,
            "cables that are not InfiniBand",
            ("node GUIDs", sum(bool(end.device.guid) for end in systems.values())),
            ("rates of cables whose lanes are unclear", arrows.count("->")),
            ("adapters of unknown name, written as mlx5_0, mlx5_1… in port order", unnamed(kept)),
            ("blanks in names, written as _", sum(name != word for name, word in words.items())),
        ),
    )


def _sections(kept: Sequence[Wire], arrows: Sequence[str], words: dict[str, str]) -> list[str]:
    ports = Counter(end.device.id for wire in kept for end in (wire.a, wire.b))
    lines: dict[str, list[tuple[End, str, End]]] = defaultdict(list)
    heads: dict[str, End] = {}
    for wire, width in zip(kept, arrows, strict=True):
        both = ((wire.a, wire.b), (wire.b, wire.a))
        listed = [(near, far) for near, far in both if near.is_switch] or both[:1]
        for near, far in listed:
            heads[near.device.id] = near
            lines[near.device.id].append((near, width, far))

    names: dict[str, str] = {}

    def system(end: End) -> str:
        key = end.device.id
        if key not in names:
            names[key] = f"{_system_type(end, ports[key])} {words[end.device.name]}"
        return names[key]

    found = []
    for head in sorted(heads.values(), key=lambda end: natural_key(end.device.name)):
        rows = sorted(lines[head.device.id], key=lambda row: natural_key(row[0].port.name))
        body = "".join(
            f"   {_port(near)} {width} {system(far)} {_port(far)}\n" for near, width, far in rows
        )
        found.append(f"{system(head)}\n{body}\n")
    return found


def _system_type(end: End, ports: int) -> str:
    """`MQM9700` for the catalogue's qm9700, `Q3400` for q3400-ra; `HCA_mlx5_8` for a host."""
    if not end.is_switch:
        return f"HCA_mlx5_{ports}"
    model = end.kind.id.upper().split("-")[0] if end.kind.fabric else end.kind.id.upper()
    return word(f"M{model}" if model.startswith("QM") else model)


def _port(end: End) -> str:
    name = word(end.port.name)
    if end.is_switch:
        return f"P{name}" if name.isdecimal() else name
    adapter = word(end.hca)
    return adapter if "/" in adapter else f"{adapter}/P1"


def arrow(wire: Wire) -> str:
    """`-4x-100G->` for 400 Gb/s between ports of 400 Gb/s; `->` where the lanes are unclear.

    A slower cable is two lanes of its ports (a split port); one between ports of unlike lanes may
    be several things, so nothing is said of it.
    """
    known = [end.port.gbps for end in (wire.a, wire.b) if end.port.gbps is not None]
    rates = set(known)
    gbps = wire.gbps
    if gbps is None and len(known) == 2:
        gbps = min(known)
    if len(rates) > 1 or gbps is None:
        return "->"
    lane = (rates.pop() if rates else gbps) / 4
    width = gbps / lane
    if lane not in _LANES or width not in (1, 2, 4):
        return "->"
    return f"-{width:g}x-{lane:g}G->"


FORMAT = Exporter("ufm-topo", "UFM cable validation: topology file (.topo)", (".topo",), write)
