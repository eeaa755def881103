"""`patch_fabric`: the arrays after a small edit without compiling the whole drawing again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from topoedit.engine.compile.compiler import (
    compile_fabric,
    inner_ids,
    is_scale_up_edge,
    rank_arrays,
)
from topoedit.engine.compile.layout import in_compute_path, make_layout
from topoedit.engine.compile.links import LinkCompiler, LinkEdges
from topoedit.engine.compile.notes import compile_notes
from topoedit.engine.compile.ways import far_links, has_no_length
from topoedit.engine.types import Fabric, Ints
from topoedit.model.document import Document
from topoedit.model.edits import Change, Edit
from topoedit.model.elements import AnyElement, CustomType, Device, Group, Link, Settings, Trunk
from topoedit.model.panels import cut_cables
from topoedit.model.topology import GROUP_PLACE, SETTINGS_PLACE

Number = TypeVar("Number", bound=np.generic)

_LEAVES = chr(0x10FFFF)
"""Stands for a row that leaves; after every id in order."""
_MOST_LINKS = 4096
"""Above this many links to work out again a whole compilation is about as quick."""


@dataclass(frozen=True)
class _Touched:
    """What an edit changed, as far as the arrays care.

    Attributes:
        links: ids of links to work out anew, present or gone.
        renamed: a device has another name.
        moved: a device or group changed in a way that may change the rank order.
    """

    links: frozenset[str]
    renamed: bool
    moved: bool


def patch_fabric(fabric: Fabric, document: Document, change: Change) -> Fabric:
    """The fabric of `document` after `change`, equal to what `compile_fabric` would give.

    Links added, removed or changed and devices renamed or moved between groups are patched;
    anything that changes vertices, scale-up domains or types compiles the drawing anew.

    Args:
        fabric: the fabric of the revision before.
        document: the drawing after the change.
        change: the change.
    """
    if fabric.name != document.settings.name:
        fabric = replace(fabric, name=document.settings.name)
    if not change.topology and fabric.revision == document.topology_revision:
        return fabric
    touched = _touched(document, change)
    if touched is None or fabric.revision + 1 != document.topology_revision:
        return compile_fabric(document)
    present = sorted(
        (document.links[i] for i in touched.links if i in document.links), key=lambda link: link.id
    )
    kept = [link for link in present if in_compute_path(link)]
    edges = _new_edges(fabric, document, kept)
    gone = _rows(fabric, touched.links)
    old = _edges_of(fabric, gone)
    if _scale_up_involved(fabric, old, edges):
        return compile_fabric(document)
    if _same_ends(fabric, old, gone, edges):
        fabric = _updated(fabric, old, edges)
    else:
        fabric = _spliced(fabric, old, gone, edges)
    notes = _notes(fabric, document)
    fabric = replace(fabric, revision=document.topology_revision, notes=notes)
    return _ranked(fabric, document, touched) if touched.moved else fabric


def _touched(document: Document, change: Change) -> _Touched | None:
    """What changed; None if it is more than can be patched."""
    if not isinstance(change.edit, Edit) or not isinstance(change.inverse, Edit):
        return None
    old = {element.id: element for element in change.inverse.put}
    new = {element.id: element for element in change.edit.put}
    links: set[str] = set()
    renamed = moved = placed = False
    for element_id in (*change.added, *change.changed, *change.removed):
        before, after = old.get(element_id), new.get(element_id)
        if isinstance(before or after, Link):
            links.add(element_id)
        elif not _same_vertices(before, after):
            return None
        elif isinstance(before, Device) and isinstance(after, Device):
            links.update(document.links_of(element_id))
            renamed |= before.name != after.name
            moved = True
        moved |= isinstance(before or after, Group)
        placed |= _place_differs(before, after)
    if placed:
        links.update(link.id for link in document.links.values() if has_no_length(link))
    if len(links) > _MOST_LINKS or _on_open_server(document, old, links):
        return None
    return _Touched(frozenset(links), renamed, moved)


def _place_differs(before: AnyElement | None, after: AnyElement | None) -> bool:
    """Whether racks stand elsewhere, or trays run otherwise."""
    either = before or after
    fields: tuple[str, ...]
    if isinstance(either, Group):
        fields = (*GROUP_PLACE, "kind", "parent")
    elif isinstance(either, Settings):
        fields = SETTINGS_PLACE
    else:
        return False
    return any(getattr(before, name, None) != getattr(after, name, None) for name in fields)


def _same_vertices(before: AnyElement | None, after: AnyElement | None) -> bool:
    """Whether a change of an element leaves vertices and grouping as they are.

    A trunk has no vertices, but many links may run in it.
    """
    either = before or after
    if isinstance(either, CustomType | Trunk):
        return False
    if isinstance(before, Group) and isinstance(after, Group):
        return (before.kind, before.parent) == (after.kind, after.parent)
    if not isinstance(either, Device):
        return True
    if not (isinstance(before, Device) and isinstance(after, Device)):
        return False
    fields = ("type", "kind", "network", "ports", "failed")
    return all(getattr(before, name) == getattr(after, name) for name in fields)


def _on_open_server(document: Document, old: dict[str, AnyElement], links: set[str]) -> bool:
    """Whether a link ends at a GPU server whose NICs depend on its links."""
    for link in (*(old.get(i) for i in links), *(document.links.get(i) for i in links)):
        if not isinstance(link, Link):
            continue
        for end in (link.a, link.b):
            device = document.devices.get(end.device)
            if device is None:
                return True
            kind = document.device_type(device)
            if device.kind == "server" and kind.open_ports and kind.gpus:
                return True
    return False


def _new_edges(fabric: Fabric, document: Document, links: list[Link]) -> LinkEdges:
    """Edges of links between devices whose vertices the fabric has already."""
    ends = {end.device for link in links for end in (link.a, link.b)}
    layout = make_layout(document, ends)
    rows = [bisect_left(fabric.device_ids, device.id) for device in layout.devices]
    base = np.searchsorted(fabric.vertex_device, np.array(rows, np.int32)).astype(np.int32)
    delays = np.zeros(len(fabric.vertex_kind))
    for first, index in zip(base.tolist(), layout.block_of.tolist(), strict=True):
        block = layout.blocks[index]
        delays[first : first + block.size] = block.latency
    layout = replace(layout, base=base)
    far = far_links(document, links)
    compiler = LinkCompiler(document.catalog, layout, cut_cables(document), far)
    return compiler.edges(links, fabric.vertex_kind, delays)


def _rows(fabric: Fabric, links: frozenset[str]) -> Ints:
    """Rows of the links that are drawn in the fabric."""
    rows = []
    for link_id in links:
        row = bisect_left(fabric.link_ids, link_id, hi=fabric.drawn_links)
        if row < fabric.drawn_links and fabric.link_ids[row] == link_id:
            rows.append(row)
    return np.array(sorted(rows), np.int32)


def _edges_of(fabric: Fabric, rows: Ints) -> NDArray[np.int64]:
    """Edges of some links in their first direction, by row; that direction is sorted by row."""
    forward = fabric.link[: len(fabric.src) // 2]
    low, high = np.searchsorted(forward, rows, "left"), np.searchsorted(forward, rows, "right")
    return np.concatenate([np.arange(0), *map(np.arange, low.tolist(), high.tolist())])


def _scale_up_involved(fabric: Fabric, old: NDArray[np.int64], edges: LinkEdges) -> bool:
    kinds = fabric.vertex_kind
    before = is_scale_up_edge(kinds, fabric.src[old], fabric.dst[old]).any()
    return bool(before or is_scale_up_edge(kinds, edges.src, edges.dst).any())


def _same_ends(fabric: Fabric, old: NDArray[np.int64], gone: Ints, edges: LinkEdges) -> bool:
    """Whether the links join what they joined before, so that only figures change."""
    return (
        tuple(fabric.link_ids[row] for row in gone.tolist()) == edges.ids
        and np.array_equal(fabric.src[old], edges.src)
        and np.array_equal(fabric.dst[old], edges.dst)
    )


def _updated(fabric: Fabric, old: NDArray[np.int64], edges: LinkEdges) -> Fabric:
    """The fabric with other figures on edges that stay."""
    count, back = len(old), old + len(fabric.src) // 2
    capacity, latency = fabric.capacity.copy(), fabric.latency.copy()
    tier, cables, working = fabric.tier.copy(), fabric.cables.copy(), fabric.working.copy()
    capacity[old] = capacity[back] = edges.capacity
    latency[old], latency[back] = edges.latency[:count], edges.latency[count:]
    tier[old] = tier[back] = edges.tier
    cables[old] = cables[back] = edges.cables
    working[old] = working[back] = edges.working
    return replace(
        fabric, capacity=capacity, latency=latency, tier=tier, cables=cables, working=working
    )


@dataclass(frozen=True, slots=True)
class _Piece:
    """Edges that follow each other in the patched half: old ones that stay, or new ones.

    `shift` is what the rows of old ones grow by.
    """

    low: int
    high: int
    new: bool
    shift: int = 0


def _spliced(fabric: Fabric, old: NDArray[np.int64], gone: Ints, edges: LinkEdges) -> Fabric:
    """The fabric with the rows `gone` and their edges `old` replaced by `edges`."""
    half, count = len(fabric.src) // 2, len(edges.src)
    pieces = _pieces(fabric, old, gone, edges)
    ids, rows = _merged_ids(fabric, gone, edges.ids)

    def spliced(
        column: NDArray[Number], there: NDArray[Number], back: NDArray[Number]
    ) -> NDArray[Number]:
        parts = []
        for base, new in ((0, there), (half, back)):
            for one in pieces:
                source = new if one.new else column[base : base + half]
                parts.append(source[one.low : one.high])
        return np.concatenate(parts)

    link = spliced(fabric.link, rows[edges.link], rows[edges.link])
    _shift(link, pieces)
    return replace(
        fabric,
        src=spliced(fabric.src, edges.src, edges.dst),
        dst=spliced(fabric.dst, edges.dst, edges.src),
        capacity=spliced(fabric.capacity, edges.capacity, edges.capacity),
        latency=spliced(fabric.latency, edges.latency[:count], edges.latency[count:]),
        tier=spliced(fabric.tier, edges.tier, edges.tier),
        cables=spliced(fabric.cables, edges.cables, edges.cables),
        working=spliced(fabric.working, edges.working, edges.working),
        link=link,
        link_ids=ids,
        drawn_links=fabric.drawn_links - len(gone) + len(edges.ids),
    )


def _pieces(fabric: Fabric, old: NDArray[np.int64], gone: Ints, edges: LinkEdges) -> list[_Piece]:
    """The new half as pieces of the old one and of `edges`, in order."""
    half = len(fabric.src) // 2
    forward = fabric.link[:half]
    before = [bisect_left(fabric.link_ids, name, hi=fabric.drawn_links) for name in edges.ids]
    at = np.searchsorted(forward, np.array(before, forward.dtype), "left")
    first = np.searchsorted(edges.link, np.arange(len(edges.ids) + 1))
    # (position among the old edges, new link or -1 for a gone row)
    events = [(int(p), k) for k, p in enumerate(at.tolist())]
    events += [(int(p), -1) for p in np.searchsorted(forward, gone, "left").tolist()]
    length = np.searchsorted(forward, gone, "right") - np.searchsorted(forward, gone, "left")
    width = dict(zip((p for p, k in events if k < 0), length.tolist(), strict=True))
    pieces: list[_Piece] = []
    here = shift = 0
    for position, k in sorted(events, key=lambda event: (event[0], event[1] < 0, event[1])):
        if position > here:
            pieces.append(_Piece(here, position, new=False, shift=shift))
            here = position
        if k < 0:
            here, shift = position + width[position], shift - 1
        else:
            pieces.append(_Piece(int(first[k]), int(first[k + 1]), new=True))
            shift += 1
    pieces.append(_Piece(here, half, new=False, shift=shift))
    return pieces


def _shift(link: Ints, pieces: list[_Piece]) -> None:
    """Renumber the rows of old edges in both halves."""
    at = 0
    for one in (*pieces, *pieces):
        end = at + one.high - one.low
        if one.shift:
            link[at:end] += one.shift
        at = end


def _merged_ids(fabric: Fabric, gone: Ints, new: tuple[str, ...]) -> tuple[tuple[str, ...], Ints]:
    """All ids with some rows gone and new ones among them, and the rows of the new ones."""
    old = fabric.link_ids
    events = [(bisect_left(old, name, hi=fabric.drawn_links), name) for name in new]
    # a row that leaves has no name, and comes after what is put before it
    events += [(row, _LEAVES) for row in gone.tolist()]
    events.sort()
    left = np.searchsorted(gone, [row for row, name in events if name != _LEAVES])
    rows = [row for row, name in events if name != _LEAVES] + np.arange(len(new)) - left
    return tuple(chain.from_iterable(_runs(old, events))), np.asarray(rows, np.int32)


def _runs(old: tuple[str, ...], events: list[tuple[int, str]]) -> Iterator[Iterable[str]]:
    """Stretches of the merged ids: one walk over the old ones, for every id looked at costs."""
    rest, here = iter(old), 0
    for row, name in events:
        yield islice(rest, row - here)
        here = row
        if name == _LEAVES:
            next(rest)
            here += 1
        else:
            yield (name,)
    yield rest


def _notes(fabric: Fabric, document: Document) -> tuple[str, ...]:
    # rows rise along the first half, drawn links first
    forward = fabric.link[: len(fabric.src) // 2]
    drawn = np.searchsorted(forward, forward.dtype.type(fabric.drawn_links))
    capacity, link = fabric.capacity[:drawn], fabric.link[:drawn]
    dead = [fabric.link_ids[row] for row in np.unique(link[capacity == 0]).tolist()]
    unknown = len(np.unique(link[np.isnan(capacity)]))
    return compile_notes(document, dead, unknown)


def _ranked(fabric: Fabric, document: Document, touched: _Touched) -> Fabric:
    """The fabric with names and rank order worked out again."""
    layout = make_layout(document)
    if touched.renamed:
        drawn = fabric.link_ids[: fabric.drawn_links]
        fabric = replace(fabric, link_ids=drawn + inner_ids(layout))
    half = len(fabric.src) // 2
    ranks = rank_arrays(
        layout, fabric.vertex_kind, fabric.src[:half], fabric.dst[:half], fabric.capacity[:half]
    )
    return replace(
        fabric,
        device_names=tuple(device.name for device in layout.devices),
        gpus=ranks.gpus,
        gpu_domain=ranks.domain,
        gpu_server=ranks.server,
        gpu_site=ranks.site,
        accelerators=ranks.accelerators,
        multicast=ranks.multicast,
    )
