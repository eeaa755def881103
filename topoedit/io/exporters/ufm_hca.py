"""HCA mapping of UFM's Cable Validation Tool: which adapter the port number of a host means.

Form: NVIDIA UFM Cable Validation Tool guide, Optional Files, 2025,
https://docs.nvidia.com/networking/display/cablevalidationtool150/optional+files: CSV with the
columns `port,hca-name`, one mapping for all hosts. It belongs to the P2P workbook (`ufm-p2p`).
"""

from __future__ import annotations

from topoedit.io.exporters._fabric import adapters, spoken_by, unknown_adapters, wires
from topoedit.io.exporters.links_csv import cell
from topoedit.io.formats import Exported, Exporter
from topoedit.model.document import Document


def write(document: Document) -> Exported:
    """The mapping of the InfiniBand hosts; where they differ, that of most of them."""
    kept = [wire for wire in wires(document) if spoken_by(wire, "ib")]
    mapping, unlike = adapters(kept)
    lines = ["port,hca-name", *(f"{number},{_quoted(name)}" for number, name in mapping.items())]
    counts = {
        "the cables": sum(link.count for link in document.links.values()),
        "ports of hosts whose adapter is another one than at most hosts": unlike,
        "adapters of unknown name, written as mlx5_0, mlx5_1… in port order": unknown_adapters(
            kept
        ),
    }
    return Exported(
        "".join(f"{line}\r\n" for line in lines).encode("utf-8", "replace"),
        tuple(f"{what} ({n})" for what, n in counts.items() if n),
    )


def _quoted(name: str) -> str:
    name = cell(name)
    return '"' + name.replace('"', '""') + '"' if any(sign in name for sign in ',"\r\n') else name


FORMAT = Exporter("ufm-hca", "UFM cable validation: HCA mapping (CSV)", (".hca.csv",), write)
