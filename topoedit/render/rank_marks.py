"""Marks of rank placement over the picture: group members in class colours with their letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPen, QRegion

from topoedit.engine.types import Ints
from topoedit.render import links
from topoedit.render.batches import draw_boxes, pixel_boxes
from topoedit.render.gpu_cells import Cell, gpu_cells
from topoedit.render.ink import Ink
from topoedit.render.looks import look_at
from topoedit.render.scene import DiagramScene
from topoedit.render.two_way import polyline, stroke_pixels
from topoedit.render.view import Level, View

MOST_RINGS = 1200
"""Beyond so many boxes of a class their rings are single thin lines."""
MOST_CURVES = 300
VEIL = 0.55
_RING, _STEP = 2.0, 3.0
_BADGE_FROM = 36.0
_BADGE_H = 14.0
_DASHES: dict[str, tuple[float, ...]] = {
    "TP": (), "CP": (6, 3), "EP": (3, 3), "PP": (1.5, 3), "DP": (8, 3, 2, 3),
}  # fmt: skip
"""Rings that are too small for letters differ by their dashes."""


@dataclass(frozen=True)
class RankMarks:
    """What is lit.

    Attributes:
        devices: class -> ids of the devices that its members run on.
        cells: device id -> class of each GPU that is a member, by the GPU's number.
        picked: device and GPU of the rank itself; words: what its plate says.
        links: ids of the links that the group uses; link_class: its class.
    """

    devices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cells: Mapping[str, Mapping[int, tuple[str, ...]]] = field(default_factory=dict)
    picked: tuple[str, int] | None = None
    words: str = ""
    links: tuple[str, ...] = ()
    link_class: str = ""


def paint_marks(ink: Ink, scene: DiagramScene, view: View, marks: RankMarks) -> None:
    """Veil the rest, then light links, boxes and GPUs."""
    if marks.picked is None:
        return
    scene = scene.for_scale(view.scale)
    nodes = {name: _nodes(scene, ids) for name, ids in marks.devices.items()}
    own = _nodes(scene, (marks.picked[0],))
    _paint_veil(ink, scene, view, [*nodes.values(), own])
    _paint_links(ink, scene, view, marks)
    places: dict[int, list[str]] = {}
    for name, some in nodes.items():
        for node in some.tolist():
            places.setdefault(node, []).append(name)
    _paint_rings(ink, scene, view, places)
    _paint_cells(ink, scene, view, marks)
    _paint_badges(ink, scene, view, places)
    _paint_picked(ink, scene, view, marks)


def _nodes(scene: DiagramScene, ids: tuple[str, ...]) -> NDArray[np.intp]:
    """Boxes that stand for devices, each once: their own, or those of closed groups."""
    found = (scene.node_of(device) for device in ids)
    return np.unique([scene.shown_node(node) for node in found if node is not None]).astype(np.intp)


def _pixels(scene: DiagramScene, view: View, nodes: NDArray[np.intp]) -> NDArray[np.float64]:
    """(n, 4) left, top, width and height in pixels."""
    left, top, right, bottom = scene.rects[:, nodes]
    x, y = (left - view.x) * view.scale, (top - view.y) * view.scale
    return np.column_stack((x, y, (right - left) * view.scale, (bottom - top) * view.scale))


def _paint_veil(ink: Ink, scene: DiagramScene, view: View, parts: list[NDArray[np.intp]]) -> None:
    """Everything but the members recedes."""
    nodes = np.unique(np.concatenate(parts))
    region = QRegion(0, 0, round(view.width), round(view.height))
    for left, top, wide, high in _pixels(scene, view, nodes)[:MOST_RINGS].tolist():
        if left < view.width and top < view.height and left + wide > 0 and top + high > 0:
            region -= QRegion(round(left), round(top), round(wide), round(high))
    painter = ink.painter
    painter.save()
    painter.setClipRegion(region)
    painter.setOpacity(VEIL)
    ink.box(0, 0, view.width, view.height, "canvas.bg")
    painter.restore()


def _paint_links(ink: Ink, scene: DiagramScene, view: View, marks: RankMarks) -> None:
    rows = (scene.links.row[i] for i in marks.links if i in scene.links.row)
    strokes = np.unique([scene.strokes.of_link[row] for row in rows]).astype(np.intp)
    strokes = strokes[strokes >= 0]
    if not len(strokes):
        return
    color = ink.color(f"traffic.{marks.link_class}")
    if len(strokes) > MOST_CURVES or view.level < Level.NEAR:
        offset = np.array([view.x, view.y, view.x, view.y])
        lines = np.ascontiguousarray((scene.strokes.seg[strokes] - offset) * view.scale)
        ink.painter.setPen(QPen(color, 2 if len(strokes) <= MOST_CURVES else 1.01))
        links.draw_lines(ink.painter, lines)
        return
    curved = links.is_curved(view, len(links.visible_strokes(scene, view)))
    for stroke in strokes.tolist():
        ink.path(polyline(stroke_pixels(scene, view, stroke, curved)), color, 3, round_=True)


def _paint_rings(
    ink: Ink, scene: DiagramScene, view: View, places: Mapping[int, list[str]]
) -> None:
    nodes = np.array(list(places), np.intp)
    if len(nodes) > MOST_RINGS:
        _paint_many(ink, scene, view, places, nodes)
        return
    for node, (x, y, w, h) in zip(places, _pixels(scene, view, nodes).tolist(), strict=True):
        lettered = w >= _BADGE_FROM
        for step, name in enumerate(places[node]):
            by = 2 + _STEP * step
            dash = () if lettered else _DASHES[name]
            ink.box(
                x - by, y - by, w + 2 * by, h + 2 * by, None, f"traffic.{name}", 4 + by, _RING, dash
            )  # fmt: skip


def _paint_many(
    ink: Ink, scene: DiagramScene, view: View, places: Mapping[int, list[str]],
    nodes: NDArray[np.intp],
) -> None:  # fmt: skip
    for name in dict.fromkeys(n for names in places.values() for n in names):
        some = np.array([node for node in nodes.tolist() if name in places[node]], np.intp)
        x, y, w, h = _pixels(scene, view, some).T
        ink.painter.setPen(QPen(ink.color(f"traffic.{name}"), 1))
        ink.painter.setBrush(ink.color(f"traffic.{name}", 0.35))
        draw_boxes(ink.painter, pixel_boxes(x - 1, y - 1, w + 2, h + 2))


def _paint_badges(
    ink: Ink, scene: DiagramScene, view: View, places: Mapping[int, list[str]]
) -> None:
    """The letters of the classes over a box that has room for them."""
    if len(places) > MOST_RINGS:
        return
    nodes = np.array(list(places), np.intp)
    for node, (x, y, w, _) in zip(places, _pixels(scene, view, nodes).tolist(), strict=True):
        if w < _BADGE_FROM or not (-40 < x < view.width and -40 < y < view.height):
            continue
        top = y - _BADGE_H / 2 - 2 - _STEP * len(places[node])
        _draw_badges(ink, x, top, max(w, _BADGE_FROM), places[node])


def _draw_badges(ink: Ink, x: float, y: float, room: float, names: Sequence[str]) -> None:
    """Badges side by side, those without room over the others."""
    left = x
    for name in names:
        wide = ink.width_of(name, 10, 600) + 8
        if left > x and left + wide > x + room + 4:
            left, y = x, y - _BADGE_H - 1
        left = draw_badge(ink, left, y, name) + 2


def draw_badge(ink: Ink, x: float, y: float, name: str) -> float:
    """Two letters on an opaque plate with an edge in the colour of the class; its right end."""
    wide = ink.width_of(name, 10, 600) + 8
    ink.box(x, y, wide, _BADGE_H, "canvas.bg", f"traffic.{name}", 3, 1.5)
    ink.text(x + 4, y, name, 10, 600, "text.primary", height=_BADGE_H)
    return x + wide


def _cells_of(scene: DiagramScene, view: View, device: str) -> list[Cell]:
    """Cells of the GPUs of a device that is drawn close up and in view."""
    row = scene.devices.row.get(device)
    if row is None or view.level < Level.NEAR or scene.shown_node(row) != row:
        return []
    ((x, y, w, h),) = _pixels(scene, view, np.array([row], np.intp)).tolist()
    if x > view.width or y > view.height or x + w < 0 or y + h < 0:
        return []
    return gpu_cells(look_at(scene, view, row))


def _paint_cells(ink: Ink, scene: DiagramScene, view: View, marks: RankMarks) -> None:
    if view.level < Level.NEAR:
        return
    for device, members in marks.cells.items():
        cells = _cells_of(scene, view, device)
        for index, names in members.items():
            if index >= len(cells):
                continue
            x, y, w, h = cells[index]
            for step, name in enumerate(names):
                by = 1.0 + _STEP * step if w >= 40 else 0.5 + 2 * step
                ink.box(x - by, y - by, w + 2 * by, h + 2 * by, None, f"traffic.{name}", 4, _RING)
            if w >= 40:
                _draw_badges(ink, x, y - _BADGE_H / 2 - _STEP * len(names), w, names)


def _paint_picked(ink: Ink, scene: DiagramScene, view: View, marks: RankMarks) -> None:
    """The rank itself: a filled cell, or a ring round its device, and a plate with its number."""
    if marks.picked is None:
        return
    device, index = marks.picked
    cells = _cells_of(scene, view, device)
    if index < len(cells):
        x, y, w, h = cells[index]
        ink.box(x, y, w, h, ink.color("accent.base", 0.3), "accent.base", 4, 2)
    else:
        nodes = _nodes(scene, (device,))
        if not len(nodes):
            return
        ((x, y, w, h),) = _pixels(scene, view, nodes).tolist()
        if view.level < Level.NEAR and nodes[0] == scene.node_of(device):
            ink.box(x, y, w, h, ink.color("accent.base", 0.3), "accent.base", 4, 2)
    wide = ink.width_of(marks.words, 11, 600) + 12
    left = min(max(x + w / 2 - wide / 2, 4), view.width - wide - 4)
    ink.box(left, y + h + 4, wide, 18, "accent.base", None, 3)
    ink.text(left + 6, y + h + 4, marks.words, 11, 600, "text.on_accent", height=18)


def paint_rank_numbers(
    ink: Ink, scene: DiagramScene, view: View, ranks: Mapping[str, Ints]
) -> None:
    """`r17` in the corner of each GPU of the devices drawn with their inside.

    Args:
        ink: where to draw.
        scene: the drawing.
        view: what is visible.
        ranks: rank on each GPU of a device, -1 for an idle one.
    """
    for device, numbers in ranks.items():
        for (x, y, w, h), rank in zip(_cells_of(scene, view, device), numbers, strict=False):
            words = f"r{rank}" if rank >= 0 else "idle"
            wide = ink.width_of(words, 10, 500)
            if h >= 20 and ink.width_of("GPU 7", 11, 600) + wide + 22 <= w:
                ink.text(x + w - 8, y + 6, words, 10, 500, "canvas.label_sub", "right")
            elif h >= 84 and wide + 8 <= w:  # under the figure of the memory
                ink.text(x + (8 if w >= 56 else 4), y + 56, words, 10, 500, "canvas.label_sub")


def devices_inside_view(scene: DiagramScene, view: View) -> tuple[str, ...]:
    """Devices in view that are drawn with their inside."""
    if view.level < Level.INSIDE:
        return ()
    count = len(scene.devices.ids)
    left, top, right, bottom = scene.rects[:, :count]
    x0, y0, x1, y1 = view.box
    seen = (right >= x0) & (left <= x1) & (bottom >= y0) & (top <= y1)
    return tuple(scene.devices.ids[row] for row in np.flatnonzero(seen).tolist())
