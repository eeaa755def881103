"""Parts that several kinds of device share: body, ports, foot, cells."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QColor

from topoedit.render.anchors import BOTTOM, LEFT, RIGHT, TOP
from topoedit.render.ink import Ink
from topoedit.render.loadscale import PLAIN, load_code
from topoedit.render.looks import DeviceLook
from topoedit.render.theme import number

FAILED_DASH = (4.0, 3.0)


def text_px(design: int, k: float, most: int = 16) -> int:
    """Size of a text that grows with the zoom, between 10 pixels and a largest size."""
    return max(10, min(most, round(design * k)))


def draw_body(ink: Ink, look: DeviceLook, radius: float | None = None) -> None:
    """The box of a device."""
    corner = number("radius.device") if radius is None else radius
    if look.failed:
        ink.box(
            look.x, look.y, look.w, look.h, "state.failed_fill", "state.failed", corner,
            dash=FAILED_DASH,
        )  # fmt: skip
    else:
        ink.box(
            look.x, look.y, look.w, look.h, "canvas.device_fill", "canvas.device_border", corner
        )


def name_color(look: DeviceLook) -> str:
    """Colour of a device's name and icon."""
    return "state.failed" if look.failed else "canvas.label"


def draw_ports(ink: Ink, look: DeviceLook) -> None:
    """A square on the edge for every link, in the colour of what leaves there."""
    size = max(4.0, min(number("glyph.server.nic_port") * look.k, 10.0))
    for port in look.ports:
        x, y = round(port.x - size / 2), port.y - size / 2
        edge = {TOP: look.y, BOTTOM: look.y + look.h, LEFT: look.x, RIGHT: look.x + look.w}
        if port.side in (TOP, BOTTOM):
            y = round(edge[port.side] - size / 2)
        else:
            x = round(edge[port.side] - size / 2)
        if port.code == PLAIN or look.failed:
            ink.box(x, y, size, size, "canvas.device_part", "canvas.device_border", 1.5)
        else:
            ink.box(x, y, size, size, ink.theme.load_color(port.code), None, 1.5)


def draw_title(
    ink: Ink, look: DeviceLook, y: float, sub: Sequence[str] = (), icon: bool = True
) -> None:
    """Icon, name and a second line in the wording that fits; `y` is the top of the name."""
    name_px, sub_px = text_px(11, look.k), text_px(10, look.k, 12)
    size = round(16 * min(max(look.k, 1), 1.5))
    pad = 8.0 * min(max(look.k, 0.75), 1.5)
    with_icon = icon and _icon_fits(ink, look, name_px, pad, size)
    left = look.x + pad + (size + 4 if with_icon else 0)
    line = name_px + 5.0
    if with_icon:
        ink.icon(look.icon, look.x + pad, y + (line - size) / 2, size, name_color(look))
    room = look.x + look.w - 6 - left
    ink.text(
        left, y, look.device.name, name_px, 600, name_color(look), width=room, height=line,
        elide="middle",
    )  # fmt: skip
    text = ink.fitting(sub, room, sub_px)
    if text:
        ink.text(left, y + line, text, sub_px, 400, "canvas.label_sub", height=sub_px + 4.0)


def _icon_fits(ink: Ink, look: DeviceLook, name_px: int, pad: float, size: float) -> bool:
    """Whether the icon leaves room for the name; a name that needs all of it comes first."""
    name = ink.width_of(look.device.name, name_px, 600)
    room = look.w - pad - 6
    return look.w >= 96 and (name <= room - size - 4 or name > room * 1.25)


def draw_foot(ink: Ink, look: DeviceLook, height: float) -> None:
    """The lower part with name and specification under a rule; `height` in pixels."""
    y = look.y + look.h - height
    ink.rule(look.x + 1, round(y), look.w - 2, "canvas.device_border")
    name_px, sub_px = text_px(11, look.k), text_px(10, look.k, 12)
    size = round(16 * min(max(look.k, 1), 1.5))
    pad = 8.0 * min(max(look.k, 0.75), 1.5)
    used = name_px + 5 + sub_px + 5
    top = y + max((height - used) / 2, 1)
    with_icon = _icon_fits(ink, look, name_px, pad, size)
    left = look.x + pad + (size + 4 if with_icon else 0)
    if with_icon:
        ink.icon(look.icon, look.x + pad, top + (name_px + 5 - size) / 2, size, name_color(look))
    ink.text(
        left, top, look.device.name, name_px, 600, name_color(look),
        width=look.x + look.w - 6 - left, height=name_px + 5.0, elide="middle",
    )  # fmt: skip
    text = ink.fitting(look.subtitles, look.w - pad - 6, sub_px)
    ink.text(
        look.x + pad, top + name_px + 6, text, sub_px, 400, "canvas.label_sub", height=sub_px + 4.0
    )


def draw_cell(
    ink: Ink, x: float, y: float, w: float, h: float, filled: float | None = None
) -> None:
    """A part in outline; filled from below by the share in use, if that is known."""
    ink.box(x, y, w, h, "canvas.device_inner", "canvas.device_border", 2)
    if filled is not None and w > 4:
        share = min(max(filled, 0.0), 1.0)
        color = "memory.overflow" if filled > 1 else "breakdown.compute"
        room = h - 3
        ink.box(x + 1.5, y + 1.5 + room * (1 - share), w - 3, room * share, color, None, 1)


def draw_chip(ink: Ink, x: float, y: float, w: float, h: float, texts: Sequence[str]) -> None:
    """A part with a word in its middle, if it fits."""
    draw_cell(ink, x, y, w, h)
    text = ink.fitting(texts, w - 4, 10, 500) if h >= 12 else ""
    if text:
        ink.text(x + w / 2, y, text, 10, 500, "canvas.label_sub", "center", height=h)


def load_color_of(ink: Ink, load: float | None) -> QColor | None:
    """The colour of a load, None if there is none to show."""
    return None if load is None else ink.theme.load_color(load_code(load))


def draw_port_field(
    ink: Ink, look: DeviceLook, x: float, y: float, w: float, h: float, most: int = 64
) -> None:
    """All ports of a switch in two rows: used ones in their colour, free ones hollow."""
    total = sum(group.count for group in look.type.ports)
    codes = [
        p.code
        for p in sorted(look.ports, key=lambda p: (p.side, p.x))
        for _ in range(_cables(look, p.stroke))
    ]
    shown = min(max(total, len(codes)), most)
    if not shown:
        return
    rows = 2 if shown > 12 else 1
    columns = -(-shown // rows)
    pitch = min(w / columns, 10 * max(look.k, 1), h / rows)
    size = max(pitch - 3, 2.0)
    left = x + (w - pitch * columns + pitch - size) / 2
    top = y + (h - pitch * rows + pitch - size) / 2
    step = max(len(codes), 1) / shown if len(codes) > shown else 1
    for index in range(shown):
        px, py = left + (index % columns) * pitch, top + (index // columns) * pitch
        at = int(index * step)
        code = codes[at] if at < len(codes) else None
        if code is None:
            ink.box(px, py, size, size, None, "canvas.device_border", 1.5)
        elif code == PLAIN or look.failed:
            ink.box(px, py, size, size, "canvas.device_part", "canvas.device_border", 1.5)
        else:
            ink.box(px, py, size, size, ink.theme.load_color(code), None, 1.5)


def _cables(look: DeviceLook, stroke: int) -> int:
    return min(int(look.scene.strokes.count[stroke]), 64)
