"""`patch_fabric`: the arrays after a small edit without compiling the whole drawing again."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from topoedit.engine.compile.compiler import (
    compile_fabric,
    inner_ids,
    is_scale_up_edge,
    rank_arrays,
)
from topoedit.engine.compile.layout import Layout, in_compute_path, make_layout
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
    layout = make_layout(document)
    delays = layout.vertex_arrays()[3]
    present = sorted(
        (document.links[i] for i in touched.links if i in document.links), key=lambda link: link.id
    )
    kept = [link for link in present if in_compute_path(link)]
    compiler = LinkCompiler(document.catalog, layout)
    edges = compiler.edges(kept, fabric.vertex_kind, delays)
    gone = _rows(fabric, touched.links)
    if _scale_up_involved(fabric, gone, edges):
        return compile_fabric(document)
    return _spliced(fabric, document, layout, touched, gone, edges)


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


def _rows(fabric: Fabric, links: frozenset[str]) -> Ints:
    """Rows of the links that are drawn in the fabric."""
    rows = []
    for link_id in links:
        row = bisect_left(fabric.link_ids, link_id, hi=fabric.drawn_links)
        if row < fabric.drawn_links and fabric.link_ids[row] == link_id:
            rows.append(row)
    return np.array(sorted(rows), np.int32)


def _scale_up_involved(fabric: Fabric, gone: Ints, edges: LinkEdges) -> bool:
    kinds, old = fabric.vertex_kind, np.isin(fabric.link, gone)
    before = is_scale_up_edge(kinds, fabric.src[old], fabric.dst[old]).any()
    return bool(before or is_scale_up_edge(kinds, edges.src, edges.dst).any())


def _spliced(
    fabric: Fabric, document: Document, layout: Layout, touched: _Touched, gone: Ints,
    edges: LinkEdges,
) -> Fabric:  # fmt: skip
    """The fabric with the rows `gone` replaced by `edges`."""
    old_ids = fabric.link_ids[: fabric.drawn_links]
    stays = np.ones(fabric.drawn_links, bool)
    stays[gone] = False
    ids, old_row, new_row = _merge_rows(old_ids, stays, edges.ids)
    half, count = len(fabric.src) // 2, len(edges.src)
    drawn = fabric.link[:half] < fabric.drawn_links
    keep = drawn & stays[np.minimum(fabric.link[:half], max(fabric.drawn_links - 1, 0))]
    place = np.concatenate([old_row[fabric.link[:half][keep]], new_row[edges.link]])
    order = np.argsort(place, kind="stable")
    inner = ~drawn

    def spliced(old: NDArray[Number], new: NDArray[Number]) -> NDArray[Number]:
        return np.concatenate([np.concatenate([old[keep], new])[order], old[inner]])

    src, dst = spliced(fabric.src[:half], edges.src), spliced(fabric.dst[:half], edges.dst)
    capacity = spliced(fabric.capacity[:half], edges.capacity)
    latency = [
        spliced(fabric.latency[:half], edges.latency[:count]),
        spliced(fabric.latency[half:], edges.latency[count:]),
    ]
    rows = fabric.link[:half][inner] - fabric.drawn_links + len(ids)
    link = np.concatenate([place[order], rows]).astype(np.int32)
    inner_names = fabric.link_ids[fabric.drawn_links :]
    result = replace(
        fabric,
        revision=document.topology_revision,
        src=np.concatenate([src, dst]),
        dst=np.concatenate([dst, src]),
        capacity=np.tile(capacity, 2),
        latency=np.concatenate(latency),
        tier=np.tile(spliced(fabric.tier[:half], edges.tier), 2),
        cables=np.tile(spliced(fabric.cables[:half], edges.cables), 2),
        link=np.tile(link, 2),
        link_ids=ids + (inner_ids(layout) if touched.renamed else inner_names),
        drawn_links=len(ids),
    )
    result = replace(result, notes=_notes(result, document, layout))
    return _ranked(result, layout) if touched.moved else result


def _merge_rows(
    old: tuple[str, ...], stays: Bools, new: tuple[str, ...]
) -> tuple[tuple[str, ...], Ints, Ints]:
    """Merge sorted ids: all ids, and the new rows of the old ones that stay and of the new."""
    removed = np.flatnonzero(~stays)
    at = np.array([bisect_left(old, link_id) for link_id in new], np.int64)
    position = at - np.searchsorted(removed, at) + np.arange(len(new))
    rows = np.cumsum(stays) - 1
    old_row = rows + np.searchsorted(at, np.arange(len(old)), side="right")
    parts: list[str] = []
    cursor = 0
    for cut, link_id in sorted([*zip(at.tolist(), new, strict=True)]):
        parts.extend(_stretch(old, removed, cursor, cut))
        parts.append(link_id)
        cursor = cut
    parts.extend(_stretch(old, removed, cursor, len(old)))
    return tuple(parts), old_row.astype(np.int32), position.astype(np.int32)


def _stretch(old: tuple[str, ...], removed: NDArray[np.int64], low: int, high: int) -> list[str]:
    """Old ids in rows low..high-1 without the removed ones."""
    part = list(old[low:high])
    first, last = np.searchsorted(removed, [low, high])
    for row in removed[first:last][::-1].tolist():
        del part[row - low]
    return part


def _notes(fabric: Fabric, document: Document, layout: Layout) -> tuple[str, ...]:
    half = len(fabric.src) // 2
    drawn = fabric.link[:half] < fabric.drawn_links
    capacity, link = fabric.capacity[:half][drawn], fabric.link[:half][drawn]
    dead = [fabric.link_ids[row] for row in np.unique(link[capacity == 0]).tolist()]
    unknown = len(np.unique(link[np.isnan(capacity)]))
    return compile_notes(document, layout, dead, unknown)


def _ranked(fabric: Fabric, layout: Layout) -> Fabric:
    """The fabric with names and rank order worked out again."""
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
