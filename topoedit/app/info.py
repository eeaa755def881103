"""What a drawing holds: the counts, tiers and ratios of `topoedit info`."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import msgspec

from topoedit.app.open import Opened
from topoedit.engine.compile import compile_fabric
from topoedit.engine.compile.summary import Boundary, TierSummary, boundaries, tier_summary
from topoedit.errors import BadInputError
from topoedit.model.document import Document
from topoedit.model.elements import Network
from topoedit.templates.hardware import is_split
from topoedit.units import format_number

SWITCHING = ("leaf", "spine", "core", "switch", "router", "ocs")


class NetworkCount(msgspec.Struct, frozen=True):
    """What one network holds: its switches and routers, drawn links and cables."""

    network: str
    switches: int
    links: int
    cables: int


class Info(msgspec.Struct, frozen=True):
    """The keys of `topoedit info --json`.

    Attributes:
        devices: kind -> number of devices.
        gpus: None if the type of a host, and so its number of GPUs, is unknown.
        links, cables: drawn ones of all networks.
        inner_links: NVLink, PCIe and the like inside devices.
        sites, groups: number of sites, and of groups of every kind.
        networks: one row for each network drawn; `tiers` count the compute network alone.
    """

    format: str
    name: str
    devices: dict[str, int]
    gpus: int | None
    links: int
    cables: int
    inner_links: int
    sites: int
    groups: int
    networks: tuple[NetworkCount, ...]
    tiers: tuple[TierSummary, ...]
    boundaries: tuple[Boundary, ...]
    warnings: tuple[str, ...]


def info(opened: Opened) -> Info:
    """Count a drawing and summarise its compute network."""
    document = opened.document
    fabric = compile_fabric(document)
    gpus, gpu_warnings = count_gpus(document)
    kinds = Counter(device.kind for device in document.devices.values())
    group_kinds = Counter(group.kind for group in document.groups.values())
    return Info(
        format=opened.format,
        name=document.settings.name,
        devices=dict(sorted(kinds.items())),
        gpus=gpus,
        links=len(document.links),
        cables=sum(link.count for link in document.links.values()),
        inner_links=len(fabric.link_ids) - fabric.drawn_links,
        sites=group_kinds["site"],
        groups=len(document.groups),
        networks=network_counts(document),
        tiers=tier_summary(document, fabric),
        boundaries=boundaries(document, fabric),
        warnings=(
            *opened.warnings,
            *gpu_warnings,
            *own_types(document),
            *unknown_media(document),
            *fabric.notes,
        ),
    )


def network_counts(document: Document) -> tuple[NetworkCount, ...]:
    """Switches, links and cables of each network that is drawn, compute first."""
    switches = Counter(d.network for d in document.devices.values() if d.kind in SWITCHING)
    links = Counter(link.network for link in document.links.values())
    cables: Counter[str] = Counter()
    for link in document.links.values():
        cables[link.network] += link.count
    drawn = [name for name in get_args(Network) if switches[name] or links[name]]
    return tuple(NetworkCount(n, switches[n], links[n], cables[n]) for n in drawn)


def unknown_media(document: Document) -> tuple[str, ...]:
    """One line for each medium in use that the catalogue lacks, whose reach nothing checks."""
    lines = []
    for name in sorted({link.medium for link in document.links.values() if link.medium}):
        try:
            document.catalog.medium(name)
        except BadInputError:
            lines.append(f'the medium "{name}" is not in the catalogue: its reach is unknown')
    return tuple(lines)


def own_types(document: Document) -> tuple[str, ...]:
    """One line for each device type in use that is not the built-in one, and where it is from.

    A type of the catalogue with its ports split by a template is no news.
    """
    lines = []
    for type_id in sorted({device.type for device in document.devices.values()}):
        source = document.catalog.overridden.get(f"devices/{type_id}")
        if type_id in document.types:
            if is_split(document.catalog, document.types[type_id].type):
                continue
            lacking = "" if type_id in document.catalog.devices else "; the catalogue has none"
            lines.append(f'the type "{type_id}" is the one in the drawing{lacking}')
        elif source is not None:
            lines.append(f'the type "{type_id}" is the one in {source}')
    return tuple(lines)


def count_gpus(document: Document) -> tuple[int | None, tuple[str, ...]]:
    """The number of GPUs, None if some host's is unknown, with what is known as a warning."""
    known = servers = unknown = 0
    for device in document.devices.values():
        if device.kind != "server":
            continue
        servers += 1
        gpus = document.device_type(device).gpus
        unknown += gpus is None
        known += gpus or 0
    if not unknown:
        return known, ()
    text = f"the type of {unknown} of {servers} servers is unknown, and so is the number of GPUs"
    if known:
        return None, (
            f"{text}; {format_number(known)} GPUs are known, in {servers - unknown} servers",
        )
    return None, (f"{text}; name their type with --server-type PATTERN=TYPE",)
