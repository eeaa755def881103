"""Links end to end, each with the pieces that it is pulled as, and how full trunks are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from topoedit.catalog.cabling import Face, face_of
from topoedit.catalog.types import Medium
from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.optics import loss_of
from topoedit.model.ports import natural_key
from topoedit.model.segments import Piece, front_of, medium_of, strands_of
from topoedit.reports.bought import Cable, Purchase
from topoedit.reports.panel_cables import fill_of
from topoedit.reports.tables import Cell

_END = ("site", "rack", "unit", "device", "port", "cage", "lane", "os_name")
LINK_COLUMNS = (
    "link", "cable", "row", "pulled", *(f"{name}_a" for name in _END),
    *(f"{name}_b" for name in _END), "through", "medium", "connector", "cord", "length_m",
    "ordered_m", "loss_db", "budget_db", "margin_db", "loss", "network", "phase",
)  # fmt: skip
TRUNK_COLUMNS = (
    "id", "label", "panel_a", "ports_a", "panel_b", "ports_b", "connector", "front", "polish",
    "fibre", "polarity", "fibres", "ports", "ports_used", "fibres_used", "fibres_idle",
    "fibres_spare", "fill_percent", "splices", "length_m", "phase",
)  # fmt: skip
Row = tuple[Cell, ...]


def link_rows(document: Document, bought: Purchase) -> Iterator[Row]:
    """One row for each drawn cable from end to end, and under a patched one a row for each piece.

    The rows are in walking order. `pulled` is the id of the physical cable; of a patched link each
    piece has its own.
    """
    return _Sheet(document, bought).rows()


class _Sheet:
    def __init__(self, document: Document, bought: Purchase) -> None:
        self.document, self.bought = document, bought
        self._carrying: dict[str, list[Cable]] = defaultdict(list)
        for cable in bought.cables:
            if cable.kind != "trunk":
                for drawn in cable.drawn:
                    self._carrying[drawn].append(cable)
        self._last: tuple[tuple[str, int], list[list[Piece]]] = (("", 0), [])
        self._media: dict[str, tuple[Medium | None, Face | None]] = {}
        self._heads: dict[str, tuple[Cell, Cell, Cell, str]] = {}
        self._trunks = {cable.id: cable for cable in bought.cables if cable.kind == "trunk"}

    def rows(self) -> Iterator[Row]:
        for link, index in self._sorted():
            yield self._link(link, index)
            if link.through:
                yield from self._pieces(link, index)

    def _strands(self, link: Link, index: int) -> list[list[Piece]]:
        """The pieces of one cable, kept until the next is asked for."""
        key = (link.id, index)
        if self._last[0] != key:
            self._last = key, strands_of(self.document, link, index)
        return self._last[1]

    def _sorted(self) -> Iterator[tuple[Link, int]]:
        places = self.bought.places
        ranks: dict[str, tuple[tuple[int, int | str], ...]] = {}
        keys = [
            (places[link.a.device].order, ranks.get(name) or _ranked(name, ranks), link.id, index)
            for link in self.document.links.values()
            for index, name in enumerate(link.a.names)
        ]
        keys.sort()
        return ((self.document.links[link_id], index) for _, _, link_id, index in keys)

    def _link(self, link: Link, index: int) -> Row:
        cable = link.cable_ids[index]
        near = self._end(link.a.device, link.a.names[index])
        far = self._end(link.b.device, link.b.names[index])
        medium, face = self._medium(link)
        pulled = "" if link.through else self._pulled(cable)
        through, loss = self._way(link, index), None
        if link.through and face is not None:
            loss = loss_of(self.document, link, index, self._length(link, index))
        figures: Row = (None, None, None, "")
        if loss is not None:
            words = loss.words or "unknown: " + ", ".join(loss.unknown)
            figures = (loss.db, loss.budget_db, loss.margin_db, words)
        connector = medium.connector if medium is not None else ""
        length = link.length_m if link.length_m is not None else self._length(link, index)
        return (
            link.id, cable, "link", pulled, *near, *far, through, link.medium, connector,
            "", length, None, *figures, link.network, link.phase,
        )  # fmt: skip

    def _pulled(self, cable: str) -> str:
        return " + ".join(one.id for one in self._carrying.get(cable, ()))

    def _way(self, link: Link, index: int) -> str:
        if not link.through:
            return ""
        each = len(link.through[0].names) // link.count
        devices = self.document.devices
        stops = (
            f"{devices[hop.device].name}:"
            + " + ".join(hop.names[index * each : (index + 1) * each])
            for hop in link.through
        )
        return " > ".join(stops)

    def _length(self, link: Link, index: int) -> float | None:
        """Sum of what the pieces need, of the longest strand; None if a piece is not known."""
        longest: float | None = None
        if not link.through:
            found = self._carrying.get(link.cable_ids[index], ())
            return found[0].lengths.need_m if found else None
        for pieces in self._strands(link, index):
            needs = [c.lengths.need_m for c in self._cables(link, index, pieces) if c is not None]
            known = [need for need in needs if need is not None]
            if len(known) < len(pieces):
                return None
            longest = max(longest or 0.0, sum(known))
        return None if longest is None else round(longest, 2)

    def _cables(self, link: Link, index: int, pieces: list[Piece]) -> list[Cable | None]:
        """The physical cable of each piece; None for one that is not pulled as a piece."""
        carrying = self._carrying.get(link.cable_ids[index], ())
        found: list[Cable | None] = []
        for piece in pieces:
            if piece.trunk is not None:
                found.append(self._trunks.get(piece.trunk.id))
                continue
            ends = {piece.a, piece.b}
            match = (
                cable
                for cable in carrying
                if ends <= {(p.device, p.port.name) for p in (*cable.a, *cable.b)}
            )
            found.append(next(match, None))
        return found

    def _pieces(self, link: Link, index: int) -> Iterator[Row]:
        drawn = link.cable_ids[index]
        for pieces in self._strands(link, index):
            for piece, cable in zip(pieces, self._cables(link, index, pieces), strict=True):
                if cable is None:
                    continue
                trunk = piece.trunk
                medium = trunk.fibre if trunk is not None else link.medium
                yield (
                    link.id, drawn, piece.kind, cable.id, *self._end(*piece.a),
                    *self._end(*piece.b), "", medium, trunk.connector if trunk is not None else "",
                    trunk.polarity if trunk is not None else piece.cord, cable.lengths.need_m,
                    cable.sold.ordered_m, None, None, None, "", link.network,
                    trunk.phase if trunk is not None else link.phase,
                )  # fmt: skip

    def _medium(self, link: Link) -> tuple[Medium | None, Face | None]:
        found = self._media.get(link.medium)
        if found is None:
            medium = medium_of(self.document, link)
            found = self._media[link.medium] = medium, face_of(medium)
        return found

    def _end(self, device_id: str, name: str) -> Row:
        place = self.bought.places[device_id]
        head = self._heads.get(device_id)
        if head is None:
            head = place.site, place.rack, place.unit, place.device.name
            self._heads[device_id] = head
        port = self.bought.ports.port(place.device, name)
        return (*head, port.name, port.cage or port.name, port.lane, port.os_name)


def _ranked(
    name: str, ranks: dict[str, tuple[tuple[int, int | str], ...]]
) -> tuple[tuple[int, int | str], ...]:
    rank = ranks[name] = natural_key(name)
    return rank


def trunk_rows(document: Document, bought: Purchase) -> list[Row]:
    """One row for each trunk: its make, how many ports and fibres are used, idle and spare."""
    rows: list[Row] = []
    lengths = {cable.id: cable.lengths.need_m for cable in bought.cables if cable.kind == "trunk"}
    names = {place.device.id: place.device.name for place in bought.places.values()}
    for trunk in sorted(document.trunks.values(), key=lambda one: natural_key(one.id)):
        fill = fill_of(document, trunk)
        rows.append((
            trunk.id, trunk.label, names[trunk.a.device], trunk.a.ports, names[trunk.b.device],
            trunk.b.ports, trunk.connector, front_of(trunk), trunk.polish, trunk.fibre,
            trunk.polarity, fill.fibres, fill.ports, fill.used, fill.lit, fill.idle, fill.spare,
            round(100 * fill.used / fill.ports, 1), trunk.splices, lengths.get(trunk.id),
            trunk.phase,
        ))  # fmt: skip
    return rows
