"""Storage and management: quiet devices beside the training traffic."""

from __future__ import annotations

from topoedit.render.ink import Ink
from topoedit.render.kinds.common import (
    draw_body,
    draw_cell,
    draw_foot,
    draw_port_field,
    draw_ports,
    draw_title,
    text_px,
)
from topoedit.render.looks import DeviceLook

_ROOM = 84.0
_DRIVES = 6


class StoragePainter:
    """Storage systems and management switches."""

    kinds = ("storage", "management")

    def near(self, ink: Ink, look: DeviceLook) -> None:
        """Drives or a port field once there is room, else the name alone."""
        draw_body(ink, look)
        if look.h >= _ROOM:
            foot = min(48.0 * max(look.k / 1.9, 1), look.h * 0.55)
            if look.kind == "storage":
                _draw_drives(ink, look, look.h - foot)
            else:
                draw_port_field(ink, look, look.x + 8, look.y + 6, look.w - 16, look.h - foot - 12)
            draw_foot(ink, look, foot)
        else:
            block = text_px(11, look.k) + 5 + text_px(10, look.k, 12) + 4
            draw_title(ink, look, look.y + (look.h - block) / 2, look.subtitles)
        draw_ports(ink, look)

    def inside(self, ink: Ink, look: DeviceLook) -> None:
        """As near."""
        self.near(ink, look)


def _draw_drives(ink: Ink, look: DeviceLook, height: float) -> None:
    pitch = (look.w - 20) / _DRIVES
    for index in range(_DRIVES):
        x = look.x + 10 + pitch * index
        draw_cell(ink, round(x), look.y + 12, round(pitch - 4), max(height - 22, 8))


PAINTER = StoragePainter()
