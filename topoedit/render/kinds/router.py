"""Routers and WAN edges: a ring in the WAN colour where the long line begins."""

from __future__ import annotations

from topoedit.render.ink import Ink
from topoedit.render.kinds.common import draw_body, draw_ports, draw_title, text_px
from topoedit.render.looks import DeviceLook


class RouterPainter:
    """Routers and the edge of a site."""

    kinds = ("router",)

    def near(self, ink: Ink, look: DeviceLook) -> None:
        """Name and load, ports, and a ring on each port of a link between sites."""
        draw_body(ink, look)
        block = text_px(11, look.k) + 5 + text_px(10, look.k, 12) + 4
        draw_title(ink, look, look.y + (look.h - block) / 2, look.subtitles)
        draw_ports(ink, look)
        for port in look.ports:
            if look.scene.strokes.wan[port.stroke]:
                ink.disc(port.x, port.y, 5, "canvas.bg", "traffic.WAN", 2)

    def inside(self, ink: Ink, look: DeviceLook) -> None:
        """As near."""
        self.near(ink, look)


PAINTER = RouterPainter()
