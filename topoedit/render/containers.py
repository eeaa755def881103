"""Painting racks, pods, buildings and sites: open ones as frames, collapsed ones as heat tiles."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from topoedit.render.batches import fill_by_code, pixel_boxes
from topoedit.render.devices import LEAST_NAME
from topoedit.render.grouping import GroupBox
from topoedit.render.ink import Ink
from topoedit.render.loadscale import PLAIN
from topoedit.render.scene import DiagramScene
from topoedit.render.theme import code_colors, number
from topoedit.render.view import View
from topoedit.units import format_number, format_percent

_TITLE_HEIGHT = 13.0  # pixels of header that a title needs
_OUTSIDE_WIDTH, _MOST_OUTSIDE = 60.0, 60
_MOST_CELLS = 400
_TALL_FOOT = 38.0
_LOW_TILE = 64.0  # under this height a closed group has one line beside or above its cells
_LARGEST_CELL = (40.0, 16.0)


@dataclass(frozen=True)
class GroupLook:
    """A group in pixels."""

    group: GroupBox
    node: int
    x: float
    y: float
    w: float
    h: float
    k: float
    code: int
    load: float


def group_look(scene: DiagramScene, view: View, index: int) -> GroupLook:
    """Everything to draw for a group, on whole pixels."""
    group = scene.grouping.groups[index]
    node = len(scene.devices) + index
    x0, y0 = view.to_pixels(*group.box[:2])
    x1, y1 = view.to_pixels(*group.box[2:])
    x, y = round(x0), round(y0)
    return GroupLook(
        group, node, x, y, max(round(x1) - x, 1), max(round(y1) - y, 1), view.scale,
        int(scene.node_codes[node]), float(scene.node_loads[node]),
    )  # fmt: skip


def visible_groups(scene: DiagramScene, view: View) -> list[int]:
    """Groups that meet the view and are not hidden, outer ones first."""
    x0, y0, x1, y1 = view.box
    return [
        index
        for index, group in enumerate(scene.grouping.groups)
        if not (group.hidden or group.empty)
        and group.box[0] <= x1 and group.box[2] >= x0
        and group.box[1] <= y1 and group.box[3] >= y0
    ]  # fmt: skip


def roll_up(group: GroupBox) -> tuple[str, ...]:
    """What is in a group, in several wordings from long to short."""
    servers = f"{format_number(group.servers)} servers" if group.servers != 1 else "1 server"
    gpus = "GPUs unknown" if group.gpus is None else f"{format_number(group.gpus)} GPUs"
    if group.gpus == 0 and not group.servers:
        count = group.switches
        return (f"{count} switches" if count != 1 else "1 switch", "") if count else ("",)
    return (f"{servers} · {gpus}", gpus, "")


# -- open -----------------------------------------------------------


def draw_frame(ink: Ink, look: GroupLook) -> None:
    """The ground and edge of an open group, under the lines."""
    radius = min(number("radius.group"), look.w / 4, look.h / 4)
    ink.box(look.x, look.y, look.w, look.h, "canvas.group_fill", "canvas.group_border", radius)


def draw_title(ink: Ink, look: GroupLook, outside: bool = True) -> None:
    """The title of an open group, over the lines, on the edge that most links leave free.

    A group at the top that is too small for its title has it outside, where that is free.
    """
    header = look.group.header * look.k
    if header >= _TITLE_HEIGHT:
        inset = min(10.0, header / 3)
        middle = look.y + look.h - header / 2 if look.group.foot else look.y + header / 2
        _write_title(ink, look, round(middle - 8), look.x + inset, look.w - 2 * inset, True)
    elif look.group.depth == 0 and look.w >= _OUTSIDE_WIDTH and outside:
        strip = title_strip(look)
        _write_title(ink, look, strip.y(), look.x, look.w, False)


def title_strip(look: GroupLook) -> QRectF:
    """Where the title of a group stands outside it."""
    return QRectF(look.x, look.y + look.h + 2 if look.group.foot else look.y - 18, look.w, 16)


def free_outside(scene: DiagramScene, view: View, indexes: list[int]) -> set[int]:
    """Groups whose title outside would meet neither another group nor another title."""
    looks = {i: group_look(scene, view, i) for i in indexes if scene.grouping.groups[i].depth == 0}
    boxes = [QRectF(k.x, k.y, k.w, k.h) for k in looks.values()]
    chosen: set[int] = set()
    for index, look in looks.items():
        strip = title_strip(look)
        if look.w >= _OUTSIDE_WIDTH and not any(strip.intersects(box) for box in boxes):
            boxes.append(strip)
            chosen.add(index)
        if len(chosen) > _MOST_OUTSIDE:
            break
    return chosen


def _write_title(
    ink: Ink, look: GroupLook, y: float, left: float, room: float, inside: bool
) -> None:
    ground = "canvas.group_fill" if inside else "canvas.bg"
    top, bottom = y, y + 16.0
    if inside:  # the ground under the title must not break the frame
        top, bottom = max(top, look.y + 1.0), min(bottom, look.y + look.h - 1.0)
    name, right = look.group.group.name, left + room
    if look.code != PLAIN and not math.isnan(look.load) and room >= 130:
        words = format_percent(look.load)
        wide = ink.width_of(words, 10, 600)
        ink.box(right - wide - 4, top, wide + 4, bottom - top, ground)
        ink.text(right, y, words, 10, 600, "canvas.label", "right")
        right -= wide + 10
    if ink.width_of(name, 11, 600) * LEAST_NAME > right - left:
        return  # three letters and an ellipsis name nothing
    icons = 40 if room >= 90 and ink.width_of(name, 11, 600) + 40 <= right - left else 0
    wide = min(ink.width_of(name, 11, 600), right - left - icons)
    more = ink.fitting(roll_up(look.group), right - left - icons - wide - 8, 10)
    # No line may cross a label: the title covers what passes under it.
    covered = icons + wide + (8 + ink.width_of(more, 10) if more else 0)
    ink.box(left - 2, top, covered + 6, bottom - top, ground)
    if icons:
        ink.icon("chevron-down", left, y + 2, 12, "canvas.group_title")
        ink.icon(look.group.group.kind, left + 18, y, 16, "canvas.group_title")
    end = ink.text(left + icons, y, name, 11, 600, "canvas.label", width=wide + 1, elide="middle")
    if more:
        ink.text(end + 8, y, more, 10, 400, "canvas.label_sub")


# -- collapsed -----------------------------------------------------------


def draw_tile(ink: Ink, scene: DiagramScene, look: GroupLook) -> None:
    """A collapsed group: name, one heat cell for each part in its place, GPUs, worst load."""
    radius = min(number("radius.card"), look.w / 4, look.h / 4)
    ink.box(look.x, look.y, look.w, look.h, "canvas.device_fill", "canvas.device_border", radius)
    pad = 8.0 if min(look.w, look.h) >= 56 else max(min(look.w, look.h) * 0.1, 1.0)
    head = _head_height(look)
    if head and look.h < _LOW_TILE:
        pad = min(8.0, max(3.0, (look.h - head) / 3))
    foot = (
        38.0 if look.h >= 110 and look.w >= 56 else 20.0 if look.h >= 72 and look.w >= 44 else 0.0
    )
    if head:
        _draw_tile_head(ink, look, max(pad, 6.0), foot, head)
    if head >= look.h:
        return
    _draw_heat(
        ink, scene, look, look.x + pad, look.y + pad + head, look.w - 2 * pad,
        look.h - 2 * pad - head - foot,
    )  # fmt: skip
    if foot:
        _draw_tile_foot(ink, look, pad, foot)


def _head_height(look: GroupLook) -> float:
    """Pixels for the name: all of a tile that is a mere line, none where it has no room."""
    if look.h >= _LOW_TILE:
        return 24.0 if look.w >= 44 else 0.0
    if look.w < 90 or look.h < 18:
        return 0.0
    return 19.0 if look.h >= 38 else float(look.h)


def _draw_tile_head(ink: Ink, look: GroupLook, pad: float, foot: float, head: float) -> None:
    """Icon and name; also what the foot would say, as far as that has no room."""
    low = look.h < _LOW_TILE
    x, y = look.x + pad, look.y + (max(3.0, (head - 16) // 2) if low else 7.0)
    right = look.x + look.w - pad
    name = look.group.group.name
    if look.w >= 64:
        ink.icon(look.group.group.kind, x, y + 1, 14, "canvas.label")
        x += 19
    if foot < _TALL_FOOT and look.code != PLAIN and not math.isnan(look.load) and look.w >= 110:
        words = format_percent(look.load)
        ink.text(right, y, words, 10, 600, "canvas.label", "right")
        right -= ink.width_of(words, 10, 600) + 6
        ink.box(right - 8, y + 4, 8, 8, ink.theme.load_color(look.code), None, 2)
        right -= 16
    end = ink.text(x, y, name, 11, 600, "canvas.label", width=right - x, elide="middle")
    words = ink.fitting(roll_up(look.group), right - end - 8, 10) if not foot else ""
    if words:
        ink.text(end + 8, y, words, 10, 400, "canvas.label_sub")


def _draw_tile_foot(ink: Ink, look: GroupLook, pad: float, foot: float) -> None:
    y = look.y + look.h - foot
    gpus = look.group.gpus
    words = "GPUs unknown" if gpus is None else format_number(gpus)
    if gpus == 0:
        words = f"{look.group.switches} switches"
    room = look.w - 2 * pad
    end = ink.text(look.x + pad, y, words, 12, 600, "canvas.label", width=room)
    if gpus and end + 30 <= look.x + look.w - pad:
        ink.text(end + 4, y, "GPU", 10, 400, "canvas.label_sub")
    if foot < _TALL_FOOT or look.code == PLAIN:
        return
    ink.box(look.x + pad, y + 21, 8, 8, ink.theme.load_color(look.code), None, 2)
    text = "–" if math.isnan(look.load) else format_percent(look.load)
    ink.text(look.x + pad + 12, y + 17, text, 10, 500, "canvas.label_sub", width=room - 12)


def heat_cells(scene: DiagramScene, look: GroupLook) -> list[int]:
    """Nodes of the parts of a group in reading order: its groups, else its devices that compute."""
    group, count = look.group, len(scene.devices)
    parts = [count + child for child in group.children] or list(group.devices)
    if not group.children:
        servers = [row for row in parts if scene.devices.gpus[row] != 0]
        parts = servers or parts
    left, top, _, bottom = scene.rects[:, parts] if parts else np.zeros((4, 0))
    height = float(np.median(bottom - top)) if parts else 1.0
    order = np.lexsort((left, np.round(top / max(height, 1.0))))
    return [parts[i] for i in order.tolist()]


def _draw_heat(
    ink: Ink, scene: DiagramScene, look: GroupLook, x: float, y: float, w: float, h: float
) -> None:
    nodes = heat_cells(scene, look)
    if not nodes or w < 3 or h < 3:
        return
    codes = scene.node_codes[nodes]
    most = int(min(_MOST_CELLS, max(w * h / 9, 1)))
    if len(nodes) > most:  # neighbours share a cell, in the colour of the worse
        size = -(-len(nodes) // most)
        padded = np.concatenate((codes, np.full(-len(codes) % size, 0, np.uint8)))
        codes = padded.reshape(-1, size).max(axis=1)
    columns = max(1, min(len(codes), round(math.sqrt(len(codes) * w / h))))
    rows = -(-len(codes) // columns)
    # A few parts must not become blocks of colour.
    cell_w, cell_h = min(w / columns, _LARGEST_CELL[0]), min(h / rows, _LARGEST_CELL[1])
    gap = 1.25 if min(cell_w, cell_h) >= 5 else 0.5 if min(cell_w, cell_h) >= 2.5 else 0.0
    row, column = np.divmod(np.arange(len(codes), dtype=np.float64), columns)
    cells = pixel_boxes(
        x + column * cell_w,
        y + row * cell_h,
        np.full(len(codes), cell_w - gap),
        np.full(len(codes), cell_h - gap),
    )
    colors = (ink.theme.color("canvas.device_part"), *code_colors(ink.theme)[PLAIN + 1 :])
    fill_by_code(ink.painter, cells, codes, colors)
    ink.painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
