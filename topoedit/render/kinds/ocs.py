"""An optical circuit switch: which ports are joined, as far as links are drawn."""

from __future__ import annotations

from topoedit.render.ink import Ink
from topoedit.render.kinds.common import draw_body, draw_ports, draw_title, text_px
from topoedit.render.looks import DeviceLook

_LINES = 10


class OcsPainter:
    """Optical circuit switches."""

    kinds = ("ocs",)

    def near(self, ink: Ink, look: DeviceLook) -> None:
        """A mirror field when there is room, the name below it."""
        draw_body(ink, look)
        block = text_px(11, look.k) + 5 + text_px(10, look.k, 12) + 4
        room = look.h - block - 10
        if room >= 30:
            _draw_mirrors(ink, look, room)
            draw_title(ink, look, look.y + look.h - block - 5, look.subtitles)
        else:
            draw_title(ink, look, look.y + (look.h - block) / 2, look.subtitles)
        draw_ports(ink, look)

    def inside(self, ink: Ink, look: DeviceLook) -> None:
        """As near."""
        self.near(ink, look)


def _draw_mirrors(ink: Ink, look: DeviceLook, room: float) -> None:
    """Collimators on both sides; a beam for each pair of links, in the colour of its load."""
    left, right = look.x + 14, look.x + look.w - 14
    pitch = (room - 12) / _LINES
    heights = [look.y + 10 + pitch * (i + 0.5) for i in range(_LINES)]
    ports = sorted(look.ports, key=lambda p: p.x)
    pairs = list(zip(ports[0::2], ports[1::2], strict=False))[:_LINES]
    for index, (one, _) in enumerate(pairs):
        color = ink.theme.load_color(one.code)
        ink.line(left, heights[index], right, heights[(index * 3 + 1) % _LINES], color, 1.25)
    for y in heights:
        ink.disc(left, y, 1.8, "canvas.label_sub")
        ink.disc(right, y, 1.8, "canvas.label_sub")


PAINTER = OcsPainter()
