"""What a drawing holds: the counts, tiers and ratios of `topoedit info`."""

from __future__ import annotations

from collections import Counter

import msgspec

from topoedit.app.open import Opened
from topoedit.engine.compile import compile_fabric
from topoedit.engine.compile.summary import Boundary, TierSummary, boundaries, tier_summary
from topoedit.model.document import Document


class Info(msgspec.Struct, frozen=True):
    """The keys of `topoedit info --json`.

    Attributes:
        devices: kind -> number of devices.
        gpus: None if the type of a host, and so its number of GPUs, is unknown.
        links, cables: drawn ones of all networks.
        inner_links: NVLink, PCIe and the like inside devices.
        sites, groups: number of sites, and of groups of every kind.
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
        tiers=tier_summary(document, fabric),
        boundaries=boundaries(document, fabric),
        warnings=(*opened.warnings, *gpu_warnings, *own_types(document), *fabric.notes),
    )


def own_types(document: Document) -> tuple[str, ...]:
    """One line for each device type in use that is not the built-in one, and where it is from."""
    lines = []
    for type_id in sorted({device.type for device in document.devices.values()}):
        source = document.catalog.overridden.get(f"devices/{type_id}")
        if type_id in document.types:
            lines.append(f'the type "{type_id}" is the one in the drawing')
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
        return None, (f"{text}; {known} GPUs are known, in {servers - unknown} servers",)
    return None, (f"{text}; name their type with --server-type PATTERN=TYPE",)
