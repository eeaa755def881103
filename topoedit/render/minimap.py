"""The minimap: the whole drawing on 160 x 92 pixels, with a frame round what is visible."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from topoedit.render.batches import fill_boxes, fill_by_code, pixel_boxes
from topoedit.render.ink import Ink
from topoedit.render.links import draw_lines
from topoedit.render.loadscale import CODES, PLAIN
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import Theme, blend, code_colors
from topoedit.render.view import View

WIDTH, HEIGHT = 160.0, 92.0
_PAD = 6.0
_MOST_LINES = 3000
_MOST_SCALE = 0.125
"""The minimap always shows at least what a window shows at 100 %."""


def minimap_view(scene: DiagramScene) -> View:
    """The view of the whole drawing in the minimap; a few devices do not fill it."""
    return View.fit(scene.bounds(), WIDTH, HEIGHT, margin=_PAD, most=_MOST_SCALE)


def paint_minimap(scene: DiagramScene, theme: Theme, ratio: float = 1.0) -> QImage:
    """The picture of a minimap without its frame; paint it once for each change of the drawing."""
    image = QImage(
        round(WIDTH * ratio), round(HEIGHT * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.setDevicePixelRatio(ratio)
    image.fill(theme.color("surface.panel"))
    with QPainter(image) as painter:
        view = minimap_view(scene)
        _paint_groups(painter, scene, theme, view)
        _paint_lines(painter, scene, theme, view)
        _paint_devices(painter, scene, theme, view)
    return image


def draw_minimap(
    ink: Ink, x: float, y: float, picture: QImage, scene: DiagramScene, shown: View
) -> None:
    """Draw the minimap with its frame and the box of what the window shows."""
    if ink.log is not None:
        ink.log.cover(QRectF(x, y, WIDTH, HEIGHT))
    painter = ink.painter
    painter.drawImage(QRectF(x, y, WIDTH, HEIGHT), picture)
    ink.box(x, y, WIDTH, HEIGHT, None, "border.default", 6)
    view = minimap_view(scene)
    x0, y0 = view.to_pixels(*shown.box[:2])
    x1, y1 = view.to_pixels(*shown.box[2:])
    frame = QRectF(x + x0, y + y0, x1 - x0, y1 - y0)
    frame = frame.intersected(QRectF(x + 3, y + 3, WIDTH - 6, HEIGHT - 6))
    if not frame.isEmpty():
        ink.box(
            frame.x(), frame.y(), frame.width(), frame.height(), None, "canvas.minimap_view", 2, 1.5
        )


def _paint_groups(painter: QPainter, scene: DiagramScene, theme: Theme, view: View) -> None:
    boxes = (
        np.array([g.box for g in scene.grouping.groups if not (g.hidden or g.empty)])
        .reshape(-1, 4)
        .T
    )
    if boxes.size:
        fill_boxes(painter, _in_pixels(boxes, view), theme.color("border.subtle"))


def _paint_lines(painter: QPainter, scene: DiagramScene, theme: Theme, view: View) -> None:
    """A steady sample of the lines, the hottest last."""
    strokes = scene.strokes
    count = len(strokes)
    if not count:
        return
    rows = np.arange(0, count, max(1, count // _MOST_LINES))
    worst = strokes.worst()
    hottest = np.argsort(worst, kind="stable")[-50:]
    rows = np.unique(np.concatenate((rows, hottest)))
    rows = rows[np.argsort(worst[rows], kind="stable")]
    offset = np.array([view.x, view.y, view.x, view.y])
    lines = np.ascontiguousarray((strokes.seg[rows] - offset) * view.scale)
    back, colors = theme.color("surface.panel"), code_colors(theme)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, count <= _MOST_LINES)
    for code in range(CODES):
        part = np.ascontiguousarray(lines[worst[rows] == code])
        if len(part):
            painter.setPen(blend(colors[code], back, 0.6))
            draw_lines(painter, part)


def _paint_devices(painter: QPainter, scene: DiagramScene, theme: Theme, view: View) -> None:
    shown = scene.shown_devices()
    fill_boxes(
        painter, _in_pixels(scene.rects[:, : len(shown)][:, shown], view),
        theme.color("canvas.device_part"),
    )  # fmt: skip
    tiles = [
        len(shown) + i
        for i, group in enumerate(scene.grouping.groups)
        if group.collapsed and not (group.hidden or group.empty)
    ]
    if tiles:
        colors = (theme.color("canvas.device_part"), *code_colors(theme)[PLAIN + 1 :])
        boxes = _in_pixels(scene.rects[:, tiles], view)
        fill_by_code(painter, boxes, scene.node_codes[tiles], colors)


def _in_pixels(
    rects: np.ndarray[tuple[int, int], np.dtype[np.float64]], view: View
) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    left, top, right, bottom = rects
    x, y = (left - view.x) * view.scale, (top - view.y) * view.scale
    return pixel_boxes(x, y, (right - left) * view.scale, (bottom - top) * view.scale)
