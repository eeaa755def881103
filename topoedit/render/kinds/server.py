"""A GPU server: a port over each GPU (its rail), the GPUs, the scale-up network, the foot."""

from __future__ import annotations

from topoedit.render.anchors import BOTTOM, EDGE_MARGIN
from topoedit.render.ink import Ink
from topoedit.render.kinds import server_inside
from topoedit.render.kinds.common import (
    draw_body,
    draw_cell,
    draw_chip,
    draw_foot,
    draw_ports,
    load_color_of,
)
from topoedit.render.looks import DeviceLook

_MOST_COLUMNS = 16

Cell = tuple[float, float, float, float]


class ServerPainter:
    """Servers with up to 16 GPUs in columns, and servers of unknown insides."""

    kinds = ("server",)

    def near(self, ink: Ink, look: DeviceLook) -> None:
        """Body, columns of GPUs, NVSwitch bar, foot."""
        draw_body(ink, look)
        foot = _foot(look)
        if look.gpus and has_outer_scaleup(look):
            _draw_tray(ink, look, look.h - foot)
        elif look.gpus:
            _draw_columns(ink, look, look.h - foot)
        else:
            size = min(28.0, (look.h - foot) * 0.5)
            middle = look.x + look.w / 2 - size / 2
            y = look.y + (look.h - foot - size) / 2
            ink.icon(look.icon, middle, y, size, "canvas.label_sub")
        draw_foot(ink, look, foot)
        draw_ports(ink, look)

    def inside(self, ink: Ink, look: DeviceLook) -> None:
        """Every GPU, NIC and switch chip with its figures."""
        if look.gpus:
            server_inside.draw(ink, look)
        else:
            self.near(ink, look)


def _foot(look: DeviceLook) -> float:
    return max(46.0, min(52.0 * look.k, 64.0, look.h * 0.46))


def gpu_cells(look: DeviceLook) -> list[Cell]:
    """Left, top, width and height of the cell of each GPU drawn."""
    gpus = min(look.gpus or 0, _MOST_COLUMNS)
    k, v = look.w / 108, (look.h - _foot(look)) / 64
    pitch = (look.w - 2 * EDGE_MARGIN * k) / max(gpus, 1)
    wide = pitch - 3 * k if gpus >= 8 else min(pitch - 3 * k, 22 * k)
    middles = (look.x + EDGE_MARGIN * k + pitch * (index + 0.5) for index in range(gpus))
    y, high = round(look.y + 14 * v), round(20 * v)
    return [(round(x - wide / 2), y, round(wide), high) for x in middles]


def _draw_columns(ink: Ink, look: DeviceLook, height: float) -> None:
    """GPU cells under their ports, joined to the bar of the scale-up network."""
    gpus = min(look.gpus or 0, _MOST_COLUMNS)
    k, v = look.w / 108, height / 64
    top, cell, gap, bar = 14 * v, 20 * v, 8 * v, 14 * v
    pitch = (look.w - 2 * EDGE_MARGIN * k) / gpus
    share = look.scene.facts.memory_share
    from_below = look.rail_side == BOTTOM
    for index, box in enumerate(gpu_cells(look)):
        x = look.x + EDGE_MARGIN * k + pitch * (index + 0.5)
        if not from_below:
            ink.line(x, look.y + 3 * v, x, look.y + top, "canvas.link_internal")
        low = look.y + top + cell
        ink.line(x, low, x, low + gap, "canvas.link_internal")
        draw_cell(ink, *box, share)
    y = round(look.y + top + cell + gap)
    draw_chip(
        ink, round(look.x + 6 * k), y, round(look.w - 12 * k), round(bar), _bar_words(look)
    )  # fmt: skip


def has_outer_scaleup(look: DeviceLook) -> bool:
    """A compute tray: its GPUs reach each other only over switch trays beside it."""
    inside = look.type.inside
    outer = any(group.role == "scale-up" for group in look.type.ports)
    return inside is not None and inside.scaleup.kind == "none" and outer


def _draw_tray(ink: Ink, look: DeviceLook, height: float) -> None:
    """CPUs, GPUs and the rail of their links to the switch trays, in its load."""
    gpus = min(look.gpus or 0, _MOST_COLUMNS)
    k, v = look.w / 108, height / 64
    inside = look.type.inside
    cpus = (inside.cpus if inside is not None else 0) or 0
    share = look.scene.facts.memory_share
    chip = 26 * k
    for index in range(cpus):
        x = look.x + look.w * (index + 0.5) / cpus - chip / 2
        draw_chip(ink, round(x), round(look.y + 10 * v), round(chip), round(13 * v), ("CPU",))
    pitch = (look.w - 2 * EDGE_MARGIN * k) / gpus
    wide = min(pitch - 5 * k, 22 * k)
    top = 29 * v if cpus else 18 * v
    for index in range(gpus):
        x = look.x + EDGE_MARGIN * k + pitch * (index + 0.5)
        y = round(look.y + top)
        draw_cell(ink, round(x - wide / 2), y, round(wide), round(20 * v), share)
    y = round(look.y + top + 24 * v)
    color = load_color_of(ink, _rail_load(look)) or "canvas.link_internal"
    ink.box(look.x + 6 * k, y, look.w - 12 * k, max(round(3 * v), 2), color, None, 1)


def _rail_load(look: DeviceLook) -> float | None:
    """Highest load of the scale-up links that leave a compute tray."""
    loads = [look.inner_load(f"nvlink/gpu{gpu}") for gpu in range(look.gpus or 0)]
    return max((load for load in loads if load is not None), default=None)


def _bar_words(look: DeviceLook) -> tuple[str, ...]:
    inside = look.type.inside
    if inside is None or inside.scaleup.kind == "none":
        return ("PCIe",)
    if inside.scaleup.kind == "nvswitch":
        return ("NVSwitch",)
    return (inside.scaleup.kind,)


PAINTER = ServerPainter()
