"""Switches of every tier, patch panels and devices of unknown role: ports face their links."""

from __future__ import annotations

from topoedit.render.ink import Ink
from topoedit.render.kinds.common import (
    draw_body,
    draw_chip,
    draw_foot,
    draw_port_field,
    draw_ports,
    draw_title,
    text_px,
)
from topoedit.render.looks import DeviceLook

_MOST_CHIPS = 8
_FIELD_HEIGHT = 84.0  # from so many pixels of height on there is room for all ports


class SwitchPainter:
    """Leaf, spine, core, NVSwitch tray, panel, generic switch."""

    kinds = ("leaf", "spine", "core", "switch", "nvswitch", "panel")

    def near(self, ink: Ink, look: DeviceLook) -> None:
        """Name and load, ports on the edge; the port field once there is room."""
        draw_body(ink, look)
        if look.h >= _FIELD_HEIGHT:
            foot = min(48.0 * max(look.k / 1.9, 1), look.h * 0.55)
            room = look.h - foot - 12
            chips = int(look.type.extra_figures.get("chips") or 0) if look.kind == "nvswitch" else 0
            if chips:
                _draw_chips(ink, look, room, min(chips, _MOST_CHIPS))
            else:
                draw_port_field(ink, look, look.x + 8, look.y + 6, look.w - 16, room)
            draw_foot(ink, look, foot)
        else:
            block = text_px(11, look.k) + 5 + text_px(10, look.k, 12) + 4
            draw_title(ink, look, look.y + (look.h - block) / 2, look.subtitles)
        draw_ports(ink, look)

    def inside(self, ink: Ink, look: DeviceLook) -> None:
        """The port field at its largest."""
        self.near(ink, look)


def _draw_chips(ink: Ink, look: DeviceLook, room: float, count: int) -> None:
    """The switch chips of a tray."""
    pitch = (look.w - 24) / count
    for index in range(count):
        x = look.x + 12 + pitch * index + pitch * 0.06
        height = min(room - 6, 30 * look.k)
        y = look.y + 6 + (room - height) / 2
        draw_chip(ink, round(x), round(y), round(pitch * 0.88), round(height), ("switch",))


PAINTER = SwitchPainter()
