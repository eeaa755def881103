"""A rack of trays drawn as one device (NVL72): compute trays, switch trays, GPUs in rows."""

from __future__ import annotations

from topoedit.render.ink import Ink
from topoedit.render.kinds.common import (
    draw_body,
    draw_foot,
    draw_ports,
    load_color_of,
)
from topoedit.render.looks import DeviceLook
from topoedit.units import format_percent

_SWITCH_TRAYS = 9


class RackPainter:
    """One bar a tray, the switch trays in the middle; each GPU once there is room."""

    kinds = ("rack",)

    def near(self, ink: Ink, look: DeviceLook) -> None:
        """Trays as bars, a cell for every GPU, the foot."""
        draw_body(ink, look, 6)
        foot = max(46.0, min(52.0 * look.k, 64.0, look.h * 0.4))
        _draw_trays(ink, look, *_room(look, inside=False))
        draw_foot(ink, look, foot)
        draw_ports(ink, look)

    def inside(self, ink: Ink, look: DeviceLook) -> None:
        """The same with names and figures in the trays."""
        draw_body(ink, look, 8)
        _draw_trays(ink, look, *_room(look, inside=True))
        draw_foot(ink, look, 52.0)
        draw_ports(ink, look)


def _trays(look: DeviceLook) -> tuple[int, int]:
    """Compute trays, and GPUs in each."""
    gpus = look.gpus or 0
    trays = look.type.trays or max(gpus // 4, 1)
    return trays, max(gpus // trays, 1)


def _room(look: DeviceLook, *, inside: bool) -> tuple[float, float]:
    """Top and height of the trays."""
    if inside:
        return look.y + 14, look.h - 52.0 - 24
    return look.y + 10, look.h - max(46.0, min(52.0 * look.k, 64.0, look.h * 0.4)) - 18


def _switch_trays(look: DeviceLook) -> int:
    inside = look.type.inside
    return _SWITCH_TRAYS if inside is not None and inside.scaleup.kind == "nvswitch" else 0


def gpu_cells(look: DeviceLook, *, inside: bool) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of each GPU."""
    top, room = _room(look, inside=inside)
    trays, each = _trays(look)
    pitch, upper = room / (trays + _switch_trays(look)), (trays + 1) // 2
    high, wide = max(pitch - (2 if pitch >= 6 else 1), 1), (look.w - 16) / each
    rows = (tray if tray < upper else tray + _switch_trays(look) for tray in range(trays))
    return [
        (look.x + 8 + wide * index, top + pitch * row, wide - 2, high)
        for row in rows
        for index in range(each)
    ]


def _draw_trays(ink: Ink, look: DeviceLook, top: float, room: float) -> None:
    trays, each = _trays(look)
    switches = _switch_trays(look)
    rows = trays + switches
    pitch = room / rows
    upper = (trays + 1) // 2
    gpu, worst = 0, _worst_scaleup(look)
    for row in range(rows):
        y = top + pitch * row
        height = max(pitch - (2 if pitch >= 6 else 1), 1)
        if upper <= row < upper + switches:
            _draw_switch_tray(ink, look, y, height, row - upper, worst)
            continue
        _draw_tray(ink, look, y, height, gpu, each)
        gpu += each


def _worst_scaleup(look: DeviceLook) -> float | None:
    """Highest load of the scale-up links, which all switch trays share."""
    loads = [look.inner_load(f"nvlink/gpu{g}") for g in range(look.gpus or 0)]
    return max((load for load in loads if load is not None), default=None)


def _draw_switch_tray(
    ink: Ink, look: DeviceLook, y: float, height: float, index: int, load: float | None
) -> None:
    color = load_color_of(ink, load)
    left, width = look.x + 8, look.w - 18
    if height < 13:
        ink.box(left, y, width, height, color or "canvas.device_part", None, 1)
        return
    ink.box(left, y, width, height, "canvas.device_part", "canvas.device_border", 1)
    if color is not None:
        ink.box(left + 1, y + height - 4, width - 2, 3, color)
    words = f"NVSwitch tray {index}"
    if load is not None:
        words += f" · {format_percent(load)}"
    ink.text(left + 5, y, words, 10, 500, "canvas.label", height=height - 3, width=width - 8)


def _draw_tray(ink: Ink, look: DeviceLook, y: float, height: float, first: int, each: int) -> None:
    left, width = look.x + 8, look.w - 16
    pitch = width / each
    share = look.scene.facts.memory_share
    for index in range(each):
        x, w = left + pitch * index, pitch - 2
        load = look.inner_load(f"nvlink/gpu{first + index}")
        color = load_color_of(ink, load)
        ink.box(
            x,
            y,
            w,
            height,
            "canvas.device_inner",
            "canvas.device_border" if height >= 5 else None,
            1,
        )
        named = height >= 13 and w >= 40
        if share is not None and height >= 4:
            top, bar = (y + height - 4, 3) if named else (y + 1, height - 2)
            used = (w - 2) * min(share, 1.0)
            ink.box(x + 1, top, used, bar, "memory.overflow" if share > 1 else "breakdown.compute")
        elif color is not None:
            ink.box(x + 1, y + 1, w - 2, max(height - 2, 1), color)
        elif height < 5:
            ink.box(x, y, w, height, "canvas.device_part")
        if named:
            words = f"GPU {first + index}"
            ink.text(
                x + 5, y, words, 10, 500, "canvas.label", height=height - 3, width=w - 8,
                elide="none",
            )  # fmt: skip


PAINTER = RackPainter()
