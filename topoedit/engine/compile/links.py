"""Drawn links as directed edges: capacity, delay and tier of each pair of vertices they join.

Capacity of one cable is the least of the rates of the link, its medium and both ports, as far as
they are known; NaN if none is. A cable carries nothing if it is out of service, longer than its
medium reaches (as drawn, else by the way between its racks: `compile.ways`), joins a scale-up port
to a network port, is NVLink between two racks, or runs through a patch panel or a trunk that
failed. Of a bundle with failed cables the last ones in port
order are taken to be those that failed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from topoedit.catalog import media
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.media import reaches
from topoedit.catalog.types import Medium
from topoedit.engine.compile.blocks import OUTSIDE, SCALE_UP, PortEnd
from topoedit.engine.compile.layout import Layout
from topoedit.engine.types import Bytes8, Floats, Ints, Tier, VertexKind
from topoedit.model.elements import Link, Ports
from topoedit.model.ports import expand
from topoedit.units import bytes_per_s

_NONE: frozenset[int] = frozenset()
FIBRE_SECONDS_PER_KM = 4.9e-6
"""One way: group index 1.468 of ITU-T G.652 fibre over the speed of light in vacuum."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The cables of one link between one pair of local vertices, and how many of them work."""

    a: int
    b: int
    cables: int
    working: int
    capacity: float
    scale_up: bool


@dataclass(frozen=True, eq=False)
class LinkEdges:
    """One direction (a to b) of each of the n edges that some links became.

    `latency` holds 2 n values, a to b first; `link` counts the links kept, whose ids are `ids`.
    """

    src: Ints
    dst: Ints
    capacity: Floats
    latency: Floats
    tier: Bytes8
    cables: Ints
    working: Ints
    link: Ints
    ids: tuple[str, ...]


def beyond_reach(medium: Medium | None, length_m: float | None, same_rack: bool) -> bool:
    """Whether a cable of this length cannot work with this medium."""
    return reaches(medium, length_m, same_rack=same_rack) == "beyond"


def propagation_s(medium: Medium | None, length_m: float | None, km: float | None) -> float:
    """Delay of one way: 4.9 us a km over a distance, else the medium's figure, else fibre's."""
    if km is not None:
        return km * FIBRE_SECONDS_PER_KM
    if length_m is None:
        return 0.0
    known = None if medium is None else media.propagation_s(medium, length_m)
    return length_m * FIBRE_SECONDS_PER_KM / 1e3 if known is None else known


def edge_tiers(kind_a: Bytes8, kind_b: Bytes8, scale_up: Bytes8, apart: Bytes8) -> Bytes8:
    """Tier of each edge from the kinds of its ends.

    Args:
        kind_a: VertexKind of one end.
        kind_b: VertexKind of the other.
        scale_up: 1 where a scale-up port is involved.
        apart: 1 where the ends are on two sites.
    """
    low, high = np.minimum(kind_a, kind_b), np.maximum(kind_a, kind_b)
    from_nic = (low == VertexKind.NIC) & (high >= VertexKind.LEAF) & (high <= VertexKind.ROUTER)
    from_host = (high == VertexKind.HOST) & (low >= VertexKind.LEAF) & (low <= VertexKind.ROUTER)
    tier = np.full(len(low), Tier.OTHER, np.uint8)
    tier[from_nic | from_host] = Tier.HOST_LEAF
    tier[(low == VertexKind.LEAF) & (high == VertexKind.SPINE)] = Tier.LEAF_SPINE
    tier[(low == VertexKind.SPINE) & (high == VertexKind.CORE)] = Tier.SPINE_CORE
    tier[apart == 1] = Tier.BETWEEN_SITES
    tier[scale_up == 1] = Tier.SCALE_UP
    return tier


class LinkCompiler:
    """Turns links into edges; what alike links have in common is worked out once.

    Args:
        catalog: where media and accelerators are found.
        layout: the devices as blocks of vertices.
        cut: link id -> cables (from 0) whose way is cut (`model.panels.cut_cables`).
        far: ids of links without a length whose way is too long (`compile.ways.far_links`).
    """

    def __init__(
        self,
        catalog: Catalog,
        layout: Layout,
        cut: Mapping[str, frozenset[int]] | None = None,
        far: frozenset[str] = frozenset(),
    ) -> None:
        self._catalog, self._layout, self._cut, self._far = catalog, layout, cut or {}, far
        self._blocks = layout.block_of.tolist()
        self._profile_of: dict[tuple[int, str], int] = {}
        self._profiles: dict[tuple[PortEnd, ...], int] = {}
        self._ends: list[tuple[PortEnd, ...]] = []
        self._shapes: dict[object, int] = {}
        self._segments: list[tuple[Segment, ...]] = []
        self._delays: list[float] = []

    def edges(self, links: Iterable[Link], kinds: Bytes8, delays: Floats) -> LinkEdges:
        """Edges of the links that are in the compute path, in the order given.

        Args:
            links: the links.
            kinds: VertexKind of every vertex of the fabric.
            delays: port-to-port delay of every vertex, added to the edge that enters it.
        """
        row = self._layout.row
        ids: list[str] = []
        row_a: list[int] = []
        row_b: list[int] = []
        shapes: list[int] = []
        distant: list[bool] = []
        for link in links:
            a, b = row[link.a.device], row[link.b.device]
            shape = self._shape(link, a, b)
            if shape < 0:
                continue
            ids.append(link.id)
            row_a.append(a)
            row_b.append(b)
            shapes.append(shape)
            distant.append(link.km is not None)
        return self._assemble(
            tuple(ids), np.array(row_a, np.int32), np.array(row_b, np.int32),
            np.array(shapes, np.int32), np.array(distant, bool), kinds, delays,
        )  # fmt: skip

    def _shape(self, link: Link, a: int, b: int) -> int:
        """Number of the link's shape; -1 if it is in another network than compute."""
        racks = self._layout.places.rack
        known = racks[a] != "" != racks[b]
        same_rack = known and racks[a] == racks[b]
        stranded = known and not same_rack and self._stays_in_rack(link, a, b)
        key = (
            self._profile(a, link.a), self._profile(b, link.b), link.gbps, link.failed,
            link.medium, link.length_m, link.km, same_rack, stranded,
            self._cut.get(link.id, _NONE), link.id in self._far,
        )  # fmt: skip
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = self._new_shape(link, key[0], key[1], same_rack, stranded)
        return shape

    def _stays_in_rack(self, link: Link, a: int, b: int) -> bool:
        """Whether scale-up cables of this link cannot leave a rack: NVLink, or copper untold."""
        if not link.medium:
            return True
        names = {self._layout.blocks[self._blocks[row]].accelerator for row in (a, b)}
        chips = (self._catalog.accelerators.get(name) for name in names)
        return any(chip is not None and chip.scaleup.startswith("NVLink") for chip in chips)

    def _profile(self, row: int, end: Ports) -> int:
        """Number of the run of port ends behind a range of ports of a device's block."""
        key = (self._blocks[row], end.ports)
        profile = self._profile_of.get(key)
        if profile is None:
            block = self._layout.blocks[key[0]]
            ends = tuple(block.ports.get(name, block.other) for name in expand(end.ports))
            profile = self._profiles.setdefault(ends, len(self._ends))
            if profile == len(self._ends):
                self._ends.append(ends)
            self._profile_of[key] = profile
        return profile

    def _new_shape(self, link: Link, a: int, b: int, same_rack: bool, stranded: bool) -> int:
        medium = self._catalog.media.get(link.medium)
        stated = [r for r in (link.gbps, medium.gbps if medium else None) if r is not None]
        rate = bytes_per_s(min(stated)) if stated else math.nan
        cut = self._cut.get(link.id, _NONE)
        segments = _segments(self._ends[a], self._ends[b], rate, link.failed, cut)
        if not segments:
            return -1
        beyond = link.id in self._far or beyond_reach(medium, link.length_m, same_rack)
        segments = tuple(
            Segment(s.a, s.b, s.cables, 0, 0.0, s.scale_up)
            if beyond or (stranded and s.scale_up)
            else s
            for s in segments
        )
        self._segments.append(segments)
        self._delays.append(propagation_s(medium, link.length_m, link.km))
        return len(self._segments) - 1

    def _assemble(
        self, ids: tuple[str, ...], row_a: Ints, row_b: Ints, shapes: Ints, distant: Bytes8,
        kinds: Bytes8, delays: Floats,
    ) -> LinkEdges:  # fmt: skip
        count = np.array([len(segments) for segments in self._segments], np.int64)
        first = np.concatenate([[0], np.cumsum(count)])
        flat = [segment for segments in self._segments for segment in segments]
        times = count[shapes] if len(shapes) else np.zeros(0, np.int64)
        link = np.repeat(np.arange(len(ids), dtype=np.int32), times)
        starts = np.cumsum(times) - times
        pick = first[shapes][link] + np.arange(len(link)) - starts[link]
        layout = self._layout
        a, b = row_a[link], row_b[link]
        src = layout.base[a] + _column([s.a for s in flat], np.int32)[pick]
        dst = layout.base[b] + _column([s.b for s in flat], np.int32)[pick]
        capacity = _column([s.capacity for s in flat], np.float64)[pick]
        working = _column([s.working for s in flat], np.int32)[pick]
        failed = layout.failed[a] | layout.failed[b]
        capacity[failed], working[failed] = 0.0, 0
        scale_up = _column([s.scale_up for s in flat], np.uint8)[pick]
        apart = distant[link] | (layout.site[a] != layout.site[b])
        delay = _column(self._delays, np.float64)[shapes][link]
        return LinkEdges(
            src=src.astype(np.int32),
            dst=dst.astype(np.int32),
            capacity=capacity,
            latency=np.concatenate([delay + delays[dst], delay + delays[src]]),
            tier=edge_tiers(kinds[src], kinds[dst], scale_up, apart.astype(np.uint8)),
            cables=_column([s.cables for s in flat], np.int32)[pick],
            working=working,
            link=link,
            ids=ids,
        )


def _column(values: list[float] | list[int] | list[bool], kind: type) -> np.ndarray:
    return np.array(values, kind)


def _segments(
    ends_a: tuple[PortEnd, ...],
    ends_b: tuple[PortEnd, ...],
    rate: float,
    failed: int,
    cut: frozenset[int] = _NONE,
) -> tuple[Segment, ...]:
    """Cables of a link grouped by the vertices they join; those of other networks left out."""
    whole = len(ends_a) - failed
    cables: dict[tuple[int, int, bool], int] = {}
    working: dict[tuple[int, int, bool], int] = {}
    capacity: dict[tuple[int, int, bool], float] = {}
    for index, (a, b) in enumerate(zip(ends_a, ends_b, strict=False)):
        if OUTSIDE in (a.side, b.side):
            continue
        key = (a.vertex, b.vertex, SCALE_UP in (a.side, b.side))
        cables[key] = cables.get(key, 0) + 1
        carried = cable_rate(a, b, rate) if index < whole and index not in cut else 0.0
        working[key] = working.get(key, 0) + (carried != 0)
        capacity[key] = capacity.get(key, 0.0) + carried
    return tuple(
        Segment(key[0], key[1], n, working[key], capacity[key], key[2]) for key, n in cables.items()
    )


def cable_rate(a: PortEnd, b: PortEnd, rate: float) -> float:
    """Bytes/s per direction of one cable between two ports; 0 if the ends do not fit."""
    if {a.side, b.side} == {0, SCALE_UP}:
        return 0.0
    known = [value for value in (a.rate, b.rate, rate) if not math.isnan(value)]
    return min(known, default=math.nan)
