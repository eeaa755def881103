"""`compile_fabric`: a whole document as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topoedit.engine.compile.domains import components
from topoedit.engine.compile.layout import (
    Layout,
    in_compute_path,
    make_layout,
    rank_rows,
    vertex_is_switch,
)
from topoedit.engine.compile.links import LinkCompiler, LinkEdges
from topoedit.engine.compile.notes import compile_notes
from topoedit.engine.compile.ways import far_links
from topoedit.engine.types import Bools, Bytes8, Fabric, Floats, Ints, VertexKind
from topoedit.model.document import Document
from topoedit.model.elements import Link
from topoedit.model.panels import cut_cables


@dataclass(frozen=True, eq=False)
class InnerEdges:
    """One direction of the inner links of all devices, in row order."""

    src: Ints
    dst: Ints
    capacity: Floats
    tier: Bytes8
    ids: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Ranks:
    """GPUs in rank order with their domain, server, site and accelerator."""

    gpus: Ints
    domain: Ints
    server: Ints
    site: Ints
    accelerators: tuple[str, ...]
    multicast: Bools


def compile_fabric(document: Document) -> Fabric:
    """A document's compute network as arrays.

    Devices are in order of id, so that the same drawing gives the same arrays whatever its
    history; drawn links are in order of id and come before inner links.
    """
    layout = make_layout(document)
    kinds, device, numbers, delays = layout.vertex_arrays()
    links = compute_links(document)
    cut, far = cut_cables(document), far_links(document, links)
    drawn = LinkCompiler(document.catalog, layout, cut, far).edges(links, kinds, delays)
    inner = inner_edges(layout)
    src = np.concatenate([drawn.src, inner.src])
    dst = np.concatenate([drawn.dst, inner.dst])
    capacity = np.concatenate([drawn.capacity, inner.capacity])
    inner_rows = np.arange(len(inner.ids), dtype=np.int32) + len(drawn.ids)
    row = np.concatenate([drawn.link, inner_rows]).astype(np.int32)
    ones = np.ones(len(inner.ids), np.int32)
    cables = np.concatenate([drawn.cables, ones])
    working = np.concatenate([drawn.working, ones])
    tier = np.concatenate([drawn.tier, inner.tier])
    ranks = rank_arrays(layout, kinds, src, dst, capacity)
    network, reduction = network_kind(layout)
    count, half = len(drawn.src), np.zeros(len(inner.src))
    latency = np.concatenate([drawn.latency[:count], half, drawn.latency[count:], half])
    return Fabric(
        name=document.settings.name,
        revision=document.topology_revision,
        vertex_kind=kinds,
        vertex_device=device,
        vertex_local=numbers,
        device_ids=tuple(d.id for d in layout.devices),
        device_names=tuple(d.name for d in layout.devices),
        src=np.concatenate([src, dst]),
        dst=np.concatenate([dst, src]),
        capacity=np.tile(capacity, 2),
        latency=latency,
        tier=np.tile(tier, 2),
        cables=np.tile(cables, 2),
        working=np.tile(working, 2),
        link=np.tile(row, 2),
        link_ids=drawn.ids + inner.ids,
        drawn_links=len(drawn.ids),
        gpus=ranks.gpus,
        gpu_domain=ranks.domain,
        gpu_server=ranks.server,
        gpu_site=ranks.site,
        accelerators=ranks.accelerators,
        multicast=ranks.multicast,
        reduction=reduction,
        network=network,
        unknown_hosts=unknown_hosts(layout),
        notes=compile_notes(document, dead_links(drawn), unknown_rates(drawn)),
    )


def compute_links(document: Document) -> list[Link]:
    """Links that may be in the compute path, by id."""
    links = [link for link in document.links.values() if in_compute_path(link)]
    links.sort(key=lambda link: link.id)
    return links


def dead_links(edges: LinkEdges) -> Sequence[str]:
    """Ids of links with an edge that carries nothing."""
    return [edges.ids[i] for i in np.unique(edges.link[edges.capacity == 0]).tolist()]


def unknown_rates(edges: LinkEdges) -> int:
    """Number of links of unknown rate."""
    return len(np.unique(edges.link[np.isnan(edges.capacity)]))


def inner_edges(layout: Layout) -> InnerEdges:
    """Inner links of all devices: by device row, then in the order of its block."""
    counts = np.array([len(block.src) for block in layout.blocks], np.int64)
    per_row = counts[layout.block_of] if len(counts) else np.zeros(0, np.int64)
    offsets = np.concatenate([[0], np.cumsum(per_row)])
    total = int(offsets[-1])
    src, dst = np.empty(total, np.int32), np.empty(total, np.int32)
    capacity, tier = np.empty(total), np.empty(total, np.uint8)
    for index in np.flatnonzero(counts).tolist():
        block = layout.blocks[index]
        rows = np.flatnonzero(layout.block_of == index)
        at = offsets[rows, None] + np.arange(len(block.src))
        src[at] = layout.base[rows, None] + block.src
        dst[at] = layout.base[rows, None] + block.dst
        capacity[at] = 0.0 if block.failed else block.capacity
        tier[at] = block.tier
    return InnerEdges(src, dst, capacity, tier, inner_ids(layout))


def inner_ids(layout: Layout) -> tuple[str, ...]:
    """Ids of the inner links, in the order of `inner_edges`."""
    names = [block.names for block in layout.blocks]
    blocks = layout.block_of.tolist()
    return tuple(
        device.name + suffix
        for device, index in zip(layout.devices, blocks, strict=True)
        for suffix in names[index]
    )


def rank_arrays(layout: Layout, kinds: Bytes8, src: Ints, dst: Ints, capacity: Floats) -> Ranks:
    """GPUs in rank order; their domains are the connected parts of the scale-up network.

    `src`, `dst` and `capacity` are one direction of every edge.
    """
    rows = np.array(rank_rows(layout), np.int64)
    blocks = layout.block_of[rows]
    sizes = np.array([block.gpus for block in layout.blocks], np.int64)[blocks]
    server = np.repeat(rows, sizes)
    local = np.arange(len(server)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    gpus = (layout.base[server] + local).astype(np.int32)
    scale_up = is_scale_up_edge(kinds, src, dst) & (capacity != 0)
    label = components(len(kinds), src[scale_up], dst[scale_up])[gpus]
    domain = first_seen(label)
    accelerators = [layout.blocks[b].accelerator for b in np.repeat(blocks, sizes).tolist()]
    return Ranks(
        gpus=gpus,
        domain=domain,
        server=server.astype(np.int32),
        site=layout.site[server].astype(np.int32),
        accelerators=tuple(accelerators),
        multicast=_multicast(layout, np.repeat(blocks, sizes), domain),
    )


def is_scale_up_edge(kinds: Bytes8, src: Ints, dst: Ints) -> Bools:
    """Edges of the scale-up networks: those with a scale-up vertex."""
    up = kinds == VertexKind.SCALE_UP
    return np.asarray(up[src] | up[dst])


def first_seen(label: Ints) -> Ints:
    """Renumber labels 0, 1, 2… in order of first appearance."""
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    order = np.empty(len(first), np.int32)
    order[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return order[inverse]


def _multicast(layout: Layout, block: Ints, domain: Ints) -> Bools:
    """Domains all of whose GPUs sit on scale-up switches with in-switch reduction."""
    capable = np.array([b.multicast for b in layout.blocks], bool)
    count = int(domain.max(initial=-1)) + 1
    if not count:
        return np.zeros(0, bool)
    lacking = np.bincount(domain, weights=~capable[block], minlength=count)
    return np.asarray(lacking == 0)


def network_kind(layout: Layout) -> tuple[str, bool]:
    """Technology of the compute network's switches and whether all of them reduce in-network.

    Routers between sites do not count for the technology, but none of them reduces.
    """
    found: set[str] = set()
    reducing: list[bool] = []
    for index in {
        block
        for block, device in zip(layout.block_of.tolist(), layout.devices, strict=True)
        if device.network == "compute"
    }:
        block = layout.blocks[index]
        if not vertex_is_switch(block.kinds)[0]:
            continue
        router = int(block.kinds[0]) == VertexKind.ROUTER
        reducing.append(block.reduction and not router)
        if not router:
            found.add(block.fabric)
    return (found.pop() if len(found) == 1 else ""), bool(reducing) and all(reducing)


def unknown_hosts(layout: Layout) -> int:
    """Servers of the compute network whose GPUs are unknown."""
    unknown = [block.unknown for block in layout.blocks]
    return sum(
        unknown[index] and device.network == "compute"
        for index, device in zip(layout.block_of.tolist(), layout.devices, strict=True)
    )
