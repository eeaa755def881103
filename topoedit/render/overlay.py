"""What changes with every click: selection, pointer, keyboard focus, marks, drop targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from topoedit.render import containers, links, states
from topoedit.render.batches import Boxes, pixel_boxes
from topoedit.render.diagram import label_place
from topoedit.render.end_labels import draw_end_tags
from topoedit.render.ink import Ink, TextLog
from topoedit.render.labels import Plate, UsedCells, choose_plates, draw_plate, plate_rect
from topoedit.render.link_words import stroke_label
from topoedit.render.scene import DiagramScene
from topoedit.render.states import Mark, PixelBox
from topoedit.render.theme import Theme, number
from topoedit.render.two_way import draw_halo, draw_plain, draw_two_way, point_along, stroke_pixels
from topoedit.render.view import Level, View

_MOST_RINGS = 200
"""Beyond so many selected elements, rings have no halo."""
_RING_ROOM = 8
_MARK_SIZE, _COUNT_SIZE, _COUNT_FROM = 18.0, 18.0, 56
_MARK_REACH = 12.0
"""So many pixels round a mark are on it: a target is at least 24 pixels wide."""
_MOST_LINE_MARKS = 24
"""Of more links than that, marks stand at the devices from afar: the load is what is looked at."""
_MARK_SHARE = 0.35
"""The mark of a link stands there on its line, beside the plate in its middle."""
_RANKS = {"error": 0, "warning": 1, "info": 2}
_MARKS_FROM = 0.3  # below this zoom, failed and locked devices have no mark
_MOST_TWO_WAY = 60
"""Beyond so many selected lines each is one stroke and its ports have no rings."""
_MOST_SELECTED_LINES = 600
_MOST_SELECTED_PLATES = 6


@dataclass(frozen=True)
class Overlay:
    """Ids and states drawn over the picture.

    Attributes:
        selected: ids of devices, groups, links and notes; the first is the main one.
        many: ids of a large selection, each with a plain ring beside what `selected` shows.
        hovered: id under the pointer.
        focused: id that holds the keyboard focus.
        legal, illegal: ids of drop targets of a running gesture.
        marks: element id -> its worst finding and the number of findings.
        hover_text: what the plate of the hovered link says instead of its load.
    """

    selected: tuple[str, ...] = ()
    many: tuple[str, ...] = ()
    hovered: str | None = None
    focused: str | None = None
    legal: frozenset[str] = frozenset()
    illegal: frozenset[str] = frozenset()
    marks: Mapping[str, tuple[Mark, int]] = field(default_factory=dict)
    hover_text: str = ""
    log: TextLog | None = None


def paint_overlay(
    painter: QPainter, scene: DiagramScene, theme: Theme, view: View, overlay: Overlay
) -> None:
    """Paint the states over a painted diagram."""
    scene = scene.for_scale(view.scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    ink = Ink(painter, theme, overlay.log)
    _paint_links(ink, scene, view, overlay, _is_curved(scene, view))
    if overlay.many:
        states.draw_many(ink, _visible_boxes(scene, view, scene.nodes_of(overlay.many)))
    _paint_boxes(ink, scene, view, overlay)
    for place in all_marks(scene, view, overlay):
        states.draw_mark(ink, place.x, place.y, place.mark, place.count)


def pixel_box(scene: DiagramScene, view: View, element_id: str) -> PixelBox | None:
    """The box of a device, group or note in pixels; None for a link or an unknown id."""
    box = scene.rect_of(element_id)
    if box is None:
        return None
    x0, y0 = view.to_pixels(box[0], box[1])
    x1, y1 = view.to_pixels(box[2], box[3])
    x, y = round(x0), round(y0)
    is_group = element_id in scene.grouping.row
    radius = number("radius.group" if is_group else "radius.device")
    return PixelBox(x, y, max(round(x1) - x, 1), max(round(y1) - y, 1), radius)


def _visible_boxes(scene: DiagramScene, view: View, nodes: NDArray[np.intp]) -> Boxes:
    """Boxes of the nodes that meet the view, in whole pixels; those on the same ones only once."""
    left, top, right, bottom = scene.rects[:, nodes]
    x, y = (left - view.x) * view.scale, (top - view.y) * view.scale
    w, h = (right - left) * view.scale, (bottom - top) * view.scale
    seen = (x + w > -_RING_ROOM) & (x < view.width + _RING_ROOM)
    seen &= (y + h > -_RING_ROOM) & (y < view.height + _RING_ROOM)
    boxes = pixel_boxes(x[seen], y[seen], w[seen], h[seen])
    return np.ascontiguousarray(np.unique(boxes, axis=0)) if len(boxes) else boxes


def _paint_boxes(ink: Ink, scene: DiagramScene, view: View, overlay: Overlay) -> None:
    boxes = [box for i in overlay.selected if (box := pixel_box(scene, view, i)) is not None]
    for box in boxes[1:] if not overlay.many else []:
        states.draw_also_selected(ink, box)
    if boxes:
        few = len(boxes) <= _MOST_RINGS
        states.draw_selected(ink, boxes[0], handles=len(boxes) == 1, halo=few)
    for ids, legal in ((overlay.legal, True), (overlay.illegal, False)):
        for target in filter(None, (pixel_box(scene, view, i) for i in ids)):
            states.draw_drop_target(ink, target, legal)
    if overlay.hovered and (hovered := pixel_box(scene, view, overlay.hovered)) is not None:
        states.draw_hovered(ink, hovered)
    if overlay.focused and (focused := pixel_box(scene, view, overlay.focused)) is not None:
        states.draw_focused(ink, focused)


def _paint_links(ink: Ink, scene: DiagramScene, view: View, overlay: Overlay, curved: bool) -> None:
    strokes = _strokes_of(scene, overlay.selected)[:_MOST_SELECTED_LINES]
    hovered = _strokes_of(scene, (overlay.hovered,) if overlay.hovered else ())
    few = len(strokes) <= _MOST_TWO_WAY
    for stroke in strokes:
        draw_halo(ink, scene, view, stroke, curved)
        if not few:
            draw_plain(ink, scene, view, stroke, curved)
    for stroke in dict.fromkeys((*(strokes if few else ()), *hovered)):
        draw_two_way(ink, scene, view, stroke, curved)
    for stroke in strokes if few else ():
        for x, y in _ends(scene, view, stroke):
            ink.box(x - 6, y - 6, 12, 12, None, "selection.stroke", 4, 2)
    if strokes:
        _write_titles_again(ink, scene, view)
    plates = list(_plates(scene, view, overlay, strokes, hovered, curved))
    chosen = choose_plates(ink, plates, most=_MOST_SELECTED_PLATES)
    for plate in chosen:
        draw_plate(ink, plate)
    for stroke in hovered or strokes[:1]:
        draw_end_tags(ink, scene, view, stroke, [plate_rect(ink, plate) for plate in chosen])


def _plates(
    scene: DiagramScene, view: View, overlay: Overlay, strokes: list[int], hovered: list[int],
    curved: bool,
) -> Iterator[Plate]:  # fmt: skip
    """Plates of hovered and selected lines; the hovered one is placed first."""
    wanted = dict.fromkeys((*hovered, *strokes[: 3 * _MOST_SELECTED_PLATES]))
    for order, stroke in enumerate(wanted):
        text = overlay.hover_text if stroke in hovered and overlay.hover_text else ""
        text = text or stroke_label(scene, stroke)
        if text:
            x, y = label_place(scene, view, stroke, curved)
            edge = "selection.stroke" if stroke in strokes else "canvas.group_border"
            yield Plate(x, y, text, -float(order), edge, px=11)


def _write_titles_again(ink: Ink, scene: DiagramScene, view: View) -> None:
    """Selected lines lie on the picture, and no line may cross a title."""
    shown = containers.visible_groups(scene, view)
    free = containers.free_outside(scene, view, shown)
    for index in shown:
        if not scene.grouping.groups[index].collapsed:
            look = containers.group_look(scene, view, index)
            containers.draw_title(ink, look, index in free)


def _strokes_of(scene: DiagramScene, ids: tuple[str, ...]) -> list[int]:
    rows = (scene.links.row[i] for i in ids if i in scene.links.row)
    return list(dict.fromkeys(s for r in rows if (s := int(scene.strokes.of_link[r])) >= 0))


def _ends(scene: DiagramScene, view: View, stroke: int) -> tuple[tuple[float, float], ...]:
    x1, y1, x2, y2 = scene.strokes.seg[stroke].tolist()
    return view.to_pixels(x1, y1), view.to_pixels(x2, y2)


@dataclass(frozen=True)
class MarkPlace:
    """A mark on the drawing: what it is about, its middle in pixels, its shape and its number."""

    element: str
    x: float
    y: float
    mark: Mark
    count: int = 1

    def holds(self, x: float, y: float) -> bool:
        """Whether a pixel is on the mark or on its number."""
        wide = _MARK_REACH + (_COUNT_SIZE if self.count > 1 else 0)
        return -_MARK_REACH <= x - self.x <= wide and abs(y - self.y) <= _MARK_REACH


def all_marks(scene: DiagramScene, view: View, overlay: Overlay) -> Iterator[MarkPlace]:
    """Marks of findings, and of failed and locked devices in view."""
    yield from finding_marks(scene, view, overlay)
    if view.scale < _MARKS_FROM:
        return
    devices = scene.devices
    for row in np.flatnonzero((devices.failed | devices.locked) & scene.shown_devices()).tolist():
        device_id = devices.ids[row]
        box = pixel_box(scene, view, device_id)
        if device_id not in overlay.marks and box is not None and _in_window(box, view):
            mark: Mark = "failed" if devices.failed[row] else "locked"
            yield MarkPlace(device_id, box.x + box.w, box.y, mark)


def finding_marks(scene: DiagramScene, view: View, overlay: Overlay) -> Iterator[MarkPlace]:
    """Marks of findings, the worst first, none over another; numbers where a box has room.

    Remarks show close up, or on what is selected or hovered: a drawing that works is not strewn
    with them.
    """
    used = UsedCells()
    looked_at = {*overlay.selected, overlay.hovered}
    on_lines = sum(i in scene.links.row for i in overlay.marks)
    curved = bool(on_lines) and _is_curved(scene, view)
    at_ends = on_lines > _MOST_LINE_MARKS and view.level < Level.NEAR
    order = sorted(overlay.marks.items(), key=lambda item: _RANKS.get(item[1][0], len(_RANKS)))
    for element_id, (mark, count) in order:
        if mark == "info" and view.level < Level.NEAR and element_id not in looked_at:
            continue
        place = _mark_on_box(scene, view, element_id, element_id, mark, count)
        if element_id in scene.links.row:
            place = _mark_on_line(scene, view, element_id, mark, curved, at_ends)
        if place is None:
            continue
        wide = _MARK_SIZE + (_COUNT_SIZE if place.count > 1 else 0)
        half = _MARK_SIZE / 2
        if used.take(QRectF(place.x - half, place.y - half, wide, _MARK_SIZE)):
            yield place


def _mark_on_box(
    scene: DiagramScene, view: View, element_id: str, holder: str, mark: Mark, count: int
) -> MarkPlace | None:
    """The top right corner of a box; None where it cannot be seen."""
    box = pixel_box(scene, view, holder)
    if box is None or not _in_window(box, view):
        return None
    counted = count if box.w >= _COUNT_FROM else 1
    return MarkPlace(element_id, box.x + box.w, box.y, mark, counted)


def _mark_on_line(
    scene: DiagramScene, view: View, link: str, mark: Mark, curved: bool, at_end: bool
) -> MarkPlace | None:
    """A point of the line of a link, or the corner of the device at its end; None out of sight."""
    strokes = _strokes_of(scene, (link,))
    if not strokes:
        return None
    if at_end:
        device = scene.devices.ids[int(scene.links.a[scene.links.row[link]])]
        return _mark_on_box(scene, view, link, device, mark, 1)
    x, y = point_along(stroke_pixels(scene, view, strokes[0], curved), _MARK_SHARE)
    inside = -20 <= x <= view.width + 20 and -20 <= y <= view.height + 20
    return MarkPlace(link, x, y, mark) if inside else None


def _is_curved(scene: DiagramScene, view: View) -> bool:
    near = view.level >= Level.NEAR
    return near and links.is_curved(view, len(links.visible_strokes(scene, view)))


def _in_window(box: PixelBox, view: View) -> bool:
    return -20 <= box.x + box.w <= view.width + 20 and -20 <= box.y <= view.height + 20
