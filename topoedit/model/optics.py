"""What light loses on its way through a patched link, and what its optics bear.

Lost at most: each kilometre of fibre, each mated pair of connectors inside the link (those at the
modules are part of the module's own figure), each splice. The figures are those of
`resources/cabling.yaml`; what is not known makes the sum unknown, never smaller.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from topoedit.catalog.cabling import face_of, load_cabling
from topoedit.model.segments import Piece, front_of, is_cassette, medium_of, strands_of

if TYPE_CHECKING:
    from topoedit.model.document import Document
    from topoedit.model.elements import Link


class Loss(NamedTuple):
    """The loss of one cable from module to module.

    Attributes:
        db: the sum; None if a part of it is unknown.
        budget_db: the most its optics bear; None if unknown.
        fibre_db, pairs_db, splices_db: the parts, None where unknown.
        pairs, splices: mated pairs of connectors and splices on the way.
        unknown: what is missing, in words; empty if nothing is.
    """

    db: float | None
    budget_db: float | None
    fibre_db: float | None
    pairs_db: float | None
    splices_db: float | None
    pairs: int
    splices: int
    unknown: tuple[str, ...]

    @property
    def margin_db(self) -> float | None:
        """What is left of the budget; None if either is unknown."""
        if self.db is None or self.budget_db is None:
            return None
        return round(self.budget_db - self.db, 3)

    @property
    def words(self) -> str:
        """How the sum comes about; "" if it is unknown."""
        if self.db is None:
            return ""
        parts = [
            f"{self.fibre_db:.3g} dB fibre",
            f"{self.pairs_db:.3g} dB in {self.pairs} connector pairs",
        ]
        parts += [f"{self.splices_db:.3g} dB in {self.splices} splices"] if self.splices else []
        return " + ".join(parts)


def loss_of(document: Document, link: Link, index: int, length_m: float | None = None) -> Loss:
    """The loss of cable `index` (from 0) of a patched link, that of its worst connector.

    Args:
        document: the drawing.
        link: the link, which runs through at least one panel.
        index: which of its cables.
        length_m: its whole length where the drawing gives none.
    """
    found = [
        _loss(document, link, pieces, length_m) for pieces in strands_of(document, link, index)
    ]
    return max(found, key=lambda loss: (loss.db is None, loss.db or 0.0))


def _loss(document: Document, link: Link, pieces: list[Piece], length_m: float | None) -> Loss:
    medium = medium_of(document, link)
    fibre = load_cabling().fibre(medium.medium) if medium is not None else None
    metres = link.length_m if link.length_m is not None else length_m
    if link.km is not None:
        metres = link.km * 1000
    unknown = []
    if medium is None or fibre is None:
        unknown.append("the kind of fibre")
    if metres is None:
        unknown.append("the length")
    pairs = _pairs(document, link, pieces)
    if None in pairs:
        unknown.append("a connector")
    splices = sum(piece.trunk.splices for piece in pieces if piece.trunk is not None)
    fibre_db = None if fibre is None or metres is None else metres / 1000 * fibre.db_per_km
    pairs_db = None if None in pairs else sum(value for value in pairs if value is not None)
    splices_db = 0.0 if not splices else None if fibre is None else splices * fibre.splice_db
    total = None
    if fibre_db is not None and pairs_db is not None and splices_db is not None:
        total = round(fibre_db + pairs_db + splices_db, 3)
    budget = None if medium is None else medium.budget_db
    return Loss(
        total, budget, fibre_db, pairs_db, splices_db, len(pairs), splices, tuple(unknown)
    )  # fmt: skip


def _pairs(document: Document, link: Link, pieces: list[Piece]) -> list[float | None]:
    """What each mated pair of connectors loses: one at a panel, two at a cassette's."""
    cabling, found = load_cabling(), []
    face = face_of(medium_of(document, link))
    for before, after in pairwise(pieces):
        trunk = before.trunk or after.trunk
        front = front_of(trunk) if trunk is not None else face.connector if face else ""
        names = [front, trunk.connector] if trunk is not None and is_cassette(trunk) else [front]
        for name in names:
            connector = cabling.connector(name)
            found.append(None if connector is None else connector.pair_db)
    return found
