"""`patch_fabric`: the arrays after a small edit without compiling the whole drawing again."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import compress
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
from topoedit.engine.types import Bools, Fabric, Ints
from topoedit.model.document import Document
from topoedit.model.edits import Change, Edit
from topoedit.model.elements import AnyElement, CustomType, Device, Group, Link

Number = TypeVar("Number", bound=np.generic)

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
    renamed = moved = False
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
    if len(links) > _MOST_LINKS or _on_open_server(document, old, links):
        return None
    return _Touched(frozenset(links), renamed, moved)


def _same_vertices(before: AnyElement | None, after: AnyElement | None) -> bool:
    """Whether a change of an element leaves vertices and grouping as they are."""
    either = before or after
    if isinstance(either, CustomType):
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
    return LinkCompiler(document.catalog, layout).edges(links, fabric.vertex_kind, delays)


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


def _spliced(fabric: Fabric, old: NDArray[np.int64], gone: Ints, edges: LinkEdges) -> Fabric:
    """The fabric with the rows `gone` and their edges `old` replaced by `edges`."""
    stays = np.ones(fabric.drawn_links, bool)
    stays[gone] = False
    ids, old_row, new_row = _merge_rows(fabric.link_ids[: fabric.drawn_links], stays, edges.ids)
    half, count = len(fabric.src) // 2, len(edges.src)
    inner = np.arange(len(fabric.link_ids) - fabric.drawn_links, dtype=np.int32) + len(ids)
    kept = np.concatenate([old_row, inner])[np.delete(fabric.link[:half], old)]
    rows = new_row[edges.link]
    at = np.searchsorted(kept, rows)

    def spliced(column: NDArray[Number], new: NDArray[Number]) -> NDArray[Number]:
        return np.insert(np.delete(column, old), at, new)

    src, dst = spliced(fabric.src[:half], edges.src), spliced(fabric.dst[:half], edges.dst)
    latency = [
        spliced(fabric.latency[:half], edges.latency[:count]),
        spliced(fabric.latency[half:], edges.latency[count:]),
    ]
    return replace(
        fabric,
        src=np.concatenate([src, dst]),
        dst=np.concatenate([dst, src]),
        capacity=np.tile(spliced(fabric.capacity[:half], edges.capacity), 2),
        latency=np.concatenate(latency),
        tier=np.tile(spliced(fabric.tier[:half], edges.tier), 2),
        cables=np.tile(spliced(fabric.cables[:half], edges.cables), 2),
        working=np.tile(spliced(fabric.working[:half], edges.working), 2),
        link=np.tile(np.insert(kept, at, rows), 2),
        link_ids=ids + fabric.link_ids[fabric.drawn_links :],
        drawn_links=len(ids),
    )


def _merge_rows(
    old: tuple[str, ...], stays: Bools, new: tuple[str, ...]
) -> tuple[tuple[str, ...], Ints, Ints]:
    """Merge sorted ids: all ids, and the new rows of the old ones that stay and of the new."""
    kept = list(compress(old, stays.tolist()))
    at = np.array([bisect_left(kept, link_id) for link_id in new], np.int64)
    position = at + np.arange(len(new))
    rows = np.cumsum(stays) - 1
    old_row = rows + np.searchsorted(at, rows, side="right")
    for place, link_id in zip(position.tolist(), new, strict=True):
        kept.insert(place, link_id)
    return tuple(kept), old_row.astype(np.int32), position.astype(np.int32)


def _notes(fabric: Fabric, document: Document) -> tuple[str, ...]:
    half = len(fabric.src) // 2
    drawn = fabric.link[:half] < fabric.drawn_links
    capacity, link = fabric.capacity[:half][drawn], fabric.link[:half][drawn]
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
