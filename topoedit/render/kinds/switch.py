"""Switches of every tier, patch panels and devices of unknown role: ports face their links."""

from __future__ import annotations

from topoedit.render.ink import Ink
from topoedit.render.kinds.common import (
    draw_body,
    draw_foot,
    draw_port_field,
    draw_ports,
    draw_title,
    text_px,
)
from topoedit.render.looks import DeviceLook

_FIELD_HEIGHT = 84.0  # from so many pixels of height on there is room for all ports


class SwitchPainter:
    """Leaf, spine, core, NVSwitch tray, panel, generic switch."""

    kinds = ("leaf", "spine", "core", "switch", "nvswitch", "panel")

    def near(self, ink: Ink, look: DeviceLook) -> None:
        """Name and load, ports on the edge; the port field once there is room."""
        draw_body(ink, look)
        if look.h >= _FIELD_HEIGHT:
            foot = min(48.0 * max(look.k / 1.9, 1), look.h * 0.55)
            draw_port_field(ink, look, look.x + 8, look.y + 6, look.w - 16, look.h - foot - 12)
            draw_foot(ink, look, foot)
        else:
            block = text_px(11, look.k) + 5 + text_px(10, look.k, 12) + 4
            draw_title(ink, look, look.y + (look.h - block) / 2, look.subtitles)
        draw_ports(ink, look)

    def inside(self, ink: Ink, look: DeviceLook) -> None:
        """The port field at its largest."""
        self.near(ink, look)


PAINTER = SwitchPainter()
