"""Painting devices at four levels of detail, by their width on the screen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtGui import QColor, QPainter

from topoedit.render.batches import fill_boxes, fill_by_code, pixel_boxes, shrink
from topoedit.render.ink import Ink, TextLog
from topoedit.render.kinds import painter_of
from topoedit.render.kinds.common import draw_body, name_color
from topoedit.render.links import Job
from topoedit.render.loadscale import PLAIN
from topoedit.render.looks import DeviceLook, look_at
from topoedit.render.scene import DiagramScene
from topoedit.render.tables import Ints
from topoedit.render.theme import Theme, code_colors, number
from topoedit.render.view import Level, View

TEXT_WIDTH, ICON_WIDTH = 60.0, 40.0
"""Below these widths in pixels a device loses its text, then its icon."""
_BLOCK_WIDTH = 8.0  # below it, a device is nothing but a block in its load colour
_BATCH = 4000
_SINGLY = 6


def visible_devices(scene: DiagramScene, view: View, margin: float = 16.0) -> Ints:
    """Rows of the devices that meet the view and that no collapsed group hides."""
    x0, y0, x1, y1 = view.box
    slack = margin / view.scale
    left, top, right, bottom = scene.rects[:, : len(scene.devices)]
    seen = (right >= x0 - slack) & (left <= x1 + slack)
    seen &= (bottom >= y0 - slack) & (top <= y1 + slack)
    return np.flatnonzero(seen & scene.shown_devices()).astype(np.int32)


def device_jobs(
    scene: DiagramScene, theme: Theme, view: View, rows: Ints, log: TextLog | None = None
) -> Iterator[Job]:
    """Painting of some devices in small jobs."""
    widths = (scene.devices.w[rows]) * view.scale
    small = rows[widths < TEXT_WIDTH]
    for start in range(0, len(small), _BATCH):
        yield _small_job(scene, theme, view, small[start : start + _BATCH])
    iconed = rows[(widths >= ICON_WIDTH) & (widths < TEXT_WIDTH)]
    large = rows[widths >= TEXT_WIDTH]
    for start in range(0, len(iconed), 4 * _SINGLY):
        yield _icon_job(scene, theme, view, iconed[start : start + 4 * _SINGLY])
    step = 1 if view.level == Level.INSIDE else _SINGLY
    for start in range(0, len(large), step):
        yield _large_job(scene, theme, view, large[start : start + step], log)


# -- many small ones -----------------------------------------------------------


def _small_job(scene: DiagramScene, theme: Theme, view: View, rows: Ints) -> Job:
    def paint(painter: QPainter) -> None:
        left, top, right, bottom = scene.rects[:, rows]
        x, y = (left - view.x) * view.scale, (top - view.y) * view.scale
        w, h = (right - left) * view.scale, (bottom - top) * view.scale
        codes = scene.node_codes[rows]
        colors = code_colors(theme)
        boxes = pixel_boxes(x, y, w, h)
        failed = scene.devices.failed[rows]
        if w.max(initial=0) < _BLOCK_WIDTH:
            _fill_blocks(painter, theme, boxes, codes, failed)
            return
        fill_boxes(painter, boxes, theme.color("canvas.device_border"))
        fill_boxes(painter, shrink(boxes, 1), theme.color("canvas.device_fill"))
        fill_boxes(painter, boxes[failed], theme.color("state.failed"))
        fill_boxes(painter, shrink(boxes[failed], 1), theme.color("state.failed_fill"))
        bar = np.clip(h * 0.16, 2, 4)
        inset = np.maximum(w * 0.15, 2)
        bars = pixel_boxes(x + inset, y + h - bar - np.maximum(h * 0.14, 2), w - 2 * inset, bar)
        known = codes != PLAIN
        fill_by_code(painter, np.ascontiguousarray(bars[known]), codes[known], colors)
        servers = (scene.devices.gpus[rows] > 0) & (w >= 20)
        _fill_gpu_marks(painter, theme, x[servers], y[servers], w[servers], h[servers])

    return paint


def _fill_blocks(
    painter: QPainter, theme: Theme, boxes: np.ndarray[tuple[int, int], np.dtype[np.int32]],
    codes: np.ndarray[tuple[int], np.dtype[np.uint8]],
    failed: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> None:  # fmt: skip
    fill_by_code(painter, boxes, codes, _quiet(theme, code_colors(theme)))
    fill_boxes(painter, np.ascontiguousarray(boxes[failed]), theme.color("state.failed"))


def _quiet(theme: Theme, colors: tuple[QColor, ...]) -> tuple[QColor, ...]:
    """Without an analysis, blocks are a neutral part colour."""
    return (theme.color("canvas.device_part"), *colors[PLAIN + 1 :])


def _fill_gpu_marks(
    painter: QPainter, theme: Theme, x: np.ndarray[tuple[int], np.dtype[np.float64]],
    y: np.ndarray[tuple[int], np.dtype[np.float64]],
    w: np.ndarray[tuple[int], np.dtype[np.float64]],
    h: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> None:  # fmt: skip
    """Four marks that say "GPUs" where there is no room for each of them."""
    color = theme.color("canvas.device_part")
    for index in range(4):
        marks = pixel_boxes(x + w * (0.17 + 0.18 * index), y + h * 0.24, w * 0.12, h * 0.22)
        fill_boxes(painter, marks, color)


def _icon_job(scene: DiagramScene, theme: Theme, view: View, rows: Ints) -> Job:
    def paint(painter: QPainter) -> None:
        ink = Ink(painter, theme)
        for row in rows.tolist():
            if scene.devices.gpus[row] > 0:
                continue  # its marks say enough
            look = look_at(scene, view, row)
            bar = 5 if look.has_load else 0
            size = min(16.0, look.h - 5 - bar)
            if size >= 12:
                y = look.y + (look.h - bar - size) / 2
                ink.icon(look.icon, look.x + (look.w - size) / 2, y, size, name_color(look))

    return paint


# -- one by one -----------------------------------------------------------


def _large_job(
    scene: DiagramScene, theme: Theme, view: View, rows: Ints, log: TextLog | None
) -> Job:
    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        ink = Ink(painter, theme, log)
        for row in rows.tolist():
            draw_device(ink, look_at(scene, view, row))

    return paint


LEAST_NAME = 0.85
"""A name that has room for less than this share of it is left out for the icon."""


def draw_device(ink: Ink, look: DeviceLook) -> None:
    """One device with its text, by the level of its view."""
    if look.level == Level.INSIDE:
        painter_of(look.style).inside(ink, look)
    elif look.level == Level.NEAR:
        painter_of(look.style).near(ink, look)
    else:
        draw_middle(ink, look)


def draw_middle(ink: Ink, look: DeviceLook) -> None:
    """A block with icon, name, swatch and one figure, as far as they fit."""
    draw_body(ink, look)
    tall = look.h >= 56
    top = look.y
    if tall and look.gpus:
        _draw_gpu_row(ink, look)
        top = look.y + look.h * 0.42
    elif tall:
        ink.icon(look.icon, look.x + look.w / 2 - 10, look.y + look.h * 0.16, 20, name_color(look))
        top = look.y + look.h * 0.42
    height = look.y + look.h - top
    figure = look.figure
    two_lines = bool(figure) and height >= 30
    room = look.w - 12
    size = 16 if look.h < 40 else int(number("glyph.mid.icon"))
    name = look.device.name
    with_icon = look.w - size - 18 >= ink.width_of(name, 11, 600) and not tall
    left = look.x + 6 + (size + 4 if with_icon else 0)
    room -= left - look.x - 6
    with_bar = look.has_load and not two_lines and look.h >= 18
    height -= 4 if with_bar else 0
    block = 29 if two_lines else 16
    y = top + (height - block) / 2
    if not tall and ink.width_of(name, 11, 600) * LEAST_NAME > room:  # "s1…-1" names nothing
        middle = look.y + (look.h - (4 if with_bar else 0) - size) / 2
        ink.icon(look.icon, look.x + (look.w - size) / 2, middle, size, name_color(look))
        if with_bar:
            _draw_load_line(ink, look)
        return
    if with_icon:
        ink.icon(look.icon, look.x + 6, look.y + (look.h - size) / 2, size, name_color(look))
    ink.text(left, y, name, 11, 600, name_color(look), width=room, elide="middle")
    if two_lines:
        if look.has_load:
            ink.box(left, y + 20, 6, 6, ink.theme.load_color(look.code), None, 1.5)
        at = left + (10 if look.has_load else 0)
        ink.text(
            at, y + 16, figure, 10, 400, "canvas.label_sub", width=room - 10, height=14,
            elide="none",
        )  # fmt: skip
    elif with_bar:
        _draw_load_line(ink, look)


def _draw_load_line(ink: Ink, look: DeviceLook) -> None:
    ink.box(look.x + 6, look.y + look.h - 5, look.w - 12, 2.5, ink.theme.load_color(look.code))


def _draw_gpu_row(ink: Ink, look: DeviceLook) -> None:
    count = min(look.gpus or 0, 8)
    pitch = (look.w - 12) / count
    y, h = look.y + round(look.h * 0.12), max(round(look.h * 0.22), 6)
    share = look.scene.facts.memory_share
    for index in range(count):
        x = round(look.x + 6 + pitch * index + pitch * 0.15)
        w = max(round(pitch * 0.7), 2)
        ink.box(x, y, w, h, "canvas.device_part")
        if share is not None:
            used = min(share, 1.0)
            color = "memory.overflow" if share > 1 else "breakdown.compute"
            ink.box(x, y + h * (1 - used), w, h * used, color)


__all__ = ["device_jobs", "draw_device", "draw_middle", "visible_devices"]
