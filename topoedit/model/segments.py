"""The pieces of a patched link: jumpers, cords between panels, fibres of trunks; their polarity.

A transmitter must face a receiver at the far end, so an odd number of crossings lies on the way:
what the methods of TIA-568 come to. Parallel optics (MPO): method B takes type B in every piece,
with adapters key up to key up; method A keeps positions and crosses once, in the last jumper.
Method C crosses pairs and suits duplex alone. Duplex (LC): the trunk and the cassettes of B and C
cross once, those of A do not; an A-to-B cord crosses, an A-to-A cord does not
(https://www.htfwdm.com/info/proper-polarization-connectivity-in-mtp-system-53208646.html;
NVIDIA Interconnect Structured Cabling Requirements, 2025: type B for MPO, A-B for LC).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from topoedit.catalog.cabling import face_of
from topoedit.errors import BadInputError
from topoedit.model.panels import hops_of, per_cable, trunk_between

if TYPE_CHECKING:
    from topoedit.catalog.types import Medium
    from topoedit.model.document import Document
    from topoedit.model.elements import Link, Trunk

PieceKind = Literal["jumper", "trunk", "cord"]
_CROSSING = {"A": 0, "B": 1, "C": 1}


class Piece(NamedTuple):
    """One piece of the way of a cable.

    Attributes:
        number: from 1 at the `a` end of the link.
        kind: `jumper` from a device to a panel, `trunk`, or a `cord` from panel to panel.
        a, b: device and port at both ends, in the direction of the link.
        trunk: the trunk, for that kind.
        cord: type of a jumper or cord: `A` or `B` (MPO), `A-to-A` or `A-to-B` (duplex), ""
            if the polarity of the trunks is not known or does not work out.
    """

    number: int
    kind: PieceKind
    a: tuple[str, str]
    b: tuple[str, str]
    trunk: Trunk | None = None
    cord: str = ""


def medium_of(document: Document, link: Link) -> Medium | None:
    """The medium of a link; None if it has none that is known."""
    try:
        return document.catalog.medium(link.medium) if link.medium else None
    except BadInputError:
        return None


def front_of(trunk: Trunk) -> str:
    """The connector at the fronts of a trunk's panels: LC where a cassette fans an MPO out."""
    return "LC" if trunk.fibres_per_port == 2 else trunk.connector


def is_cassette(trunk: Trunk) -> bool:
    """Whether the ports of a trunk are fanned out of its plugs in cassettes."""
    return front_of(trunk) != trunk.connector


def strands_of(document: Document, link: Link, index: int) -> list[list[Piece]]:
    """The pieces of cable `index` (from 0) in order, for each of its connectors side by side.

    A cable that runs through no panel has none.
    """
    hops = hops_of(link, index)
    ends = (link.a.device, link.a.names[index]), (link.b.device, link.b.names[index])
    ways = ([(panel, names[i]) for panel, names in hops] for i in range(per_cable(link)))
    return [_with_polarity(document, link, _pieces(document, ends, way)) for way in ways]


def _pieces(
    document: Document, ends: tuple[tuple[str, str], tuple[str, str]], hops: list[tuple[str, str]]
) -> list[Piece]:
    found = [Piece(1, "jumper", ends[0], hops[0])]
    for here, there in pairwise(hops):
        trunk = trunk_between(document, here, there)
        kind: PieceKind = "cord" if trunk is None else "trunk"
        found.append(Piece(len(found) + 1, kind, here, there, trunk))
    found.append(Piece(len(found) + 1, "jumper", hops[-1], ends[1]))
    return found


def _with_polarity(document: Document, link: Link, pieces: list[Piece]) -> list[Piece]:
    cords = cord_types(document, link, pieces)
    return [
        piece if piece.trunk is not None else piece._replace(cord=cord)
        for piece, cord in zip(pieces, cords, strict=True)
    ]


def cord_types(document: Document, link: Link, pieces: list[Piece]) -> list[str]:
    """The type that each piece must have; "" for trunks, and where no answer is known."""
    if polarity_fault(document, link, pieces) != "":
        return [""] * len(pieces)
    trunks = [piece.trunk for piece in pieces if piece.trunk is not None]
    duplex = _is_duplex(document, link, trunks)
    crossings = sum(_CROSSING[trunk.polarity] for trunk in trunks if trunk.polarity)
    cords = [number for number, piece in enumerate(pieces) if piece.trunk is None]
    if duplex:
        straight = {cords[-1]} if (len(cords) + crossings) % 2 == 0 else set()
        words = {n: "A-to-A" if n in straight else "A-to-B" for n in cords}
    elif trunks[0].polarity == "A":
        words = {n: "B" if n == cords[-1] else "A" for n in cords}
    else:
        words = dict.fromkeys(cords, "B")
    return [words.get(number, "") for number in range(len(pieces))]


def polarity_fault(document: Document, link: Link, pieces: list[Piece]) -> str | None:
    """What is wrong with the polarity of a way; "" if nothing, None if it is not known."""
    trunks = [piece.trunk for piece in pieces if piece.trunk is not None]
    methods = sorted({trunk.polarity for trunk in trunks})
    if not trunks or "" in methods:
        return None
    if len(methods) > 1:
        return f"mixes the polarity methods {' and '.join(methods)}"
    if methods == ["C"] and not _is_duplex(document, link, trunks):
        return "runs parallel optics over method C, which crosses fibres in pairs"
    return ""


def _is_duplex(document: Document, link: Link, trunks: list[Trunk]) -> bool:
    face = face_of(medium_of(document, link))
    if face is not None:
        return face.connector == "LC"
    return any(front_of(trunk) == "LC" for trunk in trunks)
