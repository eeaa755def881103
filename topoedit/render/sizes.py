"""How large each kind of device is drawn, in canvas units (pixels at 100 % zoom)."""

from __future__ import annotations

from functools import lru_cache

from topoedit.catalog.types import DeviceType, Kind
from topoedit.render.theme import number

REFERENCE_WIDTH = 108.0
"""The width that decides the level of detail: that of a server and of a leaf."""
RACK_SCALE_GPUS = 18
"""From so many GPUs on, a device is drawn as a rack of trays."""

ICONS: dict[Kind, str] = {
    "server": "gpu-server",
    "nvswitch": "nvswitch",
    "leaf": "leaf-switch",
    "spine": "spine-switch",
    "core": "core-switch",
    "switch": "leaf-switch",
    "router": "router",
    "ocs": "ocs",
    "storage": "storage",
    "management": "management",
    "panel": "panel-bottom",
}


def is_rack_scale(device_type: DeviceType) -> bool:
    """Whether one drawn device stands for a rack of trays."""
    return (device_type.trays or 0) > 1 or (device_type.gpus or 0) >= RACK_SCALE_GPUS


def icon_of(kind: Kind, device_type: DeviceType) -> str:
    """The icon of a device."""
    if kind == "server":
        inside = device_type.inside
        if inside is not None and inside.scaleup.kind == "torus":
            return "tpu-cube"
        if is_rack_scale(device_type):
            return "rack"
        return "compute-tray" if (device_type.gpus or 0) == 4 else "gpu-server"
    if kind == "router" and any(group.role == "wan" for group in device_type.ports):
        return "wan-edge"
    return ICONS[kind]


@lru_cache(maxsize=1)
def _glyphs() -> dict[str, tuple[float, float]]:
    server = (number("glyph.server.w"), number("glyph.server.h"))
    narrow = (number("glyph.switch.w"), number("glyph.switch.h"))
    wide = (number("glyph.switch_wide.w"), number("glyph.switch_wide.h"))
    rack = (server[0], number("glyph.rack_collapsed.h") + 16)
    return {"server": server, "rack": rack, "spine": wide, "core": wide, "narrow": narrow}


def size_of(kind: Kind, device_type: DeviceType) -> tuple[float, float]:
    """Width and height of a device in canvas units."""
    glyphs = _glyphs()
    if kind == "server":
        return glyphs["rack" if is_rack_scale(device_type) else "server"]
    return glyphs.get(kind, glyphs["narrow"])
