"""Icon, section and short figure of a device type, as the palette, tree and search show them."""

from __future__ import annotations

from collections.abc import Mapping

from topoedit.catalog.types import DeviceType, Entry, Kind
from topoedit.model.elements import AnyElement, Device, Group, Link, Note
from topoedit.render.sizes import ICONS, icon_of
from topoedit.units import format_number

SECTIONS: dict[Kind, str] = {
    "server": "Compute", "nvswitch": "Scale-up", "ocs": "Scale-up", "leaf": "Fabric",
    "spine": "Fabric", "core": "Fabric", "switch": "Fabric", "router": "Fabric",
    "storage": "Other", "management": "Other", "panel": "Other",
}  # fmt: skip

KIND_WORDS: dict[Kind, str] = {
    "server": "Server", "nvswitch": "NVSwitch", "ocs": "Optical circuit switch",
    "leaf": "Leaf switch", "spine": "Spine switch", "core": "Core switch", "switch": "Switch",
    "router": "Router", "storage": "Storage", "management": "Management", "panel": "Patch panel",
}  # fmt: skip

NAME_STEMS: dict[Kind, str] = {
    "server": "node", "nvswitch": "nvswitch", "ocs": "ocs", "leaf": "leaf", "spine": "spine",
    "core": "core", "switch": "switch", "router": "router", "storage": "storage",
    "management": "mgmt", "panel": "panel",
}  # fmt: skip

_CHIP_VENDORS = ("Google", "AWS")
"""Makers whose accelerators are called chips: TPU and Trainium."""


def name_in(entries: Mapping[str, Entry], entry_id: str) -> str:
    """The name of an entry of the catalogue; its id if it has gone."""
    entry = entries.get(entry_id)
    return entry.name if entry is not None else entry_id


def type_icon(kind: DeviceType) -> str:
    """Name of the icon of a device type."""
    if "tpu" in kind.id and kind.kind == "server":
        return "tpu-cube"
    return icon_of(kind.kind, kind)


def kind_icon(kind: Kind) -> str:
    """Name of the icon of a kind of device."""
    return ICONS[kind]


def element_icon(element: AnyElement) -> str:
    """Name of the icon of an element of a drawing."""
    if isinstance(element, Device):
        return ICONS[element.kind]
    if isinstance(element, Group):
        return element.kind
    if isinstance(element, Link):
        return "link"
    return "note" if isinstance(element, Note) else "generic"


def type_figure(kind: DeviceType) -> str:
    """The one figure that tells types apart: GPUs, ports and rate, or capacity."""
    if kind.kind == "server":
        gpus = kind.gpus
        if gpus == 0:
            return "no GPU"
        unit = "chips" if kind.vendor in _CHIP_VENDORS else "GPU"
        return f"– {unit}" if gpus is None else f"{format_number(gpus)} {unit}"
    if kind.kind == "nvswitch" and kind.tbps_dir:
        return f"{kind.tbps_dir:g} TB/s"
    known = [group for group in kind.ports if group.gbps]
    if not known:
        return ""
    largest = max(known, key=lambda group: group.count * (group.gbps or 0))
    ports = sum(group.count for group in known if group.gbps == largest.gbps)
    return f"{ports} × {rate_word(largest.gbps or 0)}"


def rate_word(gbps: float) -> str:
    """A port rate as people write it on a switch: 400G, 1.6T."""
    return f"{gbps / 1000:g}T" if gbps >= 1000 else f"{gbps:g}G"
