"""Which devices, links and groups of a scene are shown, dimmed or hidden."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoedit.model.document import Document
from topoedit.model.elements import Device
from topoedit.model.layers import DIMMED, HIDDEN, SHOWN, Layers
from topoedit.model.operations import devices_inside
from topoedit.render.grouping import Grouping
from topoedit.render.strokes import Strokes
from topoedit.render.tables import Bools, Bytes, DeviceTable, LinkTable


@dataclass(frozen=True, eq=False)
class States:
    """SHOWN, DIMMED or HIDDEN, uint8.

    Attributes:
        device: by device row.
        link: by link row; never shown better than its devices.
    """

    device: Bytes
    link: Bytes


def find_states(
    document: Document,
    devices: DeviceTable,
    links: LinkTable,
    layers: Layers,
    only: Iterable[str] | None = None,
    focus: tuple[str, ...] = (),
) -> States:
    """States by layers, if `only` is given by a selection, and what is far from the focus dim."""
    if focus:
        found = find_states(document, devices, links, layers, only)
        near = states_in_focus(document, devices, links, focus)
        return States(np.maximum(found.device, near.device), np.maximum(found.link, near.link))
    if layers.all_shown:
        found = States(np.zeros(len(devices), np.uint8), np.zeros(len(links), np.uint8))
    else:
        found = states_of(document, devices, links, layers)
    if only is None:
        return found
    chosen = states_of_selection(document, devices, links, only)
    return States(np.maximum(found.device, chosen.device), np.maximum(found.link, chosen.link))


def hide_alike(one: States, other: States) -> bool:
    """Whether two states hide the same devices and links: they differ in what is dimmed only."""
    return np.array_equal(one.device == HIDDEN, other.device == HIDDEN) and np.array_equal(
        one.link == HIDDEN, other.link == HIDDEN
    )


def dim_strokes(strokes: Strokes, states: States) -> Bools:
    """Lines without one link that is fully shown."""
    if not states.link.any():
        return np.zeros(len(strokes), np.bool_)
    lit = strokes.of_link[(strokes.of_link >= 0) & (states.link == SHOWN)]
    dim: Bools = np.bincount(lit, minlength=len(strokes)) == 0
    return dim


def states_of(document: Document, devices: DeviceTable, links: LinkTable, layers: Layers) -> States:
    """States by layers. A switch whose links all serve rails follows the best shown of them."""
    (of_device, kinds), (of_link, sorts) = devices.by_layer(document), links.by_layer(document)
    device = kinds.states(layers)[of_device] if len(devices) else np.zeros(0, np.uint8)
    link = sorts.states(layers)[of_link] if len(links) else np.zeros(0, np.uint8)
    _follow_rails(document, devices, links, device, link)
    if len(link):
        np.maximum(link, device[links.a], out=link)
        np.maximum(link, device[links.b], out=link)
    return States(device, link)


def _follow_rails(
    document: Document, devices: DeviceTable, links: LinkTable, device: Bytes, link: Bytes
) -> None:
    """A leaf of a rail that is dimmed or hidden is so itself."""
    railed = links.rail >= 0
    best = np.full(len(devices), 255, np.uint8)
    for end in (links.a, links.b):
        np.minimum.at(best, end[railed], link[railed])
    rows = np.flatnonzero((best > SHOWN) & (best < 255))
    for row in rows.tolist():
        drawn: Device = document.devices[devices.ids[row]]
        if drawn.kind != "server":
            device[row] = max(device[row], best[row])


def states_of_selection(
    document: Document, devices: DeviceTable, links: LinkTable, ids: Iterable[str]
) -> States:
    """Only some elements: devices, what is in groups, links, and all links between them."""
    wanted = set(ids)
    inside = set(wanted)
    pending = [i for i in wanted if i in document.groups]
    while pending:
        group = pending.pop()
        inside.update(document.members(group))
        pending.extend(document.subgroups(group))
    device = np.array([HIDDEN * (i not in inside) for i in devices.ids], dtype=np.uint8)
    chosen = np.array([i in wanted for i in links.ids], dtype=np.bool_)
    between = (device[links.a] == SHOWN) & (device[links.b] == SHOWN)
    link = np.where(chosen | between, SHOWN, HIDDEN).astype(np.uint8)
    for end in (links.a, links.b):
        device[end[chosen]] = SHOWN
    return States(device, link)


def states_in_focus(
    document: Document, devices: DeviceTable, links: LinkTable, ids: Iterable[str]
) -> States:
    """Elements, what groups hold, their links and the other ends of these; all else is dimmed.

    Ids that are not drawn are skipped; with nothing left to look at, nothing is dimmed.
    """
    chosen = list(ids)
    held = (d.id for i in chosen if i in document.groups for d in devices_inside(document, i))
    rows = [devices.row[i] for i in (*chosen, *held) if i in devices.row]
    lines = [links.row[i] for i in chosen if i in links.row]
    if not rows and not lines:
        return States(np.zeros(len(devices), np.uint8), np.zeros(len(links), np.uint8))
    core = np.zeros(len(devices), np.bool_)
    core[rows] = True
    lit = core[links.a] | core[links.b]
    lit[lines] = True
    core[links.a[lit]] = core[links.b[lit]] = True
    return States(np.where(core, SHOWN, DIMMED).astype(np.uint8),
                  np.where(lit, SHOWN, DIMMED).astype(np.uint8))  # fmt: skip


def empty_groups(
    grouping: Grouping, device: Bytes, only: Iterable[str] | None = None
) -> NDArray[np.bool_]:
    """Groups that have members, all of them hidden; with `only`, also those not chosen."""
    count = len(grouping.groups)
    if only is None and not (device == HIDDEN).any():
        return np.zeros(count, np.bool_)
    members, shown = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for index in reversed(range(count)):
        group = grouping.groups[index]
        members[index] += len(group.devices)
        shown[index] += int((device[group.devices] != HIDDEN).sum()) if group.devices else 0
        if group.parent >= 0:
            members[group.parent] += members[index]
            shown[group.parent] += shown[index]
    empty: NDArray[np.bool_] = (members > 0) & (shown == 0)
    if only is not None:
        chosen = set(only)
        kept = np.zeros(count, np.bool_)
        for index, group in enumerate(grouping.groups):
            kept[index] = group.id in chosen or (group.parent >= 0 and bool(kept[group.parent]))
        empty |= ~kept
    return empty
